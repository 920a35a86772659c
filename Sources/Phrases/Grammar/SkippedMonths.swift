import Messages
import Recurrence

/// Says which months a rule for the 29th to the 31st leaves out.
enum SkippedMonths {
  static func notes(of repeats: RepeatReading) -> [UserText] {
    guard let day = repeats.monthDays.filter({ $0 > 28 }).max() else { return [] }
    switch (repeats.frequency, repeats.month, day) {
    case (.monthly, _, 31):
      return [
        UserText("it skips the months without a 31st: February, April, June, September, November")
      ]
    case (.monthly, _, 30): return [UserText("it skips February")]
    case (.monthly, _, _): return [UserText("it skips February, but in leap years")]
    case (.yearly, 2?, 29): return [UserText("it is in leap years only")]
    default: return []
    }
  }
}
