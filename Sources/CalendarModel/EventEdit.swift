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
    let kept = overrides.filter { cut.instant(of: $0) != cut.instant }
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
  /// - Throws: as ``excluding(_:context:)``.
  package func ending(
    before id: RecurrenceID, context: ZoneContext
  ) throws(ModelError) -> EventSeries? {
    let cut = try SeriesCut(self, at: id, context: context)
    let kept = overrides.filter { cut.instant(of: $0) < cut.instant }
    guard var master else {
      return kept.isEmpty ? nil : EventSeries(calendar: calendar, master: nil, overrides: kept)
    }
    for index in master.recurrence.rules.indices {
      master.recurrence.rules[index].count = nil
      master.recurrence.rules[index].until = cut.until
    }
    master.recurrence.added.removeAll { cut.instant(of: $0.start) >= cut.instant }
    master.recurrence.excluded.removeAll { cut.instant(of: $0) >= cut.instant }
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

/// The place in a series at which an edit cuts, in the terms of its master.
private struct SeriesCut {
  let instant: Timestamp
  /// The occurrence as EXDATE would name it.
  let time: EventTime
  /// The last moment before it, as UNTIL would name it.
  let until: RecurrenceUntil
  private let placement: Placement
  private let context: ZoneContext

  init(_ series: EventSeries, at id: RecurrenceID, context: ZoneContext) throws(ModelError) {
    self.context = context
    let occurrence: Occurrence?
    do throws(CivilTimeError) {
      placement = try Placement(series.master ?? series.overrides[0], context: context)
      occurrence = try series.occurrence(id, context: context)
    } catch {
      throw .time(error)
    }
    guard occurrence != nil, let instant = placement.setInstant(of: id) else {
      throw .unknownEvent(uid: series.uid, recurrenceID: id.text)
    }
    self.instant = instant
    let reading = placement.reading(ofSetInstant: instant)
    switch placement.shared.event.start {
    case .date:
      time = .date(reading.date)
      until = .date(reading.date.adding(days: -1) ?? .earliest)
    case .floating:
      time = .floating(reading)
      until = .local(reading.adding(seconds: -1) ?? reading)
    case .zoned(_, let zone):
      // Where the clock shows the reading twice, only UTC names the right one.
      time =
        placement.zone.instant(of: reading) == instant
        ? .zoned(reading, zone: zone) : .utc(instant)
      until = .instant(instant.adding(seconds: -1))
    case .utc:
      time = .utc(instant)
      until = .instant(instant.adding(seconds: -1))
    }
  }

  /// The instant of a date of the series; the end of time for one that cannot be
  /// placed, so that it goes with what is cut off.
  func instant(of time: EventTime) -> Timestamp {
    (try? placement.setInstant(of: time, context: context)) ?? .latest
  }

  func instant(of override: Event) -> Timestamp {
    override.recurrenceID.map(instant(of:)) ?? .latest
  }
}
