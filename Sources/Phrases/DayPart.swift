import CivilTime
import Messages

/// A named part of a day, with a default time.
enum DayPart: String, Equatable {
  case morning, afternoon, evening

  /// - Parameter word: A word in lower case.
  init?(word: String) {
    if word == "night" || word == "tonight" {
      self = .evening
    } else {
      self.init(rawValue: word)
    }
  }

  /// The default time: 9:00, 14:00 or 20:00.
  var time: TimeOfDay {
    let hours = [DayPart.morning: 9, .afternoon: 14, .evening: 20]
    return TimeOfDay(hour: hours[self] ?? 9, minute: 0) ?? .midnight
  }

  /// Returns what a time means in this part of the day: 8:30 in the evening is 20:30.
  ///
  /// - Parameter written: The time as it was written; one with "am" or "pm" is not moved.
  /// - Throws: ``PhraseError`` for a time in another part.
  func placing(
    _ time: TimeOfDay, written: String, in scanner: PhraseScanner, at position: Int
  ) throws(PhraseError) -> TimeOfDay {
    let hours: ClosedRange<Int> =
      switch self {
      case .morning: 0...12
      case .afternoon: 12...18
      case .evening: 16...23
      }
    if hours.contains(time.hour) { return time }
    let isHalf = written.utf8.last.map { $0 | 0x20 } == UInt8(ascii: "m")
    if !isHalf, hours.contains(time.hour + 12),
      let later = TimeOfDay(secondOfDay: Int(time.secondOfDay) + 43_200)
    {
      return later
    }
    let reason =
      switch self {
      case .morning: UserText("\"{time}\" is not in the morning", ["time": written])
      case .afternoon: UserText("\"{time}\" is not in the afternoon", ["time": written])
      case .evening: UserText("\"{time}\" is not in the evening", ["time": written])
      }
    throw scanner.fault(
      reason, at: position, example: "tomorrow \(time.hourAndMinute)")
  }
}
