package import CivilTime

/// One instance of an event, placed in time.
package struct Occurrence: Hashable, Sendable {
  package let calendar: CalendarID
  private let shared: SharedEvent
  /// nil for an event that does not recur.
  package let recurrenceID: RecurrenceID?
  /// For an all-day event the instants at which its days begin and end in the
  /// agent's zone.
  package let span: TimeSpan
  /// What the clock shows at the start, in the event's own zone (the agent's for
  /// a floating event); midnight for an all-day event.
  package let start: CivilDateTime
  /// The same for the end; of an all-day event the first day after it.
  package let end: CivilDateTime
  /// What its rule, or the event, has for the start; where the clock leaves that time out it shows a
  /// later one, ``start``. By other zone data the clock may show it.
  package let writtenStart: CivilDateTime
  /// The zone of ``start`` and ``end``.
  package let zone: ZoneRules
  /// How many occurrences it is the row of (``CrowdedDays``): 1 for one that is itself, 0 for many that are not counted.
  package let count: Int

  /// The event as it holds for this occurrence: the override where there is one.
  ///
  /// Lent and not copied: whoever reads one field of it, of thousands of occurrences,
  /// would otherwise retain and release a dozen texts for each.
  package var event: Event {
    _read { yield shared.event }
  }
  /// As of its series, see ``EventSeries/revision``.
  package var revision: UInt64 { shared.revision }
  package var uid: EventUID { shared.event.uid }
  package var isAllDay: Bool { shared.event.start.isDate }

  // What a row has of its event, each without a copy of the rest.
  package var summary: String { shared.event.summary }
  package var location: String { shared.event.location }
  package var url: String { shared.event.url }
  package var joinURL: String { shared.event.joinURL }
  package var categories: [String] { shared.event.categories }
  package var color: EventColor? { shared.event.color }
  package var status: Event.Status { shared.event.status }
  package var isBusy: Bool { shared.event.isBusy }
  package var zoneName: String? { shared.event.start.zoneName }

  init(
    calendar: CalendarID, shared: SharedEvent, recurrenceID: RecurrenceID?, span: TimeSpan,
    start: CivilDateTime, writtenStart: CivilDateTime, end: CivilDateTime, zone: ZoneRules,
    count: Int = 1
  ) {
    self.calendar = calendar
    self.shared = shared
    self.recurrenceID = recurrenceID
    self.span = span
    self.start = start
    self.writtenStart = writtenStart
    self.end = end
    self.zone = zone
    self.count = count
  }

  /// Returns the row of many occurrences that are like this one and lie in a span.
  func row(of count: Int, in span: TimeSpan) -> Occurrence {
    func reading(_ instant: Timestamp) -> CivilDateTime {
      let reading = zone.reading(at: instant)
      return isAllDay ? CivilDateTime(reading.date, .midnight) : reading
    }
    let start = reading(span.start)
    return Occurrence(
      calendar: calendar, shared: shared, recurrenceID: recurrenceID, span: span, start: start,
      writtenStart: start, end: reading(span.end), zone: zone, count: count)
  }

  /// Whether they are the same; a row of many is, however far these were counted.
  package static func == (left: Occurrence, right: Occurrence) -> Bool {
    left.span == right.span && left.calendar == right.calendar
      && left.recurrenceID == right.recurrenceID && left.start == right.start
      && left.end == right.end && left.zone === right.zone
      && (left.shared === right.shared
        || left.revision == right.revision && left.shared.event == right.shared.event)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(uid)
    hasher.combine(span)
  }

  /// The order of every list of occurrences: by start, then end, then uid, then
  /// calendar, then ``recurrenceID``.
  ///
  /// No two of one list are equal in it: exceptions of a series may have been moved to one
  /// time, and a page that ends between them goes on behind the last one.
  package static func precedes(_ left: Occurrence, _ right: Occurrence) -> Bool {
    if left.span.start != right.span.start { return left.span.start < right.span.start }
    if left.span.end != right.span.end { return left.span.end < right.span.end }
    if left.uid != right.uid { return left.uid.text < right.uid.text }
    if left.calendar != right.calendar { return left.calendar.text < right.calendar.text }
    return left.recurrenceText < right.recurrenceText
  }

  /// The text of ``recurrenceID``; "" for an event that does not recur.
  package var recurrenceText: String { recurrenceID?.text ?? "" }
}

extension [Occurrence] {
  /// Puts them into the order of ``Occurrence/precedes(_:_:)``.
  package mutating func putInOrder() {
    putInOrder(Occurrence.precedes) { $0.span.end.seconds }
  }

  /// Puts them into the order of their start, and those that begin together into that in which people
  /// read them.
  package mutating func putInOrder(_ order: DisplayOrder) {
    putInOrder({ left, right in
      let titles = compareTitles(left.summary, right.summary)
      if titles != 0 { return titles < 0 }
      if left.uid != right.uid { return left.uid.text < right.uid.text }
      if left.calendar != right.calendar { return left.calendar.text < right.calendar.text }
      return left.recurrenceText < right.recurrenceText
    }) { Int64(order.rank($0.calendar.text)) }
  }

  /// Where they lie is sorted, and each occurrence is moved once: a sort of themselves
  /// retains and releases four objects each time it moves one, a third of what 5000 took. Most often
  /// they come by their starts, and only those that begin together are put in order.
  ///
  /// - Parameters:
  ///   - precedes: the order of those whose start and number are the same.
  ///   - number: by which those are put in order that begin together.
  private mutating func putInOrder(
    _ precedes: (Occurrence, Occurrence) -> Bool, number: (Occurrence) -> Int64
  ) {
    guard indices.dropFirst().allSatisfy({ self[$0 - 1].span.start <= self[$0].span.start }) else {
      return put(indices, inOrder: precedes, number: number)
    }
    var first = startIndex
    while first < endIndex {
      let start = self[first].span.start
      var end = first + 1
      while end < endIndex, self[end].span.start == start { end += 1 }
      if end - first > 1 { put(first..<end, inOrder: precedes, number: number) }
      first = end
    }
  }

  private mutating func put(
    _ range: Range<Int>, inOrder precedes: (Occurrence, Occurrence) -> Bool,
    number: (Occurrence) -> Int64
  ) {
    var places = range.map { (start: self[$0].span.start, number: number(self[$0]), index: $0) }
    withUnsafeBufferPointer { all in
      places.sort { left, right in
        if left.start != right.start { return left.start < right.start }
        if left.number != right.number { return left.number < right.number }
        return precedes(all[left.index], all[right.index])
      }
    }
    if zip(places, range).allSatisfy({ $0.index == $1 }) { return }
    let sorted = places.map { self[$0.index] }
    if range == indices { self = sorted } else { replaceSubrange(range, with: sorted) }
  }
}

/// One copy of an event for all its occurrences, so that a thousand of them cost
/// no thousand copies of its texts.
final class SharedEvent: Sendable {
  let event: Event
  let revision: UInt64

  init(_ event: Event, revision: UInt64) {
    self.event = event
    self.revision = revision
  }
}
