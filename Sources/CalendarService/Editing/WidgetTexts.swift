import CalendarModel
import CivilTime
import Platform
import Widgets

// Texts of Widgets in the language of this process, with its dates and times.

extension TimeText {
  static let current = TimeText(MessageCatalogue.language, TimeCustoms.current)
}

extension ReminderText {
  static func text(
    _ trigger: Alarm.Trigger, isAllDay: Bool, moment: (Timestamp) -> String
  ) -> String {
    ReminderText(TimeText.current).text(trigger, isAllDay: isAllDay, moment: moment)
  }
}
