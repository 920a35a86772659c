import CalendarModel
import CivilTime

/// Images: copies of events as they are on the other side of a step.
extension UndoRows {
  /// The row of an image, without its components.
  struct Image {
    let key: Int64
    let name: SeriesName
    /// The change that replaced this state.
    let revision: UInt64
    /// The change that wrote this content.
    let content: UInt64
    /// The instant through which its alarms were handled, if some were due and not taken.
    let alarmsThrough: Timestamp?
    /// The key that the series had; nil if unknown.
    let place: Int64?
  }

  /// Whether the series of an image recurs.
  func isRecurring(_ image: Image) throws(StoreError) -> Bool {
    let row = try database.statement(
      "SELECT 1 FROM component_images WHERE image = ?1 AND (rules <> '' OR added <> '') LIMIT 1")
    row.bind(1, image.key)
    defer { row.reset() }
    return try row.step()
  }

  /// Stores an image of a series, and returns its key and size in bytes.
  ///
  /// - Parameters:
  ///   - step: nil stores it for the trash only.
  ///   - revision: the change that replaces this state.
  ///   - alarmsThrough: see ``Image/alarmsThrough``.
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

  /// About the size of a component without its long texts, in bytes.
  static let componentOctets: Int64 = 600

  /// SQL for the size of the long texts in bytes; `length` of a TEXT would count characters.
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

  /// Returns the images of a step up to a key, in the order in which they were stored.
  func images(of step: Int64, through last: Int64) throws(StoreError) -> [Image] {
    let row = try database.statement(
      UndoRows.selectImages, "WHERE step = ?1 AND key <= ?2 ORDER BY key")
    row.bind(1, step)
    row.bind(2, last)
    return try images(row)
  }

  /// Returns some images of a step that removed nothing, in the order in which they were stored.
  ///
  /// - Parameters:
  ///   - last: the key after which to begin.
  ///   - limit: the most that are returned.
  /// - Complexity: one step in an index for each.
  func images(
    ofChanges step: Int64, after last: Int64 = 0, limit: Int
  ) throws(StoreError) -> [Image] {
    // The index has the keys in order for each value of removed_on.
    let row = try database.statement(
      UndoRows.selectImages,
      "WHERE step = ?1 AND removed_on IS NULL AND key > ?2 ORDER BY key LIMIT ?3")
    row.bind(1, step)
    row.bind(2, last)
    row.bind(3, Int64(limit))
    return try images(row)
  }

  /// Returns the key of the last image of a step; 0 if it has none.
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

  /// Deletes the images of a step that removed nothing, up to a key.
  func forget(changes step: Int64, through image: Int64) throws(StoreError) {
    let row = try database.statement(
      "DELETE FROM series_images WHERE step = ?1 AND removed_on IS NULL AND key <= ?2")
    row.bind(1, step)
    row.bind(2, image)
    try row.run()
  }

  /// Deletes an image.
  func forget(_ image: Int64) throws(StoreError) {
    let row = try database.statement("DELETE FROM series_images WHERE key = ?1")
    row.bind(1, image)
    try row.run()
  }

  /// Deletes the images of a step up to a key.
  func forget(_ step: Int64, through image: Int64) throws(StoreError) {
    let row = try database.statement("DELETE FROM series_images WHERE step = ?1 AND key <= ?2")
    row.bind(1, step)
    row.bind(2, image)
    try row.run()
  }
}
