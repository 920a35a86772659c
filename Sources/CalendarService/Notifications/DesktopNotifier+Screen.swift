// What is on the screen, or asked for.

extension DesktopNotifier {
  /// Returns what there is one notification of and stands for a reminder; nil where none is on the
  /// screen.
  func subject(of reminder: String) -> String? {
    requests.request(for: reminder)?.content.subject ?? board.subjects(of: reminder).first
  }

  /// Whether there is a notification of a subject, on the screen or asked for.
  func knows(_ subject: String) -> Bool { requests[subject] != nil || isShown(subject) }

  /// Whether the one that is asked for was refused.
  func isRefused(_ subject: String) -> Bool { requests[subject]?.isRefused ?? false }

  /// How many that were too old to be told the one on the screen counts.
  func tooOld(of subject: String) -> Int { board.tooOld(of: subject) }

  /// Whether there is one on the screen.
  func isShown(_ subject: String) -> Bool { board.notification(of: subject) != nil }

  /// Returns what the notification of a subject stands for, in order.
  func reminders(of subject: String) -> [String] {
    if let request = requests[subject] {
      return (request.next ?? request.content).reminders.inOrder
    }
    return board.notification(of: subject).flatMap(board.reminders(of:)) ?? []
  }
}
