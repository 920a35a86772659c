package import CivilTime
internal import Recurrence

/// A master event with its overrides: all that one UID means in one calendar. All
/// are of one kind.
package struct EventSeries: Sendable {
  package let calendar: CalendarID
  /// The master, once for every copy of the series and for all its occurrences: a copy of
  /// an event retains and releases a dozen texts.
  let shared: SharedEvent?
  /// nil when only overrides are known, as after an invitation to one meeting of
  /// a series.
  package var master: Event? { shared?.event }
  package let overrides: [Event]
  /// Where the master's rules with COUNT end, for each RRULE and EXRULE, as
  /// ``RecurrenceSet/countedEnds(of:exclusionRules:start:isAllDay:)`` says; empty as long as
  /// nobody has counted.
  package let countedEnds: [CivilDateTime?]
  /// The revision of the store that changed it last; 0 for what was not read from one.
  package let revision: UInt64

  /// - Precondition: there is a master or an override, and all have one uid.
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

  /// The same in another calendar, where no store has it yet: its revision is 0.
  package func moved(to calendar: CalendarID) -> EventSeries {
    EventSeries(
      calendar: calendar, master: master, overrides: overrides, countedEnds: countedEnds)
  }

  // An event is large: none is copied for one of its fields.
  package var uid: EventUID { shared?.event.uid ?? overrides[0].uid }

  package var kind: Event.Kind { shared?.event.kind ?? overrides[0].kind }

  /// Of the master; nil where there is none.
  package var status: Event.Status? { shared?.event.status }

  /// Whether the master is all-day; false where there is none.
  package var isAllDay: Bool { shared?.event.start.isDate ?? false }

  /// Whether the clock of any of its components is that of a zone.
  package var isZoned: Bool {
    func isZoned(_ start: EventTime) -> Bool {
      if case .zoned = start { true } else { false }
    }
    return shared.map { isZoned($0.event.start) } ?? false
      || overrides.contains { isZoned($0.start) }
  }

  /// Calls with each time by whose clock it lies somewhere: starts, ends and added dates of all components.
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

  /// The components of a series where they are: ten thousand overrides are not copied to be looked through.
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

    /// Why one of its own? That of a collection allocates for each component that it lends.
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
  /// Returns the occurrences that have an instant in common with `span`, in the
  /// order of ``Occurrence/precedes(_:_:)``; none of what is no event.
  ///
  /// - Parameter limit: the most that are returned; the earliest are.
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func occurrences(
    in span: TimeSpan, context: ZoneContext, limit: Int = .max
  ) throws(CivilTimeError) -> [Occurrence] {
    // Here and below is decided what an agenda can show.
    guard kind == .event else { return [] }
    return try SeriesExpansion(self, context: context).occurrences(in: span, limit: limit)
  }

  /// Whether an occurrence has an instant in common with `span`, of to-dos and the like too; what
  /// has no time has none.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func happens(in span: TimeSpan, context: ZoneContext) throws(CivilTimeError) -> Bool {
    try !SeriesExpansion(self, context: context).occurrences(in: span, limit: 1).isEmpty
  }

  /// Returns the occurrence with this identifier, nil if there is none; what is no
  /// event has none.
  ///
  /// - Parameter recurrenceID: nil for the only occurrence of an event that does
  ///   not recur.
  /// - Throws: ``CivilTimeError`` when the time zone is unknown or its data is damaged, or a time
  ///   is out of range.
  package func occurrence(
    _ recurrenceID: RecurrenceID?, context: ZoneContext
  ) throws(CivilTimeError) -> Occurrence? {
    guard kind == .event else { return nil }
    return try SeriesExpansion(self, context: context).occurrence(recurrenceID)
  }

  /// Returns the occurrences that were changed on their own and have not ended at `now`, the soonest first; without
  /// those in a zone that is not installed, since nobody knows when they are.
  ///
  /// - Throws: ``CivilTimeError`` where the series itself is in such a zone, or one of its dates.
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

  /// Returns the series without the exceptions in a zone that is not installed.
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

  /// Returns those of some RECURRENCE-IDs that name no occurrence, whatever exceptions there are. What cannot be placed,
  /// in a zone that is not installed, may be one; and of what is no event every one is.
  ///
  /// - Complexity: The recurrence set is built once, and no part of it is walked through twice.
  package func namesWithoutOccurrence(
    _ names: [EventTime], context: ZoneContext
  ) -> Set<EventTime> {
    looked(for: names, context: context).missing
  }

  /// Returns those of some RECURRENCE-IDs that name an occurrence, whatever exceptions there are. What cannot be placed is
  /// none of them.
  ///
  /// - Complexity: as of ``namesWithoutOccurrence(_:context:)``.
  package func namesOfOccurrences(
    _ names: [EventTime], context: ZoneContext
  ) -> Set<EventTime> {
    looked(for: names, context: context).found
  }

  /// Returns which of some RECURRENCE-IDs name an occurrence, and which name none.
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
    // The first at or after the instant that was looked for last; nil once there are no more.
    var next: Timestamp? = Timestamp(seconds: .min)
    for (instant, name) in named {
      if let known = next, known < instant {
        next = set.first(atOrAfter: instant, until: last)?.instant
      }
      if next == instant { found.insert(name) } else { missing.insert(name) }
    }
    return (found, missing)
  }

  /// Returns a span that holds every occurrence, of to-dos and the like too, whatever the agent's zone is;
  /// it ends with the calendar where the series never does.
  ///
  /// An index can keep it: days and floating times are taken as wide as the
  /// zones of the world differ.
  ///
  /// - Throws: ``CivilTimeError`` when the time zone is unknown or its data is damaged, or a time
  ///   is out of range.
  package func extent(zones: any Zones) throws(CivilTimeError) -> TimeSpan {
    let context = ZoneContext(zones: zones, local: .utc)
    return try SeriesExpansion(self, context: context).extent(
      marginSeconds: floats ? EventSeries.floatingMarginSeconds : 0)
  }

  /// Whether a component begins by the clock of wherever one is.
  var floats: Bool {
    shared.map { $0.event.start.zoneName == nil } ?? false
      || overrides.contains { $0.start.zoneName == nil }
  }

  /// By how much the zones of the world differ from UTC at most, and more.
  static let floatingMarginSeconds: Int64 = 57_600
}
