package import CivilTime

/// A reminder relative to the start or the end: "end", "end-5m", "start+10m".
package struct ReminderPlace: Equatable, Sendable {
  package let isFromEnd: Bool
  /// The duration after it; mostly negative.
  package let offset: CalendarDuration
}

/// Reads "start", "end" and offsets from them: "end-5m", "start+10m".
///
/// - Returns: nil for any other text.
package func readReminderPlace(_ text: some StringProtocol) -> ReminderPlace? {
  let isFromEnd = text.hasPrefix("end")
  guard isFromEnd || text.hasPrefix("start") else { return nil }
  let rest = text.dropFirst(isFromEnd ? 3 : 5)
  guard let sign = rest.first else { return ReminderPlace(isFromEnd: isFromEnd, offset: .zero) }
  guard sign == "-" || sign == "+", let length = try? readDuration(rest.dropFirst()),
    !length.isNegative
  else { return nil }
  return ReminderPlace(isFromEnd: isFromEnd, offset: sign == "-" ? length.negated : length)
}

/// The reminder after a "!" of a quick text.
enum QuickReminder: Equatable, Sendable {
  /// A duration before the start.
  case lead(CalendarDuration)
  /// A duration before the end.
  case leadToEnd(CalendarDuration)
  case time(ReminderTime)
  /// No reminder, not even the calendar's default ones.
  case none
}

/// Reads the time of day of a reminder.
///
///     9:00, 9am, noon, half past nine      on the day
///     1d 18:00, 1 day before at 6pm        on the day before
///     day before 18:00, 1w 9:00            on the day before, a week before
///
/// - Returns: nil for any other text, such as a duration or a date.
package func readReminderTime(_ text: some StringProtocol) -> ReminderTime? {
  guard var scanner = try? PhraseScanner(text) else { return nil }
  var days = 0
  _ = scanner.skip(word: "the")
  if scanner.skip(word: "day") {
    guard scanner.skip(word: "before") else { return nil }
    days = 1
  } else if scanner.isAtLength {
    guard let length = try? scanner.readLength(isOpenEnded: true), length.isWholeDays else {
      return nil
    }
    days = length.duration.days
    _ = scanner.skip(word: "before")
  }
  _ = scanner.skip(",")
  let isAfterAt = scanner.skip(word: "at")
  guard let time = try? scanner.readMomentTime(isAfterAt: isAfterAt), scanner.isAtEnd else {
    return nil
  }
  return ReminderTime(daysBefore: days, time: time)
}
