import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// Reminders that were here, of events that come in a newer version without them.
@Suite struct `Reminders that an import takes away` {
  private func alarm(_ trigger: String, _ lines: String...) -> String {
    (["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER\(trigger)"] + lines + ["END:VALARM"])
      .joined(separator: "\r\n")
  }

  private func event(_ sequence: Int, _ lines: String..., uid: String = "a") -> String {
    component(
      uid, "SEQUENCE:\(sequence)", "SUMMARY:Tea \(uid)", "DTSTART:20261201T090000Z",
      lines.joined(separator: "\r\n"))
  }

  private func told(_ agent: AgentUnderTest, _ text: String, mode: String = "") throws -> [String] {
    let outcome = try agent.importTelling(calendar(text), mode: mode)
    #expect(outcome.counts[1] > 0)
    return outcome.problems.filter { $0.contains("reminders-gone") }
  }

  @Test func `are told, with what was set here`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importing(calendar(event(1)))
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("a"), .string(""), .string("all"), .row([("reminders", .strings(["5m", "1h"]))]),
      ])
    #expect(
      try told(agent, event(9, alarm(":-PT5M"))) == [
        "0:0 reminders-gone: it loses a reminder, since the file has a newer version without it; "
          + "undo reverts the whole import"
      ])
    _ = try agent.call(Contract.events, "Undo")
    #expect(
      try told(agent, event(9)) == [
        "0:0 reminders-gone: it loses 2 reminders, since the file has a newer version without "
          + "them; undo reverts the whole import"
      ])
  }

  @Test func `are told with replace, too, and of many events once`() throws {
    let agent = try AgentUnderTest()
    let uids = (0..<12).map { "e\($0)" }
    _ = try agent.importing(calendar(uids.map { event(1, alarm(":-PT5M"), uid: $0) }.joined()))
    let names = uids.prefix(10).map { "\"Tea \($0)\" (\($0))" }.joined(separator: ", ")
    let others = calendar(uids.map { event(1, uid: $0) }.joined())
    #expect(
      try told(agent, others, mode: "replace") == [
        "0:0 reminders-gone: 12 events lose reminders that the file does not have; undo "
          + "reverts the whole import: \(names) and 2 more"
      ])
    _ = try agent.call(Contract.events, "Undo")
    #expect(
      try told(agent, others).map { $0.prefix(90) } == [
        "0:0 reminders-gone: 12 events lose reminders, since the file has newer versions without them; undo"
          .prefix(90)
      ])
  }

  @Test(arguments: [
    // Names, texts and what was acknowledged are another matter.
    (
      ":-PT15M\r\nUID:x\r\nACKNOWLEDGED:20261101T000000Z", "", ":-PT15M\r\nDESCRIPTION:y", "", false
    ),
    (":-PT15M", "", ";RELATED=END:-PT15M", "", true),
    (";VALUE=DATE-TIME:20261201T080000Z", "", ":-PT1H", "", true),
    // What does not ring any more, or is not to, is no loss.
    (";VALUE=DATE-TIME:20200101T080000Z", "", ":-PT1H", "", false),
    (":-PT15M", "STATUS:CANCELLED", "", "", false), (":-PT15M", "", "", "STATUS:CANCELLED", false),
    (":-PT15M\r\nACKNOWLEDGED:20261201T090000Z", "", ":-PT1H", "", false),
  ])
  func `are those that would have rung`(
    old: String, oldLine: String, new: String, newLine: String, isTold: Bool
  ) throws {
    let agent = try AgentUnderTest()
    func text(_ sequence: Int, _ trigger: String, _ line: String) -> String {
      event(
        sequence,
        ([line, trigger.isEmpty ? "" : alarm(trigger)]).filter { !$0.isEmpty }.joined(
          separator: "\r\n") + "\r\nX-NOTE:\(sequence)")
    }
    _ = try agent.importing(calendar(text(1, old, oldLine)))
    #expect(try told(agent, text(2, new, newLine)).isEmpty == !isTold)
  }

  @Test(arguments: [
    ("STATUS:COMPLETED", false), ("PERCENT-COMPLETE:100", false), ("STATUS:CANCELLED", false),
    ("STATUS:IN-PROCESS", true),
  ])
  func `of a to-do are told as long as that is to be done`(line: String, isTold: Bool) throws {
    let agent = try AgentUnderTest()
    func text(_ sequence: Int, _ line: String) -> String {
      toDo("a", "SEQUENCE:\(sequence)", "SUMMARY:Rent", "DTSTART:20261201T090000Z", line)
    }
    _ = try agent.importing(calendar(text(1, alarm(":-PT15M"))))
    #expect(try told(agent, text(2, line)).isEmpty == !isTold)
  }

  @Test(arguments: ["", manyOthers], [true, false])
  func `of a changed occurrence are told, however it is spelt`(between: String, losesOne: Bool)
    throws
  {
    let agent = try AgentUnderTest()
    func exception(_ sequence: Int, _ name: String, _ lines: String...) -> String {
      component(
        "a", "SEQUENCE:\(sequence)", "RECURRENCE-ID\(name)", "DTSTART:20261202T150000Z",
        lines.joined(separator: "\r\n"))
    }
    let daily = "RRULE:FREQ=DAILY;COUNT=3"
    let utc = ":20261202T090000Z"
    _ = try agent.importing(
      calendar(
        event(1, daily, alarm(":-PT5M")), exception(1, utc, alarm(":-PT5M"), alarm(":-PT9M"))))
    let newer = calendar(
      event(2, daily, alarm(":-PT5M")), between,
      exception(
        2, ";TZID=Europe/Berlin:20261202T100000", losesOne ? "X-NOTE:2" : alarm(":-PT5M"),
        alarm(":-PT9M")))
    let outcome = try agent.importTelling(newer)
    #expect(
      outcome.problems.filter { $0.contains("reminders-gone") }.map { $0.prefix(40) }
        == (losesOne ? ["0:0 reminders-gone: it loses a reminder, since the file".prefix(40)] : []),
      "\(outcome.problems)")
  }

  @Test func `are not told where nothing would have rung, and those that have passed do not count`()
    throws
  {
    let agent = try AgentUnderTest()
    let declined = "ATTENDEE;PARTSTAT=DECLINED:mailto:me@example.org"
    _ = try agent.importing(calendar(event(1, declined, alarm(":-PT5M"))))
    #expect(try told(agent, event(2, declined)).isEmpty)
    _ = try agent.importing(
      calendar(event(3, alarm(";VALUE=DATE-TIME:20261101T090000Z"), alarm(":-PT9M"))))
    #expect(
      try told(agent, event(4)).map { $0.prefix(44) }
        == ["0:0 reminders-gone: it loses a reminder, since the file".prefix(44)])
  }

  @Test func `are not told of a table, which says so itself`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importing(calendar(event(1, alarm(":-PT5M"))))
    let table = "summary,start,uid\nCoffee,2026-12-01 10:00:00,a\n"
    let outcome = try agent.importTelling(table, mode: "replace")
    #expect(outcome.counts == [0, 1, 0, 0])
    #expect(outcome.problems.contains { $0.contains("table-replaces") })
    #expect(!outcome.problems.contains { $0.contains("reminders-gone") })
  }
}
