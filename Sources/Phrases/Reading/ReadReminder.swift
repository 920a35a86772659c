import Messages

/// Reads when something reminds of an event, as after the "!" of a line.
///
///     15m, 15 minutes before            before the start
///     end-5m, end, start+10m            beside the end or the start
///     9:00, at 9                        on the day
///     1d 18:00, the day before at 6pm   on a day before
///     none                              not at all
///
/// - Throws: ``PhraseRefusal``.
package func readReminder(_ text: some StringProtocol) throws(PhraseRefusal) -> PhraseReminder {
  let trimmed = text.trimmingBlanks()
  let found = meanings(of: "!" + trimmed, as: .reminder)
  if case .reminders(let all)? = found.first, all.count == 1 { return all[0] }
  var refusal = PhraseRefusal(
    UserText("\"{text}\" is no reminder", ["text": String(trimmed.prefix(200))]))
  refusal.suggestions = examples(of: .reminder, like: trimmed).map {
    String($0.drop { $0 == "!" })
  }
  throw refusal
}
