package import CivilTime
import Messages

extension PhraseReader {
  /// Reads a duration: "45m", "1h 30m", "2 hours", "an hour and a half", "PT15M", "3d".
  ///
  /// - Throws: ``PhraseRefusal``, for months too, which differ in length.
  package func duration(_ text: some StringProtocol) throws(PhraseRefusal) -> CalendarDuration {
    let trimmed = text.trimmingBlanks()
    let lengths = values(of: trimmed, as: .length)
    for case .length(let length) in lengths {
      guard let duration = length.duration else { continue }
      guard duration.days <= 3_652_059, duration.seconds <= 3_652_059 * 86_400 else {
        throw PhraseRefusal(UserText("longer than 9,999 years"))
      }
      return duration
    }
    var refusal = PhraseRefusal(
      UserText("\"{text}\" is no duration", ["text": String(trimmed.prefix(200))]))
    if trimmed.isEmpty { refusal = PhraseRefusal(UserText("the duration is missing")) }
    refusal.suggestions = language.examples(of: .duration)
    if !lengths.isEmpty {
      refusal = PhraseRefusal(
        UserText(
          "\"{text}\" has no exact length; say it in days, hours and minutes",
          ["text": String(trimmed)]))
    } else if let number = Int(trimmed), number > 0 {
      refusal = PhraseRefusal(UserText("{number} needs a unit", ["number": number]))
      refusal.suggestions = ["\(number)m", "\(number)h"]
    }
    throw refusal
  }

  /// Reads when something reminds of an event, as after the "!" of a line.
  ///
  ///     15m, 15 minutes before            before the start
  ///     end-5m, end, start+10m            beside the end or the start
  ///     9:00, at 9                        on the day
  ///     1d 18:00, the day before at 6pm   on a day before
  ///     none                              not at all
  ///
  /// - Throws: ``PhraseRefusal``.
  package func reminder(_ text: some StringProtocol) throws(PhraseRefusal) -> PhraseReminder {
    let trimmed = text.trimmingBlanks()
    let found = values(of: "!" + trimmed, as: .reminder)
    if case .reminders(let all)? = found.first, all.count == 1 { return all[0] }
    var refusal = PhraseRefusal(
      UserText("\"{text}\" is no reminder", ["text": String(trimmed.prefix(200))]))
    refusal.suggestions = language.examples(of: .reminder).map { String($0.drop { $0 == "!" }) }
    throw refusal
  }

  /// Reads reminders with commas between them: "15m, 1d 18:00".
  ///
  /// - Throws: ``PhraseRefusal``, for "none" next to others too.
  package func reminders(_ text: some StringProtocol) throws(PhraseRefusal) -> [PhraseReminder] {
    var all: [PhraseReminder] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      all.append(try reminder(part))
    }
    guard !all.contains(.none) || all.count == 1 else {
      throw PhraseRefusal(UserText("\"{text}\" says both none and some", ["text": String(text)]))
    }
    return all
  }
}
