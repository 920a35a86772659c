import CalendarModel
import CivilTime
import Glibc
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `A file that must not be written any more` {
  @Test func `after a page that cannot be read nothing is written`() throws {
    let fixture = try StoreFixture()
    var store = try fixture.open()
    try store.put((0..<200).map { single("event-\($0)", at: Int64($0)) })
    store.close()
    try fixture.spoil("components", from: 3)
    let before = fixture.files()["datebook.db"]
    store = try fixture.open()
    var faults: [StoreError] = []
    store.onFault = { faults.append($0) }
    let day = TimeSpan(start: midnight, end: at(1440))
    #expect(throws: StoreError.self) { try store.series(touching: day, calendars: nil) }
    #expect(throws: StoreError.self) { try store.put([single("new", at: 0)]) }
    #expect(throws: StoreError.self) { try store.passTime(now: midnight) }
    guard case .corrupt? = faults.first, faults.count == 1 else {
      Issue.record("\(faults)")
      return
    }
    store.close()
    #expect(fixture.files()["datebook.db"] == before)
  }

  @Test func `a file that took its place is left alone with all that it holds`() throws {
    let (fixture, backup) = (try StoreFixture(), try StoreFixture())
    var store = try backup.open()
    try store.put([single("kept", at: 0)])
    store.close()
    let octets = try #require(backup.directory.read("datebook.db"))
    store = try fixture.open()
    try store.put([single("answered", at: 0)])
    try #require(rename(backup.path, fixture.path) == 0)
    do {
      try store.put([single("lost", at: 1)])
      Issue.record("a write went into a file that nobody finds")
    } catch {
      #expect(error as? StoreError == .replaced(path: fixture.path, isRemoved: false))
    }
    // What was answered can still be read, and saved.
    #expect(try store.series(EventUID("answered"), in: nil) != nil)
    let saved = try StoreFixture()
    try store.copy(to: saved.path)
    store.close()
    #expect(fixture.directory.read("datebook.db") == octets)
    #expect(try saved.open().series(EventUID("answered"), in: nil) != nil)
  }

  @Test func `a file that was removed is noticed without a write`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("answered", at: 0)])
    var faults: [StoreError] = []
    store.onFault = { faults.append($0) }
    store.checkFile()
    #expect(faults == [])
    try #require(unlink(fixture.path) == 0)
    store.checkFile()
    #expect(faults == [.replaced(path: fixture.path, isRemoved: true)])
    store.close()
    #expect(fixture.files()["datebook.db"] == nil)
  }
}

@Suite struct `A copy of a database in use` {
  @Test func `it has what was changed while it was made`() throws {
    let (fixture, target) = (try StoreFixture(), try StoreFixture())
    let store = try fixture.open()
    try store.put((0..<6000).map { single("event-\($0)", at: Int64($0)) })
    let copy = try DatabaseCopy(of: store, to: target.path)
    var steps = 0
    while try copy.copySome() == .goesOn {
      steps += 1
      if steps == 1 { try store.put([single("late", at: 5)]) }
    }
    #expect(steps > 0)
    let final = target.directory.file("final.db")
    try EventStore.checkAndCompact(target.path, into: final)
    let summary = try EventStore.summary(ofFile: final)
    #expect(summary.events == 6001)
    #expect(summary.revision == store.revision)
  }

  @Test func `a damaged page is found before the copy counts as a backup`() throws {
    let (fixture, target) = (try StoreFixture(), try StoreFixture())
    var store = try fixture.open()
    try store.put((0..<300).map { single("event-\($0)", at: Int64($0)) })
    store.close()
    try fixture.spoil("components", from: 3)
    store = try fixture.open()
    let copy = try DatabaseCopy(of: store, to: target.path)
    while try copy.copySome() == .goesOn {}
    #expect(throws: StoreError.self) {
      try EventStore.checkAndCompact(target.path, into: target.directory.file("final.db"))
    }
  }
}
