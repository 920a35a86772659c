import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Recurrence
import Widgets

/// Answers questions about occurrences from the store.
struct AgendaReader {
  let store: EventStore
  let calendars: [CalendarInfo]
  let zones: ZoneContext
  let cache: AgendaCache
  /// Told of a series that cannot be placed, which must not spoil the answer for
  /// the others.
  let onBadSeries: (EventSeries, CivilTimeError) -> Void

  /// The owner's addresses, by which one knows what was declined.
  var ownAddresses: [String] { store.ownAddresses }

  /// Which occurrences are wanted.
  struct Filter {
    /// nil is every visible calendar.
    var calendars: Set<CalendarID>?
    var includesCancelled = false
    var includesDeclined = true
    /// The owner's addresses, by which ``includesDeclined`` goes.
    var ownAddresses: [String] = []

    /// Looks at no more of the event than it has to: each row of an answer is asked for.
    func admits(_ occurrence: Occurrence) -> Bool {
      (includesCancelled || occurrence.status != .cancelled)
        && (includesDeclined || admits(occurrence.event))
    }

    private func admits(_ event: Event) -> Bool {
      (includesCancelled || event.status != .cancelled)
        && (includesDeclined || !event.isDeclined(by: ownAddresses))
    }

    /// Whether one of its occurrences can be wanted: a series that was cancelled
    /// as a whole need not be placed.
    func admitsSome(of series: EventSeries) -> Bool {
      guard includesDeclined else {
        return series.components.contains(where: admits)
      }
      // Most often only that is asked, for which no event need be copied.
      if includesCancelled { return true }
      if let status = series.status, status != .cancelled { return true }
      return series.overrides.contains { $0.status != .cancelled }
    }
  }

  /// Returns the rows of a span in order: its occurrences, and one for each day on which a series is crowded
  /// (``CrowdedDays``).
  ///
  /// - Parameters:
  ///   - limit: the first so many; nothing is walked over for what comes after them.
  ///   - cursor: only what comes after this place.
  /// - Throws: ``CallError`` of the kinds `storageFailed`, and `limitsExceeded` where more than ``mostSteps`` instances
  ///   are in the way of series that crowd no day.
  func rows(
    in span: TimeSpan, filter: Filter = Filter(), limit: Int, after cursor: PageCursor? = nil
  ) throws(CallError) -> [Occurrence] {
    let start = max(span.start, cursor?.earliest ?? span.start)
    guard start < span.end else { return [] }
    let rest = TimeSpan(start: start, end: span.end)
    let rule = CrowdedDays(in: zones.local)
    defer { cache.note(steps: rule.steps) }
    // The first page of a month is in its first days mostly: what begins in them comes
    // before all that does not, and the others need not be read.
    var days: Int64 = 1
    while limit < .max, rest.end.seconds - start.seconds > days * 86_400 {
      let end = start.adding(seconds: days * 86_400)
      let found = try all(
        in: TimeSpan(start: start, end: end), rule, filter: filter, limit: limit, after: cursor)
      if found.count >= limit, found.last.map({ $0.span.start < end }) ?? true { return found }
      // As many days as would be enough if all were like these, and some more: the fewer there
      // are in these, the less they say of the others.
      let enough = days * Int64(clamping: limit) / Int64(max(found.count, 1)) * 3 / 2
      days = min(max(enough, days * 2), days * Int64(max(found.count, 16)))
    }
    return try all(in: rest, rule, filter: filter, limit: limit, after: cursor)
  }

  /// Returns the occurrences of a span in order, each by itself.
  ///
  /// - Throws: ``CallError`` of the kinds `storageFailed`, and `limitsExceeded` where there are more than `most`, or
  ///   more than ``mostSteps`` instances are walked over.
  func occurrences(
    in span: TimeSpan, filter: Filter, atMost most: Int
  ) throws(CallError) -> [Occurrence] {
    let calendars = filter.calendars ?? visibleCalendars
    if !cache.isCrowded {
      let kept = cache.occurrences(in: span) {
        calendars.contains($0.calendar) && filter.admits($0)
      }
      if let kept {
        guard kept.count <= most else { throw CallError(tooManyAmong: kept) }
        return kept
      }
    }
    var found = EarliestOccurrences(in: span, atMost: most)
    let budget = WalkBudget(most: AgendaReader.mostSteps)
    defer { cache.note(steps: budget.steps) }
    for series in try series(touching: span, calendars) where filter.admitsSome(of: series) {
      if let placed = prepared(series) { found.add(placed, budget: budget, where: filter.admits) }
      if found.isOverfull { throw CallError(tooManyAmong: found.sorted()) }
      if budget.isSpent { throw CallError(tooManyOf: series.components[0].summary) }
    }
    return found.sorted()
  }

