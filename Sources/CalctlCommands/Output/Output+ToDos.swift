import CalendarBus
import CivilTime
import Platform
import Widgets

extension Output {
  /// Prints to-dos, one for each line: the due date, a mark and the title; on a terminal after
  /// their numbers.
  ///
  ///     Mon 23 Nov 2026, 17:00   ! Pay the rent  (50 %)
  ///     Tue 24 Nov 2026            Water the plants
  ///     no due date                Read a book
  ///     Fri 20 Nov 2026          x Call the dentist
  ///
  /// - Throws: Errors of the agent and of the output.
  func toDos(_ rows: [Row], showsIDs: Bool = false) throws(CommandError) {
    let zone = try zone()
    let dues = rows.map { due(of: $0, zone: zone) }
    let width = dues.reduce(0) { max($0, $1.columns) }
    let numbers = numbers(
      rows.map { EventReference(calendar: $0.text(.calendar), uid: $0.text(.uid), occurrence: "") })
    try pages(
      zip(numbers, zip(rows, dues)).flatMap { number, entry in
        let (row, due) = entry
        let room = columns.map { $0 - number.count - width - 4 }
        let title = LineRoom.cut(
          title: text(of: row, zone: zone), remarks: "", place: "", to: room
        ).title
        return ["\(number)\(due.padding(to: width))  \(mark(of: row)) \(title)"]
          + (showsIDs ? ["  " + EventReference(row.text(.uid)).text] : [])
      })
  }

  /// Prints a to-do that was added: "Added Pay the rent: due Mon 7 Jan 2030, 17:00".
  ///
  /// - Throws: Errors of the agent and of the output.
  func addedToDo(_ row: Row) throws(CommandError) {
    let title = Output.title(row.text(.summary))
    let added =
      row[.due] == nil
      ? localized("Added the to-do {title}.", ["title": title])
      : localized(
        "Added the to-do {title}: due {when}",
        ["title": title, "when": due(of: row, zone: try zone())])
    try lines([added, "id \(EventReference(row.text(.uid)).text)"])
  }

  /// Prints a to-do that was changed: "Changed the to-do Pay the rent: due Mon 7 Jan 2030, 17:00".
  ///
  /// - Throws: Errors of the agent and of the output.
  func changedToDo(_ row: Row) throws(CommandError) {
    let title = Output.title(row.text(.summary))
    try line(
      row[.due] == nil
        ? localized("Changed the to-do {title}: no due date", ["title": title])
        : localized(
          "Changed the to-do {title}: due {when}",
          ["title": title, "when": due(of: row, zone: try zone())]))
  }

  /// Prints all fields of a to-do or other component, one for each line.
  ///
  /// - Parameter calendar: Its row of Calendars.List; nil if the calendar does not exist any more.
  /// - Throws: Errors of the agent and of the output.
  func other(_ found: EventLookup.Found, in calendar: Row?) throws(CommandError) {
    let row = found.event
    guard found.kind != .toDo else { return try toDo(row, in: calendar) }
    let fields: [(label: String, value: String)] = [
      (localized("kind"), found.kindName),
      (localized("when"), row[.start] == nil ? "" : try begin(of: row, zone())),
    ]
    try fieldLines(of: row, fields + lastFields(of: row, in: calendar))
  }

