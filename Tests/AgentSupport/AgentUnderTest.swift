import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import Glibc
import Phrases
import Platform
import Reminders
import TestSupport

@testable import CalendarService
@testable import DBus

/// An agent on a bus of its own, in the thread of the test: its clock moves when
/// told, its files lie in a temporary folder, its zone is Berlin.
///
/// The test's own calls, the programs that it runs and the agent share one event
/// loop, which turns whenever the test waits for something.
final class AgentUnderTest {
  let bus: PrivateBus
  let loop: EventLoop
  let clock: ManualClock
  let files: TemporaryDirectory
  /// What the next start begins with, as the environment is.
  var configuration: Configuration
  var environment: [String: String]
  /// How long systemd may take to answer; a loaded machine is no fault of its.
  var managerPatienceMilliseconds = 600_000
  /// How long it waits before the backup of the day; by itself none is taken in a test.
  var backupDelayMilliseconds = 86_400_000
  let maximumImportBytes: Int
  let transferPatienceMilliseconds: Int
  private let notificationsLater: PendingReplies.Later?
  /// What the agent has logged.
  private(set) var log: [String] = []
  /// The signals of the agent in their order, as a client on the bus sees them.
  private(set) var signals: [Signal] = []
  /// nil while it is stopped.
  private(set) var agent: CalendarAgent?

  private var connection: Connection?
  let client: Connection
  private var subscription: Subscription?

  /// A test that takes longer than this to get one answer has failed.
  static let patienceMilliseconds = 60_000

  struct Signal {
    let interface: InterfaceName
    let member: MemberName
    let arguments: [Value]
  }

  /// - Parameters:
  ///   - start: whether it runs from the beginning.
  ///   - notifications: whether it shows reminders on the desktop of its bus.
  ///   - addresses: those of its owner.
  ///   - firstWeekday: the setting of its owner.
  ///   - quietHours: as in datebook.conf.
  ///   - snoozes: the Snooze actions of its notifications.
  ///   - settings: the text of datebook.conf, for what has no parameter of its own.
  ///   - newCalendars: the reminders of each calendar that is made.
  ///   - notificationsLater: does what is done later about notifications; nil: it is done in time.
  init(
    now: String = "2026-11-21T08:00:00Z", start: Bool = true, notifications: Bool = false,
    addresses: [String] = [], firstWeekday: Weekday = .monday, quietHours: String? = nil,
    newCalendars: DefaultReminders = .none,
    snoozes: [SnoozeStep] = Configuration().snoozes, bus: PrivateBus? = nil,
    settings: String = "", maximumImportBytes: Int = Contract.maximumImport,
    transferPatienceMilliseconds: Int = 600_000,
    notificationsLater: PendingReplies.Later? = nil
  ) throws {
    let bus = try bus ?? PrivateBus()
    self.bus = bus
    self.maximumImportBytes = maximumImportBytes
    self.transferPatienceMilliseconds = transferPatienceMilliseconds
    self.notificationsLater = notificationsLater
    files = try TemporaryDirectory()
    environment = ["PATH": "/usr/bin:/bin", "HOME": files.path]
    loop = try EventLoop()
    clock = try ManualClock(now)
    var configuration = Configuration.read(settings).0
    configuration.showsNotifications = notifications
    configuration.addresses = addresses
    configuration.customs = TimeCustoms(
      usesTwentyFourHours: true, firstWeekday: firstWeekday)
    configuration.newCalendars = newCalendars
    configuration.snoozes = snoozes
    configuration.opener = [files.file("open"), "--new"]
    if let quietHours { configuration.quietHours = try readWeeklyHours(quietHours) }
    self.configuration = configuration
    client = try Connection(address: bus.address)
    LoopAttachment.attach(client, to: loop)
    try files.makeDirectory("zone")
    try files.makeDirectory("run")
    try setZone("Europe/Berlin")
    subscription = try client.subscribe(MatchRule(path: Contract.path)) { [unowned self] message in
      guard let interface = message.interface, let member = message.member,
        let arguments = try? message.arguments()
      else { return }
      signals.append(Signal(interface: interface, member: member, arguments: arguments))
    }
    if start { try self.start() }
  }

  // A run of a source would still write into the folder while it is removed.
  deinit { agent?.sources.stop() }

  // MARK: Life

  /// Where the machine has its zone files.
  var zoneinfo = testSupportDirectory + "/Zoneinfo"
  var databasePath: String { files.file("data/datebook/datebook.db") }
  var snapshotPath: String { files.file("run/snapshot.json") }

