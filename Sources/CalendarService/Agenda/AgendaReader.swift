import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Recurrence

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
    /// Whether those come that ``RecurrencePattern/isTooDenseToRing``.
    var includesTooDense = true

    /// Looks at no more of the event than it has to: each row of an answer is asked for.
    func admits(_ occurrence: Occurrence) -> Bool {
      (includesCancelled || occurrence.status != .cancelled)
        && (includesDeclined && includesTooDense || admits(occurrence.event))
    }

    private func admits(_ event: Event) -> Bool {
      (includesCancelled || event.status != .cancelled)
        && (includesDeclined || !event.isDeclined(by: ownAddresses))
        && (includesTooDense || !event.recurrence.isTooDenseToRing)
    }

    /// Whether one of its occurrences can be wanted: a series that was cancelled
    /// as a whole need not be placed.
    func admitsSome(of series: EventSeries) -> Bool {
      guard includesDeclined && includesTooDense else {
        return series.components.contains(where: admits)
      }
      // Most often only that is asked, for which no event need be copied.
      if includesCancelled { return true }
      if let status = series.status, status != .cancelled { return true }
      return series.overrides.contains { $0.status != .cancelled }
    }
  }

  /// Returns the occurrences of a span in order.
  ///
  /// - Parameters:
  ///   - limit: the first so many; a rule that fires each second is walked no
  ///     further.
  ///   - cursor: only what comes after this place.
  /// - Throws: ``CallError`` of the kinds `storageFailed`, and `limitsExceeded` where
  ///   more than ``mostSteps`` instances are in the way.
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
      // As many days as would be enough if all were like these, and some more: the fewer there
      // are in these, the less they say of the others.
      let enough = days * Int64(clamping: limit) / Int64(max(found.count, 1)) * 3 / 2
      days = min(max(enough, days * 2), days * Int64(max(found.count, 16)))
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
    let kept = cache.occurrences(in: span, limit: limit) {
      calendars.contains($0.calendar) && isWanted($0)
    }
    if let kept { return kept }
    var earliest = EarliestOccurrences(
      in: span, startingFrom: cursor?.earliest ?? EarliestOccurrences.anyStart,
      limit: limit)
    let budget = WalkBudget(most: AgendaReader.mostSteps)
    defer { cache.note(budget) }
    for series in try series(touching: span, calendars) where filter.admitsSome(of: series) {
      if let placed = prepared(series) { earliest.add(placed, budget: budget, where: isWanted) }
      try check(budget, at: series)
    }
    return earliest.sorted()
  }

  /// Returns the occurrences of a span in order.
  ///
  /// - Parameters:
  ///   - most: more than so many are refused.
  ///   - tooMany: makes the error of the event that is in the way most, of those that were
  ///     read: they need not be read again to say which it is.
  /// - Throws: what `tooMany` returns; else as ``occurrences(in:filter:limit:after:)``.
  func occurrences(
    in span: TimeSpan, filter: Filter, atMost most: Int, tooMany: (LargestSeries?) -> CallError
  ) throws(CallError) -> [Occurrence] {
    // Most often a day tells that there are too many, and no others need be read.
    let day = TimeSpan(start: span.start, end: min(span.end, span.start.adding(seconds: 86_400)))
    for part in day == span ? [span] : [day, span] {
      let found = try all(in: part, filter: filter, atMost: most)
      switch found {
      case .all(let occurrences) where part == span: return occurrences
      case .all: continue
      case .tooMany(of: let series): throw tooMany(LargestSeries(in: span, of: series, self))
      case .tooManyKept(let occurrences): throw tooMany(LargestSeries(among: occurrences))
      }
    }
    return []
  }

  private enum Counted {
    case all([Occurrence])
    /// More than were asked for, with the series that touch the span.
    case tooMany(of: [EventSeries])
    /// The same, of occurrences that were at hand.
    case tooManyKept([Occurrence])
  }

  private func all(
    in span: TimeSpan, filter: Filter, atMost most: Int
  ) throws(CallError) -> Counted {
    let calendars = filter.calendars ?? visibleCalendars
    let kept = cache.occurrences(in: span) {
      calendars.contains($0.calendar) && filter.admits($0)
    }
    if let kept { return kept.count > most ? .tooManyKept(kept) : .all(kept) }
    var found = EarliestOccurrences(in: span, atMost: most)
    let budget = WalkBudget(most: AgendaReader.mostSteps)
    defer { cache.note(budget) }
    let touching = try series(touching: span, calendars)
    for series in touching where filter.admitsSome(of: series) {
      if let placed = prepared(series) { found.add(placed, budget: budget, where: filter.admits) }
      if found.isOverfull { return .tooMany(of: touching) }
      try check(budget, at: series)
    }
    return .all(found.sorted())
  }

  /// No more instances are walked over for one answer: some tens of milliseconds.
  static let mostSteps = 300_000

  private func check(_ budget: WalkBudget, at series: EventSeries) throws(CallError) {
    guard budget.isSpent else { return }
    throw CallError(
      .limitsExceeded,
      localized(
        """
        too many occurrences of the event {event} in this range; ask for a shorter range, or for \
        other calendars
        """, ["event": LargestSeries.name(of: series)]))
  }

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
