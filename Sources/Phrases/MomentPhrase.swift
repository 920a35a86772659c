import CivilTime
import Messages

/// Reads a point in time, as the bus and the command line accept it.
///
///     2026-11-21, 20261121                       the day
///     2026-11-21 14:00, 20261121T140000          the local time
///     2026-11-21T14:00:00+01:00, …Z              the instant (RFC 3339)
///     now, @1795262400                           the instant
///     today, tomorrow, yesterday                 the day
///     30 Nov, Nov 30, 21.11., 21.11.2026         the day; without a year the next one
///     fri, friday                                today if it is a Friday, else the next one
///     next fri, last fri                         the first after, or before, today
///     fri next week                              in the week that begins next Monday
///     day after tomorrow                         the day
///     last friday of december, 1st of next month the day; without a year the next one
///     +3d, in 2 weeks, 3 days ago                the day, counted from today
///     in 1 month, 2 years ago                    the same day of another month, or its last
///     tonight, tonight 9:30                      20:00 today, 21:30 today
///     +90m, in 2h, 1h30m ago, +1d2h              the instant, counted from now
///     14:00, 9am, 9:30pm, noon, midnight         that time today
///     half past nine, 9 o'clock, at 9            the same, by the rule of `BareHour`
///     tomorrow 14:00, 9am fri, +3d at noon       that time on that day
///
/// Case does not matter. "midnight" is the beginning of a day. A bare weekday is never in the past,
/// but its time may be: "fri 9:30" on a Friday afternoon is this morning. A time that the clock
/// skips stays as it is here; ``Moment/instant(in:)`` moves it. Fractions of a second are dropped.
///
/// - Parameter isEnd: Whether something ends then: 24:00 is allowed, too, and becomes 0:00 of the
///   next day.
/// - Throws: ``PhraseError`` with the position and an example.
package func readMoment(
  _ text: some StringProtocol, _ context: PhraseContext, isEnd: Bool = false
) throws(PhraseError) -> Moment {
  var reader = MomentReader(scanner: try PhraseScanner(text), context: context, isEnd: isEnd)
  return try reader.read()
}

/// Reads a phrase that is one moment.
private struct MomentReader {
  var scanner: PhraseScanner
  let context: PhraseContext
  let isEnd: Bool
  /// Whether the time was 24:00: then the moment is a day after the midnight that was read.
  var isEndOfDay = false

  mutating func read() throws(PhraseError) -> Moment {
    guard !scanner.isAtEnd else {
      throw scanner.fault(UserText("the phrase is empty"), example: "tomorrow 14:00")
    }
    let moment = try readForm()
    guard scanner.isAtEnd else {
      throw scanner.fault(
        UserText("expected the end, found {found}", ["found": scanner.found]),
        example: "tomorrow 14:00")
    }
    return isEndOfDay ? try dayLater(moment) : moment
  }

  private func dayLater(_ moment: Moment) throws(PhraseError) -> Moment {
    switch moment {
    case .date: return moment
    case .local(let reading): return .local(try scanner.inRange(reading.adding(seconds: 86_400)))
    case .instant(let instant):
      let later = instant.adding(seconds: 86_400)
      return .instant(try scanner.inRange(later <= .latest ? later : nil))
    }
  }

  /// Reads a time of day; nil, and nothing is consumed, if something else follows.
  private mutating func readTime(isAfterAt: Bool) throws(PhraseError) -> TimeOfDay? {
    if isEnd, scanner.skipEndOfDay() {
      isEndOfDay = true
      return .midnight
    }
    return try scanner.readMomentTime(isAfterAt: isAfterAt)
  }

  private mutating func readForm() throws(PhraseError) -> Moment {
    if scanner.skip(word: "now") { return .instant(context.now) }
    if scanner.isAt("@") { return .instant(try scanner.readEpoch()) }
    if scanner.isAtISODate { return try readISO() }
    if scanner.skip("+") || scanner.skip(word: "in") {
      if let months = try scanner.readMonthCount() {
        return try withTime(try scanner.inRange(context.today.adding(months: months)))
      }
      let length = try scanner.readLength()
      return try counted(length.duration, isWholeDays: length.isWholeDays)
    }
    if let day = try scanner.readMonthDay(from: context.today) { return try withTime(day) }
    if scanner.skip(word: "tonight") { return try tonight() }
    let beginning = scanner
    if let months = try scanner.readMonthCount() {
      guard scanner.skip(word: "ago") else { throw lengthAlone(from: beginning.token.start) }
      return try withTime(try scanner.inRange(context.today.adding(months: -months)))
    }
    if scanner.isAtLength {
      let start = scanner.token.start
      let length = try scanner.readLength()
      guard scanner.skip(word: "ago") else { throw lengthAlone(from: start) }
      return try counted(length.duration.negated, isWholeDays: length.isWholeDays)
    }
    if let day = try readWordedDay() { return try withTime(day) }
    let isAfterAt = scanner.skip(word: "at")
    guard let time = try readTime(isAfterAt: isAfterAt) else { throw notUnderstood() }
    if scanner.isAtEnd { return .local(CivilDateTime(context.today, time)) }
    _ = scanner.skip(word: "on")
    if scanner.isAtISODate { return .local(CivilDateTime(try scanner.readISODate(), time)) }
    if let day = try scanner.readMonthDay(from: context.today) {
      return .local(CivilDateTime(day, time))
    }
    guard let day = try readWordedDay() else { throw notUnderstood() }
    return .local(CivilDateTime(day, time))
  }

