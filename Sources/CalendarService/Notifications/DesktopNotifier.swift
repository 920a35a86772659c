import CalendarBus
import CalendarModel
import CivilTime
import DBus

/// Shows reminders through org.freedesktop.Notifications, and hears what people do with them.
///
/// Source: Desktop Notifications Specification 1.2.
final class DesktopNotifier {
  /// What somebody did with a notification.
  var onAnswer: ((_ meaning: NotificationBoard.Meaning, _ activationToken: String?) -> Void)?
  /// ``nextUpdate`` is another.
  var onNextUpdateChanged: (() -> Void)?
  /// A server has come to the bus, and shows nothing of ours yet: of some reminders nothing has been shown at all.
  var onServerArrived: ((_ unseen: Set<String>) -> Void)?
  /// A digest is on the screen that counts so many that are too old to be pending.
  var onTooOldShown: ((_ count: Int) -> Void)?
  /// Whether it is quiet time: what was refused is not asked for again in it.
  var isQuiet: () -> Bool = { false }
  /// What was refused and is not asked for again, since it has become quiet: it is to be shown when that
  /// is over.
  var onHeldBack: ((_ content: NotificationContent) -> Void)?

  private let server: NotificationConnection
  private let log: Log
  private let settings: Settings
  private let file: NotificationFile
  private let whenIdle: (_ body: @escaping () -> Void) -> Void
  private var isWriting = false
  private(set) var board = NotificationBoard()
  /// What a server gave for programs that are opened by an action, until it is told.
  private var tokens: [UInt32: String] = [:]
  private var nearing = CountdownUpdates() {
    didSet { if nearing.next != oldValue.next { onNextUpdateChanged?() } }
  }
  private var capabilities: Set<String>?
  /// How many servers have come, or might have.
  private var serverCount = 0
  /// Those that wait for what the server says it can do.
  private var waiting: [NotificationRequest] = []
  private(set) var requests = NotificationRequests()
  private var presence: NotificationPresence { server.presence }
  /// Why the last notification that was new was not shown; nil after one that was, and with a new server.
  private var fault: String?
  private var isFaultTold = false
  private var subscriptions: [Subscription] = []
  private let later: PendingReplies.Later

  /// - Parameters:
  ///   - file: where the next agent finds what is on the screen.
  ///   - whenIdle: runs something after what is being done now.
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
      // What could not be shown starts it.
      fault = nil
      showAnew()
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
        // A server may say anything.
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

  /// What keeps notifications off the screen; nil where nothing is known to.
  var problem: String? {
    guard presence.hasOwner || presence.canBeStarted else {
      return
        "\(Contract.noNotification) server is on the bus: reminders are told by ReminderDue alone, "
        + "and nothing is shown; install one, such as dunst, mako or a desktop's own, and let the session start it"
    }
    if server.answers.isOverdue {
      return "\(Contract.noNotification) can be shown: the server has not answered for "
        + "\(server.answers.patienceMilliseconds / 1000) seconds; what it was asked for is shown when it does"
    }
    return NotificationRetry.problem(fault, refused: requests.refused.map(\.content.refusals))
  }

  /// Whether the server says that it holds notifications back.
  var isInhibited: Bool { server.inhibition.isOn }

  /// Whether nothing is asked of the server that it has not answered.
  var isIdle: Bool { !server.answers.areAwaited }

  // MARK: What is on the screen

  /// Shows what there is one notification of, in the place of the one that is on the screen. What
  /// it stands for is in no other.
  func show(_ content: NotificationContent) {
    var content = content
    if let request = requests[content.subject] {
      if !request.isRefused {
        // The number of the one that goes up is not known yet.
        if let next = request.next { content.replace(next) }
        return requests.follow(request, with: content)
      }
      content.replace(request.content)
      requests.end(request)
    }
    for reminder in content.reminders.inOrder {
      // What is asked for and not up yet would come up beside it.
      requests.withdraw(reminder, keeping: content.subject)
      for subject in board.subjects(of: reminder) where subject != content.subject {
        withdrawShown(reminder, keeping: content.subject)
      }
    }
    let replaced = board.notification(of: content.subject)
    // A digest names all that it stands for; an occurrence has more reminders than the last one.
    if content.single != nil {
      content.stand(for: replaced.flatMap(board.reminders(of:)) ?? [])
    }
    let request = NotificationRequest(content, replacing: replaced ?? 0)
    requests.add(request)
    if capabilities != nil { return notify(request) }
    waiting.append(request)
    if waiting.count == 1 { askForCapabilities() }
  }

  /// Takes the notification of a reminder away, if it has one.
  func withdraw(_ reminder: String) {
    requests.withdraw(reminder)
    withdrawShown(reminder, keeping: nil)
  }

  /// Takes the notification of a subject away that stands for no reminder, if there is one.
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

