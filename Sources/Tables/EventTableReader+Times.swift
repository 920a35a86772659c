import CivilTime
import ICalendar
import Messages

// Reads the times in the cells of a table.

extension EventTableReader {
  /// Returns the time properties of a row: column, property, and parameters with the value.
  ///
  /// A timed event without an end lasts an hour, as with Events.Add.
  mutating func times(
    of row: TableText.Row, _ component: String, _ zone: String
  ) throws(Fault) -> [(column: String, property: String, value: String)] {
    if isForeign, component == "VEVENT", let days = try days(of: row) {
      return [
        ("start", "DTSTART", ";VALUE=DATE:\(days.first.basicText)"),
        ("end", "DTEND", ";VALUE=DATE:\(days.end.basicText)"),
      ]
    }
    var times: [(column: String, property: String, value: String)] = []
    let (start, end) = moments(of: row)
    if !start.isEmpty {
      times.append(("start", "DTSTART", try moment(start, zone, "start")))
    }
    if !end.isEmpty, component != "VJOURNAL" {
      times.append(
        ("end", component == "VTODO" ? "DUE" : "DTEND", try moment(end, zone, "end")))
    } else if component == "VEVENT", let start = times.first, !start.value.hasPrefix(";VALUE=DATE")
    {
      times.append(("start", "DURATION", ":PT1H"))
    }
    return times
  }

  /// Returns parameters and value for a day or a time such as "2026-11-21 09:30[:00]".
  ///
  /// The day may have any form of ``TableDays``; the time is in the given zone.
  mutating func moment(
    _ text: String, _ zone: String, _ column: String
  ) throws(Fault) -> String {
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
    let day = try day(parts.first.map(String.init) ?? "", column)
    if parts.count == 1, let day { return ";VALUE=DATE:\(day.basicText)" }
    // The second of two equal readings has its offset.
    let offset = parts.count == 2 ? EventTableReader.offset(parts[1].trimmed) : nil
    let clock = parts.count == 2 ? String(parts[1].trimmed.dropLast(offset == nil ? 0 : 6)) : ""
    guard parts.count == 2, let day, let time = EventTableReader.time(clock) else {
      throw Fault(
        column: column,
        text: UserText(
          """
          "{value}" is neither a day, as 2026-11-21 or 21.11.2026, nor a time, as 2026-11-21 09:30:00
          """, ["value": text.prefix(40)]))
    }
    let reading = CivilDateTime(day, time)
    if let offset { return ":\(Timestamp(reading, offset: offset).basicText)" }
    switch zone {
    case "": return ":\(reading.basicText)"
    case "UTC": return ":\(reading.basicText)Z"
    default:
      guard (try? zones.rules(named: zone)) != nil else {
        throw Fault(
          column: "time-zone",
          text: UserText("the zone \"{zone}\" is unknown", ["zone": zone.prefix(40)]))
      }
      return ";TZID=\(TranscribedCalendar.parameter(zone)):\(reading.basicText)"
    }
  }

  /// Reads a day: "2026-11-21", "2026/11/21", "21/11/2026", "21-11-2026" or "21.11.2026".
  ///
  /// With the year last, all such days of the table must fit one order of day and month, those with
  /// dots and the others each. If both orders fit, only "21.11.2026" is read, with the day first. nil
  /// for any other text.
  mutating func day(_ text: String, _ column: String) throws(Fault) -> CivilDate? {
    if let day = (try? CivilDate(text: text)) ?? TableDays.yearFirst(text) { return day }
    guard let numbers = TableDays.Numbers(text) else { return nil }
    guard min(numbers.first, numbers.second) <= 12 else {
      throw Fault(
        column: column,
        text: UserText(
          "\"{value}\" is not a day: neither number can be the month", ["value": text.prefix(40)]))
    }
    let orders = dayOrders ?? ordersOfAll()
    dayOrders = orders
    switch numbers.hasDots ? orders.withDots : orders.others {
    case .dayFirst:
      if dayInOrder == nil, numbers.isEither, !numbers.hasDots { dayInOrder = (text, true) }
      return numbers.date(dayFirst: true)
    case .monthFirst:
      if dayInOrder == nil, numbers.isEither { dayInOrder = (text, false) }
      return numbers.date(dayFirst: false)
    case _ where numbers.hasDots:
      return numbers.date(dayFirst: true)
    case .contradictory(let dayFirst, let monthFirst):
      let other = numbers.first > 12 ? monthFirst : dayFirst
      throw Fault(
        column: column,
        text: UserText(
          """
          "{value}" and "{other}" are not written in the same order: write days as 2026-11-21 or \
          21.11.2026
          """, ["value": text.prefix(40), "other": other.prefix(40)]))
    case .unknown:
      throw Fault(
        column: column,
        text: UserText(
          """
          "{value}" could have the day or the month first, and so could all such days of the table: \
          write days as 2026-11-21 or 21.11.2026
          """, ["value": text.prefix(40)]))
    }
  }

