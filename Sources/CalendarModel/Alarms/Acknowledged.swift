package import CivilTime

// Ignores acknowledgements that came from other programs.

extension EventSeries {
  /// The series without any ACKNOWLEDGED.
  package var withoutAcknowledgements: EventSeries {
    let isBare = components.allSatisfy { $0.alarms.allSatisfy { $0.acknowledged == nil } }
    return isBare ? self : mappingAlarms { $0.map(\.unacknowledged) }
  }

  /// Whether an alarm would still fire if it had not been acknowledged in another program.
  ///
  /// - Parameter id: The occurrence to look at; nil for the whole series.
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
  /// Whether another program has snoozed a reminder that nobody has acknowledged since.
  ///
  /// The event then has an alarm that is a snooze of another of its alarms.
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
