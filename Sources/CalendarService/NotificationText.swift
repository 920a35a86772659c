import CalendarModel
import CivilTime

/// What a notification of a reminder says: a plain summary, and a body that may
/// be markup.
struct NotificationText: Equatable {
  let summary: String
  let body: String

  /// - Parameters:
  ///   - markup: whether the server reads markup in bodies ("body-markup");
  ///     without it the body is plain. The summary is never markup.
  ///
  /// Source: Desktop Notifications Specification 1.2, "Markup".
  init(_ reminder: Reminder, now: Timestamp, zone: ZoneRules, markup: Bool) {
    summary = reminder.summary.isEmpty ? "Event" : flattened(reminder.summary)
    var parts = [NotificationText.moment(of: reminder, now: now, zone: zone)]
    if reminder.isMissed, now.seconds - reminder.due.seconds >= 60 {
      parts.append("due \(NotificationText.length(now.seconds - reminder.due.seconds)) ago")
    }
    if !reminder.location.isEmpty { parts.append(flattened(reminder.location)) }
    let text = parts.joined(separator: " · ")
    body = markup ? escapedForMarkup(text) : text
  }

  /// One notification for many reminders that came at once.
  ///
  /// - Parameter tooOld: how many more are only in the ledger, as missed.
  init(
    digest reminders: [Reminder], tooOld: Int, now: Timestamp, zone: ZoneRules, markup: Bool
  ) {
    let count = reminders.count + tooOld
    let isLate = tooOld > 0 || reminders.contains(where: \.isMissed)
    summary =
      (count == 1 ? "1 reminder" : "\(count) reminders") + (isLate ? " while you were away" : "")
    let today = zone.reading(at: now).date
    var lines = reminders.prefix(8).map { reminder in
      let start = zone.reading(at: reminder.span.start)
      let day = start.date == today ? "" : NotificationText.dayName(start.date, today: today) + " "
      let time = reminder.isAllDay ? "all day" : start.time.hourAndMinute
      return "\(day)\(time)  \(flattened(reminder.summary))"
    }
    let rest = reminders.count - lines.count
    if rest > 0 { lines.append("and \(rest) more") }
    if tooOld > 0 { lines.append("\(tooOld) of events that are over") }
    let text = lines.joined(separator: "\n")
    body = markup ? escapedForMarkup(text) : text
  }

  /// "In 15 min, 14:00 – 15:00", "Now, …", "Since 10 min, …", "Tomorrow", …
  private static func moment(of reminder: Reminder, now: Timestamp, zone: ZoneRules) -> String {
    let (start, end) = (reminder.span.start, reminder.span.end)
    let (from, today) = (zone.reading(at: start), zone.reading(at: now))
    let day = dayName(from.date, today: today.date)
    if reminder.isAllDay { return day + ", all day" }
    let times =
      from.time.hourAndMinute
      + (end > start ? " – " + zone.reading(at: end).time.hourAndMinute : "")
    if end < now { return "Missed: \(day.lowercased()), \(times)" }
    let seconds = start.seconds - now.seconds
    if seconds > 86_400 || from.date != today.date && seconds > 6 * 3600 {
      return "\(day), \(times)"
    }
    if seconds >= 30 { return "In \(length(seconds)), \(times)" }
    if seconds > -60 { return "Now, \(times)" }
    return "For \(length(-seconds)), \(times)"
  }

  private static func dayName(_ date: CivilDate, today: CivilDate) -> String {
    switch date.days(since: today) {
    case 0: "Today"
    case 1: "Tomorrow"
    case -1: "Yesterday"
    default: date.description
    }
  }

  /// The minutes of so many seconds, to the nearest; what is less than half of one is "Now".
  static func minutes(_ seconds: Int64) -> Int64 { (seconds + 30) / 60 }

  /// "15 min", "2 h", "2 h 5 min"; to the nearest minute.
  private static func length(_ seconds: Int64) -> String {
    let minutes = minutes(seconds)
    if minutes < 60 { return "\(minutes) min" }
    return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
  }
}

/// Returns text without control characters: titles come from strangers.
private func flattened(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
}

/// Escapes the three characters that markup is made of.
func escapedForMarkup(_ text: String) -> String {
  var escaped = ""
  for character in text.unicodeScalars {
    switch character {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    default: escaped.unicodeScalars.append(character)
    }
  }
  return escaped
}
