import CalendarBus
import CalendarModel
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `Many changes that are taken back` {
  private static let many = 1100

  /// An agent that has imported many events, and then another version of them.
  private func filled() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    _ = try agent.importedCounts(of: todaysEvents(Self.many, "Tea", sequence: 0))
    _ = try agent.importedCounts(
      of: todaysEvents(
        Self.many, "Coffee", sequence: 1,
        component("new", "DTSTART:20261121T160000Z", "SUMMARY:Cake")))
    try agent.settle()
    agent.takeSignals()
    return agent
  }

  private func begin(_ member: MemberName, _ agent: AgentUnderTest) throws -> AgentUnderTest.Answer
  {
    try agent.begin(.call(Contract.busName, Contract.path, Contract.events, member))
  }

  @Test func `others are answered between its parts, and change nothing`() throws {
    let agent = try filled()
    let answer = try begin("Undo", agent)
    let middle = try agent.lookInTheMiddle(
      ("Remove", ["u7", "", ""].map(Value.string)), ("Redo", []))
    #expect(answer.result == nil)
    let count = try middle.today.countToday("Tea")
    #expect(count > 0 && count < Self.many)
    #expect(try middle.today.countToday("Coffee") == Self.many - count)
    #expect(try middle.today.countToday("Cake") == 1)
    #expect(middle.history == 2)
    #expect(middle.refusals == [busyRefusal, busyRefusal])
    try agent.wait(for: "the end") { answer.result != nil }
    let values = try answer.values()
    #expect([values[0], values[2]] == [.string("import"), .uint64(3)])
    #expect(values[1].asArray?.count == Self.many + 1)
    #expect(try agent.countToday("Tea") == Self.many)
    #expect(try agent.countToday("Cake") == 0)
    try agent.settle()
    #expect(agent.signals("EventsChanged").map { $0.arguments[0] } == [.uint64(3)])
    _ = try agent.call(Contract.events, "Redo")
    #expect(try agent.countToday("Coffee") == Self.many)
  }

  @Test func `no part is long`() throws {
    let agent = try filled()
    let store = try agent.store()
    // A part keeps how its events are, and writes them into the log then: those for which as many were kept before
    // are of one.
    try store.database.execute(
      """
      CREATE TEMP TABLE kept (count INTEGER NOT NULL);
      INSERT INTO kept VALUES (0);
      CREATE TEMP TABLE logged (kept INTEGER NOT NULL);
      CREATE TEMP TRIGGER keeping AFTER INSERT ON main.series_images
      BEGIN UPDATE kept SET count = count + 1; END;
      CREATE TEMP TRIGGER logging AFTER INSERT ON main.changes
      WHEN new.change = 'updated' BEGIN INSERT INTO logged SELECT count FROM kept; END
      """)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try store.database.integer("SELECT count(*) FROM temp.logged") == Int64(Self.many))
    let longest = try store.database.integer(
      """
      SELECT max(events) FROM (SELECT count(*) AS events FROM temp.logged GROUP BY kept)
      """)
    #expect(longest > 0 && longest <= Int64(UndoJob.partCount), "\(longest)")
  }

  @Test(.longProof)
  func `where too much is being worked at already, it is refused and changes nothing`() throws {
    let agent = try filled()
    let before = try agent.exportedText()
    let work = try #require(agent.agent?.longWork)
    var isOver = false
    for number in 0..<LongWork.maximum { work.run(for: "caller \(number)") { !isOver } }
    let error = try agent.refusal(Contract.events, "Undo")
    #expect(error.name.text == CallError.Kind.busy.rawValue)
    #expect(error.message.contains("\(LongWork.maximum) in all"))
    #expect(try agent.exportedText() == before)
    isOver = true
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.countToday("Tea") == Self.many)
  }

  @Test func `an import waits for the end of it`() throws {
    let agent = try filled()
    let undone = try begin("Undo", agent)
    let imported = try agent.beginImportOfText(todaysEvents(Self.many, "Water", sequence: 2))
    #expect(try agent.endImport(imported) == [0, Int64(Self.many), 0, 0])
    #expect(try undone.values()[2] == .uint64(3))
    #expect(try agent.countToday("Water") == Self.many)
    #expect(try agent.revision() == 4)
  }

  @Test func `where it cannot be put back, imports are told, and a later call has it tried again`()
    throws
  {
    let agent = try filled()
    let before = try agent.exportedText()
    try agent.refuseToWrite("u900")
    let answer = try begin("Undo", agent)
    while try agent.countToday("Tea") == 0, answer.result == nil {}
    // Nor what was turned already.
    try agent.store().database.execute(
      "CREATE TRIGGER stuck BEFORE UPDATE ON series BEGIN SELECT RAISE(ABORT, 'no room'); END")
    let waiting = try agent.beginImportOfText(todaysEvents(3, "Water", sequence: 2))
    try agent.wait(for: "the end") { answer.result != nil }
    let later = try agent.beginImportOfText(todaysEvents(3, "Water", sequence: 2))
    for refused in [waiting, later] {
      let error = try #require(throws: DBusError.self) { try agent.endImport(refused) }
      #expect(error.name.text == CallError.Kind.storageFailed.rawValue)
    }
    try agent.writeAgain()
    try agent.store().database.execute("DROP TRIGGER stuck")
    #expect(throws: DBusError.self) { try agent.call(Contract.events, "Undo") }
    try agent.wait(for: "the end") { (try? agent.store().isStaging) == false }
    #expect(try agent.exportedText() == before)
    #expect(try agent.importedCounts(of: todaysEvents(3, "Water", sequence: 2)) == [0, 3, 0, 0])
  }

  @Test func `an import that waits goes by the calendars that are left`() throws {
    func inTrips(_ uid: String) -> String {
      calendar(component(uid, "DTSTART:20261121T160000Z", "SUMMARY:Sea"))
        .replacing(
          "VERSION:2.0\r\n", with: "VERSION:2.0\r\nX-DATEBOOK-CALENDAR:trips\r\nNAME:Trips\r\n")
    }
    let agent = try AgentUnderTest()
    _ = try agent.importedCounts(of: todaysEvents(Self.many, "Tea", sequence: 0))
    #expect(
      try agent.importedCounts(of: todaysEvents(Self.many, "Coffee", sequence: 1) + inTrips("t1"))
        == [1, Int64(Self.many), 0, 0])
    // It takes the calendar away that the import would go into.
    let undone = try begin("Undo", agent)
    let imported = try agent.beginImportOfText(inTrips("t2"))
    #expect(try agent.endImport(imported) == [1, 0, 0, 0])
    _ = try undone.values()
    #expect(try agent.countToday("Sea") == 1)
  }

  @Test func `where the store refuses one, none is taken back, and all are told again`() throws {
    let agent = try filled()
    let before = try agent.exportedText()
    try agent.refuseToWrite("u900")
    let answer = try begin("Undo", agent)
    try agent.wait(for: "the end") { answer.result != nil }
    let error = try #require(throws: DBusError.self) { _ = try answer.values() }
    #expect(error.name.text == CallError.Kind.storageFailed.rawValue)
    #expect(try agent.exportedText() == before)
    try agent.settle()
    #expect(try agent.revision() == 4)
    #expect(agent.signals("EventsChanged").map { $0.arguments[0] } == [.uint64(4)])
    try agent.writeAgain()
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.countToday("Tea") == Self.many)
  }
}
