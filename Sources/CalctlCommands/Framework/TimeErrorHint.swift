import CivilTime
import Phrases

/// What is wrong with a moment that cannot be read, where a sentence of its own says more than
/// where reading stopped.
enum TimeErrorHint {
  /// Returns what is wrong and what would be right; nil for what has no such sentence.
  ///
  /// - Parameter isEnd: whether it is when something ends.
  static func reason(_ text: String, isEnd: Bool) -> String? {
    clock(text) ?? month(text) ?? weekdays(text) ?? (isEnd ? length(text) : nil)
  }

  /// Returns an error with the reason of ours in place of that of who read a phrase, where it
  /// has the form `NAME: "TEXT": …`.
  static func explaining(_ message: String) -> String {
    guard let open = message.firstIndex(of: "\"") else { return message }
    let rest = message[message.index(after: open)...]
    guard let close = rest.firstIndex(of: "\""), rest[close...].hasPrefix("\": "),
      let reason = reason(String(rest[..<close]), isEnd: message.hasPrefix("--end"))
    else { return message }
    return message[...close] + ": " + reason
  }

  /// "9:60".
  private static func clock(_ text: String) -> String? {
    for word in text.split(separator: " ") {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1].prefix(2)),
        parts[1].utf8.count >= 2, (0...24).contains(hour), minute > 59
      else { continue }
      return
        "\(parts[0]):\(parts[1].prefix(2)) is no time, since an hour has the minutes 00 to 59; "
        + "try \"\(hour):30\""
    }
    return nil
  }

  /// "2026-13".
  private static func month(_ text: String) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts[0].utf8.count == 4, Int(parts[0]) != nil,
      parts[1].utf8.count <= 2, let month = Int(parts[1])
    else { return nil }
    if (1...12).contains(month) {
      return parts.count == 3 || parts[1].utf8.count == 2
        ? nil : "a month has two digits; try \"\(parts[0])-0\(month)\""
    }
    return "there is no month \(parts[1]): they go from 01 to 12; try \"\(parts[0])-12\""
      + (parts.count == 3 ? " and a day" : "")
  }

  /// "mon,wed".
  private static func weekdays(_ text: String) -> String? {
    let days = RepeatWord.weekdays(text)
    guard let days, days.count > 1 else { return nil }
    let names = days.map(\.name)
    return "these are several days; try \"\(names[0])\", and of an event that repeats --repeat "
      + names.joined(separator: ",")
  }

  /// "-1h".
  private static func length(_ text: String) -> String? {
    guard text.hasPrefix("-"), (try? readDuration(text.dropFirst())) != nil else { return nil }
    return
      "a length has no sign, and an event does not end before it begins; try \"\(text.dropFirst())\""
  }
}
