import CalendarBus
import CivilTime
import JSON
import Phrases
import Platform
import Widgets

extension CommandSpec {
  static let free = CommandSpec(
    name: "free",
    arguments: [
      ArgumentSpec(
        name: "FROM", isRequired: false,
        help: localized(
          "a day, a day and a time, or several days: tomorrow, \"mon 14:00\", next week (now)"),
        repeats: true)
    ],
    options: [
      .value(
        "--days", "N",
        localized("how many days, 1 to 366 (those of FROM; without FROM and for -7d: 7)")),
      .value(
        "--length", "DURATION", localized("only times at least this long: 15m, 1h30m (30m)")),
      .json,
    ],
    summary: localized("list free times within your working hours"),
    details: [
      localized(
        """
        Working hours are set in datebook.conf: working-hours = mon-fri 9:00-17:00, in the section \
        [calendar].
        """),
      BusyOptions.help,
    ],
    examples: ["calctl free", "calctl free tomorrow --length 1h", "calctl free --json"]
  ) { arguments, context throws(CommandError) in
    let days = try arguments.days(of: "free")
    let minutes = try leastMinutes(arguments.value("--length") ?? "30m")
    let range = try context.range(arguments.phrase, days: days)
    let slots: [(start: Int64, end: Int64)]
    do throws(CommandError) {
      slots = try context.client().freeSlots(from: range.from, to: range.to, minutes: minutes)
    } catch {
      throw error.renamed([("from", "FROM")])
    }
    let output = context.output
    if arguments.has(.json) {
      return try output.json(
        .array(
          slots.map { slot in
            .object(JSONObject([("start", .integer(slot.start)), ("end", .integer(slot.end))]))
          }))
    }
    if slots.isEmpty {
      return try output.line(localized("No free time within your working hours."))
    }
    try output.slots(slots)
  }

  private static func leastMinutes(_ text: String) throws(CommandError) -> UInt32 {
    guard let length = try? readDuration(text),
      (60...604_800).contains(length.approximateSeconds)
    else {
      throw .usage(
        localized(
          "{option}: \"{value}\" must be a duration from 1 minute to 7 days",
          ["option": "--length", "value": text]),
        command: "free", hint: CommandError.forExample("--length 45m"))
    }
    return UInt32((length.approximateSeconds + 59) / 60)
  }
}

extension CommandContext {
  /// Returns a range for the bus: from a given time, or the next minute, to the midnight after some
  /// days.
  ///
  /// - Parameter days: How many days were asked for; nil for those of the text, see
  ///   ``ListedDays/count(_:_:_:)``.
  /// - Throws: ``CommandError/usage(_:command:hint:)``.
  func range(_ text: String, days given: UInt32?) throws(CommandError) -> (from: String, to: String)
  {
    let read = try days(text, "FROM")
    let first = read.days.lowerBound
    let days = Int(ListedDays.count(given, text, read))
    guard let end = first.adding(days: days) else {
      throw .usage(
        localized(
          days, one: "{count} day from {day} is after the year 9999, the last one",
          other: "{count} days from {day} is after the year 9999, the last one",
          ["day": "\(first)"]),
        command: nil, hint: nil)
    }
    let from = read.unit == .day ? text : first.description
    return (text.isEmpty ? "@\((now.seconds + 59) / 60 * 60)" : from, end.description)
  }
}

extension Output {
  /// Prints free times by day:
  ///
  ///     Mon 23 Nov 2026
  ///       09:00 – 09:30  30 min
  fileprivate func slots(_ slots: [(start: Int64, end: Int64)]) throws(CommandError) {
    let zone = try zone()
    var text: [String] = []
    var last: CivilDate?
    for slot in slots {
      let start = zone.reading(at: Timestamp(seconds: slot.start))
      let end = zone.reading(at: Timestamp(seconds: slot.end))
      if start.date != last {
        if last != nil { text.append("") }
        text.append(heading(TimeText.current.shortDate(start.date)))
        last = start.date
      }
      let until = TimeText.current.clock(endingAt: end.time)
      let ending =
        end.date == start.date || end.time == .midnight
        ? until
        : localized(
          "{time} on {day}", ["time": until, "day": TimeText.current.shortDate(end.date)])
      let length = ReminderText.length(CalendarDuration(seconds: slot.end - slot.start))
      text.append("  \(TimeText.current.clock(start.time)) – \(ending)  \(length)")
    }
    try lines(text)
  }
}
