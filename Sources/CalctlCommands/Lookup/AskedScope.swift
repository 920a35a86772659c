import CalendarBus
import CivilTime
import DBus
import Platform
import Widgets

/// Asks on a terminal which occurrences of a series are to be changed or removed.
struct AskedScope {
  let context: CommandContext
  /// Whether they are removed.
  var removes = false

  /// Options of `calctl edit` that change a whole series.
  private static let ofSeries = ["--repeat", OptionSpec.calendar.name]
  /// How many days are searched for the next occurrence, one range after the other.
  private static let searchedDays: [Int64] = [8, 64, 512, 4096]

  /// Returns whether it is asked: the series has no day and no scope, and a person can answer.
  ///
  /// - Parameter scope: As on the bus; "" if it was not given.
  func isNeeded(
    _ found: EventLookup.Found, scope: String, _ arguments: ParsedArguments
  ) -> Bool {
    AskedScope.isSeries(found) && scope.isEmpty && !arguments.has(.yes)
      && !AskedScope.ofSeries.contains { arguments.has($0) } && context.canAsk(arguments)
  }

  /// Whether all of a series is named.
  private static func isSeries(_ found: EventLookup.Found) -> Bool {
    found.kind == .event && found.event.flag(.recurring) && found.occurrence.isEmpty
  }

  /// Refuses a scope that begins at an occurrence where none is named.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` with the next one, else with the first.
  func requireOccurrence(
    _ found: EventLookup.Found, scope: String, command: String
  ) throws(CommandError) {
    guard AskedScope.isSeries(found), !scope.isEmpty, scope != "all" else { return }
    let title = displayLine(found.event.text(.summary))
    let day = (try next(of: found)?.event ?? found.event).text(.startText).prefix(10)
    // What a shell would change in quotation marks.
    let isPlain = !title.isEmpty && !title.contains { "\"$`\\!".contains($0) }
    throw .usage(
      localized(
        "{option} needs one occurrence, and {title} is a series",
        ["option": scope == "this" ? "--this" : "--following", "title": Output.title(title)]),
      command: command,
      hint: CommandError.forExample(
        "\"\(isPlain ? title : found.uid)@\(day)\""))
  }

  /// Shows the next occurrence, and asks whether it is meant, it and the following, or all.
  ///
  /// - Returns: What changes or goes, and its scope; nil if nothing does.
  /// - Throws: Errors of the agent and of the terminal.
  func ask(
    _ series: EventLookup.Found
  ) throws(CommandError) -> (found: EventLookup.Found, scope: String)? {
    let title = try context.titleAndRepeats(series.event)
    guard let next = try next(of: series) else {
      let when = try context.output.when(series.event)
      context.writeError(
        removes
          ? ChangedScope.all.question(title, when)
          : localized(
            "Change all occurrences of {title}; the first: {when}? [y/N] ",
            ["title": title, "when": when]))
      return try context.isYes() ? (series, "all") : nil
    }
    context.writeError(
      localized(
        "{title}; the next: {when}", ["title": title, "when": try context.output.when(next.event)])
        + "\n"
        + (removes
          ? localized("Remove the next one (t), it and the following (f), or all (a)? [t/f/a/N] ")
          : localized("Change the next one (t), it and the following (f), or all (a)? [t/f/a/N] ")))
    return switch try context.scope() {
    case "all": (series, "all")
    case let scope?: (next, scope)
    case nil: nil
    }
  }

  /// Returns the occurrence that is not over; nil if all of the next years are.
  private func next(
    of series: EventLookup.Found
  ) throws(CommandError) -> EventLookup.Found? {
    let lookup = EventLookup(context: context)
    var calendar = try lookup.allCalendars()
    calendar.set(.calendars, [series.calendar])
    var from = context.now.seconds
    for days in AskedScope.searchedDays {
      let to = context.now.seconds + days * 86_400
      var options = calendar
      var cursor = ""
      repeat {
        options.setUnlessEmpty(.cursor, cursor)
        let page = try context.client().occurrences(
          from: "@\(from)", to: "@\(to)", options: options)
        // A row that counts several occurrences names none of them.
        if let row = page.rows.first(where: { $0.text(.uid) == series.uid && $0[.count] == nil }) {
          return try lookup.found(row, row.text(.recurrenceID))
        }
        cursor = page.next
      } while !cursor.isEmpty
      from = to
    }
    return nil
  }
}

extension CommandContext {
  /// Reads t, f or a from the terminal, and returns the scope as on the bus; nil for anything else.
  ///
  /// - Throws: Errors of the terminal.
  func scope() throws(CommandError) -> String? {
    switch try line()?.lowercased().first {
    case "t", "y": "this"
    case "f": "this-and-future"
    case "a": "all"
    default: nil
    }
  }
}
