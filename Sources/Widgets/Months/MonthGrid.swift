package import CalendarModel
package import CivilTime

/// A page of a calendar as a widget draws it: weeks of days, and the events as bars.
///
/// Keys have underscores, as in ``SnapshotV1``; those of events are spelt as on the bus. False
/// flags and empty lists are left out.
package struct MonthGrid: Hashable, Sendable {
  /// `mode`: "collapsed" (a week), "two-weeks", "normal" or "expanded" (six weeks). Never left out.
  package var mode: MonthMode
  /// `day`: the requested day; "2026-11-21". Never left out.
  package var day: CivilDate
  /// `month`: the month of ``day``; "2026-11". Never left out.
  ///
  /// `index`, next to it: months since January of the year 1; 24310. Never left out.
  package var month: CalendarMonth { CalendarMonth(day) }
  /// `today`: the present day; "2026-11-21". Never left out.
  package var today: CivilDate
  /// `first_weekday`: the first weekday of rows, 1 for Monday to 7 for Sunday. Never left out.
  package var firstWeekday: Weekday
  /// `previous`: a day of the previous page; "2026-10-01". Left out if there is none.
  package var previous: CivilDate?
  /// `next`: a day of the next page; "2026-12-01". Left out if there is none.
  package var next: CivilDate?
  /// `lanes`: how many lanes have bars, 0 up to the mode's limit; 2. Never left out.
  package var lanes: Int
  /// `days`: 7, 14 or 42 days, row after row. Never left out.
  package var days: [MonthDay]
  /// `events`: the events with bars: those of several days first, then by start.
  ///
  /// Left out if there are none.
  package var events: [MonthEvent]

  package init(
    mode: MonthMode, day: CivilDate, today: CivilDate, firstWeekday: Weekday,
    previous: CivilDate? = nil, next: CivilDate? = nil, lanes: Int = 0, days: [MonthDay] = [],
    events: [MonthEvent] = []
  ) {
    self.mode = mode
    self.day = day
    self.today = today
    self.firstWeekday = firstWeekday
    self.previous = previous
    self.next = next
    self.lanes = lanes
    self.days = days
    self.events = events
  }

  /// The page of days; nil if the values make none.
  package var page: MonthPage? { MonthPage(day: day, mode: mode, firstWeekday: firstWeekday) }
}

/// A day of a ``MonthGrid``.
package struct MonthDay: Hashable, Sendable {
  /// `date`: "2026-11-21". Never left out.
  package var date: CivilDate
  /// `in_month`: whether it is in the page's month.
  package var isInMonth: Bool
  /// `today`: whether it is today.
  package var isToday: Bool
  /// `weekend`: whether it is a Saturday or a Sunday.
  package var isWeekend: Bool
  /// `week`: the ISO 8601 week number, whatever weekday rows begin with; 47. Never left out.
  package var week: Int
  /// `marker`: the color of the first all-day event (a holiday, a journey); "#22a35a".
  ///
  /// Left out if there is none.
  package var marker: EventColor?
  /// `releases`: what is missing of the day's releases from media servers (``DayMarker``):
  /// "complete", "some-missing", "many-missing" or "ahead".
  ///
  /// `releases_color`, next to it: "#4ecca3". Both are left out without such a release. An unknown
  /// word is read as none.
  package var releases: DayMarker?
  /// `dots`: the colors of the first three events, for widgets without room for bars.
  ///
  /// Left out if there are none.
  package var dots: [EventColor]
  /// `bars`: the bars of events: those of several days first, then by start. Left out if none.
  package var bars: [MonthBar]
  /// `more`: how many more events it has, the "+n"; 4. Left out at 0.
  package var more: Int

  package init(
    date: CivilDate, isInMonth: Bool = true, isToday: Bool = false, isWeekend: Bool = false,
    week: Int, marker: EventColor? = nil, releases: DayMarker? = nil, dots: [EventColor] = [],
    bars: [MonthBar] = [], more: Int = 0
  ) {
    self.date = date
    self.isInMonth = isInMonth
    self.isToday = isToday
    self.isWeekend = isWeekend
    self.week = week
    self.marker = marker
    self.releases = releases
    self.dots = dots
    self.bars = bars
    self.more = more
  }
}

