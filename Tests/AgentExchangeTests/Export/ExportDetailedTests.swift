import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  /// The answer of Export: the counts, and the problems with their uids.
  fileprivate func exportDetailed(_ format: String) throws -> (
    counts: String, problems: [String], titles: [String]
  ) {
    let values = try call(
      Contract.transfer, "Export",
      [.fileDescriptor(nowhere()), .string(format), .strings([]), .row([])])
    return (
      ["events", "to-dos", "journals", "free-busy", "others"].map {
        "\(values[0][$0]?.asInteger ?? -1)"
      }.joined(separator: " "),
      (values[1].asArray ?? []).map {
        "\($0["uid"]?.asString ?? "-") \($0["problem"]?.asString ?? ""): \($0["text"]?.asString ?? "")"
      },
      (values[1].asArray ?? []).map { $0["summary"]?.asString ?? "" }
    )
  }
}

@Suite struct `Exports that tell more` {
  private func other(_ name: String, _ uid: String, _ line: String) -> String {
    "BEGIN:\(name)\r\nUID:\(uid)\r\nDTSTAMP:20260101T000000Z\r\n\(line)\r\nEND:\(name)\r\n"
  }

  @Test(arguments: ["ics", "json", "csv"])
  func `what is written is counted by its kind`(format: String) throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(
      component("a", "DTSTART:20261121T140000Z", "RRULE:FREQ=DAILY;COUNT=2"),
      component("a", "RECURRENCE-ID:20261122T140000Z", "DTSTART:20261122T150000Z"),
      component("b", "DTSTART:20261121T140000Z"), other("VTODO", "c", "SUMMARY:C"),
      other("VJOURNAL", "d", "SUMMARY:D"))
    let outcome = try agent.exportDetailed(format)
    #expect(outcome.counts == "2 1 1 0 0")
    #expect(outcome.problems.isEmpty)
  }

  @Test(.longProof) func `an event that is too long for an import is written, and told`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(component("b", "DTSTART:20261121T140000Z"))
    var event = Event(
      uid: EventUID("a"), start: .utc(try Timestamp(text: "2026-11-21T14:00:00Z")), summary: "Tea")
    event.description = String(repeating: "With milk. ", count: 800_000)
    let long = EventSeries(calendar: CalendarID("personal"), master: event)
    try agent.store().change(origin: .local, now: agent.clock.now) { change throws(StoreError) in
      try change.put(long)
    }
    let outcome = try agent.exportDetailed("ics")
    #expect(outcome.counts == "2 0 0 0 0")
    #expect(
      outcome.problems == [
        "a too-large: larger than 8 MiB; it is exported, but an import will refuse it"
      ])
    #expect(outcome.titles == ["Tea"])
  }

  @Test func `a table tells of the zones that it cannot hold`() throws {
    let agent = try AgentUnderTest()
    let zone =
      "BEGIN:VTIMEZONE\r\nTZID:My Zone\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
      + "TZOFFSETFROM:+0545\r\nTZOFFSETTO:+0545\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [
        .string(
          calendar(
            zone, component("a", "DTSTART;TZID=My Zone:20261203T100000"),
            component("b", "DTSTART;TZID=My Zone:20261204T100000"),
            component("c", "DTSTART;TZID=My Zone:20261205T100000", "RRULE:FREQ=DAILY;COUNT=2"))),
        .string(""), .string(""),
      ])
    let problems = try agent.exportDetailed("csv").problems
    #expect(problems.count == 2, "\(problems)")
    #expect(
      problems[0].hasPrefix(
        "- zone-in-utc: 2 events are written in UTC, since their zone \"My Zone\" came with a file")
    )
    #expect(problems[1].hasPrefix("c own-zone: repeats in the zone \"My Zone\", which came "))
    #expect(try agent.exportDetailed("ics").problems.isEmpty)
  }

  @Test func `a table tells of the rules that it cannot hold`() throws {
    let agent = try AgentUnderTest()
    try agent.importComponents(
      component(
        "a", "DTSTART:20261203T100000Z", "SUMMARY:Tea", "RRULE:FREQ=DAILY;COUNT=9",
        "EXRULE:FREQ=WEEKLY;BYDAY=SU"),
      component("b", "DTSTART:20261203T100000Z", "EXRULE:FREQ=WEEKLY;BYDAY=SU"))
    try agent.importComponents(
      component("c", "DTSTART:20261203T100000Z", "SUMMARY:Walk", "RRULE:FREQ=DAILY;COUNT=9")
        + component(
          "c", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261205T100000Z", "DTSTART:20261205T150000Z"))
    let (_, problems, titles) = try agent.exportDetailed("csv")
    #expect(problems.count == 2, "\(problems)")
    #expect(titles == ["Tea", "Walk"])
    #expect(problems.last?.hasPrefix("c this-and-future: a table has no column for RANGE") == true)
    #expect(
      problems.first?.hasPrefix("a exclusion-rule: a table has no column for EXRULE: ") == true)
    #expect(try agent.exportDetailed("ics").problems.isEmpty)
  }

  @Test func `values that say nothing are written as they came`() throws {
    let agent = try AgentUnderTest()
    let lines = [
      "PRIORITY:high", "EXDATE:never", "SEQUENCE:-3", "BEGIN:VALARM", "ACTION:DISPLAY",
      "DESCRIPTION:x", "TRIGGER:soon", "END:VALARM",
    ].joined(separator: "\r\n")
    let text = calendar(
      component("a", "DTSTART:20261203T100000Z", "SUMMARY:Tea", lines),
      component("b", "DTSTART;TZID=:20261203T100000", lines),
      component("c", "DTSTART:20261203T100000Z", "PRIORITY:1"))
    _ = try agent.call(
      Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])
    let problems = try agent.exportDetailed("ics").problems
    #expect(problems.count == 1, "\(problems)")
    #expect(
      problems.last?.contains("the zone \"\" came with a file and has no known rules") == true)
    let exported =
      try agent.call(
        Contract.transfer, "ExportText", [.string("ics"), .string(""), .string("a")])[0].asString
      ?? ""
    #expect(exported.contains("\r\n" + lines + "\r\n"), "\(exported)")
  }

  @Test(arguments: ["ics", "csv"])
  func `a zone whose rules nobody knows is told once, and one that is known is not`(
    format: String
  ) throws {
    let agent = try AgentUnderTest()
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [
        .string(
          calendar(
            component("a", "DTSTART;TZID=Mars/Phobos:20261203T100000", "RRULE:FREQ=DAILY;COUNT=2"),
            component(
              "b", "DTSTART;TZID=Mars/Phobos:20261204T100000",
              "DTEND;TZID=W. Europe Standard Time:20261204T110000"),
            component("c", "DTSTART;TZID=Asia/Tokyo:20261205T100000"))),
        .string(""), .string(""),
      ])
    let problems = try agent.exportDetailed(format).problems
    #expect(problems.count == 1, "\(problems)")
    #expect(
      problems.first?.hasPrefix(
        "- zone-without-rules: the zone \"Mars/Phobos\" came with a file and has no known rules")
        == true)
  }
}
