package import DBus

/// The D-Bus names of systemd, which runs the services of the user's session.
///
/// Source: org.freedesktop.systemd1(5), "Manager Object".
package enum SystemdManager {
  package static let service: BusName = "org.freedesktop.systemd1"
  package static let path: ObjectPath = "/org/freedesktop/systemd1"
  package static let interface: InterfaceName = "org.freedesktop.systemd1.Manager"

  /// The time-out of a call: systemd answers at once, and a person should not wait for it.
  package static let patienceMilliseconds = 2000
}
