import CalendarModel
import CivilTime

/// Series that an undo or redo removes as a set, with a few statements for all of them.
///
/// To undo an import of 10,000 events one by one would take ten statements for each. The keys are
/// in a temporary table, in the order of the series in the file.
struct BulkDeletion {
  let database: Database
  /// The number of series.
  let count: Int
  /// The key of the image of the first series, minus its ``Member/place``.
  private(set) var firstImage: Int64 = 0

  /// A series of the set.
  struct Member {
    /// Its position in the set, from 1.
    let place: Int64
    let name: SeriesName
    /// Whether the series has pending reminders.
    let hasPending: Bool
  }

  /// Collects the existing series that a revision touched, except those with an image in a step.
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

  /// Returns a span that contains the indexed spans of all series; nil if none has a time.
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

  /// Stores an image of each series, and returns the size of the images in bytes.
  ///
  /// - Parameters:
  ///   - columns: the columns of a component to copy.
  ///   - step: the step that holds the images.
  ///   - revision: the change that removes the series.
  ///   - now: alarms before it were due; the image records those that were not taken.
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

  /// Returns the key of a member's image; valid after ``keep(_:step:revision:now:)``.
  func image(of member: Member) -> Int64 { firstImage + member.place }

  /// Deletes the series from every table.
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
  /// Runs a cached statement without parameters.
  fileprivate func run(_ sql: StaticString) throws(StoreError) {
    try statement(sql).run()
  }
}

extension String {
  /// Prefixes each of some column names, separated by ", ", with a table's name.
  fileprivate func qualified(by table: String) -> String {
    split(separator: ", ").map { "\(table).\($0)" }.joined(separator: ", ")
  }
}
