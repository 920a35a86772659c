import CivilTime

/// A part of the day, as it gives a bare hour its half, or stands for a usual time.
enum PartOfDay: UInt8, Hashable, Sendable {
  case smallHours, earlyMorning, morning, midday, afternoon, lateAfternoon, dusk, evening, night

  /// The time that it stands for without an hour.
  var usualTime: TimeOfDay {
    let (hour, minute): (Int, Int) =
      switch self {
      case .smallHours: (3, 0)
      case .earlyMorning: (7, 0)
      case .morning: (9, 0)
      case .midday: (12, 0)
      case .afternoon: (14, 0)
      case .lateAfternoon: (16, 0)
      case .dusk: (18, 0)
      case .evening: (19, 0)
      case .night: (20, 0)
      }
    return TimeOfDay(hour: hour, minute: minute) ?? .midnight
  }

  /// Returns a time in this part; nil where it has no such hour.
  ///
  ///     evening, 8        20:00
  ///     night, 12         midnight, at the end of the day
  ///     morning, 15:00    nil
  func applied(to clock: ClockReading) -> ClockReading? {
    guard clock.isBare else {
      return hours.contains(clock.hour) || clock.hour == 0 && nightHours ? moved(clock) : nil
    }
    var exact = clock
    exact.isBare = false
    let twelve = clock.hour % 12
    if nightHours, twelve == 0 {
      exact.hour = 0
      return moved(exact)
    }
    for hour in [twelve, twelve + 12] where hours.contains(hour) {
      exact.hour = hour
      return exact
    }
    return nil
  }

  /// Midnight of an evening or night is that of the next day.
  private func moved(_ clock: ClockReading) -> ClockReading {
    var clock = clock
    if nightHours, clock.hour == 0 { clock.daysLater = 1 }
    return clock
  }

  private var nightHours: Bool { self == .evening || self == .night }

  private var hours: ClosedRange<Int> {
    switch self {
    case .smallHours: 0...6
    case .earlyMorning, .morning: 0...11
    case .midday: 11...14
    case .afternoon, .lateAfternoon: 12...19
    case .dusk: 16...20
    case .evening: 16...23
    case .night: 17...23
    }
  }
}
