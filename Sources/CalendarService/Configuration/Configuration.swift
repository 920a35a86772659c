import CalendarBus
import CalendarModel
import CivilTime
import Phrases
import Platform
import Widgets

/// The settings of datebook.conf: sections in brackets, `key = value` lines and `#` comments.
///
///     [reminders]
///     snooze = 10m
struct Configuration: Equatable {
  /// The Snooze actions of a notification; the first one is also the default of a snooze.
  var snoozes: [SnoozeStep] = [.length(CalendarDuration(seconds: 600))]
  /// The program that opens an address, with its arguments, without a shell.
  var opener = ["xdg-open"]
  /// The start of the address of a place on a map; "" offers no map.
  var mapAddress = "https://www.openstreetmap.org/search?query="
  /// Whether the agent shows notifications; false leaves that to programs that get ReminderDue.
  var showsNotifications = true
  /// The urgency of notifications.
  var urgency = NotificationUrgency.critical
  /// The default reminders of a new calendar; each calendar can change them.
  var newCalendars = DefaultReminders.usual
  /// The weekly hours in which reminders raise no notification.
  var quietHours = WeeklyHours([])
  /// The hours in which FreeSlots searches.
  var workingHours = WeeklyHours([
    WeeklyHours.Part(
      days: [.monday, .tuesday, .wednesday, .thursday, .friday],
      start: TimeOfDay(hour: 9, minute: 0) ?? .midnight,
      end: TimeOfDay(hour: 17, minute: 0) ?? .midnight)
  ])
  /// How dates and times are written: as in the locale's territory, but for week-start and
  /// clock.
  var customs = TimeCustoms()
  /// The first weekday of a drawn week.
  var firstWeekday: Weekday { customs.firstWeekday ?? .monday }
  /// How many missing releases color a day of the month orange, and how many red.
  var missingReleases = DayMarker.Thresholds()
  /// The owner's mail addresses, in lower case: Respond answers for such an attendee.
  var addresses: [String] = []
  /// Whether the screen is light or dark; nil means the desktop's preference.
  var scheme: ColorScheme?
  /// Whether GNOME Shell's drop-down shows these events, in place of Evolution's.
  var servesGnome = false
  /// The same for Cinnamon's calendar applet.
  var servesCinnamon = false
  /// The files for widgets, besides the snapshot.
  var exports: [WidgetExport] = []

  /// A line with a problem, which changes nothing.
  struct Fault: Equatable, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String {
      localized("line {line}: {problem}", ["line": line, "problem": reason])
    }

