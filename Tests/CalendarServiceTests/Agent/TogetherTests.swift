import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

extension AgentUnderTest {
  /// Makes a change that nobody is told of yet.
  fileprivate func untold(
    _ body: (StoreChange) throws(StoreError) -> Void
  ) throws -> ChangeSet {
    try store().change(origin: .local, now: clock.now, body).1
  }

  fileprivate func changes(ofStatus status: Event.Status, _ uid: String) throws -> ChangeSet {
    let personal = CalendarID("personal")
    var event = try #require(try store().series(EventUID(uid), in: personal)?.master)
    event.status = status
    let series = EventSeries(calendar: personal, master: event)
    return try untold { change throws(StoreError) in try change.put(series) }
  }

  fileprivate func changes(removing uid: String) throws -> ChangeSet {
    try untold { change throws(StoreError) in
      _ = try change.remove(EventUID(uid), from: CalendarID("personal"))
    }
  }

  /// "Alpha" is cancelled after it rang; "Beta" comes back at 08:25.
  fileprivate static func afterReminders() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    for name in ["alpha", "beta"] {
      try agent.add(
        ("uid", .string(name)), ("summary", .string(name)), ("start", .string("2026-11-21 09:30")),
        ("reminders", .strings(["15m"])))
    }
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let beta = try #require(try agent.pending().first { $0["uid"] == .string("beta") })
    _ = try agent.call(
      Contract.reminders, "Snooze", [.string(beta["id"]?.asString ?? ""), .string("10m")])
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("alpha"), .string(""), .string(""), .row([("status", .string("cancelled"))]),
      ])
    // Time passes, and nobody has looked at the clock so far.
    let wake = agent.clock.wake
    agent.clock.wake = nil
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:25:00Z"))
    agent.clock.wake = wake
    agent.takeSignals()
    return agent
  }

  /// Of a removed event the last row says that it is gone.
  fileprivate func lastState(_ uid: String) throws -> String? {
    let rows =
      try call(Contract.reminders, "Why", [.string(uid), .string("")])[0].asArray ?? []
    return rows.last { $0["state"]?.asString != "gone" }?["state"]?.asString
  }
}

@Suite struct `Changes that are told together` {
  @Test func `what a later one has closed is not told while an earlier one reopens others`() throws
  {
    let agent = try AgentUnderTest.afterReminders()
    let changes = [
      try agent.changes(ofStatus: .confirmed, "alpha"), try agent.changes(removing: "beta"),
    ]
    #expect(changes[0].reopenedReminders.map(\.summary) == ["alpha"])
    #expect(changes[1].closedReminders.map(\.summary) == ["beta"])
    agent.agent?.changes.tell(changes)
    try agent.settle()
    #expect(agent.signals("ReminderDue").map { $0.arguments[1] } == [])
    #expect(agent.signals("ReminderDismissed").map { $0.arguments[1] } == [.string("beta")])
    #expect(try agent.pending().map { $0["uid"] } == [.string("alpha")])
    #expect(try agent.lastState("beta") == "closed")
  }

  @Test func `what one reopens and a later one closes stays closed`() throws {
    let agent = try AgentUnderTest.afterReminders()
    let changes = [
      try agent.changes(ofStatus: .confirmed, "alpha"), try agent.changes(removing: "alpha"),
      try agent.changes(removing: "beta"),
    ]
    agent.agent?.changes.tell(changes)
    try agent.settle()
    #expect(agent.signals("ReminderDue").map { $0.arguments[1] } == [])
    #expect(try agent.pending() == [])
    #expect(try agent.lastState("alpha") == "closed")
  }

  @Test func `what one closes and a later one reopens is pending`() throws {
    let agent = try AgentUnderTest.afterReminders()
    let changes = [
      try agent.changes(ofStatus: .confirmed, "alpha"),
      try agent.changes(ofStatus: .cancelled, "alpha"),
      try agent.changes(ofStatus: .confirmed, "alpha"), try agent.changes(removing: "beta"),
    ]
    agent.agent?.changes.tell(changes)
    try agent.settle()
    #expect(try agent.pending().map { $0["uid"] } == [.string("alpha")])
  }
}

@Suite struct `Changes of one turn of which one cannot be made` {
  /// The texts of a day, as the memory of the agent has them and as the store does.
  private func summaries(_ agent: AgentUnderTest) throws -> [String] {
    let rows = try agent.call(Contract.calendar, "Agenda", [.string("2027-03-01"), .uint32(1)])
    let shown = (rows[0].asArray ?? []).map { $0["summary"]?.asString ?? "" }
    let kept = try agent.store().series(
      touching: TimeSpan(start: .earliest, end: .latest), calendars: nil
    ).compactMap(\.master?.summary)
    #expect(shown.sorted() == kept.sorted())
    return shown.sorted()
  }

  private func add(
    _ summary: String, _ agent: AgentUnderTest, text: Int = 10
  ) throws -> AgentUnderTest.Answer {
    try agent.begin(
      .call(
        Contract.busName, Contract.path, Contract.events, "Add",
        [
          .string(""),
          .row([
            ("summary", .string(summary)), ("start", .string("2027-03-01 09:00")),
            ("description", .string(String(repeating: "x", count: text))),
          ]),
        ]))
  }

  @Test func `each of the others is there once, and the revision says how many`() throws {
    let agent = try AgentUnderTest()
    let database = try agent.store().database
    #expect(try summaries(agent) == [])
    let revision = try agent.store().revision
    let pages = try database.integer("PRAGMA page_count")
    try database.execute("PRAGMA max_page_count = \(pages + 24)")
    let answers = [
      try add("a", agent), try add("b", agent, text: 99_000), try add("c", agent),
      try add("d", agent, text: 99_000), try add("e", agent),
    ]
    let question = try agent.begin(
      .call(
        Contract.busName, Contract.path, Contract.calendar, "Agenda",
        [.string("2027-03-01"), .uint32(1)]))
    try agent.wait(for: "the answers") { answers.allSatisfy { $0.result != nil } }
    try agent.wait(for: "the answer to the question") { question.result != nil }
    for (place, answer) in answers.enumerated() {
      if place % 2 == 0 {
        #expect(throws: Never.self) { try answer.values() }
      } else {
        let error = #expect(throws: DBusError.self) { try answer.values() }
        #expect(error?.name.text == CallError.Kind.storageFailed.rawValue)
      }
    }
    #expect(try question.values()[0].asArray?.count == 3)
    #expect(try summaries(agent) == ["a", "c", "e"])
    #expect(try agent.property("Revision") == .uint64(revision + 3))
    try database.execute("PRAGMA max_page_count = 1000000")
    let after = try add("f", agent, text: 99_000)
    try agent.wait(for: "the answer") { after.result != nil }
    #expect(throws: Never.self) { try after.values() }
    #expect(try summaries(agent) == ["a", "c", "e", "f"])
    #expect(try agent.property("State") == .string("ready"))
    try expectSound(try agent.store(), "after a full disk")
  }
}
