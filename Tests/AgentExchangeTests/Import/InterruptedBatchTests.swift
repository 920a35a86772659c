import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

/// An agent that starts on a file in which the one before it has left a part of an import, or of an undo.
@Suite struct `What a killed agent has left of a change of many events` {
  private static let many = 1100
  private static let changed = 600

  private func series(_ number: Int, _ summary: String, in calendar: String) throws -> EventSeries {
    EventSeries(
      calendar: CalendarID(calendar),
      master: Event(
        uid: EventUID("u\(number)"), start: .utc(try Timestamp(text: "2026-11-21T14:00:00Z")),
        summary: summary))
  }

  /// Has an agent that is stopped, and leaves a part of an import in its file: events that are changed, and new ones in
  /// a calendar that the import makes.
  ///
  /// - Parameter spoiling: what the file is spoilt with after that.
  private func left(spoiling: String = "") throws -> (agent: AgentUnderTest, text: String) {
    let agent = try AgentUnderTest()
    let all = try (0..<Self.many).map { try series($0, "Tea", in: "personal") }
    try agent.store().change(origin: .import, now: agent.clock.now) { change throws(StoreError) in
      for one in all { try change.put(one) }
    }
    let text = try agent.exportedText()
    agent.stop()
    let store = try openStore(agent.databasePath)
    let staged = try store.stage(
      in: CalendarID("personal"), origin: .import, now: agent.clock.now)
    try staged.add(CalendarInfo(id: CalendarID("new"), name: "New", color: EventColor.palette[1]))
    try staged.add(
      prepared: (0..<Self.many).map { staged.prepare(try series($0, "Cake", in: "new")) })
    let some = try (0..<Self.changed).map { try series($0, "Coffee", in: "personal") }
    _ = try staged.change { change throws(StoreError) in
      for one in some { try change.put(one) }
    }
    while try staged.addToLog(limit: 1000) {}
    // What follows is no part of it.
    try store.database.endPart()
    try store.database.execute(spoiling)
    store.close()
    return (agent, text)
  }

  /// The same of the undo of a change, of which those events have been put back.
  private func leftOfUndo(spoiling: String = "") throws -> (agent: AgentUnderTest, text: String) {
    let agent = try AgentUnderTest()
    for summary in ["Coffee", "Tea"] {
      let all = try (0..<Self.many).map { try series($0, summary, in: "personal") }
      try agent.store().change(origin: .import, now: agent.clock.now) { change throws(StoreError) in
        for one in all { try change.put(one) }
      }
    }
    let text = try agent.exportedText()
    agent.stop()
    let store = try openStore(agent.databasePath)
    let turned = try #require(try store.turnInParts(redo: false, now: agent.clock.now))
    while try turned.check() {}
    _ = try turned.turn(limit: Self.changed)
    try store.database.execute(spoiling)
    store.close()
    return (agent, text)
  }

  /// What the change was that was not ended.
  enum Unfinished: CaseIterable {
    case importing, undoing
  }

  private func left(
    _ unfinished: Unfinished, spoiling: String = ""
  ) throws -> (agent: AgentUnderTest, text: String) {
    switch unfinished {
    case .importing: try left(spoiling: spoiling)
    case .undoing: try leftOfUndo(spoiling: spoiling)
    }
  }

  private func message(
    _ interface: InterfaceName, _ member: MemberName, _ values: [Value] = []
  ) throws -> Message {
    try .call(Contract.busName, Contract.path, interface, member, values)
  }

  /// What today has while it is being taken back; returns how many events of it are changed still.
  private func changedOfToday(_ today: AgentUnderTest.Answer) throws -> Int {
    let rows = try today.values()[0].asArray ?? []
    #expect(rows.count == Self.many)
    #expect(rows.allSatisfy { $0["calendar"] == .string("personal") })
    return rows.count { $0["summary"] == .string("Coffee") }
  }

  private func askToday(_ agent: AgentUnderTest) throws -> AgentUnderTest.Answer {
    try agent.begin(
      message(
        Contract.calendar, "GetOccurrences",
        [.string("today"), .string(""), .row([("limit", .uint32(5000))])]))
  }

