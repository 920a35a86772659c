package import CivilTime

/// One occurrence of an event, with its place in time.
package struct Occurrence: Hashable, Sendable {
  package let calendar: CalendarID
  private let shared: SharedEvent
  /// nil for an event that does not recur.
  package let recurrenceID: RecurrenceID?
  /// For an all-day event, its days in the agent's zone.
  package let span: TimeSpan
  /// The start on the event's own clock; midnight for an all-day event.
  ///
  /// A floating event uses the agent's clock.
  package let start: CivilDateTime
  /// The end on the same clock; for an all-day event, the day after its last one.
  package let end: CivilDateTime
  /// The start as the rule or the event has it.
  ///
  /// It differs from ``start`` if a clock change skips it.
  package let writtenStart: CivilDateTime
  /// The zone of ``start`` and ``end``.
  package let zone: ZoneRules
  /// How many occurrences this is the row of (``CrowdedDays``): usually 1; 0 is "not counted".
  package let count: Int

  /// The event of this occurrence: the override if there is one.
  ///
  /// It is read in place, since copying an event is expensive.
  package var event: Event {
    _read { yield shared.event }
  }
  /// See ``EventSeries/revision``.
  package var revision: UInt64 { shared.revision }
  package var uid: EventUID { shared.event.uid }
  package var isAllDay: Bool { shared.event.start.isDate }

  // These read one field without copying the event.
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

  /// Returns a row that stands for many occurrences in a span.
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

  /// Compares all but ``count``: whether a crowded day was counted does not matter.
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

  /// The order of every list of occurrences: start, end, UID, calendar, ``recurrenceID``.
  ///
  /// No two occurrences of a list are equal in it, so that a page can continue after any of them.
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
  /// Sorts by ``Occurrence/precedes(_:_:)``.
  package mutating func putInOrder() {
    putInOrder(Occurrence.precedes) { $0.span.end.seconds }
  }

  /// Sorts by start, then in the order of ``DisplayOrder``.
  package mutating func putInOrder(_ order: DisplayOrder) {
    putInOrder({ left, right in
      let titles = compareTitles(left.summary, right.summary)
      if titles != 0 { return titles < 0 }
      if left.uid != right.uid { return left.uid.text < right.uid.text }
      if left.calendar != right.calendar { return left.calendar.text < right.calendar.text }
      return left.recurrenceText < right.recurrenceText
    }) { Int64(order.rank($0.calendar.text)) }
  }

  /// Sorts by start, then by a number, then by `precedes`.
  ///
  /// Indices are sorted and each occurrence is moved once: moving one is expensive. Usually the
  /// starts are in order already, and only occurrences that begin together are sorted.
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

/// An event shared by all its occurrences, since copying it is expensive.
final class SharedEvent: Sendable {
  let event: Event
  let revision: UInt64

  init(_ event: Event, revision: UInt64) {
    self.event = event
    self.revision = revision
  }
}
