import CalendarBus
import DBus
import Platform
import Widgets

/// What a click on a bar asks for.
enum BarAction: String, CaseIterable, Sendable {
  /// The page that the event names, or else its meeting.
  case open
  /// The meeting.
  case join
  /// Puts the reminder off that is due first.
  case snooze
  /// The event after, or before, the one that is shown.
  case next, previous
  /// What would be shown without any clicks.
  case first

  static let option = OptionSpec.choice(
    "--do", "ACTION", of: allCases.map(\.rawValue),
    "in place of printing: open the event's page, join its meeting, snooze the reminder that is due, "
      + "or have every bar that follows show the next, previous or first event")

  /// Whether it is about which event is shown, and not about the event.
  var turns: Bool { self == .next || self == .previous || self == .first }

  /// Tells every bar that follows.
  func tell(_ connection: Connection) throws(CommandError) {
    try asBusError { () throws(DBusError) in
      try connection.emit(Contract.barPath, Contract.bar, "Turned", [.string(rawValue)])
    }
    connection.flush()
  }

  /// Which signals tell of clicks.
  static let rule = MatchRule(
    path: Contract.barPath, interface: Contract.bar, member: "Turned")

  /// Reads such a signal; nil for what is none of ours.
  init?(_ message: Message) {
    guard let word = try? message.arguments().first?.asString,
      let action = BarAction(rawValue: word),
      action.turns
    else { return nil }
    self = action
  }

  /// The address that it opens; "" where the event has none.
  func address(of event: BarEvent?) -> String {
    guard let event else { return "" }
    switch self {
    case .open: return event.url.isEmpty ? event.joinURL : event.url
    case .join: return event.joinURL
    case .snooze, .next, .previous, .first: return ""
    }
  }
}

extension CommandContext {
  /// Opens an address with xdg-open, without a shell.
  ///
  /// - Parameter onEnd: called from the loop, once the program has ended.
  func open(
    _ address: String, on loop: EventLoop, onEnd: @escaping () -> Void
  ) throws(CommandError) {
    guard let program = program(named: "xdg-open", path: environment["PATH"]) else {
      throw .system(
        localized("cannot open the page: xdg-open is not installed (package xdg-utils)"))
    }
    // It keeps itself until it has ended.
    _ = try asSystemError { () throws(SystemError) in
      try ChildProcess(
        program, arguments: [address], environment: environment.variables, directory: "/",
        input: [], milliseconds: nil, on: loop, onLine: { _ in }, onEnd: { _ in onEnd() })
    }
  }

  /// How many events the bars that follow pass over by now; 0 where none does.
  private func eventsPassed() throws(CommandError) -> Int {
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

  /// Does what a click on a bar asks for that prints no record.
  func perform(_ action: BarAction, _ options: BarOptions) throws(CommandError) {
    if action.turns { return try action.tell(try client().connection) }
    let snapshot = try options.view.read(try options.view.text(try client()))
    if action == .snooze {
      guard let reminder = snapshot.dueReminder else {
        throw .notFound(localized("no reminder is due"))
      }
      let due = try client().snooze(reminder.id, until: "")
      return try output.line(
        "Snoozed \(ReminderWords.title(reminder.summary)): \(try output.comesBack(due))")
    }
    var settings = options.settings
    // What runs again by itself is not turned by clicks.
    if options.format.follows { settings.skip = try eventsPassed() }
    let record = barRecord(snapshot, now: now, format: options.format, settings: settings)
    guard let event = record.event else { throw .notFound(localized("no event is shown")) }
    let address = action.address(of: event)
    guard !address.isEmpty else {
      throw .notFound(
        action == .join
          ? localized("{title} has no meeting address", ["title": event.summary])
          : localized("{title} has no web page", ["title": event.summary]))
    }
    let loop = try EventLoop.forCommand()
    var isOver = false
    try open(address, on: loop) { isOver = true }
    try asSystemError { () throws(SystemError) in try loop.run { isOver } }
  }
}
