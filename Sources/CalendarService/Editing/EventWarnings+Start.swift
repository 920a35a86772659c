import CalendarModel
import CivilTime
import Platform
import Widgets

// An event that is so soon that the reminders of its calendar have passed, and a series that begins
// later.

extension EventWarnings {
  /// Gives a new event a reminder at its start if those of its calendar have all passed.
  ///
  /// A series has none, since those of its later occurrences have not passed, and nor has an all-day
  /// event, which begins at midnight.
  mutating func ringAtStart(_ event: inout Event, in calendar: CalendarID) {
    let series = EventSeries(calendar: calendar, master: event)
    guard event.alarms.isEmpty, !series.isRecurring, !series.isAllDay,
      let occurrence = only(series, nil), occurrence.span.start > now
    else { return }
    let alarms = defaults.alarms(of: event)
    guard !alarms.isEmpty, alarms.allSatisfy({ $0.lastInstant(of: occurrence) < now }) else {
      return
    }
    replacedDefaults = alarms
    event.alarms = [Alarm(id: "1", trigger: .fromStart(.zero))]
  }

  func ofReplacedDefaults(_ event: Event) -> [String] {
    if replacedDefaults.isEmpty { return [] }
    let reminders = replacedDefaults.map { text($0, of: event) }
    return [
      localized(
        reminders.count,
        one: "the calendar's reminder {reminders} has passed, so it rings at its start",
        other: "the calendar's reminders {reminders} have passed, so it rings at its start",
        ["reminders": localizedList(reminders)])
    ]
  }

  /// Warns if a series begins so much later that occurrences in the past are gone.
  ///
  /// One that moves by less than the time to its next occurrence loses none.
  func ofLaterStart(of series: EventSeries, before former: EventSeries) -> [String] {
    guard let first = only(series, nil) else { return [] }
    let span = TimeSpan(
      start: TimeSpan.always.start, end: first.span.start.adding(seconds: 1))
    guard let before = try? former.occurrences(in: span, context: zones, limit: 2),
      before.count == 2, before[0].span.end <= now
    else { return [] }
    return [
      localized(
        """
        the series begins on {day} now; its past occurrences before that are gone (undo brings them \
        back)
        """, ["day": TimeText.current.shortDate(first.start.date)])
    ]
  }
}
