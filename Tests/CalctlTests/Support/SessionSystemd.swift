import Glibc
import TestSupport

/// systemd's manager of the user's services, as python3-dbusmock plays it on the bus of a session.
final class SessionSystemd {
  private let mock: Subprocess

  /// - Parameter state: what it says of the agent's unit; nil: there is no such unit.
  init(of session: Session, state: String?) throws {
    let environment = session.bus.environment
    func run(_ words: String...) throws {
      let outcome = try Subprocess.run(
        words[0], Array(words.dropFirst()), environment: environment)
      guard outcome.status == .exited(0) else {
        throw TestSupportError("\(words): \(outcome.status): \(outcome.errors)")
      }
    }
    let (name, path) = ("org.freedesktop.systemd1", "/org/freedesktop/systemd1")
    let manager = name + ".Manager"
    // It writes down each call, and would stand still with a pipe that is full.
    mock = try Subprocess(
      "sh",
      [
        "-c",
        "exec /usr/bin/python3 -m dbusmock --session \(name) \(path) \(manager) > /dev/null 2>&1",
      ], environment: environment)
    try run("gdbus", "wait", "--session", "--timeout", "60", name)
    let missing =
      "raise dbus.exceptions.DBusException('No such file or directory', "
      + "name='org.freedesktop.DBus.Error.FileNotFound')"
    let answer = state.map { "ret = '\($0)'" } ?? missing
    try run(
      "busctl", "--user", "call", name, path, "org.freedesktop.DBus.Mock", "AddMethod", "sssss",
      manager, "GetUnitFileState", "s", "s",
      "if args[0] != 'datebookd.service':\n  raise Exception('another unit')\n" + answer)
  }

  deinit {
    mock.terminate(signal: SIGKILL)
    _ = try? mock.wait()
  }
}
