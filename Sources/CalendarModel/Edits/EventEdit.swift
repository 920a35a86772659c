import CivilTime
import Recurrence

/// Which occurrences of a series an edit changes.
package enum EditScope: String, Hashable, Sendable, CaseIterable {
  case this
  case thisAndFuture = "this-and-future"
  case all
}

extension EventSeries {
  /// Returns the series without one occurrence: an EXDATE is added, its override removed.
  ///
  /// - Returns: nil if no occurrence is left.
  /// - Throws: ``ModelError/unknownEvent(uid:recurrenceID:)`` if there is no such occurrence,
  ///   ``ModelError/time(_:)`` for a zone that is not installed.
  package func excluding(
    _ id: RecurrenceID, context: ZoneContext
  ) throws(ModelError) -> EventSeries? {
    let cut = try SeriesCut(self, at: id, context: context)
    var kept = overrides.filter { cut.instant(of: $0) != cut.instant }
    // A THISANDFUTURE override still applies to the occurrences after it.
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

  /// Returns the series without an occurrence and everything after it.
  ///
  /// Later dates and overrides are removed. Rules that reach the occurrence get an UNTIL before it,
  /// or are removed if they only begin there.
  ///
  /// - Returns: nil if no occurrence is left.
  /// - Throws: The same as ``excluding(_:context:)``.
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
        // Only the start is left. As an RDATE it remains a series, so that its EXDATEs and
        // overrides still count.
        master.recurrence.added = [AddedDate(start: master.start)]
      }
    } else {
      // Only RDATEs before the start are left. The first of them becomes the start; otherwise the
      // old start would come back.
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
