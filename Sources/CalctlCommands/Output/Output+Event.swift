import CalendarBus
import CivilTime
import DBus
import Recurrence
import Widgets

/// One event, and reminders.
extension Output {
  /// Prints everything about an event, a field a line, and its description below.
  ///
  /// - Parameters:
  ///   - calendar: its calendar, as Calendars.List has it; nil where that is gone.
  ///   - others: where else there is an event of its ID, for people.
  ///   - zone: the one whose clock it goes by; nil for a floating event.
  func event(
    _ row: Row, in calendar: Row? = nil, others: [String] = [], zone: ZoneRules? = nil
  ) throws(CommandError) {
    let fields =
      try fields(of: row, in: calendar, zone) + [
        ("also in", list(others)), ("id", EventReference(row).text),
      ]
    try fieldLines(of: row, fields)
  }

  /// Prints the title of a row, the fields that say something, a line each, and the description.
  func fieldLines(
    of row: Row, _ fields: [(label: String, value: String)]
  ) throws(CommandError) {
    let title = displayLine(row.text(.summary))
    var text = [heading(title.isEmpty ? "(no title)" : title)]
    for (label, value) in fields where !value.isEmpty {
      text.append("  " + label.padding(to: 10) + "  " + displayLine(value))
    }
    try lines(text + description(of: row))
  }

  /// "Work (work)"; the id alone where the calendar is gone or called so.
  static func name(of calendar: Row?, _ id: String) -> String {
    let name = calendar?.text(.name) ?? ""
    return name.isEmpty || name == id ? id : "\(name) (\(id))"
  }

