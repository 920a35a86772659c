import CalendarModel
import CivilTime

/// How events were on the other side of a step.
extension UndoRows {
  /// An image as it is filed.
  struct Image {
    let key: Int64
    let name: SeriesName
    /// Of the change that came over it.
    let revision: UInt64
    /// Of the change that wrote what it holds.
    let content: UInt64
    /// Up to when its alarms were dealt with, where some were due and not taken.
    let alarmsThrough: Timestamp?
    /// The key that the series had; nil where it is not known.
    let place: Int64?
  }

  /// Whether the series of an image happens more than once.
  func isRecurring(_ image: Image) throws(StoreError) -> Bool {
    let row = try database.statement(
      "SELECT 1 FROM component_images WHERE image = ?1 AND (rules <> '' OR added <> '') LIMIT 1")
    row.bind(1, image.key)
    defer { row.reset() }
    return try row.step()
  }

  /// Keeps how a series is now, and returns the key of its image and what it takes up.
  ///
  /// - Parameters:
  ///   - step: nil keeps it for the trash alone.
  ///   - revision: of the change that comes over it.
  ///   - alarmsThrough: as of ``Image``.
  func keep(
    _ series: Int64, _ name: SeriesName, step: Int64?, revision: UInt64, alarmsThrough: Timestamp?
  ) throws(StoreError) -> (key: Int64, octets: Int64) {
    let row = try database.statement(
      """
      INSERT INTO series_images (step, calendar, uid, revision, alarms_through, content, place)
      SELECT ?1, ?2, ?3, ?4, ?5, content, key FROM series WHERE key = ?6
      """)
    row.bind(1, step)
    row.bind(2, name.calendar.text)
    row.bind(3, name.uid.text)
    row.bind(4, Int64(revision))
    row.bind(5, alarmsThrough?.seconds)
    row.bind(6, series)
    try row.run()
    let image = database.lastKey
    let components = try database.statement(
      composed: """
        INSERT INTO component_images (image, \(columns))
        SELECT ?1, \(columns) FROM components WHERE series = ?2 ORDER BY key
        """)
    components.bind(1, image)
    components.bind(2, series)
    try components.run()
    return (image, try octets(of: series))
  }

  /// What the columns without long texts take up in a component, about.
  static let componentOctets: Int64 = 600

  /// What its long texts take up: SQLite counts characters of a text, and octets of a BLOB.
  static let textOctets =
    ["component", "description", "attendees", "summary", "location"]
    .map { "length(CAST(\($0) AS BLOB))" }.joined(separator: " + ")

  private func octets(of series: Int64) throws(StoreError) -> Int64 {
    let row = try database.statement(
      composed: "SELECT count(*), sum(\(UndoRows.textOctets)) FROM components WHERE series = ?1")
    row.bind(1, series)
    defer { row.reset() }
    guard try row.step() else { return 0 }
    return row.integer(0) * UndoRows.componentOctets + row.integer(1)
  }

  /// Returns the images of a step up to a key, in the order in which they were kept.
  func images(of step: Int64, through last: Int64) throws(StoreError) -> [Image] {
    let row = try database.statement(
      UndoRows.selectImages, "WHERE step = ?1 AND key <= ?2 ORDER BY key")
    row.bind(1, step)
    row.bind(2, last)
    return try images(row)
  }

  /// Returns some images of a step that has removed nothing, in the order in which they were kept.
  ///
  /// - Parameters:
  ///   - last: the key of the one after which they come.
  ///   - limit: the most.
  /// - Complexity: one step in an index for each.
  func images(
    ofChanges step: Int64, after last: Int64 = 0, limit: Int
  ) throws(StoreError) -> [Image] {
    // The index has the keys in order for each time of removal.
    let row = try database.statement(
      UndoRows.selectImages,
      "WHERE step = ?1 AND removed_on IS NULL AND key > ?2 ORDER BY key LIMIT ?3")
    row.bind(1, step)
    row.bind(2, last)
    row.bind(3, Int64(limit))
    return try images(row)
  }

  /// Returns the key of the last image of a step; 0 where it has none.
  func lastImage(of step: Int64) throws(StoreError) -> Int64 {
    let row = try database.statement(
      "SELECT coalesce(max(key), 0) FROM series_images WHERE step = ?1")
    row.bind(1, step)
    defer { row.reset() }
    return try row.step() ? row.integer(0) : 0
  }

  func image(_ key: Int64) throws(StoreError) -> Image? {
    let row = try database.statement(UndoRows.selectImages, "WHERE key = ?1")
    row.bind(1, key)
    return try images(row).first
  }

  private static let selectImages: StaticString =
    "SELECT key, calendar, uid, revision, content, alarms_through, place FROM series_images"

  private func images(_ row: Statement) throws(StoreError) -> [Image] {
    defer { row.reset() }
    var images: [Image] = []
    while try row.step() {
      images.append(
        Image(
          key: row.integer(0),
          name: SeriesName(calendar: CalendarID(row.text(1)), uid: EventUID(row.text(2))),
          revision: UInt64(max(0, row.integer(3))), content: UInt64(max(0, row.integer(4))),
          alarmsThrough: row.optionalInteger(5).map(Timestamp.init(seconds:)),
          place: row.optionalInteger(6)))
    }
    return images
  }

  /// Forgets the images of a step that has removed nothing, up to a key.
  func forget(changes step: Int64, through image: Int64) throws(StoreError) {
    let row = try database.statement(
      "DELETE FROM series_images WHERE step = ?1 AND removed_on IS NULL AND key <= ?2")
    row.bind(1, step)
    row.bind(2, image)
    try row.run()
  }

  /// Forgets an image.
  func forget(_ image: Int64) throws(StoreError) {
    let row = try database.statement("DELETE FROM series_images WHERE key = ?1")
    row.bind(1, image)
    try row.run()
  }

  /// Forgets the images of a step up to a key.
  func forget(_ step: Int64, through image: Int64) throws(StoreError) {
    let row = try database.statement("DELETE FROM series_images WHERE step = ?1 AND key <= ?2")
    row.bind(1, step)
    row.bind(2, image)
    try row.run()
  }
}
