package import CivilTime

/// What whoever calls to an event says when it is not to be, by METHOD:CANCEL: which one is meant, and as
/// of which version. What else such a message has is often less than the event itself, and says nothing.
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
  package enum Effect: Sendable {
    /// The series, of which something is cancelled now.
    case cancelled(EventSeries)
    /// All that is meant was cancelled before.
    case none
    /// What is there is of a later version.
    case older
    /// The series has no such occurrence.
    case noOccurrence
  }
}

extension EventSeries {
  /// Returns the series with what a cancellation means marked as cancelled, and as of that version; all else
  /// of it stays. ``Event/component`` is left as it was, and is to be written anew.
  ///
  /// Of the whole series the exceptions are cancelled, too. One occurrence gets an exception of its own where
  /// it has none; of a to-do, which has no occurrences here, there must be one.
  ///
  /// - Parameter always: whether also what is of a later version is cancelled.
  /// - Throws: ``ModelError/time(_:)`` for a zone that is not installed.
  package func cancelled(
    by cancellation: Cancellation, always: Bool = false, context: ZoneContext
  ) throws(ModelError) -> Cancellation.Effect {
    var marking = Marking(cancellation, always: always)
    guard let time = cancellation.recurrenceID else {
      let series = EventSeries(
        calendar: calendar, master: master.map { marking.marked($0) },
        overrides: overrides.map { marking.marked($0) }, countedEnds: countedEnds)
      return marking.effect(series)
    }
    let (anchor, instant) = try placed { () throws(CivilTimeError) in
      let anchor = try Placement(master ?? overrides[0], context: context)
      return (anchor, try anchor.setInstant(of: time, context: context))
    }
    func instantOf(_ override: Event) -> Timestamp? {
      override.recurrenceID.flatMap { try? anchor.setInstant(of: $0, context: context) }
    }
    let isRange = cancellation.appliesToFuture
    var found = false
    var series = EventSeries(
      calendar: calendar, master: master,
      overrides: overrides.map { override in
        guard let own = instantOf(override), isRange ? own >= instant : own == instant else {
          return override
        }
        found = true
        return marking.marked(override, alone: !isRange)
      }, countedEnds: countedEnds)
    // What an exception for this and all that follow gives to those, they keep.
    if !isRange, let range = overrides.first(where: { instantOf($0) == instant }),
      range.appliesToFuture,
      let next = try rangeGoingOn(range, from: instant.adding(seconds: 1), context)
    {
      series = series.adding(next)
    }
    guard kind == .event, master != nil, !found || isRange else {
      return found ? marking.effect(series) : .noOccurrence
    }
    let first = try series.firstInstance(
      from: instant, orAfter: isRange && found, context: context)
    guard let first, var event = try series.plainOverride(first, anchor, context) else {
      return found ? marking.effect(series) : .noOccurrence
    }
    event.appliesToFuture = isRange
    let marked = marking.marked(event, isOfSeries: true)
    return marking.effect(marked == event ? series : series.adding(marked))
  }

  private func adding(_ override: Event) -> EventSeries {
    EventSeries(
      calendar: calendar, master: master, overrides: overrides + [override],
      countedEnds: countedEnds)
  }

  /// The first instance from an instant on that has no exception of its own; nil if there is none.
  ///
  /// - Parameter orAfter: false if it must be the one at that very instant.
  private func firstInstance(
    from instant: Timestamp, orAfter: Bool, context: ZoneContext
  ) throws(ModelError) -> Timestamp? {
    try placed { () throws(CivilTimeError) in
      var first: Timestamp?
      try SeriesExpansion(self, context: context).forEachInstance(from: instant) { at, _ in
        first = at
        return false
      }
      return first.flatMap { orAfter || $0 == instant ? $0 : nil }
    }
  }

  private func plainOverride(
    _ instant: Timestamp, _ anchor: Placement, _ context: ZoneContext
  ) throws(ModelError) -> Event? {
    try plainOverride(
      at: anchor.recurrenceID(ofSetInstant: instant), named: anchor.time(ofSetInstant: instant),
      context: context)
  }
}

/// Marks events as cancelled, and notes what came of it.
private struct Marking {
  private let cancellation: Cancellation
  private let always: Bool
  private var isChanged = false
  private var isOlder = false

  init(_ cancellation: Cancellation, always: Bool) {
    self.cancellation = cancellation
    self.always = always
  }

  /// - Parameters:
  ///   - alone: whether it is to hold for its own occurrence and no other.
  ///   - isOfSeries: whether it is a new exception, whose versions are those of its series: others may have
  ///     changed that at any time without a word about this occurrence.
  mutating func marked(_ old: Event, alone: Bool = false, isOfSeries: Bool = false) -> Event {
    let isOutdated =
      isOfSeries
      ? cancellation.sequence < old.sequence
      : !old.givesWay(toSequence: cancellation.sequence, changedAt: cancellation.time)
    if isOutdated, !always {
      isOlder = isOlder || !old.isCancelled
      return old
    }
    var event = old
    event.cancel()
    event.sequence = max(event.sequence, cancellation.sequence)
    guard event != old else { return old }
    if let time = cancellation.time { event.lastModified = max(time, old.lastChange ?? time) }
    if alone { event.appliesToFuture = false }
    isChanged = true
    return event
  }

  func effect(_ series: EventSeries) -> Cancellation.Effect {
    isChanged ? .cancelled(series) : isOlder ? .older : .none
  }
}

extension Event {
  fileprivate var isCancelled: Bool {
    if let toDo { return toDo.status == .cancelled }
    return status == .cancelled
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
