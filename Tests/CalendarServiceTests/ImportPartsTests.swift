import CalendarBus
import CalendarModel
import DBus
import Platform
import TestSupport
import Testing

@testable import CalendarService
@testable import CalendarStore

/// So many events on one day, all of one version.
private func events(
  _ count: Int, _ summary: String, sequence: Int, description: String = "", properties: String = "",
  _ more: String...
) -> String {
  calendar(
    properties
      + (0..<count).map {
        component(
          "u\($0)", "DTSTART:20261121T140000Z", "DTEND:20261121T150000Z", "SUMMARY:\(summary)",
          "DESCRIPTION:\(description)", "SEQUENCE:\(sequence)")
      }.joined() + more.joined())
}

private let busy = CallError.Kind.busy.rawValue

extension AgentUnderTest.Answer {
  /// How many of the occurrences that it has have this summary.
  fileprivate func count(_ summary: String) throws -> Int {
    (try values()[0].asArray ?? []).count { $0["summary"]?.asString == summary }
  }
}

extension AgentUnderTest {
  fileprivate func beginImport(_ text: String) throws -> Answer {
    try begin(
      .call(
        Contract.busName, Contract.path, Contract.transfer, "ImportText",
        [.string(text), .string(""), .string("")]))
  }

  /// The same of a text that no message holds.
  fileprivate func beginImportOfFile(_ text: String) throws -> Answer {
    try files.write(text, to: "import.ics")
    let file = try Platform.FileDescriptor.opening(files.file("import.ics"))
    return try begin(
      .call(
        Contract.busName, Contract.path, Contract.transfer, "Import",
        [
          .fileDescriptor(try DBus.FileDescriptor(duplicating: file.number)), .string("ics"),
          .string(""), .string(""), .row([]),
        ]))
  }

  fileprivate func end(_ answer: Answer) throws -> [Int64] {
    try wait(for: "the end of the import") { answer.result != nil }
    return try importCounts(answer.values()[0])
  }

  fileprivate func importText(_ text: String) throws -> [Int64] {
    try importing(text).counts
  }

  fileprivate func revision() throws -> Int64 { try property("Revision").asInteger ?? -1 }

  /// How many events of today have this summary.
  fileprivate func count(_ summary: String) throws -> Int {
    let answer = try begin(AgentUnderTest.today)
    try wait(for: "an answer") { answer.result != nil }
    return try answer.count(summary)
  }

  private static var today: Message {
    get throws {
      try .call(
        Contract.busName, Contract.path, Contract.calendar, "GetOccurrences",
        [.string("today"), .string(""), .row([("limit", .uint32(5000))])])
    }
  }

  /// Returns what the events of today and History are once the first part of a change is there, and how changes are
  /// refused then. All of it is asked at once, so that the next parts do not come in between.
  fileprivate func lookInTheMiddle(_ changes: (MemberName, [Value])...) throws -> (
    today: Answer, history: Int, refusals: [String?]
  ) {
    let store = try store()
    try wait(for: "the first part") {
      let parts = try? store.database.integer(
        "SELECT count(*) FROM changes WHERE revision > (SELECT value FROM meta WHERE name = 'revision')"
      )
      return parts ?? 0 > 0
    }
    let today = try begin(AgentUnderTest.today)
    let history = try begin(
      .call(Contract.busName, Contract.path, Contract.events, "History", [.uint32(10)]))
    let refused = try changes.map { member, arguments in
      try begin(.call(Contract.busName, Contract.path, Contract.events, member, arguments))
    }
    try wait(for: "the answers") { ([today, history] + refused).allSatisfy { $0.result != nil } }
    return (
      today, try history.values()[0].asArray?.count ?? -1,
      refused.map { answer in
        do {
          _ = try answer.values()
          return nil
        } catch {
          return (error as? DBusError)?.name.text
        }
      }
    )
  }

  /// Makes the store refuse to write an event from now on.
  fileprivate func refuseToWrite(_ uid: String) throws {
    try store().database.execute(
      """
      CREATE TRIGGER refusal BEFORE UPDATE ON series WHEN old.uid = '\(uid)'
      BEGIN SELECT RAISE(ABORT, 'no room'); END
      """)
  }

  fileprivate func writeAgain() throws { try store().database.execute("DROP TRIGGER refusal") }
}

