import CalendarBus
import CivilTime
import Phrases
import Platform
import Recurrence

/// An event that one line of text describes, as Add takes it.
struct QuickEvent {
  let reading: PhraseReading
  /// A row with the keys of Add.
  var event = Row()
  /// What the caller should know.
  private(set) var warnings: [String]

  /// - Parameter context: The time and zone in which the line was read.
  /// - Throws: ``CallError`` of the kind `invalidTime` for a zone that is not installed.
  init(
    _ reading: PhraseReading, _ context: PhraseContext, zones: any Zones
  ) throws(CallError) {
    self.reading = reading
    var zone = context.zone
    if let named = reading.zone { zone = try zones.rules(named: named.name, key: "text") }
    warnings = reading.notes.map { localized($0) }
    event.set(.summary, reading.title)
    // A series keeps its time even if the clock skips it on the first day; Add warns of that.
    let repeats = reading.rule != nil
    switch reading.start {
    case .date(let date): event.set(.start, date.description)
    case .local(let local):
      event.set(.start, zone.text(of: local, asWritten: repeats))
      if !repeats { warnings += EventWarnings.ofSkipped(local, in: zone) }
    case .elapsed(let seconds):
      let start = context.now.adding(seconds: seconds)
      guard start >= .earliest, start <= .latest else {
        throw CallError(
          .invalidTime, about: "text", localized("it is outside the years 1 to 9999"))
      }
      event.set(.start, zone.text(of: seconds % 60 == 0 ? start.roundedUpToMinute : start))
    }
    switch reading.end {
    case .date(let date)?: event.set(.end, date.description)
    case .local(let local)?: event.set(.end, zone.text(of: local, asWritten: repeats))
    case .length(let length)?: event.set(.end, length.description)
    case nil: break
    }
    event.setUnlessEmpty(.location, reading.place)
    if let rule = reading.rule { event.set(.rrule, rule.ending(like: reading.start, zone).text) }
    let reminders =
      reading.reminders.map { text(of: $0, isAllDay: reading.isAllDay) }
      + reading.remindersToEnd.map { "end:\($0)" }
      + reading.reminderTimes.map(\.text) + (reading.isSilent ? ["none"] : [])
    if !reminders.isEmpty { event.set(.reminders, reminders) }
    // The local zone may have no name that Add accepts.
    if case .date = reading.start { return }
    if (try? zones.rules(named: zone.name)) != nil { event.set(.timeZone, zone.name) }
  }
}

extension PhraseReading {
  fileprivate var isAllDay: Bool { if case .date = start { true } else { false } }
}

/// Returns a reminder for Add: "2d" of an all-day event is at a time on that day, unlike "P2D".
private func text(of reminder: CalendarDuration, isAllDay: Bool) -> String {
  isAllDay && reminder.seconds == 0 && reminder.days > 0
    ? "\(reminder.days)d" : reminder.description
}

extension RecurrenceRule {
  /// The rule for a start: UNTIL of a timed event is an instant (RFC 5545 §3.3.10), the end of the
  /// last day in its zone.
  fileprivate func ending(like start: PhraseReading.Start, _ zone: ZoneRules) -> RecurrenceRule {
    if case .date = start { return self }
    guard case .date(let last)? = until, let next = last.adding(days: 1) else { return self }
    var rule = self
    rule.until = .instant(zone.startOfDay(next).adding(seconds: -1))
    return rule
  }
}

extension ZoneRules {
  /// Returns a local time in a form that Add reads, as the clock of the zone shows it.
  ///
  /// - Parameter asWritten: whether a time that the clock skips stays as it is.
  fileprivate func text(of reading: CivilDateTime, asWritten: Bool) -> String {
    asWritten ? reading.description : text(of: instant(of: reading))
  }

  fileprivate func text(of instant: Timestamp) -> String {
    let shown = reading(at: instant)
    // The second of two equal local times needs its offset.
    let isSecond = self.instant(of: shown) != instant
    return shown.description + (isSecond ? offset(at: instant).description : "")
  }
}
