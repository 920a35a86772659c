import CalendarModel
import CivilTime

/// The calendars, cached in memory: there are few, and every query needs them.
final class CalendarRows {
  private let database: Database
  /// In display order.
  private(set) var all: [Row] = [] {
    didSet {
      infos = all.map(\.info)
      (placesByID, placesByKey) = ([:], [:])
      for (place, row) in all.enumerated() {
        placesByID[row.info.id] = place
        placesByKey[row.key] = place
      }
    }
  }
  /// The ``CalendarInfo`` of ``all``, since most queries need the whole list.
  private(set) var infos: [CalendarInfo] = []
  /// Indexes into ``all``: there may be a thousand calendars, and every event looks one up.
  private var placesByID: [CalendarID: Int] = [:]
  private var placesByKey: [Int64: Int] = [:]
  /// Calendars that a batched change has added so far, still hidden from everybody else.
  private(set) var staged: [Row] = []

  struct Row {
    let key: Int64
    let info: CalendarInfo
    /// The alarms that its events without alarms get.
    let defaults: DefaultAlarms
  }

  init(_ database: Database) throws(StoreError) {
    self.database = database
    try reload()
  }

  subscript(id: CalendarID) -> Row? { placesByID[id].map { all[$0] } }

  subscript(key key: Int64) -> Row? { placesByKey[key].map { all[$0] } }

  /// Returns the position of a calendar in ``all``, -1 for the default one; nil if there is none.
  func rank(ofKey key: Int64) -> Int? {
    placesByKey[key].map { all[$0].info.isDefault ? -1 : $0 }
  }

  /// Returns a calendar, which may be a staged one.
  func owner(_ id: CalendarID) -> Row? { self[id] ?? staged.first { $0.info.id == id } }

  /// Inserts a calendar that stays hidden from others until the change is finished.
  func stage(_ calendar: CalendarInfo) throws(StoreError) {
    let row = try database.statement(
      composed: """
        INSERT INTO calendars (\(CalendarRows.columns))
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        """)
    CalendarRows.bind(calendar, to: row)
    try row.run()
    staged.append(Row(key: database.lastKey, info: calendar, defaults: DefaultAlarms(calendar)))
  }

