package import CivilTime
internal import Recurrence

/// A master event with its overrides: everything with one UID in one calendar.
///
/// All components are of one kind.
package struct EventSeries: Sendable {
  package let calendar: CalendarID
  /// The master, shared by all copies and occurrences, since an event is expensive to copy.
  let shared: SharedEvent?
  /// nil if only overrides are stored, as after an invitation to one meeting of a series.
  package var master: Event? { shared?.event }
  package let overrides: [Event]
  /// Where the master's rules with COUNT end, for each RRULE and EXRULE.
  ///
  /// Empty until it is computed; see
  /// ``RecurrenceSet/countedEnds(of:exclusionRules:start:isAllDay:)``.
  package let countedEnds: [CivilDateTime?]
  /// The store's revision that last changed it; 0 if it does not come from a store.
  package let revision: UInt64

  /// - Precondition: There is a master or an override, and all have one UID.
  package init(
    calendar: CalendarID, master: Event?, overrides: [Event] = [],
    countedEnds: [CivilDateTime?] = [], revision: UInt64 = 0
  ) {
    precondition(master != nil || !overrides.isEmpty, "a series has at least one component")
    self.calendar = calendar
    shared = if let master { SharedEvent(master, revision: revision) } else { nil }
    self.overrides = overrides
    self.countedEnds = countedEnds
    self.revision = revision
  }

  /// Returns this series with its ``countedEnds``.
  package func counted() -> EventSeries {
    guard let shared,
      !shared.event.recurrence.rules.isEmpty || !shared.event.recurrence.exclusionRules.isEmpty
    else { return self }
    let master = shared.event
    return EventSeries(
      calendar: calendar, master: master, overrides: overrides,
      countedEnds: RecurrenceSet.countedEnds(
        of: master.recurrence.rules, exclusionRules: master.recurrence.exclusionRules,
        start: master.start.reading, isAllDay: master.start.isDate))
  }

  /// Returns the series in another calendar, with revision 0.
  package func moved(to calendar: CalendarID) -> EventSeries {
    EventSeries(
      calendar: calendar, master: master, overrides: overrides, countedEnds: countedEnds)
  }

  // These read the event in place: copying it is expensive.
  package var uid: EventUID { shared?.event.uid ?? overrides[0].uid }

  package var kind: Event.Kind { shared?.event.kind ?? overrides[0].kind }

  /// The master's status; nil without a master.
  package var status: Event.Status? { shared?.event.status }

  /// Whether the master is all-day; false without a master.
  package var isAllDay: Bool { shared?.event.start.isDate ?? false }

  /// Whether any component begins in a named zone.
  package var isZoned: Bool {
    func isZoned(_ start: EventTime) -> Bool {
      if case .zoned = start { true } else { false }
    }
    return shared.map { isZoned($0.event.start) } ?? false
      || overrides.contains { isZoned($0.start) }
  }

  /// Calls `body` with the starts, ends and added dates of all components.
  package func forEachClock(_ body: (EventTime) -> Void) {
    func tell(_ start: EventTime, _ end: EventEnd) {
      body(start)
      if case .time(let time) = end { body(time) }
    }
    if let shared {
      tell(shared.event.start, shared.event.end)
      for date in shared.event.recurrence.added { tell(date.start, date.end) }
    }
    for override in overrides { tell(override.start, override.end) }
  }

  /// Whether it can happen more than once.
  package var isRecurring: Bool {
    shared?.event.recurrence.isRecurring ?? true
  }

  /// The master and the overrides.
  package var components: Components { Components(master: shared, overrides: overrides) }

  /// The components of a series, without a copy of its overrides.
  package struct Components: RandomAccessCollection, Equatable, Sendable {
    fileprivate let master: SharedEvent?
    fileprivate let overrides: [Event]

    package var startIndex: Int { 0 }
    package var endIndex: Int { overrides.count + (master == nil ? 0 : 1) }

    package subscript(place: Int) -> Event {
      guard let master else { return overrides[place] }
      return place == 0 ? master.event : overrides[place - 1]
    }

    package static func == (a: Components, b: Components) -> Bool {
      a.master?.event == b.master?.event && a.overrides == b.overrides
    }

    /// Faster than the default iterator, which allocates for each component.
    package struct Iterator: IteratorProtocol {
      fileprivate let components: Components
      fileprivate var place = 0

      package mutating func next() -> Event? {
        guard place < components.endIndex else { return nil }
        defer { place += 1 }
        return components[place]
      }
    }

    package func makeIterator() -> Iterator { Iterator(components: self) }
  }
}

extension EventSeries {
  /// Returns the occurrences that overlap `span`; none for a component that is no event.
  ///
  /// They are in the order of ``Occurrence/precedes(_:_:)``.
  ///
  /// - Parameter limit: The most occurrences to return; the earliest come first.
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func occurrences(
    in span: TimeSpan, context: ZoneContext, limit: Int = .max
  ) throws(CivilTimeError) -> [Occurrence] {
    // Only events appear in an agenda.
    guard kind == .event else { return [] }
    return try SeriesExpansion(self, context: context).occurrences(in: span, limit: limit)
  }

