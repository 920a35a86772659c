import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// A text that is read by a thread of its own, and the same one that is short enough not to be.
private struct LongText: CustomTestStringConvertible {
  let testDescription: String
  let components: [String]
  /// What the VCALENDAR says of itself, before its components and behind them.
  var head = ""
  var tail = ""

  /// - Parameter isLong: whether an event makes it longer than is read at once.
  func text(isLong: Bool) -> String {
    let filler = component(
      "filler", "DTSTART;VALUE=DATE:20300101",
      isLong ? "DESCRIPTION:" + String(repeating: "long ", count: 14_000) : "DESCRIPTION:short")
    return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(head)\(filler)\(components.joined())\(tail)"
      + "END:VCALENDAR\r\n"
  }
}

private let others = (0..<300).map {
  component("o\($0)", "DTSTART:20270101T100000Z", "SUMMARY:Other \($0)", "RRULE:FREQ=DAILY;COUNT=9")
}

@Suite struct `Long calendars` {
  private func outcome(_ text: String, mode: String, twice: Bool) throws -> [String] {
    let agent = try AgentUnderTest()
    var said: [String] = []
    for _ in 0..<(twice ? 2 : 1) {
      let values = try agent.call(
        Contract.transfer, "ImportText", [.string(text), .string(""), .string(mode)])
      for key in ["added", "updated", "skipped", "failed"] {
        said.append("\(key) \(values[0][key]?.asInteger ?? -1)")
      }
      said += (values[1].asArray ?? []).map { $0["problem"]?.asString ?? "" }
    }
    let all =
      try agent.call(
        Contract.transfer, "ExportText", [.string("ics"), .string(""), .string("")])[0].asString
      ?? ""
    // What is copied has names of chance; and the filler differs.
    let lines = all.split(separator: "\r\n").map(String.init)
    let kept = lines.filter {
      !$0.hasPrefix("UID:") && !$0.contains("long ") && !$0.contains("short")
    }
    return said + (mode == "copy" ? kept.sorted() : kept)
  }

  private static let office = """
    BEGIN:VTIMEZONE\r\nTZID:Office\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r
    TZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530\r\nEND:STANDARD\r\nEND:VTIMEZONE\r

    """

  private static let texts = [
    LongText(testDescription: "many events", components: others),
    LongText(
      testDescription: "an exception far behind its series",
      components: [component("s", "DTSTART;VALUE=DATE:20261121", "RRULE:FREQ=DAILY;COUNT=3")]
        + others + [
          component(
            "s", "RECURRENCE-ID;VALUE=DATE:20261122", "DTSTART;VALUE=DATE:20261122",
            "SUMMARY:Changed")
        ]),
    LongText(
      testDescription: "a zone of its own",
      components: others + [component("z", "DTSTART;TZID=Office:20261121T120000", "SUMMARY:There")]
        + others.prefix(20).map { $0.replacing("UID:o", with: "UID:p") },
      head: office),
    LongText(
      testDescription: "a clock that is named behind its times",
      components: others + [component("f", "DTSTART:20261121T120000", "SUMMARY:Floats")],
      tail: "X-WR-TIMEZONE:America/New_York\r\n"),
    LongText(
      testDescription: "a calendar that there is not",
      components: others, head: "X-DATEBOOK-CALENDAR:club\r\nNAME:Club\r\n"),
    LongText(
      testDescription: "what cannot be read",
      components: others + [component("bad", "SUMMARY:No start")],
      tail: "BEGIN:VEVENT\r\nUID:half\r\n"),
  ]

  @Test(.longProof, arguments: texts, ["", "copy", "replace"])
  fileprivate func `they come to what a short one does`(text: LongText, mode: String) throws {
    let long = text.text(isLong: true)
    #expect(long.utf8.count > CalendarReadingThread.leastOctets)
    let short = text.text(isLong: false)
    #expect(short.utf8.count < CalendarReadingThread.leastOctets)
    let (one, other) = (
      try outcome(long, mode: mode, twice: mode != "copy"),
      try outcome(short, mode: mode, twice: mode != "copy")
    )
    // The filler's DESCRIPTION is folded, so that the rest of it stands in lines of its own.
    #expect(one.filter { !$0.hasPrefix(" ") } == other.filter { !$0.hasPrefix(" ") })
  }

  @Test func `what is no calendar is refused, and nothing is kept`() throws {
    let agent = try AgentUnderTest()
    let text = String(repeating: "no calendar at all\r\n", count: 10_000)
    #expect(throws: (any Error).self) {
      try agent.call(Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])
    }
    #expect(try agent.call(Contract.calendars, "List")[0].asArray?.count == 1)
  }
}
