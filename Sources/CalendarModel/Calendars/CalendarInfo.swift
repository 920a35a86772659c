package import CivilTime

/// The reminders of the events of a calendar that have none of their own.
package struct DefaultReminders: Hashable, Sendable {
  /// Of timed events: so long before the start.
  package var timed: [CalendarDuration]
  /// Of all-day events: so long after midnight at the start of the first day.
  package var allDay: [CalendarDuration]

  /// No reminders.
  package static let none = DefaultReminders(timed: [], allDay: [])
  /// What people expect: a quarter of an hour before, and at 9:00 on the day.
  package static let usual = DefaultReminders(
    timed: [CalendarDuration(seconds: 900)], allDay: [CalendarDuration(seconds: 9 * 3600)])

  package init(timed: [CalendarDuration], allDay: [CalendarDuration]) {
    self.timed = timed
    self.allDay = allDay
  }
}

/// What people can change in a calendar; the key of Calendars.Update on the bus.
package enum CalendarField: String, Hashable, Sendable, CaseIterable {
  case name, color, visible
  case readOnly = "read-only"
  case isDefault = "default"
  case order
  case timeZone = "time-zone"
  case reminders
  case allDayReminders = "all-day-reminders"
  case tellLate = "tell-late"
}

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
  /// Properties of the VCALENDARs that were read into it which mean nothing here: content
  /// lines, unfolded and without their ends. They come back in an export.
  package var properties: [String] = []
  /// Up to when reminders that were missed are told.
  package var missedReminderPolicy: MissedReminderPolicy

  package init(
    id: CalendarID, name: String, color: EventColor, isVisible: Bool = true,
    isReadOnly: Bool = false, isDefault: Bool = false, source: String = "local",
    timeZone: String? = nil, order: Int = 0, timedReminders: [CalendarDuration] = [],
    allDayReminders: [CalendarDuration] = [], missedReminderPolicy: MissedReminderPolicy = .usual
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
    self.missedReminderPolicy = missedReminderPolicy
    self.timedReminders = timedReminders
    self.allDayReminders = allDayReminders
  }

  /// The one that a new database has.
  package static let first = CalendarInfo(
    id: CalendarID("personal"), name: "Personal", color: EventColor.palette[0], isDefault: true)

  /// Whether it comes first in a list: by ``order``; of equals the id decides.
  package static func precedes(_ left: CalendarInfo, _ right: CalendarInfo) -> Bool {
    left.order != right.order ? left.order < right.order : left.id.text < right.id.text
  }

  /// Returns what of it people can change that another one has otherwise.
  package func fields(otherIn other: CalendarInfo) -> [CalendarField] {
    CalendarField.allCases.filter { field in
      switch field {
      case .name: name != other.name
      case .color: color != other.color
      case .visible: isVisible != other.isVisible
      case .readOnly: isReadOnly != other.isReadOnly
      case .isDefault: isDefault != other.isDefault
      case .order: order != other.order
      case .timeZone: timeZone != other.timeZone
      case .reminders: timedReminders != other.timedReminders
      case .allDayReminders: allDayReminders != other.allDayReminders
      case .tellLate: missedReminderPolicy != other.missedReminderPolicy
      }
    }
  }

  /// Whether the two differ in their ``properties`` at most.
  package func hasSameFields(as other: CalendarInfo) -> Bool {
    var copy = self
    copy.properties = other.properties
    return copy == other
  }
}
