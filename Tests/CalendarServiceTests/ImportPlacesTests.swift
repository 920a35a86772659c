import CalendarBus
import DBus
import TestSupport
import Testing

@testable import CalendarService

/// What an import answered: added, updated, skipped, failed; and the words of the problems.
private struct Outcome: Equatable {
  let counts: [Int64]
  let problems: [String]
}

extension AgentUnderTest {
  fileprivate func take(
    _ text: String, into calendar: String = "", mode: String = ""
  ) throws -> Outcome {
    let values = try call(
      Contract.transfer, "ImportText", [.string(text), .string(calendar), .string(mode)])
    return Outcome(
      counts: ["added", "updated", "skipped", "failed"].map { values[0][$0]?.asInteger ?? -1 },
      problems: (values[1].asArray ?? []).map { $0["problem"]?.asString ?? "" })
  }

  fileprivate func give(_ calendar: String = "") throws -> String {
    try call(Contract.transfer, "ExportText", [.string("ics"), .string(calendar), .string("")])[0]
      .asString ?? ""
  }

  /// The calendars in order, each with the number of its events.
  fileprivate func calendars() throws -> [String] {
    (try call(Contract.calendars, "List")[0].asArray ?? []).map {
      "\($0["id"]?.asString ?? "") \($0["events"]?.asInteger ?? -1)"
    }
  }

  fileprivate func make(_ name: String) throws {
    _ = try call(Contract.calendars, "Create", [.string(name), .string(""), .string("")])
  }

  fileprivate func set(_ calendar: String, _ key: String, _ value: Value) throws {
    _ = try call(Contract.calendars, "Update", [.string(calendar), .row([(key, value)])])
  }
}

private func day(_ uid: String, _ lines: String...) -> String {
  component(uid, "DTSTART;VALUE=DATE:20261121", lines.joined(separator: "\r\n"))
}

extension String {
  /// With a line that the VCALENDAR says of itself.
  fileprivate func headed(_ line: String) -> String {
    replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\n\(line)\r\n")
  }
}

@Suite struct `A calendar that an import makes` {
  @Test func `it gets no second copy of what the only other one has`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(day("a", "SUMMARY:Day"), day("b", "SUMMARY:Day")))
    let text = calendar(day("a", "SUMMARY:Newer"), day("c", "SUMMARY:Day"))
      .headed("X-DATEBOOK-CALENDAR:work\r\nX-WR-CALNAME:Work")
    #expect(
      try agent.take(text)
        == Outcome(counts: [1, 1, 0, 0], problems: ["new-calendar", "in-other-calendar"]))
    #expect(try agent.calendars() == ["personal 2", "work 1"])
    #expect(try agent.give("personal").contains("SUMMARY:Newer"))
  }
}
