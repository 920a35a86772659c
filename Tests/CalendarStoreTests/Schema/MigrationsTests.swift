import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarStore

@Suite struct `Databases of earlier versions` {
  /// The dumps of the schemas that were released: Schemas/1.sql and so on.
  private func dump(_ version: Int) throws -> String {
    let path = testsDirectory + "/CalendarStoreTests/Schemas/\(version).sql"
    return String(decoding: try #require(readFile(path)), as: UTF8.self)
  }

  /// Each table and index with its SQL, less comments and white space.
  private func schema(of database: Database) throws -> [String] {
    let row = try database.statement(
      "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name")
    defer { row.reset() }
    var schema: [String] = []
    while try row.step() {
      let lines = row.text(1).split(separator: "\n").map { line in
        var words = line.split(separator: " ")
        if let comment = words.firstIndex(where: { $0.hasPrefix("--") }) {
          words.removeSubrange(comment...)
        }
        return words.joined(separator: " ")
      }
      // ALTER TABLE puts a comma on a line of its own.
      let text = lines.joined(separator: " ").replacing(" ,", with: ",").replacing(" )", with: ")")
      schema.append(row.text(0) + ": " + text)
    }
    return schema
  }

  /// Makes the database of an old version.
  private func old(_ version: Int) throws -> StoreFixture {
    let fixture = try StoreFixture()
    let database = try fixture.database(.create)
    try database.execute(try dump(version))
    try database.execute(
      """
      PRAGMA application_id = \(DatabaseFile.applicationID);
      PRAGMA user_version = \(version);
      """)
    database.close()
    return fixture
  }

  @Test(arguments: 1...Migrations.all.latest)
  func `an old database has the schema of a new one once it is opened`(version: Int) throws {
    let migrated = try old(version).open()
    let new = try StoreFixture().open()
    #expect(try schema(of: migrated.database) == schema(of: new.database))
    #expect(try migrated.number("PRAGMA user_version") == Int64(Migrations.all.latest))
    // The rows of the dump are read.
    #expect(try migrated.calendars().map(\.name) == ["Personal"])
    #expect(migrated.revision == 2)
    let series = try migrated.series(touching: .always, calendars: nil)
    #expect(series.filter { $0.kind == .event }.count == 2)
    #expect(try migrated.eventCounts().values.map { $0 } == [2])
    // Version 3 brought to-dos; all that was before is events.
    #expect(series.count == (version < 3 ? 2 : 3))
    let toDo = try migrated.toDos(calendars: nil).first?.master
    #expect(
      toDo?.toDo == (version < 3 ? nil : ToDo(status: .inProcess, percentComplete: 50, priority: 1))
    )
    #expect(toDo?.anchor == (version < 3 ? nil : .due))
    #expect(try migrated.pendingReminders().count == 1)
    // Version 5 brought the words of events.
    for word in ["meet", "location:room", "attendee:ana", "category:work", "summary:day"] {
      #expect(try migrated.hits(of: SearchQuery(word)).list().count == 1, "\(word)")
    }
    #expect(try migrated.hits(of: SearchQuery("rent")).list().isEmpty)
    // What the step wrote can be taken out again.
    try migrated.remove("meeting@example.org")
    #expect(try migrated.hits(of: SearchQuery("ana")).list().isEmpty)
  }

  @Test(arguments: 1...6)
  func `what was pending of a hidden calendar waits until that is shown`(version: Int) throws {
    let fixture = try old(version)
    let database = try fixture.database()
    try database.execute("UPDATE calendars SET is_visible = 0")
    database.close()
    let store = try fixture.open()
    #expect(try store.pendingReminders().isEmpty)
    let pending = try store.number(
      "SELECT count(*) FROM reminders WHERE close_reason = 'calendar-hidden' AND closed_at > 0")
    #expect(pending == 1)
    var calendar = try #require(try store.calendars().first)
    calendar.isVisible = true
    try store.put(calendar: calendar, now: at(665))
    #expect(try store.pendingReminders().count == 1)
  }

  @Test func `letters of their own are found by others once version 7 is opened`() throws {
    let fixture = try old(7)
    let database = try fixture.database()
    try database.execute(
      """
      UPDATE components SET summary = 'Große Straße' WHERE key = 2;
      INSERT INTO search (search, rowid, summary, location, description, attendees, categories)
      VALUES ('delete', 2, 'Day', '', '', '', '');
      INSERT INTO search (rowid, summary, location, description, attendees, categories)
      VALUES (2, 'Große Straße', '', '', '', '');
      """)
    database.close()
    let store = try fixture.open()
    for word in ["strasse", "straße", "GROSSE STRASSE"] {
      #expect(try store.hits(of: SearchQuery(word)).list().count == 1, "\(word)")
    }
    try store.remove("day@example.org")
    #expect(try store.hits(of: SearchQuery("strasse")).list().isEmpty)
    #expect(try store.hits(of: SearchQuery("straße")).list().isEmpty)
  }

