import CalendarModel
import CivilTime
import Messages
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `What cannot be opened` {
  /// Expects the refusal, and that nothing in the folder has changed.
  private func refusal(of fixture: StoreFixture) throws -> StoreError {
    let before = fixture.files()
    let error = try #require(throws: StoreError.self) { _ = try fixture.open() }
    #expect(fixture.files() == before)
    #expect(error.description.contains(fixture.path))
    return error
  }

  @Test func `a database that is in use is refused, and free once it is closed`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    #expect(try refusal(of: fixture) == .held(path: fixture.path))
    try store.put([single("a", at: 0)])
    store.close()
    #expect(try fixture.open().series(EventUID("a"), in: nil) != nil)
  }

  @Test func `a database that somebody only reads is refused, too`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    let reader = try fixture.database()
    try reader.execute("BEGIN; SELECT * FROM calendars")
    let error = try #require(throws: StoreError.self) { _ = try fixture.open() }
    #expect(error == .held(path: fixture.path))
  }

  @Test func `text is no database`() throws {
    let fixture = try StoreFixture()
    try fixture.directory.write("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", to: "datebook.db")
    #expect(try refusal(of: fixture) == .notADatabase(path: fixture.path))
  }

  @Test func `a database of another program is refused`() throws {
    let fixture = try StoreFixture()
    let other = try fixture.database(.create)
    try other.execute("PRAGMA application_id = 7; CREATE TABLE recipes (name TEXT)")
    other.close()
    #expect(
      try refusal(of: fixture) == .foreignDatabase(path: fixture.path, applicationID: 7))
  }

  @Test func `a database without a mark is refused when there is something in it`() throws {
    let fixture = try StoreFixture()
    let other = try fixture.database(.create)
    try other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    #expect(
      try refusal(of: fixture) == .foreignDatabase(path: fixture.path, applicationID: 0))
  }

  @Test func `another program's tables that are still in the journal are seen`() throws {
    let fixture = try StoreFixture()
    let other = try fixture.database(.create)
    try other.execute("PRAGMA journal_mode = WAL; CREATE TABLE recipes (name TEXT)")
    let crashed = try fixture.crashed()
    #expect(crashed.files()["datebook.db-wal"] != nil)
    let before = crashed.files().filter { $0.key != "datebook.db-shm" }
    let error = try #require(throws: StoreError.self) { _ = try crashed.open() }
    #expect(error == .foreignDatabase(path: crashed.path, applicationID: 0))
    #expect(crashed.files().filter { $0.key != "datebook.db-shm" } == before)
    other.close()
  }

  @Test func `a database of a later version is refused`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    let later = try fixture.database()
    try later.execute("PRAGMA user_version = 1000")
    later.close()
    #expect(
      try refusal(of: fixture)
        == .newerVersion(path: fixture.path, found: 1000, known: Migrations.all.latest))
  }

  @Test func `a later version that is still in the journal is seen`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.database.execute("PRAGMA user_version = 1000")
    let crashed = try fixture.crashed()
    #expect(
      try refusal(of: crashed)
        == .newerVersion(path: crashed.path, found: 1000, known: Migrations.all.latest))
  }

  @Test func `a file that lost its second half is damaged`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put((0..<200).map { single("event-\($0)", at: $0) })
    store.close()
    let octets = try #require(fixture.directory.read("datebook.db"))
    try writeFile(fixture.path, Array(octets.prefix(8192)))
    let error = try #require(throws: StoreError.self) {
      let store = try fixture.open()
      _ = try store.series(touching: .always, calendars: nil)
    }
    guard case .corrupt(fixture.path, _) = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `a folder that is not there is named`() throws {
    let fixture = try StoreFixture()
    let path = fixture.directory.file("none/datebook.db")
    #expect(throws: StoreError.unreachable(path: path, reason: UserText("no such file or folder")))
    {
      try EventStore(path: path, zones: FixedZones.shared, localZone: { .utc })
    }
  }

  @Test func `a folder in place of the file is refused`() throws {
    let fixture = try StoreFixture()
    try fixture.directory.makeDirectory("datebook.db")
    let error = try #require(throws: StoreError.self) { _ = try fixture.open() }
    #expect(error == .unreachable(path: fixture.path, reason: UserText("it is a folder")))
  }

  @Test(.enabled(if: isOrdinaryUser, "root may write what is read-only"))
  func `a file that may not be written is refused`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    setMode(fixture.path, 0o400)
    #expect(try refusal(of: fixture) == .readOnly(path: fixture.path))
  }

  @Test func `a path with the signs of a URI is taken as it is`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("50%25 #1?mode=memory é.db")
    let store = try EventStore(path: path, zones: FixedZones.shared, localZone: { .utc })
    store.close()
    #expect(readFile(path) != nil)
    let again = try EventStore(path: path, zones: FixedZones.shared, localZone: { .utc })
    #expect(try again.calendars().count == 1)
    again.close()
    // The glance finds it, too: it refuses without leaving a journal behind.
    let later = try Database(path: path, mode: .existing)
    try later.execute("PRAGMA user_version = 1000")
    later.close()
    #expect(throws: StoreError.self) {
      try EventStore(path: path, zones: FixedZones.shared, localZone: { .utc })
    }
    #expect(readFile(path + "-wal") == nil)
  }
}

@Suite struct `An open database` {
  @Test func `it is set up for one careful writer`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    // 2 is FULL.
    #expect(try store.number("PRAGMA synchronous") == 2)
    #expect(try store.number("PRAGMA foreign_keys") == 1)
    #expect(try store.number("PRAGMA application_id") == Int64(DatabaseFile.applicationID))
    let mode = try store.database.statement("PRAGMA journal_mode")
    #expect(try mode.step())
    #expect(mode.text(0) == "wal")
    mode.reset()
    // No index of the journal in shared memory.
    try store.put([single("a", at: 0)])
    #expect(fixture.files()["datebook.db-shm"] == nil)
  }

  @Test func `what cannot be written says so`() throws {
    let fixture = try StoreFixture()
    try fixture.open().close()
    let database = try fixture.database(.glance)
    #expect(throws: StoreError.readOnly(path: fixture.path)) {
      try database.execute("DELETE FROM calendars")
    }
  }

  @Test func `a full disk says so and changes nothing`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try store.put([single("a", at: 0)])
    // SQLite gives the same error for its own limit as for the disk's.
    let pages = try store.number("PRAGMA page_count")
    try store.database.execute("PRAGMA max_page_count = \(pages)")
    let many = (0..<2000).map { single("event-\($0)", at: $0) }
    #expect(throws: StoreError.full(path: fixture.path)) { try store.put(many) }
    #expect(store.revision == 1)
    #expect(try store.eventCounts() == [personal: 1])
    try store.database.execute("PRAGMA max_page_count = 1000000")
    try store.put(many)
    #expect(try store.eventCounts() == [personal: 2001])
  }

  @Test func `SQL that is wrong is told with the SQL`() throws {
    let store = try StoreFixture().open()
    let error = try #require(throws: StoreError.self) {
      try store.database.execute("SELECT x FROM nowhere")
    }
    #expect(error.description.contains("nowhere"))
    #expect(error.description.contains("no such table"))
  }
}