  func start() throws {
    let connection = try Connection(address: bus.address)
    guard try connection.requestName(Contract.busName) == .owner else {
      throw TestSupportError("another agent has the name")
    }
    LoopAttachment.attach(connection, to: loop)
    let agent = CalendarAgent(
      CalendarAgent.Dependencies(
        loop: loop, clock: clock, connection: connection,
        zones: ZoneinfoDirectory(
          environment: ProcessEnvironment(["TZDIR": zoneinfo]),
          localtimePath: files.file("zone/localtime"), timezonePath: files.file("zone/timezone")),
        databasePath: databasePath, snapshotPath: snapshotPath,
        notificationsPath: files.file("run/notifications"), configuration: configuration,
        log: Log(marksPriority: false) { [unowned self] in log.append($0) },
        localZoneFolder: files.file("zone"), zoneQuietMilliseconds: 50, snapshotRestFactor: 0,
        hooksFolder: files.file("hooks"),
        syncProgram: directory(ofFile: OtherAgent.path) + "/datebook-sync",
        environment: environment,
        maximumImportBytes: maximumImportBytes,
        transferPatienceMilliseconds: transferPatienceMilliseconds,
        backupDelayMilliseconds: backupDelayMilliseconds,
        // A loaded machine is no problem of a server's.
        serverPatienceMilliseconds: 600_000,
        managerPatienceMilliseconds: managerPatienceMilliseconds,
        notificationsLater: notificationsLater,
        systemBus: { [bus] () throws(DBusError) in try Connection(opening: bus.address) }))
    self.connection = connection
    self.agent = agent
    agent.start()
    try settle()
  }

  func stop() {
    agent?.stop()
    agent = nil
    // The bus would take its time to notice that the connection is closed.
    if let connection { try? connection.releaseName(Contract.busName) }
    connection?.close()
    connection = nil
    clock.wake = nil
  }

  /// Ends it so that nobody hears a last word of it: what it would still have told
  /// is lost.
  func vanish() throws {
    connection?.close()
    stop()
    var isOwned = true
    while isOwned {
      let answer = try send(
        .call(
          .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
          [.string(Contract.busName.text)]))
      isOwned = answer.first == .boolean(true)
    }
  }

  /// Whether a call of the agent's is given up after a time.
  var givesUp: Bool { connection?.watches.hasDeadlines ?? false }

  /// What the agent keeps, to bring about what no call can.
  func store() throws -> EventStore {
    guard let agent else { throw TestSupportError("the agent is stopped") }
    return try agent.storage.store()
  }

  /// Dismisses the reminder of an event before the loop turns again, which no
  /// caller on the bus can.
  func dismissAtOnce(_ summary: String) throws {
    guard let scheduler = try agent?.reminders.openScheduler(),
      let reminder = scheduler.pending.first(where: { $0.summary == summary })
    else { throw TestSupportError("no reminder of \(summary) is pending") }
    try scheduler.dismiss(id: reminder.id)
  }

  /// Replaces the link to the zone's file by rename, as timedatectl does.
  func setZone(_ name: String) throws {
    let (new, link) = (files.file("zone/.new"), files.file("zone/localtime"))
    guard symlink(testSupportDirectory + "/Zoneinfo/" + name, new) == 0, rename(new, link) == 0
    else { throw TestSupportError("the zone's link could not be made") }
  }

  /// Removes the link, as the first half of "rm /etc/localtime && ln -s …" does.
  func removeZone() throws {
    guard unlink(files.file("zone/localtime")) == 0 else {
      throw TestSupportError("there is no link of the zone")
    }
  }

  // MARK: Waiting

  /// Turns the loop until a condition holds.
  func wait(for what: String, until condition: () -> Bool) throws {
    let came = try loop.run(
      withinMilliseconds: AgentUnderTest.patienceMilliseconds, until: condition)
    if !came { throw TestSupportError("\(what) did not come; the log: \(log)") }
  }

  /// Returns when all that the agent had to do is done, and its signals are here.
  ///
  /// The bus keeps the order: what the agent sent before the answer is here with
  /// it. Two questions: the first brings what came before it to the agent, which then looks at its
  /// snapshot, and the second comes after what it tells of that.
  func settle() throws {
    try wait(for: "what is untold") { agent?.announcer.isBehind != true }
    for turn in 0..<2 {
      // After a look it rests, and what changes meanwhile comes into the next.
      if turn == 1 { try wait(for: "the snapshot") { agent?.snapshot.isDue != true } }
      _ = try send(.call(Contract.busName, Contract.path, "org.freedesktop.DBus.Peer", "Ping"))
    }
  }

  /// Returns when the notification server has answered all that it was asked to show, too.
  func settleNotifications() throws {
    try settle()
    try wait(for: "the notifications") { agent?.notifier?.isIdle ?? true }
  }

  /// Lets time pass, and the agent do what is due.
  func advance(to instant: String) throws {
    clock.advance(to: try Timestamp(text: instant))
    try settle()
  }

