import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// A VCALENDAR with an event at 12 h in a zone of its own.
private func file(_ uid: String, _ offset: String, zone id: String = "Customized Time Zone")
  -> String
{
  calendar(
    zoneComponent(id.replacing(",", with: "\\,"), offset),
    component(uid, "DTSTART;TZID=\"\(id)\":20261121T120000", "SUMMARY:\(uid)"))
}

extension AgentUnderTest {
  /// Imports a text: added, updated, skipped, failed.
  fileprivate func counts(of text: String, mode: String = "") throws -> [Int64] {
    try importing(text, mode: mode).counts
  }

  /// When the events of today begin.
  fileprivate func starts() throws -> [String] {
    (try call(Contract.calendar, "Today")[0].asArray ?? []).map {
      "\($0["uid"]?.asString ?? "") \($0["start-text"]?.asString ?? "")"
    }.sorted()
  }
}

private let expected = ["a 2026-11-21T12:00:00+01:00", "b 2026-11-21T12:00:00+05:00"]

@Suite struct `Zones that come with an import` {
  @Test(arguments: [true, false])
  func `two of one name with other rules place their events, together or one by one`(
    isTogether: Bool
  ) throws {
    let agent = try AgentUnderTest()
    let (a, b) = (file("a", "+0100"), file("b", "+0500"))
    if isTogether {
      #expect(try agent.counts(of: a + b) == [2, 0, 0, 0])
    } else {
      #expect(try agent.counts(of: a) == [1, 0, 0, 0])
      #expect(try agent.counts(of: b) == [1, 0, 0, 0])
    }
    #expect(try agent.starts() == expected)
    agent.stop()
    try agent.start()
    #expect(try agent.starts() == expected)
  }

  @Test func `an export comes back as what is there, again and again`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.counts(of: file("a", "+0100"))
    let earlier = try agent.exportedText()
    _ = try agent.counts(of: file("b", "+0500"))
    let first = try agent.exportedText()
    for mode in ["replace", "merge", "replace"] {
      #expect(try agent.counts(of: try agent.exportedText(), mode: mode) == [0, 0, 2, 0])
      #expect(try agent.counts(of: earlier, mode: mode) == [0, 0, 1, 0])
    }
    #expect(try agent.exportedText() == first)
    #expect(first.contains("TZID:Customized Time Zone (2)\r\n"))
  }

  @Test func `names that change places do so at once`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.counts(of: file("a", "+0300"))
    // Both have names here that something else has: the first gets the name that the second had.
    let text = file("b", "+0100") + file("c", "+0500", zone: "Customized Time Zone (2)")
    _ = try agent.counts(of: text)
    #expect(
      try agent.starts() == [
        "a 2026-11-21T12:00:00+03:00", "b 2026-11-21T12:00:00+01:00",
        "c 2026-11-21T12:00:00+05:00",
      ])
  }

  @Test func `one with a comma in its name is exported with its rules`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.counts(of: file("a", "+0100", zone: "Home, sweet home"))
    #expect(try agent.starts() == ["a 2026-11-21T12:00:00+01:00"])
    let text = try agent.exportedText()
    #expect(text.contains("TZID:Home\\, sweet home\r\n"))
    #expect(text.contains("DTSTART;TZID=\"Home, sweet home\":"))
  }
}