  /// The lines of a description, below an empty one; none without.
  func description(of row: Row) -> [String] {
    var text: [String] = []
    let description = row.text(.description)
    if !description.isEmpty {
      text.append("")
      for line in description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        text.append(line.isEmpty ? "" : "  " + displayLine(String(line)))
      }
    }
    return text
  }

  /// The fields in the order in which they are printed; "" is left out.
  private func fields(
    of row: Row, in calendar: Row?, _ eventZone: ZoneRules?
  ) throws(CommandError) -> [(label: String, value: String)] {
    let status = row.text(.status)
    // What is declined takes up no time, and rings as little as what is cancelled.
    let (isDeclined, isCancelled) = (row.flag(.declined), status == "cancelled")
    return [
      ("when", try when(row)),
      ("zone", try elsewhere(row)),
      ("where", row.text(.location)),
      (
        "status",
        list((status == "confirmed" ? [] : [status]) + (isDeclined ? ["declined"] : []))
      ),
      ("url", row.text(.url)),
      ("join", row.text(.joinURL)),
      ("repeats", try repeats(row)),
      ("also on", list(try dates(.rdate, of: row, eventZone).map(\.words))),
      (
        "not on",
        list(
          try dates(.exdate, of: row, eventZone).map {
            "\($0.words) (\(RemovedOccurrence.name(of: $0.text, eventZone)))"
          })
      ),
      (
        "changed",
        row.flag(.appliesToFuture)
          ? "with the following ones (RANGE=THISANDFUTURE)" : try exceptions(of: row)
      ),
      ("rings", isCancelled || isDeclined ? "" : try rings(row, in: calendar)),
      ("shows as", row.flag(.busy) && !isCancelled && !isDeclined ? "busy" : "free"),
      ("class", row.text(.classification) == "public" ? "" : row.text(.classification)),
      ("tags", list(row.texts(.categories))),
      ("by", row[.organizer].map { person(Row($0)) } ?? ""),
      ("with", list(people(row))),
      ("calendar", Output.name(of: calendar, row.text(.calendar))),
    ]
  }

  /// So many changed occurrences are named.
  private static let namedExceptions = 5

  /// What has become of single occurrences ahead: "Fri 4 Dec 2026, 09:00 (20261204T090000Z) is cancelled; and
  /// 12 more".
  private func exceptions(of row: Row) throws(CommandError) -> String {
    let rows = (row[.exceptions]?.asArray ?? []).map(Row.init)
    var words: [String] = []
    for one in rows.prefix(Output.namedExceptions) {
      let id = one.text(.recurrenceID)
      guard let place = try when(ofOccurrence: id) else { continue }
      let now = try when(one)
      let what =
        if one.text(.status) == "cancelled" {
          "is cancelled"
        } else if now.hasPrefix(place) {
          "has changes of its own"
        } else {
          "is now \(now)"
        }
      let range = one.flag(.appliesToFuture) ? ", and the following ones with it" : ""
      words.append("\(place) (\(id)) \(what)\(range)")
    }
    let rest = row.number(.exceptionCount) - Int64(words.count)
    return (words + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "; ")
  }

  /// The dates under a key: a day, or "Wed 2 Dec 2026, 09:30" on the clock on which all else is.
  ///
  /// - Parameter eventZone: the one on whose clock the readings among them are; nil for a floating event.
  private func dates(
    _ key: RowKey, of row: Row, _ eventZone: ZoneRules?
  ) throws(CommandError) -> [(text: String, words: String)] {
    let zone = try zone()
    return row.texts(key).map { text in
      if let day = try? CivilDate(text: text) { return (text, TimeText.shortDate(day)) }
      let written = try? CivilDateTime(text: text)
      let instant =
        text.hasSuffix("Z")
        ? try? Timestamp(text: text) : written.flatMap { eventZone?.instant(of: $0) }
      guard let reading = instant.map(zone.reading) ?? written else { return (text, text) }
      return (text, "\(TimeText.shortDate(reading.date)), \(reading.time.hourAndMinute)")
    }
  }

  /// By which reminders it rings: "15 min before", and of an event that has none of its own
  /// "15 min before (default of Work)".
  ///
  /// - Parameter remark: returns the words for one that are printed, of the reminder as the bus has it and its words.
  func rings(
    _ row: Row, in calendar: Row?,
    remark: (_ reminder: String, _ words: String) -> String = { $1 }
  ) throws(CommandError) -> String {
    let (own, repeats) = (row.texts(.reminders), row.texts(.reminderRepeats))
    var words: [String] = []
    for (index, reminder) in own.enumerated() {
      let again = repeats.indices.contains(index) ? ReminderWords.again(repeats[index]) : ""
      // One that is off is what is to be said where there is no other.
      if reminder == "none", own.contains(where: { $0 != "none" }) { continue }
      words.append(remark(reminder, try reminderText(reminder, of: row) + again))
    }
    if !words.isEmpty { return list(words) }
    guard let calendar else { return "" }
    let defaults = ReminderWords.defaults(of: calendar, allDay: row.flag(.allDay))
    return defaults.isEmpty ? "" : "\(list(defaults)) (default of \(calendar.text(.name)))"
  }

  /// When a reminder of an event or a to-do rings, in words; one at a moment of its own on the clock on which all
  /// else is.
  func reminderText(_ reminder: String, of row: Row) throws(CommandError) -> String {
    if let instant = try? Timestamp(text: reminder) { return try moment(instant, beside: row) }
    return row.flag(.allDay) ? ReminderWords.allDayText(reminder) : ReminderWords.text(reminder)
  }

  private func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }

  /// Its rules in words: "every day", and with what an EXRULE takes away of it "every day, but not every Friday
  /// (EXRULE)".
  func repeats(_ row: Row) throws(CommandError) -> String {
    let (rules, exceptions) = (list(try rules(.rrule, of: row)), list(try rules(.exrule, of: row)))
    if exceptions.isEmpty { return rules }
    // Without rules and dates there is but the start, which no EXRULE takes away.
    guard !rules.isEmpty || !row.texts(.rdate).isEmpty else {
      return "no; its EXRULE (\(exceptions)) has nothing to take away"
    }
    return (rules.isEmpty ? "" : rules + ", but ") + "not \(exceptions) (EXRULE)"
  }

  /// Rules in words: "every week on Monday". One that this calctl cannot read stands as it is.
  private func rules(_ key: RowKey, of row: Row) throws(CommandError) -> [String] {
    let zone = try zone()
    return row.text(key).split(whereSeparator: \.isNewline).map { line in
      guard var rule = try? RecurrenceRule(text: line) else { return String(line) }
      // An end in UTC is said on the clock on which all else is; what counts is its minute.
      guard case .instant(let until)? = rule.until else { return rule.inWords }
      rule.until = nil
      let reading = zone.reading(at: until)
      return
        "\(rule.inWords), until \(TimeText.shortDate(reading.date)), \(reading.time.hourAndMinute)"
    }
  }

  /// Where the event is on another clock: the zone, and when it is there:
  /// "America/New_York, there Mon 23 Nov 2026, 09:00 – 10:00".
  private func elsewhere(_ row: Row) throws(CommandError) -> String {
    let (name, own) = (row.text(.timeZone), try zone())
    if name.isEmpty || name == own.name { return "" }
    guard
      let (start, startOffset) = OffsetTime.parts(row.text(.startText)),
      let (end, endOffset) = OffsetTime.parts(row.text(.endText))
    else { return name }
    let isSame =
      own.offset(at: Timestamp(seconds: row.number(.start))).description == startOffset
      && own.offset(at: Timestamp(seconds: row.number(.end))).description == endOffset
    if isSame { return name }
    let first = "\(name), there \(TimeText.shortDate(start.date)), \(start.time.hourAndMinute)"
    if row.number(.start) == row.number(.end) { return first }
    let until =
      end.date == start.date
      ? end.time.hourAndMinute : "\(TimeText.shortDate(end.date)), \(end.time.hourAndMinute)"
    return "\(first) – \(until)"
  }

  private func people(_ row: Row) -> [String] {
    (row[.attendees]?.asArray ?? []).map(Row.init).map(person)
  }

  /// The name, or the address where there is no name, and what they have answered: "Bob (accepted)".
  private func person(_ row: Row) -> String {
    let name = row.text(.name)
    let answer = row.text(.participation)
    return (name.isEmpty ? address(row.text(.address)) : name)
      + (answer.isEmpty || answer == "needs-action" ? "" : " (\(answer))")
  }

  /// "ana@example.org" of "mailto:ana@example.org".
  private func address(_ uri: String) -> String {
    let scheme = "mailto:"
    return uri.lowercased().hasPrefix(scheme) ? String(uri.dropFirst(scheme.count)) : uri
  }

  /// Prints reminders, one a line: the ID, what it is about and when that is,
  /// when it went off or comes back, and the calendar, where they are of several.
  ///
  /// - Parameter names: the names of the calendars by their ids.
  func reminders(_ rows: [Row], calendars names: [String: String]) throws(CommandError) {
    // A test reminder is of none.
    let hasSeveral = Set(rows.map { $0.text(.calendar) }).subtracting([""]).count > 1
    var text: [String] = []
    for row in rows {
      let due = Timestamp(seconds: row.number(.due))
      let state =
        switch row.text(.state) {
        case "snoozed": "snoozed until \(try returnMoment(due))"
        case "closed": "was to ring \(try moment(due))"
        default: "since \(try moment(due))"
        }
      let about =
        displayLine(row.text(.summary)) + (row.flag(.undated) ? "" : ": \(try when(row))")
      let calendar = names[row.text(.calendar)] ?? row.text(.calendar)
      let remark =
        state + (hasSeveral && !calendar.isEmpty ? ", in \(displayLine(calendar))" : "")
        + (row.flag(.quiet) ? ", \(ReminderWords.heldBack)" : "")
      text.append("\(displayLine(row.text(.id)))  \(about) (\(remark))")
    }
    try lines(text)
  }
}

/// A time as the bus writes it: "2026-11-21T09:30:00-05:00".
private enum OffsetTime {
  /// Returns the reading and the offset, "+00:00" for "Z"; nil for what is no such time.
  static func parts(_ text: String) -> (reading: CivilDateTime, offset: String)? {
    let isUTC = text.hasSuffix("Z")
    let tail = isUTC ? 1 : 6
    guard text.utf8.count > tail, let reading = try? CivilDateTime(text: text.dropLast(tail)) else {
      return nil
    }
    return (reading, isUTC ? UTCOffset.utc.description : String(text.suffix(tail)))
  }
}
