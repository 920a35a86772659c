import DBus
import Platform

/// Whether there is a notification server, or the bus can start one.
///
/// It asks at the start and then watches the bus, so that this is known before the first reminder.
final class NotificationPresence {
  /// Runs when a server appears, is replaced or ends.
  var onOwnerChange: ((_ isThere: Bool) -> Void)?
  /// Runs when the bus can start a server and could not before.
  var onStartable: (() -> Void)?

  /// The unique name of the server; nil if there is none.
  private(set) var owner: BusName?
  var hasOwner: Bool { owner != nil }
  /// The server with the ID of its bus, whose unique names another bus has as well; nil for none.
  var server: String? { owner.map { "\(busID) \($0.text)" } }
  private var busID = ""
  private(set) var canBeStarted = false
  /// Whether it is logged that there is no server.
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

  /// Asks the bus, and waits for its answers: the first reminder may be shown right after.
  ///
  /// - Throws: ``DBusError`` if the bus does not answer.
  func start() throws(DBusError) {
    // Subscribe first, so that no change after the answers is missed.
    subscriptions = [
      try connection.watchOwner(of: service) { [unowned self] in ownerChanged(to: $0) },
      // A server was installed or removed.
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

  /// Whether an answer comes from the present server: IDs of a replaced one mean nothing now.
  ///
  /// - Parameter asked: the ``owner`` at the call; nil if the bus had to start a server.
  func isOfPresent(_ answer: Message, asked: BusName?) -> Bool {
    // While the owner is not known, any answer counts.
    if asked == nil, owner == nil { return true }
    return answer.sender == owner
  }

  private func ownerChanged(to owner: BusName?) {
    guard owner != self.owner else { return }
    let isThere = owner != nil
    self.owner = owner
    // A bus that does not signal changes (dbus-daemon before 1.14) is asked when a server ends.
    if !isThere { lookForStartable() }
    tellWhetherMissed()
    onOwnerChange?(isThere)
  }

  /// Asks the bus again whether it can start a server.
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
    log.warning(
      localized(
        "the bus does not say whether it can start a notification server: {reason}",
        ["reason": error.text]))
  }

  /// Logs once that there is no server, and that there is one again.
  private func tellWhetherMissed() {
    let isMissed = !hasOwner && !canBeStarted
    guard isMissed != self.isMissed else { return }
    self.isMissed = isMissed
    log.notice(
      isMissed
        ? localized(
          "no notification server is running; reminders are sent as D-Bus signals only")
        : localized("a notification server is available again"))
  }
}