@Suite struct `An import of many changes` {
  /// More than ten parts.
  private static let many = 1100

  private func filled() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    #expect(try agent.importText(events(Self.many, "Tea", sequence: 0)) == [1100, 0, 0, 0])
    agent.takeSignals()
    return agent
  }

  @Test func `others are answered between its parts, and change nothing`() throws {
    let agent = try filled()
    let before = try agent.exportedText()
    let answer = try agent.beginImport(
      events(
        Self.many, "Coffee", sequence: 1,
        component(
          "new", "DTSTART:20261121T160000Z", "SUMMARY:Cake")))
    let middle = try agent.lookInTheMiddle(
      ("Undo", []),
      ("SetField", ["u7", "", "all", "summary"].map(Value.string) + [.variant(.string("Mine"))]))
    #expect(answer.result == nil)
    let count = try middle.today.count("Coffee")
    #expect(count > 0 && count < Self.many)
    #expect(try middle.today.count("Tea") == Self.many - count)
    #expect(try middle.today.count("Cake") == 0)
    #expect(middle.history == 1)
    #expect(middle.refusals == [busy, busy])
    #expect(try agent.end(answer) == [1, 1100, 0, 0])
    #expect(try agent.count("Coffee") == Self.many)
    #expect(try agent.count("Cake") == 1)
    try agent.settle()
    #expect(try agent.revision() == 2)
    #expect(agent.signals("EventsChanged").map { $0.arguments[0] } == [.uint64(2)])
    let undone = try agent.call(Contract.events, "Undo")
    #expect(undone[0] == .string("import"))
    #expect(try agent.exportedText() == before)
    _ = try agent.call(Contract.events, "Redo")
    #expect(try agent.count("Coffee") == Self.many)
  }

  @Test func `a few changes are seen all at once`() throws {
    let agent = try AgentUnderTest()
    let few = ImportRun.leastInParts - 1
    _ = try agent.importText(events(few, "Tea", sequence: 0))
    let answer = try agent.beginImport(events(few, "Coffee", sequence: 1))
    while answer.result == nil {
      let count = try agent.count("Coffee")
      #expect([0, few].contains(count))
    }
    #expect(try agent.end(answer) == [0, Int64(few), 0, 0])
  }

  @Test func `no part is long`() throws {
    let agent = try filled()
    let store = try agent.store()
    // What the log takes in while one transaction is open, by its events.
    try store.database.execute(
      """
      CREATE TEMP TABLE parts (count INTEGER NOT NULL);
      CREATE TEMP TRIGGER part AFTER INSERT ON main.changes
      WHEN new.change = 'updated' BEGIN INSERT INTO parts VALUES (1); END
      """)
    let answer = try agent.beginImport(events(Self.many, "Coffee", sequence: 1))
    var (known, longest) = (0, 0)
    try agent.wait(for: "the end of the import") {
      // Each turn of the loop does one slice at most.
      let count = Int((try? store.database.integer("SELECT count(*) FROM temp.parts")) ?? 0)
      longest = max(longest, count - known)
      known = count
      return answer.result != nil
    }
    #expect(known == Self.many)
    #expect(longest > 0 && longest <= ImportRun.partCount, "\(longest)")
  }

  /// The images of series that are written by a change: how each was, and what waits in the file.
  @Test(arguments: [
    (Self.many, "", 0),
    // More than is kept in memory.
    (250, String(repeating: "With milk. ", count: 4000), 200),
  ])
  func `what is changed is written once, where it is not too much to be kept in memory`(
    count: Int, description: String, waiting: Int
  ) throws {
    let agent = try filled()
    try agent.store().database.execute(
      """
      CREATE TEMP TABLE images (count INTEGER NOT NULL);
      CREATE TEMP TRIGGER image AFTER INSERT ON main.series_images
      BEGIN INSERT INTO images VALUES (1); END
      """)
    let before = try agent.exportedText()
    let text = events(count, "Coffee", sequence: 1, description: description)
    #expect(try agent.end(agent.beginImportOfFile(text)) == [0, Int64(count), 0, 0])
    let images = try agent.store().database.integer("SELECT count(*) FROM temp.images")
    #expect(images == Int64(count + waiting))
    #expect(try agent.count("Coffee") == count)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText() == before)
  }

  @Test func `where the store refuses one, none has changed, and all are told again`() throws {
    let agent = try filled()
    let before = try agent.exportedText()
    try agent.refuseToWrite("u900")
    let answer = try agent.beginImport(events(Self.many, "Coffee", sequence: 1))
    var sawSome = false
    while answer.result == nil {
      if try agent.count("Coffee") > 0 { sawSome = true }
    }
    #expect(sawSome)
    let error = try #require(throws: DBusError.self) { _ = try answer.values() }
    #expect(error.name.text == CallError.Kind.storageFailed.rawValue)
    // Whoever hears of it finds all as it was.
    #expect(try agent.count("Coffee") == 0)
    #expect(try agent.exportedText() == before)
    try agent.settle()
    // Who has asked meanwhile is to ask again.
    #expect(try agent.revision() == 3)
    #expect(agent.signals("EventsChanged").map { $0.arguments[0] } == [.uint64(3)])
    let changes = try agent.call(Contract.calendar, "ChangesSince", [.uint64(1)])
    #expect(changes[1] == .boolean(true))
    #expect((changes[2].asArray ?? []).count > 0)
    try agent.writeAgain()
    #expect(try agent.importText(events(Self.many, "Coffee", sequence: 1)) == [0, 1100, 0, 0])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText() == before)
  }

  @Test func `where it cannot be taken back at once, the next change has that tried again`() throws
  {
    let agent = try filled()
    let before = try agent.exportedText()
    try agent.refuseToWrite("u900")
    // What is written over cannot be put back either, nor is there room for anything else.
    try agent.store().database.execute(
      """
      CREATE TRIGGER stuck BEFORE DELETE ON series_images BEGIN SELECT RAISE(ABORT, 'no room'); END;
      CREATE TRIGGER full BEFORE UPDATE ON meta WHEN old.name = 'revision'
      BEGIN SELECT RAISE(ABORT, 'no room'); END
      """)
    let answer = try agent.beginImport(events(Self.many, "Coffee", sequence: 1))
    let waiting = try agent.beginImport(events(3, "Water", sequence: 2))
    #expect(throws: DBusError.self) { try agent.end(answer) }
    #expect(try agent.count("Coffee") > 0)
    // What would wait for that is told what is wrong, whether it came before or comes now.
    let later = try agent.beginImport(events(3, "Water", sequence: 2))
    for refused in [waiting, later] {
      let error = try #require(throws: DBusError.self) { try agent.end(refused) }
      #expect(error.name.text == CallError.Kind.storageFailed.rawValue)
    }
    #expect(
      try agent.refusal(Contract.events, "Undo").name.text
        == CallError.Kind.storageFailed.rawValue)
    try agent.writeAgain()
    try agent.store().database.execute("DROP TRIGGER stuck; DROP TRIGGER full")
    #expect(throws: DBusError.self) { try agent.call(Contract.events, "Undo") }
    try agent.wait(for: "the end") { (try? agent.store().isStaging) == false }
    #expect(try agent.exportedText() == before)
    #expect(try agent.importText(events(Self.many, "Coffee", sequence: 1)) == [0, 1100, 0, 0])
  }

  @Test func `exceptions far behind their series are written in parts as well`() throws {
    let agent = try AgentUnderTest()
    let series = (0..<300).map {
      component("s\($0)", "DTSTART:20261121T140000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Tea")
    }
    let exceptions = (0..<300).map {
      component(
        "s\($0)", "RECURRENCE-ID:20261122T140000Z", "DTSTART:20261122T150000Z", "SUMMARY:Cake")
    }
    // Half of the series are there, and half come with the text.
    #expect(try agent.importText(calendar(series.prefix(150).joined())) == [150, 0, 0, 0])
    let others = (0..<300).map { component("o\($0)", "DTSTART:20261121T100000Z") }
    let text = calendar((series + others + exceptions).joined())
    #expect(try agent.importText(text)[0] == 450)
    #expect(try agent.summaries(from: "2026-11-22").count { $0 == "Cake" } == 300)
    #expect(try agent.revision() == 2)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.summaries(from: "2026-11-22").count { $0 == "Tea" } == 150)
    #expect(try agent.summaries(from: "2026-11-22").count == 150)
  }

  @Test func `what comes in with its cancellation is cancelled in parts as well`() throws {
    let agent = try AgentUnderTest()
    try agent.store().database.execute(
      """
      CREATE TEMP TABLE parts (count INTEGER NOT NULL);
      CREATE TEMP TRIGGER part AFTER UPDATE ON main.series BEGIN INSERT INTO parts VALUES (1); END
      """)
    let answer = try agent.beginImport(
      events(Self.many, "Tea", sequence: 0)
        + events(Self.many, "Tea", sequence: 1, properties: "METHOD:CANCEL\r\n"))
    let database = try agent.store().database
    var (known, longest) = (0, 0)
    try agent.wait(for: "the end of the import") {
      let count = Int((try? database.integer("SELECT count(*) FROM temp.parts")) ?? 0)
      longest = max(longest, count - known)
      known = count
      return answer.result != nil
    }
    #expect(try agent.end(answer) == [1100, 0, 0, 0])
    #expect(known >= Self.many)
    #expect(longest > 0 && longest <= 2 * ImportRun.partCount, "\(longest)")
    #expect(
      try agent.exportedText().split(separator: "STATUS:CANCELLED\r\n").count == Self.many + 1)
    try agent.settle()
    #expect(agent.signals("EventsChanged").map { $0.arguments[0] } == [.uint64(1)])
    let changes = try agent.call(Contract.calendar, "ChangesSince", [.uint64(0)])
    #expect(changes[2].asArray?.count == Self.many)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try !agent.exportedText().contains("UID"))
  }

  @Test
  func
    `what two calendars cancel of a third is cancelled once, where some of it waits in the file`()
    throws
  {
    let agent = try filled()
    for name in ["A", "B"] {
      _ = try agent.call(
        Contract.calendars, "Create", [.string(name), .string(""), .string("")])
    }
    // More than is kept in memory, and so many cancellations that some of theirs are written with it.
    let (changed, cancelled) = (250, 400)
    func cancellations(_ name: String, sequence: Int) -> String {
      calendar(
        "METHOD:CANCEL\r\nX-WR-CALNAME:\(name)\r\n"
          + (changed..<changed + cancelled).map {
            component("u\($0)", "DTSTART:20261121T140000Z", "SEQUENCE:\(sequence)")
          }.joined())
    }
    let text =
      events(
        changed, "Coffee", sequence: 1,
        description: String(repeating: "With milk. ", count: 4000))
      + cancellations("A", sequence: 1) + cancellations("B", sequence: 2)
    let before = try agent.exportedText()
    #expect(
      try agent.end(agent.beginImportOfFile(text)) == [0, Int64(changed + cancelled), 0, 0])
    let store = try agent.store()
    for number in 0..<Self.many {
      let event = try store.series(EventUID("u\(number)"), in: CalendarID("personal"))?.master
      let isCancelled = (changed..<changed + cancelled).contains(number)
      #expect(event?.summary == (number < changed ? "Coffee" : "Tea"), "\(number)")
      #expect((event?.status == .cancelled) == isCancelled, "\(number)")
      #expect(event?.sequence == (isCancelled ? 2 : number < changed ? 1 : 0), "\(number)")
    }
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText() == before)
  }

  @Test func `a reminder of an event that moves goes with the part that moves it`() throws {
    let agent = try filled()
    try agent.importComponents(
      component(
        "alarm", "DTSTART:20261121T080500Z", "SUMMARY:Soon", "BEGIN:VALARM", "ACTION:DISPLAY",
        "TRIGGER:-PT5M", "END:VALARM"))
    try agent.advance(to: "2026-11-21T08:01:00Z")
    #expect(try agent.pending().count == 1)
    let answer = try agent.beginImport(
      events(
        Self.many, "Coffee", sequence: 1,
        component(
          "alarm", "DTSTART:20261122T080500Z", "SUMMARY:Soon", "SEQUENCE:1", "BEGIN:VALARM",
          "ACTION:DISPLAY", "TRIGGER:-PT5M", "END:VALARM")))
    #expect(try agent.end(answer) == [0, 1101, 0, 0])
    #expect(try agent.pending().isEmpty)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.pending().count == 1)
  }
}

