/// The rule of a zone after its last listed change.
///
/// It has standard time, and the yearly changes to daylight time and back:
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
    /// Seconds east of UTC. It may be less than standard time.
    let offset: Int32
    /// When daylight time begins, in standard time.
    let start: Change
    /// When it ends, in daylight time.
    let end: Change
  }

  /// A time in each year.
  struct Change: Hashable, Sendable {
    let day: Day
    /// Seconds after the midnight at the start of the day: −167 to 167 hours.
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

  /// Returns both changes of a year in ascending order: the instant and the offset from then on.
  ///
  /// Without daylight time both are the same and change nothing. If daylight time ends at the
  /// instant of its start, the start comes second and so counts: a rule for permanent daylight
  /// time.
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

  /// Returns the span with one offset around an instant, limited to the neighbouring years.
  func span(at instant: Int64) -> OffsetSpan {
    guard daylight != nil else {
      return OffsetSpan(start: .min, end: .max, offset: UTCOffset(seconds: standard))
    }
    // Clamped so that the year exists. A day's error is allowed for below.
    let clamped = min(max(instant, Timestamp.earliest.seconds), Timestamp.latest.seconds)
    let year = CivilDate(
      unchecked: Int32((clamped - ((clamped % 86_400) + 86_400) % 86_400) / 86_400)
    )
    .year
    var latest = changes(inYear: year - 2).1
    var next: Int64 = .max
    // The changes of a year may be some days outside it.
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

/// A change by a rule: seconds since 1970, and the offset from then on in seconds east of UTC.
struct RuleChange {
  let instant: Int64
  let offset: Int32
}

extension PosixZoneRule.Change {
  /// Returns the time in a year, as seconds since 1970-01-01T00:00:00 on its own clock.
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
      // Day 0 was a Thursday, 4 if Sunday is 0. Kept positive for years before 1970.
      let firstWeekday = ((first + 4) % 7 + 7) % 7
      let day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      let length = CivilDate.length(ofMonth: month, year: year)
      return first + (day < length ? day : day - 7)
    }
  }
}
