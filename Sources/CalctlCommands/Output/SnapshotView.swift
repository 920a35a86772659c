import CalendarBus
import DBus
import Phrases
import Platform
import Widgets

/// Which events a snapshot has, and its color scheme.
///
/// The agent filters events before it counts and cuts them.
struct SnapshotView {
  /// The options of SnapshotOf and MonthOf; empty for all events.
  let options: Row
  /// The color scheme; nil keeps that of the snapshot.
  private let scheme: ColorScheme?

  /// - Parameters:
  ///   - calendars: The IDs of the calendars; none means all.
  ///   - settings: The settings of a bar, for its filter.
  init(
    _ arguments: ParsedArguments, calendars: [String] = [],
    settings: BarSettings = BarSettings()
  ) {
    var options = arguments.filter(ofCalendars: calendars)
    if settings.counted.includesDeclined { options.set(.includeDeclined, true) }
    if let hours = arguments.value(OptionSpec.hoursCounted.name) { options.set(.hours, hours) }
    if let rows = settings.nextRows { options.set(.next, .uint32(UInt32(rows))) }
    self.options = options
    scheme = arguments.value(OptionSpec.theme.name).flatMap(ColorScheme.init)
  }

  /// Returns the call for a snapshot, for callers that do not wait for the answer.
  ///
  /// - Throws: ``DBusError`` if the message cannot be made.
  func call() throws(DBusError) -> Message {
    let isWhole = options.entries.isEmpty
    return try Message.call(
      Contract.busName, Contract.path, Contract.calendar, isWhole ? "Snapshot" : "SnapshotOf",
      isWhole ? [] : [options.value])
  }

  /// Requests a snapshot, and waits for the answer.
  ///
  /// - Throws: Errors of the agent.
  func text(_ client: CalendarClient<CommandError>) throws(CommandError) -> String {
    options.entries.isEmpty ? try client.snapshot() : try client.snapshot(options: options)
  }

  /// Reads an answer.
  ///
  /// - Throws: ``CommandError/system(_:)`` if it is not a snapshot.
  func read(_ text: String) throws(CommandError) -> SnapshotV1 {
    var snapshot = try SnapshotV1(reading: text)
    snapshot.scheme = scheme ?? snapshot.scheme
    return snapshot
  }

  /// Whether an answer is printed unchanged.
  var keepsText: Bool { scheme == nil }
}

extension OptionSpec {
  /// An option of commands that print snapshots and records of bars.
  static let theme = choice(
    "--theme", "WORD", of: ["auto"] + ColorScheme.allCases.map(\.rawValue),
    localized("light, dark, or auto for the setting of the agent (auto)"))
  /// An option of the same commands: the events that count as running and next.
  static let countsDeclined = flag(
    "--declined", localized("count declined events, too"))
  static let hoursCounted = value(
    "--hours", "HOURS",
    localized(
      """
      count only timed events within these hours, such as {example}; working is the setting \
      [calendar] working-hours
      """, ["example": "\"mon-fri 9:00-17:00\""]))
}

extension ParsedArguments {
  /// Returns the filter of ``OptionSpec/countsDeclined`` and ``OptionSpec/hoursCounted``.
  ///
  /// Its hours are nil for all, and for those of the agent's settings, which the agent applies.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for invalid hours.
  func counted(of command: String) throws(CommandError) -> CountedEvents {
    var counted = CountedEvents(includesDeclined: has(.countsDeclined))
    guard let text = value(OptionSpec.hoursCounted.name), text != Contract.workingHours else {
      return counted
    }
    do throws(PhraseRefusal) {
      counted.hours = try readWeeklyHours(text)
    } catch {
      throw .usage(
        "--hours: \(localized(error.text))", command: command,
        hint: localized("for example: {option}", ["option": "--hours \"mon-fri 9:00-17:00\""]))
    }
    return counted
  }

  /// The privacy level from ``OptionSpec/privacy``.
  var privacy: PrivacyLevel {
    value(OptionSpec.privacy.name).flatMap(PrivacyLevel.init) ?? .titles
  }

  /// Returns the options for the agent's filter, with ``OptionSpec/privacy``; empty for all events.
  func filter(ofCalendars calendars: [String] = []) -> Row {
    var options = Row()
    if !calendars.isEmpty { options.set(.calendars, calendars) }
    if privacy != .titles { options.set(.privacy, privacy.rawValue) }
    return options
  }
}
