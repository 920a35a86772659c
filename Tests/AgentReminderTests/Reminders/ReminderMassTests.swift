import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `Masses of reminders` {
  /// In the order of the letters as in that of the numbers.
  private func title(_ number: Int) -> String { "E\(10_000 + number)" }

  /// So many events that ring in one second.
  private func prepared(_ count: Int) throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM"
    let events = (0..<count).map {
      component(
        "e\($0)", "DTSTART:20261121T100000Z", "DURATION:PT1H", "SUMMARY:\(title($0))", alarm)
    }
    _ = try agent.importing(calendar(events.joined(separator: "\r\n")), mode: "replace")
    return agent
  }

  @Test func `a batch is told in each turn of the loop, and all in the end`() throws {
    let agent = try prepared(250)
    try agent.settle()
    agent.takeSignals()
    let look = try #require(agent.clock.wake)
    var turns = 0
    agent.clock.wake = { reason in
      turns += 1
      look(reason)
    }
    try agent.advance(to: "2026-11-21T09:55:00Z")
    #expect(turns >= 2)
    #expect(
      agent.signals("ReminderDue").map { $0.arguments[2].asString } == (0..<250).map(title))
    #expect(Set(agent.signals("ReminderDue").map { $0.arguments[0].asString }).count == 250)
    #expect(agent.changes(of: "PendingReminders") == [.uint32(250)])
    #expect(agent.signals("SnapshotChanged").count == 1)
  }

  @Test func `those of one instant come by title, whichever was there first`() throws {
    let agent = try AgentUnderTest()
    // So few come in one batch, however slow the machine is.
    for number in (0..<20).reversed() {
      _ = try agent.add(title(number), at: "2026-11-21 10:00", reminders: "5m")
    }
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(agent.signals("ReminderDue").map { $0.arguments[2].asString } == (0..<20).map(title))
    #expect(try agent.pending().map { $0["summary"]?.asString } == (0..<20).map(title))
  }

  @Test func `those that a jump of the clock makes due come by their instants, in all batches`()
    throws
  {
    let agent = try AgentUnderTest()
    let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM"
    // 300 instants, neither in the order in which they are imported nor in that of the titles.
    let events = (0..<300).map { number in
      let second = number * 7 % 300
      let time = 100_000 + second / 60 * 100 + second % 60
      return component(
        "e\(number)", "DTSTART:20261121T\(time)Z", "DURATION:PT1H",
        "SUMMARY:\(title(number * 11 % 300))", alarm)
    }
    _ = try agent.importing(calendar(events.joined(separator: "\r\n")), mode: "replace")
    agent.clock.set(to: try Timestamp(text: "2026-11-21T10:30:00Z"))
    try agent.wait(for: "all of them") { agent.signals("ReminderDue").count >= 300 }
    try agent.settle()
    let first = try Timestamp(text: "2026-11-21T09:55:00Z").seconds
    #expect(
      agent.signals("ReminderDue").map { $0.arguments[4].asInteger }
        == (0..<300).map { first + Int64($0) })
  }

  @Test(.longProof)
  func `Pending has the first five thousand, and the property counts all`() throws {
    let agent = try prepared(5001)
    try agent.advance(to: "2026-11-21T09:55:00Z")
    #expect(try agent.pending().count == 5000)
    #expect(try agent.property("PendingReminders") == .uint32(5001))
    let first = try #require(try agent.pending()[0]["id"])
    _ = try agent.call(Contract.reminders, "Dismiss", [first])
    #expect(try agent.pending().count == 5000)
    #expect(try agent.pending()[0]["id"] != first)
  }

  @Test func `the snapshot shows the first, and counts the others`() throws {
    let agent = try prepared(30)
    try agent.advance(to: "2026-11-21T09:55:00Z")
    let text = try #require(try agent.call(Contract.calendar, "Snapshot")[0].asString)
    #expect(text.contains("\"reminders_more\":10"))
  }
}
