package import CivilTime
import Messages
package import Recurrence

/// An event as one line of text describes it.
package struct QuickPhrase: Equatable, Sendable {
  /// When something ends.
  package enum End: Hashable, Sendable {
    /// A day is the first one after the event.
    case moment(Moment)
    case length(CalendarDuration)
  }

  /// What octets of the text were read as.
  package struct Span: Hashable, Sendable {
    package enum Meaning: String, CaseIterable, Sendable {
      case summary, when, end, duration, `repeat`, `where`, calendar, reminder
      /// Left in the title or the place, where it can hardly belong: "!soon".
      case unread
    }

    package let meaning: Meaning
    /// Offsets in the text, in octets of UTF-8; half-open.
    package let start: Int
    package let end: Int
  }

  /// Never empty.
  package var summary: String
  /// A day for an event that takes whole days.
  package var start: Moment
  /// nil where the text does not say.
  package var end: End?
  package var rule: RecurrenceRule?
  /// "" where the text does not say.
  package var location = ""
  /// The id or the name of a calendar, or the beginning of one; "" where the text
  /// does not say.
  package var calendar = ""
  /// How long before the start.
  package var reminders: [CalendarDuration] = []
  /// How long before the end others ring: "!end-5m".
  package var remindersToEnd: [CalendarDuration] = []
  /// Reminders by the clock: "!9:00", "!1d 18:00".
  package var reminderTimes: [ReminderTime] = []
  /// Whether nothing is to ring: "!none".
  package var isSilent = false
  /// In the order of the text.
  package var spans: [Span] = []
  /// How sure the reading is, from 0 to 100: see ``QuickGuess``.
  package var confidence = 100

  /// The longest text that is read, in octets.
  package static let maximumOctets = 4096
}

/// What was taken for granted while a text was read, with what it takes from the
/// confidence.
enum QuickGuess: Int, CaseIterable {
  /// A time without a day: its next occurrence was taken.
  case day
  /// "from 9 to 10": hours without minutes, on the clock of 24 hours.
  case bareHour
  /// "tonight", "friday morning": the time is a convention.
  case partOfDay
  /// A word or number that could as well be of the title: "sun", "midnight".
  case doubtfulWord
  /// A place after "at", which can be more of the title, or less.
  case place
  /// A number, or a word of time that can be of a title, was left there: "March".
  case leftInTitle
  /// "mon-wed 9:00-10:00": a number of days, with hours on each of them.
  case eachDay
  /// The clock skips the time on that day.
  case skippedTime
  /// What can hardly be of a title was left there: "!soon", "every fortnight".
  case unread

  var cost: Int {
    switch self {
    case .place: 5
    case .day, .bareHour, .leftInTitle: 10
    case .partOfDay, .doubtfulWord, .eachDay, .skippedTime: 20
    case .unread: 30
    }
  }
}

/// Reads an event as people jot it down, in English.
///
///     lunch with Ana friday 12:30-13:15 at Sal's #work !15m
///     dentist 3 Dec 9am for 45m
///     offsite 3-5 Dec
///     gym every tuesday and thursday 18:00 until 31 Jan
///     "Party at 5" friday 20:00
///
/// The day and the time are those of ``readMoment(_:_:)``; their order does
/// not matter, and what is left is the title. A time without a day is the next one,
/// today or tomorrow; a weekday whose time has passed today is that of next week.
/// A day without a time takes the whole day. What could be read in two ways is
/// refused and not guessed, and what is in quotation marks belongs to the title.
///
/// Nothing is dropped: what looks like a day, a time, a rule, a length or a mark and is not
/// read stays in the title or the place and lowers the confidence; where it can hardly belong
/// there it has a span ``QuickPhrase/Span/Meaning/unread`` of its own.
///
/// - Throws: ``PhraseError`` for a text without a day and a time, one that
///   contradicts itself, and one without a title.
package func readQuickPhrase(
  _ text: some StringProtocol, _ context: PhraseContext
) throws(PhraseError) -> QuickPhrase {
  let octets = text.utf8
  guard octets.count <= QuickPhrase.maximumOctets else {
    throw PhraseError(
      phrase: String(text), position: QuickPhrase.maximumOctets,
      reason: UserText("longer than {limit} bytes", ["limit": QuickPhrase.maximumOctets]),
      example: quickExample)
  }
  for (position, octet) in octets.enumerated() where octet < 0x20 && octet != 0x09 || octet == 0x7f
  {
    throw PhraseError(
      phrase: String(text), position: position,
      reason: UserText("there is a control character at byte {position}", ["position": position]),
      example: quickExample)
  }
  var reader = QuickReader(scanner: PhraseScanner(sentence: text), context: context)
  try reader.read()
  var assembly = QuickAssembly(reader)
  return try assembly.phrase()
}

let quickExample = "lunch with Ana friday 12:30"
