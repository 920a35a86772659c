import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

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

  @Test(arguments: ["", "replace"], [false, true])
  func `far behind one of its occurrences it is counted and told as well`(
    mode: String, isDryRun: Bool
  ) throws {
    let agent = try AgentUnderTest()
    func series(_ rule: String, _ sequence: Int) -> String {
      component(
        "s", "DTSTART:20261201T090000Z", "SUMMARY:Yoga", "RRULE:\(rule)", "SEQUENCE:\(sequence)")
    }
    let moved = component(
      "s", "RECURRENCE-ID:20261202T090000Z", "DTSTART:20261202T150000Z", "SUMMARY:Late yoga")
    _ = try agent.importing(calendar(series("FREQ=DAILY;COUNT=3", 0), manyOthers))
    let path = try agent.files.write(
      calendar(moved, manyOthers, series("FREQ=DAILY;BYDAY=XX", 1)), to: "late.ics")
    let values = try agent.finishImport(
      agent.beginImport(.opening(path), mode: mode, ("dry-run", .boolean(isDryRun))))
    #expect(importCounts(values[0]) == [0, 1, 300, 1])
    let refused = (values[1].asArray ?? []).filter { $0["refused"] == .boolean(true) }
    #expect(refused.map { $0["uid"]?.asString } == ["s"], "\(values[1])")
    #expect(refused.first?["text"]?.asString?.contains("RRULE cannot be read") == true)
    if isDryRun { return }
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2026-12-09") == ["Yoga", "Late yoga", "Yoga"])
  }
}
