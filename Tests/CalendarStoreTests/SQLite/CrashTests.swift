import CalendarModel
import CivilTime
import Glibc
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `A process that is killed` {
  @Test func `what had returned is there, although it was never closed`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put((0..<50).map { single("event-\($0)", at: $0, reminders: [0]) })
    let taken = try store.takeDue(through: at(10), limit: 100)
    let again = try fixture.crashed().open()
    #expect(again.revision == 1)
    #expect(try again.eventCounts() == [personal: 50])
    #expect(try again.pendingReminders().map(\.id).sorted() == taken.map(\.id).sorted())
    #expect(try again.takeDue(through: at(10), limit: 100).isEmpty)
  }

  @Test func `what fell due is taken again where power went before the disk had it`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put((0..<50).map { single("event-\($0)", at: $0, reminders: [0]) })
    let durable = try #require(fixture.files()["datebook.db-wal"]?.count)
    let taken = try store.takeDue(through: at(10), limit: 100)
    let copy = try fixture.crashed()
    let journal = copy.directory.file("datebook.db-wal")
    #expect(try #require(copy.files()["datebook.db-wal"]?.count) > durable)
    #expect(truncate(journal, off_t(durable)) == 0)
    let again = try copy.open()
    #expect(try again.pendingReminders().isEmpty)
    #expect(try again.takeDue(through: at(10), limit: 100) == taken)
  }

  @Test func `only what falls due does not wait for the disk`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 10, reminders: [0])])
    // 1 is NORMAL, 2 FULL.
    func patience() throws -> Int64 { try store.database.integer("PRAGMA synchronous") }
    var inside: Int64?
    try store.database.transactionAheadOfDisk { () throws(StoreError) in
      inside = try store.database.integer("PRAGMA synchronous")
    }
    #expect(inside == 1)
    #expect(try patience() == 2)
    #expect(try store.takeDue(through: at(10), limit: 9).count == 1)
    #expect(try patience() == 2)
    #expect(throws: StoreError.self) {
      try store.database.transactionAheadOfDisk { () throws(StoreError) in
        try store.database.execute("INSERT INTO nowhere VALUES (1)")
      }
    }
    #expect(try patience() == 2)
  }

  @Test func `one that could not go back to waiting lets the next wait all the same`() throws {
    let database = try StoreFixture().open().database
    func patience() throws(StoreError) -> Int64 { try database.integer("PRAGMA synchronous") }
    func doNotWait() throws { try database.execute("PRAGMA synchronous = NORMAL") }
    try doNotWait()
    #expect(try database.transaction { () throws(StoreError) in try patience() } == 2)
    try doNotWait()
    #expect(try database.part(wrapping: { $0 }) { () throws(StoreError) in try patience() } == 2)
    try database.commitShared()
  }

  @Test func `a change in the middle leaves no trace`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("before", at: 0)])
    var crashed: [StoreFixture] = []
    try store.change(origin: .import, now: midnight) { change throws(StoreError) in
      // Past the page cache, so that unfinished pages are in the journal.
      for index in 0..<4000 {
        var event = Event(uid: EventUID("event-\(index)"), start: .utc(at(Int64(index))))
        event.description = String(repeating: "x", count: 500)
        try change.put(EventSeries(calendar: personal, master: event))
        if index % 1000 == 999, let copy = try? fixture.crashed() { crashed.append(copy) }
      }
    }
    #expect(crashed.count == 4)
    #expect(crashed.contains { ($0.files()["datebook.db-wal"]?.count ?? 0) > 1_000_000 })
    for copy in crashed {
      let store = try copy.open()
      #expect(store.revision == 1)
      #expect(try store.eventCounts() == [personal: 1])
      #expect(try store.number("SELECT count(first_minute) FROM series") == 1)
      let check = try store.database.statement("PRAGMA integrity_check")
      #expect(try check.step())
      #expect(check.text(0) == "ok")
      check.reset()
    }
  }
}
