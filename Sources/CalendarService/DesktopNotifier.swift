import CalendarModel
import CivilTime
import DBus

/// Shows reminders through org.freedesktop.Notifications, and hears what people
/// do with them.
///
/// Everything goes over one connection that stays open, since some servers tell
/// of actions only the connection that sent the notification.
///
/// Source: Desktop Notifications Specification 1.2.
final class DesktopNotifier {
  /// What somebody did with a notification.
  var onAnswer: ((NotificationBoard.Meaning) -> Void)?
  /// A server has come to the bus, and shows nothing of ours yet.
  var onServerArrived: (() -> Void)?

  private static let service: BusName = "org.freedesktop.Notifications"
  private static let path: ObjectPath = "/org/freedesktop/Notifications"
  private static let interface: InterfaceName = "org.freedesktop.Notifications"

  private let connection: Connection
  private let log: Log
  private let snoozeLabel: String
  private var board = NotificationBoard()
  private var capabilities: Set<String>?
  private var waiting: [() -> Void] = []
  private var underWay: [Request] = []
  private var hasOwner = false
  private var canBeStarted = false
  private var isFaultTold = false
  private var subscriptions: [Subscription] = []

  init(connection: Connection, snooze: CalendarDuration, log: Log) {
    self.connection = connection
    self.log = log
    snoozeLabel = "Snooze " + DesktopNotifier.words(snooze)
  }

  /// Begins to listen to the server.
  func start() throws(DBusError) {
    // Asked once and waited for: the first reminder may be told right after.
    canBeStarted =
      try ask("ListActivatableNames").asStrings?.contains(DesktopNotifier.service.text) ?? false
    hasOwner = try ask("NameHasOwner", [.string(DesktopNotifier.service.text)]).asBoolean ?? false
    subscriptions = [
      try connection.watchOwner(of: DesktopNotifier.service) { [unowned self] in
        ownerChanged(to: $0)
      },
      try connection.subscribe(rule("ActionInvoked")) { [unowned self] message in
        guard let (id, action) = DesktopNotifier.arguments(message), let action = action.asString
        else { return }
        answered(id, board.invoked(id, action))
      },
      try connection.subscribe(rule("NotificationClosed")) { [unowned self] message in
        guard let (id, reason) = DesktopNotifier.arguments(message),
          let reason = reason.asInteger.flatMap(UInt32.init(exactly:))
        else { return }
        if let meaning = board.closed(id, reason: reason) { onAnswer?(meaning) }
      },
    ]
  }

  /// Whether a server is there, or the bus can start one that has not failed.
  var isAvailable: Bool { hasOwner || (canBeStarted && !isFaultTold) }

  /// A notification that is asked for and not yet up: what is taken off it
  /// meanwhile is not shown, or not for long.
  private final class Request {
    private let all: [String]
    private var wanted: Set<String>

    init(_ reminders: [String]) {
      all = reminders
      wanted = Set(reminders)
    }

    /// What it still stands for, in order.
    var reminders: [String] { all.filter(wanted.contains) }
    var isEmpty: Bool { wanted.isEmpty }

    func withdraw(_ reminder: String) { wanted.remove(reminder) }
  }

  /// Shows one notification for some reminders.
  ///
  /// - Parameter text: made once it is known whether the server reads markup.
  func show(_ reminders: [Reminder], text: @escaping (_ markup: Bool) -> NotificationText) {
    let request = Request(reminders.map(\.id))
    let isEmpty = reminders.isEmpty
    underWay.append(request)
    withCapabilities { [unowned self] in
      guard isEmpty || !request.isEmpty else { return end(request) }
      notify(request, text(capabilities?.contains("body-markup") ?? false))
    }
  }

  /// Takes the notification of a reminder away, if it has one.
  func withdraw(_ reminder: String) {
    for request in underWay { request.withdraw(reminder) }
    for notification in board.withdraw(reminder) { close(notification) }
  }

  // MARK: Calls

  private func withCapabilities(_ body: @escaping () -> Void) {
    if capabilities != nil { return body() }
    waiting.append(body)
    guard waiting.count == 1 else { return }
    call("GetCapabilities", []) { [unowned self] result in
      switch result {
      case .success(let values): capabilities = Set(values.first?.asStrings ?? [])
      case .failure(let error): tellFault(error)
      }
      let bodies = waiting
      waiting = []
      if capabilities != nil {
        for body in bodies { body() }
      } else {
        underWay = []
      }
    }
  }

