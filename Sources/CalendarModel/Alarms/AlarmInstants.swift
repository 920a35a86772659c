package import CivilTime

extension Alarm {
  /// Whether the trigger is relative to each occurrence.
  package var isRelative: Bool {
    if case .absolute = trigger { false } else { true }
  }

  /// The most repeats that one alarm can have; a file may ask for millions.
  package static let maximumRepeats = 100

  /// How many times the alarm fires for one occurrence, repeats included.
  var timesRaised: Int {
    repeatInterval.isZero ? 1 : 1 + min(max(0, repeatCount), Alarm.maximumRepeats)
  }

  /// Returns the last instant at which the alarm fires for an occurrence, acknowledged or not.
  package func lastInstant(of occurrence: Occurrence) -> Timestamp {
    instant(timesRaised - 1, of: occurrence.span, in: occurrence.zone)
  }

  /// Returns one instant of this alarm for an occurrence, acknowledged or not.
  ///
  /// Weeks and days follow the event's clock (the agent's for all-day and floating events); hours,
  /// minutes and seconds are exact unless ``Alarm/isOnClock`` is set.
  ///
  /// - Parameters:
  ///   - repetition: 0 for the first instant; below ``timesRaised``.
  ///   - span: The time of the occurrence; an absolute trigger ignores it.
  ///   - zone: The clock of the event.
  ///
  /// Source: RFC 5545 section 3.8.6.3.
  func instant(_ repetition: Int, of span: TimeSpan, in zone: ZoneRules) -> Timestamp {
    let first =
      switch trigger {
      case .fromStart(let duration) where isOnClock:
        CivilDateTime(zone.reading(at: span.start).date, .midnight)
          .adding(seconds: duration.approximateSeconds).map(zone.instant(of:)) ?? .earliest
      case .fromStart(let duration): zone.adding(duration, to: span.start)
      case .fromEnd(let duration): zone.adding(duration, to: span.end)
      case .absolute(let moment): moment
      }
    return repetition == 0
      ? first : zone.adding(repeatInterval.multiplied(by: repetition), to: first)
  }

  /// Returns how far an instant of this alarm is from the time that its trigger counts from.
  ///
  /// An absolute trigger counts from its own first instant.
  func distance(_ repetition: Int) -> AlarmDistance {
    var distance = AlarmDistance()
    switch trigger {
    case .fromStart(let duration), .fromEnd(let duration): distance.add(duration)
    case .absolute: break
    }
    if isOnClock { distance.addNominalSlack() }
    if repetition > 0 { distance.add(repeatInterval.multiplied(by: repetition)) }
    return distance
  }
}

/// A time in seconds, and how much clock changes can make it longer or shorter.
struct AlarmDistance {
  private(set) var seconds: Int64 = 0
  private(set) var slackSeconds: Int64 = 0

  /// The most that a number of days on a clock can differ from the same number of 24 hours.
  ///
  /// A zone that crosses the date line skips a day; a change of an hour or two can be added.
  private static let nominalSlack: Int64 = 26 * 3600

  var lowest: Int64 { seconds - slackSeconds }
  var highest: Int64 { seconds + slackSeconds }

  mutating func add(_ duration: CalendarDuration) {
    seconds += duration.approximateSeconds
    if duration.days != 0 { addNominalSlack() }
  }

  mutating func addNominalSlack() { slackSeconds += AlarmDistance.nominalSlack }

  mutating func add(seconds more: Int64, slack: Int64 = 0) {
    seconds += more
    slackSeconds += slack
  }
}

extension CalendarDuration {
  fileprivate func multiplied(by factor: Int) -> CalendarDuration {
    CalendarDuration(days: days * factor, seconds: seconds * Int64(factor))
  }
}
