package import CalendarModel
package import CivilTime

/// A page of a calendar as a widget draws it: weeks of days, and the events as bars
/// on them.
///
/// Its keys have underscores, as those of ``SnapshotV1`` itself; those of events
/// are spelt as on the bus. A flag that is false and a list that is empty are left
/// out.
package struct MonthGrid: Hashable, Sendable {
  /// `mode`: "collapsed" (a week), "two-weeks", "normal" or "expanded" (six
  /// weeks). Never left out.
  package var mode: MonthMode
  /// `day`: the day that was asked for; "2026-11-21". Never left out.
  package var day: CivilDate
  /// `month`: the month of ``day``; "2026-11". Never left out.
  ///
  /// `index`, next to it: months since January of the year 1; 24310. Never left
  /// out.
  package var month: CalendarMonth { CalendarMonth(day) }
  /// `today`: the day that it is; "2026-11-21". Never left out.
  package var today: CivilDate
  /// `first_weekday`: the weekday that rows begin with, 1 for Monday to 7 for
  /// Sunday. Never left out.
  package var firstWeekday: Weekday
  /// `previous`: a day of the page before; "2026-10-01". Left out where there is
  /// none.
  package var previous: CivilDate?
  /// `next`: a day of the page after; "2026-12-01". Left out where there is none.
  package var next: CivilDate?
  /// `lanes`: how many lanes have bars, of 0 up to those of the mode; 2. Never
  /// left out.
  package var lanes: Int
  /// `days`: 7, 14 or 42, row after row. Never left out.
  package var days: [MonthDay]
  /// `events`: those that have bars, in their order: those of several days first,
  /// then by start. Left out when there are none.
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

  /// Which days it has; nil for none that we made.
  package var page: MonthPage? { MonthPage(day: day, mode: mode, firstWeekday: firstWeekday) }
}

/// A day of a ``MonthGrid``.
package struct MonthDay: Hashable, Sendable {
  /// `date`: "2026-11-21". Never left out.
  package var date: CivilDate
  /// `in_month`: whether it is of the page's month.
  package var isInMonth: Bool
  /// `today`: whether it is today.
  package var isToday: Bool
  /// `weekend`: whether it is a Saturday or a Sunday.
  package var isWeekend: Bool
  /// `week`: the number of its week by ISO 8601, whatever weekday rows begin
  /// with; 47. Never left out.
  package var week: Int
  /// `marker`: the colour of the day as a whole: that of its first all-day event
  /// (a holiday, a journey); "#22a35a". Left out when it has none.
  package var marker: EventColor?
  /// `dots`: the colours of the day's first three events, a dot each, for widgets
  /// without room for bars. Left out when there are none.
  package var dots: [EventColor]
  /// `bars`: those of its events that have a lane: of several days first, then by
  /// start. Left out when there are none.
  package var bars: [MonthBar]
  /// `more`: how many more events it has, the "+n"; 4. Left out at 0.
  package var more: Int

  package init(
    date: CivilDate, isInMonth: Bool = true, isToday: Bool = false, isWeekend: Bool = false,
    week: Int, marker: EventColor? = nil, dots: [EventColor] = [], bars: [MonthBar] = [],
    more: Int = 0
  ) {
    self.date = date
    self.isInMonth = isInMonth
    self.isToday = isToday
    self.isWeekend = isWeekend
    self.week = week
    self.marker = marker
    self.dots = dots
    self.bars = bars
    self.more = more
  }
}

/// The part of an event that is on one day.
package struct MonthBar: Hashable, Sendable {
  /// Which part of its event a day has. A row break does not count: a bar that continues
  /// in the next row has a `middle` on either side.
  package enum Part: String, CaseIterable, Hashable, Sendable {
    case single, start, middle, end
  }

  /// `event`: its place in the grid's ``MonthGrid/events``, from 0. Never left out.
  package var event: Int
  /// `lane`: how far down it lies, 0 for the top; the same on all days of the
  /// event, in every row. Never left out.
  package var lane: Int
  /// `part`: "single", "start", "middle" or "end". Never left out.
  package var part: Part
  /// `text`: whether the title is shown here: where the event begins, and on the
  /// first day of each row.
  package var showsText: Bool

  package init(event: Int, lane: Int, part: Part, showsText: Bool) {
    self.event = event
    self.lane = lane
    self.part = part
    self.showsText = showsText
  }
}

/// An event of a ``MonthGrid``; ``SnapshotEvent`` explains the keys that have its
/// names.
package struct MonthEvent: Hashable, Sendable {
  /// `uid`: left out when it is longer than 512 octets.
  package var uid: String
  /// `recurrence-id`: left out for an event that does not recur.
  package var recurrenceID: String
  /// `calendar`: never left out.
  package var calendar: String
  /// `summary`: cut to 80 characters. Left out when there is none.
  package var summary: String
  /// `start` and `end`: seconds since 1970-01-01T00:00:00Z, of an all-day event
  /// midnights in the agent's zone. Never left out.
  package var start: Timestamp
  package var end: Timestamp
  /// `all-day`: left out when it is false.
  package var isAllDay: Bool
  /// `tentative`: left out when it is false. Cancelled events are not in the grid.
  package var isTentative: Bool
  /// `declined`: whether the owner said no to the invitation; left out when not.
  package var isDeclined: Bool
  /// `free`: whether it leaves the time free, as a birthday does; left out when it
  /// is false.
  package var isFree: Bool
  /// `color`: "#3b82f6". Never left out.
  ///
  /// `text_color`, next to it: "#000000" or "#ffffff", whichever is easier to read on
  /// it. Never left out.
  package var color: EventColor
  /// `count`: as in ``SnapshotEvent``.
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
