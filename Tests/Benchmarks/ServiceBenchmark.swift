import CivilTime
import DBus
import Glibc

/// Calls the agent of the session bus and tells how long each kind of call takes, beside the empty call of
/// the same bus. run-service gives it a bus of its own, whose agent has a calendar of ``CalendarText``.
struct ServiceBenchmark {
  private let connection: Connection
  private let today: CivilDate
  private let seconds: Double
  private let only: String

  private static let agent: BusName = "org.datebook.Calendar1"
  private static let path: ObjectPath = "/org/datebook/Calendar1"
  private static let calendar: InterfaceName = "org.datebook.Calendar1"

  /// - Parameters:
  ///   - seconds: for how long each kind of call is made.
  ///   - only: the calls whose names begin so; "" is all, and the start.
  init(seconds: Double, today: CivilDate, only: String) throws {
    self.seconds = seconds
    self.only = only
    self.today = today
    connection = try Connection.session()
  }

  func run() throws {
    if only.isEmpty { try tellStart() }
    print("\ncall\tcalls\tp50 µs\tp99 µs\tempty calls\tagent's µs\trows\techo µs\techoes")
    let day = try moved(3)
    let month = try moved(-10)
    let empty = try tell("empty (Peer.Ping)") { _ in
      try call("org.freedesktop.DBus.Peer", "Ping")
    }
    let rows: [(String, (Int) throws -> Message)] = [
      ("Today", { _ in try call(Self.calendar, "Today") }),
      ("Next 10", { _ in try call(Self.calendar, "Next", [.uint32(10)]) }),
      ("a day, one of many", { try occurrences(from: moved($0 % 700), "1d") }),
      ("a day, the same", { _ in try occurrences(from: day, "1d") }),
      ("a month, first page of 50", { _ in try occurrences(from: month, "31d", limit: 50) }),
      ("a month, whole", { _ in try occurrences(from: month, "31d", limit: 5000) }),
      ("search, rare word", { _ in try search("xylophone") }),
      ("search, word in a tenth, 500 rows", { _ in try search("meeting", limit: 500) }),
      ("search, a prefix", { _ in try search("xylo*") }),
      ("Add", { try add($0) }),
    ]
    for (name, message) in rows where name.hasPrefix(only) {
      try tell(name, Beside(empty: empty, echo: try echo(message(0))), message)
    }
    try tellMemory("after all calls")
  }

  private func moved(_ days: Int) throws -> CivilDate {
    guard let day = today.adding(days: days) else { throw UsageError(description: "no such day") }
    return day
  }

  // MARK: Calls

  private func call(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = []
  ) throws -> Message {
    try .call(Self.agent, Self.path, interface, member, arguments)
  }

  private func occurrences(from day: CivilDate, _ length: String, limit: UInt32 = 0) throws
    -> Message
  {
    let options: [(String, Value)] = limit > 0 ? [("limit", .uint32(limit))] : []
    return try call(
      Self.calendar, "GetOccurrences", [.string(day.description), .string(length), .row(options)])
  }

  private func search(_ words: String, limit: UInt32 = 0) throws -> Message {
    try call(Self.calendar, "Search", [.string(words), .row([("limit", .uint32(limit))])])
  }

  private func add(_ number: Int) throws -> Message {
    try call(
      "org.datebook.Calendar1.Events", "AddSimple",
      [
        .string(""), .string("Added \(number)"),
        .string("\(try moved(number % 300)) 10:00"), .string(""), .string(""),
      ])
  }

  // MARK: Figures

  /// What a call is held to: medians in nanoseconds.
  private struct Beside {
    let empty: Double
    /// The same reply from a service that only echoes; nil for a reply that has no rows.
    let echo: Double?
  }

  /// Measures the reply to a call as a service gives it that has nothing else to do.
  private func echo(_ request: Message) throws -> Double? {
    let answer = try connection.callAndWait(request).arguments()
    guard let rows = answer.first, rows.signature == "aa{sv}" else { return nil }
    let process = try EchoProcess()
    defer { process.end() }
    try wait(until: EchoService.name, isThere: true)
    func call(_ member: MemberName, _ arguments: [Value] = []) throws {
      _ = try connection.callAndWait(
        .call(EchoService.name, EchoService.path, EchoService.interface, member, arguments))
    }
    try call("Keep", [rows, answer.count > 1 ? answer[1] : .string("")])
    var times: [Double] = []
    let end = monotonicSeconds() + seconds / 2
    while monotonicSeconds() < end || times.count < 100 {
      let begin = monotonicSeconds()
      try call("Give")
      times.append((monotonicSeconds() - begin) * 1e9)
    }
    times.sort()
    return times[times.count / 2]
  }

