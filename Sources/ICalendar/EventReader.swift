import CalendarModel
import CivilTime
import Recurrence

/// Reads a VEVENT into an event.
struct EventReader {
  let zones: ZoneNames
  /// The rules of a zone that ``zones`` names.
  let rules: (String) -> ZoneRules?
  let limits: ReadLimits
  /// Whether an end before the start is refused; not where ``rules`` does not
  /// know every zone.
  var checksOrder = true
  var problems: Problems

  init(
    zones: ZoneNames, rules: @escaping (String) -> ZoneRules?, limits: ReadLimits,
    problems: Problems
  ) {
    self.zones = zones
    self.rules = rules
    self.limits = limits
    self.problems = problems
  }

  /// What makes an event unreadable, and where.
  struct Refusal: Error {
    let line: ContentLine?
    let fault: ValueFault
  }

  /// What one VEVENT came to.
  struct Reading {
    var event: Event
    /// DTSTAMP, which tells versions apart; nil if there is none.
    var stamp: Timestamp?
  }

  /// Returns the event, without its ``Event/component``; nil if it cannot be
  /// read, and the reason is in ``problems``.
  mutating func read(_ component: Component) -> Reading? {
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
    problems.add(
      ParseDiagnostic(
        line: line.number, column: max(1, fault.offset - line.name.lowerBound + 1), uid: uid,
        word: fault.word, text: "\(component.string(line.name)): \(fault.reason)",
        severity: severity))
  }

  mutating func tolerate(
    _ component: Component, _ line: ContentLine, _ word: String, _ reason: String, uid: String,
    at offset: Int? = nil
  ) {
    let fault = ValueFault(word: word, reason: reason, offset: offset ?? line.valueStart)
    tell(component, line, fault, uid: uid, severity: .tolerated)
  }

  // MARK: Properties

  private mutating func event(_ component: Component, uid: String) throws(Refusal) -> Reading {
    guard let start = component.first(.start) else {
      let fault = ValueFault(
        word: "missing-dtstart", reason: "the event has no DTSTART",
        offset: component.lines[0].name.lowerBound)
      throw Refusal(line: nil, fault: fault)
    }
    // It is filled where it stands: an event is large, and copies are dear.
    var reading = Reading(
      event: Event(uid: EventUID(uid), start: try time(component, start, uid: uid)), stamp: nil)
    var finish: ContentLine?
    var duration: ContentLine?
    var seen: UInt64 = 0
    var depth = 0
    var alarmStart: Int?
    var alarms = 0
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
      guard depth == 1, line.property != .other else { continue }
      if !line.property.mayRepeat {
        let bit = UInt64(1) << UInt64(line.property.rawValue)
        guard seen & bit == 0 else {
          tolerate(
            component, line, "duplicate-property", "it stands there twice; the first counts",
            uid: uid)
          continue
        }
        seen |= bit
      }
      switch line.property {
      case .stamp: reading.stamp = instant(component, line, uid: uid)
      case .finish: finish = line
      case .duration: duration = line
      case .recurrenceID:
        reading.event.recurrenceID = try time(component, line, uid: uid)
        if let range = component.parameter("RANGE", of: line) {
          reading.event.appliesToFuture = component.isName(range, "THISANDFUTURE")
        }
      case .rule:
        if let rule = try rule(component, line, of: reading.event) {
          reading.event.recurrence.rules.append(rule)
        }
      case .exclusionRule:
        if let rule = try rule(component, line, of: reading.event) {
          reading.event.recurrence.exclusionRules.append(rule)
        }
      case .addedDates, .excludedDates:
        try read(dates: line, of: component, into: &reading.event.recurrence, uid: uid)
      case .summary: reading.event.summary = component.text(line.value)
      case .location: reading.event.location = component.text(line.value)
      case .description:
        if reading.event.description.isEmpty {
          reading.event.description = component.text(line.value)
        }
      case .url: reading.event.url = component.string(component.trimmed(line.value))
      case .status: reading.event.status = word(component, line) ?? .confirmed
      case .transparency: reading.event.isBusy = !component.isName(line.value, "TRANSPARENT")
      // A class that we do not know is to be treated as PRIVATE: section 3.8.1.3.
      case .classification: reading.event.classification = word(component, line) ?? .private
      case .color, .exactColor:
        // Ours is exact where COLOR can only name the nearest colour.
        if line.property == .exactColor || seen & PropertyName.exactColor.bit == 0 {
          let text = component.string(component.trimmed(line.value))
          reading.event.color = EventColor(calendarText: text) ?? reading.event.color
        }
      case .categories:
        for part in component.list(line.value) where !component.trimmed(part).isEmpty {
          reading.event.categories.append(component.text(component.trimmed(part)))
        }
      case .organizer: reading.event.organizer = component.attendee(line)
      case .attendee: reading.event.attendees.append(component.attendee(line))
      case .sequence: reading.event.sequence = component.integer(line.value) ?? 0
      case .created: reading.event.created = instant(component, line, uid: uid)
      case .lastModified: reading.event.lastModified = instant(component, line, uid: uid)
      default: continue
      }
    }
    reading.event.end = try end(
      component, start, reading.event.start, finish: finish, duration: duration, uid: uid)
    return reading
  }

  /// The word of a property as a case; nil if we have no such case.
  private func word<Value: RawRepresentable<String>>(
    _ component: Component, _ line: ContentLine
  ) -> Value? {
    Value(rawValue: component.string(component.trimmed(line.value)).lowercased())
  }

  private mutating func instant(
    _ component: Component, _ line: ContentLine, uid: String
  ) -> Timestamp? {
    do throws(ValueFault) { return try component.instant(line.value) } catch {
      tell(component, line, error, uid: uid, severity: .tolerated)
      return nil
    }
  }

  private mutating func read(
    alarm lines: Range<Int>, number: Int, of component: Component, into event: inout Event
  ) {
    guard number <= limits.maximumAlarms else {
      if number == limits.maximumAlarms + 1 {
        tolerate(
          component, component.lines[lines.lowerBound], "too-many-alarms",
          "more than \(limits.maximumAlarms) alarms; those from here on do not ring",
          uid: event.uid.text)
      }
      return
    }
    let start = event.start
    do throws(ValueFault) {
      var alarm = try component.alarm(lines, position: number) { reading in
        start.zoneName.flatMap(rules)?.instant(of: reading) ?? Timestamp(reading, offset: .utc)
      }
      // Two alarms with one UID would be one reminder.
      if event.alarms.contains(where: { $0.id == alarm.id }) { alarm.id = String(number) }
      event.alarms.append(alarm)
    } catch {
      let line = component.lines[lines].first { $0.property == .trigger }
      tell(
        component, line ?? component.lines[lines.lowerBound], error, uid: event.uid.text,
        severity: .tolerated)
    }
  }
}

extension PropertyName {
  fileprivate var bit: UInt64 { 1 << UInt64(rawValue) }
}

extension Component {
  /// Reads an ATTENDEE or ORGANIZER.
  func attendee(_ line: ContentLine) -> Attendee {
    let participation = parameterText("PARTSTAT", of: line)
    return Attendee(
      address: string(trimmed(line.value)), name: parameterText("CN", of: line),
      participation: participation.isEmpty ? "needs-action" : participation.lowercased())
  }
}
