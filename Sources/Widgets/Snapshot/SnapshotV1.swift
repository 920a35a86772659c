package import CalendarModel
package import CivilTime

/// The calendar as a widget sees it: one document, schema 1.
///
/// It does not say when it was made, but until when it is valid (``nextChange``). So the
/// same content gives the same bytes, and a reader can sleep until then.
///
/// The document's own keys have underscores, so that jq and shells take them
/// without quotes. The keys of rows are spelt as on the bus. A key without a value
/// is left out; a reader ignores keys that it does not know.
package struct SnapshotV1: Hashable, Sendable {
  /// `schema`: the number of this format, always 1.
  package static let schema: Int64 = 1

  /// `revision`: the store's revision that this shows; 42. Never left out.
  package var revision: Int64
  /// `time_zone`: the IANA name of the agent's zone, in which days begin;
  /// "Europe/Berlin". Never left out.
  package var timeZone: String
  /// `utc_offset`: seconds that the zone's clock is ahead of UTC until
  /// ``nextChange``; 3600. Never left out.
  package var utcOffset: UTCOffset
  /// `date`: the local day that ``today`` is about; "2026-11-21". Never left out.
  package var date: CivilDate
  /// `next_change`: the first instant at which this document is no longer true
  /// though nobody changes the calendar (an event begins or ends, midnight, a
  /// change of the clock), in seconds since 1970-01-01T00:00:00Z; 1795302000. Never
  /// left out.
  package var nextChange: Timestamp
  /// `theme`: whether the screen is light or dark, and the colours that go with it
  /// (``Theme``). Left out where nobody has said.
  package var scheme: ColorScheme?
  /// `calendars`: the calendars that are shown, in the user's order. Left out
  /// when there are none.
  package var calendars: [SnapshotCalendar]
  /// `now`: the timed events that run, ordered by start, and in every list those that begin
  /// together by the order of their calendars, then by title (``DisplayOrder``). All-day events are
  /// in ``today``; cancelled and declined ones are not here (``CountedEvents``). Left out when none
  /// runs.
  package var now: [SnapshotEvent]
  /// `now_more`: how many more run than ``now`` has room for, which has those that began last; 2.
  /// Left out at 0.
  package var nowMore: Int
  /// `next`: the timed events that begin next, soonest first, without cancelled
  /// and declined ones (``CountedEvents``). Left out when there are none.
  package var next: [SnapshotEvent]
  /// `today`: every event of ``date``, all-day, past, cancelled and declined ones too,
  /// ordered by start. Left out when there are none.
  package var today: [SnapshotEvent]
  /// `today_more`: how many more there are than ``today`` has room for; 7. Left
  /// out at 0.
  package var todayMore: Int
  /// `days`: the days around ``date`` and itself, without a gap. Never left out.
  package var days: [SnapshotDay]
  /// `month`: the grid of six weeks that ``date`` is on. Left out where the rest of
  /// a document that is too long left no room for it, and where it would leave
  /// the years 1 to 9999.
  package var month: MonthGrid?
  /// `reminders`: those that wait for somebody, soonest first. Left out when
  /// there are none.
  package var reminders: [SnapshotReminder]
  /// `reminders_more`: how many more wait than ``reminders`` has room for; 3.
  /// Left out at 0.
  package var remindersMore: Int

  /// What a click that puts a reminder off is for: the one that is due first.
  package var dueReminder: SnapshotReminder? { reminders.first { $0.state == .due } }

  package init(
    revision: Int64, timeZone: String, utcOffset: UTCOffset, date: CivilDate,
    nextChange: Timestamp, scheme: ColorScheme? = nil, calendars: [SnapshotCalendar] = [],
    now: [SnapshotEvent] = [],
    nowMore: Int = 0, next: [SnapshotEvent] = [], today: [SnapshotEvent] = [],
    todayMore: Int = 0, days: [SnapshotDay] = [], month: MonthGrid? = nil,
    reminders: [SnapshotReminder] = [],
    remindersMore: Int = 0
  ) {
    self.revision = revision
    self.timeZone = timeZone
    self.utcOffset = utcOffset
    self.date = date
    self.nextChange = nextChange
    self.scheme = scheme
    self.calendars = calendars
    self.now = now
    self.nowMore = nowMore
    self.next = next
    self.today = today
    self.todayMore = todayMore
    self.days = days
    self.month = month
    self.reminders = reminders
    self.remindersMore = remindersMore
  }
}

/// A calendar of a ``SnapshotV1``.
package struct SnapshotCalendar: Hashable, Sendable {
  /// `id`: what rows name in `calendar`; "work". Never left out.
  package var id: String
  /// `name`: what people read, at most 100 characters; "Work". Never left out.
  package var name: String
  /// `color`: "#3b82f6". Never left out.
  package var color: EventColor

  package init(id: String, name: String, color: EventColor) {
    self.id = id
    self.name = name
    self.color = color
  }
}

/// A day of a ``SnapshotV1``.
package struct SnapshotDay: Hashable, Sendable {
  /// `date`: "2026-11-21". Never left out.
  package var date: CivilDate
  /// `events`: the short rows of the events that touch the day, ordered by
  /// start; one that lasts several days is in each of them. Left out when there
  /// are none.
  package var events: [SnapshotEvent]
  /// `more`: how many more touch the day than ``events`` has room for; 4. Where
  /// more than 40,000 are in the days and the month, only the first 200 of each day count.
  /// Left out at 0.
  package var more: Int

  package init(date: CivilDate, events: [SnapshotEvent] = [], more: Int = 0) {
    self.date = date
    self.events = events
    self.more = more
  }
}
