import CivilTime

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
    case status, action, text
    case start, person
    /// Of which nothing is looked at but whether it is there twice.
    case any
  }

  /// A property that is looked at.
  private struct Property {
    let name: String
    let form: Form
    /// What it is of a VALARM.
    var part: AlarmParts = []
    /// Its bit among those that a component has once; 0 of what it may have several times.
    var bit: UInt32 = 0

    var isEnd: Bool { name == "DTEND" || name == "DUE" }
  }

  /// What a component has had so far of what is held against each other.
  private struct Times {
    var seen: UInt32 = 0
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

  /// The properties by the length of their names: most lines are passed by at once.
  private static let properties: [[Property]] = {
    var properties: [[Property]] = Array(repeating: [], count: 17)
    var next: UInt32 = 1
    // A journal entry has several descriptions.
    let several: Set = [
      "BEGIN", "END", "ACKNOWLEDGED", "EXDATE", "RDATE", "TRIGGER", "REPEAT", "ACTION", "ATTENDEE",
      "DESCRIPTION",
    ]
    for property in [
      Property(name: "BEGIN", form: .begin), Property(name: "END", form: .end),
      Property(name: "DTSTAMP", form: .instants), Property(name: "CREATED", form: .instants),
      Property(name: "LAST-MODIFIED", form: .instants),
      Property(name: "COMPLETED", form: .instants), Property(name: "ACKNOWLEDGED", form: .instants),
      Property(name: "DTEND", form: .instants), Property(name: "DUE", form: .instants),
      Property(name: "EXDATE", form: .instants), Property(name: "RDATE", form: .periods),
      Property(name: "DURATION", form: .length, part: .duration),
      Property(name: "TRIGGER", form: .trigger, part: .trigger),
      Property(name: "PRIORITY", form: .number(0...9)),
      Property(name: "SEQUENCE", form: .number(0...Int(Int32.max))),
      Property(name: "PERCENT-COMPLETE", form: .number(0...100)),
      Property(name: "REPEAT", form: .number(0...Int(Int32.max)), part: .repeat),
      Property(name: "STATUS", form: .status),
      Property(name: "ACTION", form: .action, part: .action),
      Property(name: "DESCRIPTION", form: .text, part: .description),
      Property(name: "SUMMARY", form: .text, part: .summary),
      Property(name: "DTSTART", form: .start), Property(name: "ATTENDEE", form: .person),
      Property(name: "ORGANIZER", form: .person), Property(name: "UID", form: .any),
      Property(name: "LOCATION", form: .any), Property(name: "CLASS", form: .any),
      Property(name: "TRANSP", form: .any), Property(name: "URL", form: .any),
      Property(name: "GEO", form: .any), Property(name: "RECURRENCE-ID", form: .any),
    ] {
      var property = property
      if !several.contains(property.name) {
        property.bit = next
        next <<= 1
      }
      properties[property.name.utf8.count].append(property)
    }
    return properties
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
    while position < text.count {
      let start = position
      while position < text.count, text[position] != .colon, text[position] != .semicolon,
        text[position] != 0x0A
      {
        position += 1
      }
      guard let property = StrictReading.property(named: text[start..<position]) else {
        skipLine(of: text, &position)
        continue
      }
      if depth == 2 { alarm?.insert(property.part) }
      if depth == 1, property.bit != 0 {
        if times.seen & property.bit != 0 {
          note(property.name, "it stands there twice", quoting: false, in: text)
        }
        times.seen |= property.bit
      }
      switch property.form {
      case .text, .any:
        skipLine(of: text, &position)
        continue
      case .person where StrictReading.hasListAsName(text, from: position):
        note(
          property.name, "a comma in CN stands in no quotes", quoting: false, in: text)
        skipLine(of: text, &position)
        continue
      case .person:
        skipLine(of: text, &position)
        continue
      default: break
      }
      readValue(of: text, &position)
      switch property.form {
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
          let reason = reason(against: property.form, of: kind)
        else { continue }
        note(property.name, reason, in: text)
      }
    }
  }

  private func take(_ property: Property, into times: inout Times) {
    switch property.form {
    case .start: times.isStartDay = times.isStartDay ?? (value.count == 8)
    case .length: times.hasLength = true
    case .instants where property.isEnd && StrictReading.isInstant(value[...]):
      times.isEndDay = times.isEndDay ?? (value.count == 8)
    default: break
    }
  }

  private mutating func noteFaults(of times: Times, in text: UnsafeBufferPointer<UInt8>) {
    guard let isEndDay = times.isEndDay else { return }
    if times.hasLength {
      note("DURATION", "it stands beside an end", quoting: false, in: text)
    }
    if let isStartDay = times.isStartDay, isStartDay != isEndDay {
      note("DTSTART", "of start and end one is a day and one has a time", quoting: false, in: text)
    }
  }

  /// Whether the CN of a line has a comma in no quotes, by which it is a list.
  ///
  /// - Parameter start: where the parameters begin.
  private static func hasListAsName(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Bool {
    var (isQuoted, isName) = (false, false)
    var name: [UInt8] = []
    for (place, octet) in text[start...].enumerated() {
      switch octet {
      case .quote: isQuoted.toggle()
      case _ where isQuoted: break
      case .colon: return false
      case .semicolon: (name, isName) = ([], false)
      case UInt8(ascii: "="): isName = name.elementsEqual("CN".utf8)
      case .comma where isName: return true
      case 0x0D, 0x0A: break
      case 0x20 where place > 0 && text[start + place - 1] == 0x0A: break
      default: if name.count < 3 { name.append(octet.upperCased) }
      }
    }
    return false
  }

  private static func property(named name: Slice<UnsafeBufferPointer<UInt8>>) -> Property? {
    guard name.count < properties.count else { return nil }
    return properties[name.count].first {
      name.elementsEqual($0.name.utf8, by: { $0.upperCased == $1 })
    }
  }

  /// Goes on behind a line and its folds.
  private func skipLine(of text: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    while position < text.count {
      position += 1
      if text[position - 1] == 0x0A, position == text.count || text[position] != 0x20 { return }
    }
  }

  /// Takes the value of a line and goes on behind it.
  private mutating func readValue(of text: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    value.removeAll(keepingCapacity: true)
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

  /// Whether the value is a word, in any case.
  private func isWord(_ word: String) -> Bool {
    value.elementsEqual(word.utf8, by: { $0.upperCased == $1 })
  }

  // MARK: Values

  /// Why the value is none of its form; nil where it is one.
  private func reason(against form: Form, of kind: Int?) -> String? {
    switch form {
    case .instants:
      isList(of: StrictReading.isInstant) ? nil : "is no day and no time that there is"
    case .periods:
      isList { StrictReading.isInstant($0) || StrictReading.isPeriod($0) }
        ? nil : "is no day, no time and no period that there is"
    case .length: StrictReading.isLength(value[...]) ? nil : "is no length"
    case .trigger:
      StrictReading.isLength(value[...]) || StrictReading.isInstant(value[...])
        ? nil : "is no length and no time"
    case .number(let range):
      value.count <= 10 && value.allSatisfy(\.isDigit)
        && Int(String(decoding: value, as: UTF8.self)).map(range.contains) ?? false
        ? nil : "is no number from \(range.lowerBound) to \(range.upperBound)"
    case .status:
      kind.map { StrictReading.statuses[$0].words.contains(where: isWord) } ?? true
        ? nil : "is no status of its component"
    case .begin, .end, .action, .text, .start, .person, .any: nil
    }
  }

  private func isList(of isOne: (ArraySlice<UInt8>) -> Bool) -> Bool {
    value.split(separator: .comma, omittingEmptySubsequences: false).allSatisfy(isOne)
  }

  /// Whether it is a DATE or DATE-TIME.
  private static func isInstant(_ text: ArraySlice<UInt8>) -> Bool {
    func number(_ first: Int, _ count: Int) -> Int {
      text.dropFirst(first).prefix(count).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }
    let start = text.startIndex
    guard text.count == 8 || text.count == 15 || text.count == 16,
      text.prefix(8).allSatisfy(\.isDigit),
      CivilDate(year: number(0, 4), month: number(4, 2), day: number(6, 2)) != nil
    else { return false }
    if text.count == 8 { return true }
    return text[start + 8].upperCased == UInt8(ascii: "T")
      && text[(start + 9)..<(start + 15)].allSatisfy(\.isDigit)
      && (text.count == 15 || text[start + 15].upperCased == UInt8(ascii: "Z"))
      && number(9, 2) < 24 && number(11, 2) < 60 && number(13, 2) <= 60
  }

  private static func isPeriod(_ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: .slash, omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].count > 8 && isInstant(parts[0])
      && (isLength(parts[1]) || parts[1].count > 8 && isInstant(parts[1]))
  }

  /// Whether it is a DURATION with a number in it, its units in their order.
  ///
  /// Source: RFC 5545 section 3.3.6.
  private static func isLength(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard rest.popFirst()?.upperCased == UInt8(ascii: "P") else { return false }
    var units = Array("WD".utf8)[...]
    var (isTime, hasNumber) = (false, false)
    while let first = rest.first {
      if first.upperCased == UInt8(ascii: "T"), !isTime {
        (isTime, units) = (true, Array("HMS".utf8)[...])
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix(while: \.isDigit)
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let unit = rest.popFirst(),
        let place = units.firstIndex(of: unit.upperCased)
      else { return false }
      hasNumber = true
      units = units[(place + 1)...]
    }
    return hasNumber
  }

  // MARK: Telling

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
