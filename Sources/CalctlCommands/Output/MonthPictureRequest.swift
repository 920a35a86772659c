import CalendarBus
import CalendarModel
import CivilTime
import Platform
import Widgets

/// A month as a picture: its format, settings and file.
struct MonthPictureRequest {
  private let kind: Kind
  private let path: String
  private let settings: MonthPicture.Settings
  private let followsScreen: Bool

  private enum Kind: String, CaseIterable {
    case svg, png, pdf, html

    var option: String { "--" + rawValue }
    /// Whether rsvg-convert makes it, which writes files only.
    var isConverted: Bool { self == .png || self == .pdf }
  }

  /// The word of `--mode` for a sheet of twelve months.
  static let year = "year"
  /// Whether it can be that sheet; a page of HTML is of one month.
  var drawsYears: Bool { kind != .html }

  static let specs: [OptionSpec] = [
    .flag("--svg", localized("draw the month as SVG")),
    .flag("--png", localized("draw it as PNG, with rsvg-convert")),
    .flag("--pdf", localized("draw it as PDF, with rsvg-convert")),
    .flag("--html", localized("write it as a web page")),
    .value(
      "--output", "FILE",
      localized(
        "the file for --svg, --png, --pdf or --html (-o); - is standard output (standard output)")),
    .choice(
      "--theme", "WORD", of: ["auto"] + ColorScheme.allCases.map(\.rawValue),
      localized(
        "the colors of the picture; auto follows the screen (auto for --html, else light)")),
    .choice(
      "--paper", "WORD", of: MonthPicture.Paper.allCases.map(\.rawValue),
      localized("the paper size, in landscape (a4)")),
  ]

  /// Reads the options; nil without --svg, --png, --pdf or --html.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for options that cannot be combined.
  init?(_ arguments: ParsedArguments, selection: MonthSelection?) throws(CommandError) {
    let kinds = Kind.allCases.filter { arguments.has($0.option) }
    guard let kind = kinds.first else {
      for option in ["--output", "--theme", "--paper"] where arguments.has(option) {
        throw .usage(
          localized("{option} needs --svg, --png, --pdf or --html", ["option": option]),
          command: "month",
          hint: localized(
            "for example: {command}", ["command": "calctl month --svg -o month.svg"]))
      }
      return nil
    }
    if kinds.count > 1 || arguments.has(.json) {
      let other = kinds.count > 1 ? kinds[1].option : OptionSpec.json.name
      throw .usage(
        localized(
          "{option} cannot be combined with {other}", ["option": kind.option, "other": other]),
        command: "month", hint: nil)
    }
    self.kind = kind
    path = arguments.value("--output") ?? "-"
    if kind.isConverted, path == "-" {
      throw .usage(
        localized("{option} needs a file", ["option": kind.option]), command: "month",
        hint: localized(
          "for example: {command}",
          ["command": "calctl month \(kind.option) -o month.\(kind.rawValue)"]))
    }
    let theme = arguments.value("--theme")
    followsScreen = theme == "auto" && kind != .html
    settings = MonthPicture.Settings(
      paper: arguments.value("--paper").flatMap(MonthPicture.Paper.init) ?? .a4,
      scheme: theme.flatMap(ColorScheme.init), showsWeeks: arguments.has("--weeks"),
      selection: selection ?? MonthSelection())
  }

  /// Draws a grid, and writes the file.
  ///
  /// - Throws: Errors of the agent, and ``CommandError/system(_:)``.
  func write(_ grid: MonthGrid, _ context: CommandContext) throws(CommandError) {
    let picture = MonthPicture(
      grid, zone: try context.zone(), times: TimeText.current, settings: try settings(context),
      calendars: try calendars(context))
    try write(kind == .html ? picture.html : picture.svg, context)
  }

