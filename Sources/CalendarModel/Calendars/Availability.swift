package import CivilTime

/// The times when somebody is busy; adjacent and overlapping times are joined.
package struct BusyTimes: Sendable {
  /// The busy times, ascending, disjoint and not empty.
  package let spans: [TimeSpan]
  private let extent: TimeSpan

  /// Joins the times of some occurrences.
  ///
  /// - Parameters:
  ///   - occurrences: In any order; only those with ``Occurrence/takesUpTime`` count.
  ///   - extent: Times outside of it are cut off.
  package init(_ occurrences: some Sequence<Occurrence>, in extent: TimeSpan) {
    self.init(occurrences.filter(\.takesUpTime).map(\.span), in: extent)
  }

  init(_ times: [TimeSpan], in extent: TimeSpan) {
    self.extent = extent
    var joined: [TimeSpan] = []
    for time in times.sorted(by: { $0.start < $1.start }) {
      let start = max(time.start, extent.start)
      let end = min(time.end, extent.end)
      guard start < end else { continue }
      if let last = joined.last, start <= last.end {
        joined[joined.count - 1] = TimeSpan(start: last.start, end: max(last.end, end))
      } else {
        joined.append(TimeSpan(start: start, end: end))
      }
    }
    spans = joined
  }

  /// Returns the free times within some hours, in order.
  ///
  /// - Parameters:
  ///   - hours: Ascending and disjoint, such as working hours.
  ///   - seconds: The least duration of a free time.
  package func gaps(in hours: [TimeSpan], lasting seconds: Int64) -> [TimeSpan] {
    var gaps: [TimeSpan] = []
    func add(_ start: Timestamp, _ end: Timestamp) {
      if start < end, end.seconds - start.seconds >= seconds {
        gaps.append(TimeSpan(start: start, end: end))
      }
    }
    var next = 0
    for hour in hours {
      var free = max(hour.start, extent.start)
      let end = min(hour.end, extent.end)
      while next < spans.count, spans[next].end <= free { next += 1 }
      var index = next
      while index < spans.count, spans[index].start < end {
        add(free, spans[index].start)
        free = max(free, spans[index].end)
        index += 1
      }
      add(free, end)
    }
    return gaps
  }
}

extension Occurrence {
  /// Whether the occurrence makes its owner busy (RFC 5545 section 3.8.2.7).
  ///
  /// Tentative ones do; free, cancelled and zero-length ones do not.
  package var takesUpTime: Bool {
    event.isBusy && event.status != .cancelled && span.seconds > 0
  }
}

/// Two occurrences that overlap and make their owner busy.
package struct Conflict: Equatable, Sendable {
  package let first: Occurrence
  package let second: Occurrence
  /// The time that they share.
  package let span: TimeSpan

  /// Returns the overlapping pairs among some occurrences, ordered by the first, then the second.
  ///
  /// - Parameters:
  ///   - occurrences: In the order of ``Occurrence/precedes(_:_:)``.
  ///   - limit: The most pairs to return; the earliest come first.
  package static func all(among occurrences: [Occurrence], limit: Int) -> [Conflict] {
    let busy = occurrences.filter(\.takesUpTime)
    var found: [Conflict] = []
    for (index, first) in busy.enumerated() {
      for second in busy[(index + 1)...] {
        guard second.span.start < first.span.end else { break }
        guard found.count < limit else { return found }
        found.append(
          Conflict(
            first: first, second: second,
            span: TimeSpan(
              start: second.span.start, end: min(first.span.end, second.span.end))))
      }
    }
    return found
  }
}
