import CalendarBus
import DBus
import Phrases
import Platform
import Widgets

/// How much of the calendar is asked for, and in which colours it is shown.
///
/// The agent leaves out what is not to be seen, before it counts and cuts.
struct SnapshotView {
  /// Of SnapshotOf and MonthOf; empty for all there is.
  let options: Row
  /// nil is what the snapshot says.
  private let scheme: ColorScheme?

  /// - Parameters:
  ///   - calendars: the ids of those that count; none stands for all.
  ///   - settings: what a bar counts, and how much of it.
  init(
    _ arguments: ParsedArguments, calendars: [String] = [],
    settings: BarSettings = BarSettings()
  ) {
    var options = arguments.excerpt(ofCalendars: calendars)
    if settings.counted.includesDeclined { options.set(.includeDeclined, true) }
    if let hours = arguments.value(OptionSpec.hoursCounted.name) { options.set(.hours, hours) }
    if let rows = settings.nextRows { options.set(.next, .uint32(UInt32(rows))) }
    self.options = options
    scheme = arguments.value(OptionSpec.theme.name).flatMap(ColorScheme.init)
  }

  /// The question that the agent answers with ``options``, for a call that is not waited for.
  func question() throws(DBusError) -> Message {
    let isWhole = options.entries.isEmpty
    return try Message.call(
      Contract.busName, Contract.path, Contract.calendar, isWhole ? "Snapshot" : "SnapshotOf",
      isWhole ? [] : [options.value])
  }

  /// Asks the agent, and waits for the answer.
  func text(_ client: CalendarClient<CommandError>) throws(CommandError) -> String {
    options.entries.isEmpty ? try client.snapshot() : try client.snapshot(options: options)
  }

  /// Reads an answer.
  func read(_ text: String) throws(CommandError) -> SnapshotV1 {
    var snapshot = try SnapshotV1(reading: text)
    snapshot.scheme = scheme ?? snapshot.scheme
    return snapshot
  }

  /// Whether an answer is shown as it came.
  var keepsText: Bool { scheme == nil }
}

extension OptionSpec {
  /// Of the commands that print what widgets read.
  static let theme = choice(
    "--theme", "WORD", of: ["auto"] + ColorScheme.allCases.map(\.rawValue),
    "light, dark, or auto for what the agent says (auto)")
  /// What counts as running and next, of the same commands.
  static let countsDeclined = flag(
    "--declined", "count the meetings that you have declined, too")
  static let hoursCounted = value(
    "--hours", "HOURS",
    "count only timed events that touch these hours, such as \"mon-fri 9:00-17:00\", or working for the setting "
      + "[calendar] working-hours")
}

extension ParsedArguments {
  /// What ``OptionSpec/countsDeclined`` and ``OptionSpec/hoursCounted`` say; nil hours are any, or those of the
  /// agent's settings, by which it chooses alone.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` with what is not understood.
  func counted(of command: String) throws(CommandError) -> CountedEvents {
    var counted = CountedEvents(includesDeclined: has(.countsDeclined))
    guard let text = value(OptionSpec.hoursCounted.name), text != Contract.workingHours else {
      return counted
    }
    do throws(PhraseError) {
      counted.hours = try readWeeklyHours(text)
    } catch {
      throw .usage(
        "--hours: \(error)", command: command,
        hint: localized("for example: {option}", ["option": "--hours \"mon-fri 9:00-17:00\""]))
    }
    return counted
  }

  /// What ``OptionSpec/privacy`` says.
  var privacy: PrivacyLevel {
    value(OptionSpec.privacy.name).flatMap(PrivacyLevel.init) ?? .titles
  }

  /// What of the calendar the agent is to tell, by ``OptionSpec/privacy``; empty for all of it.
  func excerpt(ofCalendars calendars: [String] = []) -> Row {
    var options = Row()
    if !calendars.isEmpty { options.set(.calendars, calendars) }
    if privacy != .titles { options.set(.privacy, privacy.rawValue) }
    return options
  }
}
