import CivilTime
import Messages

/// A part of a quick text that does not belong to the title, and its position.
struct QuickPiece {
  enum Content {
    case day(QuickDay)
    case clock(QuickClock)
    case part(DayPart)
    /// "in 2 hours", "now", and whatever has an offset.
    case instant(Timestamp)
    case end(QuickEnd)
    case length(QuickLength)
    case allDay
    case repeats(QuickRepeat)
    /// "10 times"
    case count(Int)
    /// The place follows, up to the next piece.
    case place
    case calendar(String)
    case reminder(QuickReminder)
    /// Left alone, with its quotation marks.
    case quoted

    var isPlace: Bool { if case .place = self { true } else { false } }
    /// "!none".
    var isSilence: Bool { if case .reminder(.none) = self { true } else { false } }
    /// A reminder that is one.
    var isRinging: Bool { if case .reminder = self { !isSilence } else { false } }
  }

  /// Whether it is what it looks like.
  enum Certainty: Equatable {
    case certain
    /// Of the title if there is another of its kind.
    case doubtful
    /// As doubtful; but if there is no other, the text is refused for this reason.
    case unreadable(UserText, example: String)
  }

  let content: Content
  let start: Int
  let end: Int
  var certainty = Certainty.certain
  /// What is taken for granted by reading it so.
  var guess: QuickGuess?
  /// Whether a day is the one from which something repeats: "from monday".
  var isBeginning = false
}

/// A day as a text names it.
enum QuickDay: Equatable {
  case date(CivilDate)
  case weekday(Weekday)
  /// Without a year.
  case numbered(NumberedDay)
  /// "the 3rd"
  case dayOfMonth(Int)

  /// Returns the day, the first from `base` on where the text leaves that open.
  func date(
    from base: CivilDate, in scanner: PhraseScanner, at position: Int
  ) throws(PhraseError) -> CivilDate {
    switch self {
    case .date(let date): return date
    case .weekday(let weekday):
      return try scanner.inRange(base.adding(days: weekday.days(since: base.weekday)))
    case .numbered(let day): return try day.date(from: base, in: scanner, at: position)
    case .dayOfMonth(let day):
      // Two months in a row that are both too short do not exist.
      for month in 0...2 {
        guard
          let first = CivilDate(year: base.year, month: base.month, day: 1)?
            .adding(months: month)
        else { break }
        let date = CivilDate(year: first.year, month: first.month, day: day)
        if let date, date >= base { return date }
      }
      throw scanner.fault(
        UserText("no month has a day {day}", ["day": day]), at: position, example: "on the 3rd")
    }
  }

  /// Whether it comes again soon, so that one with a time that has passed means the
  /// next one.
  var comesAgain: Bool {
    switch self {
    case .weekday, .dayOfMonth: true
    case .date, .numbered: false
    }
  }
}

/// A time of day as a text has it.
struct QuickClock {
  enum Form {
    /// "9:00"
    case digits
    /// "9am", "noon"
    case settled
    /// "9"
    case bare
  }

  var time: TimeOfDay
  var form: Form
  let start: Int
  let end: Int
  /// "24:00": the midnight that a day ends with.
  var isEndOfDay = false
}

/// The end of something, as a text has it.
struct QuickEnd {
  var day: QuickDay?
  var clock: QuickClock?
  /// The position of the day.
  let start: Int
}

enum QuickLength {
  case duration(CalendarDuration, isWholeDays: Bool)
  case months(Int)
}
