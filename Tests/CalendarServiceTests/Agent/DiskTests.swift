import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Glibc
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

extension AgentProcess {
  /// Adds an event; returns the error of the agent, nil where it was added.
  fileprivate func add(_ summary: String, text: Int = 10) throws -> DBusError? {
    let row = Value.row([
      ("summary", .string(summary)), ("start", .string("2027-03-01 09:00")),
      ("description", .string(String(repeating: "x", count: text))),
    ])
    do {
      _ = try call(Contract.events, "Add", [.string(""), row])
      return nil
    } catch let error as DBusError {
      return error
    }
  }

  /// "Events.Add" and "Today" are interface and member.
  fileprivate func call(of member: String, _ values: [Value]) throws -> [Value] {
    let parts = member.split(separator: ".").map(String.init)
    let base = Contract.calendar.text
    return try call(
      InterfaceName(parts.count == 1 ? base : "\(base).\(parts[0])"),
      MemberName(parts[parts.count - 1]), values)
  }

  fileprivate func agendaCount() throws -> Int {
    try call(Contract.calendar, "Agenda", [.string("2027-03-01"), .uint32(1)])[0].asArray?.count
      ?? 0
  }

  /// Fills the disk by adding events until there is no room, and holds the agent to
  /// what is promised then; `free` makes room again.
  fileprivate func expectFullDisk(free: () throws -> Void) throws {
    var added = 0
    var refusal: DBusError?
    while refusal == nil, added < 200 {
      refusal = try add("Event \(added)", text: 60_000)
      if refusal == nil { added += 1 }
    }
    #expect(refusal?.name.text == CallError.Kind.storageFailed.rawValue, "\(added) were added")
    // Everybody can see why; the properties themselves try nothing.
    #expect(try property("State") == .string("read-only"))
    let reason = try property("StateReason")
    #expect(reason == .string(refusal?.message ?? ""), "\(reason)")
    // Nothing changed, and questions are answered.
    let revision = try property("Revision")
    #expect(revision == .uint64(UInt64(added)))
    #expect(try agendaCount() == added)
    for _ in 0..<3 {
      #expect(try add("Big", text: 60_000)?.name == refusal?.name)
      #expect(try property("Revision") == revision)
    }
    try free()
    // The next call finds that there is room, also one that writes nothing.
    #expect(try agendaCount() == added)
    #expect(try property("State") == .string("ready"))
    #expect(try property("StateReason") == .string(""))
    #expect(try add("After") == nil)
    #expect(try agendaCount() == added + 1)
    // All of it is there for the next one, too.
    #expect(try terminate().status == .exited(0))
    try wait(for: "the end of the name") { !isThere }
    try start()
    #expect(try agendaCount() == added + 1)
    try kill()
    let store = try openStore(databasePath)
    try expectSound(store, "after the full disk")
    store.close()
  }
}

@Suite struct `A disk that takes nothing` {
  @Test func `a file that may not grow is a full disk, and the agent goes on when it may`() throws {
    let agent = try AgentProcess()
    try agent.start()
    let process = try #require(agent.process)
    func limit(_ octets: String) throws {
      let outcome = try Subprocess.run(
        "prlimit", ["--pid", "\(process.processID)", "--fsize=\(octets):"])
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }
    try limit("1000000")
    try agent.expectFullDisk { try limit("unlimited") }
  }