  /// Draws the year of a day, or of a year's number.
  ///
  /// - Parameter options: See `MonthOf`.
  /// - Throws: See ``write(_:_:)-(MonthGrid,_)``.
  func writeYear(
    _ day: String, _ options: Row, _ context: CommandContext
  ) throws(CommandError) {
    let client = try context.client()
    func month(_ day: String) throws(CommandError) -> MonthGrid {
      do throws(CommandError) {
        return try MonthGrid(
          reading: try client.month(day: day, mode: MonthMode.normal.rawValue, options: options))
      } catch {
        throw error.renamed([("day", "DAY")])
      }
    }
    let isYear = day.utf8.count == 4 && day.utf8.allSatisfy { (48...57).contains($0) }
    let first = try month(isYear ? day + "-01" : day).month.firstDay.description.prefix(5)
    var months: [MonthGrid] = []
    for number in 1...12 {
      months.append(try month(first + (number < 10 ? "0" : "") + "\(number)"))
    }
    let picture = YearPicture(
      months, times: TimeText.current, settings: try settings(context),
      calendars: try calendars(context))
    try write(picture.svg, context)
  }

  private func settings(
    _ context: CommandContext
  ) throws(CommandError) -> MonthPicture.Settings {
    var settings = settings
    if followsScreen {
      settings.scheme = try SnapshotV1(reading: try context.client().snapshot()).scheme
    }
    return settings
  }

  /// The calendars for the legend, in the user's order.
  private func calendars(_ context: CommandContext) throws(CommandError) -> [SnapshotCalendar] {
    try context.client().calendars().compactMap { row in
      EventColor(text: row.text(.color)).map {
        SnapshotCalendar(id: row.text(.id), name: row.text(.name), color: $0)
      }
    }
  }

  private func write(_ text: String, _ context: CommandContext) throws(CommandError) {
    if kind.isConverted { return try convert(text, context) }
    if path == "-" { return try context.output.page(text) }
    do throws(SystemError) {
      let file = try FileReplacement(of: path)
      let bytes = Array(text.utf8)
      var done = 0
      while done < bytes.count {
        done += try SystemCalls.write(file.descriptor.number, bytes, from: done, path: path)
      }
      try file.commit()
    } catch {
      throw .system(
        localized("cannot write {path}: {error}", ["path": path, "error": error.code.text]))
    }
  }

  // MARK: PNG and PDF

  /// The scale of a PNG: 192 pixels an inch, sharp on paper and on dense screens.
  private static let zoom = "2"
  /// The time-out of the program; a picture takes 0.1 s.
  private static let patienceMilliseconds = 60_000

  private func convert(_ svg: String, _ context: CommandContext) throws(CommandError) {
    guard let program = program(named: "rsvg-convert", path: context.environment["PATH"]) else {
      throw .system(
        localized(
          """
          {option} needs the program rsvg-convert, which is not installed: install librsvg2-bin \
          (Debian, Ubuntu), librsvg2-tools (Fedora) or librsvg (Arch), or use --svg
          """, ["option": kind.option]))
    }
    let loop = try EventLoop.forCommand()
    var end: ChildProcess.End?
    var said: [String] = []
    let child = try asSystemError { () throws(SystemError) in
      try ChildProcess(
        program,
        arguments: [
          // Without a file argument it reads standard input.
          "--format", kind.rawValue, "--zoom", kind == .png ? MonthPictureRequest.zoom : "1",
          "--output=\(path)",
        ],
        environment: context.environment.variables, directory: ".", input: Array(svg.utf8),
        milliseconds: MonthPictureRequest.patienceMilliseconds, on: loop,
        onLine: { if said.count < 5 { said.append($0) } },
        onEnd: { end = $0 })
    }
    try asSystemError { () throws(SystemError) in try loop.run { end != nil } }
    withExtendedLifetime(child) {}
    guard end == .exited(0) else {
      throw .system(
        said.isEmpty
          ? localized("cannot write {path}: rsvg-convert failed", ["path": path])
          : localized(
            "cannot write {path}: rsvg-convert failed: {error}",
            ["path": path, "error": said.joined(separator: " ")]))
    }
  }
}
