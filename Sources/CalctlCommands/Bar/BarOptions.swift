import CalendarBus
import Phrases
import Widgets

/// What `calctl bar` is asked for: the format, and what its text has.
struct BarOptions {
  let format: BarFormat
  let settings: BarSettings
  let view: SnapshotView

  static let specs: [OptionSpec] = [
    .choice("--format", "BAR", of: BarFormat.all.map(\.name), "which bar it is (plain)"),
    .value(
      "--max-width", "N",
      "cut the text to so many characters, 1 to 1000 (\(BarSettings.defaultCharacters))"),
    .value("--count", "N", "how many events it names, as far as there is room, 1 to 20 (1)"),
    .value("--template", "TEXT", "how it writes an event"),
    .value(
      "--calendar", "CALENDAR", repeats: true,
      "count only the events of this calendar, its ID or its name"),
    .flag("--no-all-day", "do not count events that take whole days"),
    .countsDeclined, .hoursCounted,
    .value(
      "--ahead", "N",
      "count events that begin within so many hours, 1 to \(BarSettings.lookAheadHours.upperBound) "
        + "(\(BarSettings.defaultLookAheadHours))"),
    .privacy, .theme,
  ]

  /// - Parameter calendars: the ids of those whose events count; none stands for all.
  /// - Throws: ``CommandError/usage(_:command:hint:)``, naming the option.
  init(_ arguments: ParsedArguments, calendars: [String] = []) throws(CommandError) {
    format = arguments.value("--format").flatMap(BarFormat.named) ?? .plain
    let template = arguments.value("--template")
    if format.name == BarFormat.template.name, template == nil {
      throw .usage(
        "--format template needs --template", command: "bar",
        hint: "such as: --template '\(BarTemplate.standard.source)'")
    }
    settings = BarSettings(
      maximumCharacters: Int(
        try arguments.number(
          "--max-width", or: UInt32(BarSettings.defaultCharacters), in: BarSettings.characters,
          of: "bar")),
      count: Int(try arguments.number("--count", or: 1, in: BarSettings.counts, of: "bar")),
      template: try template.map { text throws(CommandError) in try BarOptions.template(text) },
      lookAheadSeconds: 3600
        * Int64(
          try arguments.number(
            "--ahead", or: BarSettings.defaultLookAheadHours, in: BarSettings.lookAheadHours,
            of: "bar")),
      showsAllDay: !arguments.has("--no-all-day"),
      counted: try arguments.counted(of: "bar"), privacy: arguments.privacy)
    view = SnapshotView(arguments, calendars: calendars, settings: settings)
  }

  private static func template(_ text: String) throws(CommandError) -> BarTemplate {
    do throws(BarTemplateError) {
      return try BarTemplate(text)
    } catch {
      var hint: String?
      if case .unknownField(let name) = error {
        let near = nearest(name, among: BarTemplate.Field.allCases.map(\.rawValue))
        hint = near.map { "did you mean {\($0)}?" }
      }
      throw .usage("--template: \(error)", command: "bar", hint: hint)
    }
  }
}
