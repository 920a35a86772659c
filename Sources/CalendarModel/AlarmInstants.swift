package import CivilTime

extension Alarm {
  /// Whether the trigger goes with each occurrence, and not with the calendar.
  package var isRelative: Bool {
    if case .absolute = trigger { false } else { true }
  }

  /// The most repeats of one alarm that are kept; a file may ask for millions.
  package static let maximumRepeats = 100

  /// How many instants it has for one occurrence: the first and its repeats.
  var timesRaised: Int {
    repeatInterval.isZero ? 1 : 1 + min(max(0, repeatCount), Alarm.maximumRepeats)
  }

  /// Returns the last instant at which it is raised for an occurrence, be it acknowledged or not.
  package func lastInstant(of occurrence: Occurrence) -> Timestamp {
    instant(timesRaised - 1, of: occurrence.span, in: occurrence.zone)
  }

  /// Returns one instant of this alarm for an occurrence, be it acknowledged or
  /// not.
  ///
  /// Weeks and days are nominal, on the clock of the event (the agent's for
  /// all-day and floating ones); the rest is exact, but for ``Alarm/isOnClock``.
  ///
  /// - Parameters:
  ///   - repetition: 0 for the first, below ``timesRaised``.
  ///   - span: where the occurrence lies; an absolute trigger does not look at it.
  ///   - zone: the clock of the event.
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

  /// Returns what lies between an instant of this alarm and the moment that its
  /// trigger counts from (for an absolute one: its first instant).
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

/// A length of time in seconds, and by how much the changes of a clock can make it
/// longer or shorter.
struct AlarmDistance {
  private(set) var seconds: Int64 = 0
  private(set) var slackSeconds: Int64 = 0

  /// By how much so many days of a clock can differ from as many of 24 hours: a
  /// zone that crosses the date line leaves out a day, and an hour or two may
  /// come on top.
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
