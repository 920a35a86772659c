import CalendarModel
import CivilTime

/// An ``EventTime`` as text, in the forms of RFC 5545, followed by the zone:
///
///     20261121                        a date
///     20261121T090000                 a floating time
///     20261121T080000Z                an instant
///     20261121T090000 Europe/Berlin   a time in a zone
///
/// Bytes are read and written directly, since a query decodes thousands of these.
enum EventTimeText {
  static func write(_ time: EventTime) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    write(time, to: &bytes)
    return bytes
  }

  static func write(_ time: EventTime, to bytes: inout [UInt8]) {
    switch time {
    case .date(let date): write(date, to: &bytes)
    case .floating(let reading): write(reading, to: &bytes)
    case .zoned(let reading, let zone):
      write(reading, to: &bytes)
      bytes.append(UInt8(ascii: " "))
      bytes.append(contentsOf: zone.utf8)
    case .utc(let instant):
      write(ZoneRules.utc.reading(at: instant), to: &bytes)
      bytes.append(UInt8(ascii: "Z"))
    }
  }

  private static func write(_ reading: CivilDateTime, to bytes: inout [UInt8]) {
    write(reading.date, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    write(reading.time.hour, 2, to: &bytes)
    write(reading.time.minute, 2, to: &bytes)
    write(reading.time.second, 2, to: &bytes)
  }

  private static func write(_ date: CivilDate, to bytes: inout [UInt8]) {
    let (year, month, day) = date.parts
    write(year, 4, to: &bytes)
    write(month, 2, to: &bytes)
    write(day, 2, to: &bytes)
  }

  private static func write(_ value: Int, _ width: Int, to bytes: inout [UInt8]) {
    if width > 1 { write(value / 10, width - 1, to: &bytes) }
    bytes.append(0x30 + UInt8(value % 10))
  }

  /// Reads a time.
  ///
  /// - Throws: ``MalformedRow`` for any other text.
  static func read(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow) -> EventTime {
    if text.count == 8, let date = CivilDate(basic: text) { return .date(date) }
    guard text.count >= 15,
      let reading = CivilDateTime(basic: UnsafeBufferPointer(rebasing: text[..<15]))
    else { throw MalformedRow("a time") }
    if text.count == 15 { return .floating(reading) }
    if text[15] == UInt8(ascii: " ") {
      let zone = UnsafeBufferPointer(rebasing: text[16...])
      return .zoned(reading, zone: String(decoding: zone, as: UTF8.self))
    }
    guard text.count == 16, text[15] == UInt8(ascii: "Z") else { throw MalformedRow("a time") }
    return .utc(Timestamp(reading, offset: .utc))
  }
}

/// An ``EventEnd`` as text: a time, a duration ("PT1H"), or nothing.
enum EventEndText {
  static func write(_ end: EventEnd) -> [UInt8] {
    var bytes: [UInt8] = []
    write(end, to: &bytes)
    return bytes
  }

  static func write(_ end: EventEnd, to bytes: inout [UInt8]) {
    switch end {
    case .time(let time): EventTimeText.write(time, to: &bytes)
    case .duration(let duration): bytes.append(contentsOf: duration.description.utf8)
    case .none: break
    }
  }

  /// Reads an end.
  ///
  /// - Throws: ``MalformedRow`` for any other text.
  static func read(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow) -> EventEnd {
    guard let first = text.first else { return .none }
    if first == UInt8(ascii: "P") || first == UInt8(ascii: "-") {
      return .duration(try readDuration(text))
    }
    return .time(try EventTimeText.read(text))
  }

  /// Reads a DURATION.
  ///
  /// - Throws: ``MalformedRow`` for any other text.
  static func readDuration(_ text: UnsafeBufferPointer<UInt8>) throws(MalformedRow)
    -> CalendarDuration
  {
    if let short = shortDuration(text) { return short }
    do {
      return try CalendarDuration(text: String(decoding: text, as: UTF8.self))
    } catch { throw MalformedRow("a length of time") }
  }

  /// Reads the usual short form of a duration, one to six digits and a unit: "PT30M", "-P1D".
  ///
  /// nil for any other form. Every event has a duration or two, and this path allocates nothing.
  private static func shortDuration(_ text: UnsafeBufferPointer<UInt8>) -> CalendarDuration? {
    var position = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { position += 1 }
    guard position < text.count, text[position] == UInt8(ascii: "P") else { return nil }
    position += 1
    let hasTime = position < text.count && text[position] == UInt8(ascii: "T")
    if hasTime { position += 1 }
    guard text.count - position >= 2, text.count - position <= 7 else { return nil }
    var value: Int64 = 0
    for index in position..<text.count - 1 {
      guard text[index] >= 0x30, text[index] <= 0x39 else { return nil }
      value = value * 10 + Int64(text[index] - 0x30)
    }
    if isNegative { value = -value }
    switch (hasTime, text[text.count - 1]) {
    case (false, UInt8(ascii: "D")): return CalendarDuration(days: Int(value))
    case (true, UInt8(ascii: "H")): return CalendarDuration(seconds: value * 3600)
    case (true, UInt8(ascii: "M")): return CalendarDuration(seconds: value * 60)
    case (true, UInt8(ascii: "S")): return CalendarDuration(seconds: value)
    default: return nil
    }
  }
}
