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
  }

  /// Returns the occurrences of a span in order.
  func occurrences(
    in span: TimeSpan, filter: Filter = Filter()
  ) throws(StoreError) -> [Occurrence] {
    let calendars = filter.calendars ?? visibleCalendars
    var found: [Occurrence]
    if let kept = cache.occurrences(in: span) {
      found = kept.filter { calendars.contains($0.calendar) }
    } else {
      found = try placed(in: span, calendars: calendars)
    }
    if !filter.includesCancelled { found.removeAll { $0.event.status == .cancelled } }
    if !filter.includesDeclined { found.removeAll { $0.isDeclined } }
    return found
  }

  /// Keeps the occurrences of a span at hand, of every calendar, unless they are.
  func keep(_ span: TimeSpan) throws(StoreError) {
    if cache.occurrences(in: span) == nil {
      cache.keep(try placed(in: span, calendars: nil), of: span)
    }
  }

  /// Mends what is kept after a change.
  func mend(_ changes: ChangeSet) throws(StoreError) {
    try cache.apply(changes) { (uid, span) throws(StoreError) in
      var found: [Occurrence] = []
      for calendar in calendars {
        guard let series = try store.series(uid, in: calendar.id) else { continue }
        found += place(series, in: span)
      }
      return found
    }
  }

  private func placed(
    in span: TimeSpan, calendars: Set<CalendarID>?
  ) throws(StoreError) -> [Occurrence] {
    var found: [Occurrence] = []
    for series in try store.series(touching: span, calendars: calendars) {
      found += place(series, in: span)
    }
    found.sort(by: Occurrence.precedes)
    return found
  }

  private func place(_ series: EventSeries, in span: TimeSpan, limit: Int = .max) -> [Occurrence] {
    do throws(CivilTimeError) {
      return try series.occurrences(in: span, context: zones, limit: limit)
    } catch {
      onBadSeries(series, error)
      return []
    }
  }

  /// Returns the timed occurrences that run at `now` or start after it, soonest
  /// first.
  ///
  /// It looks at spans that grow until they hold enough, since nearly every
  /// calendar has its next event within the first of them.
  func next(_ count: Int, now: Timestamp) throws(StoreError) -> [Occurrence] {
    for days: Int64 in [1, 8, 32, 400, 8000] {
      let span = TimeSpan(
        start: now, end: min(now.adding(seconds: days * 86_400), TimeSpan.always.end))
      let found = try nextTimed(in: span, count)
      if found.count == count { return found }
    }
    return try nextTimed(in: TimeSpan(start: now, end: TimeSpan.always.end), count)
  }

  private func nextTimed(in span: TimeSpan, _ count: Int) throws(StoreError) -> [Occurrence] {
    func isWanted(_ occurrence: Occurrence) -> Bool {
      !occurrence.isAllDay && occurrence.event.status != .cancelled && !occurrence.isDeclined
    }
    if cache.occurrences(in: span) != nil {
      return Array(try occurrences(in: span).lazy.filter(isWanted).prefix(count))
    }
    var found: [Occurrence] = []
    for series in try store.series(touching: span, calendars: visibleCalendars)
    where series.master?.start.isDate != true {
      // A rule without end would fill the years: no more than what is wanted.
      found += place(series, in: span, limit: count + series.overrides.count).filter(isWanted)
    }
    found.sort(by: Occurrence.precedes)
    return Array(found.prefix(count))
  }

  var visibleCalendars: Set<CalendarID> { Set(calendars.filter(\.isVisible).map(\.id)) }

  /// The colour of each calendar.
  var colors: [CalendarID: EventColor] {
    Dictionary(calendars.map { ($0.id, $0.color) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Occurrence {
  /// Whether its owner said no. Without knowing which attendee the owner is, only
  /// an event whose attendees all declined counts.
  var isDeclined: Bool {
    !event.attendees.isEmpty && event.attendees.allSatisfy { $0.participation == "declined" }
  }
}
