import CivilTime
import Messages

/// The rules for hours without a half of the day.
///
///     a part of the day       settles both ends: "from 7 to 8 in the evening"
///     am or pm at the end     settles the start: the latest one before it
///     a meal in the title     settles it: "lunch at 1", "dinner at 7"
///     8 to 12                 as they stand
///     1 to 6                  the afternoon; "3:30" may be on the 24-hour clock, and is asked for,
///                             but "03:30" is on it where that is usual
///     7                       asked for
extension Assembly {
  typealias Clocks = (ClockReading?, ClockReading?)

  static func hasEnd(_ value: Value) -> Bool {
    if case .when(let when) = value { when.endClock != nil } else { false }
  }

  /// Returns the times of day that the pieces can mean: one, or two.
  func clocks(of pieces: Pieces, _ hint: HourHint?) throws(PhraseRefusal) -> [Clocks] {
    let when = pieces.when
    guard let start = when.clock else { return [(nil, nil)] }
    if let part = when.part {
      if part == .night, pieces.repeats == nil, when.endClock == nil, when.day != nil,
        !start.isBare, (1...5).contains(start.hour)
      {
        // "friday night 1am" is on Saturday for most.
        var later = start
        later.daysLater = 1
        return [(start, nil), (later, nil)]
      }
      return [try clocks(start, when.endClock, in: part)]
    }
    guard let end = when.endClock else {
      let clocks = readings(of: start, hint)
      return (isOver(clocks, when) ? Self.halves(of: start) : clocks).map { ($0, nil) }
    }
    // The days of a series are its first and last one; in words, 今天23点到明天1点 is one night.
    if when.endDay != nil, pieces.repeats == nil, !end.isBare || end.isDigital {
      return readings(of: start, hint).flatMap { start in
        readings(of: end, nil).map { (start, $0) }
      }
    }
    if start == end, when.endDay == nil {
      throw refusal(.when, where: Self.hasEnd) {
        UserText("\"{words}\" begins and ends at the same time", ["words": $0])
      }
    }
    // On the 24-hour clock both are as they stand, but for a meal.
    let isMeal = hint == .breakfast || hint == .lunch || hint == .evening || hint == .ofEvening
    if start.isDigital, end.isDigital, start.isBare, !isMeal {
      if setting.customs.usesTwentyFourHours == true, !(end.isBare && mayBeAfternoon(start, hint)) {
        return end.isBare
          ? try ends(after: start.exact, end).map { (start.exact, $0) }
          : [(start.exact, end)]
      }
      if !end.isBare, start.hour >= 7 { return [(start.exact, end)] }
    }
    if end.isBare {
      // "10:00-9:00" is a slip, and not until 21:00; of "12:00-1:00" the half is another.
      if start.isDigital, end.isDigital, (1...60).contains(start.minutes - end.minutes) {
        throw endsBefore
      }
      guard start.isBare else { return try ends(after: start, end).map { (start, $0) } }
      var starts = readings(of: start, hint)
      // "6-2" is an early shift for some, and "3-2" a slip.
      if hint == nil,
        starts.allSatisfy({ start in
          Self.halves(of: end).allSatisfy { $0.minutes <= start.minutes }
        })
      {
        starts = Self.halves(of: start)
      }
      return starts.compactMap { start in
        Self.halves(of: end).first { $0.minutes > start.minutes }.map { (start, $0) }
          ?? Self.halves(of: end).first.map { (start, $0) }
      }
    }
    guard start.isBare else { return [(start, end)] }
    let halves = Self.halves(of: start)
    let before = halves.last { $0.minutes < end.minutes }
    return [(before ?? halves[halves.count - 1], end)]
  }

  /// Whether "today 8" is the morning, and has passed, so that the evening may be meant.
  private func isOver(_ clocks: [ClockReading], _ when: When) -> Bool {
    guard case .relative(Length())? = when.day, let start = when.clock, start.isBare,
      !start.isPadded, clocks.count == 1, isEvent, !setting.takesPast,
      let later = start.inHalf(isAfternoon: true)
    else { return false }
    return CivilDateTime(setting.today, clocks[0].time) <= setting.now
      && CivilDateTime(setting.today, later.time) > setting.now
  }

