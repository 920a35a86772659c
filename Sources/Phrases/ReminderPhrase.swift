package import CivilTime

/// When something rings, as a time of the clock and not as a length: "9:00" on the day,
/// "1d 18:00" on the day before.
package struct ReminderTime: Equatable, Sendable {
  /// Days before the one on which the event begins; 0 is that day.
  package let daysBefore: Int
  package let time: TimeOfDay

  /// As ``readReminderTime(_:)`` reads it: "09:00", "1d 18:00".
  package var text: String {
    (daysBefore == 0 ? "" : "\(daysBefore)d ") + time.hourAndMinute
  }

  /// How long after a time on the day of the event it lies, in seconds; mostly negative.
  ///
  /// - Parameter start: when the event begins on that day; midnight for a whole day.
  package func seconds(after start: TimeOfDay) -> Int64 {
    Int64(time.secondOfDay) - Int64(start.secondOfDay) - Int64(daysBefore) * 86_400
  }
}

/// When something rings, beside the start or the end: "end", "end-5m", "start+10m".
package struct ReminderPlace: Equatable, Sendable {
  package let isFromEnd: Bool
  /// How long after it; mostly negative.
  package let offset: CalendarDuration
}

/// Reads "start" and "end", and what is so long before or after them: "end-5m", "start+10m".
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
  /// So long before the start.
  case lead(CalendarDuration)
  /// So long before the end.
  case leadToEnd(CalendarDuration)
  case time(ReminderTime)
  /// Nothing is to ring, whatever the calendar says.
  case none
}

/// Reads a time by which something rings.
///
///     9:00, 9am, noon, half past nine      on the day
///     1d 18:00, 1 day before at 6pm        on the day before
///     day before 18:00, 1w 9:00            on that, and a week before
///
/// - Returns: nil for any other text: a length, a day of its own, what is no time.
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
