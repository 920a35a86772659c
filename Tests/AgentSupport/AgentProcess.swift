import CalendarBus
import CalendarStore
import CivilTime
import DBus
import Glibc
import Platform
import TestSupport

@testable import CalendarService

/// The program datebookd in a process of its own, which a test can stop, kill and start again on the
/// same files, and which the test's loop goes on beside.
final class AgentProcess {
  let bus: PrivateBus
  let loop: EventLoop
  let files: TemporaryDirectory
  /// The client that waits for the agent's name.
  let connection: Connection
  private(set) var process: Subprocess?
  private(set) var isThere = false
  private var subscription: Subscription?
  /// What it is started with: words before its own path.
  private let prefix: [String]

  /// What its environment has otherwise.
  private let variables: [String: String]

  /// - Parameters:
  ///   - prefix: a program that runs the agent, with its arguments.
  ///   - variables: what its environment has otherwise.
  init(bus: PrivateBus? = nil, prefix: [String] = [], variables: [String: String] = [:]) throws {
    self.bus = try bus ?? PrivateBus()
    self.prefix = prefix
    self.variables = variables
    loop = try EventLoop()
    files = try TemporaryDirectory()
    try files.makeDirectory("data")
    connection = try Connection(address: self.bus.address)
    LoopAttachment.attach(connection, to: loop)
    subscription = try connection.watchOwner(of: Contract.busName) { [unowned self] in
      isThere = $0 != nil
    }
  }

  deinit {
    subscription?.cancel()
    // Before its files go, which it would make again.
    process?.terminate(signal: SIGKILL)
    _ = try? process?.wait()
  }

  var folder: String { files.file("data/datebook") }
  var databasePath: String { folder + "/datebook.db" }

  /// Starts it, and waits until it has the name.
  func start() throws {
    var environment = bus.environment
    environment["XDG_DATA_HOME"] = files.file("data")
    environment["XDG_CONFIG_HOME"] = files.path
    environment["HOME"] = files.path
    environment["JOURNAL_STREAM"] = .some(nil)
    for (name, value) in variables { environment[name] = value }
    let words = prefix + [OtherAgent.path]
    process = try Subprocess(words[0], Array(words.dropFirst()), environment: environment)
    try wait(for: "the name") { isThere }
  }

  /// Ends it at once, wherever it is, and waits until everybody knows.
  func kill() throws {
    guard let process else { return }
    process.terminate(signal: SIGKILL)
    try process.wait()
    self.process = nil
    try wait(for: "the end of the name") { !isThere }
  }

  /// Asks it to end.
  func terminate() throws -> Subprocess.Outcome {
    guard let process else { throw TestSupportError("the agent does not run") }
    process.terminate()
    defer { self.process = nil }
    return try process.wait()
  }

  /// Runs `body` while it stands still, wherever it is.
  func frozen(_ body: () throws -> Void) throws {
    guard let process else { throw TestSupportError("the agent does not run") }
    process.terminate(signal: SIGSTOP)
    var status: Int32 = 0
    guard waitpid(process.processID, &status, WUNTRACED) == process.processID else {
      throw TestSupportError("the agent did not stop")
    }
    defer { process.terminate(signal: SIGCONT) }
    try body()
  }

  func wait(for what: String, until condition: () -> Bool) throws {
    let came = try loop.run(
      withinMilliseconds: AgentUnderTest.patienceMilliseconds, until: condition)
    process?.pump()
    if !came { throw TestSupportError("\(what) did not come: \(process?.outcome.errors ?? "")") }
  }

  /// Calls a method and waits for the answer.
  func call(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
    over other: Connection? = nil
  ) throws -> [Value] {
    var result: Result<Message, DBusError>?
    let message = try Message.call(Contract.busName, Contract.path, interface, member, arguments)
    try (other ?? connection).call(
      message, timeoutMilliseconds: AgentUnderTest.patienceMilliseconds
    ) { result = $0 }
    try wait(for: "the answer of \(member)") { result != nil }
    guard let result else { return [] }
    return try result.get().arguments()
  }

  func property(_ name: String) throws -> Value {
    try call(
      "org.freedesktop.DBus.Properties", "Get",
      [.string(Contract.calendar.text), .string(name)])[0].unwrapped
  }

  /// How long it has run on a processor, in nanoseconds.
  func processorTime() throws -> Int64 {
    guard let process else { throw TestSupportError("the agent does not run") }
    let text = String(
      decoding: readFile("/proc/\(process.processID)/schedstat") ?? [], as: UTF8.self)
    return text.split(separator: " ").first.flatMap { Int64($0) } ?? 0
  }

  /// A line of /proc/PID/status in KiB, such as VmRSS.
  func memory(_ line: String) throws -> Int {
    guard let process else { throw TestSupportError("the agent does not run") }
    let text = readFile("/proc/\(process.processID)/status") ?? []
    for row in String(decoding: text, as: UTF8.self).split(separator: "\n")
    where row.hasPrefix(line + ":") {
      return Int(row.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]) ?? 0
    }
    throw TestSupportError("there is no \(line)")
  }
}

/// Opens a database as the agent does, and undoes at once what a killed one left.
///
/// The zones are those kept with the tests.
func openStore(_ path: String) throws -> EventStore {
  let directory = ZoneinfoDirectory(
    environment: ProcessEnvironment(["TZDIR": testSupportDirectory + "/Zoneinfo"]))
  let zones = AgentZones(installed: directory)
  let berlin = try zones.rules(named: "Europe/Berlin")
  let store = try EventStore(path: path, zones: zones, localZone: { berlin })
  while try store.unfinished?.discard() ?? false {}
  store.tidyJournal()
  return store
}
