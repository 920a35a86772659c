import CivilTime
import Recurrence

/// What programs that read by the letter refuse, many of them with the whole file.
package struct StrictFault: Hashable, Sendable {
  /// The UID and the SUMMARY of the first component that has it.
  package let uid: String
  package let summary: String
  /// Its property, the value and the reason, for people.
  package let text: String
  /// How many components have one of its kind.
  package fileprivate(set) var count = 1
}

/// Looks in components that are written for what strict programs refuse.
///
/// What an import passes by stays in the text of its event, since an export gives back what came in; so
/// it is told there. Why not mend it? Then the export of an event that nobody has touched would not be what
/// came in, and what we cannot read another program may. This is no validation of all: looked at are the values that an
/// import keeps although they say nothing, alarms that lack what they must have (both were tried with the
/// packages icalendar 7 and ical 14 of PyPI), and what an import tells of a component: a property that stands there
/// twice, an end of another type than the start, or beside a length, and a name with a comma that stands in no quotes.
///
/// Source: RFC 5545 sections 3.2, 3.2.2, 3.3.5, 3.3.6, 3.6.1, 3.6.2, 3.6.6, 3.8.1.9, 3.8.1.11, 3.8.2.2, 3.8.6.2 and
/// 3.8.7.4.
struct StrictReading {
  /// One of each kind, in the order of the text.
  private(set) var faults: [StrictFault] = []
  private var places: [Kind: Int] = [:]
  /// The value of the line that is looked at, unfolded.
  private var value: [UInt8] = []

  /// What tells faults apart that are told one by one.
  private struct Kind: Hashable {
    let property: String
    let reason: String
  }

  private enum Form {
    case begin, end
    case instants, periods, length, trigger
    case number(ClosedRange<Int>)
    case status, action
    case start, person
    case recurrence
    case none
  }

  /// What is looked at of a property.
  private struct Rule {
    var form = Form.none
    /// What it is of a VALARM.
    var part: AlarmParts = []
    /// Its bit among those that a component has once; 0 of what it may have several times.
    var bit: UInt64 = 0
  }

  /// What a component has had so far of what is held against each other.
  private struct Times {
    var seen: UInt64 = 0
    /// Whether each is a day; nil where it is not there.
    var isStartDay: Bool?
    var isEndDay: Bool?
    var hasLength = false
  }

  /// What a VALARM has.
  private struct AlarmParts: OptionSet {
    let rawValue: UInt8
    static let action = AlarmParts(rawValue: 1)
    static let trigger = AlarmParts(rawValue: 2)
    static let description = AlarmParts(rawValue: 4)
    static let summary = AlarmParts(rawValue: 8)
    static let `repeat` = AlarmParts(rawValue: 16)
    static let duration = AlarmParts(rawValue: 32)
    /// What kind it is.
    static let display = AlarmParts(rawValue: 64)
    static let mail = AlarmParts(rawValue: 128)

    /// The reason why it is none.
    var fault: String? {
      if !contains(.action) { return "it has no ACTION" }
      if !contains(.trigger) { return "it has no TRIGGER" }
      if contains(.display) || contains(.mail), !contains(.description) {
        return "it has no DESCRIPTION"
      }
      if contains(.mail), !contains(.summary) { return "one that is sent has no SUMMARY" }
      return contains(.repeat) == contains(.duration)
        ? nil : "of REPEAT and DURATION it has but one"
    }
  }

