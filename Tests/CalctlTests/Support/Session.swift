import DBus
import Glibc
import JSON
import Platform
import TestSupport

/// A user's session: a bus that starts the real agent when it is called, a home
/// folder, and Berlin's clock.
///
/// The programs are those beside the test bundle, or in the folder that
/// `DATEBOOK_BIN` names.
final class Session {
  let bus: PrivateBus
  let home: TemporaryDirectory
  private let environment: [String: String?]
  private let programs: String

  /// - Parameters:
  ///   - hasAgent: false for a session in which the agent is not installed.
  ///   - variables: what its environment has otherwise; nil takes a name out.
  ///   - programs: the folder of the programs.
  init(
    hasAgent: Bool = true, variables: [String: String?] = [:],
    programs: String = Session.usualPrograms
  ) throws {
    self.programs = programs
    home = try TemporaryDirectory()
    let usual: [String: String?] = [
      "HOME": home.path, "XDG_DATA_HOME": home.file("data"), "XDG_CONFIG_HOME": home.file("config"),
      "XDG_RUNTIME_DIR": try home.makeDirectory("run"), "TZ": "Europe/Berlin", "NO_COLOR": nil,
    ]
    let folders = usual.merging(variables) { $1 }
    // Nothing rings that a test has not asked for.
    try home.makeDirectory("config")
    try home.makeDirectory("config/datebook")
    try home.write(
      "[reminders]\ndefault = none\ndefault-all-day = none\n", to: "config/datebook/datebook.conf")
    let file = """
      [D-BUS Service]
      Name=org.datebook.Calendar1
      Exec=\(programs)/datebookd

      """
    bus = try PrivateBus(
      services: hasAgent ? ["org.datebook.Calendar1.service": file] : [:], environment: folders)
    environment = folders.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
  }

  /// The folder of the programs that are tested.
  static var usualPrograms: String {
    if let folder = getenv("DATEBOOK_BIN") { return String(cString: folder) }
    // The kernel's link says where this process's program is, whatever argv has.
    guard let path = realpath("/proc/self/exe", nil) else { return "." }
    defer { free(path) }
    return directory(ofFile: String(cString: path))
  }

  /// The path of one of our programs.
  static func program(_ name: String) -> String { usualPrograms + "/" + name }

  /// Runs calctl to its end.
  func run(
    _ arguments: [String], input: Subprocess.Input = .nothing
  ) throws -> Subprocess.Outcome {
    try Subprocess.run(programs + "/calctl", arguments, environment: environment, input: input)
  }

  /// Runs calctl to its end.
  func run(_ arguments: String...) throws -> Subprocess.Outcome { try run(arguments) }

  /// Runs calctl, and returns what it printed.
  ///
  /// - Throws: ``TestSupportError`` with its errors when it does not end with 0.
  func output(_ arguments: String..., input: Subprocess.Input = .nothing) throws -> String {
    let outcome = try run(arguments, input: input)
    guard outcome.code == 0 else {
      throw TestSupportError("calctl \(arguments): \(outcome.status): \(outcome.errors)")
    }
    return outcome.output
  }

  /// Runs calctl with --json, and returns its answer.
  ///
  /// - Throws: ``TestSupportError`` with its errors when it does not end with 0 or has any.
  func json(_ arguments: [String]) throws -> JSONValue {
    let outcome = try run(arguments + ["--json"])
    guard outcome.code == 0, outcome.errors.isEmpty else {
      throw TestSupportError("calctl \(arguments): \(outcome.status): \(outcome.errors)")
    }
    return try JSONReader.value(of: outcome.output, maximumOctets: 1 << 20)
  }

  /// Runs calctl with --json, and returns its answer.
  func json(_ arguments: String...) throws -> JSONValue { try json(arguments) }

  /// Adds an event and returns its ID.
  func add(_ title: String, _ start: String, _ options: String...) throws -> String {
    let event = try json(["add", title, "--start", start] + options)
    guard let uid = event["uid"]?.stringValue else {
      throw TestSupportError("calctl add \(title): no uid in \(event)")
    }
    return uid
  }

  /// Starts calctl.
  func start(_ arguments: String..., input: Subprocess.Input = .nothing) throws -> Subprocess {
    try start(arguments, input: input)
  }

  func start(_ arguments: [String], input: Subprocess.Input = .nothing) throws -> Subprocess {
    try Subprocess(programs + "/calctl", arguments, environment: environment, input: input)
  }

  /// Starts a command line of sh(1) in which `calctl` is ours.
  func startShell(_ line: String, input: Subprocess.Input = .nothing) throws -> Subprocess {
    let calctl = Session.program("calctl")
    return try Subprocess(
      "sh", ["-c", "calctl() { \(calctl) \"$@\"; }; \(line)"], environment: environment,
      input: input)
  }

  /// Runs a command line of sh(1) in which `calctl` is ours.
  func shell(_ line: String) throws -> Subprocess.Outcome {
    let calctl = Session.program("calctl")
    return try Subprocess.run(
      "sh", ["-c", "calctl() { \(calctl) \"$@\"; }; \(line)"], environment: environment)
  }

  /// Waits until the agent is on the bus. Whoever follows the agent has then asked
  /// for its signals, if it is what made the bus start it.
  func waitForAgent() throws {
    let loop = BlockingLoop()
    let connection = try Connection(address: bus.address)
    loop.add(connection)
    var isThere = false
    let watch = try connection.watchOwner(of: "org.datebook.Calendar1") {
      if $0 != nil { isThere = true }
    }
    guard loop.run(timeoutMilliseconds: 60_000, until: { isThere }) else {
      throw TestSupportError("the bus did not start the agent within a minute")
    }
    watch.cancel()
  }
}

extension Subprocess.Outcome {
  /// The number that the program ended with; -1 for a signal.
  var code: Int32 {
    if case .exited(let code) = status { return code }
    return -1
  }
}

extension Subprocess {
  /// Waits until it has printed so many lines, and returns those that are whole.
  func lines(_ count: Int) throws -> [String] {
    func whole(_ bytes: [UInt8]) -> [Substring] {
      String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false
      )
      .dropLast()
    }
    try wait { whole($0.output).count >= count }
    return whole(output).map(String.init)
  }
}

extension Session {
  /// A session in which one reminder waits, which rang a second after its event was
  /// added.
  static func withReminder() throws -> (Session, id: String) {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    _ = try session.add("Tea", "in 3601s", "--reminder", "1h")
    try watch.wait { String(decoding: $0.output, as: UTF8.self).contains("ReminderDue") }
    let rows = try session.json("reminders")
    guard let id = rows[0]?["id"]?.stringValue else {
      throw TestSupportError("no reminder waits: \(rows)")
    }
    return (session, id)
  }
}
