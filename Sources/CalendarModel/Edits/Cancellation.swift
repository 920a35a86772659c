package import CivilTime

/// An organizer's cancellation by METHOD:CANCEL: the event or occurrence, and its version.
///
/// The other properties of such messages are often incomplete and are ignored.
///
/// Reading: Section 3.2.5 wants STATUS:CANCELLED if the whole event is cancelled, and none if only
/// some guests are uninvited; many programs never send it. Either way the recipient is not
/// expected, so both count as cancelled.
///
/// Source: RFC 5546 sections 3.2.5, 3.4.5 and 3.5.3.
package struct Cancellation: Hashable, Sendable {
  package var uid: EventUID
  /// The cancelled occurrence; nil for everything with the UID.
  package var recurrenceID: EventTime?
  /// Whether later occurrences are cancelled as well (RANGE=THISANDFUTURE).
  package let appliesToFuture: Bool
  package let sequence: Int
  /// The later of DTSTAMP and LAST-MODIFIED; nil without either.
  package let time: Timestamp?

  package init(
    uid: EventUID, recurrenceID: EventTime? = nil, appliesToFuture: Bool = false,
    sequence: Int = 0, time: Timestamp? = nil
  ) {
    self.uid = uid
    self.recurrenceID = recurrenceID
    self.appliesToFuture = appliesToFuture
    self.sequence = sequence
    self.time = time
  }

  /// The result of applying a cancellation.
  package enum Effect: Sendable, Equatable {
    /// Something in the series was newly cancelled.
    case cancelled
    /// Everything it names was cancelled already.
    case none
    /// The stored version is newer.
    case older
    /// The series has no such occurrence.
    case noOccurrence
  }
}

