package import CivilTime

extension Alarm {
  /// Whether the trigger goes with each occurrence, and not with the calendar.
  package var isRelative: Bool {
    if case .absolute = trigger { false } else { true }
  }

  /// Returns the instants of this alarm for one occurrence, the repeats too, in
  /// order; those that have been acknowledged are left out.
  ///
  /// Weeks and days of a trigger are nominal, on the clock of the event (the
  /// agent's for all-day and floating ones); the rest is exact.
  ///
  /// Source: RFC 5545 section 3.8.6.3.
  package func instants(for occurrence: Occurrence) -> [Timestamp] {
    guard action != .none else { return [] }
    let zone = occurrence.zone
    var instant: Timestamp
    switch trigger {
    case .fromStart(let duration): instant = zone.adding(duration, to: occurrence.span.start)
    case .fromEnd(let duration): instant = zone.adding(duration, to: occurrence.span.end)
    case .absolute(let moment): instant = moment
    }
    var instants = [instant]
    for _ in 0..<min(repeatCount, Alarm.maximumRepeats) where !repeatInterval.isZero {
      instant = zone.adding(repeatInterval, to: instant)
      instants.append(instant)
    }
    guard let acknowledged else { return instants }
    return instants.filter { $0 > acknowledged }
  }

  /// The most repeats of one alarm that are kept; a file may ask for millions.
  package static let maximumRepeats = 100

  /// How far an instant of this alarm can lie from the start of its occurrence,
  /// in seconds before and after it, for occurrences of at most `longest`
  /// seconds.
  func reach(longest: Int64) -> (before: Int64, after: Int64) {
    let day: Int64 = 86_400
    let repeats =
      Int64(min(repeatCount, Alarm.maximumRepeats)) * (repeatInterval.approximateSeconds + day)
    switch trigger {
    case .fromStart(let duration):
      let offset = duration.approximateSeconds
      return (max(0, -offset) + day, max(0, offset) + repeats + day)
    case .fromEnd(let duration):
      let offset = duration.approximateSeconds
      return (max(0, -offset) + day, max(0, offset) + longest + repeats + day)
    case .absolute: return (0, 0)
    }
  }
}
