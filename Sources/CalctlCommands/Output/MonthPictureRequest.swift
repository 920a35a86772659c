import CalendarBus
import CivilTime
import Platform
import Widgets

/// A month as a picture: which, how, and where to.
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
    .flag("--svg", "draw the month, as SVG"),
    .flag("--png", "draw it as PNG, by rsvg-convert"),
    .flag("--html", "write it as a page for a browser"),
    .value(
      "--output", "FILE",
      "the file for --svg, --png or --html (-o); - is standard output (standard output)"),
    .choice(
      "--theme", "WORD", of: ["auto"] + ColorScheme.allCases.map(\.rawValue),
      "the colours of the picture; auto is as the screen (auto for --html, else light)"),
    .choice(
      "--paper", "WORD", of: MonthPicture.Paper.allCases.map(\.rawValue),
      "the sheet, on its long side (a4)"),
  ]

  /// Reads the options; nil where no picture is asked for.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for options that do not go together.
  init?(_ arguments: ParsedArguments, selection: MonthSelection?) throws(CommandError) {
    let kinds = Kind.allCases.filter { arguments.has($0.option) }
    guard let kind = kinds.first else {
      for option in ["--output", "--theme", "--paper"] where arguments.has(option) {
        throw .usage(
          "\(option) is about a picture", command: "month",
          hint: "such as: calctl month --svg -o month.svg")
      }
      return nil
    }
    if kinds.count > 1 || arguments.has(.json) {
      let other = kinds.count > 1 ? kinds[1].option : OptionSpec.json.name
      throw .usage("\(kind.option) and \(other): there is one form", command: "month", hint: nil)
    }
    self.kind = kind
    path = arguments.value("--output") ?? "-"
    if kind == .png, path == "-" {
      throw .usage(
        "--png needs a file", command: "month", hint: "such as: calctl month --png -o month.png")
    }
    let theme = arguments.value("--theme")
    followsScreen = theme == "auto" && kind != .html
    settings = MonthPicture.Settings(
      paper: arguments.value("--paper").flatMap(MonthPicture.Paper.init) ?? .a4,
      scheme: theme.flatMap(ColorScheme.init), showsWeeks: arguments.has("--weeks"),
      selection: selection ?? MonthSelection())
  }

  /// Draws a grid, and writes the file.
  func write(_ grid: MonthGrid, _ context: CommandContext) throws(CommandError) {
    var settings = settings
    if followsScreen {
      settings.scheme = try SnapshotV1(reading: try context.client().snapshot()).scheme
    }
    let picture = MonthPicture(
      grid, zone: try context.zone(), language: MessageCatalogue.language, settings: settings)
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
      throw .system("cannot write \(path): \(error.code)")
    }
  }

  // MARK: PNG

  /// Pixels to a unit of the drawing: 192 to an inch, which is sharp on paper and on dense
  /// screens.
  private static let zoom = "2"
  /// A picture takes a tenth of a second; a program that hangs is not waited for.
  private static let patienceMilliseconds = 60_000

  private func convert(_ svg: String, _ context: CommandContext) throws(CommandError) {
    guard let program = program(named: "rsvg-convert", path: context.environment["PATH"]) else {
      throw .system(
        "--png needs the program rsvg-convert, which is not installed: install librsvg2-bin "
          + "(Debian, Ubuntu), librsvg2-tools (Fedora) or librsvg (Arch), or use --svg")
    }
    let loop = try EventLoop.forCommand()
    var end: ChildProcess.End?
    var said: [String] = []
    let child = try asSystemError { () throws(SystemError) in
      try ChildProcess(
        program,
        arguments: [
          // Without a file to read it reads its input.
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
        "cannot write \(path): rsvg-convert has failed"
          + (said.isEmpty ? "" : ": " + said.joined(separator: " ")))
    }
  }
}