  private func clocks(
    _ start: ClockReading, _ end: ClockReading?, in part: PartOfDay
  ) throws(PhraseRefusal) -> Clocks {
    guard let end else {
      guard let exact = part.applied(to: start) else { throw contradiction }
      return (exact, nil)
    }
    if let first = part.applied(to: start) {
      let last = Self.nearest(of: end, after: first)
      guard last.minutes > first.minutes || first.hour >= 17 || !end.isBare else {
        throw endsBefore
      }
      return (first, last)
    }
    // "11 to 2 in the afternoon": the part is that of the end.
    guard let last = part.applied(to: end),
      let first = Self.halves(of: start).last(where: { $0.minutes < last.minutes })
    else { throw contradiction }
    return (first, last)
  }

  /// The ends that a bare one can mean after an exact start.
  private func ends(
    after start: ClockReading, _ end: ClockReading
  ) throws(PhraseRefusal) -> [ClockReading] {
    if end.isDigital, start.isDigital {
      // "22:00-1:00" is on the 24-hour clock.
      let length = (end.minutes - start.minutes + 1440) % 1440
      guard length > 600, setting.customs.usesTwentyFourHours != true else { return [end.exact] }
      return Self.halves(of: end).filter { $0.minutes != start.minutes }
    }
    let halves = Self.halves(of: end)
    if let later = halves.first(where: { $0.minutes > start.minutes }) { return [later] }
    // "8pm to 2" is a night, and "3pm to 2" a slip.
    guard start.hour >= 17 else { throw endsBefore }
    return [halves[0]]
  }

  /// The first of the ends that a bare one can mean: 6:00 after "tonight 22:00".
  private static func nearest(of end: ClockReading, after start: ClockReading) -> ClockReading {
    let day = 1440
    return halves(of: end).min {
      ($0.minutes - start.minutes + day - 1) % day < ($1.minutes - start.minutes + day - 1) % day
    } ?? end
  }

  private static func halves(of clock: ClockReading) -> [ClockReading] {
    guard clock.isBare else { return [clock] }
    return [clock.inHalf(isAfternoon: false), clock.inHalf(isAfternoon: true)].compactMap { $0 }
  }

  /// Whether "3:30" may be the afternoon even where the 24-hour clock is usual: few mean the night.
  private func mayBeAfternoon(_ clock: ClockReading, _ hint: HourHint?) -> Bool {
    isEvent && (1...5).contains(clock.hour) && !clock.isPadded && hint != .anyHour
  }

  private func readings(of clock: ClockReading, _ hint: HourHint?) -> [ClockReading] {
    guard clock.isBare else { return [clock] }
    let halves = Self.halves(of: clock)
    switch (hint, clock.hour) {
    case (.party, _) where clock.isDigital && setting.customs.usesTwentyFourHours == true: break
    case (.breakfast, 4...11), (.lunch, 11): return [halves[0]]
    case (.ofEvening, 9...11) where clock.isDigital && setting.customs.usesTwentyFourHours == true:
      break
    case (.lunch, 12), (.lunch, 1...3), (.evening, 4...9), (.ofEvening, 4...8), (.party, 1...8):
      return [halves[1]]
    case (.evening, 10...12), (.ofEvening, 9...12), (.breakfast, 1...3): return halves
    case (.party, 9...11): return clock.isDigital ? [clock.exact] : halves
    default: break
    }
    if clock.isDigital {
      if setting.customs.usesTwentyFourHours == true && !mayBeAfternoon(clock, hint)
        || (8...12).contains(clock.hour)
      {
        return [clock.exact]
      }
      if clock.hour == 7, setting.customs.usesTwentyFourHours == nil { return [clock.exact] }
      return halves
    }
    switch clock.hour {
    case 8...11: return [halves[0]]
    case 12: return [halves[1]]
    case 1...6: return hint == .anyHour || hint == .breakfast ? halves : [halves[1]]
    default: return halves
    }
  }
}
