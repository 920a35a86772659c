import CalendarBus
import DBus
import TestSupport

/// The program itself, in a process of its own.
final class OtherAgent {
  /// The program in the folder that DATEBOOK_BIN names, else the one that was
  /// built with the tests.
  static let path: String = {
    let folder = variable("DATEBOOK_BIN")
    return (folder.isEmpty ? directory(ofFile: CommandLine.arguments[0]) : folder) + "/datebookd"
  }()

  private let process: Subprocess
  private let bus: PrivateBus

  init(on bus: PrivateBus, dataHome: String) throws {
    self.bus = bus
    var environment = bus.environment
    environment["XDG_DATA_HOME"] = dataHome
    environment["XDG_CONFIG_HOME"] = dataHome
    environment["HOME"] = dataHome
    // A line that marks nothing, as on a terminal.
    environment["JOURNAL_STREAM"] = .some(nil)
    process = try Subprocess(OtherAgent.path, environment: environment)
  }

  /// Blocks until it has the name and answers.
  func waitUntilReady() throws {
    let outcome = try Subprocess.run(
      "gdbus",
      ["wait", "--session", "--timeout", "60", Contract.busName.text], environment: bus.environment)
    guard outcome.status == .exited(0) else { throw TestSupportError(outcome.errors) }
    // Twice: the first may be answered in the round in which the agent only plans
    // to write its snapshot.
    for _ in 0..<2 {
      _ = try Subprocess.run(
        "busctl",
        [
          "--user", "call", Contract.busName.text, Contract.path.text, Contract.calendar.text,
          "Today",
        ], environment: bus.environment)
    }
  }

  /// Asks it to end.
  func terminate() throws -> Subprocess.Status {
    process.terminate()
    return try process.wait().status
  }

  /// Waits for its own end.
  func wait() throws -> Subprocess.Outcome { try process.wait() }
}
