import CalendarModel
import CivilTime
import Messages
import Recurrence

/// Reads a VEVENT, VTODO, VJOURNAL or VFREEBUSY.
struct EventReader {
  let zones: ZoneNames
  /// The rules of a zone that ``zones`` names.
  let rules: (String) -> ZoneRules?
  let limits: ReadLimits
  /// Whether an end before the start is corrected; false if ``rules`` does not know every zone.
  var checksOrder = true
  /// Whether an event is kept without an RRULE that cannot be read.
  ///
  /// Not for a row of a table, which would remove the rule of a stored event.
  var keepsUnreadRules = true
  /// Whether the text is vCalendar 1.0, whose rules are then expected.
  var isVCalendar = false
  var problems: Problems
  /// New texts for lines of the last component, by index: lines that were read in a corrected form.
  private(set) var mended: [Int: String] = [:]
  /// The values of RDATE and EXDATE in the component that could not be read.
  var unreadDates = 0
  /// Problems that are only reported once: half the events of a file may share one.
  private var toldOnce: Set<UserText> = []

  init(
    zones: ZoneNames, rules: @escaping (String) -> ZoneRules?, limits: ReadLimits,
    problems: Problems
  ) {
    self.zones = zones
    self.rules = rules
    self.limits = limits
    self.problems = problems
  }

  /// Why an event cannot be read, and where.
  struct Refusal: Error {
    let line: ContentLine?
    let fault: ValueFault
  }

  /// The result of reading one component.
  struct Reading {
    var event: Event
    /// DTSTAMP, for comparing versions; nil if there is none.
    var stamp: Timestamp?
    /// The line of the text at which it begins; 0 for stored text.
    var line = 0
    /// The METHOD that it came with.
    var message = SchedulingMessage.whole
  }

  /// Returns the event without ``Event/component``; nil, with a problem reported, if it is refused.
  mutating func read(_ component: Component) -> Reading? {
    if !mended.isEmpty { mended.removeAll() }
    unreadDates = 0
    let uid = component.uidText
    do throws(Refusal) {
      return try event(component, uid: uid)
    } catch {
      let line = error.line ?? component.lines[0]
      tell(component, line, error.fault, uid: uid, severity: .refused)
      return nil
    }
  }

  mutating func tell(
    _ component: Component, _ line: ContentLine, _ fault: ValueFault, uid: String,
    severity: ParseDiagnostic.Severity
  ) {
    if severity == .tolerated, problems.isFull { return }
    problems.add(
      ParseDiagnostic(
        line: line.number, column: max(1, fault.offset - line.name.lowerBound + 1), uid: uid,
        summary: component.summaryText, word: fault.word,
        text: UserText(
          "{property}: {problem}",
          ["property": component.excerpt(line.name), "problem": fault.reason]),
        severity: severity))
  }

  mutating func tolerate(
    _ component: Component, _ line: ContentLine, _ word: String, _ reason: UserText, uid: String,
    at offset: Int? = nil
  ) {
    let fault = ValueFault(word: word, reason: reason, offset: offset ?? line.valueStart)
    tell(component, line, fault, uid: uid, severity: .tolerated)
  }

  /// Reads CATEGORIES, up to the limit.
  private mutating func read(
    categories line: ContentLine, of component: Component, into event: inout Event
  ) {
    for part in component.list(line.value) {
      let word = component.trimmed(part)
      if word.isEmpty { continue }
      guard event.categories.count < limits.maximumCategories else {
        let reason = UserText(
          "more than {limit} categories; the rest are kept, but not used",
          ["limit": limits.maximumCategories])
        return tolerate(
          component, line, "too-many-categories", reason, uid: event.uid.text, at: word.lowerBound)
      }
      event.categories.append(component.text(word))
    }
  }

  /// Reports a problem the first time that it occurs.
  mutating func tolerateOnce(
    _ component: Component, _ line: ContentLine, _ word: String, _ reason: UserText, uid: String,
    at offset: Int? = nil
  ) {
    guard toldOnce.insert(reason).inserted else { return }
    let text = UserText("{problem} (reported once)", ["problem": reason])
    tolerate(component, line, word, text, uid: uid, at: offset)
  }

