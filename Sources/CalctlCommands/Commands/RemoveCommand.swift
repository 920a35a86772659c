import CalendarBus
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let remove = CommandSpec(
    name: "rm",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help: localized(
          """
          the ID of an event, a to-do or a journal entry, its beginning, or the title or a part of \
          it; ID/OCCURRENCE or TITLE@DAY for one occurrence; see IDs
          """))
    ],
    options: OptionSpec.scopes(
      localized(
        """
        what to remove: this, this-and-future or all (all; with an occurrence in the ID: this)
        """)) + [.yes, .json],
    summary: localized("remove an event, one occurrence of it, a to-do or a journal entry"),
    details: [
      localized(
        """
        On a terminal it shows what it removes and asks once: whether to remove it, and of a series \
        whether the next occurrence goes (this), that and the following, or all. With --yes or \
        --json, and without a terminal, it does not ask: then a part of a title, and the title of \
        an event that is over, is refused unless with --yes. calctl undo brings it back.
        """)
    ],
    examples: [
      "calctl rm q7k2m9xw4cjt8vrn5hzb", "calctl rm \"Team standup@2026-11-23\"",
      "calctl rm standup@example.org/20261123T083000Z --following",
    ]
  ) { arguments, context throws(CommandError) in
    var scope = try arguments.scope(of: "rm")
    let reference = EventReference(arguments.positionals[0])
    let lookup = EventLookup(context: context)
    var found = try lookup.any(
      reference,
      insteadOfOccurrence: localized("to exclude that day, import a file with an EXDATE"))
    let asked = AskedScope(context: context, removes: true)
    try asked.requireOccurrence(found, scope: scope, command: "rm")
    if context.canAsk(arguments), !arguments.has(.yes) {
      let answer =
        asked.isNeeded(found, scope: scope, arguments)
        ? try asked.ask(found)
        : try context.askToRemove(found, scope: scope).map { (found, $0) }
      guard let answer else {
        return try context.output.line(localized("Nothing was removed."))
      }
      (found, scope) = answer
    } else if !arguments.has(.yes) {
      try lookup.refuse(doubtful: found, reference)
    }
    // The first occurrence can be read only before it is removed.
    let removal =
      arguments.has(.json) || found.kind != .event
      ? nil : try EventRemoval(found, scope: scope, context)
    let revision: Int64
    do throws(CommandError) {
      revision = try context.client().remove(
        found.name, occurrence: found.occurrence, scope: scope)
    } catch {
      throw error.renamed([("scope", "--scope")])
    }
    let output = context.output
    if arguments.has(.json) {
      return try output.json(["removed": found.event.value.json, "revision": .integer(revision)])
    }
    guard let removal else { return try output.removed(other: found) }
    try output.line(removal.change.removed(removal.title, removal.when))
  }
}

/// What `calctl rm` removes of an event.
private struct EventRemoval {
  let change: ChangedScope
  /// With how it repeats.
  let title: String
  let when: String

  /// - Parameter scope: As on the bus.
  init(
    _ found: EventLookup.Found, scope: String, _ context: CommandContext
  ) throws(CommandError) {
    change = ChangedScope(found.event, occurrence: found.occurrence, scope: scope)
    var row = found.event
    if change == .all, !found.occurrence.isEmpty {
      row = try context.client().event(found.uid, occurrence: "", in: found.calendar)
    }
    title = try context.titleAndRepeats(row)
    let own = try context.output.when(row)
    // The override may be on another day than its occurrence, from which the rest is removed.
    if change == .following, let place = try context.output.when(ofOccurrence: found.occurrence),
      !own.hasPrefix(place)
    {
      when = place
    } else {
      when = own
    }
  }
}

extension CommandContext {
  /// Shows what `calctl rm` removes, and asks for a yes, or which occurrences.
  ///
  /// - Parameter scope: As on the bus; "" if it was not given.
  /// - Returns: The scope; nil if nothing is to be removed.
  func askToRemove(
    _ found: EventLookup.Found, scope: String
  ) throws(CommandError) -> String? {
    guard found.kind == .event else {
      let title = Output.title(found.event.text(.summary))
      writeError(
        localized("Remove {title} ({kind})? [y/N] ", ["title": title, "kind": found.kindName]))
      return try isYes() ? scope : nil
    }
    let removal = try EventRemoval(found, scope: scope, self)
    guard removal.change == .this, scope.isEmpty else {
      writeError(removal.change.question(removal.title, removal.when))
      return try isYes() ? scope : nil
    }
    writeError(
      removal.title.with(text: removal.when) + "\n"
        + localized("Remove this occurrence (t), it and the following (f), or all (a)? [t/f/a/N] "))
    return try self.scope()
  }
}
