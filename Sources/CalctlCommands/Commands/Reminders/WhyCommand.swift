import CalendarBus
import CivilTime
import Widgets

extension CommandSpec {
  static let why = CommandSpec(
    name: "why",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: "the ID of an event, to-do or reminder, the beginning of it, or a title; see IDs")
    ],
    options: [.json], summary: "why an event rang, will ring, or does not",
    details: [
      """
      What became of its last 200 reminders, and when the next 10 ring; of a reminder, what became \
      of that one. It is known also when it was dismissed, or its event is gone. The ID of each stands in front.
      """
    ],
    examples: [
      "calctl why q7k2m9xw4cjt8vrn5hzb", "calctl why standup@example.org/20261123T083000Z",
    ]
  ) { arguments, context throws(CommandError) in
    let text = arguments.positionals[0]
    guard text.contains(where: { $0 != " " }) else {
      throw .usage("ID is empty", command: "why", hint: "such as: calctl why \"Team standup\"")
    }
    let rows: [Row]
    do throws(CommandError) {
      rows = try found(text, context)
    } catch {
      guard case .notFound(_, near: []) = error, let bare = ReminderLookup.unquoted(text) else {
        throw error
      }
      rows = try found(bare, context)
    }
    if arguments.has(.json) { return try context.output.json(rows) }
    try context.output.why(rows, calendars: context.calendarNames())
  }

  /// The event of that ID, one that is gone, a reminder of that ID, the event whose ID begins so, or of that title,
  /// the only reminder whose ID begins so that waits or is to come, or those that are over; else what was removed,
  /// and the to-do, by the beginning of its ID or by its title.
  private static func found(
    _ text: String, _ context: CommandContext
  ) throws(CommandError) -> [Row] {
    let client = try context.client()
    let reference = EventReference(text)
    for (uid, occurrence) in reference.readings {
      do throws(CommandError) {
        let rows = try client.why(uid, occurrence: occurrence)
        // The agent knows reminders that are over by the beginning of their IDs, too: an event that begins so is
        // meant first.
        guard rows.contains(where: { $0.text(.uid) != uid && $0.text(.id) != uid }) else {
          return rows
        }
      } catch  where error.isNotFound {
        continue
      } catch {
        throw error
      }
    }
    let event: EventLookup.Found
    do throws(CommandError) {
      event = try EventLookup(context: context).event(beginning: reference)
    } catch {
      guard case .notFound(_, near: []) = error else { throw error }
      let lookup = ReminderLookup(context: context)
      let reminders = try lookup.ahead(beginning: text)
      if reminders.count > 1 { throw try lookup.ambiguous(reminders) }
      if let reminder = reminders.first { return try story(of: reminder, client) }
      let over = try lookup.stepsOver(beginning: text)
      if !over.isEmpty { return over }
      if let toDo = try EventLookup(context: context).other(beginning: reference) {
        let rows = try client.why(toDo.uid, occurrence: "")
        return rows.filter { $0.text(.calendar) == toDo.calendar }
      }
      guard let uid = try removed(text, context) else {
        // What looks like the ID of a reminder may be meant as one.
        guard text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
          throw .notFound(
            "nothing has the ID \"\(text)\" or is called so (calctl find looks for words of a title, calctl "
              + "agenda --ids shows the IDs)")
        }
        throw .notFound(
          "no event has the ID \"\(text)\", and no reminder has one that begins so (calctl "
            + "agenda --ids shows those of events, calctl reminders those of reminders)")
      }
      return try client.why(uid, occurrence: "")
    }
    let rows = try client.why(event.uid, occurrence: event.occurrence)
    // Another calendar may have an event of that uid, too.
    return rows.filter { $0.text(.calendar) == event.calendar }
  }
}

extension CommandSpec {
  /// What became of a reminder, or what is to: one that is to ring has no ledger yet.
  private static func story(
    of reminder: Row, _ client: CalendarClient<CommandError>
  ) throws(CommandError) -> [Row] {
    let id = reminder.text(.id)
    do throws(CommandError) {
      return try client.why(id, occurrence: "")
    } catch  where error.isNotFound {
      let rows = try client.why(reminder.text(.uid), occurrence: reminder.text(.recurrenceID))
      return rows.filter { $0.text(.id) == id }
    } catch {
      throw error
    }
  }

  /// The only event of the trash whose ID begins so, or else which is called so; nil where there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)``, listing them if there are several.
  private static func removed(
    _ text: String, _ context: CommandContext
  ) throws(CommandError) -> String? {
    let small = text.lowercased()
    let trash = try context.client().trash()
    var near = trash.filter { $0.text(.uid).lowercased().hasPrefix(small) }
    if near.isEmpty { near = trash.filter { $0.isCalled(text) } }
    // One that was removed, restored and removed again is there once for each time.
    var seen: Set<String> = []
    near = near.filter { seen.insert($0.text(.uid)).inserted }
    guard near.count > 1 else { return near.first?.text(.uid) }
    var lines: [String] = []
    for row in near.prefix(10) {
      let removed = try context.output.moment(Timestamp(seconds: row.number(.removed)))
      lines.append("\(row.text(.uid))  \(row.text(.summary)), removed \(removed)")
    }
    if near.count > 10 { lines.append("and \(near.count - 10) more") }
    throw .notFound(
      "\(near.count) events that were removed fit \"\(text)\": say which by its ID:", near: lines)
  }
}

extension Output {
  /// Prints what became of reminders, and what is to come, a line each, under the title and
  /// the calendar:
  ///
  ///     Standup  (Work)
  ///       3f9c0a1be2d47856  rang 08:45, 15 min before; dismissed at 08:46
  ///       81ab44c0d9e31f27  will ring Tue 24 Nov 2026, 08:45, 15 min before
  ///
  /// - Parameter names: the names of the calendars by their ids.
  func why(_ rows: [Row], calendars names: [String: String]) throws(CommandError) {
    let words = WhyWords(moment: moment, zone: try zone(), calendars: names)
    var text: [String] = []
    var rest = rows[...]
    var calendar: String?
    while let first = rest.first {
      if calendar != first.text(.calendar) {
        let id = first.text(.calendar)
        calendar = id
        let title = rest.prefix { $0.text(.calendar) == id }.last?.text(.summary) ?? ""
        let name = names[id] ?? (id.isEmpty ? "" : "\(id), which is gone")
        text.append(
          heading(displayLine(title.isEmpty ? "(no title)" : title))
            + (name.isEmpty ? "" : "  (\(displayLine(name)))"))
      }
      // The steps of one reminder stand together.
      let id = first.text(.id)
      let steps = id.isEmpty ? rest.prefix(1) : rest.prefix { $0.text(.id) == id }
      rest = rest.dropFirst(steps.count)
      text.append(
        "  " + (id.isEmpty ? "" : "\(displayLine(id))  ")
          + displayLine(try words.line(Array(steps))))
    }
    if rows.isEmpty { text.append("Nothing is known of its reminders.") }
    try lines(text)
  }
}