  /// Records the corrected text of a line.
  mutating func mend(_ line: ContentLine, of component: Component, _ text: String) {
    // Binary search: lines are in the order of their octets, and there may be 100,000.
    let index = component.lines.partitioningIndex {
      $0.name.lowerBound >= line.name.lowerBound
    }
    if index < component.lines.count { mended[index] = text }
  }

  // MARK: Properties

  private mutating func event(_ component: Component, uid: String) throws(Refusal) -> Reading {
    let kind = component.kind ?? .event
    let (anchor, start) = try anchor(of: component, kind)
    // Filled in place, since an event is expensive to copy.
    var reading = Reading(
      event: Event(
        uid: EventUID(uid),
        start: try start.map { (line) throws(Refusal) in try time(component, line, uid: uid) }
          ?? Event.noStart),
      stamp: nil)
    reading.event.kind = kind
    reading.event.anchor = anchor
    var toDo = kind == .event ? nil : reading.event.toDo
    let finishes: PropertyName = toDo == nil ? .finish : .due
    var finish: ContentLine?
    var duration: ContentLine?
    var seen: UInt64 = 0
    var depth = 0
    var alarmStart: Int?
    var alarms = 0
    var markedAddress: String?
    for (index, line) in component.lines.enumerated() {
      if line.property == .begin {
        depth += 1
        if depth == 2, component.isName(line.value, "VALARM") { alarmStart = index }
        continue
      }
      if line.property == .end {
        depth -= 1
        if depth == 1, let first = alarmStart {
          alarmStart = nil
          alarms += 1
          read(alarm: first..<index + 1, number: alarms, of: component, into: &reading.event)
        }
        continue
      }
      guard depth == 1 else { continue }
      if line.property == .other {
        if markedAddress == nil, component.isMeetingMark(line) {
          markedAddress = component.secureAddress(line)
        }
        continue
      }
      if !line.property.mayRepeat {
        let bit = UInt64(1) << UInt64(line.property.rawValue)
        guard seen & bit == 0 else {
          if line.property == .uid {
            throw Refusal(
              line: line,
              fault: ValueFault(
                word: "duplicate-property",
                reason: UserText("it appears twice: an END and a BEGIN before it are missing"),
                offset: line.valueStart))
          }
          tolerate(
            component, line, "duplicate-property",
            UserText("it appears twice; the first one is used"),
            uid: uid)
          continue
        }
        seen |= bit
      }
      switch line.property {
      case .stamp where component.parameter(Event.stampParameter, of: line) == nil:
        reading.stamp = instant(component, line, uid: uid)
      case finishes: finish = line
      case .duration: duration = line
      case .recurrenceID:
        reading.event.recurrenceID = try time(component, line, uid: uid)
        if let range = component.parameter("RANGE", of: line) {
          reading.event.appliesToFuture = component.isName(range, "THISANDFUTURE")
        }
      case .rule:
        try read(rule: line, of: component, into: &reading.event, \.rules)
      case .exclusionRule:
        try read(rule: line, of: component, into: &reading.event, \.exclusionRules)
      case .addedDates, .excludedDates:
        try read(dates: line, of: component, into: &reading.event, uid: uid)
      case .summary: reading.event.summary = component.text(line.value)
      case .location: reading.event.location = component.text(line.value)
      case .description:
        if reading.event.description.isEmpty {
          reading.event.description = component.text(line.value)
        }
      case .url: reading.event.url = component.string(component.trimmed(line.value))
      case .conference where reading.event.conference.isEmpty && component.isMeeting(line):
        reading.event.conference = component.secureAddress(line) ?? ""
      case .status where toDo != nil:
        toDo?.status =
          status(component, line, of: kind, uid: uid).flatMap(ToDo.Status.init) ?? .needsAction
      case .status:
        reading.event.status =
          status(component, line, of: kind, uid: uid).flatMap(Event.Status.init) ?? .confirmed
      case .completed: toDo?.completed = instant(component, line, uid: uid)
      // An invalid number is reported for events as well.
      case .percentComplete:
        let percent = number(component, line, in: 0...100, uid: uid)
        toDo?.percentComplete = percent
      case .priority:
        let priority = number(component, line, in: 0...9, uid: uid)
        toDo?.priority = priority
      case .transparency: reading.event.isBusy = !component.isName(line.value, "TRANSPARENT")
      // An unknown class is treated as PRIVATE: section 3.8.1.3.
      case .classification: reading.event.classification = word(component, line) ?? .private
      case .color, .exactColor:
        // Our property has the exact colour, COLOR only the nearest name.
        if line.property == .exactColor || seen & PropertyName.exactColor.bit == 0 {
          let text = component.string(component.trimmed(line.value))
          reading.event.color = EventColor(calendarText: text) ?? reading.event.color
        }
      case .categories:
        read(categories: line, of: component, into: &reading.event)
      case .organizer: reading.event.organizer = attendee(component, line, uid: uid)
      case .attendee: reading.event.attendees.append(attendee(component, line, uid: uid))
      case .sequence: reading.event.sequence = number(component, line, in: 0..., uid: uid)
      case .created: reading.event.created = instant(component, line, uid: uid)
      case .lastModified: reading.event.lastModified = instant(component, line, uid: uid)
      default: continue
      }
    }
    if reading.event.conference.isEmpty { reading.event.conference = markedAddress ?? "" }
    if let toDo { reading.event.kind = .toDo(toDo) }
    if !reading.event.alarms.isEmpty, reading.event.recurrence.isTooDenseToRing {
      tolerate(
        component, component.first(.rule) ?? component.lines[0], "too-dense-to-ring",
        UserText(
          RecurrencePattern.mostInstancesToRing,
          one: "it happens more than {count} time a day: it has no reminders",
          other: "it happens more than {count} times a day: it has no reminders"),
        uid: uid)
    }
    // Without DTSTART there is no duration: DUE is the only time.
    if let start, anchor == .start {
      reading.event.end = try end(
        component, start, reading.event.start, finish: finish, duration: duration, uid: uid)
    }
    return reading
  }

