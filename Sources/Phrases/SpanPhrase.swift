package import CivilTime
import Messages

/// Reads the two ends of a half-open range.
///
/// - Parameters:
///   - from: A moment.
///   - to: A moment; or a duration from `from` ("3d", "+3d", "2 hours", "PT8H"); or "" for one day.
///     "in 3d" is a moment, and so counts from today.
/// - Throws: ``PhraseError`` for text that is neither, and for an end before the start.
package func readSpan(
  from: some StringProtocol, to: some StringProtocol, _ context: PhraseContext
) throws(PhraseError) -> TimeSpan {
  let first = try readMoment(from, context)
  let start = first.instant(in: context.zone)
  guard let length = try readLengthOfSpan(to) else {
    let end = try readMoment(to, context, isEnd: true).instant(in: context.zone)
    guard start <= end else {
      throw PhraseError(
        phrase: String(to), position: 0,
        reason: UserText("the end is before the start \"{start}\"", ["start": String(from)]),
        example: "2h")
    }
    return TimeSpan(start: start, end: end)
  }
  guard let end = first.adding(length, in: context.zone) else {
    throw PhraseError(
      phrase: String(to), position: 0, reason: UserText("the end is outside the years 1 to 9999"),
      example: "2h")
  }
  return TimeSpan(start: start, end: max(start, end))
}

/// Returns the duration that "" or a phrase like "3d" means; nil for a moment.
private func readLengthOfSpan(
  _ to: some StringProtocol
) throws(PhraseError) -> CalendarDuration? {
  let text = to.trimmingBlanks()
  if text.isEmpty { return CalendarDuration(days: 1) }
  // "+3d" counts from the start, like the end of an event; "+3d 14:00" is a moment.
  if text.first == "+" { return try? readDuration(text.dropFirst()) }
  let scanner = try PhraseScanner(to)
  if scanner.word?.first == "p" { return try readDuration(to) }
  guard scanner.isAtLength else { return nil }
  var ahead = scanner
  _ = try ahead.readLength()
  // "2h ago" is a moment.
  return ahead.word == "ago" ? nil : try readDuration(to)
}
