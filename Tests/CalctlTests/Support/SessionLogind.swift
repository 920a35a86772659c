import Glibc
import TestSupport

/// logind as the template of python3-dbusmock plays it, on the bus of a session, which is the system bus of
/// the agent then. One session of the user's is there.
final class SessionLogind {
  static let isInstalled =
    (try? Subprocess.run("/usr/bin/python3", ["-c", "import dbusmock"]))?.status == .exited(0)

  private let session: Session
  private let mock: Subprocess

  /// Tells the bus what an agent that it starts from now on takes for the system bus.
  init(of session: Session) throws {
    self.session = session
    // It writes down each call, and would stand still with a pipe that is full.
    mock = try Subprocess(
      "sh", ["-c", "exec /usr/bin/python3 -m dbusmock --template logind > /dev/null 2>&1"],
      environment: session.bus.environment)
    try run("gdbus", "wait", "--system", "--timeout", "60", "org.freedesktop.login1")
    // The template is loaded once a call is answered.
    let user = String(getuid())
    try call(
      "/org/freedesktop/login1", "org.freedesktop.DBus.Mock", "AddSession", "ssusb", "c1", "seat0",
      user, "u\(user)", "true")
    try run(
      "dbus-update-activation-environment", "DBUS_SYSTEM_BUS_ADDRESS=\(session.bus.address)")
  }

  deinit {
    mock.terminate(signal: SIGKILL)
    _ = try? mock.wait()
  }

  /// What `loginctl unlock-session` does.
  func unlock() throws {
    try call(
      "/org/freedesktop/login1/session/c1", "org.freedesktop.login1.Session", "Unlock")
  }

  private func call(_ path: String, _ words: String...) throws {
    try run(["busctl", "--system", "call", "org.freedesktop.login1", path] + words)
  }

  private func run(_ words: String...) throws { try run(words) }

  private func run(_ words: [String]) throws {
    let outcome = try Subprocess.run(
      words[0], Array(words.dropFirst()), environment: session.bus.environment)
    guard outcome.status == .exited(0) else {
      throw TestSupportError("\(words): \(outcome.status): \(outcome.errors)")
    }
  }
}
