import CalendarModel
import CivilTime

/// Series that a step removes together, as a set: an import of 10,000 events is undone in
/// a few statements, instead of ten statements for each event.
///
/// Their keys are in a table of this connection's, in the order of the file.
struct BulkDeletion {
  let database: Database
  /// How many there are.
  let count: Int
  /// The key of the image of the first of them, less its place.
  private(set) var firstImage: Int64 = 0

  /// A series and where it was.
  struct Member {
    /// From 1.
    let place: Int64
    let name: SeriesName
    /// Whether reminders of it are pending.
    let hasPending: Bool
  }

  /// Gathers what a revision touched and is there, but for the names of which a step
  /// holds an image.
  init(of revision: UInt64, butImagesOf step: Int64, _ database: Database) throws(StoreError) {
    self.database = database
    try database.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS leaving (
        place INTEGER PRIMARY KEY, series INTEGER NOT NULL, calendar TEXT NOT NULL, uid TEXT NOT NULL
      );
      """)
    try database.run("DELETE FROM temp.leaving")
    let row = try database.statement(
      """
      INSERT INTO temp.leaving (series, calendar, uid)
      SELECT series.key, changes.calendar, changes.uid FROM changes
      JOIN calendars ON calendars.id = changes.calendar
      JOIN series ON series.calendar = calendars.key AND series.uid = changes.uid
      WHERE changes.revision = ?1 AND (changes.calendar, changes.uid) NOT IN (
        SELECT calendar, uid FROM series_images WHERE step = ?2)
      ORDER BY series.key
      """)
    row.bind(1, Int64(revision))
    row.bind(2, step)
    try row.run()
    count = database.changedRows
  }

  /// Returns all of them, in the order of the file.
  func members() throws(StoreError) -> [Member] {
    let row = try database.statement(
      composed: """
        SELECT place, calendar, uid, (uid, calendar) IN (
          SELECT uid, calendar FROM reminders WHERE \(ReminderRows.isPending))
        FROM temp.leaving ORDER BY place
        """)
    defer { row.reset() }
    var members: [Member] = []
    members.reserveCapacity(count)
    while try row.step() {
      members.append(
        Member(
          place: row.integer(0),
          name: SeriesName(calendar: CalendarID(row.text(1)), uid: EventUID(row.text(2))),
          hasPending: row.bool(3)))
    }
    return members
  }

  /// Returns a span that holds those of all, as the index has them; nil if none has a
  /// time.
  func span() throws(StoreError) -> TimeSpan? {
    try SpanIndex(database: database).union(
      database.statement(
        """
        SELECT min(first_minute), max(last_minute) FROM (
          SELECT first_minute, last_minute FROM temp.leaving
          JOIN series ON series.key = leaving.series
          UNION ALL
          SELECT first_minute, last_minute FROM temp.leaving
          JOIN spans ON spans.series = leaving.series
        ) WHERE last_minute > ?1
        """))
  }

  /// Keeps how each is now, and returns what the images take up.
  ///
  /// - Parameters:
  ///   - columns: what a component is copied by.
  ///   - step: holds the images.
  ///   - revision: of the change that comes over them.
  ///   - now: alarms before it were due, and where they were not taken the image says so.
  mutating func keep(
    _ columns: String, step: Int64, revision: UInt64, now: Timestamp
  ) throws(StoreError) -> Int64 {
    firstImage = try database.integer("SELECT max(key) FROM series_images")
    let images = try database.statement(
      """
      INSERT INTO series_images (key, step, calendar, uid, revision, alarms_through, content, place)
      SELECT ?1 + place, ?2, leaving.calendar, leaving.uid, ?3,
        CASE WHEN next_alarm < ?4 THEN next_alarm - 1 END, content, leaving.series
      FROM temp.leaving JOIN series ON series.key = leaving.series ORDER BY place
      """)
    images.bind(1, firstImage)
    images.bind(2, step)
    images.bind(3, Int64(revision))
    images.bind(4, now.seconds)
    try images.run()
    let components = try database.statement(
      composed: """
        INSERT INTO component_images (image, \(columns))
        SELECT ?1 + leaving.place, \(columns.qualified(by: "components"))
        FROM temp.leaving CROSS JOIN components ON components.series = leaving.series
        ORDER BY leaving.place, components.key
        """)
    components.bind(1, firstImage)
    try components.run()
    let octets = try database.statement(
      composed: """
        SELECT count(*), sum(\(UndoRows.textOctets))
        FROM temp.leaving CROSS JOIN components ON components.series = leaving.series
        """)
    defer { octets.reset() }
    guard try octets.step() else { return 0 }
    return octets.integer(0) * UndoRows.componentOctets + octets.integer(1)
  }

  /// The image of a member, once it is kept.
  func image(of member: Member) -> Int64 { firstImage + member.place }

  /// Takes all of them out of every table.
  func delete() throws(StoreError) {
    try SearchIndex(database: database).removeLeaving(count)
    try database.run(
      """
      DELETE FROM spans WHERE series IN (
        SELECT key FROM temp.leaving JOIN series ON series.key = leaving.series
        WHERE first_minute IS NULL)
      """)
    try database.run(
      """
      DELETE FROM spans WHERE series IN (
        SELECT -key FROM temp.leaving JOIN series ON series.key = leaving.series
        WHERE first_minute IS NULL)
      """)
    try database.run("DELETE FROM components WHERE series IN (SELECT series FROM temp.leaving)")
    try database.run("DELETE FROM series WHERE key IN (SELECT series FROM temp.leaving)")
    try database.run("DELETE FROM temp.leaving")
  }
}

extension Database {
  /// Runs a statement without parameters, which is kept.
  fileprivate func run(_ sql: StaticString) throws(StoreError) {
    try statement(sql).run()
  }
}

extension String {
  /// Names of columns, parted by ", ", each with the name of its table.
  fileprivate func qualified(by table: String) -> String {
    split(separator: ", ").map { "\(table).\($0)" }.joined(separator: ", ")
  }
}
