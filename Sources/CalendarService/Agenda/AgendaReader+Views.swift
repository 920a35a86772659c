import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Recurrence
import Widgets

// The rows of the snapshot, the month and the next event. A view never fails for too many rows.

extension AgendaReader {
  /// The most rows that are cached, or shown of a month.
  ///
  /// A snapshot of that many takes some tens of milliseconds, during which every caller waits.
  static let mostKept = 40_000
  /// Reading this many rows takes megabytes of memory.
  static let many = 5000
  /// The most overrides of a changed series with which the cache is updated at once.
  static let mostExceptionsMended = 5000
  /// How many rows of each day are shown if there are too many.
  static let mostOfDay = 200
  /// How many rows of today are shown if there are too many.
  static let mostOfToday = 5000

  /// Returns the rows for a snapshot, unsorted: those of some days, and the next events after them.
  ///
  /// - Parameters:
  ///   - excerpt: the filter; some rows that it does not admit may be included.
  ///   - counted: the events that count as next.
  func overview(
    of days: TimeSpan, now: Timestamp, next count: Int,
    excerpt: CalendarFilter = CalendarFilter(), counted: CountedEvents = CountedEvents()
  ) throws(CallError) -> [Occurrence] {
    if calendars(of: excerpt).isEmpty { return [] }
    // The running events are among the rows of the days.
    let later = now.adding(seconds: 1)
    _ = try keep(days)
    var found = try page(of: days, excerpt, now: now)
    // By series and start, since cached rows are not equal to those read now.
    func name(_ row: Occurrence) -> [String] {
      [row.calendar.text, row.uid.text, "\(row.span.start.seconds)"]
    }
    let known = cache.holds(days) ? [] : Set(found.map(name))
    for next in try timed(count, from: later, startingFrom: later, counted, of: excerpt)
    where cache.holds(days) ? !next.span.overlaps(days) : !known.contains(name(next)) {
      found.append(next)
    }
    return found
  }

  /// Returns the rows of some days, unsorted; of too many only the first of each day.
  ///
  /// Some rows that the filter does not admit may be included.
  ///
  /// - Parameter now: an instant whose day gets more rows; nil for none.
  func page(
    of days: TimeSpan, _ excerpt: CalendarFilter = CalendarFilter(), now: Timestamp? = nil
  ) throws(CallError) -> [Occurrence] {
    if cache.holds(days) {
      let filter = Filter(calendars: calendars(of: excerpt), includesCancelled: true)
      return try rows(in: days, filter: filter, limit: .max)
    }
    if !cache.isTooFull(in: days) {
      var all = EarliestOccurrences(
        in: days, atMost: AgendaReader.mostKept, days: CrowdedDays(in: zones.local))
      if try addAll(of: excerpt, to: &all, touching: days), !all.isOverfull { return all.sorted() }
    }
    return Array(try firstRows(of: days, now: now, excerpt))
  }

  /// Adds the filtered rows of a span; false if some may be missing.
  private func addAll(
    of excerpt: CalendarFilter, to found: inout EarliestOccurrences, touching span: TimeSpan
  ) throws(CallError) -> Bool {
    let budget = WalkBudget(most: AgendaReader.mostSteps)
    defer { cache.note(steps: budget.steps + found.stepsOfDays) }
    let keys = try translated { () throws(StoreError) in try store.seriesKeys(touching: span) }
    try forEachSeries(of: excerpt, withKeys: keys[...]) { series, isWanted in
      if !found.isOverfull { found.add(series, budget: budget, where: isWanted) }
    }
    return !budget.isSpent
  }

