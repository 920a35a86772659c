package import CivilTime

/// What runs at an instant and what comes after it: the one notion of "now" and "next" that a bar,
/// `calctl status` and `calctl next` have.
package struct NowAndNext<Element> {
  /// Those that run, the one that began last first, since that is what one is in: a meeting during
  /// a conference. Of those that began together the one that ends first.
  package let running: [Element]
  /// Those that begin later, soonest first.
  package let coming: [Element]

  /// - Parameters:
  ///   - events: timed ones; those that begin together in the order in which they are read.
  ///   - span: when one begins and ends. One that has no length never runs.
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
  /// What runs and what comes at an instant, of the rows that there was room for.
  package func nowAndNext(at now: Timestamp) -> NowAndNext<SnapshotEvent> {
    NowAndNext(self.now + next, at: now, span: \.span)
  }
}

extension SnapshotEvent {
  /// One that ends before it begins, as no agent writes it, has no length.
  var span: TimeSpan { TimeSpan(start: start, end: max(start, end)) }
}
