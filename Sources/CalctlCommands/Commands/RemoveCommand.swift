import CalendarBus
import JSON
import Widgets

extension CommandSpec {
  static let remove = CommandSpec(
    name: "rm",
    arguments: [
      ArgumentSpec(
        name: "ID", isRequired: true,
        help:
          "the whole ID of an event, a to-do or a journal entry, or ID/OCCURRENCE for one occurrence; see IDs"
      )
    ],
    options: [
      .choice(
        "--scope", "WORD", of: ["this", "this-and-future", "all"],
        "how much goes: this, this-and-future or all (all; with an occurrence in the ID: this)"),
      .json,
    ],
    summary: "remove an event, one occurrence of it, a to-do or a journal entry",
    examples: [
      "calctl rm q7k2m9xw4cjt8vrn5hzb", "calctl rm standup@example.org/20261123T083000Z",
      "calctl rm standup@example.org/20261123T083000Z --scope this-and-future",
    ]
  ) { arguments, context throws(CommandError) in
    let reference = EventReference(arguments.positionals[0])
    let found = try EventLookup(context: context).any(
      reference, insteadOfOccurrence: "a file with an EXDATE for that day can be imported")
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
    let extent =
      switch (found.event.flag(.recurring), found.occurrence.isEmpty, arguments.value("--scope")) {
      case (true, true, _), (true, _, "all"): ", all of it; it began"
      case _ where isFromHere: " from here on:"
      default: ":"
      }
    let title = displayLine(found.event.text(.summary))
    var when = try output.when(found.event)
    // An exception may have another day than the occurrence for which it stands, with which the
    // rest goes.
    if isFromHere, let place = try output.when(ofOccurrence: found.occurrence),
      !when.hasPrefix(place)
    {
      when = place
    }
    try output.line("Removed \(title.isEmpty ? "(no title)" : title)\(extent) \(when)")
  }
}