  /// Measures a call for some time, and prints a line.
  ///
  /// - Returns: its median, in nanoseconds.
  @discardableResult
  private func tell(
    _ name: String, _ beside: Beside? = nil, _ message: (Int) throws -> Message
  ) throws -> Double {
    // The first calls fill what is kept between calls.
    for number in 0..<5 { _ = try connection.callAndWait(message(number)) }
    let agent = try process()
    let processor = agent.processorNanoseconds
    let end = monotonicSeconds() + seconds
    var times: [Double] = []
    var rows = 0
    while monotonicSeconds() < end || times.count < 100 {
      let request = try message(5 + times.count)
      let begin = monotonicSeconds()
      let answer = try connection.callAndWait(request)
      times.append((monotonicSeconds() - begin) * 1e9)
      if times.count == 1 { rows = try answer.arguments().first?.asArray?.count ?? 0 }
    }
    let used = Double(agent.processorNanoseconds - processor) / Double(times.count)
    times.sort()
    let median = times[times.count / 2]
    print(
      [
        name, "\(times.count)", shown(median / 1000), shown(times[times.count * 99 / 100] / 1000),
        shown(median / (beside?.empty ?? median)), shown(used / 1000), "\(rows)",
        beside?.echo.map { shown($0 / 1000) } ?? "", beside?.echo.map { shown(median / $0) } ?? "",
      ].joined(separator: "\t"))
    fflush(nil)
    return median
  }

  /// Ends the agent and has the bus start it again, some times.
  private func tellStart() throws {
    var times: [Double] = []
    for _ in 0..<11 {
      try endAgent()
      let begin = monotonicSeconds()
      _ = try connection.callAndWait(call(Self.calendar, "Today"))
      times.append((monotonicSeconds() - begin) * 1000)
    }
    times.sort()
    print(
      "start to first answer, bus activation and all: \(shown(times[5])) ms, at most \(shown(times[10])) ms"
    )
    try tellMemory("after the start")
  }

  private func tellMemory(_ when: String) throws {
    let (resident, own, written) = try process().memory()
    print(
      "memory \(when): \(resident) KiB resident, \(own) KiB of them unshared, \(written) KiB of those written "
        + "(the rest is the program's file)")
  }

  private func endAgent() throws {
    guard let process = try? process() else { return }
    kill(process.id, SIGTERM)
    try wait(until: Self.agent, isThere: false)
  }

  private func process() throws -> AgentFigures {
    guard let id = try bus("GetConnectionUnixProcessID", Self.agent)[0].asInteger else {
      throw UsageError(description: "the bus does not know the agent's process")
    }
    return AgentFigures(id: pid_t(id))
  }

  private func bus(_ member: MemberName, _ name: BusName) throws -> [Value] {
    try connection.callAndWait(
      .call(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", member, [.string(name.text)])
    ).arguments()
  }
}

/// An ``EchoService`` of its own.
private struct EchoProcess {
  private let id: pid_t

  init() throws {
    var id: pid_t = 0
    let bus = getenv("DBUS_SESSION_BUS_ADDRESS").map { String(cString: $0) } ?? ""
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("Benchmarks"), strdup("echo"), nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [
      strdup("DBUS_SESSION_BUS_ADDRESS=\(bus)"), nil,
    ]
    defer { for text in arguments + environment { free(text) } }
    guard posix_spawn(&id, "/proc/self/exe", nil, nil, &arguments, &environment) == 0 else {
      throw UsageError(description: "the echo could not be started")
    }
    self.id = id
  }

  func end() {
    kill(id, SIGTERM)
    waitpid(id, nil, 0)
  }
}

/// What the system tells of the agent's process.
private struct AgentFigures {
  let id: pid_t

  /// How long it has run.
  var processorNanoseconds: Int64 {
    let text = (try? contents(of: "/proc/\(id)/schedstat")) ?? []
    return String(decoding: text, as: UTF8.self).split(separator: " ").first.flatMap { Int64($0) }
      ?? 0
  }

  /// What it holds, and what of it nobody else has, in KiB.
  func memory() throws -> (resident: Int, own: Int, written: Int) {
    var (resident, own, written) = (0, 0, 0)
    let text = String(decoding: try contents(of: "/proc/\(id)/smaps_rollup"), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 1, let number = Int(words[1]) else { continue }
      if words[0] == "Rss:" { resident = number }
      if words[0] == "Private_Dirty:" { written = number }
      if words[0] == "Private_Dirty:" || words[0] == "Private_Clean:" { own += number }
    }
    return (resident, own, written)
  }
}
