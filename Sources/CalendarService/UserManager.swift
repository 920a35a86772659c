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
  private func environment(_ handler: @escaping ([String: String]?) -> Void) {
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

  /// Gives what a program begins with that is started now: the manager's variables, and those of the agent's start
  /// that the manager does not have.
  ///
  /// - Parameter handler: it has the manager's PATH as well; nil where there is none.
  func environment(
    over own: [String: String],
    _ handler: @escaping (_ variables: [String: String], _ managerPath: String?) -> Void
  ) {
    environment { current in
      let variables = own.merging(current ?? [:]) { $1 }
      handler(UserManager.withoutTokens(variables), current?["PATH"])
    }
  }

  /// Returns what a program may begin with of an environment.
  static func withoutTokens(_ variables: [String: String]) -> [String: String] {
    variables.filter { !tokens.contains($0.key) }
  }

  /// Those of a click that was, which are none of what is started now.
  private static let tokens = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]

  /// - Parameter assignments: "NAME=value" each.
  private static func variables(_ assignments: [String]) -> [String: String] {
    assignments.reduce(into: [:]) { variables, assignment in
      guard let equals = assignment.firstIndex(of: "=") else { return }
      variables[String(assignment[..<equals])] =
        String(assignment[assignment.index(after: equals)...])
    }
  }
}
