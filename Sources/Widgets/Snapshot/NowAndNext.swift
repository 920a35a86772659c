package import CivilTime

/// The events that are running at an instant, and those after it.
///
/// Bars, `calctl status` and `calctl next` share this definition of "now" and "next".
package struct NowAndNext<Element> {
  /// The running events, the last begun first: people are in a meeting during a conference.
  ///
  /// Of those that began together, the first to end comes first. Those of more than 24 hours come
  /// last: a shift that begins during a meeting does not displace it.
  package let running: [Element]
  /// The events that begin later, soonest first.
  package let coming: [Element]

  /// - Parameters:
  ///   - events: Timed events; those that begin together must be in display order.
  ///   - span: Returns the span of an event. One without duration never counts as running.
  package init(_ events: [Element], at now: Timestamp, span: (Element) -> TimeSpan) {
    let timed = events.enumerated().map { (span: span($1), place: $0, event: $1) }
    running = timed.filter { $0.span.start <= now && now < $0.span.end }.sorted {
      if $0.span.isLong != $1.span.isLong { return $1.span.isLong }
      if $0.span.start != $1.span.start { return $0.span.start > $1.span.start }
      return $0.span.end != $1.span.end ? $0.span.end < $1.span.end : $0.place < $1.place
    }.map(\.event)
    coming = timed.filter { $0.span.start > now }.sorted {
      $0.span.start != $1.span.start ? $0.span.start < $1.span.start : $0.place < $1.place
    }.map(\.event)
  }
}

extension SnapshotV1 {
  /// Returns the running and coming events at an instant, as far as the snapshot lists them.
  package func nowAndNext(at now: Timestamp) -> NowAndNext<SnapshotEvent> {
    NowAndNext(self.now + next, at: now, span: \.span)
  }
}

extension SnapshotEvent {
  /// The span; empty for an event that ends before it begins, which no agent writes.
  var span: TimeSpan { TimeSpan(start: start, end: max(start, end)) }

  /// Whether it takes more than 24 hours.
  var isLong: Bool { span.isLong }
}

extension TimeSpan {
  fileprivate var isLong: Bool { end.seconds - start.seconds > 86_400 }
}
