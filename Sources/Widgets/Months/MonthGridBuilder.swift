package import CalendarModel
package import CivilTime

/// Makes a ``MonthGrid`` from a page and its occurrences.
///
/// The events are found and sorted once; a grid that is too long can then be made again with fewer
/// lanes at little cost.
package struct MonthGridBuilder {
  private let page: MonthPage
  private let today: CivilDate
  private let privacy: PrivacyLevel
  private let ownAddresses: [String]
  private let thresholds: DayMarker.Thresholds
  private let dates: [CivilDate]
  private let occurrences: [Occurrence]
  /// The events on the page: those of several days first, then by start.
  private var entries: [Entry] = []

  /// Holds no references, so that sorting thousands does no reference counting.
  private struct Entry {
    /// The index in ``occurrences``.
    let place: Int
    let span: TimeSpan
    let isAllDay: Bool
    let color: EventColor
    /// All its days, which may extend beyond the page.
    let days: ClosedRange<CivilDate>
    /// Its days on the page, as columns.
    let columns: MonthLanes.Columns

    var isLong: Bool { days.lowerBound < days.upperBound }

    /// Orders by: several days first, start, all-day first, longer first, index.
    static func precedes(_ left: Entry, _ right: Entry) -> Bool {
      if left.isLong != right.isLong { return left.isLong }
      if left.span.start != right.span.start { return left.span.start < right.span.start }
      if left.isAllDay != right.isAllDay { return left.isAllDay }
      if left.span.end != right.span.end { return left.span.end > right.span.end }
      return left.place < right.place
    }
  }

  /// - Parameters:
  ///   - occurrences: At least those of ``MonthPage/span(in:)``, placed with `zone`, in the order
  ///     that decides where the rules of lanes do not. Cancelled ones and those elsewhere are
  ///     ignored.
  ///   - colors: The colors of visible calendars; occurrences of others are ignored.
  ///   - privacy: How much of the events is shown; hidden events take no lane.
  ///   - ownAddresses: See ``Event/isDeclined(by:)``.
  ///   - thresholds: Of the days' markers of releases.
  ///   - zone: The agent's zone.
  package init(
    page: MonthPage, today: CivilDate, occurrences: [Occurrence],
    colors: [CalendarID: EventColor], privacy: PrivacyLevel = .titles,
    ownAddresses: [String] = [],
    thresholds: DayMarker.Thresholds = DayMarker.Thresholds(), zone: ZoneRules
  ) {
    self.page = page
    self.today = today
    self.privacy = privacy
    self.ownAddresses = ownAddresses
    self.thresholds = thresholds
    self.occurrences = occurrences
    dates = page.dates
    // A day to either side: when a clock goes back over midnight, an event may touch a day outside
    // its instants.
    let whole = page.span(in: zone)
    let (from, to) = (
      whole.start.adding(seconds: -86_400), whole.end.adding(seconds: 86_400)
    )
    for (place, occurrence) in occurrences.enumerated()
    where occurrence.span.start < to && occurrence.span.end > from {
      guard occurrence.status != .cancelled,
        privacy == .titles || privacy.admits(occurrence.event, ownAddresses: ownAddresses),
        let color = colors[occurrence.calendar]
      else { continue }
      let days = occurrence.localDays(in: zone)
      let first = max(days.lowerBound.days(since: page.first), 0)
      let last = min(days.upperBound.days(since: page.first), page.count - 1)
      guard first <= last else { continue }
      entries.append(
        Entry(
          place: place, span: occurrence.span, isAllDay: occurrence.isAllDay,
          color: privacy == .busy ? PrivacyLevel.busyColor : occurrence.color ?? color,
          days: days, columns: first...last))
    }
    entries.sort(by: Entry.precedes)
  }

  /// Returns the grid.
  ///
  /// - Parameter lanes: The most lanes; nil: the limit of the page's mode.
  package func grid(lanes limit: Int? = nil) -> MonthGrid {
    var grid = MonthGrid(
      mode: page.mode, day: page.day, today: today, firstWeekday: page.firstWeekday,
      previous: page.previous, next: page.next)
    grid.days = dates.map(bareDay)
    var states: [Int: [ReleaseState]] = [:]
    var lanes = MonthLanes(limit: limit ?? page.mode.lanes)
    for entry in entries {
      let lane = lanes.place(entry.columns)
      // An episode over midnight counts on its first day.
      if dates[entry.columns.lowerBound] == entry.days.lowerBound,
        let release = occurrences[entry.place].event.release
      {
        states[entry.columns.lowerBound, default: []].append(release.state)
      }
      for column in entry.columns {
        if grid.days[column].dots.count < 3 { grid.days[column].dots.append(entry.color) }
        if entry.isAllDay, grid.days[column].marker == nil {
          grid.days[column].marker = entry.color
        }
        if let lane {
          grid.days[column].bars.append(
            bar(of: entry, column: column, lane: lane, event: grid.events.count))
        } else {
          grid.days[column].more += 1
        }
      }
      if lane != nil {
        grid.events.append(
          privacy.shown(
            MonthEvent(occurrences[entry.place], color: entry.color, ownAddresses: ownAddresses)))
      }
    }
    for (column, states) in states {
      grid.days[column].releases = DayMarker(
        states: states, isAhead: dates[column] > today, thresholds: thresholds)
    }
    grid.lanes = lanes.count
    return grid
  }

  private func bareDay(_ date: CivilDate) -> MonthDay {
    MonthDay(
      date: date, isInMonth: CalendarMonth(date) == page.month, isToday: date == today,
      isWeekend: date.weekday.rawValue >= Weekday.saturday.rawValue, week: WeekDate(date).week)
  }

  private func bar(of entry: Entry, column: Int, lane: Int, event: Int) -> MonthBar {
    let begins = dates[column] == entry.days.lowerBound
    let ends = dates[column] == entry.days.upperBound
    let part: MonthBar.Part =
      begins ? (ends ? .single : .start) : (ends ? .end : .middle)
    return MonthBar(
      event: event, lane: lane, part: part, showsText: begins || column.isMultiple(of: 7))
  }
}

extension Occurrence {
  /// Returns its first and last local day.
  ///
  /// An event that ends at midnight does not touch the day that begins there, unless it has no
  /// duration.
  func localDays(in zone: ZoneRules) -> ClosedRange<CivilDate> {
    if isAllDay {
      let first = start.date
      return first...max(first, end.date.adding(days: -1) ?? first)
    }
    let first = zone.reading(at: span.start).date
    guard span.start < span.end else { return first...first }
    // A clock that goes back over midnight can end an event the day before.
    let last = zone.reading(at: span.end.adding(seconds: -1)).date
    return min(first, last)...max(first, last)
  }
}
