import CalendarBus
import CalendarModel
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `An import of many changes` {
  /// More than ten parts.
  private static let many = 1100

  private func filled() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    #expect(
      try agent.importedCounts(of: todaysEvents(Self.many, "Tea", sequence: 0)) == [1100, 0, 0, 0])
    agent.takeSignals()
    return agent
  }

  @Test func `others are answered between its parts, and change nothing`() throws {
    let agent = try filled()
    let before = try agent.exportedText()
    let answer = try agent.beginImportOfText(
      todaysEvents(
        Self.many, "Coffee", sequence: 1,
        component(
          "new", "DTSTART:20261121T160000Z", "SUMMARY:Cake")))
    let middle = try agent.lookInTheMiddle(
      ("Undo", []),
      ("SetField", ["u7", "", "all", "summary"].map(Value.string) + [.variant(.string("Mine"))]))
    #expect(answer.result == nil)
    let count = try middle.today.countToday("Coffee")
    #expect(count > 0 && count < Self.many)
    #expect(try middle.today.countToday("Tea") == Self.many - count)
    #expect(try middle.today.countToday("Cake") == 0)
    #expect(middle.history == 1)
    #expect(middle.refusals == [busyRefusal, busyRefusal])
    #expect(try agent.endImport(answer) == [1, 1100, 0, 0])
    #expect(try agent.countToday("Coffee") == Self.many)
    #expect(try agent.countToday("Cake") == 1)
    try agent.settle()
    #expect(try agent.revision() == 2)
    #expect(agent.signals("EventsChanged").map { $0.arguments[0] } == [.uint64(2)])
    let undone = try agent.call(Contract.events, "Undo")
    #expect(undone[0] == .string("import"))
    #expect(try agent.exportedText() == before)
    _ = try agent.call(Contract.events, "Redo")
    #expect(try agent.countToday("Coffee") == Self.many)
  }

  @Test func `a few changes are seen all at once`() throws {
    let agent = try AgentUnderTest()
    let few = ImportRun.leastInParts - 1
    _ = try agent.importedCounts(of: todaysEvents(few, "Tea", sequence: 0))
    let answer = try agent.beginImportOfText(todaysEvents(few, "Coffee", sequence: 1))
    while answer.result == nil {
      let count = try agent.countToday("Coffee")
      #expect([0, few].contains(count))
    }
    #expect(try agent.endImport(answer) == [0, Int64(few), 0, 0])
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
    let answer = try agent.beginImportOfText(todaysEvents(Self.many, "Coffee", sequence: 1))
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
  @Test(
    .longProof,
    arguments: [
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
    let text = todaysEvents(count, "Coffee", sequence: 1, description: description)
    #expect(try agent.endImport(agent.beginImportOfFile(text)) == [0, Int64(count), 0, 0])
    let images = try agent.store().database.integer("SELECT count(*) FROM temp.images")
    #expect(images == Int64(count + waiting))
    #expect(try agent.countToday("Coffee") == count)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText() == before)
  }

  @Test(.longProof)
  func `where the store refuses one, none has changed, and all are told again`() throws {
    let agent = try filled()
    let before = try agent.exportedText()
    try agent.refuseToWrite("u900")
    let answer = try agent.beginImportOfText(todaysEvents(Self.many, "Coffee", sequence: 1))
    var sawSome = false
    while answer.result == nil {
      if try agent.countToday("Coffee") > 0 { sawSome = true }
    }
    #expect(sawSome)
    let error = try #require(throws: DBusError.self) { _ = try answer.values() }
    #expect(error.name.text == CallError.Kind.storageFailed.rawValue)
    // Whoever hears of it finds all as it was.
    #expect(try agent.countToday("Coffee") == 0)
    #expect(try agent.exportedText() == before)
    try agent.settle()
    // Who has asked meanwhile is to ask again.
    #expect(try agent.revision() == 3)
    #expect(agent.signals("EventsChanged").map { $0.arguments[0] } == [.uint64(3)])
    let changes = try agent.call(Contract.calendar, "ChangesSince", [.uint64(1)])
    #expect(changes[1] == .boolean(true))
    #expect((changes[2].asArray ?? []).count > 0)
    try agent.writeAgain()
    #expect(
      try agent.importedCounts(of: todaysEvents(Self.many, "Coffee", sequence: 1)) == [
        0, 1100, 0, 0,
      ])
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
    let answer = try agent.beginImportOfText(todaysEvents(Self.many, "Coffee", sequence: 1))
    let waiting = try agent.beginImportOfText(todaysEvents(3, "Water", sequence: 2))
    #expect(throws: DBusError.self) { try agent.endImport(answer) }
    #expect(try agent.countToday("Coffee") > 0)
    // What would wait for that is told what is wrong, whether it came before or comes now.
    let later = try agent.beginImportOfText(todaysEvents(3, "Water", sequence: 2))
    for refused in [waiting, later] {
      let error = try #require(throws: DBusError.self) { try agent.endImport(refused) }
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
    #expect(
      try agent.importedCounts(of: todaysEvents(Self.many, "Coffee", sequence: 1)) == [
        0, 1100, 0, 0,
      ])
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
    #expect(try agent.importedCounts(of: calendar(series.prefix(150).joined())) == [150, 0, 0, 0])
    let others = (0..<300).map { component("o\($0)", "DTSTART:20261121T100000Z") }
    let text = calendar((series + others + exceptions).joined())
    #expect(try agent.importedCounts(of: text)[0] == 450)
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
    let answer = try agent.beginImportOfText(
      todaysEvents(Self.many, "Tea", sequence: 0)
        + todaysEvents(Self.many, "Tea", sequence: 1, properties: "METHOD:CANCEL\r\n"))
    let database = try agent.store().database
    var (known, longest) = (0, 0)
    try agent.wait(for: "the end of the import") {
      let count = Int((try? database.integer("SELECT count(*) FROM temp.parts")) ?? 0)
      longest = max(longest, count - known)
      known = count
      return answer.result != nil
    }
    #expect(try agent.endImport(answer) == [1100, 0, 0, 0])
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

  @Test(.longProof)
  func
    `what two calendars cancel of a third is cancelled once, where some of it waits in the file`()
    throws
  {
    let agent = try filled()
    for name in ["A", "B"] {
      try agent.createCalendar(name)
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
      todaysEvents(
        changed, "Coffee", sequence: 1,
        description: String(repeating: "With milk. ", count: 4000))
      + cancellations("A", sequence: 1) + cancellations("B", sequence: 2)
    let before = try agent.exportedText()
    #expect(
      try agent.endImport(agent.beginImportOfFile(text)) == [0, Int64(changed + cancelled), 0, 0])
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
    let answer = try agent.beginImportOfText(
      todaysEvents(
        Self.many, "Coffee", sequence: 1,
        component(
          "alarm", "DTSTART:20261122T080500Z", "SUMMARY:Soon", "SEQUENCE:1", "BEGIN:VALARM",
          "ACTION:DISPLAY", "TRIGGER:-PT5M", "END:VALARM")))
    #expect(try agent.endImport(answer) == [0, 1101, 0, 0])
    #expect(try agent.pending().isEmpty)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.pending().count == 1)
  }
}
