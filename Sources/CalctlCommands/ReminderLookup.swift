import CalendarBus

/// Finds the reminder that somebody means by its ID or by the beginning of it.
struct ReminderLookup {
  let context: CommandContext

  /// How long an ID is; what has that length is taken as it is, since it may be of a
  /// reminder that is over.
  private static let wholeLength = 16

  /// Returns the ID that begins so, among the reminders that wait.
  ///
  /// - Throws: ``CommandError/notFound(_:)``, listing them if there are several.
  func id(beginning text: String) throws(CommandError) -> String {
    if text.utf8.count == ReminderLookup.wholeLength { return text }
    let near = try rows(beginning: text)
    guard let first = near.first else {
      throw .notFound(
        "no reminder that waits has an ID that begins with \"\(text)\" (calctl reminders lists them)"
      )
    }
    guard near.count == 1 else {
      throw .notFound(
        "\(near.count) reminders have an ID that begins so:",
        near: near.prefix(10).map { "\($0.text(.id))  \($0.text(.summary))" })
    }
    return first.text(.id)
  }

  /// Returns the reminders that wait and whose ID begins so; none for "".
  func rows(beginning text: String) throws(CommandError) -> [Row] {
    if text.isEmpty { return [] }
    let small = text.lowercased()
    return try context.client().pendingReminders().filter { $0.text(.id).hasPrefix(small) }
  }
}