/// A series to which cancellations are applied one after the other.
///
/// The events that they name get the status "cancelled" and the version of the message.
/// ``Event/component`` is not changed and must be written again.
///
/// Cancelling the whole series also cancels its overrides. Those that were cancelled before keep
/// their time, which tells them apart; see ``EventSeries/calledAnew(by:)``. Cancelling one
/// occurrence makes an override for it. A to-do has no occurrences here, so it needs an existing
/// override.
///
/// - Complexity: The series is indexed once. Then cancelling one occurrence takes the same time
///   however many overrides there are; cancelling all, or all from one on, is proportional to their
///   number.
package struct SeriesCancelling {
  private let original: EventSeries
  private let always: Bool
  private let context: ZoneContext
  private var master: Event?
  private var overrides: [Event]
  private var layout: Layout?
  /// The series with only its THISANDFUTURE overrides; nil if it must be expanded again.
  private var expansion: SeriesExpansion?

  /// An index of the overrides.
  private struct Layout {
    /// Places RECURRENCE-IDs in time. No cancellation changes it.
    let anchor: Placement
    /// The indices in ``overrides``, by instant in the recurrence set.
    var places: [Timestamp: [Int]] = [:]
  }

  /// - Parameter always: Whether a newer stored version is cancelled as well.
  package init(_ series: EventSeries, always: Bool = false, context: ZoneContext) {
    (original, self.always, self.context) = (series, always, context)
    (master, overrides) = (series.master, series.overrides)
  }

  /// The series in its current state.
  package var series: EventSeries {
    EventSeries(
      calendar: original.calendar, master: master, overrides: overrides,
      countedEnds: original.countedEnds)
  }

  /// Applies a cancellation.
  ///
  /// - Throws: ``ModelError/time(_:)`` for a zone that is not installed; then nothing is changed.
  package mutating func take(_ cancellation: Cancellation) throws(ModelError) -> Cancellation.Effect
  {
    var marking = Marking(cancellation, always: always)
    guard let time = cancellation.recurrenceID else {
      // A message older than the series is older than its overrides, too.
      if let master, marking.isOutdated(by: master) { return master.isCancelled ? .none : .older }
      let former = master
      var (going, alone) = ([Event](), [Event]())
      if let master { going.append(master) }
      for override in overrides {
        if !override.isCancelled || former?.isCancelled(with: override) ?? true {
          going.append(override)
        } else {
          alone.append(override)
        }
      }
      marking.setTime(ofAll: going, butOf: alone)
      master = master.map { marking.marked($0, isWithSeries: true) }
      for place in overrides.indices {
        let isWithSeries = former?.isCancelled(with: overrides[place]) ?? true
        overrides[place] = marking.marked(overrides[place], isWithSeries: isWithSeries)
      }
      expansion = nil
      return marking.effect
    }
    var layout = try laidOut()
    self.layout = nil
    defer { self.layout = layout }
    let instant = try placed { () throws(CivilTimeError) in
      try layout.anchor.setInstant(of: time, context: context)
    }
    return cancellation.appliesToFuture
      ? try take(from: instant, &marking, &layout) : try take(at: instant, &marking, &layout)
  }

  /// Cancels one occurrence.
  private mutating func take(
    at instant: Timestamp, _ marking: inout Marking, _ layout: inout Layout
  ) throws(ModelError) -> Cancellation.Effect {
    if let places = layout.places[instant] {
      // A THISANDFUTURE override still applies to the later occurrences.
      if let range = places.first(where: { overrides[$0].appliesToFuture }) {
        let next = try rangeGoingOn(overrides[range], after: instant, layout)
        mark(places, &marking, alone: true)
        if let next { add(next.event, at: next.instant, &layout) }
        expansion = nil
      } else {
        mark(places, &marking, alone: true)
      }
      return marking.effect
    }
    guard let first = try first(from: instant, until: instant, layout) else {
      return .noOccurrence
    }
    let event = try plainOverride(first, layout)
    let marked = marking.marked(event, isOfSeries: true)
    if marked != event { add(marked, at: instant, &layout) }
    return marking.effect
  }

  /// Cancels an occurrence and those after it.
  private mutating func take(
    from instant: Timestamp, _ marking: inout Marking, _ layout: inout Layout
  ) throws(ModelError) -> Cancellation.Effect {
    let before = (overrides, expansion)
    let places = layout.places.filter { $0.key >= instant }.values.joined().sorted()
    mark(places, &marking)
    expansion = nil
    do throws(ModelError) {
      guard let first = try first(from: instant, layout),
        !places.isEmpty || first.instant == instant
      else { return places.isEmpty ? .noOccurrence : marking.effect }
      var event = try plainOverride(first, layout)
      event.appliesToFuture = true
      let marked = marking.marked(event, isOfSeries: true)
      if marked != event { add(marked, at: first.instant, &layout) }
      expansion = nil
      return marking.effect
    } catch {
      (overrides, expansion) = before
      throw error
    }
  }

  private mutating func mark(_ places: [Int], _ marking: inout Marking, alone: Bool = false) {
    for place in places { overrides[place] = marking.marked(overrides[place], alone: alone) }
  }

  private mutating func add(_ override: Event, at instant: Timestamp, _ layout: inout Layout) {
    layout.places[instant, default: []].append(overrides.count)
    overrides.append(override)
  }

  // MARK: Occurrences

  private func laidOut() throws(ModelError) -> Layout {
    if let layout { return layout }
    return try placed { () throws(CivilTimeError) in
      var layout = Layout(anchor: try Placement(master ?? overrides[0], context: context))
      for (place, override) in overrides.enumerated() {
        // An override without a known instant belongs to no occurrence.
        guard let time = override.recurrenceID,
          let instant = try? layout.anchor.setInstant(of: time, context: context)
        else { continue }
        layout.places[instant, default: []].append(place)
      }
      return layout
    }
  }

  /// Returns the first occurrence from an instant on that has no override; nil if there is none.
  ///
  /// - Parameter until: The last instant to look at.
  private mutating func first(
    from instant: Timestamp, until: Timestamp = Timestamp(seconds: .max), _ layout: Layout
  ) throws(ModelError) -> (instant: Timestamp, occurrence: Occurrence)? {
    guard original.kind == .event, let master, master.recurrence.isRecurring else { return nil }
    if expansion == nil {
      let ranges = EventSeries(
        calendar: original.calendar, master: master, overrides: overrides.filter(\.appliesToFuture),
        countedEnds: original.countedEnds)
      expansion = try placed { () throws(CivilTimeError) in
        try SeriesExpansion(ranges, context: context)
      }
    }
    var first: (instant: Timestamp, occurrence: Occurrence)?
    expansion?.forEachInstance(from: instant, until: until) { at, occurrence in
      if layout.places[at] != nil { return true }
      first = (at, occurrence())
      return false
    }
    return first
  }

  /// Returns the THISANDFUTURE override that continues another after its first occurrence.
  ///
  /// It names the next occurrence without an override. nil if the other applies to nothing more.
  private mutating func rangeGoingOn(
    _ range: Event, after instant: Timestamp, _ layout: Layout
  ) throws(ModelError) -> (instant: Timestamp, event: Event)? {
    guard let next = try first(from: instant.adding(seconds: 1), layout),
      next.occurrence.event == range
    else { return nil }
    var event = try plainOverride(next, layout)
    event.appliesToFuture = true
    return (next.instant, event)
  }

  private func plainOverride(
    _ first: (instant: Timestamp, occurrence: Occurrence), _ layout: Layout
  ) throws(ModelError) -> Event {
    try placed { () throws(CivilTimeError) in
      try first.occurrence.asOverride(
        named: layout.anchor.time(ofSetInstant: first.instant), context: context)
    }
  }
}

