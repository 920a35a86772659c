package import CivilTime

// Alarms that were acknowledged in another program, as if nobody had.

extension EventSeries {
  /// The series with nothing acknowledged in it.
  package var withoutAcknowledgements: EventSeries {
    let isBare = components.allSatisfy { $0.alarms.allSatisfy { $0.acknowledged == nil } }
    return isBare ? self : mappingAlarms { $0.map(\.unacknowledged) }
  }

  /// Whether an alarm of the series, or of one of its occurrences, would have rung but for what
  /// its ACKNOWLEDGED says.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func isAcknowledged(
    _ id: RecurrenceID?, context: ZoneContext
  ) throws(CivilTimeError) -> Bool {
    guard let last = components.flatMap(\.alarms).compactMap(\.acknowledged).max() else {
      return false
    }
    if let id {
      let bare = withoutAcknowledgements
      guard let occurrence = try occurrence(id, context: context),
        let same = try bare.occurrence(id, context: context)
      else { return false }
      return bare.alarms(of: same, after: .earliest, defaults: .none).contains { alarm in
        occurrence.event.alarms.contains {
          $0.id == alarm.alarm.id && $0.acknowledged.map { $0 >= alarm.instant } ?? false
        }
      }
    }
    let acknowledged = mappingAlarms { alarms in
      alarms.filter { $0.acknowledged != nil }.map(\.unacknowledged)
    }
    return try !acknowledged.alarms(
      after: .earliest, through: last, limit: 1, context: context
    ).alarms.isEmpty
  }

  private func mappingAlarms(_ change: ([Alarm]) -> [Alarm]) -> EventSeries {
    func changed(_ event: Event) -> Event {
      var event = event
      event.alarms = change(event.alarms)
      return event
    }
    return EventSeries(
      calendar: calendar, master: master.map(changed), overrides: overrides.map(changed),
      countedEnds: countedEnds)
  }
}

extension Event {
  /// Whether another program has put a reminder off, and nobody has acknowledged it since: one of its alarms is a snooze
  /// of another that it has.
  package var isPutOff: Bool {
    alarms.contains { snooze in
      guard let former = snooze.snoozeOf, case .absolute(let end) = snooze.trigger,
        snooze.action != .none, alarms.contains(where: { $0.id == former })
      else { return false }
      return snooze.acknowledged.map { $0 < end } ?? true
    }
  }
}

extension Alarm {
  fileprivate var unacknowledged: Alarm {
    var alarm = self
    alarm.acknowledged = nil
    return alarm
  }
}