  /// Calls `body` with each series that a filter admits in part, and a test of its occurrences.
  func forEachSeries(
    of excerpt: CalendarFilter, withKeys keys: ArraySlice<Int64>,
    _ body: (PlacedSeries, (Occurrence) -> Bool) -> Void
  ) throws(CallError) {
    let (wanted, own) = (calendars(of: excerpt), ownAddresses)
    try translated { () throws(StoreError) in
      try store.forEachSeries(withKeys: keys) { series in
        guard wanted.contains(series.calendar), excerpt.admitsSome(of: series, ownAddresses: own),
          let placed = prepared(series.brief)
        else { return }
        body(placed) { excerpt.isWhole || excerpt.admits($0, ownAddresses: own) }
      }
    }
  }

  // MARK: What comes next

  /// Returns the timed occurrences that run at `now` or start after it, soonest first.
  ///
  /// It searches growing spans, since nearly every calendar has its next event in the first one.
  ///
  /// - Parameter excerpt: the filter; for the privacy level `busy` about ``mostLookedThrough``
  ///   events are examined at most.
  func next(
    _ count: Int, now: Timestamp, of excerpt: CalendarFilter = CalendarFilter()
  ) throws(CallError) -> [Occurrence] {
    try timed(count, from: now, CountedEvents(), of: excerpt)
  }

  /// About how many events are examined for one that is busy, or within some hours.
  private static let mostLookedThrough = 2560
  /// How many days are searched for events within some hours.
  private static let daysOfHours: Int64 = 400

  private func timed(
    _ count: Int, from start: Timestamp, startingFrom earliest: Timestamp = .earliest,
    _ counted: CountedEvents, of excerpt: CalendarFilter
  ) throws(CallError) -> [Occurrence] {
    let wanted = calendars(of: excerpt)
    guard count > 0, !wanted.isEmpty else { return [] }
    var found: [Occurrence] = []
    var few: [Int64]?
    let ready = ReadySeries()
    let furthest =
      counted.hours == nil
      ? TimeSpan.always.end : start.adding(seconds: AgendaReader.daysOfHours * 86_400)
    for (step, span) in AgendaReader.growing(from: start).enumerated() where span.end <= furthest {
      if step == AgendaReader.nearSteps {
        few = try translated { () throws(StoreError) in try store.fewEventKeys(in: wanted) }
      }
      // If the calendars have few events, searching all time takes no longer than a part of it.
      if few != nil, span.end < min(furthest, TimeSpan.always.end) { continue }
      // Some of the first events may be all-day, hidden or declined; then more are read.
      var events = count
      while !cache.holds(span) {
        let near = try near(span, events, wanted, few)
        // Of thousands of long series, those that begin first may be enough.
        let first =
          few == nil
          ? try translated { () throws(StoreError) in
            try store.seriesKeys(events, beginningIn: near ?? span)
          } : []
        let some = try timed(
          in: near ?? span, count, startingFrom: earliest, counted, of: excerpt, ready,
          amongst: first)
        if some.count == count, let last = some.last {
          let end = max(last.span.start, span.start).adding(seconds: 1)
          return try timed(
            in: TimeSpan(start: span.start, end: end), count, startingFrom: earliest, counted,
            of: excerpt, ready)
        }
        guard let near else {
          if first.count < events || events >= AgendaReader.mostLookedThrough { break }
          events *= 8
          continue
        }
        found = try timed(
          in: near, count, startingFrom: earliest, counted, of: excerpt, ready)
        if found.count == count { return found }
        if excerpt.privacy == .busy || counted.hours != nil,
          events >= AgendaReader.mostLookedThrough
        {
          return found
        }
        events *= 8
      }
      found = try timed(
        in: span, count, startingFrom: earliest, counted, of: excerpt, ready)
      if found.count == count { break }
    }
    return found
  }

  /// Returns the calendars of which a filter shows anything.
  func calendars(of excerpt: CalendarFilter) -> Set<CalendarID> {
    if excerpt.privacy == .nothing { return [] }
    return excerpt.calendars.map(visibleCalendars.intersection) ?? visibleCalendars
  }

  /// How many of the growing spans are searched before counting all events.
  private static let nearSteps = 2

