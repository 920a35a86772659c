import CalendarBus
import CivilTime
import Widgets

/// The ledger of one reminder, in a sentence.
struct WhyWords {
  /// "14:30" today, with the day on another.
  let moment: (Timestamp) throws(CommandError) -> String
  let zone: ZoneRules
  /// The names of the calendars by their ids.
  var calendars: [String: String] = [:]

  /// Returns "will ring 08:45, 15 min before", "did not ring 08:45: the calendar was
  /// hidden", "rang 08:45, 15 min before; snoozed until 09:00", and of one that was taken along by its event
  /// "goes on waiting since 08:50, as that of 08:46, 15 min before", or "rang before its event was edited;
  /// closed at 08:50: its calendar was hidden".
  ///
  /// - Parameter steps: the rows of one reminder, at least one.
  func line(_ steps: [Row]) throws(CommandError) -> String {
    guard let first = steps.first else { return "" }
    // That of a snooze is its end.
    let timed = steps.first { $0.text(.state) != "snoozed" && $0[.due] != nil }
    let when =
      if let timed {
        " "
          + [try at(timed, .due), ReminderWords.distance(timed, zone: zone)]
          .filter { !$0.isEmpty }.joined(separator: ", ")
      } else {
        ""
      }
    switch first.text(.state) {
    case "planned":
      return "will ring" + when + (first.flag(.quiet) ? "; " + ReminderWords.heldBack : "")
    case "silent" where timed == nil && first[.start] != nil:
      let more = first.number(.more)
      return "the occurrence of \(try start(first)) will not ring: \(try reason(first))"
        + (more == 0 ? "" : "; nor will \(more) more after it")
    case "silent": return "will not ring\(when): \(try reason(first))"
    case "gone": return try gone(first)
    case "closed" where first.text(.reason) == "zone-changed":
      return "does not ring\(when): \(try reason(first))"
    default: break
    }
    var parts = ["rang" + when]
    var former = ""
    var hasRung = true
    var steps = steps[...]
    if first.flag(.moved), first.text(.state) == "closed" {
      // As it came it was not to be told any more.
      parts = ["rang before its event was edited"]
    } else if first.flag(.moved) {
      // A snooze has its own end to say.
      let isOfMoment = first.text(.state) == "delivered"
      parts = [
        "goes on waiting since \(try at(first, .at))" + (isOfMoment ? ", as that of\(when)" : "")
      ]
    } else if let end = steps.firstIndex(where: { $0.text(.state) == "closed" }),
      !steps[..<end].contains(where: { ["delivered", "snoozed"].contains($0.text(.state)) }),
      first.text(.state) != "acknowledged"
    {
      // Told or not: what was found too old was due, and nobody has heard of it.
      parts = ["did not ring\(when): \(try reason(steps[end]))"]
      former = "closed"
      steps = steps[(end + 1)...]
    } else if first.text(.state) == "acknowledged" {
      let dismissed = "dismissed at \(try at(first, .at)), before it was due"
      // Somebody may want to be told after all, at another moment.
      parts = steps.count == 1 ? ["does not ring\(when): \(dismissed)"] : [dismissed + when]
      steps.removeFirst()
      hasRung = false
    }
    var back = Int64.max
    for step in steps {
      defer { former = step.text(.state) }
      switch step.text(.state) {
      case "delivered" where former == "closed":
        parts.append("waits again since \(try at(step, .at))")
      case "due" where former == "snoozed", "delivered" where former == "snoozed":
        parts.append("rang \(hasRung ? "again " : "")at \(try at(step, .at))")
        hasRung = true
      case "delivered" where step.flag(.missed): parts.append("told late, at \(try at(step, .at))")
      case "snoozed":
        parts.append("snoozed until \(try comesBack(step))")
        back = step.number(.due)
      case "acknowledged" where former == "snoozed" && step.number(.at) >= back:
        // Nobody can have dismissed what has not come back yet.
        parts.append("told with another reminder of the event at \(try at(step, .at))")
      case "acknowledged": parts.append("dismissed at \(try at(step, .at))")
      case "closed": parts.append("closed at \(try at(step, .at)): \(try reason(step))")
      default: break
      }
    }
    if let last = steps.last, ["due", "delivered"].contains(last.text(.state)) {
      parts.append(
        last.flag(.quiet)
          ? ReminderWords.heldBack
          : (last.flag(.undated) ? "it" : "it is due and")
            + " waits for an answer: calctl dismiss \(last.text(.id))")
    } else if steps.last?.flag(.quiet) ?? false {
      parts.append(ReminderWords.heldBack)
    }
    return parts.joined(separator: "; ")
  }

