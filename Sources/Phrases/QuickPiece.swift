import CivilTime
import Messages

/// A part of a quick text that does not belong to the title, and its position.
struct QuickPiece {
  enum Content {
    case day(QuickDay)
    case clock(QuickClock)
    case part(DayPart)
    /// "in 2 hours", "now", and times with an offset.
    case instant(Timestamp)
    case end(QuickEnd)
    case length(QuickLength)
    case allDay
    case repeats(QuickRepeat)
    /// "10 times"
    case count(Int)
    /// The place, which extends to the next piece.
    case place
    case calendar(String)
    case reminder(QuickReminder)
    /// Quoted text, which is not read further.
    case quoted

    var isPlace: Bool { if case .place = self { true } else { false } }
    /// "!none".
    var isSilence: Bool { if case .reminder(.none) = self { true } else { false } }
    /// A reminder other than "!none".
    var isRinging: Bool { if case .reminder = self { !isSilence } else { false } }
  }

  /// Whether the piece is what it looks like.
  enum Certainty: Equatable {
    case certain
    /// It belongs to the title if there is another piece of its kind.
    case doubtful
    /// Like ``doubtful``, but if there is no other, the text is refused for this reason.
    case unreadable(UserText, example: String)
  }

  let content: Content
  let start: Int
  let end: Int
  var certainty = Certainty.certain
  /// The assumption of this reading.
  var guess: QuickGuess?
  /// Whether it is the day from which something repeats: "from monday".
  var isBeginning = false
}

/// A day as a text names it.
enum QuickDay: Equatable {
  case date(CivilDate)
  case weekday(Weekday)
  /// A day and month, perhaps without a year.
  case numbered(NumberedDay)
  /// "the 3rd"
  case dayOfMonth(Int)

  /// Returns the day; what the text leaves open gives the first one from `base` on.
  ///
  /// - Throws: ``PhraseError`` for a day that does not exist.
  func date(
    from base: CivilDate, in scanner: PhraseScanner, at position: Int
  ) throws(PhraseError) -> CivilDate {
    switch self {
    case .date(let date): return date
    case .weekday(let weekday):
      return try scanner.inRange(base.adding(days: weekday.days(since: base.weekday)))
    case .numbered(let day): return try day.date(from: base, in: scanner, at: position)
    case .dayOfMonth(let day):
      // One of three months in a row has the day.
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

  /// Whether it recurs soon, so that it means the next one if its time has passed.
  var comesAgain: Bool {
    switch self {
    case .weekday, .dayOfMonth: true
    case .date, .numbered: false
    }
  }
}

/// A time of day as a text gives it.
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
  /// Whether it was "24:00", the midnight at the end of a day.
  var isEndOfDay = false
}

/// An end as a text gives it.
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
