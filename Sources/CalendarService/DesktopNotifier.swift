import CalendarModel
import CivilTime
import DBus

/// Shows reminders through org.freedesktop.Notifications, and hears what people do with them.
///
/// Everything goes over one connection that stays open, since some servers tell of actions only the connection that sent the notification.
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
  private let file: NotificationFile
  private let whenIdle: (_ body: @escaping () -> Void) -> Void
  private var isWriting = false
  private var board = NotificationBoard()
  /// What a server gave for programs that are opened by an action, until it is told.
  private var tokens: [UInt32: String] = [:]
  private var nearing = NearingStarts() {
    didSet { if nearing.next != oldValue.next { onNextUpdateChanged?() } }
  }
  private var capabilities: Set<String>?
  private var waiting: [() -> Void] = []
  private var requests = NotificationRequests()
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
  ///   - file: where the next agent finds what is on the screen.
  ///   - whenIdle: runs something after what is being done now.
  ///   - later: runs something after so many milliseconds.
  init(
    connection: Connection, settings: Settings, file: NotificationFile, log: Log,
    whenIdle: @escaping (_ body: @escaping () -> Void) -> Void,
    later: @escaping (_ milliseconds: Int, _ body: @escaping () -> Void) -> Void
  ) {
    self.later = later
    self.whenIdle = whenIdle
    self.connection = connection
    self.file = file
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
    if let server = presence.server {
      for entry in file.read(of: server) {
        board.show(entry.number, reminders: entry.reminders, subject: entry.subject)
      }
    }
    subscriptions = [
      try connection.subscribe(rule("ActionInvoked")) { [unowned self] message in
        guard let (id, action) = message.notificationArguments, let action = action.asString
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
        guard let (id, token) = message.notificationArguments, let token = token.asString,
          board.reminders(of: id) != nil
        else { return }
        tokens[id] = token
      },
      try connection.subscribe(rule("NotificationClosed")) { [unowned self] message in
        guard let (id, reason) = message.notificationArguments,
          let reason = reason.asInteger.flatMap(UInt32.init(exactly:))
        else { return }
        tokens[id] = nil
        nearing.forget(id)
        let meaning = board.closed(id, reason: reason)
        writeSoon()
        if let meaning { onAnswer?(meaning, nil) }
      },
    ]
  }

  /// Whether a server is there, or the bus can start one that has not failed.
  var isAvailable: Bool { presence.hasOwner || (presence.canBeStarted && fault == nil) }

  /// What keeps notifications off the screen; nil where nothing is known to.
  var problem: String? {
    if let fault { return "no notification can be shown: \(fault)" }
    return isAvailable
      ? nil
      : "no notification server is on the bus: reminders are told by ReminderDue alone, and nothing is "
        + "shown; install one, such as dunst, mako or a desktop's own, and let the session start it"
  }

  // MARK: What is on the screen

  /// Shows what there is one notification of, in the place of the one that is on the screen. What it
  /// stands for is in no other.
  func show(_ content: NotificationContent) {
    // The number of the one that goes up is not known yet.
    var content = content
    if let request = requests[content.subject] {
      content.isNew = content.isNew || request.next?.isNew ?? false
      if content.single != nil { content.stand(for: request.next?.reminders.inOrder ?? []) }
      return requests.follow(request, with: content)
    }
    for reminder in content.reminders.inOrder {
      for subject in board.subjects(of: reminder) where subject != content.subject {
        withdrawShown(reminder, keeping: content.subject)
      }
    }
    let replaced = board.notification(of: content.subject)
    // A digest names all that it stands for; an occurrence has more reminders than the last one.
    if content.single != nil {
      content.stand(for: replaced.flatMap(board.reminders(of:)) ?? [])
    }
    show(NotificationRequest(content, replacing: replaced ?? 0))
  }

  private func show(_ request: NotificationRequest) {
    requests.add(request)
    withCapabilities { [unowned self] in
      guard !request.isOver else { return requests.end(request) }
      notify(request, request.content.text(capabilities?.contains("body-markup") ?? false))
    }
  }

  /// Takes the notification of a reminder away, if it has one.
  func withdraw(_ reminder: String) {
    requests.withdraw(reminder)
    withdrawShown(reminder, keeping: nil)
  }

  private func withdrawShown(_ reminder: String, keeping subject: String?) {
    for notification in board.withdraw(reminder, keeping: subject) { close(notification) }
    writeSoon()
  }

  /// Returns what there is one notification of and stands for a reminder; nil where none is on the
  /// screen.
  func subject(of reminder: String) -> String? {
    requests.request(for: reminder)?.content.subject ?? board.subjects(of: reminder).first
  }

  /// Returns what the notification of a subject stands for, in order.
  func reminders(of subject: String) -> [String] {
    if let request = requests[subject] {
      return (request.next ?? request.content).reminders.inOrder
    }
    return board.notification(of: subject).flatMap(board.reminders(of:)) ?? []
  }

  /// Takes away what an agent before this one has left on the screen, and wants no attention any more.
  func keep(_ isWanted: (_ reminder: String) -> Bool) {
    for entry in board.entries {
      for reminder in entry.reminders where !isWanted(reminder) { withdraw(reminder) }
    }
  }

  private func writeSoon() {
    guard !isWriting else { return }
    isWriting = true
    whenIdle { [weak self] in
      guard let self else { return }
      isWriting = false
      file.write(board.entries, of: presence.server)
    }
  }

  // MARK: As the start comes near

  /// When the words of a notification on the screen are to be others; nil if none are.
  var nextUpdate: Timestamp? { nearing.next }

  /// Brings the words of notifications up to date, in their places and without a sound.
  func update(
    at now: Timestamp, text: @escaping (_ reminder: Reminder, _ markup: Bool) -> NotificationText
  ) {
    for (notification, reminder) in nearing.take(at: now) {
      // The reminder that gave the words may be over, where another one of its occurrence is not.
      guard let standing = board.reminders(of: notification), !standing.isEmpty else { continue }
      show(
        NotificationContent(reminder, isNew: false, standingFor: standing) { text(reminder, $0) })
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
        requests.endAll()
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

  private func notify(_ request: NotificationRequest, _ text: NotificationText) {
    // What is on the screen already, with other words, was heard.
    let isSilent = request.replaced != 0 && !request.content.isNew
    let arguments: [Value] = [
      .string("Datebook"), .uint32(request.replaced), .string("appointment-soon"),
      .string(text.summary), .string(text.body), .strings(actions(for: request)),
      .row([
        // Critical: it stays until somebody has seen it.
        ("urgency", .byte(2)), ("category", .string("x-datebook.reminder")),
        ("desktop-entry", .string("org.datebook.Calendar")),
        isSilent
          ? ("suppress-sound", .boolean(true)) : ("sound-name", .string("alarm-clock-elapsed")),
      ]),
      // Never expires. A server without actions is one whose notifications nobody can close, and
      // notify-osd shows a dialog in place of one that does not expire: it keeps its own time.
      .int32(capabilities?.contains("actions") ?? false ? 0 : -1),
    ]
    call("Notify", arguments) { [unowned self] result in
      requests.end(request)
      switch result {
      case .success(let values):
        fault = nil
        guard let id = values.first?.asInteger.flatMap(UInt32.init(exactly:)) else {
          return showNew(after: request)
        }
        if request.replaced != id {
          _ = board.take(request.replaced)
          nearing.forget(request.replaced)
        }
        if request.isOver {
          close(id)
        } else {
          board.show(
            id, reminders: request.content.reminders.inOrder, subject: request.content.subject)
          nearing.showed(request.content.single, as: id, until: text.changesAt)
          if let next = request.next { show(next) }
        }
        writeSoon()
      case .failure(let error):
        tellFault(error)
        showNew(after: request)
      }
    }
  }

  /// Shows what fell due while a notification was asked for that has not come up.
  private func showNew(after request: NotificationRequest) {
    if let next = request.next, next.isNew { show(next) }
  }

  /// Keys and labels in turn; none for a server that has no actions.
  private func actions(for request: NotificationRequest) -> [String] {
    guard capabilities?.contains("actions") ?? false else { return [] }
    var actions: [(NotificationBoard.Action, String)] = []
    let single = request.content.single
    if let single, !single.joinURL.isEmpty { actions.append((.join, "Join")) }
    actions += settings.snoozes.enumerated().map { (.snooze($0), $1.label) }
    actions.append((.dismiss, "Dismiss"))
    // Beside a meeting's address, a place that is one is that of the meeting.
    if settings.offersMap, let single, !single.location.isEmpty,
      single.joinURL.isEmpty || !single.location.contains("://")
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
    writeSoon()
    if isThere {
      fault = nil
      patience = DesktopNotifier.mostAttempts
      // What waits to be shown is among what is shown again: a server that our
      // own call has started must not show it twice.
      waiting = []
      requests.endAll()
      onServerArrived?()
    }
  }

  private func answered(_ notification: UInt32, _ meaning: NotificationBoard.Meaning?) {
    let token = tokens.removeValue(forKey: notification)
    writeSoon()
    guard let meaning else { return }
    close(notification)
    onAnswer?(meaning, token)
  }

  /// Says once that nothing can be shown; the signal and the ledger still work.
  private func tellFault(_ error: DBusError) {
    let words =
      "no notification can be shown (\(error.message)); ReminderDue is emitted all the same"
    if fault == nil { log.warning(words) }
    fault = error.message
  }

  private func rule(_ member: MemberName) -> MatchRule {
    MatchRule(
      sender: DesktopNotifier.service, path: DesktopNotifier.path,
      interface: DesktopNotifier.interface, member: member)
  }
}
