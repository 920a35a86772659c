import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Glibc
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

/// The calls that are documented to answer with an error, with arguments that are in order.
private func calls(documented kind: CallError.Kind) -> [Refused] {
  // Where the files cannot be read, the suite below says so.
  ((try? DocumentedErrors.all()) ?? []).filter { $0.kind == kind }.map { error in
    Refused(error.member, ValidCalls.arguments(of: error.member) ?? [], kind.rawValue)
  }
}

@Suite struct `Documented errors` {
  @Test func `every error of every method in dbus is shown by a call`() throws {
    let shown = Set(
      (Refusals.all + `Refusals after something`.all.map(\.call)
        + [`Refusals after something`.longImport]
        + ReadOnlyRefusals.calls + StorageRefusals.calls + BusyRefusals.calls)
        .compactMap { call in
          CallError.Kind(rawValue: call.name).map {
            DocumentedError(member: call.member, kind: $0)
          }
        })
    let documented = try DocumentedErrors.all()
    #expect(documented.count > 150)
    #expect(documented.filter { !shown.contains($0) } == [])
    // And what is shown is documented, but for types, which every method refuses, of each method
    // that says which errors it has.
    let known = Set(documented.map(\.member))
    #expect(
      shown.subtracting(documented).filter {
        known.contains($0.member) && $0.kind != .invalidArguments
      }.map(\.description).sorted()
        == [])
  }

  @Test func `every method has a call with arguments that are in order`() {
    let members = Contract.tables.flatMap { table in
      let interface =
        table.name == Contract.calendar
        ? "" : "\(table.name.text.split(separator: ".").last ?? "")."
      return table.methods.map { interface + $0.name.text }
    }
    #expect(ValidCalls.members == members.sorted())
  }
}

extension AgentUnderTest {
  /// Every call of a list gets its error, and nothing changes.
  fileprivate func expectRefusals(_ calls: [Refused], reminder: String = "x") throws {
    let before = (try property("Revision"), try contents())
    for call in calls {
      let values = call.values().map { $0 == .string("REMINDER") ? .string(reminder) : $0 }
      let error = try refusal(of: call.member, values)
      #expect(error.name.text == call.name, "\(call.member): \(error)")
    }
    let after = (try property("Revision"), try contents())
    #expect(before.0 == after.0)
    #expect(before.1 == after.1)
  }

  /// Every calendar, event and step of the history, in one text.
  private func contents() throws -> String {
    let rows = try [
      call(Contract.calendars, "List"), call(Contract.events, "List", [.row([])]),
      call(Contract.events, "History", [.uint32(0)]),
      call(Contract.events, "Trash", [.uint32(0), .string("")]),
      call(Contract.transfer, "ExportText", ["", "", ""].map(Value.string)),
    ]
    return "\(rows)"
  }
}

@Suite struct `Refusals of what is read only` {
  @Test func `every method that writes to a calendar is refused`() throws {
    let agent = try AgentUnderTest()
    try agent.addWhatCanBeChanged()
    let store = try agent.store()
    var personal = try #require(try store.calendars().first { $0.id.text == "personal" })
    personal.isReadOnly = true
    try store.put(calendar: personal, now: agent.clock.now)
    #expect(ReadOnlyRefusals.calls.count > 15)
    try agent.expectRefusals(ReadOnlyRefusals.calls)
  }
}

enum ReadOnlyRefusals {
  static let calls = CalendarServiceTests.calls(documented: .readOnly).map { call in
    // The calendar that is the default must be one that can be written.
    call.member == "Calendars.SetDefault"
      ? Refused(call.member, [.string("personal")], call.name) : call
  }
}

@Suite struct `Refusals of a database that cannot be used` {
  @Test func `every method that needs it says so, and no other`() throws {
    let agent = try AgentUnderTest()
    try agent.addWhatCanBeChanged()
    agent.stop()
    chmod(agent.databasePath, 0o644)
    try agent.start()
    #expect(StorageRefusals.calls.count > 50)
    for call in StorageRefusals.calls {
      let error = try agent.refusal(of: call.member, call.values())
      #expect(error.name.text == call.name, "\(call.member): \(error)")
    }
    #expect(try agent.property("State") == .string("degraded"))
  }

