import CivilTime
import Recurrence

/// A run of instances placed by one component.
///
/// The master places those up to the first THISANDFUTURE override, each such override those up to
/// the next.
struct SeriesStretch {
  let placement: Placement
  /// The first instant, in the recurrence set.
  let from: Timestamp
  /// The first instant after it.
  let until: Timestamp
  /// How far the clock is moved; nil for the master.
  let shiftSeconds: Int64?

  /// The distance from an instance in the set to the start of its occurrence.
  var startDistance: AlarmDistance {
    var distance = AlarmDistance()
    // The clocks of two zones differ by less than two days.
    let isExact = shiftSeconds == nil && !placement.shared.event.start.isDate
    distance.add(seconds: shiftSeconds ?? 0, slack: isExact ? 0 : 2 * 86_400)
    return distance
  }

  /// The distance from an instance in the set to the end of its occurrence, but for RDATE periods.
  var endDistance: AlarmDistance {
    var distance = startDistance
    switch placement.length {
    case .days(let days): distance.add(seconds: Int64(days) * 86_400)
    case .exact(let seconds): distance.add(seconds: seconds)
    case .nominal(let duration): distance.add(duration)
    }
    return distance
  }
}

extension SeriesExpansion {
  /// The stretches of the series, in order; none if only overrides are stored.
  var stretches: [SeriesStretch] {
    guard let master else { return [] }
    let end = Timestamp.latest.adding(seconds: 1)
    let changes = set == nil ? [] : futures
    var stretches = [
      SeriesStretch(
        placement: master, from: .earliest, until: changes.first?.replaced ?? end,
        shiftSeconds: nil)
    ]
    for (index, future) in changes.enumerated() {
      let until = index + 1 < changes.count ? changes[index + 1].replaced : end
      // The last of several overrides for one instant counts.
      if until == future.replaced { continue }
      stretches.append(
        SeriesStretch(
          placement: future.placement, from: future.replaced, until: until,
          shiftSeconds: future.shiftSeconds))
    }
    return stretches
  }

  /// Calls `body` with the instances of a stretch from an instant on, until it returns false.
  ///
  /// Replaced instances are left out; the rest are in the order of the set.
  func forEachInstance(
    of stretch: SeriesStretch, from: Timestamp, _ body: (RecurrenceInstance) -> Bool
  ) {
    guard let set else {
      let reading = stretch.placement.shared.event.start.reading
      let instance = RecurrenceInstance(
        reading: reading, instant: stretch.placement.setInstant(ofReading: reading))
      if !overridden.contains(instance.instant) { _ = body(instance) }
      return
    }
    let first = max(from, stretch.from)
    guard first < stretch.until else { return }
    set.forEachInstance(from: first, until: stretch.until) { instance in
      guard instance.instant < stretch.until else { return false }
      return overridden.contains(instance.instant) || body(instance)
    }
  }

  /// Returns the RDATE periods of the first stretch, in no order.
  func periodInstances(
    where isWanted: (Timestamp, Placement.Length) -> Bool = { _, _ in true }
  ) -> [RecurrenceInstance] {
    guard let master, let set else { return [] }
    let until = futures.first?.replaced ?? .latest.adding(seconds: 1)
    return periods.filter { instant, length in
      instant < until && isWanted(instant, length) && !overridden.contains(instant)
        && set.contains(instant)
    }.keys.map { RecurrenceInstance(reading: master.reading(ofSetInstant: $0), instant: $0) }
  }

  /// Returns the time of an instance, as ``occurrence(of:in:)`` places it.
  func span(of instance: RecurrenceInstance, in stretch: SeriesStretch) -> TimeSpan {
    if let shift = stretch.shiftSeconds {
      let moved = instance.reading.adding(seconds: shift) ?? instance.reading
      return stretch.placement.span(at: moved)
    }
    return stretch.placement.span(
      at: instance.reading, own: periods[instance.instant], instant: instance.instant)
  }

  /// Returns the occurrence of an instance.
  func occurrence(of instance: RecurrenceInstance, in stretch: SeriesStretch) -> Occurrence {
    guard set != nil else { return firstOccurrence(stretch.placement) }
    let id = (master ?? stretch.placement).recurrenceID(ofSetInstant: instance.instant)
    if let shift = stretch.shiftSeconds {
      let moved = instance.reading.adding(seconds: shift) ?? instance.reading
      return stretch.placement.occurrence(of: id, at: moved, calendar: calendar)
    }
    return stretch.placement.occurrence(
      of: id, at: instance.reading, own: periods[instance.instant], calendar: calendar,
      instant: instance.instant)
  }
}
