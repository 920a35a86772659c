package import CalendarModel
import CivilTime
import Messages

extension Component {
  /// Reads the VALARM in these lines.
  ///
  /// An action that nobody knows raises nothing, as the RFC asks; one that is
  /// not given is taken for DISPLAY. An absolute trigger without Z is on the
  /// clock of `zone`.
  ///
  /// - Parameters:
  ///   - position: The number of the alarm in its event, from 1: its identifier
  ///     if it has no UID.
  ///   - event: The UID of the event, of which a UID that we gave is made.
  ///   - instant: The instant of a reading without Z.
  /// - Throws: ``ValueFault`` for a trigger that is missing or unreadable.
  ///
  /// Source: RFC 5545 section 3.6.6, RFC 9074 sections 4 to 6.
  func alarm(
    _ lines: Range<Int>, position: Int, event: EventUID, instant: (CivilDateTime) -> Timestamp
  ) throws(ValueFault) -> Alarm {
    var id = ""
    var action = Alarm.Action.display
    var trigger: Alarm.Trigger?
    var (count, interval) = (0, CalendarDuration.zero)
    var text = ""
    var acknowledged: Timestamp?
    var snoozeOf: String?
    var isOnClock = false
    var depth = 0
    for line in self.lines[lines] {
      switch line.property {
      case .begin: depth += 1
      case .end: depth -= 1
      // An alarm has components of its own since RFC 9073 (VLOCATION).
      case _ where depth > 1: continue
      case .uid: id = alarmID(line, in: event)
      case .action:
        action = Alarm.Action(rawValue: string(trimmed(line.value)).lowercased()) ?? .none
      case .trigger where trigger == nil:
        trigger = try self.trigger(line, instant: instant)
        isOnClock = parameter(Alarm.clockParameter, of: line).map { isName($0, "TRUE") } ?? false
      case .repeat: count = integer(line.value) ?? 0
      case .duration: interval = (try? duration(line.value)) ?? .zero
      case .description: text = self.text(line.value)
      case .acknowledged: acknowledged = try? self.instant(line.value)
      case .other where isName(line.name, "RELATED-TO"):
        guard let kind = parameter("RELTYPE", of: line), isName(kind, "SNOOZE") else { continue }
        snoozeOf = alarmID(line, in: event)
      default: continue
      }
    }
    guard let trigger else {
      throw ValueFault(
        word: "bad-trigger", reason: UserText("the alarm has no TRIGGER"),
        offset: self.lines[lines.lowerBound].name.lowerBound)
    }
    // Both or neither: RFC 5545 section 3.8.6.2.
    if interval.isZero || interval.isNegative { count = 0 }
    var alarm = Alarm(
      id: id.isEmpty ? String(position) : id, action: action, trigger: trigger,
      repeatCount: count, repeatInterval: count == 0 ? .zero : interval, text: text,
      acknowledged: acknowledged, snoozeOf: snoozeOf)
    if case .fromStart = trigger { alarm.isOnClock = isOnClock }
    return alarm
  }

  /// The ``Alarm/id`` for the UID in a line: the number in a name that we gave, else the UID as
  /// it stands.
  private func alarmID(_ line: ContentLine, in event: EventUID) -> String {
    Alarm.number(inUID: text(trimmed(line.value)), of: event) ?? string(trimmed(line.value))
  }

  private func trigger(
    _ line: ContentLine, instant: (CivilDateTime) -> Timestamp
  ) throws(ValueFault) -> Alarm.Trigger {
    var value = trimmed(line.value)
    // Some write the parameter behind the colon.
    let misplaced = "VALUE=DATE-TIME:".utf8
    if octets[value].starts(with: misplaced, by: { $0 & 0xDF == $1 & 0xDF }) {
      value = value.lowerBound + misplaced.count..<value.upperBound
    }
    let first = value.first.map { octets[$0] } ?? 0
    func bad(_ reason: UserText) -> ValueFault {
      ValueFault(word: "bad-trigger", reason: reason, offset: value.lowerBound)
    }
    // The form tells an instant from a duration; VALUE is often left out.
    if first.isDigit {
      do throws(ValueFault) {
        switch try reading(value) {
        case .utc(let instant): return .absolute(instant)
        case .local(let reading): return .absolute(instant(reading))
        case .date:
          throw bad(
            UserText("\"{value}\" is a day, and not a time", ["value": excerpt(value)]))
        }
      } catch { throw bad(error.reason) }
    }
    let length: CalendarDuration
    do throws(ValueFault) { length = try duration(value) } catch { throw bad(error.reason) }
    guard let related = parameter("RELATED", of: line) else { return .fromStart(length) }
    if isName(related, "END") { return .fromEnd(length) }
    guard isName(related, "START") else {
      throw bad(
        UserText(
          "RELATED is \"{value}\", neither START nor END", ["value": excerpt(related)]))
    }
    return .fromStart(length)
  }
}

