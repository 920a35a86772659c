import CalendarBus
import CivilTime
import DBus
import JSON
import Platform
import Widgets

extension CommandSpec {
  static let status = CommandSpec(
    name: "status", arguments: [], options: [.json],
    summary: localized("print the state of the agent"),
    examples: ["calctl status", "calctl status --json"]
  ) { arguments, context throws(CommandError) in
    let properties = try context.client().properties()
    let output = context.output
    if arguments.has(.json) {
      let object = properties.json.objectValue ?? JSONObject()
      return try output.json(
        .object(JSONObject(object.names.map { ($0.withHyphens, object[$0] ?? .null) })))
    }
    func text(_ key: String) -> String { properties[key]?.asString ?? "" }
    func number(_ key: String) -> String { String(properties[key]?.asInteger ?? 0) }
    let next = properties["NextEvent"].map(Row.init) ?? Row()
    // An agent that cannot read the calendar gives no snapshot.
    let events =
      next.entries.isEmpty
      ? [(localized("next"), localized("no upcoming events"))]
      : try context.nowAndNextLines(context.client().snapshot())
    let pending = properties["PendingReminders"]?.asInteger ?? 0
    let lines =
      [
        (localized("state"), BusWords.state(text("State"), reason: text("StateReason"))),
        (localized("version"), text("Version")), (localized("zone"), text("TimeZone")),
        (localized("revision"), number("Revision")),
      ] + events + [
        (localized("reminders"), Output.pendingReminders(pending)),
        (localized("quiet"), try output.quietState(properties)),
        (localized("snapshot"), text("SnapshotPath")),
      ]
    try output.lines(lines.map { $0.0.padding(to: 10) + "  " + displayLine($0.1) })
  }
}

extension String {
  /// The name of a property as a key: "TimeZone" is "time-zone".
  var withHyphens: String {
    var key = ""
    for letter in self {
      if letter.isUppercase, !key.isEmpty { key += "-" }
      key += letter.lowercased()
    }
    return key
  }
}

extension Output {
  /// Returns the property PendingReminders in words: "2 waiting".
  static func pendingReminders(_ count: Int64) -> String {
    localized(Int(count), one: "{count} waiting", other: "{count} waiting")
  }
}

extension CommandContext {
  /// Returns a line with the current event, if there is one, and a line with the next one.
  fileprivate func nowAndNextLines(_ text: String) throws(CommandError) -> [(String, String)] {
    let snapshot = try SnapshotV1(reading: text)
    let events = snapshot.nowAndNext(at: now)
    func line(_ event: SnapshotEvent) throws(CommandError) -> String {
      var row = Row()
      row.set(.start, .int64(event.start.seconds))
      row.set(.end, .int64(event.end.seconds))
      return localized(
        "{title}, {when}",
        [
          "title": titleText(event.summary, times: event.count, MessageCatalogue.language),
          "when": try output.when(row),
        ])
    }
    var lines: [(String, String)] = []
    if let first = events.running.first {
      let others = events.running.count - 1 + snapshot.nowMore
      let event = try line(first)
      lines.append(
        (
          localized("now"),
          others > 0
            ? localized("{event} (and {number} more)", ["event": event, "number": others]) : event
        ))
    }
    let next = try events.coming.first.map(line) ?? localized("no upcoming events")
    lines.append((localized("next"), next))
    return lines
  }
}
