import DBus
import Platform
import Widgets

/// Watches whether the desktop prefers light or dark.
///
/// It does not start the portal: a desktop with one starts it anyway. Without a portal or a
/// preference the desktop counts as light.
///
/// Source: XDG Desktop Portal, "org.freedesktop.portal.Settings", `color-scheme`.
final class AppearanceFollower {
  private(set) var scheme = ColorScheme.light
  /// Runs when ``scheme`` changed.
  var onChange: (() -> Void)?

  private static let service: BusName = "org.freedesktop.portal.Desktop"
  private static let path: ObjectPath = "/org/freedesktop/portal/desktop"
  private static let interface: InterfaceName = "org.freedesktop.portal.Settings"
  private static let namespace = "org.freedesktop.appearance"
  private static let key = "color-scheme"

  private let connection: Connection
  private let log: Log
  private var subscriptions: [Subscription] = []

  init(connection: Connection, log: Log) {
    self.connection = connection
    self.log = log
  }

  /// Begins to watch.
  func start() {
    do throws(DBusError) {
      let rule = MatchRule(
        sender: AppearanceFollower.service, path: AppearanceFollower.path,
        interface: AppearanceFollower.interface, member: "SettingChanged",
        firstArgument: AppearanceFollower.namespace)
      subscriptions = [
        try connection.subscribe(rule) { [unowned self] message in
          guard let values = try? message.arguments(), values.count == 3,
            values[1].asString == AppearanceFollower.key
          else { return }
          take(values[2])
        },
        try connection.watchOwner(of: AppearanceFollower.service) { [unowned self] owner in
          if owner != nil { ask() }
        },
      ]
    } catch {
      log.error(
        localized(
          "changes between the light and the dark desktop are not noticed: {reason}",
          ["reason": error.text]))
    }
  }

  private func ask() {
    do throws(DBusError) {
      // Portals before 2023 do not have ReadOne; all have Read.
      let message = try Message.call(
        AppearanceFollower.service, AppearanceFollower.path, AppearanceFollower.interface, "Read",
        [.string(AppearanceFollower.namespace), .string(AppearanceFollower.key)])
      message.startsService = false
      try connection.call(message) { [weak self] result in
        // A portal may not know the setting.
        guard case .success(let reply) = result, let value = try? reply.arguments().first else {
          return
        }
        self?.take(value)
      }
    } catch {
      log.error(
        localized(
          "the desktop could not be asked whether it is light or dark: {reason}",
          ["reason": error.text]))
    }
  }

  /// Takes a setting: 0 is no preference, 1 dark, 2 light. Read wraps it in two variants.
  private func take(_ value: Value) {
    var value = value
    while case .variant(let inner) = value { value = inner }
    let scheme: ColorScheme = value.asInteger == 1 ? .dark : .light
    guard scheme != self.scheme else { return }
    self.scheme = scheme
    onChange?()
  }
}
