import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Recurrence
import Widgets

/// Answers queries about occurrences from the store.
struct AgendaReader {
  let store: EventStore
  let calendars: [CalendarInfo]
  let zones: ZoneContext
  let cache: AgendaCache
  /// Reports a series that cannot be expanded, and is left out of the answer.
  let onBadSeries: (EventSeries, CivilTimeError) -> Void

  /// The owner's addresses, which decide which events are declined.
  var ownAddresses: [String] { store.ownAddresses }

  /// A filter of occurrences.
  struct Filter {
    /// nil means every visible calendar.
    var calendars: Set<CalendarID>?
    var includesCancelled = false
    var includesDeclined = true
    /// Only releases in these states; nil means any event.
    var states: Set<ReleaseState>?
    /// Only releases whose quality has this text; "" means any event.
    var quality = ""
    /// The owner's addresses, for ``includesDeclined``.
    var ownAddresses: [String] = []

    /// Whether an occurrence is wanted; fast, since it runs for each row of an answer.
    func admits(_ occurrence: Occurrence) -> Bool {
      (includesCancelled || occurrence.status != .cancelled)
        && (includesDeclined || admits(occurrence.event))
        && (states == nil && quality.isEmpty || admits(occurrence.event.release))
    }

    private func admits(_ release: ReleaseFacts?) -> Bool {
      guard let release else { return false }
      return states?.contains(release.state) ?? true
        && (quality.isEmpty || release.hasQuality(quality))
    }

    private func admits(_ event: Event) -> Bool {
      (includesCancelled || event.status != .cancelled)
        && (includesDeclined || !event.isDeclined(by: ownAddresses))
    }

    /// Whether an occurrence of a series can be wanted, such as not if all are cancelled.
    func admitsSome(of series: EventSeries) -> Bool {
      guard includesDeclined else {
        return series.components.contains(where: admits)
      }
      // The usual case, in which no event is copied.
      if includesCancelled { return true }
      if let status = series.status, status != .cancelled { return true }
      return series.overrides.contains { $0.status != .cancelled }
    }
  }

  /// Returns the rows of a span, in order.
  ///
  /// A row is an occurrence, or all occurrences of a series on a crowded day (``CrowdedDays``).
  ///
  /// - Parameters:
  ///   - limit: the most rows to return; nothing after them is expanded.
  ///   - cursor: only rows after this position.
  /// - Throws: ``CallError`` of the kinds `storageFailed`, and `limitsExceeded` for more than
  ///   ``mostSteps`` instances of series that crowd no day.
  func rows(
    in span: TimeSpan, filter: Filter = Filter(), limit: Int, after cursor: PageCursor? = nil
  ) throws(CallError) -> [Occurrence] {
    let start = max(span.start, cursor?.earliest ?? span.start)
    guard start < span.end else { return [] }
    let rest = TimeSpan(start: start, end: span.end)
    let rule = CrowdedDays(in: zones.local)
    defer { cache.note(steps: rule.steps) }
    // The first page of a month is usually in its first days, so the rest need not be read.
    var days: Int64 = 1
    while limit < .max, rest.end.seconds - start.seconds > days * 86_400 {
      let end = start.adding(seconds: days * 86_400)
      let found = try all(
        in: TimeSpan(start: start, end: end), rule, filter: filter, limit: limit, after: cursor)
      if found.count >= limit, found.last.map({ $0.span.start < end }) ?? true { return found }
      // Extrapolate from the rows in these days, and add some more days.
      let enough = days * Int64(clamping: limit) / Int64(max(found.count, 1)) * 3 / 2
      days = min(max(enough, days * 2), days * Int64(max(found.count, 16)))
    }
    return try all(in: rest, rule, filter: filter, limit: limit, after: cursor)
  }

  /// Returns the occurrences of a span in order, also each one of a crowded day.
  ///
  /// - Throws: ``CallError`` of the kinds `storageFailed`, and `limitsExceeded` for more than
  ///   `most` occurrences, or more than ``mostSteps`` expanded instances.
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

  /// The most instances that are expanded for one answer, in some tens of milliseconds.
  static let mostSteps = 300_000

  /// Prepares a series for queries; nil if it has no occurrences, or cannot be expanded.
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
  /// - Throws: ``CallError`` of the kind `notFound` for an unknown calendar.
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
  /// The error for a range with more than an answer may have.
  ///
  /// - Parameter title: the title of the event that is most frequent there; "" for none.
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
