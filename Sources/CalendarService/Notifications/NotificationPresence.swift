import DBus

/// Whether there is a notification server, or the bus can start one: asked at the start, and
/// followed from then on, so that it is known before there is a reminder to show.
final class NotificationPresence {
  /// A server has come, another has taken its place, or the one that was there has gone.
  var onOwnerChange: ((_ isThere: Bool) -> Void)?
  /// The bus can start one, as it could not before.
  var onStartable: (() -> Void)?

  /// The unique name of the server; nil where there is none.
  private(set) var owner: BusName?
  var hasOwner: Bool { owner != nil }
  /// The server among those of all buses: unique names begin anew on each. nil where there is none.
  var server: String? { owner.map { "\(busID) \($0.text)" } }
  private var busID = ""
  private(set) var canBeStarted = false
  /// Whether it is said that there is no server.
  private var isMissed = false
  private let service: BusName
  private let connection: Connection
  private let log: Log
  private var subscriptions: [Subscription] = []

  private static let busPath: ObjectPath = "/org/freedesktop/DBus"
  private static let busInterface: InterfaceName = "org.freedesktop.DBus"

  init(of service: BusName, on connection: Connection, log: Log) {
    self.service = service
    self.connection = connection
    self.log = log
  }

  /// Asks the bus, and waits for its answers: the first reminder may be told right after.
  func start() throws(DBusError) {
    // First: what changes while the bus is asked is told after its answers.
    subscriptions = [
      try connection.watchOwner(of: service) { [unowned self] in ownerChanged(to: $0) },
      // A server was installed, or taken away.
      try connection.subscribe(
        MatchRule(
          sender: .bus, path: NotificationPresence.busPath,
          interface: NotificationPresence.busInterface, member: "ActivatableServicesChanged")
      ) { [unowned self] _ in lookForStartable() },
    ]
    busID =
      try connection.callAndWait(question("GetId")).arguments(limits: .request).first?.asString
      ?? ""
    canBeStarted = try isNamed(in: connection.callAndWait(question("ListActivatableNames")))
    owner = try askForOwner()
    tellWhetherMissed()
  }

  private func askForOwner() throws(DBusError) -> BusName? {
    do throws(DBusError) {
      return
        try connection.callAndWait(question("GetNameOwner", [.string(service.text)]))
        .arguments(limits: .request).first?.asString.map(BusName.init)
    } catch  where error.name == .nameHasNoOwner {
      return nil
    }
  }

  private func question(
    _ member: MemberName, _ arguments: [Value] = []
  ) throws(DBusError) -> Message {
    try .call(
      .bus, NotificationPresence.busPath, NotificationPresence.busInterface, member, arguments)
  }

  private func isNamed(in answer: Message) throws(DBusError) -> Bool {
    try answer.arguments(limits: .request).first?.asStrings?.contains(service.text) ?? false
  }

  /// Whether an answer comes from the server that there is: one that was replaced may answer late, and its
  /// numbers are not those of the other.
  ///
  /// - Parameter asked: the ``owner`` when it was asked; nil: the bus may have started one for that.
  func isOfPresent(_ answer: Message, asked: BusName?) -> Bool {
    // Where the bus does not say who it is, whoever answers is.
    if asked == nil, owner == nil { return true }
    return answer.sender == owner
  }

  private func ownerChanged(to owner: BusName?) {
    guard owner != self.owner else { return }
    let isThere = owner != nil
    self.owner = owner
    // A bus that does not tell of changes (dbus-daemon before 1.14) is asked when a server goes.
    if !isThere { lookForStartable() }
    tellWhetherMissed()
    onOwnerChange?(isThere)
  }

  /// Asks the bus again what it can start.
  private func lookForStartable() {
    do throws(DBusError) {
      try connection.call(question("ListActivatableNames")) { [weak self] result in
        guard let self else { return }
        do throws(DBusError) {
          let could = canBeStarted
          canBeStarted = try isNamed(in: result.get())
          tellWhetherMissed()
          if canBeStarted, !could { onStartable?() }
        } catch {
          notKnown(error)
        }
      }
    } catch {
      notKnown(error)
    }
  }

  private func notKnown(_ error: DBusError) {
    log.warning("it is not known whether a notification server can be started: \(error)")
  }

  /// Says once that there is no server, and that there is one again.
  private func tellWhetherMissed() {
    let isMissed = !hasOwner && !canBeStarted
    guard isMissed != self.isMissed else { return }
    self.isMissed = isMissed
    log.notice(
      isMissed
        ? "no notification server is on the bus, and it can start none: until one comes, reminders "
          + "are told by ReminderDue alone"
        : "there is a notification server again")
  }
}
