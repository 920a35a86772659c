import CivilTime

/// When a reminder rings, in words: the bus has durations, people have minutes.
enum ReminderWords {
  /// Returns "15 min before", "at the start", "5 min after the end"; a moment
  /// stands as it is.
  static func text(_ reminder: String) -> String {
    let isFromEnd = reminder.hasPrefix("end:")
    guard
      let before = try? CalendarDuration(text: isFromEnd ? reminder.dropFirst(4) : reminder[...])
    else { return reminder }
    let end = isFromEnd ? " the end" : ""
    if before.isZero { return isFromEnd ? "at the end" : "at the start" }
    let size = before.isNegative ? before.negated : before
    return length(size) + (before.isNegative ? " after" : " before")
      + (before.isNegative && !isFromEnd ? " the start" : end)
  }

  /// Returns "1 week", "2 days 3 h", "1 h 30 min".
  static func length(_ duration: CalendarDuration) -> String {
    let seconds = duration.seconds
    var parts: [String] = []
    if duration.days != 0, duration.days % 7 == 0 {
      parts.append(duration.days == 7 ? "1 week" : "\(duration.days / 7) weeks")
    } else if duration.days != 0 {
      parts.append(duration.days == 1 ? "1 day" : "\(duration.days) days")
    }
    if seconds >= 3600 { parts.append("\(seconds / 3600) h") }
    if seconds / 60 % 60 != 0 { parts.append("\(seconds / 60 % 60) min") }
    if seconds % 60 != 0 { parts.append("\(seconds % 60) s") }
    return parts.joined(separator: " ")
  }
}
