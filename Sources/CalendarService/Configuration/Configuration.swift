import CalendarBus
import CalendarModel
import CivilTime
import Phrases
import Widgets

/// The settings of datebook.conf: sections in brackets, `key = value` lines, and
/// comments that begin with `#`.
///
///     [reminders]
///     snooze = 10m
struct Configuration: Equatable {
  /// How long the Snooze actions of a notification put a reminder off; the first is a
  /// length, which is what a snooze without a word means.
  var snoozes: [SnoozeStep] = [.length(CalendarDuration(seconds: 600))]
  /// What opens an address: a program with words of its own, without a shell.
  var opener = ["xdg-open"]
  /// What the address of a place on a map begins with; "" offers none.
  var mapAddress = "https://www.openstreetmap.org/search?query="
  /// Whether the agent shows notifications itself; false leaves that to whoever
  /// listens for ReminderDue.
  var showsNotifications = true
  /// How much a notification asks for attention.
  var urgency = NotificationUrgency.critical
  /// What a calendar begins with when it is made; each can be told otherwise.
  var newCalendars = DefaultReminders.usual
  /// When reminders raise no notification, each week.
  var quietHours = WeeklyHours([])
  /// Within which FreeSlots looks.
  var workingHours = WeeklyHours([
    WeeklyHours.Part(
      days: [.monday, .tuesday, .wednesday, .thursday, .friday],
      start: TimeOfDay(hour: 9, minute: 0) ?? .midnight,
      end: TimeOfDay(hour: 17, minute: 0) ?? .midnight)
  ])
  /// The weekday that weeks begin with where they are drawn; Monday unless the
  /// settings or the locale say otherwise.
  var firstWeekday = Weekday.monday
  /// The owner's mail addresses, in lower case: which attendee Respond answers for.
  var addresses: [String] = []
  /// Whether the screen is light or dark; nil is what the desktop says.
  var scheme: ColorScheme?
  /// Whether GNOME Shell's drop-down shows these events, in place of Evolution's.
  var servesGnome = false
  /// The same for Cinnamon's calendar applet.
  var servesCinnamon = false
  /// The files that are kept for widgets, beside the snapshot.
  var exports: [WidgetExport] = []

