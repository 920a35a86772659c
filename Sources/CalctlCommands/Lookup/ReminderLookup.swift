import CalendarBus
import CivilTime
import Platform

/// Finds reminders by their ID, its beginning, or the title of their event or a part of it.
struct ReminderLookup {
  let context: CommandContext

  /// Returns a title without its quotation marks; nil if it has none.
  static func unquoted(_ text: String) -> String? {
    let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
    return isQuoted ? String(text.dropFirst().dropLast()) : nil
  }

  /// Returns whether a text is a whole ID, which is used unchecked: the reminder may be over.
  private static func isWhole(_ text: String) -> Bool {
    text.utf8.count == 16 && text.allSatisfy(\.isHexDigit)
  }

  /// Returns the IDs from ``find(_:)``.
  ///
  /// - Throws: See ``find(_:)``.
  func ids(of text: String) throws(CommandError) -> [String] { try find(text).ids }

  /// Finds reminders by the title of an event, by the beginning of an ID, or by a part of a title.
  ///
  /// A title or a part of it gives the pending reminders of that event. An ID is searched among the
  /// pending reminders, else the upcoming ones; after titles among those that are over. `isTitle`:
  /// it was a title or a part of one.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  func find(_ text: String) throws(CommandError) -> (ids: [String], isTitle: Bool) {
    if ReminderLookup.isWhole(text) { return ([text], false) }
    // "Ed" and "Dad" are also hexadecimal, but a title is likelier.
    let titled = try rows(titled: text)
    if !titled.isEmpty {
      let message = localized(
        titled.count,
        one: "{count} due or snoozed reminder is called \"{title}\"; choose one by its ID:",
        other: "{count} due or snoozed reminders are called \"{title}\"; choose one by its ID:",
        ["title": text])
      return (try ids(ofOneEvent: titled, message), true)
    }
    var near = try ahead(beginning: text)
    if near.isEmpty {
      let parts = try context.client().pendingReminders().filter { $0.mentions(text) }
      if !parts.isEmpty {
        let message = localized(
          parts.count,
          one: """
            {count} due or snoozed reminder has "{title}" in its title; choose one by its ID:
            """,
          other: """
            {count} due or snoozed reminders have "{title}" in their titles; choose one by its ID:
            """, ["title": text])
        return (try ids(ofOneEvent: parts, message), true)
      }
      near = try over(beginning: text)
    }
    guard let first = near.first else {
      throw .notFound(
        text.count < ReminderLookup.shortest
          ? localized(
            """
            no due or snoozed reminder has the title "{text}" or an ID that begins with it \
            (calctl reminders lists them with their IDs)
            """, ["text": text])
          : localized(
            """
            no reminder has an ID that begins with "{text}", and no due or snoozed one has that \
            title (calctl reminders and calctl upcoming list the IDs)
            """, ["text": text]))
    }
    guard near.count == 1 else { throw try ambiguous(near) }
    return ([first.text(.id)], false)
  }

  /// Returns the error for the beginning of several reminders' IDs.
  ///
  /// - Throws: Errors of the agent.
  func ambiguous(_ near: [Row]) throws(CommandError) -> CommandError {
    .notFound(
      localized(
        near.count, one: "{count} reminder has an ID that begins with this:",
        other: "{count} reminders have an ID that begins with this:"),
      near: try list(near))
  }

  /// Returns the pending reminders whose ID begins with a text, else the upcoming ones.
  ///
  /// Upcoming ones need at least four digits.
  ///
  /// - Throws: Errors of the agent.
  func ahead(beginning text: String) throws(CommandError) -> [Row] {
    let near = try rows(beginning: text)
    guard near.isEmpty, ReminderLookup.isBeginning(text) else { return near }
    let small = text.lowercased()
    return try context.client().upcomingReminders(
      hours: Contract.maximumUpcomingHours
    ).filter { $0.text(.id).hasPrefix(small) }
  }

  /// The fewest digits for a reminder that is not pending, since there may be hundreds of those.
  private static let shortest = 4

  private static func isBeginning(_ text: String) -> Bool {
    (shortest...16).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// Returns the reminders that are over and whose ID begins with a text, each once.
  private func over(beginning text: String) throws(CommandError) -> [Row] {
    var seen: Set<String> = []
    return try stepsOver(beginning: text).filter { seen.insert($0.text(.id)).inserted }
  }

  /// Returns all rows of the reminders that are over and whose ID begins with a text.
  ///
  /// - Throws: Errors of the agent.
  func stepsOver(beginning text: String) throws(CommandError) -> [Row] {
    guard ReminderLookup.isBeginning(text) else { return [] }
    let steps: [Row]
    do throws(CommandError) {
      steps = try context.client().why(text.lowercased(), occurrence: "")
    } catch  where error.isNotFound {
      return []
    } catch {
      throw error
    }
    let small = text.lowercased()
    // The answer may be about an event with that UID.
    return steps.filter { $0.text(.id).hasPrefix(small) }
  }

  /// Returns lines for the first ten with their times, since their titles may be the same.
  private func list(_ rows: [Row]) throws(CommandError) -> [String] {
    let names = try context.calendarNames()
    let isOneCalendar = Set(rows.map { $0.text(.calendar) }).count == 1
    var lines: [String] = []
    for row in rows.prefix(10) {
      let instant = Timestamp(seconds: row.number(.due))
      let due =
        instant == .latest
        ? localized("when you unlock the session") : try context.output.moment(instant)
      let calendar = row.text(.calendar)
      lines.append(
        "\(row.text(.id))  \(due)  "
          + row.text(.summary).with(text: try context.output.when(row))
          .with(remark: isOneCalendar ? "" : names[calendar] ?? calendar))
    }
    return lines.withRest(of: rows.count)
  }

  /// Returns whether a pending reminder is of an event with this title, regardless of case.
  ///
  /// - Throws: Errors of the agent.
  func isTitle(_ text: String) throws(CommandError) -> Bool { try !rows(titled: text).isEmpty }

  private func rows(titled text: String) throws(CommandError) -> [Row] {
    let pending = try context.client().pendingReminders()
    let near = pending.filter { $0.isCalled(text) }
    guard near.isEmpty, let bare = ReminderLookup.unquoted(text) else { return near }
    return pending.filter { $0.isCalled(bare) }
  }

  /// Returns the IDs of reminders that are all of one event, or that of the one that is chosen.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if they are of several events.
  private func ids(ofOneEvent rows: [Row], _ message: String) throws(CommandError) -> [String] {
    let isOneEvent = rows.dropFirst().allSatisfy { row in
      [.uid, .calendar].allSatisfy { row.text($0) == rows[0].text($0) }
    }
    if isOneEvent { return rows.map { $0.text(.id) } }
    let chosen = try EventLookup(context: context).only(rows, message, list: list)
    return [chosen.text(.id)]
  }

  /// Returns an example for a command without a reminder: the only due one, or how to find one.
  ///
  /// - Parameter words: The words after the ID.
  /// - Throws: Errors of the agent.
  func hint(_ command: String, then words: String) throws(CommandError) -> String {
    let due = try context.client().pendingReminders().filter { $0.text(.state) == "due" }
    guard due.count == 1 else {
      return localized(
        "for example: {command}, with an ID from calctl reminders; or --all",
        ["command": "calctl \(command) ID \(words)"])
    }
    return localized(
      "for {title}: {command}",
      [
        "title": due[0].text(.summary), "command": "calctl \(command) \(due[0].text(.id)) \(words)",
      ])
  }

  /// Returns the pending reminders whose ID begins with a text; empty for "".
  ///
  /// - Throws: Errors of the agent.
  func rows(beginning text: String) throws(CommandError) -> [Row] {
    if text.isEmpty { return [] }
    let small = text.lowercased()
    return try context.client().pendingReminders().filter { $0.text(.id).hasPrefix(small) }
  }
}
