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
  static func text(
    _ trigger: Alarm.Trigger, isAllDay: Bool, moment: (Timestamp) -> String
  ) -> String {
    ReminderText(MessageCatalogue.language).text(trigger, isAllDay: isAllDay, moment: moment)
  }
}
