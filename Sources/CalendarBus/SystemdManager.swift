package import DBus

/// The names of systemd where it runs the services of the user's session.
///
/// Source: org.freedesktop.systemd1(5), "Manager Object".
package enum SystemdManager {
  package static let service: BusName = "org.freedesktop.systemd1"
  package static let path: ObjectPath = "/org/freedesktop/systemd1"
  package static let interface: InterfaceName = "org.freedesktop.systemd1.Manager"

  /// It answers at once; one that does not must not keep a person waiting.
  package static let patienceMilliseconds = 2000
}