  @Test func `it is taken back in parts, of which none is long`() throws {
    let (agent, _) = try left()
    let store = try EventStore(
      path: agent.databasePath, zones: FixedZones.shared,
      localZone: { FixedZones.shared["Europe/Berlin"] })
    #expect(store.isStaging)
    #expect(try store.calendars().map(\.id.text) == ["personal"])
    let first = try store.series(EventUID("u0"), in: CalendarID("personal"))
    #expect(first?.master?.summary == "Coffee")
    #expect(try store.series(EventUID("u0"), in: CalendarID("new")) == nil)
    var sizes: [Int] = []
    // The names that it has written to the log are forgotten in parts, too.
    func names() throws -> Int64 { try store.database.integer("SELECT count(*) FROM changes") }
    #expect(try names() > Self.many + 1000)
    var known = try names()
    while try store.unfinished?.discard(limit: 250, tell: { sizes.append($0.names.count) }) ?? false
    {
      let left = try names()
      #expect(known - left <= 1000)
      known = left
    }
    // Those of what was there before, and of what was put back.
    #expect(try names() == Self.many + Self.changed)
    // The last one tells of all.
    #expect(sizes.popLast() == Self.changed)
    #expect(sizes.reduce(0, +) == Self.changed)
    #expect(sizes.allSatisfy { $0 <= 50 })
    #expect(!store.isStaging)
    store.close()
  }

  @Test(arguments: Unfinished.allCases)
  func `an agent takes it back, and tells of it`(unfinished: Unfinished) throws {
    let (agent, text) = try left(unfinished)
    // Two after the last that has come to its end.
    let revision: UInt64 = unfinished == .importing ? 3 : 4
    try agent.start()
    let store = try agent.store()
    try agent.wait(for: "the end of it") { !store.isStaging }
    #expect(try agent.exportedText() == text)
    #expect(try store.database.integer("SELECT count(*) FROM series") == Int64(Self.many))
    #expect(try store.database.integer("SELECT count(*) FROM calendars") == 1)
    // Who has seen some of it gets to know.
    #expect(try agent.property("Revision") == .uint64(revision))
    try agent.settle()
    let told = agent.signals("EventsChanged").last?.arguments
    #expect(told?[0] == .uint64(revision))
    // An import is stored as ever.
    try agent.importComponents(component("after", "DTSTART:20261121T150000Z"))
    #expect(try agent.property("Revision") == .uint64(revision + 1))
  }

  @Test(arguments: Unfinished.allCases)
  func `where it cannot be taken back there is a store, and it is tried again`(
    unfinished: Unfinished
  ) throws {
    let (agent, text) = try left(
      unfinished,
      spoiling: """
        CREATE TRIGGER refusal BEFORE UPDATE ON series BEGIN SELECT RAISE(ABORT, 'no room'); END
        """)
    try agent.start()
    try agent.wait(for: "the failure") { agent.agent?.storage.failure != nil }
    #expect(try agent.property("State") == .string("read-only"))
    #expect(try agent.property("StateReason").asString?.contains("no room") ?? false)
    let today = try askToday(agent)
    try agent.wait(for: "an answer") { today.result != nil }
    #expect(try changedOfToday(today) > 0)
    let store = try agent.store()
    #expect(store.isStaging)
    // There is room for other things, and yet nothing changes before that is mended: it is no moment.
    try agent.settle()
    agent.takeSignals()
    for _ in 0..<3 {
      let refusal = try agent.refusal(Contract.events, "Undo")
      #expect(refusal.name.text == CallError.Kind.storageFailed.rawValue)
      #expect(refusal.message.contains("no room"), "\(refusal)")
      #expect(throws: DBusError.self) {
        try agent.importComponents(component("after", "DTSTART:20261121T150000Z"))
      }
      #expect(try agent.property("State") == .string("read-only"))
    }
    #expect(agent.signals("PropertiesChanged").isEmpty)
    try store.database.execute("DROP TRIGGER refusal")
    // The next call that asks for something has it tried again.
    let again = try askToday(agent)
    try agent.wait(for: "the end of it") { again.result != nil && !store.isStaging }
    #expect(try agent.exportedText() == text)
    #expect(try agent.property("State") == .string("ready"))
  }
}