  /// Where the limit strikes differs: in the first change of a turn, amid one that SQLite spills, at the
  /// commit of all of them.
  @Test func `many callers at once on a disk that refuses each have what they are told`() throws {
    let agent = try AgentProcess()
    try agent.start()
    let limits = [60_000, 150_000, 300_000, 600_000, 1_000_000, 1_500_000, 2_500_000]
    // Of each round its own, to be removed at once: more than the pages that SQLite holds.
    let many = limits.indices.map { round in (0..<400).map { "many-\(round)-\($0)" } }
    var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Datebook//Tests//EN\r\n"
    for uid in many.flatMap(\.self) {
      text +=
        "BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20280301T090000Z\r\n"
        + "SUMMARY:\(uid)\r\nDESCRIPTION:\(String(repeating: "x", count: 1000))\r\nEND:VEVENT\r\n"
    }
    text += "END:VCALENDAR\r\n"
    _ = try agent.call(
      Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])
    // An agent that ends has its journal written back: what follows begins with an empty one.
    #expect(try agent.terminate().status == .exited(0))
    try agent.wait(for: "the end of the name") { !agent.isThere }
    try agent.start()
    let process = try #require(agent.process)
    func limit(_ octets: String) throws {
      let outcome = try Subprocess.run(
        "prlimit", ["--pid", "\(process.processID)", "--fsize=\(octets):"])
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }
    let callers = try (0..<12).map { _ in
      let caller = try Connection(address: agent.bus.address)
      LoopAttachment.attach(caller, to: agent.loop)
      return caller
    }
    var expected: Set<String> = []
    var left = many.flatMap(\.self).count
    var refused = 0
    var revision = try agent.property("Revision").asInteger ?? 0
    for (round, octets) in limits.enumerated() {
      #expect(try agent.agendaCount() == expected.count)
      try limit("\(octets)")
      var answers: [String: Result<Message, DBusError>] = [:]
      func begin(_ name: String, _ caller: Connection, _ member: MemberName, _ values: [Value])
        throws
      {
        try caller.call(
          .call(Contract.busName, Contract.path, Contract.events, member, values),
          timeoutMilliseconds: AgentUnderTest.patienceMilliseconds
        ) { answers[name] = $0 }
      }
      // All of it has come when the agent goes on.
      try agent.frozen {
        for (place, caller) in callers.enumerated() {
          for turn in 0..<2 {
            let name = "\(round)-\(place)-\(turn)"
            let row = Value.row([
              ("summary", .string(name)), ("start", .string("2027-03-01 09:00")),
              (
                "description",
                .string(String(repeating: "x", count: [10, 99_000][(place + turn) % 2]))
              ),
            ])
            try begin(name, caller, "Add", [.string(""), row])
          }
          if place == 5 { try begin("many", caller, "RemoveMany", [.strings(many[round])]) }
          // The bus has passed on what came before.
          _ = try caller.callAndWait(
            .call(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId"))
        }
      }
      try agent.wait(for: "the answers") { answers.count == 25 }
      for (name, result) in answers {
        switch result {
        case .success:
          revision += 1
          if name == "many" { left -= many[round].count } else { expected.insert(name) }
        case .failure(let error):
          refused += 1
          #expect(error.name.text == CallError.Kind.storageFailed.rawValue, "\(name): \(error)")
        }
      }
      let rows =
        try agent.call(
          Contract.calendar, "Agenda", [.string("2027-03-01"), .uint32(1)])[0].asArray ?? []
      let shown = rows.compactMap { $0["summary"]?.asString }
      #expect(shown.sorted() == expected.sorted(), "\(octets)")
      #expect(try agent.property("Revision").asInteger == revision, "\(octets)")
      try limit("unlimited")
      #expect(try agent.agendaCount() == expected.count)
      #expect(try agent.property("State") == .string("ready"))
    }
    #expect(refused > 20 && !expected.isEmpty, "\(refused) refused, \(expected.count) added")
    #expect(try agent.terminate().status == .exited(0))
    let store = try openStore(agent.databasePath)
    let kept = try store.series(
      touching: TimeSpan(start: .earliest, end: .latest), calendars: nil
    ).compactMap(\.master?.summary)
    #expect(kept.filter { !$0.hasPrefix("many") }.sorted() == expected.sorted())
    #expect(kept.filter { $0.hasPrefix("many") }.count == left)
    #expect(Int64(store.revision) == revision)
    try expectSound(store, "after many refusals")
    store.close()
  }

  @Test(.enabled(if: !mounting.isEmpty, "needs a mount namespace, which root may have"))
  func `a file system that is full, until it has room again`() throws {
    // The file system is the agent's alone; who looks into it from outside goes by its process.
    let agent = try AgentProcess(
      prefix: mounting + [
        "sh", "-c",
        #"mkdir -p -m 700 "$XDG_DATA_HOME/datebook" && "#
          + #"mount -t tmpfs -o size=1500k,mode=700 none "$XDG_DATA_HOME/datebook" && exec "$0""#,
      ])
    try agent.start()
    let process = try #require(agent.process)
    let words = ["-t", "\(process.processID)", "-m"]
    func run(_ arguments: [String]) throws {
      let outcome = try Subprocess.run("nsenter", words + arguments)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }
    var added = 0
    var refusal: DBusError?
    while refusal == nil, added < 200 {
      refusal = try agent.add("Event \(added)", text: 60_000)
      if refusal == nil { added += 1 }
    }
    #expect(refusal?.name.text == CallError.Kind.storageFailed.rawValue)
    #expect(refusal?.message.contains("no room left") == true, "\(String(describing: refusal))")
    #expect(try agent.property("State") == .string("read-only"))
    #expect(try agent.property("Revision") == .uint64(UInt64(added)))
    #expect(try agent.agendaCount() == added)
    try run(["mount", "-o", "remount,size=20m", agent.folder])
    #expect(try agent.agendaCount() == added)
    #expect(try agent.property("State") == .string("ready"))
    #expect(try agent.add("After") == nil)
    #expect(try agent.agendaCount() == added + 1)
    #expect(try agent.terminate().status == .exited(0))
  }

  @Test(.enabled(if: !mounting.isEmpty, "needs a mount namespace, which root may have"))
  func `a reminder that falls due while the file system is full rings when it has room`() throws {
    let agent = try AgentProcess(
      prefix: mounting + [
        "sh", "-c",
        #"mkdir -p -m 700 "$XDG_DATA_HOME/datebook" && "#
          + #"mount -t tmpfs -o size=1500k,mode=700 none "$XDG_DATA_HOME/datebook" && exec "$0""#,
      ])
    try agent.start()
    var rung: [String] = []
    let subscription = try agent.connection.subscribe(
      MatchRule(interface: Contract.reminders, member: "ReminderDue")
    ) { message in
      rung.append((try? message.arguments())?[2].asString ?? "")
    }
    defer { subscription.cancel() }
    // "in 1 h" would begin with a whole minute, and ring up to a minute later.
    let start = SystemCalls.realtimeSeconds() + 3600
    _ = try agent.call(
      Contract.events, "Add",
      [
        .string(""),
        .row([
          ("summary", .string("Tea")), ("start", .int64(start)),
          ("reminders", .strings(["59m54s"])),
        ]),
      ])
    // All that is left of it goes to a file beside the database.
    let process = try #require(agent.process)
    func run(_ words: [String]) throws -> Subprocess.Outcome {
      try Subprocess.run("nsenter", ["-t", "\(process.processID)", "-m"] + words)
    }
    _ = try run(["dd", "if=/dev/zero", "of=\(agent.folder)/full", "bs=4k"])
    try #require(rung.isEmpty, "it rang before the disk was full")
    func problems() throws -> [String] { try agent.property("Problems").asStrings ?? [] }
    // Nobody calls but for this property, which tries nothing: asked anew at each answer.
    var isTold = false
    var failure: (any Error)?
    func look() {
      do {
        try agent.connection.call(
          .call(
            Contract.busName, Contract.path, "org.freedesktop.DBus.Properties", "Get",
            [.string(Contract.calendar.text), .string("Problems")]),
          timeoutMilliseconds: AgentUnderTest.patienceMilliseconds
        ) { result in
          do {
            let problems = try result.get().arguments()[0].unwrapped.asStrings ?? []
            isTold = problems.contains { $0.hasPrefix("reminders are paused") }
            if !isTold { look() }
          } catch {
            failure = error
          }
        }
      } catch {
        failure = error
      }
    }
    look()
    try agent.wait(for: "the fault") { isTold || failure != nil }
    if let failure { throw failure }
    #expect(rung == [])
    #expect(try run(["rm", "\(agent.folder)/full"]).status == .exited(0))
    try agent.wait(for: "the reminder") { !rung.isEmpty }
    #expect(rung == ["Tea"])
    #expect(try problems().allSatisfy { !$0.hasPrefix("reminders") })
    #expect(try agent.terminate().status == .exited(0))
  }

  @Test(.enabled(if: !mounting.isEmpty, "needs a mount namespace, which root may have"))
  func `a file system that is read only is refused until it can be written`() throws {
    let agent = try AgentProcess()
    try agent.start()
    #expect(try agent.add("Before") == nil)
    for (interface, member, values) in whatCanBeChanged {
      _ = try agent.call(interface, member, values)
    }
    #expect(try agent.terminate().status == .exited(0))
    try agent.wait(for: "the end of the name") { !agent.isThere }

    let other = try AgentProcess(
      bus: agent.bus,
      prefix: mounting + [
        "sh", "-c",
        "mount --bind '\(agent.folder)' '\(agent.folder)' && "
          + "mount -o remount,bind,ro '\(agent.folder)' && "
          + "XDG_DATA_HOME='\(agent.files.file("data"))' exec \"$0\"",
      ])
    try other.start()
    let refusal = try #require(try other.add("Meanwhile"))
    #expect(refusal.name.text == CallError.Kind.storageFailed.rawValue)
    // A database in WAL mode cannot even be read without writing beside it.
    #expect(try other.property("State") == .string("degraded"))
    #expect(try other.property("StateReason") == .string(refusal.message))
    // So is every other method that writes, and nothing of it is kept.
    let revision = try other.property("Revision")
    for member in ValidCalls.writing {
      let error = try #require(throws: DBusError.self, "\(member)") {
        try other.call(of: member, ValidCalls.arguments(of: member) ?? [])
      }
      #expect(error.name == refusal.name, "\(member): \(error)")
    }
    #expect(try other.property("Revision") == revision)
    let process = try #require(other.process)
    let outcome = try Subprocess.run(
      "nsenter",
      ["-t", "\(process.processID)", "-m", "mount", "-o", "remount,bind,rw", agent.folder])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(try other.agendaCount() == 1)
    #expect(try other.property("State") == .string("ready"))
    #expect(try other.add("After") == nil)
    #expect(try other.agendaCount() == 2)
    #expect(try other.terminate().status == .exited(0))
  }
}
