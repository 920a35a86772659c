import CalendarBus
import Messages
import Phrases
import Platform
import Widgets

/// The options of `calctl bar`: the format, and the settings of its text.
struct BarOptions {
  let format: BarFormat
  let settings: BarSettings
  let view: SnapshotView

  static let specs: [OptionSpec] = [
    .choice(
      "--format", "BAR", of: BarFormat.all.map(\.name), localized("the format of the bar (plain)")),
    .value(
      "--max-width", "N",
      localized(
        "the most columns of the text, 1 to 1000; a Chinese character takes two ({default})",
        ["default": BarSettings.defaultColumns])),
    .value(
      "--count", "N", localized("how many events to show, if there is room, 1 to 20 (1)")),
    .value("--template", "TEXT", localized("the format of an event")),
    .value(
      "--calendar", "CALENDAR", repeats: true,
      localized("count only events of the calendar with this ID or name")),
    .flag("--no-all-day", localized("do not count all-day events")),
    .countsDeclined, .hoursCounted,
    .value(
      "--ahead", "N",
      localized(
        "count events that begin within this many hours, 1 to {most} ({default})",
        [
          "most": "\(BarSettings.lookAheadHours.upperBound)",
          "default": "\(BarSettings.defaultLookAheadHours)",
        ])),
    .privacy, .theme,
  ]

  /// - Parameter calendars: The IDs of the calendars whose events count; none means all.
  /// - Throws: ``CommandError/usage(_:command:hint:)``, which names the option.
  init(_ arguments: ParsedArguments, calendars: [String] = []) throws(CommandError) {
    format = arguments.value("--format").flatMap(BarFormat.named) ?? .plain
    let template = arguments.value("--template")
    if format.name == BarFormat.template.name, template == nil {
      throw .usage(
        localized(
          "{option} needs {other}", ["option": "--format template", "other": "--template"]),
        command: "bar",
        hint: localized(
          "for example: {option}",
          ["option": "--template '\(BarTemplate.standard.source)'"]))
    }
    settings = BarSettings(
      maximumColumns: Int(
        try arguments.number(
          "--max-width", or: UInt32(BarSettings.defaultColumns), in: BarSettings.columns,
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
        hint = near.map { localized("did you mean {word}?", ["word": "{\($0)}"]) }
      }
      throw .usage("--template: \(localized(UserText(error)))", command: "bar", hint: hint)
    }
  }
}
