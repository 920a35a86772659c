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

  /// Where bars that follow are told of clicks: each of them shows the same.
  private static let path: ObjectPath = "/org/datebook/Calendar1/Bar"
  private static let interface: InterfaceName = "org.datebook.Calendar1.Bar"
  private static let signal: MemberName = "Turned"

  /// Tells every bar that follows.
  func tell(_ connection: Connection) throws(CommandError) {
    try asBusError { () throws(DBusError) in
      try connection.emit(
        BarAction.path, BarAction.interface, BarAction.signal, [.string(rawValue)])
    }
    connection.flush()
  }

  /// Which signals tell of clicks.
  static let rule = MatchRule(path: path, interface: interface, member: signal)

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
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let program = folders.lazy.map { "\($0)/xdg-open" }.first(where: isExecutableFile)
    guard let program else {
      throw .system("nothing can be opened: the program xdg-open is not installed (xdg-utils)")
    }
    // It keeps itself until it has ended.
    _ = try asSystemError { () throws(SystemError) in
      try ChildProcess(
        program, arguments: [address], environment: environment.variables, directory: "/",
        input: [], milliseconds: nil, on: loop, onLine: { _ in }, onEnd: { _ in onEnd() })
    }
  }

  /// Does what a click on a bar asks for that prints no record.
  func perform(_ action: BarAction, _ options: BarOptions) throws(CommandError) {
    if action.turns { return try action.tell(try client().connection) }
    let snapshot = try SnapshotV1(reading: try client().snapshot())
    if action == .snooze {
      guard let reminder = snapshot.reminders.first(where: { $0.state == .due }) else {
        throw .notFound("no reminder is due")
      }
      let due = try client().snooze(reminder.id, until: "")
      return try output.line("Comes back at \(output.moment(due)).")
    }
    let record = barRecord(
      snapshot, now: now, format: options.format, settings: options.settings, view: options.view)
    guard let event = record.event else { throw .notFound("no event is shown") }
    let address = action.address(of: event)
    guard !address.isEmpty else {
      throw .notFound(
        action == .join
          ? "\(event.summary) has no address to join at" : "\(event.summary) names no page")
    }
    let loop = try EventLoop.forCommand()
    var isOver = false
    try open(address, on: loop) { isOver = true }
    try asSystemError { () throws(SystemError) in try loop.run { isOver } }
  }
}