  /// Finds the orders from all starts and ends of the table.
  private func ordersOfAll() -> TableDays.Orders {
    var table = TableText(source)
    var found = TableDays.Orders()
    while let row = (try? table.next()) ?? nil {
      for column in ["start", "end"] {
        let word = cell(column, of: row).prefix { $0 != " " && $0 != "T" }
        found.take(String(word))
      }
    }
    return found
  }

  /// Reads the offset at the end of "02:30:00+01:00"; nil for any other text.
  private static func offset(_ text: String) -> UTCOffset? {
    let octets = Array(text.utf8.suffix(6))
    func digits(_ place: Int) -> Int32? {
      guard octets[place].isDigit, octets[place + 1].isDigit else { return nil }
      return Int32(octets[place] - 0x30) * 10 + Int32(octets[place + 1] - 0x30)
    }
    guard octets.count == 6, octets[0] == UInt8(ascii: "+") || octets[0] == UInt8(ascii: "-"),
      octets[3] == UInt8(ascii: ":"), let hours = digits(1), let minutes = digits(4),
      hours <= 14, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return UTCOffset(seconds: octets[0] == UInt8(ascii: "-") ? -seconds : seconds)
  }

  /// Reads "9:30", "09:30", "09:30:00" or "9:30:00 AM".
  static func time(_ text: String) -> TimeOfDay? {
    guard let half = DayHalf(endOf: text) else { return time(of24Hours: text) }
    return time(of24Hours: half.clock).flatMap(half.time)
  }

  /// Reads the same forms but the last.
  private static func time(of24Hours text: String) -> TimeOfDay? {
    guard text.utf8.count <= 8 else { return nil }
    let padded = text.utf8.count == 4 || text.utf8.count == 7 ? "0" + text : text
    let whole = padded + (padded.utf8.count == 5 ? ":00" : "")
    return (try? CivilDateTime(text: "2000-01-01T" + whole))?.time
  }

  /// Returns the value of RECURRENCE-ID for an occurrence, which tables name as the bus does.
  func occurrence(_ identifier: String, zone: String) -> String {
    if identifier.utf8.count == 8 { return ";VALUE=DATE:\(identifier)" }
    let octets = Array(identifier.utf8)
    guard octets.count == 16, octets[15] == UInt8(ascii: "Z"), !zone.isEmpty, zone != "UTC",
      let rules = try? zones.rules(named: zone),
      let instant = try? Timestamp(text: EventTableReader.extended(identifier))
    else { return ":\(identifier)" }
    let reading = rules.reading(at: instant).basicText
    return ";TZID=\(TranscribedCalendar.parameter(zone)):\(reading)"
  }

  /// Converts "20261121T093000Z" to "2026-11-21T09:30:00Z".
  private static func extended(_ text: String) -> String {
    let octets = Array(text.utf8)
    func part(_ range: Range<Int>) -> String { String(decoding: octets[range], as: UTF8.self) }
    return "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(part(13..<16))"
  }
}

/// A time on a twelve-hour clock.
private struct DayHalf {
  /// The part before AM or PM, with minutes.
  let clock: String
  private let isAfternoon: Bool

  /// Returns nil if the text does not end with either, or is too long.
  init?(endOf text: String) {
    guard text.utf8.count <= 40 else { return nil }
    let word = text.utf8.suffix(2).map { $0 & 0xDF }
    guard word == Array("AM".utf8) || word == Array("PM".utf8) else { return nil }
    isAfternoon = word[0] == UInt8(ascii: "P")
    // Newer programs separate them with a narrow no-break space.
    let rest = String(text.dropLast(2).filter { !$0.isWhitespace })
    clock = rest.utf8.count <= 2 ? rest + ":00" : rest
  }

  /// Returns the time of day; nil for an hour that is not on the clock.
  func time(_ clock: TimeOfDay) -> TimeOfDay? {
    guard (1...12).contains(clock.hour) else { return nil }
    let hour = clock.hour % 12 + (isAfternoon ? 12 : 0)
    return TimeOfDay(hour: hour, minute: clock.minute, second: clock.second)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
