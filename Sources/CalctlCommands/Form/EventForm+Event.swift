import CalendarBus
import CivilTime
import Phrases
import Platform
import Recurrence
import Widgets

// The form of an event as it is.

extension EventForm {
  /// - Parameters:
  ///   - event: A row of Get.
  ///   - isOne: Whether it is one occurrence, which has no recurrence and no calendar of its own.
  ///   - calendar: The name of its calendar.
  ///   - phrases: A reader in the zone of the agent, in which times are read.
  init(_ event: Row, isOne: Bool, calendar: String, _ phrases: PhraseReader) {
    let zone = phrases.context.zone
    let isAllDay = event.flag(.allDay)
    func time(_ key: RowKey) -> String {
      EventForm.moment(zone.reading(at: Timestamp(seconds: event.number(key))))
    }
    values[.title] = [displayLine(event.text(.summary))]
    values[.start] = [isAllDay ? event.text(.startText) : time(.start)]
    values[.end] = [isAllDay ? EventForm.days(of: event) : time(.end)]
    if !isOne {
      let rules = event.text(.rrule).split(whereSeparator: \.isNewline).map(String.init)
      let phrases = rules.map { EventForm.phrase(of: $0, phrases) }
      values[.repeat] = phrases.isEmpty ? ["none"] : phrases
      values[.calendar] = [displayLine(calendar)]
    }
    let reminders = event.texts(.reminders).map {
      EventForm.reminder($0, isAllDay: isAllDay, zone)
    }
    values[.reminder] = reminders.isEmpty ? ["default"] : reminders
    values[.location] = [displayLine(event.text(.location))]
    values[.url] = [displayLine(event.text(.url))]
    description = event.text(.description).replacing("\r\n", with: "\n")
    while description.last == "\n" { description.removeLast() }
  }

  private static func moment(_ reading: CivilDateTime) -> String {
    "\(reading.date) \(reading.time.hourAndMinute)"
  }

  /// "3d": an end by its length does not depend on whether the last day counts.
  private static func days(of event: Row) -> String {
    // A day may have 23 or 25 hours.
    "\(max(1, (event.number(.end) - event.number(.start) + 43_200) / 86_400))d"
  }

  // MARK: Recurrence

  /// Returns a rule as people write it, "every 2 weeks until 2027-01-31"; the rule itself if no
  /// phrase means exactly this rule.
  static func phrase(of text: String, _ phrases: PhraseReader) -> String {
    guard let rule = try? RecurrenceRule(text: text) else { return text }
    for candidate in candidates(rule) {
      guard let read = try? RepeatWord.rule(of: candidate, phrases, command: "edit"),
        (try? RecurrenceRule(text: read)) == rule
      else { continue }
      return candidate
    }
    return text
  }

  private static func candidates(_ rule: RecurrenceRule) -> [String] {
    let units: [RecurrenceRule.Frequency: (word: String, unit: String)] = [
      .daily: ("daily", "days"), .weekly: ("weekly", "weeks"), .monthly: ("monthly", "months"),
      .yearly: ("yearly", "years"),
    ]
    guard let (word, unit) = units[rule.frequency] else { return [] }
    var end = ""
    if let count = rule.count { end = " \(count) times" }
    if case .date(let last)? = rule.until { end = " until \(last)" }
    let days = rule.weekdays.map { $0.weekday.code }
    let every = rule.interval == 1 ? word : "every \(rule.interval) \(unit)"
    if days.isEmpty { return [every + end] }
    let names = days.compactMap { code in
      ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].first { $0.hasPrefix(code.lowercased()) }
    }
    let list = names.joined(separator: end.isEmpty ? "," : ", ")
    return ["weekdays" + end, list, "every \(list)\(end)", "\(every) on \(list)\(end)"]
  }

  // MARK: Reminders

  /// Returns a reminder as people write it: "15m", "end-5m", of an all-day event "1d 18:00".
  static func reminder(_ text: String, isAllDay: Bool, _ zone: ZoneRules) -> String {
    if let instant = try? Timestamp(text: text) { return moment(zone.reading(at: instant)) }
    if isAllDay { return CopiedEvent.onClock(text) }
    let isFromEnd = text.hasPrefix(ReminderWords.fromEnd)
    let rest = isFromEnd ? text.dropFirst(ReminderWords.fromEnd.count) : text[...]
    guard let before = try? CalendarDuration(text: rest) else { return text }
    if before.isZero { return isFromEnd ? "end" : "start" }
    let length = short(before.isNegative ? before.negated : before)
    if isFromEnd { return "end" + (before.isNegative ? "+" : "-") + length }
    return before.isNegative ? "start+" + length : length
  }

  /// "1d", "1h30m"; "PT90S" with seconds.
  private static func short(_ length: CalendarDuration) -> String {
    guard length.seconds % 60 == 0 else { return length.description }
    let (hours, minutes) = (length.seconds / 3600, length.seconds / 60 % 60)
    return (length.days == 0 ? "" : "\(length.days)d") + (hours == 0 ? "" : "\(hours)h")
      + (minutes == 0 ? "" : "\(minutes)m")
  }
}