  @Test func `letters are found without their marks once version 12 is opened`() throws {
    let fixture = try old(12)
    let database = try fixture.database()
    try database.execute(
      """
      UPDATE components SET summary = 'Ёлка, οδός' WHERE key = 2;
      INSERT INTO search (search, rowid, summary, location, description, attendees, categories)
      VALUES ('delete', 2, 'Day', '', '', '', '');
      INSERT INTO search (rowid, summary, location, description, attendees, categories)
      VALUES (2, 'Ёлка, οδός', '', '', '', '');
      """)
    database.close()
    let store = try fixture.open()
    for word in ["елка", "ёлка", "ΟΔΟΣ"] {
      #expect(try store.hits(of: SearchQuery(word)).list().count == 1, "\(word)")
    }
    try store.remove("day@example.org")
    #expect(try store.hits(of: SearchQuery("елка")).list().isEmpty)
    #expect(try store.hits(of: SearchQuery("ёлка")).list().isEmpty)
  }

  @Test func `guesses at what the clocks showed are gone once version 18 is opened`() throws {
    let fixture = try old(18)
    let database = try fixture.database()
    try database.execute(
      """
      INSERT INTO meta VALUES ('set_back', 1795219200);
      INSERT INTO meta VALUES ('defaults personal', 1795219200);
      INSERT INTO meta VALUES ('hidden personal', 1795219200);
      """)
    database.close()
    let store = try fixture.open()
    let guesses = try store.number(
      "SELECT count(*) FROM meta WHERE name = 'set_back' OR name GLOB 'defaults *'")
    #expect(guesses == 0)
    #expect(try store.hiddenSince(personal) != nil)
    #expect(try store.number("SELECT count(*) FROM planned_zones WHERE length(rules) > 0") == 2)
  }

  @Test func `each step runs once, in order, from where the database is`() throws {
    let fixture = try StoreFixture()
    let database = try fixture.database(.create)
    try database.execute("CREATE TABLE steps (step INTEGER); PRAGMA user_version = 2")
    let migrations = Migrations(
      steps: (1...4).map { "INSERT INTO steps VALUES (\($0))" })
    try migrations.run(on: database)
    try migrations.run(on: database)
    #expect(try database.integer("SELECT count(*) FROM steps") == 3)
    #expect(try database.integer("SELECT min(step) FROM steps") == 2)
    #expect(try migrations.version(of: database) == 5)
  }

  @Test func `a step that fails is undone, and so are those before it`() throws {
    let fixture = try StoreFixture()
    let database = try fixture.database(.create)
    try database.execute("CREATE TABLE steps (step INTEGER); PRAGMA user_version = 1")
    let migrations = Migrations(steps: [
      "INSERT INTO steps VALUES (1)",
      "INSERT INTO steps VALUES (2); INSERT INTO nowhere VALUES (2)",
    ])
    #expect(throws: StoreError.self) { try migrations.run(on: database) }
    #expect(try database.integer("SELECT count(*) FROM steps") == 0)
    #expect(try migrations.version(of: database) == 1)
  }

  /// The schemas that releases wrote; CHANGELOG.md has the releases.
  private static let released = ["0.2.0": 19]

  @Test func `each release in the changelog has a schema, which an update starts from`() throws {
    let path = directory(ofFile: testsDirectory) + "/CHANGELOG.md"
    let changelog = String(decoding: try #require(readFile(path)), as: UTF8.self)
    let versions = changelog.split(separator: "\n").filter { $0.hasPrefix("## [") }
      .compactMap { $0.dropFirst(4).split(separator: "]").first.map(String.init) }
    #expect(versions.filter { $0 != "Unreleased" }.sorted() == Self.released.keys.sorted())
    for schema in Self.released.values { _ = try dump(schema) }
  }

  @Test func `before an old database is migrated, a copy is made; without one it stays as it was`()
    throws
  {
    let fixture = try old(19)
    let copy = fixture.path + "-copy"
    func open(keepOld: EventStore.OldCopy) throws -> EventStore {
      try EventStore(
        path: fixture.path, zones: FixedZones.shared, localZone: { .utc }, keepOld: keepOld)
    }
    #expect(throws: StoreError.full(path: copy)) {
      _ = try open { _, _ throws(StoreError) in throw .full(path: copy) }
    }
    var schemas: [Int] = []
    let store = try open { schema, write throws(StoreError) in
      schemas.append(schema)
      try write(copy)
    }
    #expect(schemas == [19])
    #expect(try store.number("PRAGMA user_version") == Int64(Migrations.all.latest))
    store.close()
    let kept = try Database(path: copy, mode: .existing)
    #expect(try kept.integer("PRAGMA user_version") == 19)
    #expect(try kept.integer("SELECT count(*) FROM calendars") == 1)
    kept.close()
    // The present schema needs no copy.
    try open { _, _ throws(StoreError) in throw .full(path: copy) }.close()
  }

  @Test func `our mark without a schema number is damage`() throws {
    let fixture = try StoreFixture()
    let database = try fixture.database(.create)
    try database.execute(
      "CREATE TABLE x (y); PRAGMA application_id = \(DatabaseFile.applicationID)")
    database.close()
    #expect(throws: StoreError.self) { _ = try fixture.open() }
  }
}
