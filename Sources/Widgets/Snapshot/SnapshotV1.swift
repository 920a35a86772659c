package import CalendarModel
package import CivilTime

/// The calendar as a widget sees it: one document, schema 1.
///
/// It does not record when it was made, but until when it is valid (``nextChange``). So equal
/// content gives equal bytes, and a reader can sleep until then.
///
/// The document's own keys have underscores, so that jq and shells need no quotes. The keys of rows
/// are spelt as on the bus. A key without a value is left out; readers ignore unknown keys.
package struct SnapshotV1: Hashable, Sendable {
  /// `schema`: the number of this format, always 1.
  package static let schema: Int64 = 1

  /// `revision`: the revision of the store; 42. Never left out.
  package var revision: Int64
  /// `time_zone`: the IANA name of the agent's zone; "Europe/Berlin". Never left out.
  package var timeZone: String
  /// `utc_offset`: the zone's seconds east of UTC until ``nextChange``; 3600. Never left out.
  package var utcOffset: UTCOffset
  /// `date`: the local day of ``today``; "2026-11-21". Never left out.
  package var date: CivilDate
  /// `next_change`: the first instant at which this document is out of date by itself.
  ///
  /// An event begins or ends, quiet time begins or ends, it is midnight, or the zone's offset
  /// changes; in seconds since 1970-01-01T00:00:00Z; 1795302000. Never left out.
  package var nextChange: Timestamp
  /// `theme`: whether the screen is light or dark, with the matching colors (``Theme``).
  ///
  /// Left out if unknown.
  package var scheme: ColorScheme?
  /// `calendars`: the visible calendars, in the user's order. Left out if there are none.
  package var calendars: [SnapshotCalendar]
  /// `now`: the running timed events, ordered by start. Left out if there are none.
  ///
  /// In every list, events that begin together are ordered by calendar, then title
  /// (``DisplayOrder``). All-day events are in ``today``; cancelled and declined events are not
  /// here (``CountedEvents``).
  package var now: [SnapshotEvent]
  /// `now_more`: how many more are running than ``now`` lists, which has the last begun; 2.
  ///
  /// Left out at 0.
  package var nowMore: Int
  /// `next`: the timed events that begin next, soonest first. Left out if there are none.
  ///
  /// Cancelled and declined events are not here (``CountedEvents``).
  package var next: [SnapshotEvent]
  /// `today`: all events of ``date``, ordered by start. Left out if there are none.
  ///
  /// Includes all-day, past, cancelled and declined events.
  package var today: [SnapshotEvent]
  /// `today_more`: how many more events there are than ``today`` lists; 7. Left out at 0.
  package var todayMore: Int
  /// `days`: ``date`` and the days around it, without a gap. Never left out.
  package var days: [SnapshotDay]
  /// `month`: the grid of six weeks that contains ``date``.
  ///
  /// Left out if a long document has no room for it, and if it would leave the years 1 to 9999.
  package var month: MonthGrid?
  /// `reminders`: the pending reminders, soonest first. Left out if there are none.
  package var reminders: [SnapshotReminder]
  /// `reminders_more`: how many more are pending than ``reminders`` lists; 3. Left out at 0.
  package var remindersMore: Int
  /// `quiet_until`: the end of the quiet time, in which notifications are held back; 1795302000.
  ///
  /// 253402300799 if it has no end. Left out if it is not quiet.
  package var quietUntil: Timestamp?
  /// `sources`: the sources that are stale or wait for a person. Left out if all is well.
  package var sources: [SnapshotSource]

  package init(
    revision: Int64, timeZone: String, utcOffset: UTCOffset, date: CivilDate,
    nextChange: Timestamp, scheme: ColorScheme? = nil, calendars: [SnapshotCalendar] = [],
    now: [SnapshotEvent] = [],
    nowMore: Int = 0, next: [SnapshotEvent] = [], today: [SnapshotEvent] = [],
    todayMore: Int = 0, days: [SnapshotDay] = [], month: MonthGrid? = nil,
    reminders: [SnapshotReminder] = [],
    remindersMore: Int = 0, quietUntil: Timestamp? = nil, sources: [SnapshotSource] = []
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
    self.quietUntil = quietUntil
    self.sources = sources
  }
}

/// A calendar of a ``SnapshotV1``.
package struct SnapshotCalendar: Hashable, Sendable {
  /// `id`: the ID that rows have in `calendar`; "work". Never left out.
  package var id: String
  /// `name`: the name for people, at most 100 characters; "Work". Never left out.
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
  /// `events`: short rows of the events that touch the day, ordered by start.
  ///
  /// An event of several days is in each of them. Left out if there are none.
  package var events: [SnapshotEvent]
  /// `more`: how many more events touch the day than ``events`` lists; 4. Left out at 0.
  ///
  /// If the days and the month have more than 40,000, only the first 200 of each day count.
  package var more: Int

  package init(date: CivilDate, events: [SnapshotEvent] = [], more: Int = 0) {
    self.date = date
    self.events = events
    self.more = more
  }
}
