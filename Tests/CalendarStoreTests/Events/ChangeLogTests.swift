import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `Changes since a revision` {
  private func told(_ store: EventStore, since: UInt64, limit: Int = 10) throws -> [String]? {
    try store.changes(since: since, limit: limit)?.map {
      "\($0.revision) \($0.change) \($0.uid)"
    }
  }

  @Test func `are what became of each event, against what was there then`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0), single("b", at: 60)])  // 1
    try store.put([single("a", at: 30)])  // 2
    try store.put([single("c", at: 0)])  // 3
    try store.remove("a")  // 4
    try store.put([single("c", at: 30)])  // 5
    try store.remove("b")  // 6
    try store.put([single("b", at: 90)])  // 7
    #expect(try told(store, since: 0) == ["4 removed a", "5 added c", "7 added b"])
    #expect(try told(store, since: 1) == ["4 removed a", "5 added c", "7 updated b"])
    #expect(try told(store, since: 3) == ["4 removed a", "5 updated c", "7 updated b"])
    #expect(try told(store, since: 6) == ["7 added b"])
    #expect(try told(store, since: 7) == [])
  }

  @Test func `of another database, too many, or too long ago are not told`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0), single("b", at: 60)])
    #expect(try told(store, since: 2) == nil)
    #expect(try told(store, since: .max) == nil)
    #expect(try told(store, since: 0, limit: 1) == nil)
    #expect(try told(store, since: 0, limit: 2)?.count == 2)
    try store.database.execute("UPDATE meta SET value = 10001 WHERE name = 'revision'")
    let later = try ChangeLog(store.database)
    #expect(try later.changes(since: 0, limit: 10) == nil)
    #expect(try later.changes(since: 1, limit: 10) != nil)
  }

  @Test(arguments: 0..<20)
  func `turn an old copy into the new one`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try StoreFixture().open()
    var names: [Set<String>] = [[]]
    for _ in 0..<30 {
      let name = "e\(Int.random(in: 0..<6, using: &random))"
      var present = names[names.count - 1]
      if present.contains(name), Bool.random(using: &random) {
        try store.remove(name)
        present.remove(name)
      } else {
        try store.put([single(name, at: Int64.random(in: 0..<1_000_000, using: &random))])
        present.insert(name)
      }
      if Int(store.revision) == names.count { names.append(present) }
    }
    for seen in names.indices {
      var copy = names[seen]
      for change in try #require(try store.changes(since: UInt64(seen), limit: 100)) {
        let name = change.uid.text
        switch change.change {
        case .added: #expect(!copy.contains(name))
        case .updated: #expect(copy.contains(name))
        case .removed: break
        }
        if change.change == .removed { copy.remove(name) } else { copy.insert(name) }
      }
      #expect(copy == names[names.count - 1], "since \(seen)")
    }
  }
}
