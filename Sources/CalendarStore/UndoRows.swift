import CalendarModel
import CivilTime

/// What a step did; the word on the bus.
package enum UndoAction: String, Hashable, Sendable, CaseIterable {
  case add, update, remove, move, `import`, restore
  case calendarAdd = "calendar-add"
  case calendarUpdate = "calendar-update"
  case calendarRemove = "calendar-remove"
}

/// The steps that can be taken back and done again, with the images of what was
/// there on their other side.
///
/// A step is a revision of the change log, which has the names of the events
/// that it touched. An event that it changed or removed has an image, which is a
/// copy of its rows; one that it added needs none. So an import of a hundred
/// thousand new events keeps nothing more than its names. Taking a step back turns
/// it round: the images come in place of what is there, which becomes its image.
final class UndoRows {
  /// How many steps are kept; the oldest go first.
  static let keptSteps = 200

  let database: Database
  let log: ChangeLog
  let passedTime: PassedTime
  /// What a component is copied by.
  let columns: String
  private let copying: String
  /// Whether there is a step to take back, and one to do again.
  private(set) var canUndo = false
  private(set) var canRedo = false
  /// Whether ``sweep(_:)`` may find something; not known when the database is opened.
  private(set) var hasGarbage = true
  /// The same, as the change that is under way leaves it.
  private var next = (undo: false, redo: false)
  var nextGarbage = true
  /// Whether what the trash takes up was counted, and it is being brought down.
  var isTrashCounted = false
  /// How far it is counted, where that is under way.
  var trashCount: TrashCount?

  /// A change of the user's.
  struct Step {
    let key: Int64
    let action: UndoAction
    let time: Timestamp
    /// Of the change, or of the one that took it back.
    let revision: UInt64
    let isUndone: Bool
    /// What it keeps takes up so much, about.
    let octets: Int64
    /// Whether the last try to turn it met a conflict.
    let isRefused: Bool
  }

  init(_ database: Database, log: ChangeLog) throws(StoreError) {
    self.database = database
    self.log = log
    passedTime = PassedTime(database: database)
    // The tables say it themselves, so that a new column needs no third list.
    let row = try database.statement(
      """
      SELECT group_concat(name, ', ') FROM pragma_table_info('components')
      WHERE name NOT IN ('key', 'series')
      """)
    columns = try row.step() ? row.text(0) : ""
    row.reset()
    copying = """
      INSERT INTO components (series, \(columns))
      SELECT ?1, \(columns) FROM component_images WHERE image = ?2 ORDER BY key
      """
    try lookAhead()
    committed()
  }

  // MARK: Steps

  private static let select: StaticString = """
    SELECT key, action, at, revision, is_undone, octets, is_refused FROM undo_steps
    WHERE is_dropped = 0
    """

  /// Returns the steps that come next, one after the other: the last one made first,
  /// or, to do again, the last one that was taken back.
  func upcoming(redo: Bool) throws(StoreError) -> [Step] {
    try steps(
      redo
        ? database.statement(UndoRows.select, "AND is_undone = 1 ORDER BY revision DESC")
        : database.statement(UndoRows.select, "AND is_undone = 0 ORDER BY revision DESC"))
  }

  /// Returns the latest steps, the newest first.
  func steps(limit: Int) throws(StoreError) -> [Step] {
    let row = try database.statement(UndoRows.select, "ORDER BY key DESC LIMIT ?1")
    row.bind(1, Int64(limit))
    return try steps(row)
  }

  /// Returns the step of this key.
  func step(_ key: Int64) throws(StoreError) -> Step? {
    let row = try database.statement(UndoRows.select, "AND key = ?1")
    row.bind(1, key)
    return try steps(row).first
  }

  private func steps(_ row: Statement) throws(StoreError) -> [Step] {
    defer { row.reset() }
    var steps: [Step] = []
    while try row.step() {
      // A word of a later version must not keep the whole database shut.
      let action = UndoAction(rawValue: row.text(1)) ?? .update
      steps.append(
        Step(
          key: row.integer(0), action: action, time: Timestamp(seconds: row.integer(2)),
          revision: UInt64(max(0, row.integer(3))), isUndone: row.bool(4),
          octets: row.integer(5), isRefused: row.bool(6)))
    }
    return steps
  }

  /// Begins a step and returns its key. What was taken back cannot be done again
  /// from now on.
  func begin(revision: UInt64, at now: Timestamp) throws(StoreError) -> Int64 {
    try dropUndone()
    return try insert(revision: revision, at: now, dropped: 0)
  }

  private func dropUndone() throws(StoreError) {
    try drop(
      database.statement(
        "UPDATE undo_steps SET is_dropped = 1 WHERE is_undone = 1 AND is_dropped = 0"))
  }

  private func insert(
    revision: UInt64, at now: Timestamp, dropped: Int64
  ) throws(StoreError) -> Int64 {
    let row = try database.statement(
      """
      INSERT INTO undo_steps (action, at, revision, is_undone, is_dropped)
      VALUES ('update', ?1, ?2, 0, ?3)
      """)
    row.bind(1, now.seconds)
    row.bind(2, Int64(revision))
    row.bind(3, dropped)
    try row.run()
    return database.lastKey
  }

  // MARK: A step that is made in parts

  /// What `is_dropped` says of one.
  private static let unfinished: Int64 = 2
  /// What it says of one that holds what waits for its part.
  private static let waiting: Int64 = 3

  /// Begins a step that is made in parts, and returns its key. Nobody comes upon it before
  /// ``show(_:)``, and what was taken back can be done again as long as that has not come.
  func beginParts(revision: UInt64, at now: Timestamp) throws(StoreError) -> Int64 {
    try insert(revision: revision, at: now, dropped: UndoRows.unfinished)
  }

