package import CivilTime
import Messages
package import Recurrence

/// An event that one line of text describes.
package struct QuickPhrase: Equatable, Sendable {
  /// When something ends.
  package enum End: Hashable, Sendable {
    /// The end; a date is the first day after the event.
    case moment(Moment)
    case length(CalendarDuration)
  }

  /// What a part of the text was read as.
  package struct Span: Hashable, Sendable {
    package enum Meaning: String, CaseIterable, Sendable {
      case summary, when, end, duration, `repeat`, `where`, calendar, reminder
      /// Left in the title or place, where it can hardly belong: "!soon".
      case unread
    }

    package let meaning: Meaning
    /// Offsets in the text, in octets of UTF-8; half-open.
    package let start: Int
    package let end: Int
  }

  /// The title; never empty.
  package var summary: String
  /// The start; a day for an all-day event.
  package var start: Moment
  /// The end; nil if the text gives none.
  package var end: End?
  package var rule: RecurrenceRule?
  /// The place; "" if the text gives none.
  package var location = ""
  /// The ID or name of a calendar, or the beginning of one; "" if the text gives none.
  package var calendar = ""
  /// Reminders by their duration before the start.
  package var reminders: [CalendarDuration] = []
  /// Reminders by their duration before the end: "!end-5m".
  package var remindersToEnd: [CalendarDuration] = []
  /// Reminders at a time of day: "!9:00", "!1d 18:00".
  package var reminderTimes: [ReminderTime] = []
  /// Whether there are to be no reminders: "!none".
  package var isSilent = false
  /// What each part was read as, in order.
  package var spans: [Span] = []
  /// How certain the reading is, from 0 to 100; see ``QuickGuess``.
  package var confidence = 100

  /// The longest accepted text, in octets.
  package static let maximumOctets = 4096
}

/// An assumption that was made while reading a text; each lowers the confidence.
enum QuickGuess: Int, CaseIterable {
  /// A time without a day: its next occurrence is assumed.
  case day
  /// An hour without a half of the day, "from 9 to 10": the likely one is assumed.
  case bareHour
  /// "tonight", "friday morning": a conventional time is assumed.
  case partOfDay
  /// A word or number that may as well belong to the title: "sun", "midnight".
  case doubtfulWord
  /// A place after "at", which may include more of the title, or less.
  case place
  /// A number, or a word of time, was left in the title: "March".
  case leftInTitle
  /// "mon-wed 9:00-10:00": the hours are assumed on each day.
  case eachDay
  /// The clock skips the time on that day.
  case skippedTime
  /// Something that can hardly belong to a title was left there: "!soon", "every fortnight".
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
/// Days and times are those of ``readMoment(_:_:isEnd:)``, in any order; the rest is the title. A
/// time without a day is the next one, today or tomorrow; a weekday whose time has passed today is
/// next week's. A day without a time is an all-day event. An ambiguous text is refused. Text in
/// quotation marks belongs to the title.
///
/// Nothing is dropped: what looks like a date, time, rule, duration or mark and is not understood
/// stays in the title or place and lowers the confidence. If it can hardly belong there, it gets a
/// span ``QuickPhrase/Span/Meaning/unread``.
///
/// - Throws: ``PhraseError`` for a text without a day and time, without a title, with a
///   contradiction, or that is too long.
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
