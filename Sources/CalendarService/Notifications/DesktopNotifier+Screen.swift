// Queries about the notifications on the screen or sent.

extension DesktopNotifier {
  /// Returns the subject of a reminder's notification; nil if it has none.
  func subject(of reminder: String) -> String? {
    requests.request(for: reminder)?.content.subject ?? board.subjects(of: reminder).first
  }

  /// Whether there is a notification of a subject, on the screen or sent.
  func knows(_ subject: String) -> Bool { requests[subject] != nil || isShown(subject) }

  /// Whether the notification of a subject was refused.
  func isRefused(_ subject: String) -> Bool { requests[subject]?.isRefused ?? false }

  /// Returns how many too old reminders a subject's notification on the screen counts.
  func tooOld(of subject: String) -> Int { board.tooOld(of: subject) }

  /// Whether a subject's notification is on the screen.
  func isShown(_ subject: String) -> Bool { board.notification(of: subject) != nil }

  /// Returns the reminders of the notification of a subject, in order.
  func reminders(of subject: String) -> [String] {
    if let request = requests[subject] {
      return (request.next ?? request.content).reminders.inOrder
    }
    return board.notification(of: subject).flatMap(board.reminders(of:)) ?? []
  }
}
