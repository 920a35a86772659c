package import CivilTime

// Which series may have reminders whose moment is over: it is asked of each that an import brings.

extension EventSeries {
  /// Whether it may be ahead with a reminder that is not, whatever its zone is: of most that an import brings neither
  /// zone nor reminders need be looked at.
  package func mayHavePassed(_ defaults: DefaultAlarms, at now: Timestamp) -> Bool {
    guard isRecurring else { return shared?.event.mayHavePassed(defaults, at: now) ?? false }
    // Of what began before there may be an occurrence soon.
    let longest = reach(defaults)
    if longest == 0 { return false }
    func isNear(_ event: Event) -> Bool {
      event.secondsAhead(of: now) < longest + Event.secondsOfDay
    }
    return shared.map { isNear($0.event) } ?? false || overrides.contains(where: isNear)
  }

  /// Returns how many seconds the first of its reminders, changed occurrences included, is before its occurrence; as of
  /// an event.
  package func reach(_ defaults: DefaultAlarms) -> Int64 {
    overrides.reduce(shared?.event.reach(defaults) ?? 0) { longest, event in
      max(longest, event.reach(defaults))
    }
  }
}

extension Event {
  fileprivate static let secondsOfDay: Int64 = 86_400

  /// Returns how long after a moment it begins by the clock of UTC: less than a day from when it does.
  fileprivate func secondsAhead(of now: Timestamp) -> Int64 {
    Timestamp(start.reading, offset: .utc).seconds - now.seconds
  }

  /// As of a series that has nothing else.
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

  /// Returns how many seconds the first of its reminders is before it, and two hours more: a day may have 25. 0 where none
  /// is before it.
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