  /// Returns the property that the start comes from and its line; nil if there is no time.
  ///
  /// - Throws: ``Refusal`` for an event without DTSTART.
  private func anchor(
    of component: Component, _ kind: Event.Kind
  ) throws(Refusal) -> (Event.Anchor, ContentLine?) {
    if let start = component.first(.start) { return (.start, start) }
    if kind == .event {
      let fault = ValueFault(
        word: "missing-dtstart", reason: UserText("the event has no DTSTART"),
        offset: component.lines[0].name.lowerBound)
      throw Refusal(line: nil, fault: fault)
    }
    if case .toDo = kind, let due = component.first(.due) { return (.due, due) }
    // An override may only tell that its occurrence is done.
    if let id = component.first(.recurrenceID) { return (.recurrenceID, id) }
    return (.none, nil)
  }

  /// Returns a value as an enum case; nil for an unknown word.
  private func word<Value: RawRepresentable<String>>(
    _ component: Component, _ line: ContentLine
  ) -> Value? {
    Value(rawValue: component.string(component.trimmed(line.value)).lowercased())
  }

  /// Reads a number; an invalid one is reported, stays in the text, and counts as 0.
  private mutating func number(
    _ component: Component, _ line: ContentLine, in range: some RangeExpression<Int>, uid: String
  ) -> Int {
    if let number = component.integer(line.value), range.contains(number) { return number }
    ignoreNumber(component, line, uid: uid)
    return 0
  }

  /// The values of STATUS, by component.
  private static let statuses = [
    "VEVENT": ["TENTATIVE", "CONFIRMED", "CANCELLED"],
    "VTODO": ["NEEDS-ACTION", "COMPLETED", "IN-PROCESS", "CANCELLED"],
    "VJOURNAL": ["DRAFT", "FINAL", "CANCELLED"],
  ]

  /// Returns a STATUS in lower case; nil, with a problem reported, if the component cannot have it.
  ///
  /// Source: RFC 5545 section 3.8.1.11.
  private mutating func status(
    _ component: Component, _ line: ContentLine, of kind: Event.Kind, uid: String
  ) -> String? {
    let word = component.string(component.trimmed(line.value)).lowercased()
    let known = EventReader.statuses[kind.componentName]
    if known?.contains(word.uppercased()) ?? true { return word }
    ignore(
      component, line,
      UserText(
        "\"{value}\" is not a status of a {component}; it is ignored, but kept for an export",
        ["value": component.excerpt(line.value), "component": kind.componentName]),
      uid: uid)
    return nil
  }

