import CalendarBus
import CivilTime

/// Finds the reminder that somebody means by its ID or by the beginning of it.
struct ReminderLookup {
  let context: CommandContext

  /// Returns a title without the quotation marks that were copied along with it; nil where there are none.
  static func unquoted(_ text: String) -> String? {
    let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
    return isQuoted ? String(text.dropFirst().dropLast()) : nil
  }

  /// Whether a text is a whole ID, which is taken as it is, since it may be of a reminder that is over.
  private static func isWhole(_ text: String) -> Bool {
    text.utf8.count == 16 && text.allSatisfy(\.isHexDigit)
  }

  /// Returns the IDs of what ``find(_:)`` finds.
  func ids(of text: String) throws(CommandError) -> [String] { try find(text).ids }

  /// Returns the IDs of the reminders that wait of the event that is called so, else the only one that begins so,
  /// among the reminders that wait, else among those that are to ring, as far ahead as that is known, and else among
  /// those that are over; and whether the text is a title, so that nobody has written those.
  ///
  /// - Throws: ``CommandError/notFound(_:)``, listing them if there are several.
  func find(_ text: String) throws(CommandError) -> (ids: [String], isTitle: Bool) {
    if ReminderLookup.isWhole(text) { return ([text], false) }
    // "Ed" and "Dad" begin IDs, too: who has the title before their eyes means that.
    let titled = try ids(titled: text)
    if !titled.isEmpty { return (titled, true) }
    var near = try ahead(beginning: text)
    if near.isEmpty { near = try over(beginning: text) }
    guard let first = near.first else {
      let isShort = text.count < ReminderLookup.shortest
      throw .notFound(
        "no reminder\(isShort ? " that waits" : "") has an ID that begins with \"\(text)\", "
          + "and none that waits is called so (calctl "
          + "reminders lists those that wait, with the ID in front, calctl upcoming those to come)")
    }
    guard near.count == 1 else { throw try ambiguous(near) }
    return ([first.text(.id)], false)
  }

  func ambiguous(_ near: [Row]) throws(CommandError) -> CommandError {
    .notFound("\(near.count) reminders have an ID that begins so:", near: try list(near))
  }

  /// Returns those that wait and whose ID begins so, and else, of four digits and more, those that are to ring.
  func ahead(beginning text: String) throws(CommandError) -> [Row] {
    let near = try rows(beginning: text)
    guard near.isEmpty, ReminderLookup.isBeginning(text) else { return near }
    let small = text.lowercased()
    return try context.client().upcomingReminders(
      hours: Contract.maximumUpcomingHours
    ).filter { $0.text(.id).hasPrefix(small) }
  }

  /// Fewer digits of one that does not wait could be of anything: there may be hundreds.
  private static let shortest = 4

  private static func isBeginning(_ text: String) -> Bool {
    (shortest...16).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// Returns those that are over and whose ID begins so, each as its first step.
  private func over(beginning text: String) throws(CommandError) -> [Row] {
    var seen: Set<String> = []
    return try stepsOver(beginning: text).filter { seen.insert($0.text(.id)).inserted }
  }

  /// Returns all steps of those that are over and whose ID begins so.
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
    // What is called so is no reminder of that ID.
    return steps.filter { $0.text(.id).hasPrefix(small) }
  }

  /// The first ten, one a line, with what sets one apart from another of that title.
  private func list(_ rows: [Row]) throws(CommandError) -> [String] {
    let names = try context.calendarNames()
    let isOneCalendar = Set(rows.map { $0.text(.calendar) }).count == 1
    var lines: [String] = []
    for row in rows.prefix(10) {
      let due = try context.output.returnMoment(Timestamp(seconds: row.number(.due)))
      let calendar = row.text(.calendar)
      lines.append(
        "\(row.text(.id))  \(due)  \(row.text(.summary)): \(try context.output.when(row))"
          + (isOneCalendar ? "" : " (\(names[calendar] ?? calendar))"))
    }
    return rows.count > 10 ? lines + ["and \(rows.count - 10) more"] : lines
  }

  /// Returns the IDs of the reminders that wait of the only event of that title, whatever the case, of which any
  /// does; none where there is no such event.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)``, listing them if there are several events.
  func ids(titled text: String) throws(CommandError) -> [String] {
    let pending = try context.client().pendingReminders()
    var near = pending.filter { $0.isCalled(text) }
    if near.isEmpty, let bare = ReminderLookup.unquoted(text) {
      near = pending.filter { $0.isCalled(bare) }
    }
    let isOneEvent = near.dropFirst().allSatisfy { row in
      [.uid, .calendar].allSatisfy { row.text($0) == near[0].text($0) }
    }
    if isOneEvent { return near.map { $0.text(.id) } }
    throw .notFound(
      "\(near.count) reminders wait that are called \"\(text)\": say which by its ID:",
      near: try list(near))
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