extension Alarm {
  /// Of a TRIGGER from the start: all of it is read on the clock, ``isOnClock``. Other programs,
  /// which do not know it, ring an hour off on the two days on which the clock changes.
  package static let clockParameter = "X-DATEBOOK-CLOCK"

  /// The properties of the alarm in this target's hand, without its action and
  /// its text, each with the lines that say it.
  var timingLines: [(property: PropertyName, lines: [String])] {
    let trigger =
      switch self.trigger {
      case .fromStart(let duration) where isOnClock:
        "TRIGGER;\(Alarm.clockParameter)=TRUE:\(duration)"
      case .fromStart(let duration): "TRIGGER:\(duration)"
      case .fromEnd(let duration): "TRIGGER;RELATED=END:\(duration)"
      case .absolute(let instant): "TRIGGER;VALUE=DATE-TIME:\(instant.basicText)"
      }
    let repeats = repeatCount > 0 && !repeatInterval.isZero
    return [
      (.trigger, [trigger]),
      (.repeat, repeats ? ["REPEAT:\(repeatCount)"] : []),
      (.duration, repeats ? ["DURATION:\(repeatInterval)"] : []),
      (.acknowledged, acknowledged.map { ["ACKNOWLEDGED:\($0.basicText)"] } ?? []),
    ]
  }

  /// A whole VALARM for an alarm that no text stands for yet, line by line.
  ///
  /// - Parameter event: Whose it is; its title is that of an alarm without text of its own,
  ///   since DISPLAY and EMAIL must have one.
  package func componentLines(of event: Event) -> [String] {
    var lines = ["BEGIN:VALARM"]
    // A number is only its place in the event, and has a name where another speaks of it.
    if Int(id) == nil || event.alarms.contains(where: { $0.snoozeOf == id }) {
      lines.append("UID:" + Alarm.uidText(ofID: id, in: event.uid))
    }
    if let snoozeOf {
      lines.append("RELATED-TO;RELTYPE=SNOOZE:" + Alarm.uidText(ofID: snoozeOf, in: event.uid))
    }
    lines.append("ACTION:\(action.rawValue.uppercased())")
    lines += timingLines.flatMap(\.lines)
    let text = text.isEmpty ? event.summary : text
    if action != .audio {
      lines.append("DESCRIPTION:\(escapedText(text.isEmpty ? "Reminder" : text))")
    }
    if action == .email { lines.append("SUMMARY:\(escapedText(text.isEmpty ? "Reminder" : text))") }
    return lines + ["END:VALARM"]
  }
}

extension Alarm {
  /// The UID in a file for an ``id``, as it is written: an alarm that came without one is called
  /// by its number and its event, so that it has the same name in each file, and the same number
  /// here.
  static func uidText(ofID id: String, in event: EventUID) -> String {
    // Any other stands there as it was read.
    Int(id) == nil ? id : escapedText("alarm-\(id)-of-\(event.text)")
  }

  /// The number in a UID that ``uidText(ofID:in:)`` has made; nil for any other.
  static func number(inUID uid: String, of event: EventUID) -> String? {
    let (prefix, suffix) = ("alarm-", "-of-" + event.text)
    guard uid.hasPrefix(prefix), uid.hasSuffix(suffix),
      uid.utf8.count > prefix.utf8.count + suffix.utf8.count
    else { return nil }
    let number = String(uid.dropFirst(prefix.count).dropLast(suffix.count))
    guard let value = Int(number), value > 0, String(value) == number else { return nil }
    return number
  }

  /// Takes a number that no alarm before it has, where it has the name of one of them: two with
  /// one name would be one reminder.
  mutating func rename(unlike isTaken: (String) -> Bool, position: Int) {
    guard isTaken(id) else { return }
    var number = position
    while isTaken(String(number)) { number += 1 }
    id = String(number)
  }
}
