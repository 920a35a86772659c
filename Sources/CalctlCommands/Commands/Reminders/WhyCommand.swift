import CalendarBus
import CivilTime
import Platform
import Widgets

extension CommandSpec {
  static let why = CommandSpec(
    name: "why",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: localized(
          "the ID of an event, a to-do or a reminder, its beginning, or a title; see IDs"))
    ],
    options: [.json],
    summary: localized("explain the reminders of an event"),
    details: [
      localized(
        """
        Prints what happened to the last 200 reminders of an event, even a removed one, and when \
        the next 10 are due, each after its ID. With the ID of a reminder, prints only that one.
        """)
    ],
    examples: [
      "calctl why q7k2m9xw4cjt8vrn5hzb", "calctl why standup@example.org/20261123T083000Z",
    ]
  ) { arguments, context throws(CommandError) in
    let text = arguments.positionals[0]
    guard text.contains(where: { $0 != " " }) else {
      throw .usage(
        localized("{argument} is empty", ["argument": "ID"]), command: "why",
        hint: CommandError.forExample("calctl why \"Team standup\""))
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

  /// Finds the reminders that a text means; the first of these that exists:
  ///
  /// 1. the event with this ID, even a removed one, or the reminder with this ID;
  /// 2. the event whose ID begins with it, or that has this title;
  /// 3. the only pending or future reminder whose ID begins with it, or those that are over;
  /// 4. the to-do, or the removed event, whose ID begins with it or that has this title.
  private static func found(
    _ text: String, _ context: CommandContext
  ) throws(CommandError) -> [Row] {
    let client = try context.client()
    let reference = EventReference(text)
    for (uid, occurrence) in reference.readings {
      do throws(CommandError) {
        let rows = try client.why(uid, occurrence: occurrence)
        // The agent also finds past reminders by the beginning of their IDs; an event whose ID
        // begins with the text is preferred.
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
        // A text that looks like the ID of a reminder may be one.
        guard text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
          throw .notFound(
            localized(
              """
              nothing has the ID or the title "{text}" (calctl find searches for words of a title, \
              calctl agenda --ids shows the IDs)
              """,
              ["text": text]))
        }
        throw .notFound(
          localized(
            """
            no event has the ID "{id}", and no reminder has an ID that begins so (calctl agenda \
            --ids shows the IDs of events, calctl reminders those of reminders)
            """,
            ["id": text]))
      }
      return try client.why(uid, occurrence: "")
    }
    let rows = try client.why(event.uid, occurrence: event.occurrence)
    // Another calendar may have an event with the same UID.
    return rows.filter { $0.text(.calendar) == event.calendar }
  }
}

extension CommandSpec {
  /// Returns the history of a reminder, or when it is due: a future reminder has no history yet.
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

  /// Returns the only removed event whose ID begins with a text, or else has it as its title.
  ///
  /// - Returns: nil if there is none.
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  private static func removed(
    _ text: String, _ context: CommandContext
  ) throws(CommandError) -> String? {
    let small = text.lowercased()
    let trash = try context.client().trash()
    var near = trash.filter { $0.text(.uid).lowercased().hasPrefix(small) }
    if near.isEmpty { near = trash.filter { $0.isCalled(text) } }
    // An event that was removed, restored and removed again is listed once for each time.
    var seen: Set<String> = []
    near = near.filter { seen.insert($0.text(.uid)).inserted }
    guard near.count > 1 else { return near.first?.text(.uid) }
    var lines: [String] = []
    for row in near.prefix(10) {
      let removed = try context.output.moment(Timestamp(seconds: row.number(.removed)))
      lines.append(
        "\(row.text(.uid))  "
          + localized(
            "{title}, removed {when}", ["title": row.text(.summary), "when": removed]))
    }
    if near.count > 10 {
      lines.append(localized("and {number} more", ["number": near.count - 10]))
    }
    throw .notFound(
      localized("several removed events match \"{text}\"; choose one by its ID:", ["text": text]),
      near: lines)
  }
}

extension Output {
  /// Prints past and future reminders, one for each line, below the title and the calendar:
  ///
  ///     Standup  (Work)
  ///       3f9c0a1be2d47856  shown at 08:45, 15 min before; dismissed at 08:46
  ///       81ab44c0d9e31f27  due at Tue 24 Nov 2026, 08:45, 15 min before
  ///
  /// - Parameter names: The names of the calendars by their IDs.
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
        let name =
          names[id]
          ?? (id.isEmpty ? "" : localized("{calendar}, which was removed", ["calendar": id]))
        text.append(
          heading(title.isEmpty ? localized("(no title)") : displayLine(title))
            + (name.isEmpty ? "" : "  " + displayLine(name).inBrackets))
      }
      // The rows of one reminder are adjacent.
      let id = first.text(.id)
      let steps = id.isEmpty ? rest.prefix(1) : rest.prefix { $0.text(.id) == id }
      rest = rest.dropFirst(steps.count)
      text.append(
        "  " + (id.isEmpty ? "" : "\(displayLine(id))  ")
          + displayLine(try words.line(Array(steps))))
    }
    if rows.isEmpty { text.append(localized("No reminders are known.")) }
    try lines(text)
  }
}
