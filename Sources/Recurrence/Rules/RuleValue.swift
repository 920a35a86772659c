import Messages

internal import CivilTime

/// The value of one part of a rule's text.
struct RuleValue {
  let octets: [UInt8]
  let range: Range<Int>
  let part: String

  func fault(
    _ kind: RecurrenceError.Kind, _ reason: UserText, at position: Int? = nil
  ) -> RecurrenceError {
    RecurrenceError(
      kind: kind, part: part, position: position ?? range.lowerBound, reason: reason)
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: octets[range], as: UTF8.self)
  }

  private func upper(_ range: Range<Int>) -> String {
    String(
      decoding: octets[range].map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }, as: UTF8.self)
  }

  func frequency() throws(RecurrenceError) -> RecurrenceRule.Frequency {
    let word = upper(range)
    guard let match = RecurrenceRule.Frequency.allCases.first(where: { $0.name == word }) else {
      throw fault(
        .unknownFrequency,
        UserText(
          """
          "{text}" must be one of SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY
          """, ["text": string(range)]))
    }
    return match
  }

  /// Reads a number of 1 or more.
  func positive() throws(RecurrenceError) -> Int {
    let value = try digits(range, maximumDigits: 18)
    guard value >= 1 else {
      throw fault(.outOfRange, UserText("{number} is not 1 or more", ["number": value]))
    }
    return value
  }

  /// Reads a number of 1 or more; nil for −1, which some programs write for "no end".
  func count() throws(RecurrenceError) -> Int? {
    octets[range].elementsEqual("-1".utf8) ? nil : try positive()
  }

  private func digits(_ range: Range<Int>, maximumDigits: Int) throws(RecurrenceError) -> Int {
    guard !range.isEmpty, octets[range].allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw fault(
        .notANumber, UserText("\"{text}\" is not a number", ["text": string(range)]),
        at: range.lowerBound)
    }
    let significant = octets[range].drop { $0 == 0x30 }
    guard significant.count <= maximumDigits else {
      throw fault(
        .overflow, UserText("{number} is too large", ["number": string(range)]),
        at: range.lowerBound)
    }
    return significant.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Returns the elements of a list without blanks around them.
  ///
  /// A comma at the end is ignored; other empty elements are refused.
  private func elements() throws(RecurrenceError) -> [Range<Int>] {
    var elements: [Range<Int>] = []
    var begin = range.lowerBound
    while begin <= range.upperBound {
      let end = octets[begin..<range.upperBound].firstIndex(of: 0x2C) ?? range.upperBound
      var (low, high) = (begin, end)
      while low < high, octets[low] == 0x20 { low += 1 }
      while high > low, octets[high - 1] == 0x20 { high -= 1 }
      if low == high {
        if end == range.upperBound, !elements.isEmpty { break }
        throw fault(.empty, UserText("an element of the list is empty"), at: begin)
      }
      elements.append(low..<high)
      begin = end + 1
    }
    return elements
  }

  /// Reads a list of numbers, each once, in the order given.
  func numbers(_ allowed: ClosedRange<Int>, fromEnd: Bool) throws(RecurrenceError) -> [Int] {
    var numbers: [Int] = []
    for element in try elements() {
      let number = try signed(element)
      let isAllowed = allowed.contains(number) || (fromEnd && allowed.contains(-number))
      guard isAllowed else {
        throw fault(
          .outOfRange,
          fromEnd
            ? UserText(
              "{number} must be from {first} to {last}, or from -{last} to -1",
              ["number": number, "first": allowed.lowerBound, "last": allowed.upperBound])
            : UserText(
              "{number} must be from {first} to {last}",
              ["number": number, "first": allowed.lowerBound, "last": allowed.upperBound]),
          at: element.lowerBound)
      }
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers
  }

  private func signed(_ range: Range<Int>) throws(RecurrenceError) -> Int {
    var rest = range
    let sign = octets[range.lowerBound]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      rest = range.lowerBound + 1..<range.upperBound
      guard !rest.isEmpty, 0x30...0x39 ~= octets[rest.lowerBound] else {
        throw fault(
          .notANumber, UserText("\"{text}\" is not a number", ["text": string(range)]),
          at: range.lowerBound)
      }
    }
    let value = try digits(rest, maximumDigits: 9)
    return sign == UInt8(ascii: "-") ? -value : value
  }

  func weekday(_ range: Range<Int>) throws(RecurrenceError) -> Weekday {
    guard let weekday = Weekday(code: string(range)) else { throw badWeekday(range) }
    return weekday
  }

  private func badWeekday(_ range: Range<Int>) -> RecurrenceError {
    fault(
      .badWeekday,
      UserText("\"{text}\" must be one of MO, TU, WE, TH, FR, SA, SU", ["text": string(range)]),
      at: range.lowerBound)
  }

  func weekdays() throws(RecurrenceError) -> [RecurrenceRule.WeekdayChoice] {
    var choices: [RecurrenceRule.WeekdayChoice] = []
    for element in try elements() {
      let codeBegin = max(element.lowerBound, element.upperBound - 2)
      guard let day = Weekday(code: string(codeBegin..<element.upperBound)) else {
        throw badWeekday(element)
      }
      var ordinal: Int?
      if codeBegin > element.lowerBound {
        let number: Int
        do {
          number = try signed(element.lowerBound..<codeBegin)
        } catch {
          throw fault(
            .badWeekday,
            UserText(
              "\"{text}\" is not a weekday with a number, such as -1FR", ["text": string(element)]),
            at: element.lowerBound)
        }
        guard number != 0, abs(number) <= 53 else {
          throw fault(
            .outOfRange,
            UserText(
              "{number} must be from {first} to {last}, or from -{last} to -1",
              ["number": number, "first": 1, "last": 53]),
            at: element.lowerBound)
        }
        ordinal = number
      }
      let choice = RecurrenceRule.WeekdayChoice(day, ordinal: ordinal)
      if !choices.contains(choice) { choices.append(choice) }
    }
    return choices
  }

  /// Reads UNTIL; nil for a date of zeros, which some programs write for "no end".
  func until() throws(RecurrenceError) -> RecurrenceUntil? {
    var text = upper(range)
    if text.hasPrefix("00000000T000000") { return nil }
    var isUniversal = false
    // Some programs write the Z twice.
    while text.hasSuffix("Z") {
      isUniversal = true
      text.removeLast()
    }
    let fields = text.split(separator: "T", omittingEmptySubsequences: false)
    guard (1...2).contains(fields.count), fields[0].utf8.count == 8 else {
      throw fault(
        .badDate,
        UserText(
          "\"{text}\" is not a date like 20261224 or 20261224T090000Z", ["text": string(range)]))
    }
    let date: CivilDate
    do {
      date = try CivilDate(text: fields[0])
    } catch {
      throw fault(.badDate, error.text)
    }
    guard fields.count == 2 else {
      guard !isUniversal else {
        throw fault(.badTime, UserText("\"{text}\" has a Z but no time", ["text": string(range)]))
      }
      return .date(date)
    }
    guard fields[1].utf8.count == 6 else {
      throw fault(
        .badTime, UserText("\"{text}\" is not a time like 090000", ["text": String(fields[1])]),
        at: range.lowerBound + 9)
    }
    let time: TimeOfDay
    do {
      time = try TimeOfDay(text: fields[1])
    } catch {
      throw fault(.badTime, error.text, at: range.lowerBound + 9)
    }
    let reading = CivilDateTime(date, time)
    return isUniversal ? .instant(Timestamp(reading, offset: .utc)) : .local(reading)
  }

  /// Checks RSCALE (RFC 7529): only the Gregorian calendar is supported.
  func isGregorian() throws(RecurrenceError) -> Bool {
    guard upper(range) == "GREGORIAN" else {
      throw fault(
        .unsupportedScale,
        UserText(
          "the calendar scale \"{text}\" is not supported; use GREGORIAN", ["text": string(range)]))
    }
    return true
  }

  /// Reads SKIP (RFC 7529).
  func skip() throws(RecurrenceError) -> RecurrenceRule.Skip {
    guard let skip = RecurrenceRule.Skip(rawValue: upper(range)) else {
      throw fault(
        .outOfRange,
        UserText("\"{text}\" must be one of OMIT, BACKWARD, FORWARD", ["text": string(range)]))
    }
    return skip
  }
}
