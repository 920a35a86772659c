import CalendarModel
import CivilTime
import Platform
import Widgets

// Texts of Widgets in the language of this process, with its dates and times.

extension TimeText {
  static let current = TimeText(MessageCatalogue.language, TimeCustoms.current)
}

extension ReminderText {
  static func text(before: CalendarDuration, isFromEnd: Bool) -> String {
    ReminderText(TimeText.current).text(before: before, isFromEnd: isFromEnd)
  }

  static func allDayText(secondsAfterMidnight seconds: Int64) -> String {
    ReminderText(TimeText.current).allDayText(secondsAfterMidnight: seconds)
  }

  static func length(_ duration: CalendarDuration) -> String {
    ReminderText(TimeText.current).length(duration)
  }
}

extension MonthGrid {
  /// "November 2026".
  var title: String { title(TimeText.current) }
}
