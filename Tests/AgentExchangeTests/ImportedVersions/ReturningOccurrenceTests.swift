import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// Occurrences that were removed here, and that a newer version of their series has again.
@Suite struct `What was removed of a series that comes in anew` {
  private func series(_ sequence: Int, _ title: String, _ own: String...) -> String {
    component(
      "s", "SEQUENCE:\(sequence)", "LAST-MODIFIED:202611\(sequence + 10)T080000Z",
      "SUMMARY:\(title)", "DTSTART:20261201T090000Z",
      (["RRULE:FREQ=DAILY;COUNT=3"] + own).joined(separator: "\r\n"))
  }

  @Test func `comes back where that has it, and that is told`() throws {
    let agent = try AgentUnderTest()
    func titles() throws -> [String] {
      try agent.summaries(from: "2026-12-01", to: "2026-12-04")
    }
    _ = try agent.importing(calendar(series(1, "Old")))
    for day in ["01", "02"] {
      _ = try agent.call(
        Contract.events, "Remove", ["s", "202612\(day)T090000Z", "this"].map(Value.string))
    }
    #expect(try titles() == ["Old"])
    let newer = calendar(series(9, "New", "EXDATE;TZID=Europe/Berlin:20261201T100000"))
    let outcome = try agent.importTelling(newer)
    #expect(outcome.counts == [0, 1, 0, 0])
    #expect(
      outcome.problems == [
        "0:0 occurrences-back: restored 1 removed occurrence that the newer version has: "
          + "2026-12-02T09:00:00"
      ])
    #expect(try titles() == ["New", "New"])
    #expect(try agent.importing(newer).problems.isEmpty)
  }

  @Test func `comes back with what replaces its series, and that is told`() throws {
    let agent = try AgentUnderTest()
    let file = calendar(series(1, "Old"))
    _ = try agent.importing(file)
    _ = try agent.call(
      Contract.events, "Remove", ["s", "20261202T090000Z", "this"].map(Value.string))
    let outcome = try agent.importTelling(file, mode: "replace")
    #expect(outcome.counts == [0, 1, 0, 0])
    #expect(
      outcome.problems == [
        "0:0 occurrences-back: restored 1 removed occurrence that the file has: "
          + "2026-12-02T09:00:00"
      ])
    #expect(try agent.importTelling(file, mode: "replace").problems.isEmpty)
  }

  @Test func `is not told where its zone is not installed, since nobody knows its days`() throws {
    func series(_ sequence: Int, _ lines: String...) -> String {
      calendar(
        component(
          "s",
          (["SEQUENCE:\(sequence)", "DTSTART;TZID=America/New_York:20261201T090000"] + lines
            + ["RRULE:FREQ=DAILY;COUNT=9"]).joined(separator: "\r\n")))
    }
    let agent = try AgentUnderTest()
    _ = try agent.importing(
      series(
        1, "EXDATE;TZID=America/New_York:20261202T090000,20261203T090000"))
    agent.stop()
    agent.zoneinfo = agent.files.file("zoneinfo")
    for folder in ["zoneinfo", "zoneinfo/Europe"] { try agent.files.makeDirectory(folder) }
    try agent.files.write(FixedZones.octets(of: "Europe/Berlin"), to: "zoneinfo/Europe/Berlin")
    try agent.start()
    let outcome = try agent.importTelling(series(2))
    #expect(outcome.counts == [0, 1, 0, 0])
    #expect(!outcome.problems.contains { $0.contains("occurrences-back") }, "\(outcome.problems)")
  }
}
