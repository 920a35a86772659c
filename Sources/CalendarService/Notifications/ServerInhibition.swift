import DBus
import Platform

/// The urgency of a notification, by the word of the settings.
enum NotificationUrgency: String {
  /// It stays until a person has seen it, and most desktops show it despite do-not-disturb.
  case critical
  /// Some servers close it by themselves; do-not-disturb holds it back.
  case normal

  /// Source: Desktop Notifications Specification 1.2, "Urgency Levels".
  var level: UInt8 { self == .critical ? 2 : 1 }
}

/// Whether the notification server's do-not-disturb is on.
///
/// Most servers do not report it; then it counts as off.
///
/// Source: the property `Inhibited` of KDE Plasma's org.freedesktop.Notifications.
final class ServerInhibition {
  private(set) var isOn = false

  private let service: BusName
  private let path: ObjectPath
  private let interface: InterfaceName
  private let connection: Connection
  private let log: Log
  private var subscription: Subscription?
  /// Counts questions and signals, so that a late answer to an earlier question is ignored.
  private var news = 0

  private static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
  private static let property = "Inhibited"

  init(
    of service: BusName, _ path: ObjectPath, _ interface: InterfaceName, on connection: Connection,
    log: Log
  ) {
    self.service = service
    self.path = path
    self.interface = interface
    self.connection = connection
    self.log = log
  }

  /// Begins to listen.
  func start() throws(DBusError) {
    subscription = try connection.subscribe(
      MatchRule(
        sender: service, path: path, interface: ServerInhibition.properties,
        member: "PropertiesChanged", firstArgument: interface.text)
    ) { [weak self] message in
      guard let self, let values = try? message.arguments(limits: .request), values.count == 3
      else { return }
      if let isOn = values[1][ServerInhibition.property]?.asBoolean {
        news += 1
        self.isOn = isOn
      } else if values[2].asStrings?.contains(ServerInhibition.property) ?? false {
        ask()
      }
    }
  }

  /// Asks the server; the answer comes before those to later calls.
  func ask() {
    news += 1
    let asked = news
    do throws(DBusError) {
      let question = try Message.call(
        service, path, ServerInhibition.properties, "Get",
        [.string(interface.text), .string(ServerInhibition.property)])
      try connection.call(question) { [weak self] result in
        guard let self, asked == news else { return }
        let values = try? result.get().arguments(limits: .request)
        // Most servers have no such property.
        isOn = values?.first?.unwrapped.asBoolean ?? false
      }
    } catch {
      log.warning(
        localized(
          "the do-not-disturb state of the notification server could not be read: {reason}",
          ["reason": error.text]))
    }
  }

  /// Called when the server ended or was replaced.
  func serverChanged() {
    news += 1
    isOn = false
  }
}
