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
  var onAnswer: ((_ meaning: NotificationBoard.Meaning, _ activationToken: String?) -> Void)?
  /// ``nextUpdate`` is another.
  var onNextUpdateChanged: (() -> Void)?
  /// A server has come to the bus, and shows nothing of ours yet.
  var onServerArrived: (() -> Void)?

  private static let service: BusName = "org.freedesktop.Notifications"
  private static let path: ObjectPath = "/org/freedesktop/Notifications"
  private static let interface: InterfaceName = "org.freedesktop.Notifications"

  private let connection: Connection
  private let log: Log
  private let settings: Settings
  private let now: () -> Timestamp
  private var board = NotificationBoard()
  /// What a server gave for programs that are opened by an action, until it is told.
  private var tokens: [UInt32: String] = [:]
  private var nearing = NearingStarts() {
    didSet { if nearing.next != oldValue.next { onNextUpdateChanged?() } }
  }
  private var capabilities: Set<String>?
  private var waiting: [() -> Void] = []
  private var underWay: [Request] = []
  private let presence: NotificationPresence
  /// Why the last notification was not shown; nil after one that was, and with a new server.
  private var fault: String?
  private var subscriptions: [Subscription] = []
  private let later: (_ milliseconds: Int, _ body: @escaping () -> Void) -> Void
  /// How often a server that has come may still be asked for what it has not yet.
  private var patience = 0

  /// GNOME Shell's helper has the name some moments before there is an object that could be called.
  private static let mostAttempts = 10
  private static let attemptMilliseconds = 500

  /// What people can choose.
  struct Settings {
    /// The Snooze actions, in order.
    let snoozes: [SnoozeStep]
    /// Whether a place can be looked up.
    let offersMap: Bool
  }

  /// - Parameters:
  ///   - now: what the clock says.
  ///   - later: runs something after so many milliseconds.
  init(
    connection: Connection, settings: Settings, log: Log, now: @escaping () -> Timestamp,
    later: @escaping (_ milliseconds: Int, _ body: @escaping () -> Void) -> Void
  ) {
    self.later = later
    self.connection = connection
    self.now = now
    self.log = log
    self.settings = settings
    presence = NotificationPresence(of: DesktopNotifier.service, on: connection, log: log)
  }

  /// Begins to listen to the server.
  func start() throws(DBusError) {
    presence.onOwnerChange = { [unowned self] in ownerChanged(isThere: $0) }
    presence.onStartable = { [unowned self] in
      guard !presence.hasOwner else { return }
      // What could not be shown starts it.
      fault = nil
      onServerArrived?()
    }
    try presence.start()
    subscriptions = [
      try connection.subscribe(rule("ActionInvoked")) { [unowned self] message in
        guard let (id, action) = DesktopNotifier.arguments(message), let action = action.asString
        else { return }
        // A server may say anything.
        if case .snooze(let step)? = NotificationBoard.Action(key: action),
          !settings.snoozes.indices.contains(step)
        {
          return
        }
        answered(id, board.invoked(id, action))
      },
      try connection.subscribe(rule("ActivationToken")) { [unowned self] message in
        guard let (id, token) = DesktopNotifier.arguments(message), let token = token.asString,
          board.reminders(of: id) != nil
        else { return }
        tokens[id] = token
      },
      try connection.subscribe(rule("NotificationClosed")) { [unowned self] message in
        guard let (id, reason) = DesktopNotifier.arguments(message),
          let reason = reason.asInteger.flatMap(UInt32.init(exactly:))
        else { return }
        tokens[id] = nil
        nearing.forget(id)
        if let meaning = board.closed(id, reason: reason) { onAnswer?(meaning, nil) }
      },
    ]
  }

  /// Whether a server is there, or the bus can start one that has not failed.
  var isAvailable: Bool { presence.hasOwner || (presence.canBeStarted && fault == nil) }

  /// What keeps notifications off the screen; nil where nothing is known to.
  var problem: String? {
    if let fault { return "no notification can be shown: \(fault)" }
    return isAvailable
      ? nil : "no notification server is on the bus: reminders are told by ReminderDue alone"
  }

  /// A notification that is asked for and not yet up: what is taken off it
  /// meanwhile is not shown, or not for long.
  private final class Request {
    /// The notification that it takes the place of; 0: none.
    let replaced: UInt32
    /// The only reminder that it was made for; nil where there were several.
    let single: Reminder?
    private let all: [String]
    private var wanted: Set<String>

    init(_ reminders: [Reminder], replacing replaced: UInt32 = 0) {
      self.replaced = replaced
      single = reminders.count == 1 ? reminders.first : nil
      all = reminders.map(\.id)
      wanted = Set(all)
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
    show(Request(reminders), isEmpty: reminders.isEmpty, text: text)
  }

  private func show(
    _ request: Request, isEmpty: Bool = false, text: @escaping (_ markup: Bool) -> NotificationText
  ) {
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

  // MARK: As the start comes near

  /// When the words of a notification on the screen are to be others; nil if none are.
  var nextUpdate: Timestamp? { nearing.next }

  /// Brings the words of notifications up to date, in their places and without a sound.
  ///
  /// - Parameter text: as of ``show(_:text:)``.
  func update(
    at now: Timestamp, text: @escaping (_ reminder: Reminder, _ markup: Bool) -> NotificationText
  ) {
    for (notification, reminder) in nearing.take(at: now) {
      show(Request([reminder], replacing: notification)) { text(reminder, $0) }
    }
  }

  // MARK: Calls

  private func withCapabilities(_ body: @escaping () -> Void) {
    if capabilities != nil { return body() }
    waiting.append(body)
    guard waiting.count == 1 else { return }
    call("GetCapabilities", []) { [unowned self] result in
      switch result {
      case .success(let values): capabilities = Set(values.first?.asStrings ?? [])
      case .failure(let error): if !triesAgain(after: error) { tellFault(error) }
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

  /// Has everything shown once more in a moment where a server has come that is not ready.
  private func triesAgain(after error: DBusError) -> Bool {
    guard presence.hasOwner, patience > 0, [.unknownObject, .unknownMethod].contains(error.name)
    else {
      return false
    }
    patience -= 1
    later(DesktopNotifier.attemptMilliseconds) { [weak self] in
      if let self, presence.hasOwner, capabilities == nil { onServerArrived?() }
    }
    return true
  }

  private func end(_ request: Request) { underWay.removeAll { $0 === request } }

  private func notify(_ request: Request, _ text: NotificationText) {
    let standsForNone = request.isEmpty
    // Its words are of now; the answer may come in the next second.
    let told = now()
    let arguments: [Value] = [
      .string("Datebook"), .uint32(request.replaced), .string("appointment-soon"),
      .string(text.summary), .string(text.body), .strings(actions(for: request)),
      .row([
        // Critical: it stays until somebody has seen it.
        ("urgency", .byte(2)), ("category", .string("x-datebook.reminder")),
        ("desktop-entry", .string("org.datebook.Calendar")),
        request.replaced == 0
          ? ("sound-name", .string("alarm-clock-elapsed")) : ("suppress-sound", .boolean(true)),
      ]),
      // Never expires. A server without actions is one whose notifications nobody can close, and
      // notify-osd shows a dialog in place of one that does not expire: it keeps its own time.
      .int32(capabilities?.contains("actions") ?? false ? 0 : -1),
    ]
    call("Notify", arguments) { [unowned self] result in
      end(request)
      switch result {
      case .success(let values):
        fault = nil
        guard let id = values.first?.asInteger.flatMap(UInt32.init(exactly:)) else { return }
        if request.isEmpty && !standsForNone {
          close(id)
        } else {
          if request.replaced != id { _ = board.take(request.replaced) }
          board.show(id, reminders: request.reminders)
          if let reminder = request.single { nearing.showed(reminder, as: id, at: told) }
        }
      case .failure(let error): tellFault(error)
      }
    }
  }

  /// Keys and labels in turn; none for a server that has no actions.
  private func actions(for request: Request) -> [String] {
    guard capabilities?.contains("actions") ?? false else { return [] }
    var actions: [(NotificationBoard.Action, String)] = []
    if let reminder = request.single, !reminder.joinURL.isEmpty { actions.append((.join, "Join")) }
    actions += settings.snoozes.enumerated().map { (.snooze($0), $1.label) }
    actions.append((.dismiss, "Dismiss"))
    if settings.offersMap, let reminder = request.single, reminder.joinURL.isEmpty,
      !reminder.location.isEmpty
    {
      actions.append((.locate, "Open location"))
    }
    return actions.flatMap { [$0.key, $1] }
  }

  private func close(_ notification: UInt32) {
    nearing.forget(notification)
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

  // MARK: What comes back

  private func ownerChanged(isThere: Bool) {
    board.clear()
    nearing = NearingStarts()
    tokens = [:]
    capabilities = nil
    if isThere {
      fault = nil
      patience = DesktopNotifier.mostAttempts
      // What waits to be shown is among what is shown again: a server that our
      // own call has started must not show it twice.
      waiting = []
      underWay = []
      onServerArrived?()
    }
  }

  private func answered(_ notification: UInt32, _ meaning: NotificationBoard.Meaning?) {
    let token = tokens.removeValue(forKey: notification)
    guard let meaning else { return }
    close(notification)
    onAnswer?(meaning, token)
  }

  /// Says once that nothing can be shown; the signal and the ledger still work.
  private func tellFault(_ error: DBusError) {
    if fault == nil {
      log.warning(
        "no notification can be shown (\(error.message)); ReminderDue is emitted all the same")
    }
    fault = error.message
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
}
