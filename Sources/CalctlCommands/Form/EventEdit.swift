import CalendarBus
import CivilTime
import DBus
import Phrases
import Platform
import Widgets

/// A change of one event by the options of `calctl edit`.
struct EventEdit {
  let context: CommandContext
  let found: EventLookup.Found
  let reference: EventReference
  /// As on the bus; "" for the usual one.
  let scope: String

  /// Whether only one occurrence changes.
  private var isOne: Bool { !found.occurrence.isEmpty && (scope.isEmpty || scope == "this") }

  /// Changes the event, and prints it.
  ///
  /// - Returns: Whether it was changed: not if the user does not mean an end.
  /// - Throws: Errors of the agent, with the names of the options.
  @discardableResult
  func run(_ arguments: ParsedArguments) throws(CommandError) -> Bool {
    var changes = try EditedEvent.row(arguments, context.localPhrases)
    let target = try arguments.calendar(context)
    let client = try context.client()
    if !target.isEmpty, !found.occurrence.isEmpty, scope != "all" {
      throw .usage(
        localized("{option}: an event moves as a whole", ["option": "--calendar"]),
        command: "edit",
        hint: found.hintOfSeries(reference))
    }
    if let start = changes[.start]?.asString {
      let phrases = context.phrases(in: try context.zone())
      changes.set(.start, try EditedTimes.start(start, of: found.event, phrases))
    }
    // With --all-day, the end is a day without a time.
    if let end = changes[.end]?.asString, !changes.flag(.allDay) {
      let phrases = context.phrases(in: try context.zone(reading: changes.text(.timeZone)))
      changes.set(.end, EditedTimes.end(end, of: found.event, phrases))
    }
    if changes[.end] != nil {
      let phrases = context.phrases(in: try context.zone(reading: changes.text(.timeZone)))
      let start = CommandContext.start(of: found.event, changes, phrases)
      guard
        try context.settleEnd(&changes, start: start, asks: context.canAsk(arguments), phrases)
      else {
        try context.output.line(localized("Nothing was changed."))
        return false
      }
    }
    var (uid, warnings): (String, [String]) = (found.uid, [])
    if !changes.entries.isEmpty {
      do throws(CommandError) {
        (uid, _, warnings) = try client.update(
          found.name, occurrence: found.occurrence, scope: scope, changes: changes)
      } catch {
        throw error.renamed(
          [("scope", "--scope"), ("recurrence_id", "ID")]
            + EditedEvent.keys.map { ($0.key.rawValue, $0.name) })
      }
    }
    var calendar = found.calendar
    if !target.isEmpty, target != calendar {
      do throws(CommandError) {
        _ = try client.move([found.name], to: target)
      } catch {
        throw error.renamed([("calendar", "--calendar")])
      }
      calendar = target
      if !arguments.has(.json) { context.warnIfHidden(target) }
    }
    var event = try client.event(uid, occurrence: isOne ? found.occurrence : "", in: calendar)
    event.setWarnings(warnings)
    let output = context.output
    if arguments.has(.json) {
      try output.json(event)
      return true
    }
    let isFromHere = scope == "this-and-future" && uid != found.uid
    let change: ChangedScope =
      isFromHere
      ? .following
      : ChangedScope(event, occurrence: isOne ? found.occurrence : "", scope: scope)
    try output.line(change.changed(context.titleAndRepeats(event), output.when(event)))
    try AddedEvent.printNotes(event, arguments.all("--reminder"), context)
    if uid != found.uid { try output.line("id \(EventReference(event).text)") }
    return true
  }

  /// Lets the user change the event in an editor; returns whether it was changed.
  ///
  /// - Throws: See ``FormSession/run(_:)``.
  func openForm(isJSON: Bool) throws(CommandError) -> Bool {
    let last = (isJSON ? ["--json"] : []) + ["--", reference.text]
    return try form().run { (options) throws(CommandError) in
      try run(ParsedArguments(options + last, for: .edit))
    }
  }

  private func form() throws(CommandError) -> FormSession {
    let names = try context.client().calendars().map { $0.text(.name) }
    let name = context.calendar(found.calendar)?.text(.name) ?? found.calendar
    let isPart = !found.occurrence.isEmpty && scope != "all"
    let form = EventForm(
      found.event, isOne: isPart, calendar: name, context.phrases(in: try context.zone()))
    return FormSession(
      context: context, form: form, comments: try comments(isPart: isPart, calendars: names))
  }

  private func comments(isPart: Bool, calendars: [String]) throws(CommandError) -> [String] {
    var lines = [
      localized("Save and close to change the event; leave this as it is to change nothing.")
    ]
    switch ChangedScope(found.event, occurrence: found.occurrence, scope: scope) {
    case .event: break
    case .this: lines.append(localized("Only this occurrence changes."))
    case .following: lines.append(localized("This occurrence and the following ones change."))
    case .all: lines.append(localized("All occurrences change; the times are of the first."))
    }
    let zone = try context.zone().name
    lines += [
      "",
      localized(
        "start: {examples}; a day alone keeps the time ({zone})",
        ["examples": "2026-12-03 14:00, fri 9:30, 15:00, +1d", "zone": zone]),
      localized(
        "end: a time, or how long: {examples}; left as it is, the event lasts as long as before",
        ["examples": "45m, 3d"]),
    ]
    if !isPart {
      lines.append(
        localized(
          "repeat: {examples}, a rule, or none",
          ["examples": "weekly, mon,wed, every 2 weeks until 31 Jan"]))
    }
    lines.append(
      localized(
        "reminder: {examples}, none, or default; one on each line",
        ["examples": found.event.flag(.allDay) ? "9:00, 1d 18:00, 2d" : "15m, 1d, end-5m"]))
    if !isPart {
      lines.append(
        localized("calendar: {names}", ["names": localizedList(calendars.map { displayLine($0) })]))
    }
    return lines.map { displayLine($0) }
  }
}
