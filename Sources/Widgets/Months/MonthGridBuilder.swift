package import CalendarModel
package import CivilTime

/// Makes a ``MonthGrid`` of a page and its occurrences.
///
/// What lies on the page is found and put in order once; how many lanes it gets
/// is a question of its own, so that a grid that turns out too long can be had
/// with fewer at little cost.
package struct MonthGridBuilder {
  private let page: MonthPage
  private let today: CivilDate
  private let privacy: PrivacyLevel
  private let ownAddresses: [String]
  private let dates: [CivilDate]
  private let occurrences: [Occurrence]
  /// What touches the page: events of several days first, then by start.
  private var entries: [Entry] = []

  /// Holds no reference, so that a month of thousands is put in order without counting any.
  private struct Entry {
    /// Its place in ``occurrences``.
    let place: Int
    let span: TimeSpan
    let isAllDay: Bool
    let color: EventColor
    /// The days it has in truth, which may lie beyond the page.
    let days: ClosedRange<CivilDate>
    /// Those on the page.
    let columns: MonthLanes.Columns

    var isLong: Bool { days.lowerBound < days.upperBound }

    /// Of several days first, then by start; of two that start together the
    /// all-day one, then the longer one; then the one that came first.
    static func precedes(_ left: Entry, _ right: Entry) -> Bool {
      if left.isLong != right.isLong { return left.isLong }
      if left.span.start != right.span.start { return left.span.start < right.span.start }
      if left.isAllDay != right.isAllDay { return left.isAllDay }
      if left.span.end != right.span.end { return left.span.end > right.span.end }
      return left.place < right.place
    }
  }

  /// - Parameters:
  ///   - occurrences: those of ``MonthPage/span(in:)`` at least, placed with
  ///     `zone`, in the order that they get where the rules of lanes leave it open. Those that are
  ///     cancelled or lie elsewhere are passed over.
  ///   - colors: of the calendars that are shown; the occurrences of others are
  ///     passed over.
  ///   - privacy: how much of the events is in it; those that it does not admit take no lane.
  ///   - ownAddresses: as for ``Event/isDeclined(by:)``.
  ///   - zone: the agent's.
  package init(
    page: MonthPage, today: CivilDate, occurrences: [Occurrence],
    colors: [CalendarID: EventColor], privacy: PrivacyLevel = .titles,
    ownAddresses: [String] = [], zone: ZoneRules
  ) {
    self.page = page
    self.today = today
    self.privacy = privacy
    self.ownAddresses = ownAddresses
    self.occurrences = occurrences
    dates = page.dates
    // A day to either side: a clock that goes back over midnight gives some event
    // a day that its instants lie before or after.
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
  /// - Parameter lanes: at most so many; nil is what the page's mode allows.
  package func grid(lanes limit: Int? = nil) -> MonthGrid {
    var grid = MonthGrid(
      mode: page.mode, day: page.day, today: today, firstWeekday: page.firstWeekday,
      previous: page.previous, next: page.next)
    grid.days = dates.map(bareDay)
    var lanes = MonthLanes(limit: min(limit ?? page.mode.lanes, page.mode.lanes))
    for entry in entries {
      let lane = lanes.place(entry.columns)
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
  /// Returns its first and its last local day. One that ends at midnight does not
  /// touch the day that begins there, unless it has no length at all.
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
