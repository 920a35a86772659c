import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `Changes that share a transaction` {
  private struct Refusal: Error {}

  private func add(_ uid: String, to store: EventStore, refusing: Bool = false) throws {
    try store.change(origin: .local, now: at(0), isShared: true, wrapping: { $0 as any Error }) {
      try $0.put(single(uid, at: 600))
      if refusing { throw Refusal() }
    }
  }

  private func uids(_ store: EventStore) throws -> Set<String> {
    Set(try store.series(touching: .always, calendars: nil).map(\.uid.text))
  }

  @Test func `they are seen at once, and are on the disk together`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let before = store.revision
    try add("a", to: store)
    try add("b", to: store)
    #expect(try uids(store) == ["a", "b"])
    #expect(store.revision == before + 2)
    #expect(try uids(fixture.crashed().open()) == [])
    try store.settleChanges()
    let copy = try fixture.crashed().open()
    #expect(try uids(copy) == ["a", "b"])
    #expect(copy.revision == before + 2)
  }

  @Test func `one that is refused leaves the others`() throws {
    let store = try StoreFixture().open()
    try add("a", to: store)
    #expect(throws: Refusal.self) { try add("b", to: store, refusing: true) }
    try add("c", to: store)
    try store.settleChanges()
    #expect(try uids(store) == ["a", "c"])
  }

  @Test func `where the first is refused, nothing of it is left, and the next is the first`() throws
  {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    let before = store.revision
    #expect(throws: Refusal.self) { try add("a", to: store, refusing: true) }
    #expect(!store.database.isTransactionOpen)
    #expect(throws: Refusal.self) { try add("b", to: store, refusing: true) }
    try add("c", to: store)
    #expect(throws: Refusal.self) { try add("d", to: store, refusing: true) }
    try store.settleChanges()
    #expect(try uids(fixture.crashed().open()) == ["c"])
    #expect(store.revision == before + 1)
  }

  /// A full disk ends the whole transaction where it strikes inside of a part: SQLite spills what it
  /// does not want to hold.
  @Test
  func `after an error that ends the transaction nothing more can be had before it is settled`()
    throws
  {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("before", at: 600)])
    let (revision, canRedo) = (store.revision, store.canRedo)
    try add("a", to: store)
    let pages = try store.number("PRAGMA page_count")
    try store.database.execute("PRAGMA max_page_count = \(pages + 8)")
    #expect(throws: StoreError.full(path: fixture.path)) {
      try store.change(origin: .local, now: at(0), isShared: true, wrapping: { $0 as any Error }) {
        for number in 0..<1000 { try $0.put(single("many-\(number)", at: 600)) }
      }
    }
    #expect(!store.database.isTransactionOpen)
    try store.database.execute("PRAGMA max_page_count = 1000000")
    #expect(throws: StoreError.self) { try add("c", to: store) }
    #expect(throws: StoreError.self) { try store.settleChanges() }
    #expect(try uids(store) == ["before"])
    #expect(try uids(fixture.crashed().open()) == ["before"])
    #expect(store.revision == revision)
    #expect(store.canRedo == canRedo)
    // Each is there once when it is done once more.
    for uid in ["a", "c"] { try store.put([single(uid, at: 600)]) }
    #expect(try uids(store) == ["before", "a", "c"])
    #expect(store.revision == revision + 2)
    #expect(try store.database.statement("PRAGMA integrity_check").onlyText() == "ok")
  }

  @Test func `a question that ends the transaction is noticed by the next part`() throws {
    let store = try StoreFixture().open()
    try add("a", to: store)
    // As SQLite does by itself where a page cannot be read.
    try store.database.execute("ROLLBACK")
    #expect(throws: StoreError.self) { try add("b", to: store) }
    store.dropChanges()
    #expect(try uids(store) == [])
    try add("c", to: store)
    try store.settleChanges()
    #expect(try uids(store) == ["c"])
  }

  @Test func `a part that cannot be taken back alone takes the others along`() throws {
    let store = try StoreFixture().open()
    try add("a", to: store)
    #expect(throws: Refusal.self) {
      try store.change(origin: .local, now: at(0), isShared: true, wrapping: { $0 as any Error }) {
        try $0.put(single("half", at: 600))
        // From here on there is nothing to roll back to.
        try store.database.execute("RELEASE part")
        throw Refusal()
      }
    }
    #expect(throws: StoreError.self) { try add("b", to: store) }
    #expect(throws: StoreError.self) { try store.settleChanges() }
    #expect(try uids(store) == [])
  }

  @Test func `what is dropped never was`() throws {
    let store = try StoreFixture().open()
    try store.put([single("before", at: 600)])
    let (revision, canUndo) = (store.revision, store.canUndo)
    try add("a", to: store)
    store.dropChanges()
    #expect(try uids(store) == ["before"])
    #expect(store.revision == revision)
    #expect(store.canUndo == canUndo)
    try store.put([single("after", at: 600)])
    #expect(try uids(store) == ["before", "after"])
    #expect(store.revision == revision + 1)
  }

  @Test func `the trash is counted anew after what is dropped`() throws {
    let store = try StoreFixture().open()
    try add("a", to: store)
    // As a change leaves it that has counted, and has made the trash smaller.
    store.undoRows.isTrashCounted = true
    store.dropChanges()
    #expect(!store.undoRows.isTrashCounted)
  }

  @Test func `another transaction makes them durable before`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try add("a", to: store)
    try store.put([single("b", at: 600)])
    #expect(try uids(fixture.crashed().open()) == ["a", "b"])
  }
}

extension Statement {
  /// The text of the first row.
  fileprivate func onlyText() throws -> String {
    defer { reset() }
    return try step() ? text(0) : ""
  }
}
