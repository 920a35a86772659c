import CalendarBus
import CivilTime
import DBus
import Platform
import Widgets

/// An action of a click on a bar.
enum BarAction: String, CaseIterable, Sendable {
  /// Opens the event's web page, or else its meeting.
  case open
  /// Opens the event's meeting.
  case join
  /// Shows the week in a terminal.
  case week
  /// Snoozes the due reminder that is shown.
  case snooze
  /// Shows the next, or previous, event.
  case next, previous
  /// Shows the event that is shown without any clicks.
  case first

  static let option = OptionSpec.choice(
    "--do", "ACTION", of: allCases.map(\.rawValue),
    localized(
      """
      do this instead of printing: open the event's web page, join its meeting, list the \
      week in a terminal, snooze the reminder that is due, or show the next, previous or first event in every bar with --follow
      """))

  /// Whether it changes which event is shown.
  var turns: Bool { self == .next || self == .previous || self == .first }

  /// Sends the action to every bar with --follow.
  ///
  /// - Throws: Errors of the bus.
  func send(_ connection: Connection) throws(CommandError) {
    try asBusError { () throws(DBusError) in
      try connection.emit(Contract.barPath, Contract.bar, "Turned", [.string(rawValue)])
    }
    connection.flush()
  }

  /// The rule for signals that clicks send.
  static let rule = MatchRule(
    path: Contract.barPath, interface: Contract.bar, member: "Turned")

  /// Reads such a signal; nil for an unknown action.
  init?(_ message: Message) {
    guard let word = try? message.arguments().first?.asString,
      let action = BarAction(rawValue: word),
      action.turns
    else { return nil }
    self = action
  }

  /// Returns why nothing is opened: the event has no such address.
  func missing(_ event: BarEvent) -> String {
    self == .join
      ? localized("{title} has no meeting address", ["title": event.summary])
      : localized("{title} has no web page", ["title": event.summary])
  }

  /// Returns the address that the action opens; "" if the event has none.
  func address(of event: BarEvent?) -> String {
    guard let event else { return "" }
    switch self {
    case .open: return event.url.isEmpty ? event.joinURL : event.url
    case .join: return event.joinURL
    case .week, .snooze, .next, .previous, .first: return ""
    }
  }
}

extension CommandContext {
  /// Opens an address with xdg-open, without a shell.
  ///
  /// - Parameter onEnd: Called from the loop when xdg-open has ended.
  /// - Throws: ``CommandError/system(_:)`` if xdg-open is missing or cannot be started.
  func open(
    _ address: String, on loop: EventLoop, onEnd: @escaping () -> Void
  ) throws(CommandError) {
    guard let program = program(named: "xdg-open", path: environment["PATH"]) else {
      throw .system(
        localized("cannot open the page: xdg-open is not installed (package xdg-utils)"))
    }
    // The process keeps itself alive until it has ended.
    _ = try asSystemError { () throws(SystemError) in
      try ChildProcess(
        program, arguments: [address], environment: environment.variables, directory: "/",
        input: [], milliseconds: nil, on: loop, onLine: { _ in }, onEnd: { _ in onEnd() })
    }
  }

  /// Lists the week in the user's terminal.
  ///
  /// - Parameter onEnd: Called from the loop when the terminal has ended.
  /// - Throws: ``CommandError/system(_:)`` if there is none, or it cannot be started.
  func showWeek(on loop: EventLoop, onEnd: @escaping () -> Void) throws(CommandError) {
    guard let window = TerminalWindow(environment) else {
      throw .system(
        localized("no terminal program was found: name it in the variable TERMINAL"))
    }
    _ = try asSystemError { () throws(SystemError) in
      try ChildProcess(
        window.program, arguments: window.arguments(showing: "week"),
        environment: environment.variables, directory: "/", input: [], milliseconds: nil, on: loop,
        onLine: { _ in }, onEnd: { _ in onEnd() })
    }
  }

  /// Returns how many events the bars with --follow skip; 0 if there are no such bars.
  private func skippedEvents() throws(CommandError) -> Int {
    let connection = try client().connection
    do throws(DBusError) {
      let answer = try connection.callAndWait(
        .call(Contract.barName, Contract.barPath, Contract.bar, "Passed"))
      return Int(try answer.arguments().first?.asInteger ?? 0)
    } catch  where [.serviceUnknown, .nameHasNoOwner].contains(error.name) {
      return 0
    } catch {
      throw CommandError(error)
    }
  }

  /// Performs an action; prints no record.
  ///
  /// A bar shows no error, so a notification says why a click does nothing.
  ///
  /// - Throws: Errors of the agent; ``CommandError/notFound(_:near:)`` if there is nothing to
  ///   snooze or to open.
  func perform(_ action: BarAction, _ options: BarOptions) throws(CommandError) {
    do throws(CommandError) {
      try act(action, options)
    } catch {
      if !isTerminal(2), let notice = error.notice {
        notify(notice, milliseconds: CommandContext.clickMilliseconds)
      }
      throw error
    }
  }

  private func act(_ action: BarAction, _ options: BarOptions) throws(CommandError) {
    if action.turns { return try action.send(try client().connection) }
    if action == .week {
      let loop = try EventLoop.forCommand()
      var isOver = false
      try showWeek(on: loop) { isOver = true }
      return try asSystemError { () throws(SystemError) in try loop.run { isOver } }
    }
    let snapshot = try options.view.read(try options.view.text(try client()))
    var settings = options.settings
    // A format that runs the command again does not follow clicks.
    if options.format.follows { settings.skip = try skippedEvents() }
    let record = barRecord(snapshot, now: now, format: options.format, settings: settings)
    if action == .snooze {
      guard let reminder = record.reminder else {
        throw .notFound(localized("no reminder is due"))
      }
      let due = try client().snooze(reminder.id, until: "")
      let title = ReminderWords.title(reminder.summary)
      return try output.line(
        due == .latest
          ? localized("Snoozed {title} until you unlock the session.", ["title": title])
          : localized(
            "Snoozed {title} until {time}.", ["title": title, "time": try output.moment(due)]))
    }
    guard let event = record.event else { throw .notFound(localized("no event is shown")) }
    let address = action.address(of: event)
    guard !address.isEmpty else { throw .notFound(action.missing(event)) }
    let loop = try EventLoop.forCommand()
    var isOver = false
    try open(address, on: loop) { isOver = true }
    try asSystemError { () throws(SystemError) in try loop.run { isOver } }
  }
}
