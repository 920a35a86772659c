import CalendarModel
import CivilTime
import Platform
import Widgets

// Texts of Widgets in the language of this process.

extension TimeText {
  static func shortDate(_ date: CivilDate) -> String {
    TimeText(MessageCatalogue.language).shortDate(date)
  }

  static func shortDate(_ date: CivilDate, at time: String) -> String {
    TimeText(MessageCatalogue.language).shortDate(date, at: time)
  }
}

extension ReminderText {
  static func text(before: CalendarDuration, isFromEnd: Bool) -> String {
    ReminderText(MessageCatalogue.language).text(before: before, isFromEnd: isFromEnd)
  }

  static func allDayText(secondsAfterMidnight seconds: Int64) -> String {
    ReminderText(MessageCatalogue.language).allDayText(secondsAfterMidnight: seconds)
  }

  static func length(_ duration: CalendarDuration) -> String {
    ReminderText(MessageCatalogue.language).length(duration)
  }
}

extension MonthGrid {
  /// "November 2026".
  var title: String { title(in: MessageCatalogue.language) }
}
