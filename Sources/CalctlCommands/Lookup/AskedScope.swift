import CalendarBus
import CivilTime
import DBus
import Platform

/// Asks on a terminal which occurrences of a series are to be changed.
struct AskedScope {
  let context: CommandContext

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
    found.event.flag(.recurring) && found.occurrence.isEmpty && scope.isEmpty
      && !arguments.has(.yes) && !AskedScope.ofSeries.contains { arguments.has($0) }
      && context.canAsk(arguments)
  }

  /// Shows the next occurrence, and asks whether it changes, it and the following, or all.
  ///
  /// - Returns: What changes and its scope; nil if nothing does.
  /// - Throws: Errors of the agent and of the terminal.
  func ask(
    _ series: EventLookup.Found
  ) throws(CommandError) -> (found: EventLookup.Found, scope: String)? {
    let title = try context.titleAndRepeats(series.event)
    guard let next = try next(of: series) else {
      context.writeError(
        localized(
          "Change all occurrences of {title}; the first: {when}? [y/N] ",
          ["title": title, "when": try context.output.when(series.event)]))
      return try context.isYes() ? (series, "all") : nil
    }
    context.writeError(
      localized(
        "{title}; the next: {when}", ["title": title, "when": try context.output.when(next.event)])
        + "\n"
        + localized("Change the next one (t), it and the following (f), or all (a)? [t/f/a/N] "))
    return switch try context.line()?.lowercased().first {
    case "t", "y": (next, "this")
    case "f": (next, "this-and-future")
    case "a": (series, "all")
    default: nil
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