  /// By the raw value of each property.
  private static let rules: [Rule] = {
    var rules = Array(repeating: Rule(), count: PropertyName.allCases.count)
    func rule(_ form: Form, _ parts: AlarmParts = [], of properties: PropertyName...) {
      for property in properties {
        rules[Int(property.rawValue)] = Rule(form: form, part: parts)
      }
    }
    rule(.begin, of: .begin)
    rule(.end, of: .end)
    rule(.instants, of: .stamp, .created, .lastModified, .completed, .acknowledged, .finish, .due)
    rule(.instants, of: .excludedDates)
    rule(.periods, of: .addedDates)
    rule(.recurrence, of: .rule, .exclusionRule)
    rule(.length, .duration, of: .duration)
    rule(.trigger, .trigger, of: .trigger)
    rule(.number(0...9), of: .priority)
    rule(.number(0...Int(Int32.max)), of: .sequence)
    rule(.number(0...100), of: .percentComplete)
    rule(.number(0...Int(Int32.max)), .repeat, of: .repeat)
    rule(.status, of: .status)
    rule(.action, .action, of: .action)
    rule(.none, .description, of: .description)
    rule(.none, .summary, of: .summary)
    rule(.start, of: .start)
    rule(.person, of: .attendee, .organizer)
    for property in [
      PropertyName.stamp, .created, .lastModified, .completed, .finish, .due, .duration, .priority,
      .sequence, .percentComplete, .status, .summary, .start, .organizer, .uid, .location,
      .classification, .transparency, .url, .geo, .recurrenceID,
    ] {
      rules[Int(property.rawValue)].bit = 1 << UInt64(property.rawValue)
    }
    return rules
  }()

  /// The words of STATUS, by what component has them.
  ///
  /// Source: RFC 5545 section 3.8.1.11.
  static let statuses: [(kind: String, words: [String])] = [
    ("VEVENT", ["TENTATIVE", "CONFIRMED", "CANCELLED"]),
    ("VTODO", ["NEEDS-ACTION", "COMPLETED", "IN-PROCESS", "CANCELLED"]),
    ("VJOURNAL", ["DRAFT", "FINAL", "CANCELLED"]),
  ]

  /// Looks at one component.
  ///
  /// - Parameter text: canonical.
  mutating func look(at text: UnsafeBufferPointer<UInt8>) {
    var depth = 0
    // A place among the statuses.
    var kind: Int?
    var alarm: AlarmParts?
    var times = Times()
    var position = 0
    let rules = StrictReading.rules
    while position < text.count {
      var letters = PropertyName.Letters()
      while position < text.count, text[position] != .colon, text[position] != .semicolon,
        text[position] != 0x0A
      {
        letters.add(text[position])
        position += 1
      }
      let property = PropertyName(letters)
      let rule = rules[Int(property.rawValue)]
      if depth == 2 { alarm?.insert(rule.part) }
      if depth == 1, rule.bit != 0 {
        if times.seen & rule.bit != 0 {
          note(property, "it stands there twice", quoting: false, in: text)
        }
        times.seen |= rule.bit
      }
      switch rule.form {
      case .none:
        skipLine(of: text, &position)
        continue
      case .person:
        if let fault = StrictReading.parameterFault(text, from: position) {
          note(property, fault, quoting: false, in: text)
        }
        skipLine(of: text, &position)
        continue
      default: break
      }
      readValue(of: text, &position)
      switch rule.form {
      case .begin:
        depth += 1
        if depth == 1 { kind = StrictReading.statuses.firstIndex { isWord($0.kind) } }
        if depth == 2, isWord("VALARM") { alarm = [] }
      case .end:
        depth -= 1
        if depth == 0 { noteFaults(of: times, in: text) }
        guard depth == 1, let whole = alarm.take() else { continue }
        if let fault = whole.fault { note("VALARM", fault, quoting: false, in: text) }
      case .action:
        if isWord("DISPLAY") { alarm?.insert(.display) }
        if isWord("EMAIL") { alarm?.insert(.mail) }
      default:
        if depth == 1 { take(property, into: &times) }
        guard depth == 1 || depth == 2 && alarm != nil,
          let reason = reason(against: rule.form, of: kind)
        else { continue }
        note(property, reason, in: text)
      }
    }
  }

  private func take(_ property: PropertyName, into times: inout Times) {
    switch property {
    case .start: times.isStartDay = times.isStartDay ?? (value.count == 8)
    case .duration: times.hasLength = true
    case .finish, .due:
      guard times.isEndDay == nil, value.withUnsafeBufferPointer(StrictReading.isInstant)
      else { return }
      times.isEndDay = value.count == 8
    default: break
    }
  }

  private mutating func noteFaults(of times: Times, in text: UnsafeBufferPointer<UInt8>) {
    guard let isEndDay = times.isEndDay else { return }
    if times.hasLength {
      note(.duration, "it stands beside an end", quoting: false, in: text)
    }
    if let isStartDay = times.isStartDay, isStartDay != isEndDay {
      note(.start, "of start and end one is a day and one has a time", quoting: false, in: text)
    }
  }

