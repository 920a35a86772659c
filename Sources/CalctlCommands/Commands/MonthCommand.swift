import CalendarBus
import CivilTime
import DBus
import JSON
import Phrases
import Platform
import Widgets

extension CommandSpec {
  static let month = CommandSpec(
    name: "month",
    arguments: [
      ArgumentSpec(
        name: "DAY", isRequired: false,
        help: localized(
          """
          the month, or any day of it: 2026-11, december, dec 2027, next month, -1 or +2 months \
          from now, 2026-11-21 (today, or the first selected day)
          """),
        repeats: true)
    ],
    options: [
      .choice(
        "--mode", "MODE", of: MonthMode.allCases.map(\.rawValue) + [MonthPictureRequest.year],
        localized(
          """
          collapsed (the week), two-weeks, normal (the month), expanded (the month; with --json \
          all its events) or year (a sheet of twelve months, for --svg, --png and --pdf) (normal)
          """)),
      .value("--select", "FROM..TO", localized("mark a range of days and count them")),
      .flag("--weeks", localized("print week numbers (ISO 8601)")), .json, .privacy,
    ] + MonthPictureRequest.specs,
    summary: localized("print a month and its events"),
    details: [
      localized(
        """
        A dot marks each day with events; a series on more than two days of a week marks none. A \
        terminal of 80 columns or more has bars with titles instead. On days with releases from media servers, ! means that \
        some are missing, × that many are, and ◦ that the day is ahead (missing-releases in \
        datebook.conf). The events are listed below, each series once, and those of the \
        present month from today on. --json \
        prints the grid as widgets draw it: days, events as bars in lanes, and with --select the \
        rows of the selection.
        """),
      localized(
        """
        --svg, --png, --pdf and --html draw a month to hang on the wall. The page of --html is one \
        file without scripts, which loads nothing and follows the colors of the screen; printed, it \
        is light. Where several calendars have events, a line names their colors. --privacy \
        nothing draws an empty month.
        """),
    ],
    examples: [
      "calctl month", "calctl month december --weeks", "calctl month -1", "calctl month 2027-02",
      "calctl month --mode two-weeks", "calctl month --select fri..2026-12-02",
      "calctl month 2026-12 --html -o december.html",
      "calctl month --png -o wall.png --theme dark --weeks",
      "calctl month 2027 --mode year --pdf -o 2027.pdf",
    ]
  ) { arguments, context throws(CommandError) in
    let selection = try context.selection(arguments.value("--select"))
    let picture = try MonthPictureRequest(arguments, selection: selection)
    var options = arguments.filter()
    if arguments.value("--mode") == MonthPictureRequest.year {
      guard let picture, picture.drawsYears else {
        throw .usage(
          localized("{option} needs --svg, --png or --pdf", ["option": "--mode year"]),
          command: "month",
          hint: localized(
            "for example: {command}", ["command": "calctl month --mode year --svg -o year.svg"]))
      }
      return try picture.writeYear(arguments.phrase, options, context)
    }
    let mode = arguments.value("--mode").flatMap(MonthMode.init) ?? .normal
    let written = ListedDays.counted(arguments.phrase, "month")
    let day =
      try written != arguments.phrase
      ? context.days(written, "DAY").days.lowerBound.description
      : (arguments.positionals.isEmpty ? nil : arguments.phrase) ?? selection?.days?.lowerBound
        .description ?? ""
    // List all events below the month, including those without room for a bar.
    let asked: MonthMode = mode == .normal && !arguments.has(.json) ? .expanded : mode
    // A sheet has room for more bars than a widget, and so has the list below a page.
    if picture != nil || asked != .expanded && !arguments.has(.json) {
      options.set(.lanes, .uint32(UInt32(MonthMode.expanded.lanes)))
    }
    let text: String
    do throws(CommandError) {
      text =
        options.entries.isEmpty
        ? try context.client().month(day: day, mode: asked.rawValue)
        : try context.client().month(day: day, mode: asked.rawValue, options: options)
    } catch {
      throw error.renamed([("day", "DAY")])
    }
    let output = context.output
    if arguments.has(.json), selection == nil { return try output.line(text) }
    let grid = try MonthGrid(reading: text)
    if let picture { return try picture.write(grid, context) }
    guard arguments.has(.json) else {
      return try output.month(
        grid, selection: selection, showsWeeks: arguments.has("--weeks"),
        columns: context.terminalColumns)
    }
    var document = grid.jsonObject
    if let selection {
      document["selection"] = grid.page.flatMap { selection.jsonValue(on: $0) }
    }
    try output.json(.object(document))
  }
}

extension CommandContext {
  /// Reads "FROM..TO"; nil if there is no selection.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for any other text.
  fileprivate func selection(_ text: String?) throws(CommandError) -> MonthSelection? {
    guard let text else { return nil }
    let bytes = Array(text.utf8)
    let dot = UInt8(ascii: ".")
    let place = bytes.indices.dropLast().first { bytes[$0] == dot && bytes[$0 + 1] == dot }
    let from = String(decoding: bytes[..<(place ?? 0)], as: UTF8.self)
    let to = String(decoding: bytes[((place ?? bytes.count - 2) + 2)...], as: UTF8.self)
    guard place != nil, !from.isEmpty, !to.isEmpty else {
      throw .usage(
        localized(
          "{option}: \"{value}\" must be {form}",
          ["option": "--select", "value": text, "form": "FROM..TO"]),
        command: "month", hint: CommandError.forExample("calctl month --select fri..sun"))
    }
    var selection = MonthSelection()
    selection.pick(try day(from, "--select"))
    selection.pick(try day(to, "--select"))
    return selection
  }
}

extension MonthGrid {
  /// Reads the agent's answer.
  ///
  /// - Throws: ``CommandError/system(_:)`` if it is not a grid.
  init(reading text: String) throws(CommandError) {
    do throws(SnapshotError) {
      self = try MonthGrid(json: text)
    } catch {
      throw .system(
        localized("cannot read the agent's answer: {error}", ["error": error.text]))
    }
  }

  fileprivate var jsonObject: JSONObject { jsonValue.objectValue ?? JSONObject() }
}