  /// Returns when the agent has taken what the system bus had for it.
  func loginSettle() throws {
    guard let system = agent?.loginWatch.connection else { return }
    var isAnswered = false
    try system.call(.call(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")) { _ in
      isAnswered = true
    }
    try wait(for: "an answer of the system bus") { isAnswered }
  }

  // MARK: Calls of our own client

  func call(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = []
  ) throws -> [Value] {
    try send(.call(Contract.busName, Contract.path, interface, member, arguments))
  }

  /// Returns the error that a call gets, which must be one.
  func refusal(
    _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = []
  ) throws -> DBusError {
    do {
      let values = try call(interface, member, arguments)
      throw TestSupportError("\(member) was to be refused, and answers \(values)")
    } catch let error as DBusError {
      return error
    }
  }

  func send(_ message: Message) throws -> [Value] {
    let answer = try begin(message)
    try wait(for: "an answer") { answer.result != nil }
    return try answer.values()
  }

  /// An answer that is still to come.
  final class Answer {
    fileprivate(set) var result: Result<Message, DBusError>?

    func values() throws -> [Value] {
      guard let result else { throw TestSupportError("there is no answer yet") }
      return try result.get().arguments()
    }
  }

  /// Sends a call and goes on.
  func begin(_ message: Message) throws -> Answer {
    let answer = Answer()
    try client.call(message, timeoutMilliseconds: AgentUnderTest.patienceMilliseconds) {
      answer.result = $0
    }
    return answer
  }

  func property(_ name: String) throws -> Value {
    let answer = try call(
      "org.freedesktop.DBus.Properties", "Get",
      [.string(Contract.calendar.text), .string(name)])
    return answer[0].unwrapped
  }

  // MARK: Shorter words

  /// Adds an event by the keys of Events.Add; returns its uid.
  @discardableResult
  func add(_ pairs: (String, Value)...) throws -> String {
    let answer = try call(Contract.events, "Add", [.string(""), .row(pairs)])
    return answer[0].asString ?? ""
  }

  func add(_ summary: String, at start: String, reminders: String...) throws -> String {
    try add(
      ("summary", .string(summary)), ("start", .string(start)), ("reminders", .strings(reminders)))
  }

  /// Returns the summaries of a span's rows, in order.
  func summaries(from: String, to: String = "") throws -> [String] {
    let answer = try call(
      Contract.calendar, "GetOccurrences", [.string(from), .string(to), .row([])])
    return (answer[0].asArray ?? []).map { $0["summary"]?.asString ?? "" }
  }

  /// The rows of Reminders.Pending.
  func pending() throws -> [Value] {
    try call(Contract.reminders, "Pending", [.uint32(5000), .string("")])[0].asArray ?? []
  }

  /// Forgets the signals that came, and returns them.
  @discardableResult
  func takeSignals() -> [Signal] {
    defer { signals = [] }
    return signals
  }

  /// The signals of one name.
  func signals(_ member: MemberName) -> [Signal] { signals.filter { $0.member == member } }

  /// The values that PropertiesChanged told of a property, in order.
  func changes(of property: String) -> [Value] {
    signals("PropertiesChanged").compactMap { $0.arguments[1][property] }
  }

  // MARK: Programs on the bus

  /// Runs a program to its end while the agent answers it.
  func run(
    _ program: String, _ arguments: [String], input: Subprocess.Input = .nothing
  ) throws -> Subprocess.Outcome {
    let child = try Subprocess(program, arguments, environment: bus.environment, input: input)
    let watch = try loop.watch(child.descriptor, for: .read) { _ in child.pump() }
    defer { loop.cancel(watch) }
    child.pump()
    try wait(for: "the end of \(program)") { child.status != nil }
    return child.outcome
  }

  /// Calls a method with busctl; the answer is its standard output.
  func busctl(_ member: String, _ arguments: [String]) throws -> Subprocess.Outcome {
    let (interface, name) = split(member)
    return try run(
      "busctl",
      [
        "--user", "call", Contract.busName.text, Contract.path.text, interface, name,
      ] + arguments)
  }

  func dbusSend(_ member: String, _ arguments: [String]) throws -> Subprocess.Outcome {
    let (interface, name) = split(member)
    return try run(
      "dbus-send",
      [
        "--session", "--print-reply", "--dest=" + Contract.busName.text, Contract.path.text,
        interface + "." + name,
      ] + arguments)
  }

  func gdbus(
    _ member: String, _ arguments: [String], input: Subprocess.Input = .nothing
  ) throws -> Subprocess.Outcome {
    let (interface, name) = split(member)
    return try run(
      "gdbus",
      [
        "call", "--session", "--dest", Contract.busName.text, "--object-path", Contract.path.text,
        "--method", interface + "." + name,
      ] + arguments, input: input)
  }

  /// "Events.Add" and "Today" to the interface and the member.
  private func split(_ member: String) -> (String, String) {
    let parts = member.split(separator: ".")
    let base = Contract.calendar.text
    return parts.count == 1 ? (base, member) : ("\(base).\(parts[0])", String(parts[1]))
  }
}