  /// Returns what has ended a reminder without its being answered, "the event was moved to Work; calctl why tea has its
  /// reminders"; nil of one that has not ended so.
  ///
  /// - Parameters:
  ///   - steps: the rows of one reminder.
  ///   - calendars: returns the names of the calendars by their ids.
  static func end(
    _ steps: [Row], calendars: () throws(CommandError) -> [String: String]
  ) throws(CommandError) -> String? {
    guard let last = steps.last, last.text(.state) == "closed" else { return nil }
    let goesOn = last[.inCalendar] != nil || last.text(.reason) == "event-moved"
    return reason(last, calendars: try calendars())
      + (goesOn ? "; calctl why \(last.text(.uid)) has its reminders" : "")
  }

  /// Why a step is as it is; "" where there is no reason.
  private func reason(_ step: Row) throws(CommandError) -> String {
    let words = WhyWords.reason(step, calendars: calendars)
    return step[.since] == nil ? words : "\(words) since \(try at(step, .since))"
  }

  private static func reason(_ step: Row, calendars: [String: String]) -> String {
    // Where the calendar is hidden still, the row says since when.
    if step.text(.state) == "closed", step.text(.reason) == "calendar-hidden", step[.since] == nil {
      return "its calendar was hidden"
    }
    if step.text(.reason) == "event-removed", step[.inCalendar] != nil {
      let id = step.text(.inCalendar)
      return "the event was moved to \(calendars[id] ?? id)"
    }
    if step.flag(.byAllGuests) {
      return "every guest has declined (which one you are, \"email\" in datebook.conf says)"
    }
    return WhyWords.reasons[step.text(.reason)] ?? ""
  }

  /// Of an event that is not there any more.
  private func gone(_ row: Row) throws(CommandError) -> String {
    if row.text(.reason) == "excluded" {
      return "does not ring: this occurrence was removed, and calctl restore "
        + "\(row.text(.uid))/\(row.text(.recurrenceID)) brings it back"
    }
    guard row[.at] != nil else { return "does not ring any more: it is gone" }
    return "does not ring any more: it was removed at \(try at(row, .at)), and "
      + "calctl restore \(row.text(.uid)) brings it back"
  }

  private func comesBack(_ step: Row) throws(CommandError) -> String {
    let isUnlock = step.number(.due) == Timestamp.latest.seconds
    return isUnlock ? "you unlock the session" : try at(step, .due)
  }

  private func start(_ row: Row) throws(CommandError) -> String {
    guard row.flag(.allDay) else { return try at(row, .start) }
    return TimeText.shortDate(zone.reading(at: Timestamp(seconds: row.number(.start))).date)
  }

  private func at(_ row: Row, _ key: RowKey) throws(CommandError) -> String {
    try moment(Timestamp(seconds: row.number(key)))
  }

  /// The words of the contract.
  static let reasons = [
    "event-removed": "the event was removed",
    // The agent tells neither from the other.
    "event-moved": "the event was moved, or its reminders were changed",
    "zone-changed": "its moment had passed before the time zone changed",
    "missed": "it was too old when it was found",
    "calendar-hidden": "its calendar is hidden",
    "declined": "you have declined",
    "cancelled": "it is cancelled",
    "completed": "the to-do is done or given up",
    "too-dense": "it happens more than once a minute",
    "no-alarm": "it has no reminder",
    "no-date": "its reminders count from a date, and it has none",
    "acknowledged": "it was dismissed in another program",
    "snooze-past": "another program had snoozed it, and that had passed when it came here",
    "no-occurrence":
      "it has no occurrence: its rule ends before it begins, or all its days were taken out",
    "past": "every reminder of it lies in the past",
    "unknown-zone": "its time zone is not installed",
  ]
}