/// Marks events as cancelled, and records the outcome.
private struct Marking {
  private let cancellation: Cancellation
  private let always: Bool
  private var isChanged = false
  private var isOlder = false
  /// The time of everything cancelled with the series; see ``setTime(ofAll:butOf:)``.
  private var timeOfAll: Timestamp?

  init(_ cancellation: Cancellation, always: Bool) {
    self.cancellation = cancellation
    self.always = always
  }

  /// Chooses one LAST-MODIFIED for everything that is cancelled with the series.
  ///
  /// It tells those overrides from ones that were cancelled alone, so it must differ from the times
  /// of the latter. It is the time of the message or of a later change, plus seconds until it is
  /// unique.
  mutating func setTime(ofAll components: [Event], butOf alone: [Event]) {
    guard var time = cancellation.time else { return }
    time = components.filter { !isOutdated(by: $0) }.compactMap(\.lastChange).reduce(time, max)
    let others = Set(alone.compactMap(\.lastModified))
    while others.contains(time) { time = time.adding(seconds: 1) }
    timeOfAll = time
  }

  /// Returns an event marked as cancelled, unless its stored version is newer.
  ///
  /// - Parameters:
  ///   - alone: Whether to limit a THISANDFUTURE override to its own occurrence.
  ///   - isOfSeries: Whether it is a new override, with the version of its series. Only SEQUENCE is
  ///     compared then: the series may have changed since without changing this occurrence.
  ///   - isWithSeries: Whether it is cancelled with the whole series. Otherwise an event that is
  ///     already cancelled keeps its time.
  mutating func marked(
    _ old: Event, alone: Bool = false, isOfSeries: Bool = false, isWithSeries: Bool = false
  ) -> Event {
    if isOutdated(by: old, isOfSeries: isOfSeries) {
      isOlder = isOlder || !old.isCancelled
      return old
    }
    var event = old
    event.cancel()
    event.sequence = max(event.sequence, cancellation.sequence)
    guard event != old else { return old }
    if let time = cancellation.time, isWithSeries || !old.isCancelled {
      event.lastModified = timeOfAll ?? max(time, old.lastChange ?? time)
    }
    if alone { event.appliesToFuture = false }
    isChanged = true
    return event
  }

  /// Whether the stored event has a newer version than the message.
  ///
  /// - Parameter isOfSeries: See ``marked(_:alone:isOfSeries:isWithSeries:)``.
  func isOutdated(by old: Event, isOfSeries: Bool = false) -> Bool {
    if always { return false }
    return isOfSeries
      ? cancellation.sequence < old.sequence
      : !old.age.isSuperseded(
        by: VersionAge(sequence: cancellation.sequence, lastModified: cancellation.time))
  }