  /// Runs `body` with the staged calendars visible.
  func showingStaged<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    guard !staged.isEmpty else { return try body() }
    let shown = all
    all += staged
    defer { all = shown }
    return try body()
  }

  /// Sets the staged calendars: none when a change is over.
  func setStaged(_ rows: [Row]) {
    staged = rows
  }

  /// Stages the calendars that an interrupted change left behind.
  ///
  /// - Parameter key: the last calendar that existed before that change.
  func stage(after key: Int64) {
    staged = all.filter { $0.key > key }
    all.removeAll { $0.key > key }
  }

  /// Returns a calendar's id without copying its row, since every event that is read needs it.
  func id(ofKey key: Int64) -> CalendarID? {
    placesByKey[key].map { all[$0].info.id }
  }

  /// The default calendar first, then the others in display order.
  var defaultFirst: [Row] {
    all.filter(\.info.isDefault) + all.filter { !$0.info.isDefault }
  }

  /// The columns that ``info(_:from:)`` reads and ``bind(_:to:)`` binds, in this order.
  private static let columns = """
    id, name, color, is_visible, is_read_only, is_default, source, time_zone, place,
    timed_reminders, all_day_reminders, properties, late_telling
    """

  /// Reads all rows again after a change.
  func reload() throws(StoreError) {
    let row = try database.statement(
      composed: "SELECT key, \(CalendarRows.columns) FROM calendars ORDER BY place, id")
    defer { row.reset() }
    var rows: [Row] = []
    let hidden = Set(staged.map(\.key))
    while try row.step() {
      if hidden.contains(row.integer(0)) { continue }
      let info = try info(row, from: 1)
      rows.append(Row(key: row.integer(0), info: info, defaults: DefaultAlarms(info)))
    }
    all = rows
  }

  /// Restores the rows from before a change that was rolled back.
  func rolledBack(to rows: [Row]) {
    all = rows
  }

  private func info(_ row: Statement, from first: Int32) throws(StoreError) -> CalendarInfo {
    do {
      var info = CalendarInfo(
        id: CalendarID(row.text(first)), name: row.text(first + 1),
        color: EventColor(number: row.integer(first + 2)), isVisible: row.bool(first + 3),
        isReadOnly: row.bool(first + 4), isDefault: row.bool(first + 5),
        source: row.text(first + 6), timeZone: row.optionalText(first + 7),
        order: Int(row.integer(first + 8)),
        timedReminders: try CalendarRows.durations(row.bytes(first + 9)),
        allDayReminders: try CalendarRows.durations(row.bytes(first + 10)),
        missedReminderPolicy: try CalendarRows.missedReminderPolicy(row.text(first + 12)))
      info.properties = try CalendarRows.texts(row.bytes(first + 11))
      return info
    } catch {
      throw database.damaged("\(error.what) of the calendar \(row.text(first))")
    }
  }

  // MARK: Writing

  /// Inserts or updates a calendar, inside the caller's transaction.
  ///
  /// Exactly one calendar is the default afterwards: this one if it is marked so, or if no other
  /// is.
  func put(_ calendar: CalendarInfo) throws(StoreError) {
    var written = calendar
    if calendar.isDefault {
      try database.statement("UPDATE calendars SET is_default = 0").run()
    } else {
      written.isDefault = !all.contains { $0.info.isDefault && $0.info.id != calendar.id }
    }
    let row = try database.statement(
      composed: """
        INSERT INTO calendars (\(CalendarRows.columns))
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        ON CONFLICT (id) DO UPDATE SET name = ?2, color = ?3, is_visible = ?4, is_read_only = ?5,
          is_default = ?6, source = ?7, time_zone = ?8, place = ?9, timed_reminders = ?10,
          all_day_reminders = ?11, properties = ?12, late_telling = ?13
        """)
    CalendarRows.bind(written, to: row)
    try row.run()
    try reload()
  }

  /// Removes a calendar that has no events.
  ///
  /// If it was the default, the first writable one becomes the default, or the first of all if none
  /// is writable.
  func remove(_ calendar: Row) throws(StoreError) {
    let row = try database.statement("DELETE FROM calendars WHERE key = ?1")
    row.bind(1, calendar.key)
    try row.run()
    try reload()
    guard calendar.info.isDefault,
      var next = all.first(where: { !$0.info.isReadOnly })?.info ?? all.first?.info
    else { return }
    next.isDefault = true
    try put(next)
  }

  private static func bind(_ calendar: CalendarInfo, to row: Statement) {
    row.bind(1, calendar.id.text)
    row.bind(2, calendar.name)
    row.bind(3, calendar.color.number)
    row.bind(4, calendar.isVisible)
    row.bind(5, calendar.isReadOnly)
    row.bind(6, calendar.isDefault)
    row.bind(7, calendar.source)
    row.bind(8, calendar.timeZone)
    row.bind(9, Int64(calendar.order))
    row.bind(10, text(calendar.timedReminders))
    row.bind(11, text(calendar.allDayReminders))
    row.bind(12, text(calendar.properties))
    row.bind(13, text(calendar.missedReminderPolicy))
  }

  // MARK: Images

  /// A calendar as it was before a step (or after it, once the step is undone).
  enum Image {
    case present(CalendarInfo)
    case absent(CalendarID)
  }

  /// Stores how a calendar was before a step.
  ///
  /// - Parameters:
  ///   - old: nil if the step added the calendar.
  ///   - new: nil if the step removed it.
  func keepImage(
    of old: CalendarInfo?, now new: CalendarInfo?, step: Int64
  ) throws(StoreError) {
    guard let info = old ?? new else { return }
    let row = try database.statement(
      composed: """
        INSERT INTO calendar_images (\(CalendarRows.columns), step, is_present)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
        """)
    CalendarRows.bind(info, to: row)
    row.bind(14, step)
    row.bind(15, old != nil)
    try row.run()
  }

  /// Returns the images of a step, and deletes them.
  func takeImages(of step: Int64) throws(StoreError) -> [Image] {
    let images = try images(of: step)
    let row = try database.statement("DELETE FROM calendar_images WHERE step = ?1")
    row.bind(1, step)
    try row.run()
    return images
  }

  /// Returns the images of a step, in the order in which they were stored.
  func images(of step: Int64) throws(StoreError) -> [Image] {
    let row = try database.statement(
      composed: """
        SELECT is_present, \(CalendarRows.columns) FROM calendar_images WHERE step = ?1
        ORDER BY key
        """)
    row.bind(1, step)
    defer { row.reset() }
    var images: [Image] = []
    while try row.step() {
      let info = try info(row, from: 1)
      images.append(row.bool(0) ? .present(info) : .absent(info.id))
    }
    return images
  }

  // MARK: Text

  private static func text(_ durations: [CalendarDuration]) -> String {
    text(durations.map(\.description))
  }

  private static func text(_ texts: [String]) -> String {
    var packed = PackedText()
    for text in texts { packed.append(text) }
    return String(decoding: packed.bytes, as: UTF8.self)
  }

  private static func texts(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow) -> [String] {
    var texts: [String] = []
    var reader = PackedReader(text)
    while !reader.isAtEnd { texts.append(try reader.nextText()) }
    return texts
  }

  private static func text(_ telling: MissedReminderPolicy) -> String {
    switch telling {
    case .usual: ""
    case .always: "always"
    case .within(let length): length.description
    }
  }

  private static func missedReminderPolicy(_ text: String) throws(MalformedRow) -> MissedReminderPolicy {
    switch text {
    case "": return .usual
    case "always": return .always
    default:
      guard let length = try? CalendarDuration(text: text) else {
        throw MalformedRow("how late reminders are told")
      }
      return .within(length)
    }
  }

  private static func durations(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow)
    -> [CalendarDuration]
  {
    var durations: [CalendarDuration] = []
    var reader = PackedReader(text)
    while !reader.isAtEnd { durations.append(try EventEndText.readDuration(try reader.next())) }
    return durations
  }
}
