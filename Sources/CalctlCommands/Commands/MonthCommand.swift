import CalendarBus
import CivilTime
import JSON
import Widgets

extension CommandSpec {
  static let month = CommandSpec(
    name: "month",
    arguments: [
      ArgumentSpec(
        name: "DAY", isRequired: false,
        help:
          "the month, or any day of it: 2026-11, december, dec 2027, next month, 2026-11-21 (today, or the first that is selected)",
        repeats: true)
    ],
    options: [
      .choice(
        "--mode", "MODE", of: MonthMode.allCases.map(\.rawValue),
        "collapsed (the week), two-weeks, normal (the month) or expanded (the month, with --json all its events) "
          + "(normal)"),
      .value("--select", "FROM..TO", "mark the days from one to another, and count them"),
      .flag("--weeks", "print the number of each week (ISO 8601)"), .json, .privacy,
    ] + MonthPictureRequest.specs,
    summary: "a month at a glance, and what is on in it",
    details: [
      """
      A dot stands at each day that has something. Below are the events, those of a series as \
      one. With --json it is the grid as widgets draw it: days, the bars of events in lanes, and with \
      --select the rows of the selection.
      """,
      """
      --svg, --png and --html draw the month as people hang it on the wall, its bars in the same \
      lanes. The page of --html is one file that loads nothing and runs nothing, in the colours \
      that the screen wants. --privacy nothing makes an empty month.
      """,
    ],
    examples: [
      "calctl month", "calctl month december --weeks", "calctl month 2027-02",
      "calctl month --mode two-weeks", "calctl month --select fri..2026-12-02",
      "calctl month 2026-12 --html -o december.html",
      "calctl month --png -o wall.png --theme dark --weeks",
    ]
  ) { arguments, context throws(CommandError) in
    let selection = try context.selection(arguments.value("--select"))
    let picture = try MonthPictureRequest(arguments, selection: selection)
    let options = arguments.filter()
    let mode = arguments.value("--mode").flatMap(MonthMode.init) ?? .normal
    let day =
      (arguments.positionals.isEmpty ? nil : arguments.phrase) ?? selection?.days?.lowerBound
      .description ?? ""
    // Below the month stand all its events, whatever bars there is room for.
    let asked: MonthMode = mode == .normal && !arguments.has(.json) ? .expanded : mode
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
      return try output.month(grid, selection: selection, showsWeeks: arguments.has("--weeks"))
    }
    var document = grid.jsonObject
    if let selection {
      document["selection"] = grid.page.flatMap { selection.jsonValue(on: $0) }
    }
    try output.json(.object(document))
  }
}

extension CommandContext {
  /// Reads "FROM..TO"; nil is no selection.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` with what is not understood.
  fileprivate func selection(_ text: String?) throws(CommandError) -> MonthSelection? {
    guard let text else { return nil }
    let bytes = Array(text.utf8)
    let dot = UInt8(ascii: ".")
    let place = bytes.indices.dropLast().first { bytes[$0] == dot && bytes[$0 + 1] == dot }
    let from = String(decoding: bytes[..<(place ?? 0)], as: UTF8.self)
    let to = String(decoding: bytes[((place ?? bytes.count - 2) + 2)...], as: UTF8.self)
    guard place != nil, !from.isEmpty, !to.isEmpty else {
      throw .usage(
        "--select: \"\(text)\" is not FROM..TO", command: "month",
        hint: "such as: calctl month --select fri..sun")
    }
    var selection = MonthSelection()
    selection.pick(try day(from, "--select"))
    selection.pick(try day(to, "--select"))
    return selection
  }
}

extension MonthGrid {
  /// Reads what the agent sent.
  ///
  /// - Throws: ``CommandError/system(_:)`` for what is no grid.
  init(reading text: String) throws(CommandError) {
    do throws(SnapshotError) {
      self = try MonthGrid(json: text)
    } catch {
      throw .system("the agent's month cannot be read: \(error)")
    }
  }

  fileprivate var jsonObject: JSONObject { jsonValue.objectValue ?? JSONObject() }
}
