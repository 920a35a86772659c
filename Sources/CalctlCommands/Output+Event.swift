import CalendarBus
import CivilTime
import DBus
import Recurrence
import Widgets

/// One event, and reminders.
extension Output {
  /// Prints everything about an event, a field a line, and its description below.
  func event(_ row: Row) throws(CommandError) {
    let title = displayLine(row.text(.summary))
    var text = [heading(title.isEmpty ? "(no title)" : title)]
    for (label, value) in try fields(of: row) where !value.isEmpty {
      text.append("  " + label.padding(to: 10) + "  " + displayLine(value))
    }
    let description = row.text(.description)
    if !description.isEmpty {
      text.append("")
      for line in description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        text.append(line.isEmpty ? "" : "  " + displayLine(String(line)))
      }
    }
    try lines(text)
  }

  /// The fields in the order in which they are printed; "" is left out.
  private func fields(of row: Row) throws(CommandError) -> [(label: String, value: String)] {
    let status = row.text(.status)
    return [
      ("when", try when(row)),
      ("zone", row.text(.timeZone) == (try zone()).name ? "" : row.text(.timeZone)),
      ("where", row.text(.location)),
      ("status", status == "confirmed" ? "" : status),
      ("url", row.text(.url)),
      ("join", row.text(.joinURL)),
      ("repeats", list(rules(row))),
      ("also on", list(row.texts(.rdate))),
      ("not on", list(row.texts(.exdate))),
      ("rings", list(row.texts(.reminders).map(ReminderWords.text))),
      ("tags", list(row.texts(.categories))),
      ("with", list(people(row))),
      ("calendar", row.text(.calendar)),
      ("id", EventReference(row).text),
    ]
  }

  private func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }

  /// Its rules in words: "every week on Monday". One that this calctl cannot read
  /// stands as it is.
  private func rules(_ row: Row) -> [String] {
    row.text(.rrule).split(whereSeparator: \.isNewline).map { line in
      (try? RecurrenceRule(text: line))?.inWords ?? String(line)
    }
  }

  /// Their names, or addresses where there is no name.
  private func people(_ row: Row) -> [String] {
    (row[.attendees]?.asArray ?? []).map(Row.init).map { person in
      person.text(.name).isEmpty ? person.text(.address) : person.text(.name)
    }
  }

  /// Prints reminders, one a line: the ID, what it is about and when that is, and
  /// when it went off or comes back.
  func reminders(_ rows: [Row]) throws(CommandError) {
    var text: [String] = []
    for row in rows {
      let due = try moment(Timestamp(seconds: row.number(.due)))
      let state = row.text(.state) == "snoozed" ? "snoozed until \(due)" : "since \(due)"
      let about = "\(displayLine(row.text(.summary))): \(try when(row))"
      text.append("\(displayLine(row.text(.id)))  \(about) (\(state))")
    }
    try lines(text)
  }
}
