package import CivilTime
import Messages

/// Reads the end of something that begins at `start`.
///
/// It is a moment, but what the text leaves open is counted from the start rather than from now,
/// and is after it:
///
///     start fri 14:00, end 15:30        that Friday
///     start fri 22:00, end 1:00         the Saturday after
///     start fri 22:00, end 24:00        the end of that Friday
///     start fri 22:00, end "sat 2:00"   the first one after the start
///     start fri 14:00, end "fri 13:00"  refused: nobody means a whole week
///     start fri 14:00, end +1h          15:00
///     start fri 14:00, end "in 1h"      an hour from now
///     start fri 14:00, end "tomorrow 9:00"   tomorrow, counted from now
///
/// - Throws: ``PhraseError`` for text that is not a moment, and for the weekday of the start with a
///   time that is not later.
package func readEnd(
  _ text: some StringProtocol, start: Timestamp, _ context: PhraseContext
) throws(PhraseError) -> Moment {
  let plain = try readMoment(text, context, isEnd: true)
  let words = text.lowercased().split { !$0.isLetter }
  let countsFromNow = ["now", "today", "tomorrow", "yesterday", "ago"]
  let isFromNow = words.first == "in" || words.contains { countsFromNow.contains(String($0)) }
  if isFromNow { return plain }
  // If the moment does not depend on now, it is taken as it is.
  let day: Int64 = 86_400
  let elsewhere = PhraseContext(now: context.now.adding(seconds: 10 * day + 1), zone: context.zone)
  if try readMoment(text, elsewhere, isEnd: true) == plain { return plain }
  let fromStart = try readMoment(
    text, PhraseContext(now: start, zone: context.zone), isEnd: true)
  guard case .local(let reading) = fromStart, context.zone.instant(of: reading) <= start else {
    return fromStart
  }
  // A time of day returns the next day, a weekday in a week.
  let isWeekday = words.contains { PhraseWords.weekday(String($0)) != nil }
  let begin = context.zone.reading(at: start)
  if isWeekday, reading.date == begin.date {
    throw PhraseError(
      phrase: String(text), position: 0,
      reason: UserText(
        "the end {end} is not after the start {start}",
        ["end": reading.description, "start": begin.description]), example: "+1h")
  }
  return reading.adding(seconds: isWeekday ? 7 * day : day).map(Moment.local) ?? fromStart
}
