import CalendarBus

/// Finds the reminder that somebody means by its ID or by the beginning of it.
struct ReminderLookup {
  let context: CommandContext

  /// Whether a text is a whole ID, which is taken as it is, since it may be of a reminder that is over.
  private static func isWhole(_ text: String) -> Bool {
    text.utf8.count == 16 && text.allSatisfy(\.isHexDigit)
  }

  /// Returns the ID that begins so, among the reminders that wait, and else among those that are
  /// to ring, as far ahead as that is known.
  ///
  /// - Throws: ``CommandError/notFound(_:)``, listing them if there are several.
  func id(beginning text: String) throws(CommandError) -> String {
    if ReminderLookup.isWhole(text) { return text }
    var near = try rows(beginning: text)
    if near.isEmpty, !text.isEmpty {
      let small = text.lowercased()
      near = try context.client().upcomingReminders(
        hours: Contract.maximumUpcomingHours
      ).filter { $0.text(.id).hasPrefix(small) }
    }
    if near.isEmpty, let titled = try id(titled: text) { return titled }
    guard let first = near.first else {
      throw .notFound(
        "no reminder has an ID that begins with \"\(text)\", and none that waits is called so (calctl "
          + "reminders lists those that wait, with the ID in front, calctl upcoming those to come)")
    }
    guard near.count == 1 else {
      throw .notFound(
        "\(near.count) reminders have an ID that begins so:",
        near: near.prefix(10).map { "\($0.text(.id))  \($0.text(.summary))" })
    }
    return first.text(.id)
  }

  /// Returns the ID of the only reminder that waits of an event of that title, whatever the case; nil where
  /// none does.
  ///
  /// - Throws: ``CommandError/notFound(_:)``, listing them if there are several.
  func id(titled text: String) throws(CommandError) -> String? {
    let small = text.lowercased()
    let near = try context.client().pendingReminders().filter {
      !small.isEmpty && $0.text(.summary).lowercased() == small
    }
    guard near.count > 1 else { return near.first?.text(.id) }
    throw .notFound(
      "\(near.count) reminders wait that are called \"\(text)\": say which by its ID:",
      near: near.prefix(10).map { "\($0.text(.id))  \($0.text(.summary))" })
  }

  /// What to write where no reminder was named: the only one that is due, or how to find one.
  ///
  /// - Parameter words: what stands behind the ID.
  func hint(_ command: String, then words: String) throws(CommandError) -> String {
    let due = try context.client().pendingReminders().filter { $0.text(.state) == "due" }
    guard due.count == 1 else {
      return "such as: calctl \(command) ID \(words), with an ID of calctl reminders; or --all"
    }
    return "of \(due[0].text(.summary)): calctl \(command) \(due[0].text(.id)) \(words)"
  }

  /// Returns the reminders that wait and whose ID begins so; none for "".
  func rows(beginning text: String) throws(CommandError) -> [Row] {
    if text.isEmpty { return [] }
    let small = text.lowercased()
    return try context.client().pendingReminders().filter { $0.text(.id).hasPrefix(small) }
  }
}
