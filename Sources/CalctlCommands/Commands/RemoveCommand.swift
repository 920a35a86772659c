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
    options: [
      .choice(
        "--scope", "WORD", of: ["this", "this-and-future", "all"],
        localized(
          """
          what to remove: this, this-and-future or all (all; with an occurrence in the ID: this)
          """)),
      .json,
    ],
    summary: localized("remove an event, one occurrence of it, a to-do or a journal entry"),
    examples: [
      "calctl rm q7k2m9xw4cjt8vrn5hzb", "calctl rm \"Team standup@2026-11-23\"",
      "calctl rm standup@example.org/20261123T083000Z --scope this-and-future",
    ]
  ) { arguments, context throws(CommandError) in
    let reference = EventReference(arguments.positionals[0])
    let found = try EventLookup(context: context).any(
      reference,
      insteadOfOccurrence: localized("to exclude that day, import a file with an EXDATE"))
    let client = try context.client()
    let revision: Int64
    do throws(CommandError) {
      revision = try client.remove(
        found.uid, occurrence: found.occurrence, scope: arguments.value("--scope") ?? "",
        from: found.calendar)
    } catch {
      throw error.renamed([("scope", "--scope")])
    }
    let output = context.output
    if arguments.has(.json) {
      return try output.json(["removed": found.event.value.json, "revision": .integer(revision)])
    }
    if found.kind != .event { return try output.removed(other: found) }
    let isFromHere =
      found.event.flag(.recurring) && !found.occurrence.isEmpty
      && arguments.value("--scope") == "this-and-future"
    let summary = displayLine(found.event.text(.summary))
    let title = summary.isEmpty ? localized("(no title)") : summary
    var when = try output.when(found.event)
    // The override may be on another day than its occurrence, from which the rest is removed.
    if isFromHere, let place = try output.when(ofOccurrence: found.occurrence),
      !when.hasPrefix(place)
    {
      when = place
    }
    let removed =
      switch (found.event.flag(.recurring), found.occurrence.isEmpty, arguments.value("--scope")) {
      case (true, true, _), (true, _, "all"):
        localized(
          "Removed all occurrences of {title}; the first: {when}", ["title": title, "when": when])
      case _ where isFromHere:
        localized(
          "Removed {title} from this occurrence on: {when}", ["title": title, "when": when])
      default: localized("Removed {title}: {when}", ["title": title, "when": when])
      }
    try output.line(removed)
  }
}
