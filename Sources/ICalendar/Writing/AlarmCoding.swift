package import CalendarModel
import CivilTime
import Messages

extension Component {
  /// Reads the VALARM in some lines.
  ///
  /// An unknown action never fires, as the RFC asks; without an action it is DISPLAY.
  ///
  /// - Parameters:
  ///   - position: The number of the alarm in its event, from 1; its identifier if it has no UID.
  ///   - event: The UID of the event, which is part of the UIDs that we write.
  ///   - instant: Returns the instant of a reading without Z.
  /// - Throws: ``ValueFault`` for a trigger that is missing or cannot be read.
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
      // Since RFC 9073 an alarm may contain components (VLOCATION).
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

  /// Returns the ``Alarm/id`` of a UID: the number in a UID that we wrote, else the UID.
  private func alarmID(_ line: ContentLine, in event: EventUID) -> String {
    Alarm.number(inUID: text(trimmed(line.value)), of: event) ?? string(trimmed(line.value))
  }

  private func trigger(
    _ line: ContentLine, instant: (CivilDateTime) -> Timestamp
  ) throws(ValueFault) -> Alarm.Trigger {
    var value = trimmed(line.value)
    // Some programs write the parameter after the colon.
    let misplaced = "VALUE=DATE-TIME:".utf8
    if octets[value].starts(with: misplaced, by: { $0 & 0xDF == $1 & 0xDF }) {
      value = value.lowerBound + misplaced.count..<value.upperBound
    }
    let first = value.first.map { octets[$0] } ?? 0
    func bad(_ reason: UserText) -> ValueFault {
      ValueFault(word: "bad-trigger", reason: reason, offset: value.lowerBound)
    }
    // VALUE is often missing, so the form decides.
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
  /// A parameter of TRIGGER for ``isOnClock``.
  ///
  /// Other programs ignore it, and fire an hour early or late on days when the clock changes.
  package static let clockParameter = "X-DATEBOOK-CLOCK"

  /// The alarm's properties except its action and text, each with its lines.
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

  /// Returns a new VALARM, line by line.
  ///
  /// - Parameter event: The event of the alarm; its title is used if the alarm has no text, which
  ///   DISPLAY and EMAIL require.
  package func componentLines(of event: Event) -> [String] {
    var lines = ["BEGIN:VALARM"]
    // A number is only a position; it gets a UID if a snooze refers to it.
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
  /// Returns the UID for an ``id``, escaped.
  ///
  /// A numbered alarm gets a UID made of its number and its event, the same in every file.
  static func uidText(ofID id: String, in event: EventUID) -> String {
    // Any other id is the UID as it was read.
    Int(id) == nil ? id : escapedText("alarm-\(id)-of-\(event.text)")
  }

  /// Returns the number in a UID made by ``uidText(ofID:in:)``; nil for any other UID.
  static func number(inUID uid: String, of event: EventUID) -> String? {
    let (prefix, suffix) = ("alarm-", "-of-" + event.text)
    guard uid.hasPrefix(prefix), uid.hasSuffix(suffix),
      uid.utf8.count > prefix.utf8.count + suffix.utf8.count
    else { return nil }
    let number = String(uid.dropFirst(prefix.count).dropLast(suffix.count))
    guard let value = Int(number), value > 0, String(value) == number else { return nil }
    return number
  }

  /// Replaces an id that an earlier alarm of the event has: both would be one reminder.
  mutating func rename(unlike isTaken: (String) -> Bool, position: Int) {
    guard isTaken(id) else { return }
    var number = position
    while isTaken(String(number)) { number += 1 }
    id = String(number)
  }
}
