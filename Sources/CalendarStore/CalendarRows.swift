import CalendarModel
import CivilTime

/// The calendars, read once and kept: there are few, and every answer needs
/// them.
final class CalendarRows {
  private let database: Database
  /// In the order of lists.
  private(set) var all: [Row] = []

  struct Row {
    let key: Int64
    let info: CalendarInfo
    /// What its events without alarms are given.
    let defaults: DefaultAlarms
  }

  init(_ database: Database) throws(StoreError) {
    self.database = database
    try reload()
  }

  subscript(id: CalendarID) -> Row? { all.first { $0.info.id == id } }

  subscript(key key: Int64) -> Row? { all.first { $0.key == key } }

  /// The default calendar first, then the others in order.
  var defaultFirst: [Row] {
    all.filter(\.info.isDefault) + all.filter { !$0.info.isDefault }
  }

  /// Reads the rows again, after a change or one that was rolled back.
  func reload() throws(StoreError) {
    let row = try database.statement(
      """
      SELECT key, id, name, color, is_visible, is_read_only, is_default, source, time_zone, place,
        timed_reminders, all_day_reminders
      FROM calendars ORDER BY place, key
      """)
    defer { row.reset() }
    var rows: [Row] = []
    while try row.step() {
      let info: CalendarInfo
      do {
        info = CalendarInfo(
          id: CalendarID(row.text(1)), name: row.text(2),
          color: EventColor(number: row.integer(3)), isVisible: row.bool(4),
          isReadOnly: row.bool(5), isDefault: row.bool(6), source: row.text(7),
          timeZone: row.optionalText(8), order: Int(row.integer(9)),
          timedReminders: try CalendarRows.durations(row.bytes(10)),
          allDayReminders: try CalendarRows.durations(row.bytes(11)))
      } catch {
        throw .corrupt(path: database.path, detail: "\(error.what) of the calendar \(row.text(1))")
      }
      rows.append(Row(key: row.integer(0), info: info, defaults: DefaultAlarms(info)))
    }
    all = rows
  }

  /// Inserts or updates one, inside the caller's transaction. Exactly one
  /// calendar is the default afterwards: this one if it says so, or if no other
  /// is.
  func put(_ calendar: CalendarInfo) throws(StoreError) {
    var isDefault = calendar.isDefault
    if isDefault {
      try database.statement("UPDATE calendars SET is_default = 0").run()
    } else {
      isDefault = !all.contains { $0.info.isDefault && $0.info.id != calendar.id }
    }
    let row = try database.statement(
      """
      INSERT INTO calendars (id, name, color, is_visible, is_read_only, is_default, source,
        time_zone, place, timed_reminders, all_day_reminders)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      ON CONFLICT (id) DO UPDATE SET name = ?2, color = ?3, is_visible = ?4, is_read_only = ?5,
        is_default = ?6, source = ?7, time_zone = ?8, place = ?9, timed_reminders = ?10,
        all_day_reminders = ?11
      """)
    row.bind(1, calendar.id.text)
    row.bind(2, calendar.name)
    row.bind(3, calendar.color.number)
    row.bind(4, calendar.isVisible)
    row.bind(5, calendar.isReadOnly)
    row.bind(6, isDefault)
    row.bind(7, calendar.source)
    row.bind(8, calendar.timeZone)
    row.bind(9, Int64(calendar.order))
    row.bind(10, CalendarRows.text(calendar.timedReminders))
    row.bind(11, CalendarRows.text(calendar.allDayReminders))
    try row.run()
    try reload()
  }

  private static func text(_ durations: [CalendarDuration]) -> String {
    var packed = PackedText()
    for duration in durations { packed.append(duration.description) }
    return String(decoding: packed.bytes, as: UTF8.self)
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
