import CivilTime

extension EventSeries {
  /// Returns the occurrence of an event that does not recur; nil for every other series.
  ///
  /// It is faster than an expansion.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  func singleOccurrence(context: ZoneContext) throws(CivilTimeError) -> Occurrence? {
    guard let shared, overrides.isEmpty, !isRecurring, shared.event.anchor != .none else {
      return nil
    }
    return try Placement(shared, context: context)
      .occurrence(of: nil, at: shared.event.start.reading, calendar: calendar)
  }

  /// Returns what ``place(alarmsAfter:defaults:context:)`` does, for an event that does not recur.
  ///
  /// Most series are such events; this takes a fifth of the time. nil for every other series, and
  /// for one with an absolute trigger.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  func singlePlace(
    alarmsAfter instant: Timestamp, defaults: DefaultAlarms, context: ZoneContext
  ) throws(CivilTimeError) -> (extent: TimeSpan, nextAlarm: Timestamp?)? {
    guard overrides.isEmpty, !isRecurring, let shared, shared.event.anchor != .none else {
      return nil
    }
    // `shared` is read in place: copying an event is expensive.
    let alarms = defaults.alarms(of: shared.event)
    guard alarms.allSatisfy({ $0.isRelative || $0.action == .none }) else { return nil }
    let start = shared.event.start
    let reading = start.reading
    let floats = start.zoneName == nil
    // The extent must hold in every zone that the agent may have.
    let anywhere = ZoneContext(zones: context.zones, local: .utc)
    let timing = try Timing(shared.event, context: floats ? anywhere : context)
    let span = timing.span(at: reading)
    let margin: Int64 = floats ? EventSeries.floatingMarginSeconds : 0
    let extent = TimeSpan.clamped(
      from: span.start.adding(seconds: -margin), to: span.end.adding(seconds: margin))
    guard !alarms.isEmpty else { return (extent, nil) }
    let here = floats ? try Timing(shared.event, context: context) : timing
    let place = floats ? here.span(at: reading) : span
    var next: Timestamp?
    for alarm in alarms where alarm.action != .none {
      let past = max(instant, alarm.acknowledged ?? .earliest)
      for repetition in 0..<alarm.timesRaised {
        let instant = alarm.instant(repetition, of: place, in: here.zone)
        if instant > past, instant < next ?? .latest { next = instant }
      }
    }
    return (extent, next)
  }
}