  /// Whether an occurrence overlaps `span`, of to-dos and other components as well.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func happens(in span: TimeSpan, context: ZoneContext) throws(CivilTimeError) -> Bool {
    try !SeriesExpansion(self, context: context).occurrences(in: span, limit: 1).isEmpty
  }

  /// Returns the occurrence with this identifier; nil if there is none or it is no event.
  ///
  /// - Parameter recurrenceID: nil for the only occurrence of an event that does not recur.
  /// - Throws: ``CivilTimeError`` if the time zone is unknown or its data is damaged, or a time is
  ///   out of range.
  package func occurrence(
    _ recurrenceID: RecurrenceID?, context: ZoneContext
  ) throws(CivilTimeError) -> Occurrence? {
    guard kind == .event else { return nil }
    return try occurrenceOfAnyKind(recurrenceID, context: context)
  }

  /// Like ``occurrence(_:context:)``, of to-dos and other components as well.
  package func occurrenceOfAnyKind(
    _ recurrenceID: RecurrenceID?, context: ZoneContext
  ) throws(CivilTimeError) -> Occurrence? {
    try SeriesExpansion(self, context: context).occurrence(recurrenceID)
  }

  /// Returns the overrides that have not ended at `now`, earliest first.
  ///
  /// Overrides in a zone that is not installed are left out.
  ///
  /// - Throws: ``CivilTimeError`` if the master or one of its dates is in such a zone.
  package func changedOccurrences(
    after now: Timestamp, context: ZoneContext
  ) throws(CivilTimeError) -> [Occurrence] {
    guard kind == .event, !overrides.isEmpty else { return [] }
    var found: [Occurrence] = []
    let expansion = try SeriesExpansion(placeable(context), context: context)
    expansion.forEachOverride { occurrence in
      if occurrence.span.end > now { found.append(occurrence) }
    }
    return found.sorted { $0.span.start < $1.span.start }
  }

  /// Returns the series without overrides in a zone that is not installed.
  func placeable(_ context: ZoneContext) -> EventSeries {
    let instances = ReplacedInstances(of: master, context: context)
    let placed = overrides.filter { override in
      guard case .at? = instances.instance(of: override) else { return false }
      return (try? Placement(override, context: context)) != nil
    }
    return EventSeries(
      calendar: calendar, master: master, overrides: placed, countedEnds: countedEnds,
      revision: revision)
  }

  /// Returns the RECURRENCE-IDs that name no occurrence of the rules and dates.
  ///
  /// Those in a zone that is not installed are left out, since they may name one. Empty if the
  /// series is no event.
  ///
  /// - Complexity: The recurrence set is built once and walked at most once.
  package func namesWithoutOccurrence(
    _ names: [EventTime], context: ZoneContext
  ) -> Set<EventTime> {
    looked(for: names, context: context).missing
  }

  /// Returns the RECURRENCE-IDs that name an occurrence of the rules and dates.
  ///
  /// Those in a zone that is not installed are left out.
  ///
  /// - Complexity: See ``namesWithoutOccurrence(_:context:)``.
  package func namesOfOccurrences(
    _ names: [EventTime], context: ZoneContext
  ) -> Set<EventTime> {
    looked(for: names, context: context).found
  }

  /// Returns which RECURRENCE-IDs name an occurrence, and which name none.
  private func looked(
    for names: [EventTime], context: ZoneContext
  ) -> (found: Set<EventTime>, missing: Set<EventTime>) {
    guard kind == .event, let master, !names.isEmpty,
      let placement = try? Placement(master, context: context)
    else { return ([], []) }
    var named: [(instant: Timestamp, name: EventTime)] = []
    for name in names {
      guard let instant = try? placement.setInstant(of: name, context: context) else { continue }
      named.append((instant, name))
    }
    guard master.anchor != .none, master.recurrence.isRecurring else {
      return ([], Set(named.map(\.name)))
    }
    guard let set = try? placement.recurrenceSet(context: context, countedEnds: countedEnds) else {
      return ([], [])
    }
    named.sort { $0.instant < $1.instant }
    let last = named.last?.instant ?? .latest
    var (found, missing): (Set<EventTime>, Set<EventTime>) = ([], [])
    // The first instance at or after the last name; nil once there are no more.
    var next: Timestamp? = Timestamp(seconds: .min)
    for (instant, name) in named {
      if let known = next, known < instant {
        next = set.first(atOrAfter: instant, until: last)?.instant
      }
      if next == instant { found.insert(name) } else { missing.insert(name) }
    }
    return (found, missing)
  }

  /// Returns a span that contains every occurrence, whatever the agent's zone is.
  ///
  /// To-dos and other components are included. An index can store it: days and floating times are
  /// widened by the offsets of the world's zones. Without an end of the series it ends with the
  /// calendar.
  ///
  /// - Throws: ``CivilTimeError`` if the time zone is unknown or its data is damaged, or a time is
  ///   out of range.
  package func extent(zones: any Zones) throws(CivilTimeError) -> TimeSpan {
    let context = ZoneContext(zones: zones, local: .utc)
    return try SeriesExpansion(self, context: context).extent(
      marginSeconds: floats ? EventSeries.floatingMarginSeconds : 0)
  }

  /// Whether a component is all-day or floating.
  var floats: Bool {
    shared.map { $0.event.start.zoneName == nil } ?? false
      || overrides.contains { $0.start.zoneName == nil }
  }

  /// More than any zone's offset from UTC.
  static let floatingMarginSeconds: Int64 = 57_600
}
