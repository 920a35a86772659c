import CivilTime
import Recurrence

/// A series prepared for placing its occurrences: zones, recurrence set and overrides.
struct SeriesExpansion {
  let calendar: CalendarID
  let master: Placement?
  /// A master without any time.
  private let timeless: Placement?
  /// nil for an event that does not recur.
  let set: RecurrenceSet?
  /// The overrides that no EXDATE removes.
  let overrides: [Override]
  let overridden: Set<Timestamp>
  /// The indices in ``overrides``, by occurrence.
  private let places: [RecurrenceID: Int]
  /// THISANDFUTURE overrides, by the instant from which they apply.
  let futures: [Override]
  /// The durations of RDATE periods.
  let periods: [Timestamp: Placement.Length]
  /// An upper bound of the duration of every instance.
  let longestSeconds: Int64
  /// The most that an override moves the instances after it.
  let longestShift: Int64

  struct Override {
    let id: RecurrenceID
    /// The instant of ``id`` in the recurrence set.
    let replaced: Timestamp
    /// The time of its occurrence, for rejecting most of ten thousand overrides quickly.
    let span: TimeSpan
    let placement: Placement
    /// How far a THISANDFUTURE override moves the clock of later instances.
    let shiftSeconds: Int64
  }

  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  init(_ series: EventSeries, context: ZoneContext) throws(CivilTimeError) {
    calendar = series.calendar
    var longest: Int64 = 0
    var periods: [Timestamp: Placement.Length] = [:]
    var excluded = ExcludedTimes()
    timeless =
      if let shared = series.shared, shared.event.anchor == .none {
        try Placement(shared, context: context)
      } else { nil }
    if let shared = series.shared, shared.event.anchor != .none {
      let pattern = shared.event.recurrence
      let placement = try Placement(shared, context: context)
      longest = placement.longestSeconds
      master = placement
      set =
        pattern.isRecurring
        ? try placement.recurrenceSet(context: context, countedEnds: series.countedEnds) : nil
      for added in pattern.added where added.end != .none {
        let length = try Placement.length(of: added.end, from: added.start, context: context)
        periods[try placement.setInstant(of: added.start, context: context)] = length
        longest = max(longest, Placement.bound(length))
      }
      if !series.overrides.isEmpty {
        excluded = try ExcludedTimes(of: placement, context: context)
      }
    } else {
      master = nil
      set = nil
    }
    var overrides: [Override] = []
    overrides.reserveCapacity(series.overrides.count)
    for event in series.overrides {
      guard let recurrenceID = event.recurrenceID else { continue }
      let placement = try Placement(event, context: context, revision: series.revision)
      let anchor = master ?? placement
      let replaced = try anchor.setInstant(of: recurrenceID, context: context)
      // An EXDATE also removes an override of the same instance.
      let original = anchor.reading(ofSetInstant: replaced)
      if excluded.contains(replaced, reading: original) { continue }
      let shift = event.start.reading.linearSeconds - original.linearSeconds
      overrides.append(
        Override(
          id: anchor.recurrenceID(ofSetInstant: replaced), replaced: replaced,
          span: placement.span(at: event.start.reading), placement: placement, shiftSeconds: shift))
      longest = max(longest, placement.longestSeconds)
    }
    self.overrides = overrides
    overridden = Set(overrides.lazy.map(\.replaced))
    var places: [RecurrenceID: Int] = [:]
    places.reserveCapacity(overrides.count)
    for (place, override) in overrides.enumerated() { places[override.id] = place }
    self.places = places
    futures = overrides.filter { $0.placement.shared.event.appliesToFuture }
      .sorted { $0.replaced < $1.replaced }
    longestShift = futures.reduce(0) { max($0, abs($1.shiftSeconds)) }
    self.periods = periods
    longestSeconds = longest
  }

  /// Returns the occurrence with this identifier; nil if there is none.
  func occurrence(_ id: RecurrenceID?) -> Occurrence? {
    guard let id else { return set == nil && overrides.isEmpty ? master.map(firstOccurrence) : nil }
    if let found = places[id] { return place(overrides[found]) }
    guard let master, let set, let instant = master.setInstant(of: id), set.contains(instant),
      let instance = set.first(atOrAfter: instant)
    else { return nil }
    return place(instance, of: master)
  }

