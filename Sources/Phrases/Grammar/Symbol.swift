/// What kind of thing some tokens are, in the grammar of every language.
///
/// Terms carry no value; the others carry the ``Value`` named in their comment.
enum Symbol: UInt8, CaseIterable, Sendable {
  // MARK: Terms
  case the, of, on, at, `in`, from, to, until, between, and, `for`, every, other, next, this, last
  case after, before, fromNow, ago, past, toHour, half, quarter, a, oclock, starting, times, am, pm
  case amLetter, pmLetter, hourLetter, letterT, colon, dash, slash, dot, comma, apostrophe, plus
  case bang, remind, only, early, late, once, monthEnd, weekend, workday, ordinalMark
  case dayMark, monthMark, yearMark, hourMark, minuteMark, period, ten, point, except, no, reminders
  case monthStart, with

  /// A word of its own that has words of times in it: 早餐, "one-on-one". What is within it is no
  /// time, and no piece may cut it.
  case ordinary

  /// A holiday of which the day differs between countries: with a day it may be in a title, and
  /// alone it is refused.
  case feast

  /// What makes a limit of a time after it: 至少, 最迟.
  case limit
  /// What numbers count, so that "3" before it is no time: 三人.
  case counter
  /// Something that people do, before which the name of a place ends: 在公司开会.
  case activity
  /// Something that is due at a time before which it is done: 交报告.
  case due
  /// What introduces a place in several words or characters: 地点.
  case placeLabel
  /// A street, the numbers of which are no days: 人民路12号.
  case street

  // MARK: Numbers
  /// Any whole number; ``Value/integer(_:)``.
  case number
  /// The digits alone, by their count; ``Value/integer(_:)``.
  case oneDigit, twoDigits, threeDigits, fourDigits
  /// A number in words; ``Value/integer(_:)``.
  case spoken
  /// "3rd", "third"; -1 for "last", -2 for "second last"; ``Value/integer(_:)``.
  case ordinal
  /// An ordinal in digits: "27th"; ``Value/integer(_:)``.
  case dayNumber
  /// Several ordinals or day numbers: "1st and 15th"; ``Value/list(_:)``.
  case ordinals
  /// A quantity in hundredths: "2.5", "a couple of"; ``Value/integer(_:)``.
  case amount
  case year

  // MARK: Calendar words
  /// ``Value/weekday(_:)``.
  case weekday
  /// Several: "mon and wed", "mon-fri"; ``Value/weekdays(_:)``.
  case weekdays
  /// ``Value/integer(_:)``, 1 to 12.
  case month
  /// ``Value/length(_:)`` of one: "week".
  case unit
  /// "d", "m", "h" right after a number; ``Value/length(_:)``.
  case unitLetter
  /// A length of time: "2 hours"; ``Value/length(_:)``.
  case length
  /// A part of the day: "morning"; ``Value/part(_:)``.
  case part

  // MARK: Days and times
  /// A day; ``Value/day(_:)``.
  case day
  /// A month and day without a year, which a year may follow; ``Value/day(_:)``.
  case monthDay
  /// A week or month as a frame for a day: "next week", "may 2027"; ``Value/day(_:)``.
  case frame
  /// An hour alone: "9"; ``Value/clock(_:)``.
  case hour
  /// A time that can be nothing else: "9:30", "9am"; ``Value/clock(_:)``.
  case clock
  /// Two bare hours: "3-5"; ``Value/when(_:)``.
  case hours

  // MARK: Pieces of an event
  /// Days, times and parts of the day, together; ``Value/when(_:)``.
  case when
  /// A part of the day, introduced: "in the evening"; ``Value/when(_:)``.
  case partWhen
  /// A time counted from now: "in 2 hours"; ``Value/length(_:)``.
  case elapsed
  /// A duration of the event: "for 2 hours"; ``Value/length(_:)``.
  case duration
  /// A recurrence; ``Value/repeats(_:)``.
  case repeats
  /// The first day of a recurrence: "starting 3 May"; ``Value/when(_:)``.
  case beginning
  /// The end of a recurrence; ``Value/bound(_:)``.
  case bound
  /// A reminder; ``Value/length(_:)`` before the start, or ``Value/reminders(_:)``.
  case reminder
  /// "remind me to", which says nothing more than that there is an event.
  case request
  /// A zone; ``Value/text(_:)``.
  case zone
  /// "all day".
  case allDay

  /// Whether an event is put together from it.
  var isPiece: Bool { rawValue >= Symbol.when.rawValue }
}
