import CalendarBus
import CalendarModel
import CivilTime
import DBus
import JSON
import Platform
import Widgets

/// What calctl prints: lines for people, JSON for programs.
///
/// Every text that came over the bus goes through `displayLine` on its way to a
/// terminal: titles come from strangers' invitations. JSON carries it unchanged,
/// with control characters escaped. Nothing stands to the right of a title, so
/// that no column depends on how wide a terminal draws it.
final class Output {
  /// For what follows times: the instant that today is taken from.
  let now: Timestamp
  private let standardOutput: StandardOutput
  private let writeError: (String) -> Void
  let wantsColor: Bool
  /// Asked for only when a time is printed, since it costs a call on the bus.
  private let agentZone: () throws(CommandError) -> ZoneRules
  /// How events that begin together follow each other; likewise.
  private let readingOrder: () throws(CommandError) -> DisplayOrder

  init(
    standardOutput: StandardOutput, writeError: @escaping (String) -> Void, wantsColor: Bool,
    now: Timestamp, zone: @escaping () throws(CommandError) -> ZoneRules,
    order: @escaping () throws(CommandError) -> DisplayOrder
  ) {
    self.standardOutput = standardOutput
    self.writeError = writeError
    self.wantsColor = wantsColor
    self.now = now
    agentZone = zone
    readingOrder = order
  }

  /// The zone in which times are printed: the agent's.
  func zone() throws(CommandError) -> ZoneRules { try agentZone() }

  /// The order of events that begin together.
  func order() throws(CommandError) -> DisplayOrder { try readingOrder() }

  // MARK: Lines

  /// Prints a line at once: whoever follows reads line by line.
  ///
  /// - Throws: ``CommandError/closedOutput`` when nobody reads any more;
  ///   ``CommandError/system(_:)`` such as a full disk.
  func line(_ text: String) throws(CommandError) {
    try asOutputError { () throws(PlatformError) in try standardOutput.writeLine(text) }
  }

  /// Prints lines in one go.
  func lines(_ lines: [String]) throws(CommandError) {
    if !lines.isEmpty { try line(lines.joined(separator: "\n")) }
  }

  /// Prints text that ends its own lines.
  func page(_ text: String) throws(CommandError) {
    try line(text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }

  /// Prints to standard error; the command goes on.
  func warning(_ text: String) { writeError("calctl: \(displayLine(text))\n") }

  /// Tells what failed where what was asked for is done all the same.
  func warning(_ error: CommandError) { writeError(error.message) }

  /// Returns a heading: bold on a terminal that has colours.
  func heading(_ text: String) -> String {
    wantsColor ? "\u{1b}[1m\(text)\u{1b}[0m" : text
  }

  // MARK: JSON

  /// Prints a value as one line of JSON.
  func json(_ value: JSONValue) throws(CommandError) { try line(JSONWriter.text(of: value)) }
  /// Prints a row as an object, its keys as on the bus.
  func json(_ row: Row) throws(CommandError) { try json(row.value.json) }
  /// Prints rows as an array of objects.
  func json(_ rows: [Row]) throws(CommandError) { try json(.array(rows.map(\.value.json))) }

  // MARK: Times

  /// "14:30" today, "Mon 23 Nov 2026, 09:30" on another day.
  func moment(_ instant: Timestamp) throws(CommandError) -> String {
    let zone = try zone()
    let reading = zone.reading(at: instant)
    let time = reading.time.hourAndMinute
    let today = zone.reading(at: now).date
    return reading.date == today ? time : "\(TimeText.shortDate(reading.date)), \(time)"
  }

  /// The same of what belongs to an event or a to-do: "14:30" only where that is today, too, since beside one of
  /// tomorrow, or of many days, it would read as if it were of that.
  func moment(_ instant: Timestamp, beside row: Row) throws(CommandError) -> String {
    let zone = try zone()
    let reading = zone.reading(at: instant)
    let day = zone.reading(
      at: Timestamp(seconds: row.number(row[.start] == nil ? .due : .start))
    ).date
    guard row.flag(.recurring) || reading.date != day else { return try moment(instant) }
    return "\(TimeText.shortDate(reading.date)), \(reading.time.hourAndMinute)"
  }

  /// "Mon 23 Nov 2026, 09:30" of a recurrence id; nil for what is none.
  func when(ofOccurrence id: String) throws(CommandError) -> String? {
    if let day = try? CivilDate(text: id) { return TimeText.shortDate(day) }
    let reading: CivilDateTime
    if let instant = try? Timestamp(text: id) {
      reading = try zone().reading(at: instant)
    } else if let floating = try? CivilDateTime(text: id) {
      reading = floating
    } else {
      return nil
    }
    return "\(TimeText.shortDate(reading.date)), \(reading.time.hourAndMinute)"
  }

  /// When a snooze ends: a moment, or "you unlock the session".
  func returnMoment(_ due: Timestamp) throws(CommandError) -> String {
    due == .latest ? "you unlock the session" : try moment(due)
  }

  /// "at Mon 23 Nov 2026, 09:30", or "when you unlock the session".
  func atReturn(_ due: Timestamp) throws(CommandError) -> String {
    "\(due == .latest ? "when" : "at") \(try returnMoment(due))"
  }

  /// "it comes back at Mon 23 Nov 2026, 09:30.", of a reminder that was put off.
  func comesBack(_ due: Timestamp) throws(CommandError) -> String {
    "it comes back \(try atReturn(due))."
  }

  /// "Mon 23 Nov 2026, 09:30 – 10:00".
  func when(_ row: Row) throws(CommandError) -> String {
    AgendaItem(row, zone: try zone()).when
  }
}

extension String {
  /// The text with spaces up to `width` characters; for texts of ours, whose
  /// characters are one column wide.
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