@Suite struct `Many changes that are taken back` {
  private static let many = 1100

  /// An agent that has imported many events, and then another version of them.
  private func filled() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    _ = try agent.importText(events(Self.many, "Tea", sequence: 0))
    _ = try agent.importText(
      events(
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
    let count = try middle.today.count("Tea")
    #expect(count > 0 && count < Self.many)
    #expect(try middle.today.count("Coffee") == Self.many - count)
    #expect(try middle.today.count("Cake") == 1)
    #expect(middle.history == 2)
    #expect(middle.refusals == [busy, busy])
    try agent.wait(for: "the end") { answer.result != nil }
    let values = try answer.values()
    #expect([values[0], values[2]] == [.string("import"), .uint64(3)])
    #expect(values[1].asArray?.count == Self.many + 1)
    #expect(try agent.count("Tea") == Self.many)
    #expect(try agent.count("Cake") == 0)
    try agent.settle()
    #expect(agent.signals("EventsChanged").map { $0.arguments[0] } == [.uint64(3)])
    _ = try agent.call(Contract.events, "Redo")
    #expect(try agent.count("Coffee") == Self.many)
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
    #expect(longest > 0 && longest <= Int64(TurnRun.partCount), "\(longest)")
  }

  @Test func `where too much is being worked at already, it is refused and changes nothing`() throws
  {
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
    #expect(try agent.count("Tea") == Self.many)
  }

  @Test func `an import waits for the end of it`() throws {
    let agent = try filled()
    let undone = try begin("Undo", agent)
    let imported = try agent.beginImport(events(Self.many, "Water", sequence: 2))
    #expect(try agent.end(imported) == [0, Int64(Self.many), 0, 0])
    #expect(try undone.values()[2] == .uint64(3))
    #expect(try agent.count("Water") == Self.many)
    #expect(try agent.revision() == 4)
  }

  @Test func `where it cannot be put back, imports are told, and a later call has it tried again`()
    throws
  {
    let agent = try filled()
    let before = try agent.exportedText()
    try agent.refuseToWrite("u900")
    let answer = try begin("Undo", agent)
    while try agent.count("Tea") == 0, answer.result == nil {}
    // Nor what was turned already.
    try agent.store().database.execute(
      "CREATE TRIGGER stuck BEFORE UPDATE ON series BEGIN SELECT RAISE(ABORT, 'no room'); END")
    let waiting = try agent.beginImport(events(3, "Water", sequence: 2))
    try agent.wait(for: "the end") { answer.result != nil }
    let later = try agent.beginImport(events(3, "Water", sequence: 2))
    for refused in [waiting, later] {
      let error = try #require(throws: DBusError.self) { try agent.end(refused) }
      #expect(error.name.text == CallError.Kind.storageFailed.rawValue)
    }
    try agent.writeAgain()
    try agent.store().database.execute("DROP TRIGGER stuck")
    #expect(throws: DBusError.self) { try agent.call(Contract.events, "Undo") }
    try agent.wait(for: "the end") { (try? agent.store().isStaging) == false }
    #expect(try agent.exportedText() == before)
    #expect(try agent.importText(events(3, "Water", sequence: 2)) == [0, 3, 0, 0])
  }

  @Test func `an import that waits goes by the calendars that are left`() throws {
    func inTrips(_ uid: String) -> String {
      calendar(component(uid, "DTSTART:20261121T160000Z", "SUMMARY:Sea"))
        .replacing(
          "VERSION:2.0\r\n", with: "VERSION:2.0\r\nX-DATEBOOK-CALENDAR:trips\r\nNAME:Trips\r\n")
    }
    let agent = try AgentUnderTest()
    _ = try agent.importText(events(Self.many, "Tea", sequence: 0))
    #expect(
      try agent.importText(events(Self.many, "Coffee", sequence: 1) + inTrips("t1"))
        == [1, Int64(Self.many), 0, 0])
    // It takes the calendar away that the import would go into.
    let undone = try begin("Undo", agent)
    let imported = try agent.beginImport(inTrips("t2"))
    #expect(try agent.end(imported) == [1, 0, 0, 0])
    _ = try undone.values()
    #expect(try agent.count("Sea") == 1)
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
    #expect(try agent.count("Tea") == Self.many)
  }
}
