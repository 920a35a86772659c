import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Platform

/// Shows notifications through org.freedesktop.Notifications, and reports what people do with them.
///
/// Source: Desktop Notifications Specification 1.2.
final class DesktopNotifier {
  /// Runs when a person did something with a notification.
  var onAnswer: ((_ meaning: NotificationBoard.Meaning, _ activationToken: String?) -> Void)?
  /// Runs when ``nextUpdate`` changed.
  var onNextUpdateChanged: (() -> Void)?
  /// Runs when a server appears, with the new reminders that no server has shown.
  var onServerArrived: ((_ unseen: Set<String>) -> Void)?
  /// Runs when a digest is on the screen, with its number of reminders too old to be pending.
  var onTooOldShown: ((_ count: Int) -> Void)?
  /// Whether it is quiet time, when refused notifications are not retried.
  var isQuiet: () -> Bool = { false }
  /// Runs with a refused notification that is to be shown after quiet time instead of retried.
  var onHeldBack: ((_ content: NotificationContent) -> Void)?

  private let server: NotificationConnection
  private let log: Log
  private let settings: Settings
  private let file: NotificationFile
  private let whenIdle: (_ body: @escaping () -> Void) -> Void
  private var isWriting = false
  private(set) var board = NotificationBoard()
  /// The activation tokens that a server sent before its actions.
  private var tokens: [UInt32: String] = [:]
  private var nearing = CountdownUpdates() {
    didSet { if nearing.next != oldValue.next { onNextUpdateChanged?() } }
  }
  private var capabilities: Set<String>?
  /// How many servers have appeared or become startable.
  private var serverCount = 0
  /// The requests that wait for the server's capabilities.
  private var waiting: [NotificationRequest] = []
  private(set) var requests = NotificationRequests()
  private var presence: NotificationPresence { server.presence }
  /// Why the last new notification was not shown; nil after a success, and with a new server.
  private var fault: String?
  private var isFaultLogged = false
  private var subscriptions: [Subscription] = []
  private let later: PendingReplies.Later

  /// - Parameters:
  ///   - file: the list of notifications on the screen, for the next agent.
  ///   - whenIdle: runs a function after the present work.
  init(
    connection: Connection, settings: Settings, file: NotificationFile, log: Log,
    whenIdle: @escaping (_ body: @escaping () -> Void) -> Void,
    later: @escaping PendingReplies.Later
  ) {
    self.later = later
    self.whenIdle = whenIdle
    self.file = file
    self.log = log
    self.settings = settings
    server = NotificationConnection(
      on: connection, patienceMilliseconds: settings.patienceMilliseconds, later: later, log: log)
  }

