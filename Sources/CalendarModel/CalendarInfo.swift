package import CivilTime

/// A calendar's name, colour and rights.
package struct CalendarInfo: Hashable, Sendable {
  package var id: CalendarID
  /// What people read, 1 to 200 characters.
  package var name: String
  package var color: EventColor
  /// Whether its events are in answers that do not name calendars.
  package var isVisible: Bool
  package var isReadOnly: Bool
  /// Whether new events go there when no calendar is named. One calendar has it.
  package var isDefault: Bool
  /// Where its events come from: "local", or the identifier of a source.
  package var source: String
  /// The IANA zone for new events; nil is the agent's.
  package var timeZone: String?
  /// The place in a list, from 0.
  package var order: Int
  /// Reminders of timed events that have none of their own.
  package var timedReminders: [CalendarDuration]
  /// Reminders of all-day events that have none of their own, counted from
  /// midnight at the start of the day: "PT9H" is 09:00 on the day.
  package var allDayReminders: [CalendarDuration]

  package init(
    id: CalendarID, name: String, color: EventColor, isVisible: Bool = true,
    isReadOnly: Bool = false, isDefault: Bool = false, source: String = "local",
    timeZone: String? = nil, order: Int = 0, timedReminders: [CalendarDuration] = [],
    allDayReminders: [CalendarDuration] = []
  ) {
    self.id = id
    self.name = name
    self.color = color
    self.isVisible = isVisible
    self.isReadOnly = isReadOnly
    self.isDefault = isDefault
    self.source = source
    self.timeZone = timeZone
    self.order = order
    self.timedReminders = timedReminders
    self.allDayReminders = allDayReminders
  }
}