  /// Lets a step that was made in parts be seen, with the last of them.
  func show(_ step: Int64) throws(StoreError) {
    try dropUndone()
    let row = try database.statement("UPDATE undo_steps SET is_dropped = 0 WHERE key = ?1")
    row.bind(1, step)
    try row.run()
  }

  /// Returns the step of which the last part has not come, and when it was begun; nil where
  /// there is none.
  func unfinishedStep() throws(StoreError) -> (key: Int64, time: Timestamp)? {
    let row = try database.statement("SELECT key, at FROM undo_steps WHERE is_dropped = ?1")
    row.bind(1, UndoRows.unfinished)
    defer { row.reset() }
    return try row.step() ? (row.integer(0), Timestamp(seconds: row.integer(1))) : nil
  }

  /// Begins what holds series that wait for their part, and returns its key. Many of them would take up much memory.
  func beginWaiting(at now: Timestamp) throws(StoreError) -> Int64 {
    try insert(revision: 0, at: now, dropped: UndoRows.waiting)
  }

  /// Keeps a series until its part comes.
  func keepWaiting(_ series: EventSeries, step: Int64) throws(StoreError) {
    let row = try database.statement(
      "INSERT INTO series_images (step, calendar, uid) VALUES (?1, ?2, ?3)")
    row.bind(1, step)
    row.bind(2, series.calendar.text)
    row.bind(3, series.uid.text)
    try row.run()
    let image = database.lastKey
    let component = try database.statement(ComponentRow.insertImage, ComponentRow.values)
    for values in ComponentRow.values(of: series) {
      component.bind(1, image)
      try values.run(component)
    }
  }

  /// Lets go of what waits, which is cleared away bit by bit.
  func dropWaiting() throws(StoreError) {
    let row = try database.statement(
      "UPDATE undo_steps SET is_dropped = 1 WHERE is_dropped = ?1")
    row.bind(1, UndoRows.waiting)
    try drop(row)
  }

  /// Forgets a step that keeps nothing any more.
  func delete(_ step: Int64) throws(StoreError) {
    let row = try database.statement("DELETE FROM undo_steps WHERE key = ?1")
    row.bind(1, step)
    try row.run()
  }

  /// Ends a step that was begun, and lets go of those that are too many.
  ///
  /// - Parameter octets: what it keeps takes up so much.
  func end(_ step: Int64, action: UndoAction, octets: Int64) throws(StoreError) {
    let row = try database.statement(
      "UPDATE undo_steps SET action = ?2, octets = ?3 WHERE key = ?1")
    row.bind(1, step)
    row.bind(2, action.rawValue)
    row.bind(3, octets)
    try row.run()
    try bound(keeping: step, octets)
  }

  /// Notes that a step was taken back, or done again, by this revision.
  func turn(_ step: Step, revision: UInt64, octets: Int64) throws(StoreError) {
    let row = try database.statement(
      """
      UPDATE undo_steps SET revision = ?2, is_undone = ?3, octets = ?4, is_refused = 0
      WHERE key = ?1
      """)
    row.bind(1, step.key)
    row.bind(2, Int64(revision))
    row.bind(3, !step.isUndone)
    row.bind(4, octets)
    try row.run()
    if try log.release(step.revision) { nextGarbage = true }
    try bound(keeping: step.key, octets)
  }

  /// Notes that a step met a conflict, so that the next call passes over it.
  func refuse(_ step: Step) throws(StoreError) {
    let row = try database.statement("UPDATE undo_steps SET is_refused = 1 WHERE key = ?1")
    row.bind(1, step.key)
    try row.run()
  }

  /// Runs a statement that drops steps: they are over at once, and what they kept is
  /// cleared away bit by bit.
  func drop(_ dropping: Statement) throws(StoreError) {
    try dropping.run()
    if database.changedRows > 0 { nextGarbage = true }
  }

  /// Works out what can be taken back when the change that is under way is durable.
  func lookAhead() throws(StoreError) {
    next = (try hasStep(isUndone: false), try hasStep(isUndone: true))
  }

  private func hasStep(isUndone: Bool) throws(StoreError) -> Bool {
    let row = try database.statement(
      """
      SELECT 1 FROM undo_steps WHERE is_undone = ?1 AND is_dropped = 0 AND is_refused = 0 LIMIT 1
      """)
    row.bind(1, isUndone)
    defer { row.reset() }
    return try row.step()
  }

  /// To be called once it is.
  func committed() {
    (canUndo, canRedo) = next
    hasGarbage = nextGarbage
  }

  /// Forgets a change that was undone.
  func rolledBack() {
    nextGarbage = hasGarbage
    isTrashCounted = false
    trashCount = nil
  }

  /// What is known besides the tables.
  struct State {
    fileprivate let canUndo: Bool
    fileprivate let canRedo: Bool
    fileprivate let hasGarbage: Bool
  }

  var state: State { State(canUndo: canUndo, canRedo: canRedo, hasGarbage: hasGarbage) }

  /// Forgets changes that were undone after ``committed()``.
  func rolledBack(to state: State) {
    (canUndo, canRedo) = (state.canUndo, state.canRedo)
    next = (canUndo, canRedo)
    hasGarbage = state.hasGarbage
    nextGarbage = hasGarbage
    isTrashCounted = false
    trashCount = nil
  }

  // MARK: Images

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

  /// Gives a series that has none the components of an image.
  func copy(_ image: Int64, to series: Int64) throws(StoreError) {
    let row = try database.statement(composed: copying)
    row.bind(1, series)
    row.bind(2, image)
    try row.run()
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
