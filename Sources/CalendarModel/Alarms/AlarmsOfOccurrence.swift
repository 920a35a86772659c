package import CivilTime

extension EventSeries {
  /// Returns the relative alarms of one occurrence with `instant > after`, in order.
  ///
  /// Absolute triggers belong to the series and are left out.
  ///
  /// - Parameter occurrence: An occurrence of this series.
  /// - Complexity: Proportional to the number of alarms, wherever the occurrence is.
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
    // Alarms of one instant count once.
    var alarms: [OccurrenceAlarm] = []
    for hit in hits.sorted(by: AlarmHit.precedes) where hit.instant != alarms.last?.instant {
      alarms.append(OccurrenceAlarm(hit, occurrence: occurrence))
    }
    return alarms
  }
}