  @Test func `every method that writes says when it cannot, with nothing changed`() throws {
    let agent = try AgentUnderTest()
    try agent.addWhatCanBeChanged()
    try agent.advance(to: "2026-11-21T08:20:00Z")
    let reminder = try agent.onlyReminder()
    _ = try agent.add("Second", at: "2026-12-24 18:00")
    _ = try agent.call(Contract.events, "Undo")
    let database = try agent.store().database
    try database.execute("PRAGMA query_only = 1")
    let writing =
      ValidCalls.writing + [
        "Events.Redo", "Reminders.Snooze", "Reminders.SnoozeAll", "Reminders.Dismiss",
        "Reminders.DismissAll",
      ]
    let calls = StorageRefusals.calls.filter { writing.contains($0.member) }
    // Import is documented by itself, and ImportText by Import.
    #expect(calls.count >= writing.count - 1)
    try agent.expectRefusals(calls, reminder: reminder)
    #expect(try agent.property("State") == .string("read-only"))
    #expect(try agent.property("StateReason") != .string(""))
    try database.execute("PRAGMA query_only = 0")
    agent.takeSignals()
    _ = try agent.call(Contract.calendar, "Today")
    try agent.settle()
    #expect(agent.changes(of: "State") == [.string("ready")])
    #expect(agent.changes(of: "StateReason") == [.string("")])
  }

  @Test func `State tells it where what could not be written was no call's`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let database = try agent.store().database
    try agent.settle()
    agent.takeSignals()
    try database.execute("PRAGMA query_only = 1")
    // It rings.
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(agent.changes(of: "State") == [.string("read-only")])
    try database.execute("PRAGMA query_only = 0")
    _ = try agent.call(Contract.calendar, "Today")
    try agent.settle()
    #expect(agent.changes(of: "State") == [.string("read-only"), .string("ready")])
    // The clock is set back, and all is planned anew.
    try database.execute("PRAGMA query_only = 1")
    agent.takeSignals()
    agent.clock.set(to: try Timestamp(text: "2026-11-20T08:00:00Z"))
    try agent.settle()
    #expect(agent.changes(of: "State") == [.string("read-only")])
    #expect(agent.log.contains { $0.contains("cannot reschedule the reminders: ") }, "\(agent.log)")
  }
}

enum StorageRefusals {
  static let calls = CalendarServiceTests.calls(documented: .storageFailed)
}

@Suite struct `Refusals of too much at once` {
  @Test func `a fifth descriptor of one kind has to wait`() throws {
    for call in BusyRefusals.calls where call.member.hasPrefix("Transfer.") {
      let agent = try AgentUnderTest()
      let isImport = call.member == "Transfer.Import"
      if !isImport {
        // More than a pipe holds.
        let text = String(repeating: "x", count: 90_000)
        _ = try agent.add(
          ("summary", .string("Long")), ("start", .string("2026-11-21 15:00")),
          ("description", .string(text)))
      }
      var ends: [Int32] = []
      var answers: [AgentUnderTest.Answer] = []
      func begin(_ member: String) throws {
        var values = try #require(ValidCalls.arguments(of: member))
        if member != "Transfer.ExportText" {
          let (reading, writing) = openPipe()
          ends.append(isImport ? writing : reading)
          values[0] = .fileDescriptor(FileDescriptor(owning: isImport ? reading : writing))
        }
        answers.append(
          try agent.begin(
            .call(
              Contract.busName, Contract.path, Contract.transfer,
              MemberName(unchecked: String(member.dropFirst("Transfer.".count))), values)))
      }
      for _ in 0..<4 { try begin(isImport ? "Transfer.Import" : "Transfer.Export") }
      try begin(call.member)
      try agent.wait(for: "the refusal") { answers[4].result != nil }
      let error = #expect(throws: DBusError.self) { try answers[4].values() }
      #expect(error?.name.text == call.name)
      for end in ends { close(end) }
      try agent.wait(for: "the others") { answers.allSatisfy { $0.result != nil } }
    }
  }
}

extension `Refusals of too much at once` {
  @Test(.longProof)
  func `a third call of one caller that looks at many reminders has to wait`() throws {
    let agent = try AgentUnderTest()
    try agent.addManyReminders()
    let calls = BusyRefusals.calls.filter { $0.member.hasPrefix("Reminders.") }
    #expect(calls.count == 6)
    func begin(_ member: String, _ values: [Value]) throws -> AgentUnderTest.Answer {
      try agent.begin(
        .call(
          Contract.busName, Contract.path, Contract.reminders,
          MemberName(unchecked: String(member.dropFirst("Reminders.".count))), values))
    }
    for call in calls {
      let others = try (0..<2).map { _ in try begin("Reminders.Upcoming", [.uint32(24)]) }
      // One that has to be looked for among those to come.
      let values = call.values().map {
        $0 == .string("REMINDER") ? .string("0123456789abcdef") : $0
      }
      let answer = try begin(call.member, values)
      try agent.wait(for: "the refusal") { answer.result != nil }
      let error = #expect(throws: DBusError.self) { try answer.values() }
      #expect(error?.name.text == call.name, "\(call.member)")
      try agent.wait(for: "the others") { others.allSatisfy { $0.result != nil } }
      #expect(throws: Never.self) { try others.map { try $0.values() } }
    }
  }
}

enum BusyRefusals {
  static let calls = CalendarServiceTests.calls(documented: .busy)
}
