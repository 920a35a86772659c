import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Recurrence
import Widgets

// What the snapshot, the month and the next event show. A view has always something to
// show, and nothing is refused.

extension AgendaReader {
  /// No more rows are kept, or shown of a month.
  ///
  /// To make a snapshot of so many takes some tens of milliseconds, for which everybody waits; of a
  /// hundred thousand events over ten years 33,000 are in its days and its month.
  static let mostKept = 40_000
  /// To read so many takes megabytes for a moment.
  static let many = 5000
  /// A series of more exceptions is not placed in the turn of the change that was made to it.
  static let mostExceptionsMended = 5000
  /// Where there are too many rows to show them all, so many of each day are.
  static let mostOfDay = 200
  /// And so many of today.
  static let mostOfToday = 5000

  /// Returns what a snapshot of some days wants, in no order: every row of theirs, what runs now, and what comes next
  /// even after them.
  ///
  /// - Parameters:
  ///   - excerpt: what of the calendar is shown, and takes the room there is; some of the rest may
  ///     come as well.
  ///   - counted: what comes next is of these.
  func overview(
    of days: TimeSpan, now: Timestamp, next count: Int,
    excerpt: CalendarFilter = CalendarFilter(), counted: CountedEvents = CountedEvents()
  ) throws(CallError) -> [Occurrence] {
    if calendars(of: excerpt).isEmpty { return [] }
    // Among those that run there may be none that starts after now.
    let later = now.adding(seconds: 1)
    _ = try keep(days)
    var found = try page(of: days, excerpt, now: now)
    // By series and start: rows that were kept for some time are not equal to those read now.
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

  /// Returns the rows that a page of some days wants of an excerpt, in no order; where they have too many, the first of
  /// each day. Some of the rest may come as well.
  ///
  /// - Parameter now: of its day more come.
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

  /// Adds what there is of an excerpt in a span; false where something may be missing.
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

  /// Calls `body` with each series that can have something of an excerpt, and with what tells of which of its
  /// occurrences that is.
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

  /// Returns the timed occurrences that run at `now` or start after it, soonest
  /// first.
  ///
  /// It looks at spans that grow until they hold enough, since nearly every
  /// calendar has its next event within the first of them.
  ///
  /// - Parameter excerpt: what of the calendar counts. Where that is only what takes up time,
  ///   no more than ``mostLookedThrough`` events are looked through for it.
  func next(
    _ count: Int, now: Timestamp, of excerpt: CalendarFilter = CalendarFilter()
  ) throws(CallError) -> [Occurrence] {
    try timed(count, from: now, CountedEvents(), of: excerpt)
  }

  /// Events that leave the time free, or lie outside some hours, may be thousands, and each is read
  /// to know that.
  private static let mostLookedThrough = 2560
  /// Days within which events of some hours are looked for: a rule that never touches them is not
  /// walked to its end.
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
      // Of calendars with few events each is looked at, wherever it lies: that takes no longer for
      // all time.
      if few != nil, span.end < min(furthest, TimeSpan.always.end) { continue }
      // Some of those that are first may be days, hidden or declined: then more of them are read.
      var events = count
      while !cache.holds(span) {
        let near = try near(span, events, wanted, few)
        // Where thousands go on for years, not all of them have begun when so many have.
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

  /// The calendars that an excerpt shows anything of.
  func calendars(of excerpt: CalendarFilter) -> Set<CalendarID> {
    if excerpt.privacy == .nothing { return [] }
    return excerpt.calendars.map(visibleCalendars.intersection) ?? visibleCalendars
  }

  /// So many of the growing spans are looked at before it is asked how much there is at all.
  private static let nearSteps = 2

  /// Returns as much of a span as holds so many events from end to end. nil where it is not worth
  /// looking, or there are fewer.
  ///
  /// Where the next weeks are empty, the year after them may hold thousands of events.
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
  ///   - ready: what an earlier look of the same question has made ready.
  ///   - keys: of the series that are looked at; nil: of all that touch the span.
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
      // A rule without end would fill the years: no more than what is wanted.
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

/// Series of many exceptions, made ready once for all the looks of one question: for ten thousand of them that
/// takes as long as a thousand other series.
private final class ReadySeries {
  private var kept: [SeriesName: PlacedSeries] = [:]
  /// How many exceptions those that are kept to come may have, all together: ten megabytes of them.
  private var roomForExceptions = 20_000
  private static let fewestExceptions = 100

  /// - Parameter prepare: makes a series ready; nil for one that has no occurrences.
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