  /// Prints all fields of a to-do, one for each line.
  private func toDo(_ row: Row, in calendar: Row?) throws(CommandError) {
    let zone = try zone()
    let (priority, percent) = (row.number(.priority), row.number(.percent))
    let isDone = row[.completed] != nil
    let fields: [(label: String, value: String)] = [
      (
        localized("kind"),
        row.flag(.recurring) ? localized("to-do, which repeats") : localized("to-do")
      ),
      (localized("due"), due(of: row, zone: zone)),
      (localized("begin"), row[.start] == nil ? "" : try begin(of: row, zone)),
      (localized("repeats"), try repeats(row)),
      (localized("status"), BusWords.text(row.text(.status))),
      (localized("done"), isDone ? try moment(Timestamp(seconds: row.number(.completed))) : ""),
      (
        localized("progress"),
        percent > 0 ? localized("{percent} %", ["percent": Int(percent)]) : ""
      ),
      (
        localized("priority"),
        priority > 0
          ? localized(
            "{priority} (1 is the highest, 9 the lowest)", ["priority": "\(priority)"]) : ""
      ),
      (localized("reminders"), isDone ? "" : try reminders(ofToDo: row)),
      (localized("part of"), row.text(.parent)),
    ]
    try fieldLines(of: row, fields + lastFields(of: row, in: calendar))
  }

  private func lastFields(of row: Row, in calendar: Row?) -> [(label: String, value: String)] {
    [
      (localized("where"), row.text(.location)), (localized("url"), row.text(.url)),
      (localized("tags"), localizedList(row.texts(.categories))),
      (localized("calendar"), Output.name(of: calendar, row.text(.calendar))),
      (localized("id"), row.text(.uid)),
    ]
  }

  /// Prints that a to-do or other component was removed.
  ///
  /// - Throws: Errors of the agent and of the output.
  func removed(other found: EventLookup.Found) throws(CommandError) {
    let row = found.event
    let title = Output.title(row.text(.summary))
    guard found.kind == .toDo else {
      return try line(
        localized("Removed {title} ({kind})", ["title": title, "kind": found.kindName]))
    }
    try line(
      row[.due] == nil
        ? localized("Removed the to-do {title}: no due date", ["title": title])
        : localized(
          "Removed the to-do {title}: due {time}",
          ["title": title, "time": due(of: row, zone: try zone())]))
  }

  /// Returns the reminders of a to-do.
  ///
  /// Those relative to the end refer to its due date, else to its start. Without either date only
  /// absolute ones are shown.
  private func reminders(ofToDo row: Row) throws(CommandError) -> String {
    let (hasDue, hasStart) = (row[.due] != nil, row[.start] != nil)
    return try ownReminders(of: row) { reminder throws(CommandError) in
      let text =
        if let end = ReminderWords.text(reminder, ofToDoWithDueDate: hasDue || !hasStart) {
          end
        } else {
          try reminderText(reminder, of: row)
        }
      let isRelative = reminder != "none" && (try? Timestamp(text: reminder)) == nil
      return isRelative && !hasDue && !hasStart
        ? localized("{reminder} (not shown, since it has no date)", ["reminder": text]) : text
    }
  }

  private func begin(of row: Row, _ zone: ZoneRules) throws(CommandError) -> String {
    if row.flag(.allDay), let day = try? CivilDate(text: row.text(.startText)) {
      return TimeText.current.shortDate(day)
    }
    return try moment(Timestamp(seconds: row.number(.start)))
  }

  /// Returns "Mon 23 Nov 2026, 17:00", or only the day.
  func due(of row: Row, zone: ZoneRules) -> String {
    guard row[.due] != nil else { return localized("no due date") }
    if row.flag(.allDay), let day = try? CivilDate(text: row.text(.dueText)) {
      return TimeText.current.shortDate(day)
    }
    let reading = zone.reading(at: Timestamp(seconds: row.number(.due)))
    return TimeText.current.shortDate(reading)
  }

  /// Returns "x" for a completed to-do, "-" for a cancelled one, "!" for one of high priority.
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
    var text = Output.title(row.text(.summary))
    let percent = row.number(.percent)
    if row.text(.status) == "completed" {
      if row[.completed] != nil {
        let day = zone.reading(at: Timestamp(seconds: row.number(.completed))).date
        text += "  " + localized("done {day}", ["day": TimeText.current.shortDate(day)]).inBrackets
      }
    } else if percent > 0 {
      text += "  " + localized("{percent} %", ["percent": Int(percent)]).inBrackets
    }
    return text
  }
}
