package import CalendarModel
import CivilTime
import Messages

/// Reads weekly hours.
///
///     mon-fri 9:00-17:00
///     mon-thu 9:00-17:30, fri 9:00-13:00
///     sat sun 22:00-8:00              until the next morning
///     21:00-7:00                      every day
///     sat 9:00-24:00                  until the end of the day
///
/// - Throws: ``PhraseError`` with the position and an example.
package func readWeeklyHours(_ text: some StringProtocol) throws(PhraseError) -> WeeklyHours {
  var scanner = try PhraseScanner(text)
  var parts: [WeeklyHours.Part] = []
  repeat {
    let days = try scanner.readWeekdays()
    let start = try scanner.readHour()
    guard scanner.skip("-") else {
      throw scanner.fault(
        UserText("expected \"-\", found {found}", ["found": scanner.found]), example: hoursExample)
    }
    // An end at midnight is the beginning of the next day.
    let end = scanner.skipEndOfDay() ? TimeOfDay.midnight : try scanner.readHour()
    parts.append(WeeklyHours.Part(days: days, start: start, end: end))
  } while scanner.skip(",") || scanner.skip(";")
  guard scanner.isAtEnd else {
    throw scanner.fault(
      UserText("expected the end, found {found}", ["found": scanner.found]), example: hoursExample)
  }
  return WeeklyHours(parts)
}

private let hoursExample = "mon-fri 9:00-17:00"

extension PhraseScanner {
  /// Reads weekdays, one by one or as ranges; without any, returns all.
  fileprivate mutating func readWeekdays() throws(PhraseError) -> Set<Weekday> {
    var days: Set<Weekday> = []
    while let first = word.flatMap(PhraseWords.weekday) {
      advance()
      days.insert(first)
      guard skip("-") else { continue }
      guard let last = word.flatMap(PhraseWords.weekday) else {
        throw fault(
          UserText("expected a weekday, found {found}", ["found": found]), example: hoursExample)
      }
      advance()
      for distance in 0...last.days(since: first) {
        days.insert(Weekday.allCases[(first.rawValue - 1 + distance) % 7])
      }
    }
    return days.isEmpty ? Set(Weekday.allCases) : days
  }

  fileprivate mutating func readHour() throws(PhraseError) -> TimeOfDay {
    guard let time = try readTimeOfDay() else {
      throw fault(
        UserText("expected a time of day, found {found}", ["found": found]), example: hoursExample)
    }
    return time
  }
}