  // MARK: Days

  /// "tomorrow", "day after tomorrow", "last friday of december".
  private mutating func readWordedDay() throws(PhraseError) -> CivilDate? {
    if let day = try scanner.readDayBeside(today: context.today) { return day }
    if let day = try scanner.readMonthOrdinal(today: context.today) { return day }
    return try scanner.readNamedDay(from: context.today)
  }

  /// Returns this evening, at 20:00 or at the time that follows.
  private mutating func tonight() throws(PhraseError) -> Moment {
    let start = scanner.token.start
    guard case .local(let reading) = try withTime(context.today) else {
      return .local(CivilDateTime(context.today, DayPart.evening.time))
    }
    if isEndOfDay { return .local(reading) }
    let written = scanner.slice(start, scanner.passed)
    let time = try DayPart.evening.placing(reading.time, written: written, in: scanner, at: start)
    return .local(CivilDateTime(context.today, time))
  }

  private func lengthAlone(from start: Int) -> PhraseError {
    let given = scanner.slice(start, scanner.passed)
    return scanner.fault(
      UserText("\"{text}\" is a duration, not a time", ["text": given]), at: start,
      example: "in \(given)")
  }

  private mutating func withTime(_ day: CivilDate) throws(PhraseError) -> Moment {
    if scanner.isAtEnd { return .date(day) }
    _ = scanner.skip(",")
    let isAfterAt = scanner.skip(word: "at")
    guard let time = try readTime(isAfterAt: isAfterAt) else {
      throw scanner.fault(
        UserText("expected a time of day, found {found}", ["found": scanner.found]),
        example: "tomorrow 14:00")
    }
    return .local(CivilDateTime(day, time))
  }

  /// Counts whole days from today, which gives a day; other durations from now, an instant.
  private mutating func counted(_ length: CalendarDuration, isWholeDays: Bool) throws(PhraseError)
    -> Moment
  {
    if isWholeDays {
      return try withTime(try scanner.inRange(context.today.adding(days: length.days)))
    }
    return .instant(
      try scanner.inRange(Moment.instant(context.now).adding(length, in: context.zone)))
  }

  // MARK: ISO 8601 and RFC 3339

  private mutating func readISO() throws(PhraseError) -> Moment {
    let date = try scanner.readISODate()
    let reading: CivilDateTime
    if scanner.word == "t", !scanner.token.isApart {
      scanner.advance()
      if isEnd, scanner.skipEndOfDay() {
        isEndOfDay = true
        reading = CivilDateTime(date, .midnight)
      } else if let time = try scanner.readTimeOfDay(allowsBasic: true) {
        reading = CivilDateTime(date, time)
      } else {
        throw scanner.fault(
          UserText("expected a time of day, found {found}", ["found": scanner.found]),
          example: "\(date)T14:00")
      }
    } else {
      guard case .local(let local) = try withTime(date) else { return .date(date) }
      reading = local
    }
    guard let offset = try scanner.readOffset() else { return .local(reading) }
    let instant = Timestamp(reading, offset: offset)
    return .instant(
      try scanner.inRange(instant >= .earliest && instant <= .latest ? instant : nil))
  }

  private func notUnderstood() -> PhraseError {
    if let fault = scanner.slashedDayFault(from: context.today, needsYear: false) { return fault }
    if let value = scanner.number, value < 24, scanner.token.digits <= 2 {
      return scanner.fault(
        UserText("{number} could be a day or an hour", ["number": value]), example: "\(value):00")
    }
    guard let word = scanner.word else {
      return scanner.fault(
        UserText("expected a day or a time, found {found}", ["found": scanner.found]),
        example: "tomorrow 14:00")
    }
    if let month = PhraseWords.month(word) {
      return scanner.fault(
        UserText("\"{word}\" is a month, not a day", ["word": word]),
        example: "1 \(PhraseWords.monthName(month))")
    }
    return scanner.fault(
      UserText("unknown word \"{word}\"", ["word": word]),
      example: PhraseWords.nearest(to: word) ?? "tomorrow 14:00")
  }
}
