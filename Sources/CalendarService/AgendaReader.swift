import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime

/// Answers questions about occurrences from the store.
struct AgendaReader {
  let store: EventStore
  let calendars: [CalendarInfo]
  let zones: ZoneContext
  let cache: AgendaCache
  /// Told of a series that cannot be placed, which must not spoil the answer for
  /// the others.
  let onBadSeries: (EventSeries, CivilTimeError) -> Void

  /// Which occurrences are wanted.
  struct Filter {
    /// nil is every visible calendar.
    var calendars: Set<CalendarID>?
    var includesCancelled = false
    var includesDeclined = true
    /// The owner's addresses, by which ``includesDeclined`` goes.
    var ownAddresses: [String] = []

    func admits(_ occurrence: Occurrence) -> Bool { admits(occurrence.event) }

    private func admits(_ event: Event) -> Bool {
      (includesCancelled || event.status != .cancelled)
        && (includesDeclined || !event.isDeclined(by: ownAddresses))
    }

    /// Whether one of its occurrences can be wanted: a series that was cancelled
    /// as a whole need not be placed.
    func admitsSome(of series: EventSeries) -> Bool {
      series.components.contains(where: admits)
    }
  }

  /// Returns the occurrences of a span in order.
  ///
  /// - Parameters:
  ///   - limit: the first so many; a rule that fires each second is walked no
  ///     further.
  ///   - cursor: only what comes after this place.
  /// - Throws: ``CallError`` of the kinds `storageFailed`, and `limitsExceeded` for
  ///   a series with too many occurrences at one instant to page through.
  func occurrences(
    in span: TimeSpan, filter: Filter = Filter(), limit: Int, after cursor: PageCursor? = nil
  ) throws(CallError) -> [Occurrence] {
    let start = max(span.start, cursor?.earliest ?? span.start)
    guard start < span.end else { return [] }
    let rest = TimeSpan(start: start, end: span.end)
    // The first page of a month is in its first days mostly: what begins in them comes
    // before all that does not, and the others need not be read.
    var days: Int64 = 1
    while limit < .max, rest.end.seconds - start.seconds > days * 86_400 {
      let end = start.adding(seconds: days * 86_400)
      let found = try all(
        in: TimeSpan(start: start, end: end), filter: filter, limit: limit, after: cursor)
      if found.count >= limit, found.last.map({ $0.span.start < end }) ?? true { return found }
      // As many days as would be enough if all were like these, and some more.
      let enough = days * Int64(clamping: limit) / Int64(max(found.count, 1)) * 3 / 2
      days = min(max(enough, days * 2), days * 16)
    }
    return try all(in: rest, filter: filter, limit: limit, after: cursor)
  }

  private func all(
    in span: TimeSpan, filter: Filter, limit: Int, after cursor: PageCursor?
  ) throws(CallError) -> [Occurrence] {
    let calendars = filter.calendars ?? visibleCalendars
    func isWanted(_ occurrence: Occurrence) -> Bool {
      filter.admits(occurrence) && cursor?.precedes(occurrence) ?? true
    }
    let kept = cache.occurrences(in: span) { calendars.contains($0.calendar) && isWanted($0) }
    if let kept { return kept.count > limit ? Array(kept.prefix(limit)) : kept }
    var found: [Occurrence] = []
    for series in try series(touching: span, calendars) where filter.admitsSome(of: series) {
      found += try first(limit, of: series, in: span, where: isWanted)
    }
    found.sort(by: Occurrence.precedes)
    return found.count > limit ? Array(found.prefix(limit)) : found
  }

  /// No more occurrences of one series are placed for one answer.
  private static let mostPlaced = 200_000

  private func first(
    _ limit: Int, of series: EventSeries, in span: TimeSpan, where isWanted: (Occurrence) -> Bool
  ) throws(CallError) -> [Occurrence] {
    var most = limit
    while true {
      let placed = place(series, in: span, limit: most)
      let wanted = placed.filter(isWanted)
      if placed.count < most || wanted.count >= limit { return wanted }
      // What was passed over came first: look further.
      most *= 2
      guard most <= AgendaReader.mostPlaced else {
        throw CallError(
          .limitsExceeded,
          "the event \"\(series.uid)\" has more than \(AgendaReader.mostPlaced) occurrences here: "
            + "ask for a shorter range")
      }
    }
  }

  /// Returns the first occurrences of a series in a span; none of one that cannot be
  /// placed.
  func place(_ series: EventSeries, in span: TimeSpan, limit: Int) -> [Occurrence] {
    do throws(CivilTimeError) {
      return try series.occurrences(in: span, context: zones, limit: limit)
    } catch {
      onBadSeries(series, error)
      return []
    }
  }

  private func series(
    touching span: TimeSpan, _ calendars: Set<CalendarID>?
  ) throws(CallError) -> [EventSeries] {
    try translated { () throws(StoreError) in
      try store.series(touching: span, calendars: calendars)
    }
  }

  /// A series with more occurrences than this in the days around today floods
  /// them: it is not kept, and no view has room for all of it.
  private static let flood = 1000

  /// Returns what a snapshot of some days wants, in no order: every occurrence of
  /// theirs, what runs now, and what comes next even after them. Of a series that
  /// floods the days only the first of each come.
  func overview(
    of days: TimeSpan, now: Timestamp, next count: Int
  ) throws(CallError) -> [Occurrence] {
    if try keep(days) {
      let filter = Filter(includesCancelled: true)
      let found = try occurrences(in: days, filter: filter, limit: .max)
      return try found + next(count, now: now).filter { !$0.span.overlaps(days) }
    }
    let found = try thinned(days, besides: TimeSpan(start: now, end: now.adding(seconds: 1)))
    let known = Set(found)
    return try found + next(count, now: now).filter { !known.contains($0) }
  }

