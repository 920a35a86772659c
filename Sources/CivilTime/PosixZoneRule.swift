/// The rule that carries a zone past its last listed change: standard time, and
/// each year's change to daylight time and back.
///
///     CET-1CEST,M3.5.0,M10.5.0/3     last Sundays of March and October
///     IST-1GMT0,M10.5.0,M3.5.0/1     Dublin: winter time is the exception
///     <-03>3                         no changes
///
/// Source: RFC 9636 section 3.3; POSIX.1-2024, XBD 8.3, "TZ".
package struct PosixZoneRule: Hashable, Sendable {
  /// Seconds east of UTC in standard time.
  let standard: Int32
  /// Daylight time; nil if the clock never changes.
  let daylight: Daylight?

  struct Daylight: Hashable, Sendable {
    /// Seconds east of UTC. It may be behind standard time.
    let offset: Int32
    /// When daylight time begins, on a clock that shows standard time.
    let start: Change
    /// When it ends, on a clock that shows daylight time.
    let end: Change
  }

  /// A moment in each year.
  struct Change: Hashable, Sendable {
    let day: Day
    /// Seconds after the midnight that begins the day: −167 to 167 hours.
    let seconds: Int32
  }

  /// A day in each year.
  enum Day: Hashable, Sendable {
    /// "Jn": 1 to 365; 29 February is never counted.
    case withoutLeapDay(Int)
    /// "n": 0 to 365; 29 February is counted.
    case zeroBased(Int)
    /// "Mm.w.d": the w-th (5: last) of a weekday (0: Sunday) in a month.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  /// Returns both changes of a year in ascending order: the instant, and the
  /// offset from it on. Without daylight time the two are one that changes
  /// nothing.
  ///
  /// Where the end of daylight time falls on the instant of its start, the start
  /// comes second and so decides: that is how a rule says "daylight time for
  /// ever".
  @inline(__always)
  func changes(inYear year: Int) -> (RuleChange, RuleChange) {
    guard let daylight else {
      let begin = Int64(CivilDate.dayNumber(year: year, month: 1, day: 1)) * 86_400
      let change = RuleChange(instant: begin - Int64(standard), offset: standard)
      return (change, change)
    }
    let start = RuleChange(
      instant: daylight.start.linearSeconds(inYear: year) - Int64(standard),
      offset: daylight.offset)
    let end = RuleChange(
      instant: daylight.end.linearSeconds(inYear: year) - Int64(daylight.offset),
      offset: standard)
    return start.instant < end.instant ? (start, end) : (end, start)
  }

  /// Returns the time around an instant that has one offset, cut to the years
  /// beside it.
  func span(at instant: Int64) -> OffsetSpan {
    guard daylight != nil else {
      return OffsetSpan(start: .min, end: .max, offset: UTCOffset(seconds: standard))
    }
    // Clamped, so that the year exists; a day of slack for the offset.
    let clamped = min(max(instant, Timestamp.earliest.seconds), Timestamp.latest.seconds)
    let year = CivilDate(
      unchecked: Int32((clamped - ((clamped % 86_400) + 86_400) % 86_400) / 86_400)
    )
    .year
    var latest = changes(inYear: year - 2).1
    var next: Int64 = .max
    // The changes of a year may lie some days outside it.
    for candidate in year - 1...year + 1 {
      let pair = changes(inYear: candidate)
      if pair.0.instant <= instant {
        if pair.0.instant >= latest.instant { latest = pair.0 }
      } else {
        next = min(next, pair.0.instant)
      }
      if pair.1.instant <= instant {
        if pair.1.instant >= latest.instant { latest = pair.1 }
      } else {
        next = min(next, pair.1.instant)
      }
    }
    return OffsetSpan(
      start: latest.instant, end: next, offset: UTCOffset(seconds: latest.offset))
  }
}

/// A change by a rule: the instant in seconds since 1970, and the offset from it
/// on in seconds east of UTC.
struct RuleChange {
  let instant: Int64
  let offset: Int32
}

extension PosixZoneRule.Change {
  /// The moment in a year on the clock that it is told by, as seconds since
  /// 1970-01-01T00:00:00 on that clock.
  @inline(__always)
  func linearSeconds(inYear year: Int) -> Int64 {
    Int64(day.dayNumber(inYear: year)) * 86_400 + Int64(seconds)
  }
}

extension PosixZoneRule.Day {
  /// Days since 1970-01-01.
  @inline(__always)
  func dayNumber(inYear year: Int) -> Int {
    switch self {
    case .withoutLeapDay(let day):
      let january = CivilDate.dayNumber(year: year, month: 1, day: 1)
      return january + day - 1 + (day >= 60 && CivilDate.isLeap(year: year) ? 1 : 0)
    case .zeroBased(let day):
      return CivilDate.dayNumber(year: year, month: 1, day: 1) + day
    case .weekday(let month, let week, let weekday):
      let first = CivilDate.dayNumber(year: year, month: month, day: 1)
      // Day 0 was a Thursday, 4 when Sunday is 0. Kept positive for years before 1.
      let firstWeekday = ((first + 4) % 7 + 7) % 7
      let day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      let length = CivilDate.length(ofMonth: month, year: year)
      return first + (day < length ? day : day - 7)
    }
  }
}
