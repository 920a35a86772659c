import CalendarBus
import DBus
import TestSupport
import Testing

@Suite struct `A version whose RRULE cannot be read` {
  @Test(arguments: ["", "replace"])
  func `takes no rule of the series that is there`(mode: String) throws {
    let agent = try AgentUnderTest()
    func series(_ rule: String, _ sequence: Int) -> String {
      calendar(
        component(
          "s", "DTSTART:20261201T090000Z", "SUMMARY:Yoga", "RRULE:\(rule)", "SEQUENCE:\(sequence)"))
    }
    _ = try agent.importing(series("FREQ=DAILY;COUNT=3", 0))
    let before = try agent.exportedText()
    let outcome = try agent.importing(series("FREQ=DAILY;BYDAY=XX", 1), mode: mode)
    #expect(outcome.counts == [0, 0, 0, 1])
    #expect(
      outcome.problems.contains { $0["text"]?.asString?.contains("RRULE cannot be read") ?? false })
    #expect(try agent.exportedText() == before)
    // Where nothing is there it is shown once.
    let other = try AgentUnderTest()
    #expect(
      try other.importing(series("FREQ=DAILY;BYDAY=XX", 1), mode: mode).counts == [1, 0, 0, 0])
    #expect(try other.summaries(from: "2026-12-01", to: "2026-12-09") == ["Yoga"])
  }
}