  /// Takes away what is true only as long as this agent runs; the rest is for the next one to take over.
  func stop() {
    for subject in NotificationContent.faults { withdraw(subject: subject) }
    // What is to be done when the loop is idle is not done any more.
    file.write(board.entries, of: presence.server)
  }

  private func withdrawShown(_ reminder: String, keeping subject: String?) {
    for notification in board.withdraw(reminder, keeping: subject)
    where !requests.isReplacing(notification) {
      close(notification)
    }
    writeSoon()
  }

  /// Lets what is on the screen stand for reminders under other names, and returns those for which it does.
  /// What it says is to be brought up to date.
  ///
  /// - Parameter names: by those of before.
  func rename(_ names: [String: NotificationBoard.Name]) -> Set<String> {
    let renamed = board.rename(names)
    for notification in renamed.notifications { nearing.forget(notification) }
    if !renamed.reminders.isEmpty { writeSoon() }
    return renamed.reminders
  }

  /// Takes away what an agent before this one has left on the screen, and wants no attention any
  /// more.
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
  ///
  /// - Parameter rewordDigest: shows the digest of a subject anew.
  func update(
    at now: Timestamp, text: @escaping (_ reminder: Reminder, _ markup: Bool) -> NotificationText,
    rewordDigest: (_ subject: String) -> Void
  ) {
    for (notification, source) in nearing.take(at: now) {
      guard let standing = board.reminders(of: notification), !standing.isEmpty else { continue }
      switch source {
      case .single(let reminder):
        // The reminder that gave the words may be over, where another one of its occurrence is not.
        show(
          NotificationContent(reminder, isNew: false, standingFor: standing) { text(reminder, $0) })
      case .digest: board.subject(of: notification).map(rewordDigest)
      }
    }
  }

  // MARK: Calls

  private func askForCapabilities() {
    let asked = serverCount
    // Before: its answer comes first.
    server.inhibition.ask()
    server.call("GetCapabilities", []) { [unowned self] result in
      // Of a server that has come since it is asked anew. One that this call has started comes before its
      // answer, which is as good.
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
        isFaultTold = false
        showed(request, text, as: values.first?.asInteger.flatMap(UInt32.init(exactly:)))
      case .failure(let error): refused(request, error)
      }
    }
  }

  /// Takes away what a request was to take the place of that does not come up, where it stands for
  /// nothing any more.
  private func closeReplaced(by request: NotificationRequest) {
    guard request.replaced != 0, board.reminders(of: request.replaced) == nil else { return }
    close(request.replaced)
  }

  /// - Parameter id: nil where the server has not said it.
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
    // The server takes what it had not taken before.
    if request.content.refusals.count == 0 {
      for refused in requests.refused where refused.isRefused { askAgain(refused) }
    }
  }

  // MARK: What was refused

  /// Keeps what the server has refused, or what never came to one, and asks for it again later.
  private func refused(_ request: NotificationRequest, _ error: DBusError) {
    // A server that has come meanwhile is asked for all of it.
    guard requests.contains(request), !request.isRefused else { return }
    defer { closeReplaced(by: request) }
    let isNewer = request.next?.isNew ?? false
    let wasProblem = request.content.refusals.isProblem
    request.refuse(error)
    // One that is asked for again says nothing of the others.
    if request.content.refusals.isProblem, !wasProblem { fault = error.message }
    logFault(of: request, error)
    if isNewer {
      // What fell due meanwhile is asked for at once.
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

  /// Asks once more for what was refused. In quiet time only for what comes without a sound: new words
  /// in the place of what is on the screen.
  private func askAgain(_ request: NotificationRequest) {
    let content = request.content
    let isSilent = !content.isNew && board.notification(of: content.subject) != nil
    // It takes no other's place.
    requests.end(request)
    guard isQuiet(), !isSilent else { return show(content) }
    onHeldBack?(content)
  }

  /// Has all that waits shown by a server that knows nothing of it.
  private func showAnew() {
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

  // MARK: What comes back

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
      isFaultTold = false
      // What waits to be shown is among what is shown again: a server that our
      // own call has started must not show it twice.
      showAnew()
    }
  }

  private func answered(_ notification: UInt32, _ meaning: NotificationBoard.Meaning?) {
    let token = tokens.removeValue(forKey: notification)
    writeSoon()
    guard let meaning else { return }
    close(notification)
    onAnswer?(meaning, token)
  }

  /// Says once that nothing can be shown, and of one notification once; the signal and the ledger still work.
  private func logFault(of request: NotificationRequest, _ error: DBusError) {
    let refusals = request.content.refusals
    let isComing =
      presence.hasOwner && [.unknownObject, .unknownMethod].contains(error.name)
    guard refusals.isProblem, !refusals.isLogged,
      !isComing || refusals.count >= NotificationRetry.patience
    else { return }
    request.noteLogged()
    guard !isFaultTold else { return }
    isFaultTold = true
    log.warning(
      "no notification can be shown (\(error.message)); ReminderDue is emitted all the same")
  }
}
