import CalendarBus
import CivilTime
import Platform
import Widgets

/// The history of one reminder, on one line.
struct WhyWords {
  /// Returns "14:30" for a time today, and a time with its day otherwise.
  let moment: (Timestamp) throws(CommandError) -> String
  let zone: ZoneRules
  /// The names of the calendars by their IDs.
  var calendars: [String: String] = [:]

  /// Returns the history of one reminder.
  ///
  /// Examples: "due at 08:45, 15 min before", "was not shown at 08:45: the calendar was hidden",
  /// "shown at 08:45, 15 min before; snoozed until 09:00", and after its event was moved "due at
  /// 08:46, 15 min before; still pending after its event was edited at 08:50".
  ///
  /// - Parameter steps: The rows of one reminder, at least one.
  /// - Throws: Errors of ``moment``.
  func line(_ steps: [Row]) throws(CommandError) -> String {
    guard let first = steps.first else { return "" }
    let when = try due(steps)
    switch first.text(.state) {
    case "planned":
      let line = localized("due at {time}", ["time": when])
      return first.flag(.quiet) ? localizedClauses([line, ReminderWords.heldBack]) : line
    case "silent" where when.isEmpty && first[.start] != nil: return try withoutReminder(first)
    case "silent":
      let reason = try reason(first)
      return when.isEmpty
        ? localized("no reminder will be shown: {reason}", ["reason": reason])
        : localized(
          "will not be shown at {time}: {reason}", ["time": when, "reason": reason])
    case "gone": return try gone(first)
    case "closed" where first.text(.reason) == "zone-changed":
      return try notShown(when, reason(first))
    default: break
    }
    return try history(steps, when)
  }

  /// Returns when a reminder is due, and its distance from its event; "" if unknown.
  private func due(_ steps: [Row]) throws(CommandError) -> String {
    // The "due" of a snoozed step is the end of the snooze.
    guard let timed = steps.first(where: { $0.text(.state) != "snoozed" && $0[.due] != nil })
    else { return "" }
    let (due, distance) = (try at(timed, .due), ReminderWords.distance(timed, zone: zone))
    return distance.isEmpty
      ? due : localized("{due}, {distance}", ["due": due, "distance": distance])
  }

  /// Returns the line of a cancelled occurrence.
  private func withoutReminder(_ row: Row) throws(CommandError) -> String {
    let (start, reason, more) = (try start(row), try reason(row), Int(row.number(.more)))
    guard more > 0 else {
      return localized(
        "no reminder for the occurrence of {time}: {reason}", ["time": start, "reason": reason])
    }
    return localized(
      "no reminder for the occurrence of {time} and {number} more after it: {reason}",
      ["time": start, "number": more, "reason": reason])
  }

  private func notShown(_ when: String, _ reason: String) -> String {
    when.isEmpty
      ? localized("was not shown: {reason}", ["reason": reason])
      : localized("was not shown at {time}: {reason}", ["time": when, "reason": reason])
  }
}

// MARK: Steps

extension WhyWords {
  /// Returns what happened to a reminder that was due.
  private func history(_ steps: [Row], _ when: String) throws(CommandError) -> String {
    let first = steps[0]
    let closed = steps.firstIndex { $0.text(.state) == "closed" }
    var parts: [String]
    var rest = steps[...]
    var wasShown = true
    var former = ""
    if first.flag(.moved) {
      parts = [try moved(first, when)]
    } else if first.text(.state) == "acknowledged" {
      let time = try at(first, .at)
      // A dismissed reminder can be snoozed later.
      if steps.count == 1 { return dismissedAhead(at: time, when) }
      parts = [
        localized(
          "dismissed at {time}, before it was due at {due}", ["time": time, "due": when])
      ]
      rest.removeFirst()
      wasShown = false
    } else if let closed,
      !steps[..<closed].contains(where: { ["delivered", "snoozed"].contains($0.text(.state)) })
    {
      parts = [notShown(when, try reason(steps[closed]))]
      former = "closed"
      wasShown = false
      rest = steps[(closed + 1)...]
    } else {
      parts = [shown(steps, when)]
    }
    var end = Int64.max
    for step in rest {
      if let words = try text(of: step, after: former, wasShown: wasShown, snoozeEnd: end) {
        parts.append(words)
      }
      let state = step.text(.state)
      if state == "delivered" || (state == "due" && former == "snoozed") { wasShown = true }
      if state == "snoozed" { end = step.number(.due) }
      former = state
    }
    if let last = rest.last {
      if last.flag(.quiet) {
        parts.append(ReminderWords.heldBack)
      } else if ["due", "delivered"].contains(last.text(.state)) {
        parts.append(
          localized(
            "waits for an answer: {command}", ["command": "calctl dismiss \(last.text(.id))"]))
      }
    }
    return localizedClauses(parts)
  }

  private func shown(_ steps: [Row], _ when: String) -> String {
    // The next part of the line gives the time at which it was, or will be, shown.
    if let delivered = steps.first(where: { $0.text(.state) == "delivered" }),
      delivered.flag(.missed) || delivered.flag(.quiet)
    {
      return localized("was due at {time}", ["time": when])
    }
    return when.isEmpty ? localized("shown") : localized("shown at {time}", ["time": when])
  }

  /// Returns the beginning for a reminder whose event was moved; only later steps are known.
  private func moved(_ first: Row, _ when: String) throws(CommandError) -> String {
    let time = try at(first, .at)
    return switch first.text(.state) {
    case "closed": localized("shown before its event was edited")
    case "delivered":
      localized(
        "due at {due}; still pending after its event was edited at {time}",
        ["due": when, "time": time])
    // "due" is the end of the snooze.
    default: localized("still pending after its event was edited at {time}", ["time": time])
    }
  }

