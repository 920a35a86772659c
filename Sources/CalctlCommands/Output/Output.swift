import CalendarBus
import CalendarModel
import CivilTime
import DBus
import JSON
import Platform
import Widgets

/// The output of calctl: lines for people, JSON for programs.
///
/// Text from the bus goes through `displayLine` before it is printed on a terminal, since titles
/// come from other people's invitations. JSON has it unchanged, with control characters escaped. No
/// column follows a title. On a terminal lists are cut to its columns.
final class Output {
  /// The time of the command, which determines what today is.
  let now: Timestamp
  private let standardOutput: StandardOutput
  private let writeError: (String) -> Void
  let wantsColor: Bool
  /// The zone of printed times; called only when needed, since it costs a bus call.
  private let agentZone: () throws(CommandError) -> ZoneRules
  /// The order of events that begin at the same time; called only when needed, too.
  private let readingOrder: () throws(CommandError) -> DisplayOrder
  /// Where numbers of lists are stored; nil if standard output is not a terminal.
  private let listNumbers: ListNumbers?
  /// The columns of the terminal, to which lists are cut; nil if standard output is none.
  let columns: Int?
  /// Shows long lists on a terminal; nil prints them.
  var pager: Pager?

  init(
    standardOutput: StandardOutput, writeError: @escaping (String) -> Void, wantsColor: Bool,
    now: Timestamp, zone: @escaping () throws(CommandError) -> ZoneRules,
    order: @escaping () throws(CommandError) -> DisplayOrder, listNumbers: ListNumbers? = nil,
    columns: Int? = nil, pager: Pager? = nil
  ) {
    self.standardOutput = standardOutput
    self.writeError = writeError
    self.wantsColor = wantsColor
    self.now = now
    agentZone = zone
    readingOrder = order
    self.listNumbers = listNumbers
    self.columns = columns
    self.pager = pager
  }

  /// Returns the zone of printed times, which is the agent's.
  ///
  /// - Throws: Errors of the agent.
  func zone() throws(CommandError) -> ZoneRules { try agentZone() }

  /// Returns the order of events that begin at the same time.
  ///
  /// - Throws: Errors of the agent.
  func order() throws(CommandError) -> DisplayOrder { try readingOrder() }

  // MARK: Lines

  /// Prints a line at once, for programs that read line by line.
  ///
  /// - Throws: ``CommandError/closedOutput`` if the reader has ended; ``CommandError/system(_:)``,
  ///   such as for a full disk.
  func line(_ text: String) throws(CommandError) {
    try asOutputError { () throws(PlatformError) in try standardOutput.writeLine(text) }
  }

  /// Prints lines in one write.
  ///
  /// - Throws: See ``line(_:)``.
  func lines(_ lines: [String]) throws(CommandError) {
    if !lines.isEmpty { try line(lines.joined(separator: "\n")) }
  }

  /// Prints a list; on a terminal that is too low for it, in a pager. The command ends with it.
  ///
  /// - Throws: See ``line(_:)``.
  func pages(_ lines: [String]) throws(CommandError) {
    if let pager, lines.count >= pager.rows { pager.show(lines) }
    try self.lines(lines)
  }