  /// Begins to listen to the server.
  func start() throws(DBusError) {
    presence.onOwnerChange = { [unowned self] in ownerChanged(isThere: $0) }
    presence.onStartable = { [unowned self] in
      guard !presence.hasOwner else { return }
      // Sending the waiting notifications starts it.
      fault = nil
      showAll()
    }
    try presence.start()
    try server.inhibition.start()
    if let name = presence.server {
      for entry in file.read(of: name) {
        board.show(
          entry.number, reminders: entry.reminders, subject: entry.subject, tooOld: entry.tooOld)
      }
    }
    subscriptions = [
      try server.subscribe("ActionInvoked") { [unowned self] message in
        guard let (id, action) = message.notificationArguments, let action = action.asString
        else { return }
        // A server may send a key of an action that was not offered.
        if case .snooze(let step)? = NotificationBoard.Action(key: action),
          !settings.snoozes.indices.contains(step)
        {
          return
        }
        answered(id, board.invoked(id, action))
      },
      try server.subscribe("ActivationToken") { [unowned self] message in
        guard let (id, token) = message.notificationArguments, let token = token.asString,
          board.reminders(of: id) != nil
        else { return }
        tokens[id] = token
      },
      try server.subscribe("NotificationClosed") { [unowned self] message in
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

  /// Why notifications are not shown; nil if no problem is known.
  var problem: String? {
    guard presence.hasOwner || presence.canBeStarted else {
      // Clients find these problems by their first words, which are not translated.
      return "\(Contract.noNotification): "
        + localized(
          """
          no notification server is running, so reminders are sent as D-Bus signals only; install \
          one, such as dunst, mako or your desktop's own, and let the session start it
          """)
    }
    if server.answers.isOverdue {
      return "\(Contract.noNotification): "
        + localized(
          server.answers.patienceMilliseconds / 1000,
          one: """
            the server has not answered for {count} second; notifications are shown as soon as it \
            does
            """,
          other: """
            the server has not answered for {count} seconds; notifications are shown as soon as it \
            does
            """)
    }
    return NotificationRetry.problem(fault, refused: requests.refused.map(\.content.refusals))
  }

  /// Whether the server's do-not-disturb is on.
  var isInhibited: Bool { server.inhibition.isOn }

  /// Whether there is no call without a reply.
  var isIdle: Bool { !server.answers.areAwaited }

  // MARK: The screen

  /// Shows a notification, replacing the one of the same subject on the screen.
  ///
  /// Its reminders are removed from all others.
  func show(_ content: NotificationContent) {
    var content = content
    if let request = requests[content.subject] {
      if !request.isRefused {
        // The server has not returned the number of the notification to replace yet.
        if let next = request.next { content.replace(next) }
        return requests.follow(request, with: content)
      }
      content.replace(request.content)
      requests.end(request)
    }
    for reminder in content.reminders.inOrder {
      // Otherwise a notification that was sent already would also appear.
      requests.withdraw(reminder, keeping: content.subject)
      for subject in board.subjects(of: reminder) where subject != content.subject {
        withdrawShown(reminder, keeping: content.subject)
      }
    }
    let replaced = board.notification(of: content.subject)
    // A digest has all its reminders; an occurrence may have earlier ones, too.
    if content.single != nil {
      content.stand(for: replaced.flatMap(board.reminders(of:)) ?? [])
    }
    let request = NotificationRequest(content, replacing: replaced ?? 0)
    requests.add(request)
    if capabilities != nil { return notify(request) }
    waiting.append(request)
    if waiting.count == 1 { askForCapabilities() }
  }

  /// Closes the notification of a reminder, if it has one.
  func withdraw(_ reminder: String) {
    requests.withdraw(reminder)
    withdrawShown(reminder, keeping: nil)
  }

  /// Closes the notification of a subject without reminders, if there is one.
  func withdraw(subject: String) {
    if let request = requests[subject] {
      request.next = nil
      request.isOutdated = true
      if request.isRefused { requests.end(request) }
    }
    guard let notification = board.notification(of: subject) else { return }
    _ = board.take(notification)
    writeSoon()
    close(notification)
  }

  /// Closes notifications about this agent's problems; the next agent takes over the rest.
  func stop() {
    let shown = board.entries.map(\.subject).filter(NotificationContent.isFault)
    for subject in NotificationContent.faults + shown { withdraw(subject: subject) }
    // Written now, since the loop does not become idle again.
    file.write(board.entries, of: presence.server)
  }

  private func withdrawShown(_ reminder: String, keeping subject: String?) {
    for notification in board.withdraw(reminder, keeping: subject)
    where !requests.isReplacing(notification) {
      close(notification)
    }
    writeSoon()
  }

  /// Renames reminders in the notifications on the screen, and returns the new IDs found there.
  ///
  /// The caller updates their texts.
  ///
  /// - Parameter names: by the old IDs.
  func rename(_ names: [String: NotificationBoard.Name]) -> Set<String> {
    let renamed = board.rename(names)
    for notification in renamed.notifications { nearing.forget(notification) }
    if !renamed.reminders.isEmpty { writeSoon() }
    return renamed.reminders
  }

  /// Removes unwanted reminders that an earlier agent left on the screen.
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

  // MARK: Countdowns

  /// When the text of a notification on the screen changes next; nil for never.
  var nextUpdate: Timestamp? { nearing.next }

  /// Updates the texts of notifications, in place and without a sound.
  ///
  /// - Parameter rewordDigest: shows the digest of a subject again.
  func update(
    at now: Timestamp, text: @escaping (_ reminder: Reminder, _ markup: Bool) -> NotificationText,
    rewordDigest: (_ subject: String) -> Void
  ) {
    for (notification, source) in nearing.take(at: now) {
      guard let standing = board.reminders(of: notification), !standing.isEmpty else { continue }
      switch source {
      case .single(let reminder):
        // This reminder may be over while another one of its occurrence is not.
        show(
          NotificationContent(reminder, isNew: false, standingFor: standing) { text(reminder, $0) })
      case .digest: board.subject(of: notification).map(rewordDigest)
      }
    }
  }

  // MARK: Calls

  private func askForCapabilities() {
    let asked = serverCount
    // Sent first, so that its answer comes first.
    server.inhibition.ask()
    server.call("GetCapabilities", []) { [unowned self] result in
      // The server that appeared since then has been asked again.
      if case .failure = result, asked != serverCount { return }
      let requests = waiting
      waiting = []
      switch result {
      case .success(let values):
        capabilities = Set(values.first?.asStrings ?? [])
        for request in requests { notify(request) }
      case .failure(let error):
        for request in requests { refused(request, error) }
      }
    }
  }

  private func notify(_ request: NotificationRequest) {
    guard !request.isOver else {
      requests.end(request)
      return closeReplaced(by: request)
    }
    let text = request.content.text(capabilities?.contains("body-markup") ?? false)
    let arguments = request.arguments(
      text, capabilities: capabilities ?? [], settings,
      urgency: server.inhibition.isOn ? .normal : settings.urgency)
    server.call("Notify", arguments) { [unowned self] result in
      switch result {
      case .success(let values):
        requests.end(request)
        fault = nil
        isFaultLogged = false
        showed(request, text, as: values.first?.asInteger.flatMap(UInt32.init(exactly:)))
      case .failure(let error): refused(request, error)
      }
    }
  }

  /// Closes the notification that a failed request should have replaced, if it has no reminders.
  private func closeReplaced(by request: NotificationRequest) {
    guard request.replaced != 0, board.reminders(of: request.replaced) == nil else { return }
    close(request.replaced)
  }

  /// - Parameter id: the server's number for it; nil if the server did not return one.
  private func showed(_ request: NotificationRequest, _ text: NotificationText, as id: UInt32?) {
    if let id {
      if request.replaced != id {
        _ = board.take(request.replaced)
        nearing.forget(request.replaced)
      }
      if request.isOver {
        close(id)
      } else {
        board.show(
          id, reminders: request.content.reminders.inOrder, subject: request.content.subject,
          tooOld: request.content.counted)
        nearing.showed(
          request.content.single.map { .single($0) } ?? .digest, as: id, until: text.changesAt)
        if request.content.tooOld > 0 { onTooOldShown?(request.content.tooOld) }
      }
      writeSoon()
    }
    if let next = request.next, id != nil || next.isNew { show(next) }
    // The server accepts notifications again.
    if request.content.refusals.count == 0 {
      for refused in requests.refused where refused.isRefused { askAgain(refused) }
    }
  }

  // MARK: Refusals

  /// Keeps a notification that was refused, or that no server received, and retries it later.
  private func refused(_ request: NotificationRequest, _ error: DBusError) {
    // After a change of the server everything is sent again anyway.
    guard requests.contains(request), !request.isRefused else { return }
    defer { closeReplaced(by: request) }
    let isNewer = request.next?.isNew ?? false
    let wasProblem = request.content.refusals.isProblem
    request.refuse(error)
    // A failed retry does not mean that new notifications are refused.
    if request.content.refusals.isProblem, !wasProblem { fault = localized(error.text) }
    logFault(of: request, error)
    if isNewer {
      // A newer reminder is sent at once.
      request.forgetRefusals()
      return askAgain(request)
    }
    guard let milliseconds = NotificationRetry.milliseconds(after: request.content.refusals.count)
    else { return }
    _ = later(milliseconds) { [weak self, weak request] in
      guard let self, let request, requests.contains(request), request.isRefused,
        presence.hasOwner || presence.canBeStarted
      else { return }
      askAgain(request)
    }
  }

  /// Retries a refused notification; in quiet time only an update without a sound.
  private func askAgain(_ request: NotificationRequest) {
    let content = request.content
    let isSilent = !content.isNew && board.notification(of: content.subject) != nil
    // Ended first, since ``show(_:)`` would merge the content with it.
    requests.end(request)
    guard isQuiet(), !isSilent else { return show(content) }
    onHeldBack?(content)
  }

  /// Drops all requests, and lets the owner show everything on a new server.
  private func showAll() {
    serverCount += 1
    waiting = []
    let unseen = requests.unseen
    requests.endAll()
    onServerArrived?(unseen)
  }

  private func close(_ notification: UInt32) {
    nearing.forget(notification)
    server.close(notification)
  }

  // MARK: Signals

  private func ownerChanged(isThere: Bool) {
    board.clear()
    nearing = CountdownUpdates()
    tokens = [:]
    capabilities = nil
    server.answers.serverChanged()
    server.inhibition.serverChanged()
    writeSoon()
    if isThere {
      fault = nil
      isFaultLogged = false
      // This drops the waiting requests, so that nothing is shown twice.
      showAll()
    }
  }

  private func answered(_ notification: UInt32, _ meaning: NotificationBoard.Meaning?) {
    let token = tokens.removeValue(forKey: notification)
    writeSoon()
    guard let meaning else { return }
    close(notification)
    onAnswer?(meaning, token)
  }

  /// Logs once that notifications cannot be shown; signals and the ledger still work.
  private func logFault(of request: NotificationRequest, _ error: DBusError) {
    let refusals = request.content.refusals
    let isComing =
      presence.hasOwner && [.unknownObject, .unknownMethod].contains(error.name)
    guard refusals.isProblem, !refusals.isLogged,
      !isComing || refusals.count >= NotificationRetry.patience
    else { return }
    request.noteLogged()
    guard !isFaultLogged else { return }
    isFaultLogged = true
    log.warning(
      localized(
        "no notification can be shown; reminders are sent as D-Bus signals: {reason}",
        ["reason": error.text]))
  }
}