  /// Why the parameters of a person are none: the CN has a comma in no quotes, by which it is a list, or a value has a
  /// quote in its quotes, with a backslash as some programs write it. nil where they are.
  ///
  /// - Parameter start: where the parameters begin.
  private static func parameterFault(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> String? {
    var (isQuoted, isName) = (false, false)
    var name = PropertyName.Letters()
    var place = start
    // What stood before, and whether a quote that may end the quotes has a backslash before it.
    var former: UInt8 = 0
    var isInDoubt = false
    while place < text.count {
      let octet = text[place]
      // What follows tells whether it has ended them.
      if isInDoubt, octet != 0x0D, octet != 0x0A {
        if octet != .semicolon, octet != .colon, octet != .comma {
          return "a quote stands in the quotes of a parameter"
        }
        isInDoubt = false
      }
      switch octet {
      case .quote where isQuoted && former == .backslash:
        isQuoted = false
        isInDoubt = true
      case .quote: isQuoted.toggle()
      case _ where isQuoted && octet != 0x0A: break
      case .colon: return nil
      case .semicolon: (name, isName) = (PropertyName.Letters(), false)
      case UInt8(ascii: "="): isName = name.isCommonName
      case .comma where isName: return "a comma in CN stands in no quotes"
      case 0x0D: break
      case 0x0A:
        // The space of a fold follows.
        place += 1
        if place == text.count || text[place] != 0x20 { return nil }
        place += 1
        continue
      default: name.add(octet)
      }
      if octet != 0x0D { former = octet }
      place += 1
    }
    return nil
  }

  /// Goes on behind a line and its folds.
  private func skipLine(of text: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    repeat {
      position = min(text.lineBreak(from: position) + 1, text.count)
    } while position < text.count && text[position] == 0x20
  }

  /// Takes the value of a line and goes on behind it.
  private mutating func readValue(of text: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    value.removeAll(keepingCapacity: true)
    if readUnfolded(text, &position) { return }
    var isInValue = false
    var isQuoted = false
    while position < text.count {
      let octet = text[position]
      position += 1
      if octet == 0x0A {
        if position == text.count || text[position] != 0x20 { return }
        position += 1
      } else if isInValue {
        if octet != 0x0D { value.append(octet) }
      } else if octet == .quote {
        isQuoted.toggle()
      } else if octet == .colon, !isQuoted {
        isInValue = true
      }
    }
  }

  /// Takes the value of a line without folds and quotes, as nearly all are; returns whether it is one.
  private mutating func readUnfolded(
    _ text: UnsafeBufferPointer<UInt8>, _ position: inout Int
  ) -> Bool {
    var end = text.lineBreak(from: position)
    if end + 1 < text.count, text[end + 1] == 0x20 { return false }
    var start = position
    while start < end, text[start] != .colon {
      if text[start] == .quote { return false }
      start += 1
    }
    position = min(end + 1, text.count)
    if end > 0, text[end - 1] == 0x0D { end -= 1 }
    if start < end {
      value.append(contentsOf: UnsafeBufferPointer(rebasing: text[(start + 1)..<end]))
    }
    return true
  }

  /// Whether the value is a word, in any case.
  private func isWord(_ word: String) -> Bool {
    value.elementsEqual(word.utf8, by: { $0.upperCased == $1 })
  }

  // MARK: Values

  /// Why the value is none of its form; nil where it is one.
  private func reason(against form: Form, of kind: Int?) -> String? {
    value.withUnsafeBufferPointer { value in
      switch form {
      case .instants:
        StrictReading.isList(value, of: StrictReading.isInstant)
          ? nil : "is no day and no time that there is"
      case .periods:
        StrictReading.isList(value) { StrictReading.isInstant($0) || StrictReading.isPeriod($0) }
          ? nil : "is no day, no time and no period that there is"
      case .length: StrictReading.isLength(value) ? nil : "is no length"
      case .trigger:
        StrictReading.isLength(value) || StrictReading.isInstant(value)
          ? nil : "is no length and no time"
      case .number(let range):
        StrictReading.number(value).map(range.contains) ?? false
          ? nil : "is no number from \(range.lowerBound) to \(range.upperBound)"
      case .recurrence:
        value.isEmpty || (try? RecurrenceRule(text: String(decoding: value, as: UTF8.self))) != nil
          ? nil : "is no rule that can be read"
      case .status:
        kind.map { StrictReading.statuses[$0].words.contains(where: isWord) } ?? true
          ? nil : "is no status of its component"
      case .begin, .end, .action, .start, .person, .none: nil
      }
    }
  }

  private static func isList(
    _ value: UnsafeBufferPointer<UInt8>, of isOne: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    if !value.contains(.comma) { return isOne(value) }
    return value.split(separator: .comma, omittingEmptySubsequences: false).allSatisfy {
      isOne(UnsafeBufferPointer(rebasing: $0))
    }
  }

  /// The number that digits stand for, as many as no number of a calendar has; nil for anything else.
  private static func number<Text: Collection<UInt8>>(_ text: Text) -> Int? {
    guard 1...10 ~= text.count else { return nil }
    var number = 0
    for octet in text {
      guard octet.isDigit else { return nil }
      number = number * 10 + Int(octet & 0x0F)
    }
    return number
  }

  /// Whether it is a DATE or DATE-TIME.
  private static func isInstant(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count == 8 || text.count == 15 || text.count == 16,
      let year = number(text[0..<4]), let month = number(text[4..<6]),
      let day = number(text[6..<8]), CivilDate(year: year, month: month, day: day) != nil
    else { return false }
    if text.count == 8 { return true }
    guard text[8].upperCased == UInt8(ascii: "T"),
      text.count == 15 || text[15].upperCased == UInt8(ascii: "Z"),
      let hour = number(text[9..<11]), let minute = number(text[11..<13]),
      let second = number(text[13..<15])
    else { return false }
    return hour < 24 && minute < 60 && second <= 60
  }

  private static func isPeriod(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let parts = text.split(separator: .slash, omittingEmptySubsequences: false)
      .map { UnsafeBufferPointer(rebasing: $0) }
    return parts.count == 2 && parts[0].count > 8 && isInstant(parts[0])
      && (isLength(parts[1]) || parts[1].count > 8 && isInstant(parts[1]))
  }

  /// Whether it is a DURATION with a number in it, its units in their order.
  ///
  /// Source: RFC 5545 section 3.3.6.
  private static func isLength(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = text[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard rest.popFirst()?.upperCased == UInt8(ascii: "P") else { return false }
    // Where among the units it may go on.
    let units: StaticString = "WDHMS"
    var (next, last) = (0, 2)
    var (isTime, hasNumber) = (false, false)
    while let first = rest.first {
      if first.upperCased == UInt8(ascii: "T"), !isTime {
        (isTime, next, last) = (true, 2, 5)
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix(while: \.isDigit)
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let unit = rest.popFirst(),
        let place = (next..<last).first(where: { units.utf8Start[$0] == unit.upperCased })
      else { return false }
      (hasNumber, next) = (true, place + 1)
    }
    return hasNumber
  }

  // MARK: Telling

  private mutating func note(
    _ property: PropertyName, _ reason: String, quoting: Bool = true,
    in text: UnsafeBufferPointer<UInt8>
  ) {
    note(property.text, reason, quoting: quoting, in: text)
  }

  private mutating func note(
    _ property: String, _ reason: String, quoting: Bool = true, in text: UnsafeBufferPointer<UInt8>
  ) {
    let kind = Kind(property: property, reason: reason)
    if let place = places[kind] { return faults[place].count += 1 }
    places[kind] = faults.count
    var component = Component()
    var problems = Problems(limit: 0)
    var reader = ComponentReader(Array(text), limits: .ofKeptText)
    _ = reader.next(&component, &problems)
    let quoted = quoting ? " \"\(String(decoding: value.prefix(60), as: UTF8.self))\"" : ":"
    faults.append(
      StrictFault(
        uid: component.uidText, summary: component.summaryText,
        text: "\(property)\(quoted) \(reason)"))
  }
}
