import CalendarBus
import DBus
import TestSupport
import Testing

extension AgentUnderTest {
  /// What an import answers: added, updated, skipped, failed; and the words of the problems.
  fileprivate func take(
    _ text: String, mode: String = ""
  ) throws -> (counts: [Int64], problems: [String]) {
    let (counts, problems) = try importing(text, mode: mode)
    return (counts, problems.map { $0["problem"]?.asString ?? "" })
  }
}

/// A calendar that is sent by a METHOD.
private func message(_ method: String, _ components: String...) -> String {
  calendar(components.joined())
    .replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nMETHOD:\(method)\r\n")
}

/// Source: RFC 5546 section 3.2.4.
@Suite struct `A day that is added to a series` {
  private let series = calendar(
    component(
      "s", "SEQUENCE:1", "SUMMARY:Daily", "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=3"))
  private func addition(_ lines: String...) -> String {
    component(
      "s",
      (["SEQUENCE:2", "SUMMARY:More", "DTSTART:20261210T120000Z"] + lines)
        .joined(separator: "\r\n"))
  }

  @Test(arguments: ["merge", "replace"])
  func `it takes nothing of what is there, and is told`(mode: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(series)
    let before = try agent.exportedText()
    let outcome = try agent.take(message("ADD", addition()), mode: mode)
    #expect(outcome.counts == [0, 0, 1, 0])
    #expect(outcome.problems == ["method-ignored", "added-day"])
    #expect(try agent.exportedText() == before)
  }

  @Test func `beside its series in one text it counts for nothing`() throws {
    for isFirst in [true, false] {
      let agent = try AgentUnderTest()
      let added = message("ADD", addition())
      #expect(try agent.take(isFirst ? added + series : series + added).counts == [1, 0, 0, 0])
      #expect(try agent.summaries(from: "2026-12-01", to: "2027-01-01").count == 3, "\(isFirst)")
    }
  }

  @Test func `of a series that is not there it is read as it stands`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.take(message("ADD", addition()))
    #expect(outcome.counts == [1, 0, 0, 0])
    #expect(outcome.problems == ["method-ignored"])
    #expect(try agent.summaries(from: "2026-12-01", to: "2027-01-01") == ["More"])
  }

  @Test func `one with a RECURRENCE-ID is a changed occurrence`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(series)
    let changed = message("ADD", addition("RECURRENCE-ID:20261202T090000Z"))
    #expect(try agent.take(changed).counts == [0, 1, 0, 0])
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2027-01-01") == ["Daily", "Daily", "More"])
  }
}