  /// Returns what a page of some days wants, of the visible calendars and in no
  /// order; of a series that floods them only the first of each day come.
  func page(of days: TimeSpan) throws(CallError) -> [Occurrence] {
    if cache.holds(days) { return try occurrences(in: days, limit: .max) }
    return try thinned(days)
  }

  /// Keeps the occurrences of a span at hand, of every calendar; false where one
  /// series floods it.
  private func keep(_ span: TimeSpan) throws(CallError) -> Bool {
    if cache.holds(span) { return true }
    var found: [Occurrence] = []
    for series in try series(touching: span, nil) {
      let placed = place(series, in: span, limit: AgendaReader.flood)
      guard placed.count < AgendaReader.flood else { return false }
      found += placed
    }
    found.sort(by: Occurrence.precedes)
    cache.keep(found, of: span)
    return true
  }

  /// Mends what is kept after a change.
  func mend(_ changes: ChangeSet) throws(CallError) {
    var isFlooded = false
    try cache.apply(changes) { (uid, span) throws(CallError) in
      var found: [Occurrence] = []
      for calendar in calendars {
        let changed = try translated { () throws(StoreError) in
          try store.series(uid, in: calendar.id)
        }
        guard let changed else { continue }
        let placed = place(changed, in: span, limit: AgendaReader.flood)
        isFlooded = isFlooded || placed.count == AgendaReader.flood
        found += placed
      }
      return found
    }
    if isFlooded { cache.forget() }
  }

  private func thinned(
    _ span: TimeSpan, besides moment: TimeSpan? = nil
  ) throws(CallError) -> [Occurrence] {
    let mostOfOne = 100
    var found: Set<Occurrence> = []
    for series in try series(touching: span, visibleCalendars) {
      let placed = place(series, in: span, limit: AgendaReader.flood)
      if placed.count < AgendaReader.flood {
        found.formUnion(placed)
        continue
      }
      for part in days(of: span) + (moment.map { [$0] } ?? []) {
        found.formUnion(place(series, in: part, limit: mostOfOne))
      }
    }
    return Array(found)
  }

  private func days(of span: TimeSpan) -> [TimeSpan] {
    var days: [TimeSpan] = []
    var start = span.start
    while start < span.end, let date = zones.local.reading(at: start).date.adding(days: 1) {
      let end = zones.local.startOfDay(date)
      guard end > start else { break }
      days.append(TimeSpan(start: start, end: min(end, span.end)))
      start = end
    }
    return days
  }

  /// Returns the timed occurrences that run at `now` or start after it, soonest
  /// first.
  ///
  /// It looks at spans that grow until they hold enough, since nearly every
  /// calendar has its next event within the first of them.
  func next(_ count: Int, now: Timestamp) throws(CallError) -> [Occurrence] {
    for days: Int64 in [1, 8, 32, 400, 8000] {
      let span = TimeSpan(
        start: now, end: min(now.adding(seconds: days * 86_400), TimeSpan.always.end))
      if let near = try near(span, count) {
        let found = try nextTimed(in: near, count)
        if found.count == count { return found }
      }
      let found = try nextTimed(in: span, count)
      if found.count == count { return found }
    }
    return try nextTimed(in: TimeSpan(start: now, end: TimeSpan.always.end), count)
  }

  /// Returns as much of a span as is likely to hold so many: that in which so many events have their
  /// first occurrence. nil where it is not worth looking, or there are fewer.
  ///
  /// Where the next weeks are empty, the year after them may hold thousands of events.
  private func near(_ span: TimeSpan, _ count: Int) throws(CallError) -> TimeSpan? {
    guard count > 0, !cache.holds(span) else { return nil }
    let end = try translated { () throws(StoreError) in
      try store.minute(inWhich: count, beginIn: span)
    }
    guard let end, end < span.end else { return nil }
    return TimeSpan(start: span.start, end: end)
  }

  private func nextTimed(in span: TimeSpan, _ count: Int) throws(CallError) -> [Occurrence] {
    let filter = Filter(includesDeclined: false, ownAddresses: store.ownAddresses)
    func isWanted(_ occurrence: Occurrence) -> Bool {
      !occurrence.isAllDay && filter.admits(occurrence)
    }
    if cache.holds(span) {
      let found = try occurrences(in: span, limit: .max)
      return Array(found.lazy.filter(isWanted).prefix(count))
    }
    var found: [Occurrence] = []
    for series in try series(touching: span, visibleCalendars)
    where series.master?.start.isDate != true && filter.admitsSome(of: series) {
      // A rule without end would fill the years: no more than what is wanted.
      found += place(series, in: span, limit: count + series.overrides.count).filter(isWanted)
    }
    found.sort(by: Occurrence.precedes)
    return Array(found.prefix(count))
  }

  /// Returns the calendars of an option.
  ///
  /// - Throws: ``CallError`` of the kind `notFound` for one that there is not.
  func calendars(named names: [String]) throws(CallError) -> Set<CalendarID> {
    for name in names where !calendars.contains(where: { $0.id.text == name }) {
      throw CallError(.notFound, "calendars: no calendar has the id \"\(name)\"")
    }
    return Set(names.map { CalendarID($0) })
  }

  var visibleCalendars: Set<CalendarID> { Set(calendars.filter(\.isVisible).map(\.id)) }

  /// The colour of each calendar.
  var colors: [CalendarID: EventColor] {
    Dictionary(calendars.map { ($0.id, $0.color) }, uniquingKeysWith: { first, _ in first })
  }
}
