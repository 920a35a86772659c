import CalendarBus
import CivilTime
import DBus
import JSON
import Platform

/// What calctl prints: lines and columns for people, JSON for programs.
final class Output {
  private let standardOutput: StandardOutput
  private let writeError: (String) -> Void
  private let wantsColor: Bool
  /// Asked for only when a time is printed.
  private let zone: () throws(CommandError) -> ZoneRules
  let now: Timestamp

  init(
    standardOutput: StandardOutput, writeError: @escaping (String) -> Void, wantsColor: Bool,
    now: Timestamp, zone: @escaping () throws(CommandError) -> ZoneRules
  ) {
    self.standardOutput = standardOutput
    self.writeError = writeError
    self.wantsColor = wantsColor
    self.now = now
    self.zone = zone
  }

  // MARK: Lines

  func line(_ text: String) throws(CommandError) {
    do throws(PlatformError) {
      try standardOutput.writeLine(text)
    } catch .outputClosed {
      throw .closedOutput
    } catch {
      throw .file("standard output: \(error)")
    }
  }

  /// Prints text that ends its own lines.
  func page(_ text: String) throws(CommandError) {
    try line(text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }

  func warning(_ text: String) { writeError("calctl: \(safe(text))\n") }

  func json(_ value: JSONValue) throws(CommandError) { try line(JSONWriter.text(of: value)) }
  func json(_ row: Row) throws(CommandError) { try json(row.value.json) }
  func json(_ rows: [Row]) throws(CommandError) { try json(.array(rows.map(\.value.json))) }

  /// Returns a stranger's text without what a terminal would obey.
  func safe(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isControl) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? " " : $0 }))
  }

  // MARK: Agenda

  /// Prints rows under the days on which they are.
  ///
  /// - Parameter firstDay: events that began before it are listed under it.
  func agenda(
    _ rows: [Row], empty: String, firstDay: CivilDate? = nil, lastDay: CivilDate? = nil
  ) throws(CommandError) {
    if rows.isEmpty { return try line(empty) }
    let zone = try zone()
    let items = rows.map { AgendaItem($0, zone: zone) }
    var days: [CivilDate: [AgendaItem]] = [:]
    for item in items {
      var day = max(item.firstDay, firstDay ?? item.firstDay)
      let last = min(item.lastDay, lastDay ?? (firstDay == nil ? item.firstDay : item.lastDay))
      while day <= last {
        days[day, default: []].append(item)
        guard let next = day.adding(days: 1) else { break }
        day = next
      }
    }
    for (index, day) in days.keys.sorted().enumerated() {
      if index > 0 { try line("") }
      try line(bold(heading(day, today: zone.reading(at: now).date)))
      for item in days[day, default: []].sorted(by: AgendaItem.precedes) {
        try line("  " + item.text(on: day, safe: safe))
      }
    }
  }

  private func heading(_ day: CivilDate, today: CivilDate) -> String {
    let text = DayNames.full(day)
    switch day.days(since: today) {
    case 0: return text + " (today)"
    case 1: return text + " (tomorrow)"
    default: return text
    }
  }

  private func bold(_ text: String) -> String {
    wantsColor ? "\u{1b}[1m\(text)\u{1b}[0m" : text
  }

  // MARK: One event

  /// Prints everything about an event, a field a line.
  func event(_ row: Row) throws(CommandError) {
    try line(bold(safe(row.text(.summary))))
    var fields: [(String, String)] = [("when", try when(row))]
    for (label, key) in [
      ("where", RowKey.location), ("status", .status), ("calendar", .calendar),
      ("url", .url), ("join", .joinURL), ("repeats", .rrule),
    ] where !row.text(key).isEmpty && row.text(key) != "confirmed" {
      fields.append((label, row.text(key).split(separator: "\n").joined(separator: ", ")))
    }
    for (label, key) in [
      ("also on", RowKey.rdate), ("not on", .exdate), ("rings", .reminders),
      ("tags", .categories),
    ] where !row.texts(key).isEmpty {
      fields.append((label, row.texts(key).joined(separator: ", ")))
    }
    let people = row[.attendees]?.asArray?.map(Row.init).map { person in
      person.text(.name).isEmpty ? person.text(.address) : person.text(.name)
    }
    if let people, !people.isEmpty { fields.append(("with", people.joined(separator: ", "))) }
    fields.append(("id", row.text(.uid)))
    if !row.text(.recurrenceID).isEmpty { fields.append(("occurrence", row.text(.recurrenceID))) }
    for (label, text) in fields {
      try line("  " + label.padding(to: 10) + "  " + safe(text))
    }
    let description = row.text(.description)
    if !description.isEmpty {
      try line("")
      for text in description.split(separator: "\n", omittingEmptySubsequences: false) {
        try line("  " + safe(String(text)))
      }
    }
  }

  /// "Mon 23 Nov 2026, 09:30 – 10:00".
  func when(_ row: Row) throws(CommandError) -> String {
    let item = AgendaItem(row, zone: try zone())
    return item.when
  }

  func moment(_ instant: Timestamp) throws(CommandError) -> String {
    let zone = try zone()
    let reading = zone.reading(at: instant)
    let today = zone.reading(at: now).date
    let time = reading.time.hourAndMinute
    return reading.date == today ? time : DayNames.full(reading.date) + ", " + time
  }

  // MARK: Reminders

  func reminders(_ rows: [Row]) throws(CommandError) {
    for row in rows {
      let due = try moment(Timestamp(seconds: row.number(.due)))
      let state = row.text(.state) == "snoozed" ? "snoozed until \(due)" : "since \(due)"
      try line("\(row.text(.id))  \(safe(row.text(.summary))) (\(state))")
    }
  }
}

extension Unicode.Scalar {
  /// Control characters, and the invisible ones that turn the direction of text
  /// round (U+202A to U+202E, U+2066 to U+2069).
  fileprivate var isControl: Bool {
    value < 0x20 || (0x7f...0x9f).contains(value) || (0x202a...0x202e).contains(value)
      || (0x2066...0x2069).contains(value)
  }
}

extension String {
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

/// English names of days and months, short.
enum DayNames {
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// "Sat 21 Nov 2026".
  static func full(_ date: CivilDate) -> String {
    let (year, month, day) = date.parts
    return "\(weekdays[date.weekday.rawValue - 1]) \(day) \(months[month - 1]) \(year)"
  }
}