/// The bar of an event on one day.
package struct MonthBar: Hashable, Sendable {
  /// Which part of its event a day shows.
  ///
  /// Row breaks do not count: a bar that continues in the next row has a `middle` on both sides.
  package enum Part: String, CaseIterable, Hashable, Sendable {
    case single, start, middle, end
  }

  /// `event`: the index in ``MonthGrid/events``. Never left out.
  package var event: Int
  /// `lane`: the position from the top, from 0; the same on all days of the event. Never left out.
  package var lane: Int
  /// `part`: "single", "start", "middle" or "end". Never left out.
  package var part: Part
  /// `text`: whether it shows the title: on the event's first day, and the first of each row.
  package var showsText: Bool

  package init(event: Int, lane: Int, part: Part, showsText: Bool) {
    self.event = event
    self.lane = lane
    self.part = part
    self.showsText = showsText
  }
}

/// An event of a ``MonthGrid``; ``SnapshotEvent`` explains keys of the same name.
package struct MonthEvent: Hashable, Sendable {
  /// `uid`: left out if longer than 512 octets.
  package var uid: String
  /// `recurrence-id`: left out for an event that does not recur.
  package var recurrenceID: String
  /// `calendar`: never left out.
  package var calendar: String
  /// `summary`: cut to 80 characters. Left out if there is none.
  package var summary: String
  /// `start` and `end`: seconds since 1970-01-01T00:00:00Z. Never left out.
  ///
  /// Of an all-day event they are midnights in the agent's zone.
  package var start: Timestamp
  package var end: Timestamp
  /// `all-day`: left out if false.
  package var isAllDay: Bool
  /// `tentative`: left out if false. Cancelled events are not in the grid.
  package var isTentative: Bool
  /// `declined`: whether the owner has declined the invitation; left out if false.
  package var isDeclined: Bool
  /// `free`: whether it does not take up time, such as a birthday; left out if false.
  package var isFree: Bool
  /// `color`: "#3b82f6". Never left out.
  ///
  /// `text_color`, next to it: "#000000" or "#ffffff", whichever is easier to read on it. Never
  /// left out.
  package var color: EventColor
  /// `count`: see ``SnapshotEvent``.
  package var count: Int

  package init(
    uid: String, recurrenceID: String = "", calendar: String, summary: String = "",
    start: Timestamp, end: Timestamp, isAllDay: Bool = false, isTentative: Bool = false,
    isDeclined: Bool = false, isFree: Bool = false, color: EventColor,
    count: Int = 1
  ) {
    self.uid = uid
    self.recurrenceID = recurrenceID
    self.calendar = calendar
    self.summary = summary
    self.start = start
    self.end = end
    self.isAllDay = isAllDay
    self.isTentative = isTentative
    self.isDeclined = isDeclined
    self.isFree = isFree
    self.color = color
    self.count = count
  }

  init(_ occurrence: Occurrence, color: EventColor, ownAddresses: [String]) {
    self.init(
      uid: whole(occurrence.uid.text, maximumOctets: 512),
      recurrenceID: occurrence.recurrenceID?.text ?? "", calendar: occurrence.calendar.text,
      summary: shortened(occurrence.summary, toCharacters: 80), start: occurrence.span.start,
      end: occurrence.span.end, isAllDay: occurrence.isAllDay,
      isTentative: occurrence.status == .tentative,
      isDeclined: occurrence.event.isDeclined(by: ownAddresses), isFree: !occurrence.isBusy,
      color: color, count: occurrence.count)
  }
}