  /// Returns a span that contains every occurrence, with a margin at both ends.
  func extent(marginSeconds: Int64) -> TimeSpan {
    var (first, last): (Timestamp, Timestamp) = (.latest, .earliest)
    func include(_ occurrence: Occurrence) {
      first = min(first, occurrence.span.start)
      last = max(last, occurrence.span.end)
    }
    forEachOverride(include)
    if let master, set == nil { include(firstOccurrence(master)) }
    if let set, set.hasExclusionRules {
      // What an EXRULE leaves is not computed, so the span may be too wide.
      if let earliest = set.firstPossible {
        first = min(first, earliest.adding(seconds: -longestShift))
        last =
          set.isBounded
          ? max(last, set.lastPossible.adding(seconds: longestSeconds + longestShift + 7200))
          : .latest
      }
    } else if let set, let earliest = set.first(atOrAfter: .earliest) {
      first = min(first, earliest.instant.adding(seconds: -longestShift))
      if !set.isBounded {
        // The rule may have no instance after the start, as on each 30 February.
        let isLast =
          !set.hasExcludedDates
          && set.first(atOrAfter: earliest.instant.adding(seconds: 1)) == nil
        last =
          isLast
          ? max(last, earliest.instant.adding(seconds: longestSeconds + longestShift + 7200))
          : .latest
      } else if let end = set.lastInstance() {
        // Two hours for a nominal duration that a clock change makes longer.
        last = max(last, end.instant.adding(seconds: longestSeconds + longestShift + 7200))
      }
    }
    // Every instance is excluded.
    guard first <= last else { return TimeSpan(start: .earliest, end: .earliest) }
    return .clamped(
      from: first.adding(seconds: -marginSeconds), to: last.adding(seconds: marginSeconds))
  }

  /// Returns the last occurrence; nil for a series without end.
  func lastOccurrence() -> Occurrence? {
    guard let master else { return overrides.map(place).max(by: Occurrence.precedes) }
    guard let set else { return occurrences(in: .always, limit: 1).first }
    guard set.isBounded, let last = set.lastInstance() else { return nil }
    return overrides.last { $0.replaced == last.instant }.map(place) ?? place(last, of: master)
  }

  /// Returns an occurrence at `instant` for a master without any time; nil for others.
  func timeless(at instant: Timestamp) -> Occurrence? {
    timeless.map {
      $0.occurrence(of: nil, at: $0.zone.reading(at: instant), calendar: calendar, instant: instant)
    }
  }

  // MARK: Walking

  func forEachOverride(_ body: (Occurrence) -> Void) {
    for override in overrides { body(place(override)) }
  }

  /// Calls `body` with the instances without overrides, in order, until it returns false.
  ///
  /// `body` gets a closure that places the instance, because placing is expensive.
  ///
  /// - Parameter budget: Is charged for each instance of a recurring series; the walk ends when it
  ///   is spent.
  func forEachInstance(
    from: Timestamp, until: Timestamp = Timestamp(seconds: .max), budget: WalkBudget? = nil,
    _ body: (Timestamp, () -> Occurrence) -> Bool
  ) {
    guard let master else { return }
    guard let set else {
      let occurrence = firstOccurrence(master)
      let instant = master.setInstant(ofStart: occurrence)
      if !overridden.contains(instant) { _ = body(instant) { occurrence } }
      return
    }
    set.forEachInstance(from: from, until: until, budget: budget) { instance in
      if let budget, !budget.take() { return false }
      return overridden.contains(instance.instant)
        || body(instance.instant) { place(instance, of: master) }
    }
  }

  func firstOccurrence(_ master: Placement) -> Occurrence {
    master.occurrence(of: nil, at: master.shared.event.start.reading, calendar: calendar)
  }

  func place(_ override: Override) -> Occurrence {
    let placement = override.placement
    return placement.occurrence(
      of: override.id, at: placement.shared.event.start.reading, calendar: calendar)
  }

  func place(_ instance: RecurrenceInstance, of master: Placement) -> Occurrence {
    let id = master.recurrenceID(ofSetInstant: instance.instant)
    if let future = futures.last(where: { $0.replaced <= instance.instant }) {
      let moved = instance.reading.adding(seconds: future.shiftSeconds) ?? instance.reading
      return future.placement.occurrence(of: id, at: moved, calendar: calendar)
    }
    return master.occurrence(
      of: id, at: instance.reading, own: periods[instance.instant], calendar: calendar,
      instant: instance.instant)
  }
}
