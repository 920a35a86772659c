import CalendarBus
import CalendarModel
import CivilTime
import DBus
import JSON
import Platform
import Widgets

/// The output of calctl: lines for people, JSON for programs.
///
/// Every text that came over the bus goes through `displayLine` on its way to a
/// terminal: titles come from strangers' invitations. JSON has it unchanged,
/// with control characters escaped. No column comes after a title, since the
/// width of a title on a terminal is not known.
final class Output {
  /// The instant of the command, which decides what today is.
  let now: Timestamp
  private let standardOutput: StandardOutput
  private let writeError: (String) -> Void
  let wantsColor: Bool
  /// Called only when a time is printed, since it costs a call on the bus.
  private let agentZone: () throws(CommandError) -> ZoneRules
  /// The order of events that begin at the same time; called only when it is needed, too.
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

  /// Returns the zone of printed times: the agent's.
  ///
  /// - Throws: what the agent answers.
  func zone() throws(CommandError) -> ZoneRules { try agentZone() }

  /// Returns the order of events that begin at the same time.
  ///
  /// - Throws: what the agent answers.
  func order() throws(CommandError) -> DisplayOrder { try readingOrder() }

  // MARK: Lines

  /// Prints a line at once, for readers that follow the output.
  ///
  /// - Throws: ``CommandError/closedOutput`` when the reader has left; ``CommandError/system(_:)``,
  ///   such as a full disk.
  func line(_ text: String) throws(CommandError) {
    try asOutputError { () throws(PlatformError) in try standardOutput.writeLine(text) }
  }

  /// Prints lines in one write.
  ///
  /// - Throws: as ``line(_:)``.
  func lines(_ lines: [String]) throws(CommandError) {
    if !lines.isEmpty { try line(lines.joined(separator: "\n")) }
  }

  /// Prints text that has its line breaks.
  ///
  /// - Throws: as ``line(_:)``.
  func page(_ text: String) throws(CommandError) {
    try line(text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }

  /// Prints to standard error; the command goes on.
  func warning(_ text: String) { writeError("calctl: \(displayLine(text))\n") }

  /// Prints an error to standard error; the command goes on.
  func warning(_ error: CommandError) { writeError(error.message) }

  /// Returns a heading: bold on a terminal that has colours.
  func heading(_ text: String) -> String {
    wantsColor ? "\u{1b}[1m\(text)\u{1b}[0m" : text
  }

  /// Returns a title on one line, and words in place of an empty one.
  static func title(_ summary: String) -> String {
    let title = displayLine(summary)
    return title.isEmpty ? localized("(no title)") : title
  }

  // MARK: JSON

  /// Prints a value as one line of JSON.
  ///
  /// - Throws: as ``line(_:)``.
  func json(_ value: JSONValue) throws(CommandError) { try line(JSONWriter.text(of: value)) }
  /// Prints a row as an object with the keys of the bus.
  ///
  /// - Throws: as ``line(_:)``.
  func json(_ row: Row) throws(CommandError) { try json(row.value.json) }
  /// Prints rows as an array of objects.
  ///
  /// - Throws: as ``line(_:)``.
  func json(_ rows: [Row]) throws(CommandError) { try json(.array(rows.map(\.value.json))) }

  // MARK: Times

  /// Returns "14:30" for a time of today, "Mon 23 Nov 2026, 09:30" for another day.
  ///
  /// - Throws: what the agent answers.
  func moment(_ instant: Timestamp) throws(CommandError) -> String {
    let zone = try zone()
    let reading = zone.reading(at: instant)
    let time = reading.time.hourAndMinute
    let today = zone.reading(at: now).date
    return reading.date == today ? time : "\(TimeText.shortDate(reading.date)), \(time)"
  }

  /// Returns the same for a time that is printed next to an event or a to-do: "14:30" only where
  /// that is today, too, since next to one of another day, or a recurring one, it would be read as
  /// its time.
  ///
  /// - Throws: what the agent answers.
  func moment(_ instant: Timestamp, beside row: Row) throws(CommandError) -> String {
    let zone = try zone()
    let reading = zone.reading(at: instant)
    let day = zone.reading(
      at: Timestamp(seconds: row.number(row[.start] == nil ? .due : .start))
    ).date
    guard row.flag(.recurring) || reading.date != day else { return try moment(instant) }
    return "\(TimeText.shortDate(reading.date)), \(reading.time.hourAndMinute)"
  }

  /// Returns "Mon 23 Nov 2026, 09:30" for a recurrence ID; nil for another text.
  ///
  /// - Throws: what the agent answers.
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

  /// Returns "Mon 23 Nov 2026, 09:30 – 10:00".
  ///
  /// - Throws: what the agent answers.
  func when(_ row: Row) throws(CommandError) -> String {
    AgendaItem(row, zone: try zone()).when
  }
}

extension String {
  /// Returns the text with spaces up to `width` characters; for texts of this program, whose
  /// characters are one column wide.
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