  /// Reports a value that is ignored and stays in the text.
  private mutating func ignore(
    _ component: Component, _ line: ContentLine, _ reason: UserText, uid: String
  ) {
    if component.trimmed(line.value).isEmpty {
      return tolerateOnce(component, line, "empty", EventReader.emptyValue, uid: uid)
    }
    tolerate(component, line, "bad-value", reason, uid: uid)
  }

  static let emptyValue = UserText("an empty value is ignored")

  /// Reports a value that is not a number, or out of range.
  mutating func ignoreNumber(_ component: Component, _ line: ContentLine, uid: String) {
    ignore(
      component, line,
      UserText(
        "\"{value}\" is not a valid number; it is ignored, but kept for an export",
        ["value": component.excerpt(line.value)]),
      uid: uid)
  }

  private mutating func attendee(
    _ component: Component, _ line: ContentLine, uid: String
  ) -> Attendee {
    let attendee = component.attendee(line)
    if !isVCalendar, attendee.address.utf8.count > component.trimmed(line.value).count {
      tolerateOnce(
        component, line, "no-mailto",
        UserText("an address without \"mailto:\" is read as if it had that"), uid: uid)
    }
    if let name = component.parameter("CN", of: line),
      component.octets[name].contains(.comma), component.octets[name.lowerBound - 1] != .quote
    {
      tolerateOnce(
        component, line, "unquoted-comma",
        UserText("a comma in CN is not in quotes; all of it is read as the name"), uid: uid,
        at: name.lowerBound)
    }
    return attendee
  }

  private mutating func instant(
    _ component: Component, _ line: ContentLine, uid: String
  ) -> Timestamp? {
    do throws(ValueFault) { return try component.instant(line.value) } catch {
      tell(component, line, error, uid: uid, severity: .tolerated)
      return nil
    }
  }
}

extension Component {
  /// Its kind; nil for a component of another name.
  var kind: Event.Kind? {
    guard let name = lines.first?.value else { return nil }
    if isName(name, "VEVENT") { return .event }
    return Event.Kind.others.first { isName(name, $0.componentName) }
  }

  /// Whether a reply with this component answers an invitation; a VFREEBUSY does not.
  var isAnsweredByItself: Bool {
    switch kind {
    case .event, .toDo, .journal: true
    case .freeBusy, .other, nil: false
    }
  }

  /// Whether METHOD:CANCEL can cancel it; to-dos and journals only as a whole.
  var isCancelledByItself: Bool {
    switch kind {
    case .event: true
    case .toDo, .journal: first(.recurrenceID) == nil
    case .freeBusy, .other, nil: false
    }
  }
}

extension Event.Kind {
  /// All kinds but events, which are the most frequent.
  fileprivate static let others: [Event.Kind] = [.toDo(ToDo()), .journal, .freeBusy]

  /// The name of the component in a file.
  var componentName: String {
    switch self {
    case .event: "VEVENT"
    case .toDo: "VTODO"
    case .journal: "VJOURNAL"
    case .freeBusy: "VFREEBUSY"
    // Its text has its name.
    case .other: "component"
    }
  }
}

extension PropertyName {
  fileprivate var bit: UInt64 { 1 << UInt64(rawValue) }
}

extension Component {
  /// Returns the address of a person, with "mailto:" in lower case.
  ///
  /// It is added to a mail address without a scheme.
  private func address(_ value: Range<Int>) -> String {
    let value = trimmed(value)
    let scheme = "mailto:"
    if octets[value].starts(with: scheme.utf8, by: { $0.upperCased == $1.upperCased }) {
      return scheme + string(value.dropFirst(scheme.utf8.count))
    }
    let isMail =
      octets[value].contains(UInt8(ascii: "@"))
      && !octets[value].contains { $0 == .colon || $0 == .slash || $0 <= 0x20 }
    return (isMail ? scheme : "") + string(value)
  }

  /// Reads an ATTENDEE or ORGANIZER.
  func attendee(_ line: ContentLine) -> Attendee {
    let participation = parameterText("PARTSTAT", of: line)
    return Attendee(
      address: address(line.value), name: parameterText("CN", of: line),
      participation: participation.isEmpty ? "needs-action" : participation.lowercased())
  }
}
