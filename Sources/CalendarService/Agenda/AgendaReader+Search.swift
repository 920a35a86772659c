import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Recurrence

extension AgendaReader {
  /// A search for events: the query, its options and the page.
  struct Search {
    enum Order: String, CaseIterable {
      /// Best matches first.
      case relevance
      /// By start; see ``Occurrence/precedes(_:_:)``.
      case start
    }

    let query: SearchQuery
    let limit: Int
    /// The instant that separates the next occurrence from the last one.
    let now: Timestamp
    var filter = Filter()
    /// The range in which an event must have an occurrence.
    var span = TimeSpan.always
    var order = Order.relevance
    var cursor: SearchCursor?
  }

  /// A page with one occurrence for each event.
  typealias SearchPage = (rows: [Occurrence], next: SearchCursor?)

  /// The most events that are sorted by their occurrences.
  private static let mostOrdered = 10_000

  /// Returns a page of the matching events, each as its next matching occurrence, or else its last.
  ///
  /// - Throws: ``CallError`` of the kinds `storageFailed`, and `limitsExceeded` for too many events
  ///   to sort by start, or too many occurrences to examine.
  func search(_ search: Search) throws(CallError) -> SearchPage {
    var search = search
    let wanted = calendars(of: search)
    if wanted.isEmpty { return ([], nil) }
    search.filter.calendars = wanted
    let few = try translated { () throws(StoreError) in try store.fewEventKeys(in: wanted) }
    // The calendars are empty.
    if let few, few.isEmpty { return ([], nil) }
    let hits = try translated { () throws(StoreError) in try store.hits(of: search.query) }
    var walk = Walk(
      hits: hits, isWithin: try eventsWithin(search.span, few),
      calendars: store.areAll(wanted) ? nil : wanted)
    defer { cache.note(steps: walk.budget.steps) }
    switch search.order {
    case .relevance: return try byRelevance(search, &walk)
    case .start: return try byStart(search, &walk)
    }
  }

  // MARK: Orders

  private func byRelevance(
    _ search: Search, _ walk: inout Walk
  ) throws(CallError) -> SearchPage {
    var page: SearchPage = ([], nil)
    var last: SearchHit?
    let first = try place(after: search.cursor, walk)
    var index = 0
    while let hit = try hit(at: index, walk) {
      defer { index += 1 }
      // An event on an earlier page must not appear again with another component.
      guard let key = try key(of: hit, &walk) else { continue }
      if index < first {
        walk.seen.insert(key)
        continue
      }
      guard let found = try pick(key, walk, search) else { continue }
      walk.seen.insert(key)
      if page.rows.count == search.limit {
        page.next = last.map { .relevance(component: $0.component, rank: $0.rank) }
        return page
      }
      page.rows.append(found)
      last = hit
    }
    return page
  }

  private func byStart(_ search: Search, _ walk: inout Walk) throws(CallError) -> SearchPage {
    var found: [Occurrence] = []
    var (index, looked) = (0, 0)
    while let hit = try hit(at: index, walk) {
      index += 1
      guard let key = try key(of: hit, &walk) else { continue }
      walk.seen.insert(key)
      looked += 1
      guard looked <= AgendaReader.mostOrdered else {
        throw CallError(
          .limitsExceeded, about: "query",
          localized(
            """
            more than {limit} events match; add words or a range, or use the order "relevance"
            """, ["limit": AgendaReader.mostOrdered]))
      }
      guard let occurrence = try pick(key, walk, search) else { continue }
      if case .start(let cursor) = search.cursor, !cursor.precedes(occurrence) { continue }
      found.append(occurrence)
    }
    found.putInOrder()
    guard found.count > search.limit, search.limit > 0 else { return (found, nil) }
    return (
      Array(found.prefix(search.limit)), .start(PageCursor(found[search.limit - 1]))
    )
  }

  /// The state of a walk through the hits of a search.
  private struct Walk {
    let hits: SearchHits
    /// The keys of the events in the range; nil means all.
    let isWithin: Set<Int64>?
    /// nil means all calendars.
    let calendars: Set<CalendarID>?
    var seen: Set<Int64> = []
    /// Shared by all events.
    let budget = WalkBudget(most: AgendaReader.mostSteps)
  }

  private func hit(at index: Int, _ walk: Walk) throws(CallError) -> SearchHit? {
    try translated { () throws(StoreError) in try walk.hits.hit(at: index) }
  }

  /// Returns the index of the first hit after a cursor.
  private func place(after cursor: SearchCursor?, _ walk: Walk) throws(CallError) -> Int {
    guard case .relevance(let component, let rank) = cursor else { return 0 }
    return try translated { () throws(StoreError) in
      try walk.hits.place(after: component, rank: rank)
    }
  }

  /// Returns the event of a hit; nil if it was seen before, or is outside the search.
  private func key(of hit: SearchHit, _ walk: inout Walk) throws(CallError) -> Int64? {
    let key = try translated { () throws(StoreError) in
      try store.eventKey(of: hit, in: walk.calendars)
    }
    guard let key, !walk.seen.contains(key), walk.isWithin?.contains(key) ?? true else {
      return nil
    }
    return key
  }

  // MARK: Which events

  /// - Parameter few: the keys of all events of the calendars, if they are few.
  private func eventsWithin(
    _ span: TimeSpan, _ few: [Int64]?
  ) throws(CallError) -> Set<Int64>? {
    if span == .always { return few.map { Set($0) } }
    let within = try translated { () throws(StoreError) in
      try store.eventKeys(touching: span)
    }
    return few.map(within.intersection) ?? within
  }

