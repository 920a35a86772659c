import CalendarBus
import DBus

/// systemd, where it runs the services of the user's session.
///
/// It is asked anew each time, and not started for it: what compositors and desktops tell it when they begin
/// (`dbus-update-activation-environment --systemd`, `systemctl --user import-environment`) comes after a service
/// of the login, and goes to none that runs.
struct UserManager {
  let connection: Connection
  /// After how long it counts as one that does not answer.
  let patienceMilliseconds: Int

  /// Gives the variables that what is started now begins with; nil where there is no such manager, or it does
  /// not answer.
  func environment(_ handler: @escaping ([String: String]?) -> Void) {
    do throws(DBusError) {
      let question = try Message.call(
        SystemdManager.service, SystemdManager.path, "org.freedesktop.DBus.Properties", "Get",
        [.string(SystemdManager.interface.text), .string("Environment")])
      question.startsService = false
      try connection.call(question, timeoutMilliseconds: patienceMilliseconds) {
        let values = try? $0.get().arguments(limits: .request)
        handler(values?.first?.unwrapped.asStrings.map(UserManager.variables))
      }
    } catch {
      handler(nil)
    }
  }

  /// - Parameter assignments: "NAME=value" each.
  private static func variables(_ assignments: [String]) -> [String: String] {
    assignments.reduce(into: [:]) { variables, assignment in
      guard let equals = assignment.firstIndex(of: "=") else { return }
      variables[String(assignment[..<equals])] =
        String(assignment[assignment.index(after: equals)...])
    }
  }
}