  var effect: Cancellation.Effect { isChanged ? .cancelled : isOlder ? .older : .none }
}

extension EventSeries {
  /// Returns the series with the overrides reinstated that were cancelled together with it.
  ///
  /// Overrides that were cancelled alone stay cancelled. Overrides cancelled together with the
  /// series have its LAST-MODIFIED; without a time they cannot be told apart and stay cancelled.
  /// ``Event/component`` is not changed.
  ///
  /// Reading: The earlier STATUS of an override is not stored. It gets the status of the series; a
  /// to-do with a completion time is completed.
  ///
  /// - Parameter newer: The master of the reinstated series, of the same kind.
  /// - Returns: nil if no override was cancelled together with the series.
  package func calledAnew(by newer: Event) -> EventSeries? {
    guard let master, overrides.contains(where: master.isCancelled(with:)) else { return nil }
    return EventSeries(
      calendar: calendar, master: master,
      overrides: overrides.map { master.isCancelled(with: $0) ? $0.on(as: newer) : $0 },
      countedEnds: countedEnds)
  }

  /// Whether an override of a cancelled series was cancelled alone.
  func isCancelledByItself(_ override: Event) -> Bool {
    guard let master, master.isCancelled else { return false }
    return override.isCancelled && !master.isCancelled(with: override)
  }

  /// Returns an edited series in which overrides cancelled with it can still be told apart.
  ///
  /// An edit gives a new time to the components that it changes, so all of them get one time again.
  ///
  /// - Parameter formers: The overrides before the edit, each with the RECURRENCE-ID that it has
  ///   now; nil if the edit moved none.
  func knownAsCancelled(
    as old: EventSeries, _ formers: [(name: EventTime?, event: Event)]? = nil
  ) -> EventSeries {
    guard var master, master.isCancelled, old.master?.isCancelled == true, !overrides.isEmpty
    else { return self }
    let formers = Dictionary(
      formers ?? old.overrides.map { ($0.recurrenceID, $0) },
      uniquingKeysWith: { first, _ in first })
    let isWithSeries = overrides.map { override in
      override.isCancelled
        && !(formers[override.recurrenceID].map(old.isCancelledByItself) ?? false)
    }
    var latest = master.lastModified
    var others: Set<Timestamp> = []
    for (override, isWithSeries) in zip(overrides, isWithSeries) {
      guard let time = override.lastModified else { continue }
      if isWithSeries { latest = max(latest ?? time, time) } else { others.insert(time) }
    }
    guard var time = latest else { return self }
    while others.contains(time) { time = time.adding(seconds: 1) }
    master.lastModified = time
    return EventSeries(
      calendar: calendar, master: master,
      overrides: zip(overrides, isWithSeries).map { override, isWithSeries in
        guard isWithSeries else { return override }
        var override = override
        override.lastModified = time
        override.sequence = max(override.sequence, master.sequence)
        return override
      }, countedEnds: countedEnds)
  }
}

extension Event {
  package var isCancelled: Bool {
    if let toDo { return toDo.status == .cancelled }
    return status == .cancelled
  }

  /// Whether this series and an override of it were cancelled together.
  fileprivate func isCancelled(with exception: Event) -> Bool {
    isCancelled && exception.isCancelled && sequence <= exception.sequence
      && lastModified != nil && lastModified == exception.lastModified
  }

  /// Returns the event with the status of its series, or completed for a to-do that was.
  fileprivate func on(as series: Event) -> Event {
    var event = self
    if var toDo {
      toDo.status = toDo.completed == nil ? series.toDo?.status ?? .needsAction : .completed
      event.kind = .toDo(toDo)
    } else {
      event.status = series.status
    }
    return event
  }

  fileprivate mutating func cancel() {
    if var toDo {
      toDo.status = .cancelled
      kind = .toDo(toDo)
    } else {
      status = .cancelled
    }
  }
}