    /// "/home/ana/.config/datebook/datebook.conf, line 3: …".
    func text(ofFile path: String) -> String {
      localized("{path}, {problem}", ["path": path, "problem": description])
    }
  }

  /// One setting: its section and name, what its value should be, and how it is read.
  private struct Key: Sendable {
    let section: String
    let name: String
    /// Returns the problem of a value that was not understood.
    let problem: @Sendable (_ value: String) -> String
    /// Sets a value; false if it is not understood.
    let apply: @Sendable (inout Configuration, String) -> Bool
  }

  private static let calendarServerProblem: @Sendable (_ value: String) -> String = {
    localized("calendar-server: \"{value}\" is not yes or no", ["value": $0])
  }

  private static let keys: [Key] = [
    Key(
      section: "calendar", name: "working-hours",
      problem: {
        localized(
          "working-hours: \"{value}\" must be hours such as mon-fri 9:00-17:00", ["value": $0])
      }
    ) {
      guard let hours = try? readWeeklyHours($1) else { return false }
      $0.workingHours = hours
      return true
    },
    Key(
      section: "calendar", name: "week-start",
      problem: {
        localized(
          "week-start: \"{value}\" is not monday, sunday or saturday", ["value": $0])
      }
    ) {
      let days: [String: Weekday] = ["monday": .monday, "sunday": .sunday, "saturday": .saturday]
      guard let day = days[$1.lowercased()] else { return false }
      $0.customs.firstWeekday = day
      return true
    },
    Key(
      section: "calendar", name: "clock",
      problem: { localized("clock: \"{value}\" is not 12, 24 or auto", ["value": $0]) }
    ) {
      $0.customs.setClock($1)
    },
    Key(
      section: "calendar", name: "language",
      problem: {
        localized(
          "language: \"{value}\" must be a language such as zh_CN, or empty for the session's",
          ["value": $0])
      }
    ) {
      // MessageCatalogue reads it before anything else is done.
      LanguageChoice.name($1) != nil || $1.isEmpty
    },
    Key(
      section: "calendar", name: "missing-releases",
      problem: {
        localized(
          """
          missing-releases: "{value}" must be two numbers such as 1, 3: how many color a day \
          orange, and how many red
          """, ["value": $0])
      }
    ) {
      let numbers = $1.split(separator: ",", omittingEmptySubsequences: false)
        .map { SettingsText.trimmed($0) }
      guard numbers.count == 2, let some = Int(numbers[0]), let many = Int(numbers[1]),
        let thresholds = DayMarker.Thresholds(some: some, many: many)
      else { return false }
      $0.missingReleases = thresholds
      return true
    },
    Key(
      section: "calendar", name: "email",
      problem: {
        localized(
          """
          email: "{value}" must be mail addresses such as me@example.org, separated by commas
          """, ["value": $0])
      }
    ) {
      let addresses = $1.split(separator: ",").map { SettingsText.trimmed($0).lowercased() }
      guard !addresses.isEmpty, addresses.allSatisfy(isAddress) else { return false }
      $0.addresses = addresses
      return true
    },
    Key(
      section: "reminders", name: "snooze",
      problem: {
        localized(
          """
          snooze: "{value}" must be one to four durations such as 10m, 1h; all but the first may \
          be "start"
          """, ["value": $0])
      }
    ) {
      let steps = $1.split(separator: ",", omittingEmptySubsequences: false)
        .compactMap { SnoozeStep(SettingsText.trimmed($0)) }
      let count = $1.count { $0 == "," } + 1
      guard steps.count == count, count <= 4, steps[0].length != nil else { return false }
      $0.snoozes = steps
      return true
    },
    Key(section: "gnome-shell", name: "calendar-server", problem: calendarServerProblem) {
      guard let flag = flag($1) else { return false }
      $0.servesGnome = flag
      return true
    },
    Key(section: "cinnamon", name: "calendar-server", problem: calendarServerProblem) {
      guard let flag = flag($1) else { return false }
      $0.servesCinnamon = flag
      return true
    },
    Key(
      section: "appearance", name: "theme",
      problem: { localized("theme: \"{value}\" is not auto, light or dark", ["value": $0]) }
    ) {
      guard $1 == "auto" || ColorScheme(rawValue: $1) != nil else { return false }
      $0.scheme = ColorScheme(rawValue: $1)
      return true
    },
    Key(
      section: "reminders", name: "open",
      problem: { localized("open: \"{value}\" must be a program such as xdg-open", ["value": $0]) }
    ) {
      let words = $1.split(separator: " ").map(String.init)
      guard !words.isEmpty else { return false }
      $0.opener = words
      return true
    },
    Key(
      section: "reminders", name: "map",
      problem: {
        localized(
          """
          map: "{value}" must be the start of an address, such as https://example.org/?q=, or none
          """, ["value": $0])
      }
    ) {
      guard $1 == "none" || $1.hasPrefix("https://") || $1.hasPrefix("geo:") else { return false }
      $0.mapAddress = $1 == "none" ? "" : $1
      return true
    },
    Key(
      section: "reminders", name: "default",
      problem: {
        localized("default: \"{value}\" must be durations such as 15m, 1d, or none", ["value": $0])
      }
    ) {
      guard let lengths = lengths($1, CalendarComposer.timedReminders) else { return false }
      $0.newCalendars.timed = lengths
      return true
    },
    Key(
      section: "reminders", name: "default-all-day",
      problem: {
        localized(
          """
          default-all-day: "{value}" must be times such as 9:00, or 1d 18:00 for the day before, \
          or none
          """, ["value": $0])
      }
    ) {
      guard let lengths = lengths($1, CalendarComposer.allDayReminders) else { return false }
      $0.newCalendars.allDay = lengths
      return true
    },
    Key(
      section: "reminders", name: "quiet-hours",
      problem: {
        localized(
          """
          quiet-hours: "{value}" must be hours such as mon-fri 22:00-7:00, sat-sun 23:00-9:00
          """, ["value": $0])
      }
    ) {
      guard let hours = try? readWeeklyHours($1) else { return false }
      $0.quietHours = hours
      return true
    },
    Key(
      section: "reminders", name: "notifications",
      problem: { localized("notifications: \"{value}\" is not yes or no", ["value": $0]) }
    ) {
      guard let flag = flag($1) else { return false }
      $0.showsNotifications = flag
      return true
    },
    Key(
      section: "reminders", name: "urgency",
      problem: { localized("urgency: \"{value}\" is not critical or normal", ["value": $0]) }
    ) {
      guard let urgency = NotificationUrgency(rawValue: $1) else { return false }
      $0.urgency = urgency
      return true
    },
  ]

  /// Reads a settings file; lines with problems are listed and change nothing.
  ///
  /// - Parameter defaults: the values of settings that the file does not have.
  static func read(
    _ text: String, over defaults: Configuration = Configuration()
  ) -> (Configuration, [Fault]) {
    var configuration = defaults
    var faults: [Fault] = []
    var section = ""
    for (number, line) in SettingsText.lines(text) {
      let name: String
      let value: String
      switch line {
      case .section(let title):
        section = title
        configuration.beginExport(section, line: number)
        continue
      case .other(let line):
        faults.append(
          Fault(
            line: number,
            reason: localized("expected \"key = value\", not \"{line}\"", ["line": line])))
        continue
      case .setting(let first, let second): (name, value) = (first, second)
      }
      if WidgetExport.name(ofSection: section) != nil {
        let reason = configuration.setExport(section, name, value)
        if let reason { faults.append(Fault(line: number, reason: reason)) }
        continue
      }
      guard let key = keys.first(where: { $0.section == section && $0.name == name }) else {
        faults.append(
          Fault(
            line: number,
            reason: unknown(name, in: section)))
        continue
      }
      if !key.apply(&configuration, value) {
        faults.append(Fault(line: number, reason: key.problem(value)))
      }
    }
    faults += configuration.dropUselessExports()
    configuration.settleExportHours()
    return (configuration, faults)
  }

  /// Returns the problem of a setting that does not exist, with the nearest one that does.
  private static func unknown(_ name: String, in section: String) -> String {
    let own = keys.filter { $0.section == section }.map(\.name)
    if let near = nearest(name, among: own) {
      return localized(
        "unknown setting \"{name}\" in [{section}]; did you mean \"{near}\"?",
        ["name": name, "section": section, "near": near])
    }
    // The setting may be right, and in the wrong section.
    let place =
      keys.first { $0.name == name }?.section ?? nearest(section, among: keys.map(\.section))
    guard let place, place != section else {
      return localized(
        "unknown setting \"{name}\" in [{section}]", ["name": name, "section": section])
    }
    return localized(
      "unknown setting \"{name}\" in [{section}]; did you mean the section [{near}]?",
      ["name": name, "section": section, "near": place])
  }

  /// Reads "yes" or "no", in upper or lower case; nil for other text.
  static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes": true
    case "no": false
    default: nil
    }
  }

  /// Reads durations with commas between them, or "none"; nil for other text.
  private static func lengths(
    _ text: String,
    _ read: (_ texts: [String], _ key: String) throws(CallError) -> [CalendarDuration]
  ) -> [CalendarDuration]? {
    if text == "none" { return [] }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { SettingsText.trimmed($0) }
    return try? read(parts, "")
  }

  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.contains(" ") }
  }
}
