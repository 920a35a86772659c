package import CivilTime

/// An organizer's cancellation of an event, by METHOD:CANCEL: which event or occurrence, and in which version.
/// The other properties of such a message are often incomplete, and are ignored.
///
/// Reading: section 3.2.5 wants STATUS:CANCELLED where all of an event is off, and none where some guests
/// alone are; many programs send none at all. Who is sent it is not expected in either case.
///
/// Source: RFC 5546 sections 3.2.5, 3.4.5 and 3.5.3.
package struct Cancellation: Hashable, Sendable {
  package var uid: EventUID
  /// The occurrence that is meant; nil for all there is of the uid.
  package var recurrenceID: EventTime?
  /// Whether those after that occurrence are meant as well (RANGE=THISANDFUTURE).
  package let appliesToFuture: Bool
  package let sequence: Int
  /// The later one of DTSTAMP and LAST-MODIFIED; nil without either.
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

  /// What it comes to.
  package enum Effect: Sendable, Equatable {
    /// Something of the series is cancelled now.
    case cancelled
    /// All that is meant was cancelled before.
    case none
    /// What is there is of a later version.
    case older
    /// The series has no such occurrence.
    case noOccurrence
  }
}

/// A series to which cancellations are applied, one after the other: the events that they name are marked as
/// cancelled, with their version; all else stays. ``Event/component`` is left as it was, and must be
/// written again.
///
/// Of the whole series the exceptions are cancelled, too, and what was cancelled before keeps the time at which it was:
/// so it is known from what goes with the series, see ``EventSeries/calledAnew(by:)``. One occurrence gets an exception of
/// its own where it has none; of a to-do, which has no occurrences here, there must be one.
///
/// - Complexity: The series is laid out once. Then one occurrence costs the same however many exceptions
///   there are; all of the series, and all from one occurrence on, goes with their number.
package struct SeriesCancelling {
  private let original: EventSeries
  private let always: Bool
  private let context: ZoneContext
  private var master: Event?
  private var overrides: [Event]
  private var layout: Layout?
  /// The series without the exceptions of single occurrences; nil where it must be computed again.
  private var expansion: SeriesExpansion?

  /// Where the exceptions are.
  private struct Layout {
    /// By which RECURRENCE-IDs are placed. No cancellation moves it.
    let anchor: Placement
    /// Those of each instant in the recurrence set, by their number among ``overrides``.
    var places: [Timestamp: [Int]] = [:]
  }

  /// - Parameter always: whether also what is of a later version is cancelled.
  package init(_ series: EventSeries, always: Bool = false, context: ZoneContext) {
    (original, self.always, self.context) = (series, always, context)
    (master, overrides) = (series.master, series.overrides)
  }

  /// As it is now.
  package var series: EventSeries {
    EventSeries(
      calendar: original.calendar, master: master, overrides: overrides,
      countedEnds: original.countedEnds)
  }

  /// Marks what a cancellation means.
  ///
  /// - Throws: ``ModelError/time(_:)`` for a zone that is not installed; then nothing is marked.
  package mutating func take(_ cancellation: Cancellation) throws(ModelError) -> Cancellation.Effect
  {
    var marking = Marking(cancellation, always: always)
    guard let time = cancellation.recurrenceID else {
      // What is older than the series is older than what the exceptions say of it, too.
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
      // What an exception for this and all that follow gives to those, they keep.
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
        // One that cannot be placed is none of any occurrence.
        guard let time = override.recurrenceID,
          let instant = try? layout.anchor.setInstant(of: time, context: context)
        else { continue }
        layout.places[instant, default: []].append(place)
      }
      return layout
    }
  }

  /// The first occurrence from an instant on that has no exception of its own; nil if there is none, or what
  /// it is has no occurrences.
  ///
  /// - Parameter until: The last instant of interest.
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

  /// The exception for this and all that follow that another is continued by after its own occurrence; nil if
  /// nothing follows that it holds for. It names the first occurrence that has no exception of its own.
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
  /// See ``setTime(ofAll:butOf:)``.
  private var timeOfAll: Timestamp?

  init(_ cancellation: Cancellation, always: Bool) {
    self.cancellation = cancellation
    self.always = always
  }

  /// Takes one time for all that goes with a series, by which it is known later: that of the message, or of what was
  /// changed after it. An edit of all occurrences gives one time to those that were cancelled by themselves, too; so it
  /// is a second later where one of them has it.
  mutating func setTime(ofAll components: [Event], butOf alone: [Event]) {
    guard var time = cancellation.time else { return }
    time = components.filter { !isOutdated(by: $0) }.compactMap(\.lastChange).reduce(time, max)
    let others = Set(alone.compactMap(\.lastModified))
    while others.contains(time) { time = time.adding(seconds: 1) }
    timeOfAll = time
  }

  /// - Parameters:
  ///   - alone: whether it is to hold for its own occurrence and no other.
  ///   - isOfSeries: whether it is a new exception, whose versions are those of its series: others may have
  ///     changed that at any time without a word about this occurrence.
  ///   - isWithSeries: whether it goes with all of its series; else one that is cancelled already keeps the time of
  ///     that.
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

  /// Whether the stored one is of a later version, and stays.
  ///
  /// - Parameter isOfSeries: as of ``marked(_:alone:isOfSeries:isWithSeries:)``.
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
  /// The series without its cancellation, as far as its exceptions go: those that were cancelled with all of it are on,
  /// and those that were by themselves stay as they are. ``Event/component`` is left as it was.
  ///
  /// Both have the LAST-MODIFIED of what has cancelled them, and its SEQUENCE or that of an exception of a later version.
  /// Where it had no time, so that an exception cannot be told from one that was cancelled by itself, that stays as it
  /// is.
  ///
  /// Reading: the STATUS that an exception had before is not known any more. It has that of the series, which is the
  /// organizer's word; a to-do with a time at which it was done is done.
  ///
  /// - Parameter newer: The series without its exceptions as it is called to now; of the same kind.
  /// - Returns: nil where none of its exceptions was cancelled with it.
  package func calledAnew(by newer: Event) -> EventSeries? {
    guard let master, overrides.contains(where: master.isCancelled(with:)) else { return nil }
    return EventSeries(
      calendar: calendar, master: master,
      overrides: overrides.map { master.isCancelled(with: $0) ? $0.on(as: newer) : $0 },
      countedEnds: countedEnds)
  }

  /// Whether an exception of a series that is cancelled was so by itself.
  func isCancelledByItself(_ override: Event) -> Bool {
    guard let master, master.isCancelled else { return false }
    return override.isCancelled && !master.isCancelled(with: override)
  }

  /// What an edit has made of a series that is cancelled, in which it is known as before which exceptions went with it:
  /// an edit gives a time of its own to the components that it changes alone.
  ///
  /// - Parameter formers: what the exceptions were before, each with the RECURRENCE-ID that it has now; nil where the
  ///   edit has moved none.
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

  /// Whether one message has cancelled this series and an exception of it.
  fileprivate func isCancelled(with exception: Event) -> Bool {
    isCancelled && exception.isCancelled && sequence <= exception.sequence
      && lastModified != nil && lastModified == exception.lastModified
  }

  /// With the status of its series, but for a to-do that is done.
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
