package import CivilTime

/// The instances that EXDATE excludes from a series.
struct ExcludedTimes {
  /// In the terms of the recurrence set.
  private var instants: Set<Timestamp> = []
  private var days: Set<CivilDate> = []

  /// Nothing.
  init() {}

  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  init(of master: Placement, context: ZoneContext) throws(CivilTimeError) {
    for time in master.shared.event.recurrence.excluded {
      // A day among times means all of it.
      if case .date(let day) = time { days.insert(day) }
      instants.insert(try master.setInstant(of: time, context: context))
    }
  }

  /// Whether an instance is taken out.
  ///
  /// - Parameter reading: of the instant, on the clock of the master.
  func contains(_ instant: Timestamp, reading: CivilDateTime) -> Bool {
    instants.contains(instant) || days.contains(reading.date)
  }
}

extension EventSeries {
  /// Whether an occurrence was taken out of the series, however its EXDATE is written: as another program has it,
  /// it may be in another zone, or a day that takes out all that begins on it.
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
