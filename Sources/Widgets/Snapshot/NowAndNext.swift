package import CivilTime

/// The events that run at an instant, and those after it: bars, `calctl status` and `calctl next`
/// share this definition of "now" and "next".
package struct NowAndNext<Element> {
  /// The running events, the one that began last first: a meeting during a conference is what
  /// people are in. Of those that began together the one that ends first comes first.
  package let running: [Element]
  /// The events that begin later, soonest first.
  package let coming: [Element]

  /// - Parameters:
  ///   - events: timed ones; those that begin together in the order in which they are read.
  ///   - span: the span of an event. One without duration never runs.
  package init(_ events: [Element], at now: Timestamp, span: (Element) -> TimeSpan) {
    let timed = events.enumerated().map { (span: span($1), place: $0, event: $1) }
    running = timed.filter { $0.span.start <= now && now < $0.span.end }.sorted {
      if $0.span.start != $1.span.start { return $0.span.start > $1.span.start }
      return $0.span.end != $1.span.end ? $0.span.end < $1.span.end : $0.place < $1.place
    }.map(\.event)
    coming = timed.filter { $0.span.start > now }.sorted {
      $0.span.start != $1.span.start ? $0.span.start < $1.span.start : $0.place < $1.place
    }.map(\.event)
  }
}

extension SnapshotV1 {
  /// The running and coming events at an instant, of the rows that there was room for.
  package func nowAndNext(at now: Timestamp) -> NowAndNext<SnapshotEvent> {
    NowAndNext(self.now + next, at: now, span: \.span)
  }
}

extension SnapshotEvent {
  /// The span; empty for an event that ends before it begins, which no agent writes.
  var span: TimeSpan { TimeSpan(start: start, end: max(start, end)) }
}
