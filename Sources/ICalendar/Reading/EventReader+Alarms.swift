import CalendarModel
import CivilTime
import Messages

// Reads the alarms of a component.

extension EventReader {
  /// Reads an alarm into the event. One that cannot be read is reported and never fires.
  ///
  /// - Parameter number: The number of the alarm, from 1.
  mutating func read(
    alarm lines: Range<Int>, number: Int, of component: Component, into event: inout Event
  ) {
    guard number <= limits.maximumAlarms else {
      if number == limits.maximumAlarms + 1 {
        tolerate(
          component, component.lines[lines.lowerBound], "too-many-alarms",
          UserText(
            "more than {limit} alarms; the rest do not fire", ["limit": limits.maximumAlarms]),
          uid: event.uid.text)
      }
      return
    }
    let start = event.start
    do throws(ValueFault) {
      var alarm = try component.alarm(lines, position: number, event: event.uid) { reading in
        start.zoneName.flatMap(rules)?.instant(of: reading) ?? Timestamp(reading, offset: .utc)
      }
      let others = event.alarms
      alarm.rename(unlike: { name in others.contains { $0.id == name } }, position: number)
      event.alarms.append(alarm)
      // `tellRepeats` reports a DURATION that belongs to a REPEAT.
      let repeats = component.lines[lines].contains { line in
        line.property == .repeat && component.integer(line.value) ?? 0 > 0
      }
      for line in component.lines[lines]
      where line.property == .trigger || line.property == .duration && !repeats {
        noteLength(line, of: component, uid: event.uid.text)
      }
      tellRepeats(of: lines, in: component, alarm, uid: event.uid.text)
    } catch {
      let line = component.lines[lines].first { $0.property == .trigger }
      tell(
        component, line ?? component.lines[lines.lowerBound], error, uid: event.uid.text,
        severity: .tolerated)
    }
  }

  /// Reports a REPEAT that is reduced or ignored.
  ///
  /// - Parameter alarm: The alarm as it was read.
  private mutating func tellRepeats(
    of lines: Range<Int>, in component: Component, _ alarm: Alarm, uid: String
  ) {
    guard let line = component.lines[lines].first(where: { $0.property == .repeat }) else { return }
    guard let count = component.integer(line.value) else {
      return ignoreNumber(component, line, uid: uid)
    }
    if count > 0, alarm.repeatInterval.isZero {
      let hasLength = component.lines[lines].contains { $0.property == .duration }
      return tolerate(
        component, line, "repeat-without-duration",
        hasLength
          ? UserText(
            "the number is {count}, but DURATION has no length: the alarm fires once",
            ["count": count])
          : UserText(
            "the number is {count}, but there is no DURATION: the alarm fires once",
            ["count": count]),
        uid: uid)
    }
    guard count > Alarm.maximumRepeats else { return }
    tolerate(
      component, line, "too-many-repeats",
      UserText(
        Alarm.maximumRepeats,
        one: "the number is {number}; the alarm is repeated at most {count} time",
        other: "the number is {number}; the alarm is repeated at most {count} times",
        ["number": count]),
      uid: uid)
  }
}
