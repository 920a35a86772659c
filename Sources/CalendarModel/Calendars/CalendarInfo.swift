package import CivilTime

/// The reminders of a calendar's events that have none of their own.
package struct DefaultReminders: Hashable, Sendable {
  /// For timed events: how long before the start.
  package var timed: [CalendarDuration]
  /// For all-day events: how long after midnight at the start of the first day.
  package var allDay: [CalendarDuration]

  /// No reminders.
  package static let none = DefaultReminders(timed: [], allDay: [])
  /// The defaults for a new calendar: 15 minutes before, and at 9:00 on the day.
  package static let usual = DefaultReminders(
    timed: [CalendarDuration(seconds: 900)], allDay: [CalendarDuration(seconds: 9 * 3600)])

  package init(timed: [CalendarDuration], allDay: [CalendarDuration]) {
    self.timed = timed
    self.allDay = allDay
  }
}

/// The fields of a calendar that people can change; its keys in Calendars.Update on the bus.
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

/// A calendar: its name, colour, rights and defaults.
package struct CalendarInfo: Hashable, Sendable {
  package var id: CalendarID
  /// The name for people, 1 to 200 characters.
  package var name: String
  package var color: EventColor
  /// Whether its events are included when a request names no calendars.
  package var isVisible: Bool
  package var isReadOnly: Bool
  /// Whether new events are added here when no calendar is named. One calendar is the default.
  package var isDefault: Bool
  /// The source of its events: "local", or the identifier of a source.
  package var source: String
  /// The IANA zone for new events; nil means the agent's zone.
  package var timeZone: String?
  /// The position in a list, from 0.
  package var order: Int
  /// Reminders of timed events that have none of their own.
  package var timedReminders: [CalendarDuration]
  /// Reminders of all-day events that have none of their own, counted from midnight.
  ///
  /// "PT9H" is 09:00 on the first day.
  package var allDayReminders: [CalendarDuration]
  /// VCALENDAR properties from imported files that we only store for export.
  ///
  /// They are content lines, unfolded and without line ends.
  package var properties: [String] = []
  /// How late missed reminders are still delivered.
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

  /// The calendar of a new database.
  package static let first = CalendarInfo(
    id: CalendarID("personal"), name: "Personal", color: EventColor.palette[0], isDefault: true)

  /// The time of day of ``allDayTime`` without such a reminder: 9:00.
  package static let usualAllDayTime = TimeOfDay(hour: 9, minute: 0) ?? .midnight

  /// The time of day of a reminder that is whole days before an all-day event.
  ///
  /// It is that of the first of ``allDayReminders``.
  package var allDayTime: TimeOfDay {
    guard let seconds = allDayReminders.first?.approximateSeconds else {
      return CalendarInfo.usualAllDayTime
    }
    let second = Int(seconds % 86_400)
    return TimeOfDay(secondOfDay: second < 0 ? second + 86_400 : second) ?? .midnight
  }

  /// Whether `left` comes before `right` in a list: by ``order``, then by id.
  package static func precedes(_ left: CalendarInfo, _ right: CalendarInfo) -> Bool {
    left.order != right.order ? left.order < right.order : left.id.text < right.id.text
  }

  /// Returns the fields in which the other calendar differs.
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

  /// Whether the two are equal, apart from ``properties``.
  package func hasSameFields(as other: CalendarInfo) -> Bool {
    var copy = self
    copy.properties = other.properties
    return copy == other
  }
}
