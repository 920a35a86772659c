import CivilTime
import Phrases
import Platform

/// Explanations of common mistakes in times, which the parser's errors do not give.
enum TimeErrorHint {
  /// Returns what is wrong and what to write instead; nil for a text without a known mistake.
  ///
  /// - Parameter isEnd: Whether the text is the end of an event.
  static func reason(_ text: String, isEnd: Bool) -> String? {
    clock(text) ?? month(text) ?? weekdays(text) ?? (isEnd ? duration(text) : nil)
  }

  /// Returns a message `NAME: "TEXT": …` with the reason for the text; other messages unchanged.
  static func explaining(_ message: String) -> String {
    // As PhraseRefusal says it, in the user's language.
    func refusal(_ line: Substring, _ reason: String) -> String {
      localized("\"{line}\": {reason}", ["line": line, "reason": reason])
    }
    let marks = refusal("\n", "\n").split(separator: "\n", omittingEmptySubsequences: false)
    guard marks.count == 3, let open = message.firstRange(of: marks[0]),
      let close = message[open.upperBound...].firstRange(of: marks[1])
    else { return message }
    let line = message[open.upperBound..<close.lowerBound]
    guard let reason = reason(String(line), isEnd: message.hasPrefix("--end")) else {
      return message
    }
    return message[..<open.lowerBound] + refusal(line, reason)
  }

  /// Explains "9:60".
  private static func clock(_ text: String) -> String? {
    for word in text.split(separator: " ") {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1].prefix(2)),
        parts[1].utf8.count >= 2, (0...24).contains(hour), minute > 59
      else { continue }
      return localized(
        "{time} is not a time: minutes are 00 to 59; try \"{example}\"",
        [
          "time": "\(parts[0]):\(parts[1].prefix(2))",
          // 24:30 is none either.
          "example": hour == 24 ? "23:30" : "\(hour):30",
        ])
    }
    return nil
  }

  /// Explains "2026-13".
  private static func month(_ text: String) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts[0].utf8.count == 4, Int(parts[0]) != nil,
      parts[1].utf8.count <= 2, let month = Int(parts[1])
    else { return nil }
    if (1...12).contains(month) {
      return parts.count == 3 || parts[1].utf8.count == 2
        ? nil
        : localized(
          "a month has two digits; try \"{example}\"", ["example": "\(parts[0])-0\(month)"])
    }
    return localized(
      "there is no month {month}: months are 01 to 12; try \"{example}\"",
      ["month": parts[1], "example": "\(parts[0])-12" + (parts.count == 3 ? "-01" : "")])
  }

  /// Explains "mon,wed".
  private static func weekdays(_ text: String) -> String? {
    guard let days = RepeatWord.weekdays(text), days.count > 1 else { return nil }
    let names = days.map(\.name)
    return localized(
      "expected one day; try \"{example}\", and for a series {option}",
      ["example": names[0], "option": "--repeat " + names.joined(separator: ",")])
  }

  /// Explains "-1h".
  private static func duration(_ text: String) -> String? {
    guard text.hasPrefix("-"), (try? readDuration(text.dropFirst())) != nil else { return nil }
    return localized(
      "a duration has no sign here; try \"{example}\"", ["example": text.dropFirst()])
  }
}
