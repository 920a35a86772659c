package import CivilTime

extension EventSeries {
  /// Returns the alarms of one occurrence with `instant > after`, in order: those that go
  /// with it, since an absolute trigger speaks of the series.
  ///
  /// - Parameter occurrence: one of this series.
  /// - Complexity: a few steps for each alarm, wherever the occurrence lies.
  package func alarms(
    of occurrence: Occurrence, after: Timestamp, defaults: DefaultAlarms
  ) -> [OccurrenceAlarm] {
    if master?.recurrence.isTooDenseToRing ?? false { return [] }
    var hits: [AlarmHit] = []
    for alarm in defaults.alarms(of: occurrence.event) where alarm.isRelative {
      if alarm.action == .none { continue }
      let past = max(after, alarm.acknowledged ?? .earliest)
      for repetition in 0..<alarm.timesRaised {
        let instant = alarm.instant(repetition, of: occurrence.span, in: occurrence.zone)
        guard instant > past else { continue }
        hits.append(
          AlarmHit(
            instant: instant, alarm: alarm, repetition: repetition, place: .override(0)))
      }
    }
    // Equal triggers are told once.
    var alarms: [OccurrenceAlarm] = []
    for hit in hits.sorted(by: AlarmHit.precedes) where hit.instant != alarms.last?.instant {
      alarms.append(OccurrenceAlarm(hit, occurrence: occurrence))
    }
    return alarms
  }
}