  /// Returns the beginning of a span that contains a number of whole events.
  ///
  /// nil if the span is cached, or has fewer. After some empty weeks, a year may have thousands.
  private func near(
    _ span: TimeSpan, _ events: Int, _ wanted: Set<CalendarID>, _ few: [Int64]?
  ) throws(CallError) -> TimeSpan? {
    guard !cache.holds(span) else { return nil }
    let end = try translated { () throws(StoreError) in
      try store.minute(inWhich: events, endIn: span, calendars: wanted, few: few)
    }
    guard let end, end < span.end else { return nil }
    return TimeSpan(start: span.start, end: end)
  }

  private static func growing(from start: Timestamp) -> [TimeSpan] {
    guard start < TimeSpan.always.end else { return [] }
    return [1, 8, 32, daysOfHours, 8000, 4_000_000].map { (days: Int64) in
      TimeSpan(start: start, end: min(start.adding(seconds: days * 86_400), TimeSpan.always.end))
    }
  }

  /// - Parameters:
  ///   - ready: the series that the same query has prepared before.
  ///   - keys: the keys of the series to examine; nil means all that touch the span.
  private func timed(
    in span: TimeSpan, _ count: Int, startingFrom earliest: Timestamp,
    _ counted: CountedEvents, of excerpt: CalendarFilter, _ ready: ReadySeries,
    amongst keys: [Int64]? = nil
  ) throws(CallError) -> [Occurrence] {
    if keys?.isEmpty == true { return [] }
    let wanted = calendars(of: excerpt)
    let filter = Filter(
      calendars: wanted, includesDeclined: counted.includesDeclined,
      ownAddresses: ownAddresses)
    func isWanted(_ occurrence: Occurrence) -> Bool {
      !occurrence.isAllDay && occurrence.span.start >= earliest
        && counted.contains(occurrence, ownAddresses: ownAddresses, zone: zones.local)
        && excerpt.admits(occurrence.event, ownAddresses: ownAddresses)
    }
    if keys == nil {
      let kept = cache.occurrences(in: span, limit: count) {
        wanted.contains($0.calendar) && filter.admits($0) && isWanted($0)
      }
      if let kept { return kept }
    }
    let rule = CrowdedDays(in: zones.local)
    var found = EarliestOccurrences(in: span, startingFrom: earliest, limit: count, days: rule)
    let budget = WalkBudget(most: AgendaReader.mostSteps)
    defer { cache.note(steps: budget.steps + rule.steps) }
    func add(_ series: EventSeries) {
      guard !series.isAllDay, filter.admitsSome(of: series) else { return }
      // Added one by one: an endless rule is expanded only as far as it is needed.
      if let placed = ready.placed(series, prepared) {
        found.add(placed, budget: budget, where: isWanted)
      }
    }
    if let keys {
      try translated { () throws(StoreError) in
        try store.forEachSeries(withKeys: keys[...]) { if wanted.contains($0.calendar) { add($0) } }
      }
    } else {
      for series in try series(touching: span, wanted) { add(series) }
    }
    return found.sorted()
  }
}

/// Series with many overrides, prepared once for all steps of one query.
private final class ReadySeries {
  private var kept: [SeriesName: PlacedSeries] = [:]
  /// How many more overrides may be kept in memory; they start with ten megabytes.
  private var roomForExceptions = 20_000
  private static let fewestExceptions = 100

  /// - Parameter prepare: prepares a series; nil for one without occurrences.
  func placed(_ series: EventSeries, _ prepare: (EventSeries) -> PlacedSeries?) -> PlacedSeries? {
    let count = series.overrides.count
    guard count >= ReadySeries.fewestExceptions else { return prepare(series) }
    let name = SeriesName(calendar: series.calendar, uid: series.uid)
    if let placed = kept[name] { return placed }
    let placed = prepare(series)
    if count <= roomForExceptions {
      kept[name] = placed
      roomForExceptions -= count
    }
    return placed
  }
}
