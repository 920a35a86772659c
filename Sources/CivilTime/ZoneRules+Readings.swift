extension ZoneRules {
  /// Returns the instants that a reading stands for.
  ///
  /// It is exact also if changes are less than a day apart or a whole day is skipped. Of more than
  /// two instants, which no zone has had, the first two are returned.
  ///
  /// - Complexity: One search if no change is near.
  package func resolve(_ reading: CivilDateTime) -> LocalResolution {
    let local = reading.linearSeconds
    // An instant with this reading differs from it by less than the widest offset.
    let span = span(at: Timestamp(seconds: local))
    if span.keepsUnique(local) {
      return .unique(Timestamp(seconds: local - Int64(span.offset.seconds)))
    }
    return resolveNearChange(local)
  }

  private func resolveNearChange(_ local: Int64) -> LocalResolution {
    var current = span(at: Timestamp(seconds: local - ZoneRules.widestOffset))
    var first: Timestamp?
    var gap: LocalResolution?
    while true {
      let instant = local - Int64(current.offset.seconds)
      if current.start <= instant, instant < current.end {
        if let first { return .fold(first: first, second: Timestamp(seconds: instant)) }
        first = Timestamp(seconds: instant)
      }
      guard current.end <= local + ZoneRules.widestOffset else { break }
      let next = span(at: Timestamp(seconds: current.end))
      if gap == nil, current.end <= instant, local - Int64(next.offset.seconds) < next.start {
        gap = .gap(
          before: Timestamp(seconds: instant),
          after: Timestamp(seconds: local - Int64(next.offset.seconds)))
      }
      current = next
    }
    if let first { return .unique(first) }
    return gap ?? .unique(Timestamp(seconds: local - Int64(current.offset.seconds)))
  }

  /// Returns the instant of a reading by iCalendar's rule; see ``LocalResolution/instant``.
  package func instant(of reading: CivilDateTime) -> Timestamp {
    resolve(reading).instant
  }

  /// Returns the first instant of a day: midnight, or the end of a gap that skips it.
  ///
  /// A day that does not exist begins with the next one:
  ///
  ///     2018-11-04 São Paulo -> 2018-11-04T03:00:00Z   shown as 01:00
  ///     2011-12-30 Apia      -> 2011-12-30T10:00:00Z   shown as the 31st, 00:00
  package func startOfDay(_ date: CivilDate) -> Timestamp {
    let midnight = CivilDateTime(date, .midnight).linearSeconds
    let whole = span(at: Timestamp(seconds: midnight))
    if whole.keepsUnique(midnight) {
      return Timestamp(seconds: midnight - Int64(whole.offset.seconds))
    }
    var current = span(at: Timestamp(seconds: midnight - ZoneRules.widestOffset))
    while true {
      let offset = Int64(current.offset.seconds)
      let start = max(current.start, midnight - offset)
      if start < current.end, start < midnight + 86_400 - offset {
        return Timestamp(seconds: start)
      }
      guard current.end <= midnight + 86_400 + ZoneRules.widestOffset else { break }
      current = span(at: Timestamp(seconds: current.end))
    }
    guard let next = date.adding(days: 1) else {
      return instant(of: CivilDateTime(date, .midnight))
    }
    return startOfDay(next)
  }

  /// Returns the reading at an instant, limited to the years 1 to 9999.
  package func reading(at instant: Timestamp) -> CivilDateTime {
    let inRange = min(max(instant, .earliest), .latest)
    return inRange.reading(offset: offset(at: inRange))
      ?? (inRange.seconds < 0
        ? CivilDateTime(.earliest, .midnight)
        : CivilDateTime(.latest, TimeOfDay(unchecked: 86_399)))
  }

  /// Returns the first instant after `instant` with another offset; nil if there is none by 9999.
  package func nextChange(after instant: Timestamp) -> Timestamp? {
    let here = span(at: instant)
    var end = here.end
    while end <= Timestamp.latest.seconds {
      let next = span(at: Timestamp(seconds: end))
      if next.offset != here.offset { return Timestamp(seconds: end) }
      end = next.end
    }
    return nil
  }
}

extension OffsetSpan {
  /// Whether all instants that can have a reading, in linear seconds, are in the span.
  ///
  /// The reading is then unique.
  @inline(__always)
  func keepsUnique(_ local: Int64) -> Bool {
    (start == .min || local - ZoneRules.widestOffset >= start)
      && (end == .max || local + ZoneRules.widestOffset < end)
  }
}