  private func all(
    in span: TimeSpan, _ rule: CrowdedDays, filter: Filter, limit: Int, after cursor: PageCursor?
  ) throws(CallError) -> [Occurrence] {
    let calendars = filter.calendars ?? visibleCalendars
    func isWanted(_ occurrence: Occurrence) -> Bool {
      filter.admits(occurrence) && cursor?.precedes(occurrence) ?? true
    }
    let kept = cache.occurrences(in: span, limit: limit) {
      calendars.contains($0.calendar) && isWanted($0)
    }
    if let kept { return kept }
    let budget = WalkBudget(most: AgendaReader.mostSteps)
    defer { cache.note(steps: budget.steps) }
    var earliest = EarliestOccurrences(
      in: span, startingFrom: cursor?.earliest ?? EarliestOccurrences.anyStart,
      limit: limit, days: rule)
    for series in try series(touching: span, calendars) where filter.admitsSome(of: series) {
      if let placed = prepared(series) { earliest.add(placed, budget: budget, where: isWanted) }
      if budget.isSpent { throw CallError(tooManyOf: series.components[0].summary) }
    }
    return earliest.sorted()
  }

  /// No more instances are walked over for one answer: some tens of milliseconds.
  static let mostSteps = 300_000

  /// Returns a series ready for placing; nil for what has no occurrences, or cannot be
  /// placed.
  func prepared(_ series: EventSeries) -> PlacedSeries? {
    do throws(CivilTimeError) {
      return try PlacedSeries(series, context: zones)
    } catch {
      onBadSeries(series, error)
      return nil
    }
  }

  func series(
    touching span: TimeSpan, _ calendars: Set<CalendarID>?
  ) throws(CallError) -> [EventSeries] {
    try translated { () throws(StoreError) in
      try store.series(touching: span, calendars: calendars)
    }
  }

  /// Returns the calendars of an option.
  ///
  /// - Throws: ``CallError`` of the kind `notFound` for one that there is not.
  func calendars(named names: [String]) throws(CallError) -> Set<CalendarID> {
    for name in names where !calendars.contains(where: { $0.id.text == name }) {
      throw CallError(
        .notFound, about: "calendars",
        localized("no calendar has the ID \"{calendar}\"", ["calendar": name]))
    }
    return Set(names.map { CalendarID($0) })
  }

  var visibleCalendars: Set<CalendarID> { Set(calendars.filter(\.isVisible).map(\.id)) }

  /// The colour of each calendar.
  var colors: [CalendarID: EventColor] {
    Dictionary(calendars.map { ($0.id, $0.color) }, uniquingKeysWith: { first, _ in first })
  }
}

extension CallError {
  /// There is more in a range than an answer may have.
  ///
  /// - Parameter title: of the event that happens most often there; "" where it has none, or no event does.
  init(tooManyOf title: String) {
    self.init(
      .limitsExceeded,
      title.isEmpty
        ? localized("Too many events in this range; ask for fewer days.")
        : localized(
          "Too many occurrences of \"{title}\" in this range; ask for fewer days.",
          ["title": shortened(title, toCharacters: 80)]))
  }

  init(tooManyAmong occurrences: [Occurrence]) {
    var counts: [SeriesName: (count: Int, first: Occurrence)] = [:]
    for one in occurrences {
      let name = SeriesName(calendar: one.calendar, uid: one.uid)
      counts[name, default: (0, one)].count += 1
    }
    let most = counts.values.max {
      ($0.count, $1.first.uid.text) < ($1.count, $0.first.uid.text)
    }
    self.init(tooManyOf: most.map { $0.count > 1 ? $0.first.summary : "" } ?? "")
  }
}
