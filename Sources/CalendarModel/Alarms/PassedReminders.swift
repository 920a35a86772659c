package import CivilTime

// Finds imported series that may have an upcoming occurrence with a reminder already in the past.

extension EventSeries {
  /// Whether an occurrence may be upcoming while the time of its reminder has passed.
  ///
  /// The test is coarse and needs no zone: it rules out most series of an import quickly.
  package func mayHavePassed(_ defaults: DefaultAlarms, at now: Timestamp) -> Bool {
    guard isRecurring else { return shared?.event.mayHavePassed(defaults, at: now) ?? false }
    // A series that began earlier may have an occurrence soon.
    let longest = reach(defaults)
    if longest == 0 { return false }
    func isNear(_ event: Event) -> Bool {
      event.secondsAhead(of: now) < longest + Event.secondsOfDay
    }
    return shared.map { isNear($0.event) } ?? false || overrides.contains(where: isNear)
  }

  /// Returns the longest time, in seconds, that a reminder is before its occurrence.
  ///
  /// Overrides are included; see ``Event/reach(_:)``.
  package func reach(_ defaults: DefaultAlarms) -> Int64 {
    overrides.reduce(shared?.event.reach(defaults) ?? 0) { longest, event in
      max(longest, event.reach(defaults))
    }
  }
}

extension Event {
  fileprivate static let secondsOfDay: Int64 = 86_400

  /// Returns the seconds until the event starts, read in UTC: wrong by less than a day.
  fileprivate func secondsAhead(of now: Timestamp) -> Int64 {
    Timestamp(start.reading, offset: .utc).seconds - now.seconds
  }

  /// Whether an event without recurrence may be upcoming while its reminder has passed.
  fileprivate func mayHavePassed(_ defaults: DefaultAlarms, at now: Timestamp) -> Bool {
    let (ahead, day) = (secondsAhead(of: now), Event.secondsOfDay)
    guard ahead > -day else { return false }
    return defaults.alarms(of: self).contains { alarm in
      switch alarm.trigger {
      case .fromStart(let length), .fromEnd(let length): ahead + length.approximateSeconds < day
      case .absolute(let instant): instant < now
      }
    }
  }

  /// Returns how many seconds the earliest reminder is before the event; 0 if none is.
  ///
  /// Two hours are added because a day may have 25.
  fileprivate func reach(_ defaults: DefaultAlarms) -> Int64 {
    let longest = defaults.alarms(of: self).reduce(Int64(0)) { longest, alarm in
      switch alarm.trigger {
      case .fromStart(let length), .fromEnd(let length):
        max(longest, -length.approximateSeconds)
      case .absolute: longest
      }
    }
    return longest == 0 ? 0 : longest + 7200
  }
}
