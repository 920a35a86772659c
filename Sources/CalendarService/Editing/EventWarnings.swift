import CalendarModel
import CivilTime
import Platform
import Recurrence
import Widgets

/// The "warnings" of Add, QuickAdd, QuickParse and Change: effects that the user may not expect.
///
/// A warning refuses nothing: the event is stored as requested.
struct EventWarnings {
  let now: Timestamp
  let zones: ZoneContext
  /// The reminders of the event's calendar.
  let defaults: DefaultAlarms
  /// Returns the occurrences in a span that may overlap with the event.
  var others: (TimeSpan) -> [Occurrence] = { _ in [] }
  /// The reminders of the calendar that have passed; see ``ringAtStart(_:in:)``.
  var replacedDefaults: [Alarm] = []

  /// Returns the warnings for a new event.
  func ofAdding(_ series: EventSeries) -> [String] {
    guard let event = series.master else { return [] }
    return ofClock(event.start) + ofRules(event) + ofReminders(series, at: nil)
      + ofReplacedDefaults(event) + ofOverlaps(next(series, nil))
  }

  /// A requested change and its side effects.
  struct Change {
    /// The requested change.
    var wanted: EventChange
    /// The one occurrence that was changed; nil for the whole event.
    var occurrence: RecurrenceID?
    /// The overrides that the change removed.
    var dropped: [RecurrenceID] = []
    /// How many snoozed reminders the change cancelled.
    var snoozesEnded = 0
    /// The series before a change of all its occurrences; nil for a change of some.
    var former: EventSeries?
    /// Whether a reminder of the event is pending: it stays, wherever the event is moved.
    var hasPendingReminder = false
  }

  /// Returns the warnings for an event as it is after a change.
  func ofChanging(_ series: EventSeries, _ change: Change) -> [String] {
    let wanted = change.wanted
    var warnings: [String] = []
    if let start = wanted.start { warnings += ofClock(start) }
    if wanted.rules?.isEmpty == false, let event = series.master { warnings += ofRules(event) }
    if wanted.start != nil || wanted.alarms != nil, !change.hasPendingReminder {
      warnings += ofReminders(series, at: change.occurrence)
    }
    if wanted.start != nil || wanted.end != nil {
      warnings += ofOverlaps(next(series, change.occurrence))
    }
    if change.snoozesEnded > 0 {
      let count = change.snoozesEnded
      warnings.append(
        wanted.alarms == nil
          ? localized(
            count, one: "1 snoozed reminder was cancelled, since the event was moved",
            other: "{count} snoozed reminders were cancelled, since the event was moved")
          : localized(
            count, one: "1 snoozed reminder was cancelled, since the event has other reminders",
            other: "{count} snoozed reminders were cancelled, since the event has other reminders"))
    }
    if !change.dropped.isEmpty { warnings.append(text(ofDropped: change.dropped)) }
    if wanted.start != nil, let former = change.former {
      warnings += ofLaterStart(of: series, before: former)
    }
    return warnings
  }

  /// Returns the warning for a time that the clock of its zone skips.
  static func ofSkipped(_ reading: CivilDateTime, in zone: ZoneRules) -> [String] {
    guard case .gap(let instant, _) = zone.resolve(reading) else { return [] }
    return [
      localized(
        "the clock skips {time} on {day}: the event begins at {start}",
        [
          "time": TimeText.current.clock(reading.time),
          "day": TimeText.current.shortDate(reading.date),
          "start": TimeText.current.clock(zone.reading(at: instant).time),
        ])
    ]
  }

  // MARK: Times

  private func ofClock(_ start: EventTime) -> [String] {
    guard !start.isDate, let zone = try? start.zoneRules(in: zones) else { return [] }
    return EventWarnings.ofSkipped(start.reading, in: zone)
  }

  /// Warns of a start on a day that the rules do not generate: it is an additional occurrence.
  private func ofRules(_ event: Event) -> [String] {
    guard let zone = try? event.start.zoneRules(in: zones),
      let first = event.recurrence.rules.firstDay(
        insteadOf: event.start.reading, isAllDay: event.start.isDate, in: zone)
    else { return [] }
    return [
      localized(
        "the event begins on {day}, which is no day of its rule; the first is {first}",
        [
          "day": TimeText.current.shortDate(event.start.reading.date),
          "first": TimeText.current.shortDate(first),
        ])
    ]
  }