  private func dismissedAhead(at time: String, _ when: String) -> String {
    when.isEmpty
      ? localized("not shown: dismissed at {time}, before it was due", ["time": time])
      : localized(
        "not shown at {due}: dismissed at {time}, before it was due",
        ["due": when, "time": time])
  }

  /// Returns a step in words; nil if it adds nothing.
  ///
  /// - Parameters:
  ///   - former: The previous state; "" for the first step.
  ///   - wasShown: Whether the reminder was shown before.
  ///   - snoozeEnd: The end of the last snooze.
  private func text(
    of step: Row, after former: String, wasShown: Bool, snoozeEnd: Int64
  ) throws(CommandError) -> String? {
    let time = try at(step, .at)
    switch step.text(.state) {
    case "delivered" where former == "closed":
      return localized("pending again since {time}", ["time": time])
    case "due" where former == "snoozed", "delivered" where former == "snoozed":
      return wasShown
        ? localized("shown again at {time}", ["time": time])
        : localized("shown at {time}", ["time": time])
    case "delivered" where step.flag(.missed):
      return localized("shown late, at {time}", ["time": time])
    case "snoozed" where step.number(.due) == Timestamp.latest.seconds:
      return localized("snoozed until you unlock the session")
    case "snoozed": return localized("snoozed until {time}", ["time": try at(step, .due)])
    // Nobody can dismiss a snoozed reminder between the end of its snooze and its delivery.
    case "acknowledged" where former == "snoozed" && step.number(.at) >= snoozeEnd:
      return localized(
        "shown together with another reminder of the event at {time}", ["time": time])
    case "acknowledged": return localized("dismissed at {time}", ["time": time])
    case "closed":
      return localized(
        "closed at {time}: {reason}", ["time": time, "reason": try reason(step)])
    default: return nil
    }
  }

  /// Returns the line for an event that does not exist any more.
  private func gone(_ row: Row) throws(CommandError) -> String {
    if row.text(.reason) == "excluded" {
      return localized(
        "no reminder is shown: this occurrence was removed; to restore it: {command}",
        ["command": "calctl restore \(row.text(.uid))/\(row.text(.recurrenceID))"])
    }
    guard row[.at] != nil else { return localized("no reminder is shown: the event is gone") }
    return localized(
      "no reminder is shown: the event was removed at {time}; to restore it: {command}",
      ["time": try at(row, .at), "command": "calctl restore \(row.text(.uid))"])
  }

  private func start(_ row: Row) throws(CommandError) -> String {
    guard row.flag(.allDay) else { return try at(row, .start) }
    return TimeText.current.shortDate(zone.reading(at: Timestamp(seconds: row.number(.start))).date)
  }

  private func at(_ row: Row, _ key: RowKey) throws(CommandError) -> String {
    try moment(Timestamp(seconds: row.number(key)))
  }
}

// MARK: Reasons

extension WhyWords {
  /// Returns why a reminder was closed without an answer; nil if it was not closed.
  ///
  /// "the event was moved to Work (its reminders: calctl why tea)".
  ///
  /// - Parameters:
  ///   - steps: The rows of one reminder.
  ///   - calendars: Returns the names of the calendars by their IDs.
  /// - Throws: Errors of `calendars`.
  static func end(
    _ steps: [Row], calendars: () throws(CommandError) -> [String: String]
  ) throws(CommandError) -> String? {
    guard let last = steps.last, last.text(.state) == "closed" else { return nil }
    let reason = reason(last, calendars: try calendars())
    guard last[.inCalendar] != nil || last.text(.reason) == "event-moved" else { return reason }
    return localized(
      "{reason} (its reminders: {command})",
      ["reason": reason, "command": "calctl why \(last.text(.uid))"])
  }

  /// Returns the reason of a step; "" if it has none.
  private func reason(_ step: Row) throws(CommandError) -> String {
    guard step.text(.reason) == "calendar-hidden", step[.since] != nil else {
      return WhyWords.reason(step, calendars: calendars)
    }
    return localized(
      "its calendar has been hidden since {time}", ["time": try at(step, .since)])
  }

  private static func reason(_ step: Row, calendars: [String: String]) -> String {
    switch step.text(.reason) {
    case "event-removed" where step[.inCalendar] != nil:
      let id = step.text(.inCalendar)
      return localized("the event was moved to {calendar}", ["calendar": calendars[id] ?? id])
    case "event-removed": return localized("the event was removed")
    // The agent does not distinguish these.
    case "event-moved": return localized("the event was moved, or its reminders were changed")
    case "zone-changed":
      return localized("its time had already passed when the time zone changed")
    case "missed": return localized("it was found too late")
    // If the calendar is still hidden, the row has the time since when.
    case "calendar-hidden" where step.text(.state) == "closed" && step[.since] == nil:
      return localized("its calendar was hidden")
    case "calendar-hidden": return localized("its calendar is hidden")
    case "declined" where step.flag(.byAllGuests):
      return localized(
        "all guests have declined (to say which one you are, set \"email\" in datebook.conf)")
    case "declined": return localized("you have declined")
    case "cancelled": return localized("it is cancelled")
    case "completed": return localized("the to-do is completed or cancelled")
    case "too-dense": return localized("it happens more than once a minute")
    case "no-alarm": return localized("none is set")
    case "no-date": return localized("its reminders are relative to a date, and it has none")
    case "acknowledged": return localized("it was dismissed in another program")
    case "snooze-past":
      return localized("it was snoozed in another program, until a time that has passed")
    case "no-occurrence":
      return localized(
        "it has no occurrences: its rule ends before its start, or all dates are excluded")
    case "past": return localized("all its reminders are in the past")
    case "unknown-zone": return localized("its time zone is not installed")
    default: return ""
    }
  }
}
