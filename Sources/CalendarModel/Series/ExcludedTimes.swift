package import CivilTime

/// The instances that EXDATE excludes from a series.
struct ExcludedTimes {
  /// Instants in the recurrence set.
  private var instants: Set<Timestamp> = []
  private var days: Set<CivilDate> = []

  /// Creates an empty set.
  init() {}

  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  init(of master: Placement, context: ZoneContext) throws(CivilTimeError) {
    for time in master.shared.event.recurrence.excluded {
      // A date in a timed series excludes the whole day.
      if case .date(let day) = time { days.insert(day) }
      instants.insert(try master.setInstant(of: time, context: context))
    }
  }

  /// Whether an instance is excluded.
  ///
  /// - Parameter reading: The instant on the master's clock.
  func contains(_ instant: Timestamp, reading: CivilDateTime) -> Bool {
    instants.contains(instant) || days.contains(reading.date)
  }
}

extension EventSeries {
  /// Whether an EXDATE removes an occurrence, in whatever form it is written.
  ///
  /// It may be in another zone, or a date that removes everything that begins on that day.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func isTakenOut(
    _ id: RecurrenceID, context: ZoneContext
  ) throws(CivilTimeError) -> Bool {
    guard let shared, shared.event.anchor != .none, !shared.event.recurrence.excluded.isEmpty else {
      return false
    }
    let placement = try Placement(shared, context: context)
    guard let instant = placement.setInstant(of: id) else { return false }
    return try ExcludedTimes(of: placement, context: context)
      .contains(instant, reading: placement.reading(ofSetInstant: instant))
  }
}
