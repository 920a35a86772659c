import CalendarBus
import CivilTime
import Widgets

extension Output {
  /// Prints to-dos, one a line: when each is due, its mark and what it is.
  ///
  ///     Mon 23 Nov 2026, 17:00   ! Pay the rent  (50 %)
  ///     Tue 24 Nov 2026            Water the plants
  ///     no due date                Read a book
  ///     Fri 20 Nov 2026          x Call the dentist
  func toDos(_ rows: [Row], showsIDs: Bool = false) throws(CommandError) {
    let zone = try zone()
    let dues = rows.map { due(of: $0, zone: zone) }
    let width = dues.reduce(0) { max($0, $1.count) }
    try lines(
      zip(rows, dues).flatMap { row, due in
        ["\(due.padding(to: width))  \(mark(of: row)) \(text(of: row, zone: zone))"]
          + (showsIDs ? ["  " + EventReference(row.text(.uid)).text] : [])
      })
  }

  /// Prints all that is known of what is no event, a field a line.
  ///
  /// - Parameter calendar: its calendar, as Calendars.List has it; nil where that is gone.
  func other(_ found: EventLookup.Found, in calendar: Row?) throws(CommandError) {
    let row = found.event
    guard found.kind != .toDo else { return try toDo(row, in: calendar) }
    let fields: [(label: String, value: String)] = [
      ("kind", found.kindName),
      ("when", row[.start] == nil ? "" : try begin(of: row, zone())),
      ("where", row.text(.location)), ("url", row.text(.url)),
      ("tags", row.texts(.categories).joined(separator: ", ")),
      ("calendar", Output.name(of: calendar, row.text(.calendar))), ("id", row.text(.uid)),
    ]
    try fieldLines(of: row, fields)
  }

  /// Prints all that is known of a to-do, a field a line.
  private func toDo(_ row: Row, in calendar: Row?) throws(CommandError) {
    let zone = try zone()
    let (priority, percent) = (row.number(.priority), row.number(.percent))
    let isDone = row[.completed] != nil
    let fields: [(label: String, value: String)] = [
      ("kind", row.flag(.recurring) ? "to-do, which repeats" : "to-do"),
      ("due", due(of: row, zone: zone)),
      ("begin", row[.start] == nil ? "" : try begin(of: row, zone)),
      ("repeats", try repeats(row)),
      ("status", row.text(.status)),
      ("done", isDone ? try moment(Timestamp(seconds: row.number(.completed))) : ""),
      ("progress", percent > 0 ? "\(percent) %" : ""),
      ("priority", priority > 0 ? "\(priority) (1 is the highest, 9 the lowest)" : ""),
      ("rings", isDone ? "" : try rings(row)),
      ("part of", row.text(.parent)),
      ("where", row.text(.location)), ("url", row.text(.url)),
      ("tags", row.texts(.categories).joined(separator: ", ")),
      ("calendar", Output.name(of: calendar, row.text(.calendar))), ("id", row.text(.uid)),
    ]
    try fieldLines(of: row, fields)
  }

  /// Prints that what is no event is gone.
  func removed(other found: EventLookup.Found) throws(CommandError) {
    let row = found.event
    let title = displayLine(row.text(.summary))
    guard found.kind == .toDo else {
      return try line("Removed the \(found.kindName) \(title.isEmpty ? "(no title)" : title)")
    }
    let due = due(of: row, zone: try zone())
    try line(
      "Removed the to-do \(title.isEmpty ? "(no title)" : title): "
        + (row[.due] == nil ? due : "due \(due)"))
  }

  /// When a to-do rings: its end is when it is due, or else when it begins. Without either nothing rings that counts
  /// from a date.
  private func rings(_ row: Row) throws(CommandError) -> String {
    let (hasDue, hasStart) = (row[.due] != nil, row[.start] != nil)
    let end = !hasDue && hasStart ? "it begins" : "it is due"
    return try rings(row, in: nil) { reminder, words in
      let counts = reminder != "none" && (try? Timestamp(text: reminder)) == nil
      return words.replacing("at the end", with: "when \(end)").replacing("the end", with: end)
        + (counts && !hasDue && !hasStart ? " (no date is known: does not ring)" : "")
    }
  }

  private func begin(of row: Row, _ zone: ZoneRules) throws(CommandError) -> String {
    if row.flag(.allDay), let day = try? CivilDate(text: row.text(.startText)) {
      return TimeText.shortDate(day)
    }
    return try moment(Timestamp(seconds: row.number(.start)))
  }

  /// "Mon 23 Nov 2026, 17:00", without the time for a day.
  private func due(of row: Row, zone: ZoneRules) -> String {
    guard row[.due] != nil else { return "no due date" }
    if row.flag(.allDay), let day = try? CivilDate(text: row.text(.dueText)) {
      return TimeText.shortDate(day)
    }
    let reading = zone.reading(at: Timestamp(seconds: row.number(.due)))
    return "\(TimeText.shortDate(reading.date)), \(reading.time.hourAndMinute)"
  }

  /// x for one that is done, - for one that was cancelled, ! for one of high
  /// priority.
  ///
  /// Source: RFC 5545 section 3.8.1.9: 1 to 4 are high.
  private func mark(of row: Row) -> String {
    switch row.text(.status) {
    case "completed": "x"
    case "cancelled": "-"
    default: (1...4).contains(row.number(.priority)) ? "!" : " "
    }
  }

  private func text(of row: Row, zone: ZoneRules) -> String {
    let summary = displayLine(row.text(.summary))
    var text = summary.isEmpty ? "(no title)" : summary
    let percent = row.number(.percent)
    if row.text(.status) == "completed" {
      if row[.completed] != nil {
        let day = zone.reading(at: Timestamp(seconds: row.number(.completed))).date
        text += "  (done \(TimeText.shortDate(day)))"
      }
    } else if percent > 0 {
      text += "  (\(percent) %)"
    }
    return text
  }
}