  /// A line that was not understood; its default stays in force.
  struct Fault: Equatable, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
  }

  /// One setting: where it stands, and how its text is read. nil is a refusal.
  private struct Key: Sendable {
    let section: String
    let name: String
    let expected: String
    let apply: @Sendable (inout Configuration, String) -> Bool
  }

  private static let keys: [Key] = [
    Key(
      section: "calendar", name: "working-hours", expected: "hours such as mon-fri 9:00-17:00"
    ) {
      guard let hours = try? readWeeklyHours($1) else { return false }
      $0.workingHours = hours
      return true
    },
    Key(section: "calendar", name: "week-start", expected: "monday, sunday or saturday") {
      let days: [String: Weekday] = ["monday": .monday, "sunday": .sunday, "saturday": .saturday]
      guard let day = days[$1.lowercased()] else { return false }
      $0.firstWeekday = day
      return true
    },
    Key(
      section: "calendar", name: "email", expected: "addresses such as me@example.org, with commas"
    ) {
      let addresses = $1.split(separator: ",").map { trimmed($0).lowercased() }
      guard !addresses.isEmpty, addresses.allSatisfy(isAddress) else { return false }
      $0.addresses = addresses
      return true
    },
    Key(
      section: "reminders", name: "snooze",
      expected: "one to four lengths such as 10m, 1h; from the second on also start"
    ) {
      let steps = $1.split(separator: ",", omittingEmptySubsequences: false)
        .compactMap { SnoozeStep(trimmed($0)) }
      let count = $1.count { $0 == "," } + 1
      guard steps.count == count, count <= 4, steps[0].length != nil else { return false }
      $0.snoozes = steps
      return true
    },
    Key(section: "gnome-shell", name: "calendar-server", expected: "yes or no") {
      guard let flag = flag($1) else { return false }
      $0.servesGnome = flag
      return true
    },
    Key(section: "cinnamon", name: "calendar-server", expected: "yes or no") {
      guard let flag = flag($1) else { return false }
      $0.servesCinnamon = flag
      return true
    },
    Key(section: "appearance", name: "theme", expected: "auto, light or dark") {
      guard $1 == "auto" || ColorScheme(rawValue: $1) != nil else { return false }
      $0.scheme = ColorScheme(rawValue: $1)
      return true
    },
    Key(section: "reminders", name: "open", expected: "a program such as xdg-open") {
      let words = $1.split(separator: " ").map(String.init)
      guard !words.isEmpty else { return false }
      $0.opener = words
      return true
    },
    Key(
      section: "reminders", name: "map",
      expected: "what an address begins with, such as https://example.org/?q=, or none"
    ) {
      guard $1 == "none" || $1.hasPrefix("https://") || $1.hasPrefix("geo:") else { return false }
      $0.mapAddress = $1 == "none" ? "" : $1
      return true
    },
    Key(
      section: "reminders", name: "default", expected: "lengths such as 15m, 1d, or none"
    ) {
      guard let lengths = lengths($1, CalendarComposer.timedReminders) else { return false }
      $0.newCalendars.timed = lengths
      return true
    },
    Key(
      section: "reminders", name: "default-all-day",
      expected: "times of day such as 9:00, or 1d 18:00 for the day before, or none"
    ) {
      guard let lengths = lengths($1, CalendarComposer.allDayReminders) else { return false }
      $0.newCalendars.allDay = lengths
      return true
    },
    Key(
      section: "reminders", name: "quiet-hours",
      expected: "hours such as mon-fri 22:00-7:00, sat-sun 23:00-9:00"
    ) {
      guard let hours = try? readWeeklyHours($1) else { return false }
      $0.quietHours = hours
      return true
    },
    Key(section: "reminders", name: "notifications", expected: "yes or no") {
      guard let flag = flag($1) else { return false }
      $0.showsNotifications = flag
      return true
    },
    Key(section: "reminders", name: "urgency", expected: "critical or normal") {
      guard let urgency = NotificationUrgency(rawValue: $1) else { return false }
      $0.urgency = urgency
      return true
    },
  ]

  /// Reads a settings file; what cannot be understood is listed and changes
  /// nothing.
  ///
  /// - Parameter defaults: what holds where the file says nothing.
  static func read(
    _ text: String, over defaults: Configuration = Configuration()
  ) -> (Configuration, [Fault]) {
    var configuration = defaults
    var faults: [Fault] = []
    var section = ""
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = trimmed(withoutComment(raw))
      if line.isEmpty { continue }
      if line.hasPrefix("["), line.hasSuffix("]") {
        section = String(line.dropFirst().dropLast())
        configuration.beginExport(section, line: index + 1)
        continue
      }
      guard let equals = line.firstIndex(of: "=") else {
        faults.append(Fault(line: index + 1, reason: "\"\(line)\" is no \"key = value\""))
        continue
      }
      let name = trimmed(line[..<equals])
      let value = trimmed(line[line.index(after: equals)...])
      if WidgetExport.name(ofSection: section) != nil {
        let reason = configuration.setExport(section, name, value)
        if let reason { faults.append(Fault(line: index + 1, reason: reason)) }
        continue
      }
      guard let key = keys.first(where: { $0.section == section && $0.name == name }) else {
        faults.append(Fault(line: index + 1, reason: "there is no setting [\(section)] \(name)"))
        continue
      }
      if !key.apply(&configuration, value) {
        faults.append(
          Fault(line: index + 1, reason: "\(name): \"\(value)\" is not \(key.expected)"))
      }
    }
    faults += configuration.dropUselessExports()
    configuration.settleExportHours()
    return (configuration, faults)
  }

  /// A comment begins the line, or follows a blank: "#" may stand in a value.
  private static func withoutComment(_ line: Substring) -> Substring {
    var before: Character = " "
    for index in line.indices {
      if line[index] == "#", before == " " || before == "\t" { return line[..<index] }
      before = line[index]
    }
    return line
  }

  /// Reads "yes" or "no", in letters of either size; nil for other text.
  static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes": true
    case "no": false
    default: nil
    }
  }

  /// Reads lengths of time with commas between them, or "none"; nil for other text.
  private static func lengths(
    _ text: String,
    _ read: (_ texts: [String], _ key: String) throws(CallError) -> [CalendarDuration]
  ) -> [CalendarDuration]? {
    if text == "none" { return [] }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
    return try? read(parts, "")
  }

  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.contains(" ") }
  }

  private static func trimmed(_ text: Substring) -> String { trimmed(String(text)) }

  private static func trimmed(_ text: String) -> String {
    let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    var rest = text[...].drop(while: blank)
    while let last = rest.last, blank(last) { rest.removeLast() }
    return String(rest)
  }
}
