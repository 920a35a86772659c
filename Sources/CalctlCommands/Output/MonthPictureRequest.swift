import CalendarBus
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
    case svg, png, html

    var option: String { "--" + rawValue }
  }

  static let specs: [OptionSpec] = [
    .flag("--svg", localized("draw the month as SVG")),
    .flag("--png", localized("draw it as PNG, with rsvg-convert")),
    .flag("--html", localized("write it as a web page")),
    .value(
      "--output", "FILE",
      localized(
        "the file for --svg, --png or --html (-o); - is standard output (standard output)")),
    .choice(
      "--theme", "WORD", of: ["auto"] + ColorScheme.allCases.map(\.rawValue),
      localized(
        "the colors of the picture; auto follows the screen (auto for --html, else light)")),
    .choice(
      "--paper", "WORD", of: MonthPicture.Paper.allCases.map(\.rawValue),
      localized("the paper size, in landscape (a4)")),
  ]

  /// Reads the options; nil without --svg, --png or --html.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for options that cannot be combined.
  init?(_ arguments: ParsedArguments, selection: MonthSelection?) throws(CommandError) {
    let kinds = Kind.allCases.filter { arguments.has($0.option) }
    guard let kind = kinds.first else {
      for option in ["--output", "--theme", "--paper"] where arguments.has(option) {
        throw .usage(
          localized("{option} needs --svg, --png or --html", ["option": option]), command: "month",
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
    if kind == .png, path == "-" {
      throw .usage(
        localized("{option} needs a file", ["option": "--png"]), command: "month",
        hint: localized(
          "for example: {command}", ["command": "calctl month --png -o month.png"]))
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
    var settings = settings
    if followsScreen {
      settings.scheme = try SnapshotV1(reading: try context.client().snapshot()).scheme
    }
    let picture = MonthPicture(
      grid, zone: try context.zone(), times: TimeText.current, settings: settings)
    let text = kind == .html ? picture.html : picture.svg
    if kind == .png { return try convert(text, context) }
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

  // MARK: PNG

  /// The scale of the drawing: 192 pixels an inch, sharp on paper and on dense screens.
  private static let zoom = "2"
  /// The time-out of the program; a picture takes 0.1 s.
  private static let patienceMilliseconds = 60_000

  private func convert(_ svg: String, _ context: CommandContext) throws(CommandError) {
    guard let program = program(named: "rsvg-convert", path: context.environment["PATH"]) else {
      throw .system(
        localized(
          """
          --png needs the program rsvg-convert, which is not installed: install librsvg2-bin \
          (Debian, Ubuntu), librsvg2-tools (Fedora) or librsvg (Arch), or use --svg
          """))
    }
    let loop = try EventLoop.forCommand()
    var end: ChildProcess.End?
    var said: [String] = []
    let child = try asSystemError { () throws(SystemError) in
      try ChildProcess(
        program,
        arguments: [
          // Without a file argument it reads standard input.
          "--format", "png", "--zoom", MonthPictureRequest.zoom, "--output=\(path)",
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
