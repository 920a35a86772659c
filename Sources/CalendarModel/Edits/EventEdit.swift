import CivilTime
import Recurrence

/// How much of a series an edit touches.
package enum EditScope: String, Hashable, Sendable, CaseIterable {
  case this
  case thisAndFuture = "this-and-future"
  case all
}

extension EventSeries {
  /// Returns the series without one occurrence: an EXDATE for it, and its
  /// override gone. nil when nothing is left.
  ///
  /// - Throws: ``ModelError/unknownEvent(uid:recurrenceID:)`` if there is no such
  ///   occurrence, ``ModelError/time(_:)`` for a zone that is not installed.
  package func excluding(
    _ id: RecurrenceID, context: ZoneContext
  ) throws(ModelError) -> EventSeries? {
    let cut = try SeriesCut(self, at: id, context: context)
    var kept = overrides.filter { cut.instant(of: $0) != cut.instant }
    // What a range gives to those after it, they keep.
    for range in overrides where range.appliesToFuture && cut.instant(of: range) == cut.instant {
      let next = try rangeGoingOn(range, from: cut.instant.adding(seconds: 1), context)
      kept += next.map { [$0] } ?? []
    }
    guard var master else {
      return kept.isEmpty ? nil : EventSeries(calendar: calendar, master: nil, overrides: kept)
    }
    master.recurrence.excluded.append(cut.time)
    return try EventSeries(calendar: calendar, master: master, overrides: kept)
      .unlessEmpty(context)
  }

  /// Returns the series up to one occurrence, which is no longer in it: its rules
  /// end before, and later dates, exceptions and overrides are gone. nil when
  /// nothing is left.
  ///
  /// A rule that ends before the occurrence stays as it is, one that begins there
  /// or later goes, and UNTIL ends the others.
  ///
  /// - Throws: as ``excluding(_:context:)``.
  package func ending(
    before id: RecurrenceID, context: ZoneContext
  ) throws(ModelError) -> EventSeries? {
    let cut = try SeriesCut(self, at: id, context: context)
    let kept = overrides.filter { cut.instant(of: $0) < cut.instant }
    guard var master else {
      return kept.isEmpty ? nil : EventSeries(calendar: calendar, master: nil, overrides: kept)
    }
    master.recurrence.added.removeAll { cut.instant(of: $0.start) >= cut.instant }
    master.recurrence.excluded.removeAll { cut.instant(of: $0) >= cut.instant }
    if cut.instant(of: master.start) < cut.instant {
      master.recurrence.rules = cut.rulesBefore
      if !master.recurrence.isRecurring {
        // Only the start is left. Named as a date it stays one of a series, whose
        // exceptions and overrides go on to count.
        master.recurrence.added = [AddedDate(start: master.start)]
      }
    } else {
      // Dates before the start: rules have nothing there, and the start would come
      // back by itself.
      guard let first = master.recurrence.added.map({ cut.instant(of: $0.start) }).min() else {
        return nil
      }
      master.recurrence.rules = []
      try placed { () throws(CivilTimeError) in
        try master.restart(at: cut.time(ofSetInstant: first), context: context)
      }
    }
    return try EventSeries(calendar: calendar, master: master, overrides: kept)
      .unlessEmpty(context)
  }

  private func unlessEmpty(_ context: ZoneContext) throws(ModelError) -> EventSeries? {
    do throws(CivilTimeError) {
      return try occurrences(in: .always, context: context, limit: 1).isEmpty ? nil : self
    } catch {
      throw .time(error)
    }
  }
}
