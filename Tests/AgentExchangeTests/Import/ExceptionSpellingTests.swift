import CalendarBus
import CalendarModel
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// One instance has many names: a time in its zone, the same in UTC, a day.
@Suite struct `Exceptions that are spelt in different ways` {
  private let series = component(
    "daily", "DTSTART;TZID=Europe/Berlin:20270322T090000", "DURATION:PT1H",
    "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Review", "SEQUENCE:1")

  private func exception(_ id: String, _ summary: String, sequence: Int) -> String {
    component(
      "daily", "RECURRENCE-ID\(id)", "DTSTART;TZID=Europe/Berlin:20270323T140000",
      "DURATION:PT1H", "SUMMARY:\(summary)", "SEQUENCE:\(sequence)")
  }

  private static let spellings = [
    ";TZID=Europe/Berlin:20270323T090000", ":20270323T080000Z", ":20270323T090000",
    ";VALUE=DATE:20270323", ";TZID=Asia/Tokyo:20270323T170000",
  ]

  @Test(arguments: spellings, ["merge", "replace"])
  func `the newer one takes the place of the older`(spelling: String, mode: String) throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(series, exception(Self.spellings[0], "Old", sequence: 2))
    let text = calendar(
      mode == "replace" ? series : "", exception(spelling, "New", sequence: 3))
    _ = try agent.call(
      Contract.transfer, "ImportText", [.string(text), .string(""), .string(mode)])
    #expect(
      try agent.summaries(from: "2027-03-22", to: "3d") == ["Review", "New", "Review"])
    let export =
      try agent.call(
        Contract.transfer, "ExportText", [.string("ics"), .string(""), .string("")])[0].asString
      ?? ""
    #expect(export.split(separator: "RECURRENCE-ID").count == 2)
  }

  @Test(arguments: spellings.dropFirst(), ["merge", "replace"])
  func `one far behind another one of its file takes its place where it is newer, and it is told`(
    spelling: String, mode: String
  ) throws {
    for (sequences, titles) in [((2, 3), ("Early", "Late")), ((3, 2), ("Late", "Early"))] {
      let agent = try AgentUnderTest()
      let text = calendar(
        series, exception(Self.spellings[0], "Early", sequence: sequences.0), manyOthers,
        exception(spelling, "Late", sequence: sequences.1))
      // As what was not there, and as what takes the place of something.
      for isThere in [false, true] {
        if isThere {
          _ = try agent.call(Contract.events, "Undo")
          try agent.importComponents(series)
        }
        let (_, problems) = try agent.importing(text, mode: mode)
        #expect(
          try agent.summaries(from: "2027-03-22", to: "3d") == ["Review", titles.1, "Review"])
        let told = problems.filter {
          ["duplicate-uid", "older"].contains($0["problem"]?.asString)
        }
        #expect(told.count == 1 || isThere && sequences.1 == 3, "\(problems)")
      }
    }
  }

  @Test(arguments: spellings)
  func `of two in a file the newer one counts, and the older never does`(spelling: String) throws {
    let agent = try AgentUnderTest()
    let text = calendar(
      series, exception(spelling, "New", sequence: 3),
      exception(Self.spellings[0], "Old", sequence: 2))
    let answer = try agent.call(
      Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])
    #expect("\(answer)".contains("duplicate-uid"), "\(answer)")
    #expect(
      try agent.summaries(from: "2027-03-22", to: "3d") == ["Review", "New", "Review"])
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(exception(spelling, "Older", sequence: 1))), .string(""), .string("")])
    #expect(
      try agent.summaries(from: "2027-03-22", to: "3d") == ["Review", "New", "Review"])
  }
}