  /// Prints text that contains its line breaks.
  ///
  /// - Throws: See ``line(_:)``.
  func page(_ text: String) throws(CommandError) {
    try line(text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }

  /// Prints a warning to standard error; the command continues.
  func warning(_ text: String) { writeError("calctl: \(displayLine(text))\n") }

  /// Prints an error to standard error; the command continues.
  func warning(_ error: CommandError) { writeError(error.message) }

  /// Returns a heading, bold on a terminal with colors.
  func heading(_ text: String) -> String {
    wantsColor ? "\u{1b}[1m\(text)\u{1b}[0m" : text
  }

  /// Returns the column of numbers of a list for a terminal: " 9  ", "10  "; empty texts elsewhere.
  ///
  /// - Parameter references: The events in the order of the list.
  func numbers(_ references: [EventReference]) -> [String] {
    guard let listNumbers, listNumbers.store(references.map(\.text)) else {
      return references.map { _ in "" }
    }
    let width = "\(min(references.count, ListNumbers.most))".count
    return references.indices.map { index in
      let number = index < ListNumbers.most ? "\(index + 1)" : ""
      return String(repeating: " ", count: width - number.count) + number + "  "
    }
  }

  /// Returns a title on one line; "(no title)" for an empty one.
  static func title(_ summary: String) -> String {
    let title = displayLine(summary)
    return title.isEmpty ? localized("(no title)") : title
  }

  // MARK: JSON

  /// Prints a value as one line of JSON.
  ///
  /// - Throws: See ``line(_:)``.
  func json(_ value: JSONValue) throws(CommandError) { try line(JSONWriter.text(of: value)) }
  /// Prints a row as an object with the keys of the bus.
  ///
  /// - Throws: See ``line(_:)``.
  func json(_ row: Row) throws(CommandError) { try json(row.value.json) }
  /// Prints rows as an array of objects.
  ///
  /// - Throws: See ``line(_:)``.
  func json(_ rows: [Row]) throws(CommandError) { try json(.array(rows.map(\.value.json))) }

  // MARK: Times

  /// Returns "14:30" for a time today, "Mon 23 Nov 2026, 09:30" for another day.
  ///
  /// - Throws: Errors of the agent.
  func moment(_ instant: Timestamp) throws(CommandError) -> String {
    let zone = try zone()
    let reading = zone.reading(at: instant)
    let time = TimeText.current.clock(reading.time)
    let today = zone.reading(at: now).date
    return reading.date == today ? time : TimeText.current.shortDate(reading.date, at: time)
  }

  /// Returns a time that is printed next to an event or to-do.
  ///
  /// It omits the day only if both are today and the event does not recur: otherwise a time alone
  /// would seem to be on the day of the event.
  ///
  /// - Throws: Errors of the agent.
  func moment(_ instant: Timestamp, beside row: Row) throws(CommandError) -> String {
    let zone = try zone()
    let reading = zone.reading(at: instant)
    let day = zone.reading(
      at: Timestamp(seconds: row.number(row[.start] == nil ? .due : .start))
    ).date
    guard row.flag(.recurring) || reading.date != day else { return try moment(instant) }
    return TimeText.current.shortDate(reading)
  }

  /// Returns "Mon 23 Nov 2026, 09:30" for a recurrence ID; nil for any other text.
  ///
  /// - Throws: Errors of the agent.
  func when(ofOccurrence id: String) throws(CommandError) -> String? {
    if let day = try? CivilDate(text: id) { return TimeText.current.shortDate(day) }
    let reading: CivilDateTime
    if let instant = try? Timestamp(text: id) {
      reading = try zone().reading(at: instant)
    } else if let floating = try? CivilDateTime(text: id) {
      reading = floating
    } else {
      return nil
    }
    return TimeText.current.shortDate(reading)
  }

  /// Returns "Mon 23 Nov 2026, 09:30 – 10:00".
  ///
  /// - Throws: Errors of the agent.
  func when(_ row: Row) throws(CommandError) -> String {
    AgendaItem(row, zone: try zone()).when
  }
}

extension String {
  /// Returns "Standup (declined)"; without a remark, the text itself.
  func with(remark: String) -> String {
    remark.isEmpty ? self : localized("{text} ({remark})", ["text": self, "remark": remark])
  }

  /// Returns "Standup: Mon 7 Jan 2030, 09:30 – 10:30": a name, and what is said of it.
  func with(text: String) -> String {
    localized("{name}: {text}", ["name": self, "text": text])
  }

  /// "(Room 4)".
  var inBrackets: String { localized("({text})", ["text": self]) }
}
