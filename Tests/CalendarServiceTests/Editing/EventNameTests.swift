import CalendarBus
import CalendarModel
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  /// "Tea" in Personal and "Coffee" in Work, both with the uid "drink".
  fileprivate func addDrinks() throws {
    try createCalendar("Work")
    for (calendar, summary) in [("personal", "Tea"), ("work", "Coffee")] {
      try add(summary, uid: "drink", calendar)
    }
  }

  fileprivate func add(_ summary: String, uid: String, _ calendar: String) throws {
    _ = try call(
      Contract.events, "Add",
      [
        .string(calendar),
        .row([
          ("uid", .string(uid)), ("summary", .string(summary)),
          ("start", .string("2026-11-24 09:00")),
        ]),
      ])
  }

  fileprivate func drinks() throws -> [String] { try summaries(from: "2026-11-24").sorted() }

  /// Calls a method of Events with texts.
  fileprivate func events(_ member: MemberName, _ texts: String...) throws -> [Value] {
    try call(Contract.events, member, texts.map(Value.string))
  }
}

@Suite struct `Events named by calendar and uid` {
  @Test func `the first slash parts them`() {
    #expect(EventName("work/a")?.calendar == CalendarID("work"))
    #expect(EventName("work/a")?.uid == "a")
    #expect(EventName("work/a/b")?.uid == "a/b")
    for text in ["", "a", "/a", "work/", "/"] { #expect(EventName(text) == nil, "\(text)") }
  }

  @Test func `each method that takes a uid takes it`() throws {
    let agent = try AgentUnderTest()
    try agent.addDrinks()
    #expect(try agent.events("Get", "drink", "")[0]["summary"] == .string("Tea"))
    #expect(try agent.events("Get", "work/drink", "")[0]["summary"] == .string("Coffee"))
    let field = ["work/drink", "", "", "summary"].map(Value.string) + [.variant(.string("Mocha"))]
    let answer = try agent.call(Contract.events, "SetField", field)
    #expect(answer[0] == .string("drink"))
    #expect(try agent.drinks() == ["Mocha", "Tea"])
    _ = try agent.call(
      Contract.events, "Update",
      ["work/drink", "", ""].map(Value.string) + [.row([("summary", .string("Latte"))])])
    _ = try agent.events("Reschedule", "work/drink", "", "", "2026-11-25 09:00")
    #expect(try agent.drinks() == ["Tea"])
    #expect(try agent.summaries(from: "2026-11-25") == ["Latte"])
    _ = try agent.events("Remove", "work/drink", "", "")
    #expect(try agent.summaries(from: "2026-11-24", to: "7d") == ["Tea"])
    _ = try agent.events("Remove", "drink", "", "")
    _ = try agent.events("Restore", "work/drink")
    #expect(try agent.summaries(from: "2026-11-24", to: "7d") == ["Latte"])
  }

  @Test func `one call names both, and an event that is named twice is one`() throws {
    let agent = try AgentUnderTest()
    try agent.addDrinks()
    let before = try agent.property("Revision").asInteger ?? 0
    let answer = try agent.call(
      Contract.events, "RemoveMany", [.strings(["work/drink", "personal/drink", "drink"])])
    #expect(answer == [.uint64(UInt64(before + 1))])
    #expect(try agent.drinks() == [])
    _ = try agent.events("Undo")
    #expect(try agent.drinks() == ["Coffee", "Tea"])
  }

  @Test func `Move takes the one that is named`() throws {
    let agent = try AgentUnderTest()
    try agent.addDrinks()
    try agent.createCalendar("Home")
    _ = try agent.call(Contract.events, "Move", [.strings(["work/drink"]), .string("home")])
    #expect(try agent.events("Get", "home/drink", "")[0]["summary"] == .string("Coffee"))
    #expect(try agent.events("Get", "drink", "")[0]["summary"] == .string("Tea"))
    // The other one would be the second of that uid there.
    let error = try agent.refusal(
      Contract.events, "Move", [.strings(["personal/drink"]), .string("home")])
    #expect(error.name.text == CallError.Kind.conflict.rawValue)
  }

  @Test func `a text that begins with a calendar never names an event of another`() throws {
    let agent = try AgentUnderTest()
    try agent.addDrinks()
    let uid = "work/drink"
    try agent.add("Water", uid: uid, "personal")
    #expect(try agent.events("Get", uid, "")[0]["summary"] == .string("Coffee"))
    #expect(try agent.events("Get", "personal/\(uid)", "")[0]["summary"] == .string("Water"))
    _ = try agent.events("Remove", uid, "", "")
    let error = try agent.refusal(Contract.events, "Get", [uid, ""].map(Value.string))
    #expect(try agent.drinks() == ["Tea", "Water"])
    #expect(error.name.text == CallError.Kind.notFound.rawValue)
  }

  @Test func `what is not there is said of the calendar that was named`() throws {
    let agent = try AgentUnderTest()
    try agent.addDrinks()
    func message(_ uid: String) throws -> String {
      try agent.refusal(Contract.events, "Get", [.string(uid), .string("")]).message
    }
    #expect(try message("work/tea") == "uid: the calendar work has no event \"tea\"")
    #expect(try message("attic/tea").contains("attic/tea"))
  }
}