  /// Returns the calendars of the option, or else the visible ones, that the query admits.
  private func calendars(of search: Search) -> Set<CalendarID> {
    let wanted = search.filter.calendars ?? visibleCalendars
    let left = calendars.filter {
      wanted.contains($0.id) && search.query.admits(calendar: $0)
    }
    return Set(left.map(\.id))
  }

  // MARK: Which occurrence

  /// Returns the next wanted occurrence of an event in the range, or else the last, or nil.
  private func pick(
    _ key: Int64, _ walk: Walk, _ search: Search
  ) throws(CallError) -> Occurrence? {
    let found = try translated { () throws(StoreError) in
      try store.found(key, among: walk.hits, in: search.filter.calendars)
    }
    guard let found, let placed = prepared(found.series) else { return nil }
    func isWanted(_ occurrence: Occurrence) -> Bool {
      search.filter.admits(occurrence) && found.has(occurrence)
    }
    // The only occurrence is also the nearest.
    if let single = placed.single {
      let isInside = search.span.start < search.span.end && single.span.overlaps(search.span)
      return isInside && isWanted(single) ? single : nil
    }
    let extent =
      try translated { () throws(StoreError) in try store.extent(ofEvent: key) } ?? .always
    let nearest = nearest(
      of: found, placed, extent: extent, search, walk.budget, where: isWanted)
    guard nearest != nil || !walk.budget.isSpent else {
      throw CallError(
        .limitsExceeded, about: "query",
        localized(
          """
          too many occurrences to search, mostly of the event "{uid}"; add words, or a range
          """, ["uid": found.series.uid.text]))
    }
    return nearest
  }

  private func nearest(
    of found: EventStore.FoundEvent, _ placed: PlacedSeries, extent: TimeSpan, _ search: Search,
    _ budget: WalkBudget, where isWanted: (Occurrence) -> Bool
  ) -> Occurrence? {
    let now = min(max(search.now, search.span.start), search.span.end)
    let ahead = TimeSpan(start: now, end: search.span.end)
    if ahead.start < ahead.end, extent.end >= ahead.start,
      let next = next(of: found, placed, in: ahead, budget, where: isWanted)
    {
      return next
    }
    let end = min(now, extent.end)
    guard search.span.start < end else { return nil }
    let behind = TimeSpan(
      start: max(search.span.start, extent.start), end: max(end, extent.start))
    return last(of: found, placed, in: behind, budget, where: isWanted)
  }

  /// The most occurrences of an event that are examined for a matching one.
  private static let mostLookedAt = 5000

  private func first(
    _ limit: Int, of placed: PlacedSeries, in span: TimeSpan,
    startingFrom: Timestamp = EarliestOccurrences.anyStart, _ budget: WalkBudget,
    where isWanted: (Occurrence) -> Bool = { _ in true }
  ) -> [Occurrence] {
    var found = EarliestOccurrences(in: span, startingFrom: startingFrom, limit: limit)
    found.add(placed, budget: budget, where: isWanted)
    return found.sorted()
  }

  private func next(
    of found: EventStore.FoundEvent, _ placed: PlacedSeries, in span: TimeSpan,
    _ budget: WalkBudget, where isWanted: (Occurrence) -> Bool
  ) -> Occurrence? {
    let few = 1 + found.series.overrides.count
    let nearest = first(few, of: placed, in: span, budget)
    if let next = nearest.first(where: isWanted) { return next }
    guard nearest.count == few, found.series.isRecurring else { return nil }
    return first(few + AgendaReader.mostLookedAt, of: placed, in: span, budget)
      .first(where: isWanted)
  }

  /// Searches backwards in growing steps, since the last occurrence is usually near the end.
  private func last(
    of found: EventStore.FoundEvent, _ placed: PlacedSeries, in span: TimeSpan,
    _ budget: WalkBudget, where isWanted: (Occurrence) -> Bool
  ) -> Occurrence? {
    guard found.series.isRecurring else {
      return first(1, of: placed, in: span, budget).first(where: isWanted)
    }
    var end = span.end
    for days: Int64 in [1, 32, 400, 8000, 4_000_000] {
      let step = TimeSpan(
        start: max(end.adding(seconds: -days * 86_400), span.start), end: end)
      if let last = lastOf(placed, in: step, budget, where: isWanted) { return last }
      if step.start == span.start { return nil }
      end = step.start
    }
    return nil
  }

  /// Returns the last wanted occurrence of a span.
  ///
  /// A span with many is halved until few are left: a rule may fire each second.
  private func lastOf(
    _ placed: PlacedSeries, in span: TimeSpan, _ budget: WalkBudget,
    where isWanted: (Occurrence) -> Bool
  ) -> Occurrence? {
    let few = 100
    var start = span.start
    var nearest = first(few, of: placed, in: span, budget)
    if nearest.isEmpty { return nil }
    var end = span.end
    while nearest.count == few, end.seconds - start.seconds > 1 {
      let middle = start.adding(seconds: (end.seconds - start.seconds) / 2)
      let later = TimeSpan(start: middle, end: span.end)
      let found = first(few, of: placed, in: later, startingFrom: middle, budget)
      if found.isEmpty { end = middle } else { (start, nearest) = (middle, found) }
    }
    if let last = nearest.last(where: isWanted) { return last }
    // The occurrences at the end do not match.
    return first(AgendaReader.mostLookedAt * 20, of: placed, in: span, budget, where: isWanted)
      .last
  }
}