  private func end(_ request: Request) { underWay.removeAll { $0 === request } }

  private func notify(_ request: Request, _ text: NotificationText) {
    let standsForNone = request.isEmpty
    var actions: [String] = []
    if capabilities?.contains("actions") ?? false {
      actions = [
        NotificationBoard.Action.snooze.rawValue, snoozeLabel,
        NotificationBoard.Action.dismiss.rawValue, "Dismiss",
      ]
    }
    let arguments: [Value] = [
      .string("Datebook"), .uint32(0), .string("appointment-soon"), .string(text.summary),
      .string(text.body), .strings(actions),
      .row([
        // Critical: it stays until somebody has seen it.
        ("urgency", .byte(2)), ("category", .string("x-datebook.reminder")),
        ("desktop-entry", .string("org.datebook.Calendar")),
        ("sound-name", .string("alarm-clock-elapsed")),
      ]),
      // Never expires.
      .int32(0),
    ]
    call("Notify", arguments) { [unowned self] result in
      end(request)
      switch result {
      case .success(let values):
        isFaultTold = false
        guard let id = values.first?.asInteger.flatMap(UInt32.init(exactly:)) else { return }
        if request.isEmpty && !standsForNone {
          close(id)
        } else {
          board.show(id, reminders: request.reminders)
        }
      case .failure(let error): tellFault(error)
      }
    }
  }

  private func close(_ notification: UInt32) {
    // It may be closed already, and then the server says so with an error.
    call("CloseNotification", [.uint32(notification)]) { _ in }
  }

  private func call(
    _ member: MemberName, _ arguments: [Value],
    _ handler: @escaping (Result<[Value], DBusError>) -> Void
  ) {
    do throws(DBusError) {
      let message = try Message.call(
        DesktopNotifier.service, DesktopNotifier.path, DesktopNotifier.interface, member,
        arguments)
      try connection.call(message) { result in
        handler(
          result.flatMap { reply in
            do throws(DBusError) {
              return .success(try reply.arguments(limits: .request))
            } catch {
              return .failure(error)
            }
          })
      }
    } catch {
      handler(.failure(error))
    }
  }

  private func ask(_ member: MemberName, _ arguments: [Value] = []) throws(DBusError) -> Value {
    let question = try Message.call(
      .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
    let answer = try connection.callAndWait(question).arguments(limits: .request)
    return answer.first ?? .boolean(false)
  }

  // MARK: What comes back

  private func ownerChanged(to owner: BusName?) {
    let isNew = owner != nil && !hasOwner
    let isGone = owner == nil && hasOwner
    hasOwner = owner != nil
    guard isNew || isGone else { return }
    board.clear()
    capabilities = nil
    if isNew {
      isFaultTold = false
      // What waits to be shown is among what is shown again: a server that our
      // own call has started must not show it twice.
      waiting = []
      underWay = []
      onServerArrived?()
    }
  }

  private func answered(_ notification: UInt32, _ meaning: NotificationBoard.Meaning?) {
    guard let meaning else { return }
    close(notification)
    onAnswer?(meaning)
  }

  /// Says once that nothing can be shown; the signal and the ledger still work.
  private func tellFault(_ error: DBusError) {
    if !isFaultTold {
      log.warning(
        "no notification can be shown (\(error.message)); ReminderDue is emitted all the same")
    }
    isFaultTold = true
  }

  private func rule(_ member: MemberName) -> MatchRule {
    MatchRule(
      sender: DesktopNotifier.service, path: DesktopNotifier.path,
      interface: DesktopNotifier.interface, member: member)
  }

  private static func arguments(_ message: Message) -> (UInt32, Value)? {
    guard let values = try? message.arguments(limits: .request), values.count == 2,
      let id = values[0].asInteger.flatMap(UInt32.init(exactly:))
    else { return nil }
    return (id, values[1])
  }

  /// "10 min", "3 s", "1 h", "1 day".
  private static func words(_ duration: CalendarDuration) -> String {
    let seconds = duration.approximateSeconds
    if seconds % 86_400 == 0 { return seconds == 86_400 ? "1 day" : "\(seconds / 86_400) days" }
    if seconds % 3600 == 0 { return "\(seconds / 3600) h" }
    return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
  }
}