  private func text(ofDropped ids: [RecurrenceID]) -> String {
    let named = ids.prefix(5).map { id in
      switch id {
      case .date(let date): TimeText.current.shortDate(date)
      case .local(let reading): text(reading)
      case .instant(let instant): moment(instant)
      }
    }
    return localized(
      ids.count, one: "1 changed occurrence is gone: {occurrences} (undo brings it back)",
      other: "{count} changed occurrences are gone: {occurrences} (undo brings them back)",
      ["occurrences": localizedClauses(named + (ids.count > 5 ? ["…"] : []))])
  }

  // MARK: Reminders

  /// Warns of reminders that have passed or fire after the start, or of an event that is over.
  ///
  /// - Parameter id: the occurrence that was changed; nil for the whole event.
  private func ofReminders(_ series: EventSeries, at id: RecurrenceID?) -> [String] {
    let isOne = !series.isRecurring || id != nil
    let occurrence = isOne ? only(series, id) : nextOccurrence(of: series)
    if isOne, let occurrence, occurrence.span.end < now {
      return [localized("the event is over already")]
    }
    guard let event = occurrence?.event ?? series.master else { return [] }
    let alarms = defaults.alarms(of: event).filter { $0.action != .none }
    let next = isOne ? nil : occurrence
    return alarms.compactMap { alarm in
      // An absolute alarm fires once for the whole series, not for this occurrence.
      if !alarm.isRelative, id != nil, series.isRecurring { return nil }
      let reminder = text(alarm, of: event)
      let name =
        event.alarms.isEmpty
        ? localized("the calendar's reminder {reminder}", ["reminder": reminder])
        : localized("the reminder {reminder}", ["reminder": reminder])
      if case .absolute(let instant) = alarm.trigger {
        if instant < now { return passed(name, of: nil) }
      } else if let occurrence, alarm.lastInstant(of: occurrence) < now {
        return passed(name, of: next)
      }
      guard event.alarms.contains(alarm), isLate(alarm, occurrence, series) else { return nil }
      return localized("{reminder} rings only when the event has begun", ["reminder": name])
    }
  }

  private func passed(_ reminder: String, of next: Occurrence?) -> String {
    guard let next else {
      return localized("{reminder} has passed, and will not ring", ["reminder": reminder])
    }
    return localized(
      "{reminder} has passed for the occurrence of {when}, and will not ring",
      ["reminder": reminder, "when": when(next)])
  }

  /// Whether an alarm fires after the start, maybe by mistake; one from the end is deliberate.
  private func isLate(
    _ alarm: Alarm, _ occurrence: Occurrence?, _ series: EventSeries
  ) -> Bool {
    switch alarm.trigger {
    case .fromStart(let offset):
      // People do not think of an all-day event as beginning at midnight.
      offset.approximateSeconds > 0
        && (!series.isAllDay || offset.approximateSeconds >= 86_400)
    case .fromEnd: false
    case .absolute(let instant):
      !series.isRecurring && occurrence.map { instant > $0.span.start } ?? false
    }
  }

  func only(_ series: EventSeries, _ id: RecurrenceID?) -> Occurrence? {
    if let id, let found = try? series.occurrence(id, context: zones) { return found }
    return (try? series.occurrences(in: .always, context: zones, limit: 1))?.first
  }

  /// Returns the next occurrence within the reach of the reminders, or nil.
  ///
  /// It has not begun; an all-day one has not ended.
  private func nextOccurrence(of series: EventSeries) -> Occurrence? {
    let reach = series.reach(defaults)
    guard reach > 0 || series.isAllDay else { return nil }
    let end = now.adding(seconds: max(reach, 86_400))
    let found = try? series.occurrences(
      in: TimeSpan(start: now, end: min(end, TimeSpan.always.end)), context: zones,
      limit: EventWarnings.mostLookedAt)
    return found?.first { occurrence in
      !occurrence.event.isCancelled
        && (occurrence.isAllDay ? occurrence.span.end > now : occurrence.span.start >= now)
    }
  }

  /// The most occurrences that are examined.
  private static let mostLookedAt = 1000

  // MARK: Words

  func text(_ alarm: Alarm, of event: Event) -> String {
    ReminderText.text(alarm.trigger, isAllDay: event.start.isDate, moment: moment)
  }

  private func when(_ occurrence: Occurrence) -> String {
    occurrence.isAllDay
      ? TimeText.current.shortDate(occurrence.start.date) : moment(occurrence.span.start)
  }

  private func moment(_ instant: Timestamp) -> String { text(zones.local.reading(at: instant)) }

  /// "14:30" today, "Mon 23 Nov 2026, 09:30" on another day.
  private func text(_ reading: CivilDateTime) -> String {
    let time = TimeText.current.clock(reading.time)
    return reading.date == zones.local.reading(at: now).date
      ? time : TimeText.current.shortDate(reading.date, at: time)
  }
}
