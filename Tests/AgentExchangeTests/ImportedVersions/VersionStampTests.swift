import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// What tells the versions of an event apart, as it comes by import.
private let stamps = [
  "SEQUENCE:7", "CREATED:20250101T000000Z", "LAST-MODIFIED:20250601T000000Z",
]
/// When the agent's clock says that it is edited.
private let edited = "20261121T080000Z"

extension AgentUnderTest {
  /// "Team", once or each day, with ``stamps``.
  fileprivate func importTeam(_ lines: String..., modified: String = "20250601T000000Z") throws {
    try importComponents(team("Team", lines, modified: modified))
  }

  /// DTSTAMP, CREATED, LAST-MODIFIED and SEQUENCE of each component; "-" where it has none.
  fileprivate func stamps(_ uid: String) throws -> [String] {
    try texts(uid).map { text in
      ["DTSTAMP:", "CREATED:", "LAST-MODIFIED:", "SEQUENCE:"].map { name in
        text.split(separator: "\r\n").first { $0.hasPrefix(name) }
          .map { String($0.dropFirst(name.count)) } ?? "-"
      }.joined(separator: " ")
    }
  }

  fileprivate func importCounts(_ text: String) throws -> Value {
    try call(Contract.transfer, "ImportText", [.string(text), .string(""), .string("")])[0]
  }
}

private func team(
  _ summary: String, _ lines: [String] = [], modified: String = "20250601T000000Z"
) -> String {
  component(
    "team",
    (["DTSTART:20261124T090000Z", "DURATION:PT1H", "SUMMARY:\(summary)"] + stamps.dropLast()
      + ["LAST-MODIFIED:\(modified)"] + lines).joined(separator: "\r\n"))
}

@Suite struct `Versions of events that came by import` {
  // Source: RFC 5545 sections 3.8.7.1 to 3.8.7.4.
  @Test(arguments: [
    ("summary", "Other", 7), ("location", "Room", 7), ("reminders", "15m", 7),
    ("start", "2026-11-24 15:00", 8), ("end", "2h", 8), ("rrule", "FREQ=DAILY;COUNT=3", 8),
    ("status", "cancelled", 8),
  ])
  func `an edit is told by DTSTAMP and LAST-MODIFIED, one of its time by SEQUENCE too`(
    key: String, value: String, sequence: Int
  ) throws {
    let agent = try AgentUnderTest()
    try agent.importTeam()
    #expect(
      try agent.stamps("team") == ["20260101T000000Z 20250101T000000Z 20250601T000000Z 7"])
    try agent.update(
      "team", "", "", (key, key == "reminders" ? .strings([value]) : .string(value)))
    #expect(try agent.stamps("team") == ["\(edited) 20250101T000000Z \(edited) \(sequence)"])
  }

  @Test func `an edit that changes nothing changes none of them`() throws {
    let agent = try AgentUnderTest()
    try agent.importTeam()
    let before = try agent.texts("team")
    try agent.update("team", "", "", ("summary", .string("Team")))
    #expect(try agent.texts("team") == before)
  }

  @Test func `an occurrence that is edited begins at the series, which stays as it was`() throws {
    let agent = try AgentUnderTest()
    try agent.importTeam("RRULE:FREQ=DAILY;COUNT=5")
    let master = try agent.texts("team")[0]
    try agent.update("team", "20261125T090000Z", "this", ("summary", .string("Guest")))
    try agent.reschedule("team", "20261126T090000Z", "this", "2026-11-26 15:00")
    #expect(try agent.texts("team")[0] == master)
    #expect(
      try agent.stamps("team").dropFirst() == [
        "\(edited) 20250101T000000Z \(edited) 7", "\(edited) 20250101T000000Z \(edited) 8",
      ])
  }

  @Test func `an occurrence that came changed goes on from its own`() throws {
    let agent = try AgentUnderTest()
    try agent.importTeam(
      "RRULE:FREQ=DAILY;COUNT=5", "END:VEVENT", "BEGIN:VEVENT", "UID:team",
      "RECURRENCE-ID:20261125T090000Z", "DTSTAMP:20250701T000000Z", "DTSTART:20261125T100000Z",
      "DURATION:PT1H", "SUMMARY:Guest", "SEQUENCE:9")
    try agent.reschedule("team", "20261125T090000Z", "this", "2026-11-25 15:00")
    #expect(
      try agent.stamps("team") == [
        "20260101T000000Z 20250101T000000Z 20250601T000000Z 7", "\(edited) - \(edited) 10",
      ])
  }

  @Test func `what follows a split is a new event, and what goes before is a new version`() throws {
    let agent = try AgentUnderTest()
    try agent.importTeam("RRULE:FREQ=DAILY;COUNT=5")
    let uid = try agent.update(
      "team", "20261126T090000Z", "this-and-future", ("summary", .string("Crew")))
    #expect(try agent.stamps("team") == ["\(edited) 20250101T000000Z \(edited) 8"])
    #expect(try agent.stamps(uid) == ["\(edited) \(edited) \(edited) 0"])
  }

  @Test func `a day that goes is a new version of the series`() throws {
    let agent = try AgentUnderTest()
    try agent.importTeam("RRULE:FREQ=DAILY;COUNT=5")
    _ = try agent.call(
      Contract.events, "Remove", ["team", "20261126T090000Z", "this"].map(Value.string))
    #expect(try agent.stamps("team") == ["\(edited) 20250101T000000Z \(edited) 8"])
  }

  @Test func `an edit of what came from a clock ahead of ours is the newer version`() throws {
    let agent = try AgentUnderTest()
    try agent.importTeam(modified: "20270101T000000Z")
    try agent.update("team", "", "", ("summary", .string("Crew")))
    #expect(
      try agent.stamps("team") == ["20270101T000001Z 20250101T000000Z 20270101T000001Z 7"])
    _ = try agent.importCounts(calendar(team("Team", modified: "20270101T000000Z")))
    #expect(try agent.event("team")["summary"] == .string("Crew"))
  }

  @Test func `so is one of what has a DTSTAMP alone`() throws {
    let agent = try AgentUnderTest()
    let text = calendar(
      """
      BEGIN:VEVENT\r
      UID:team\r
      DTSTAMP:20270101T000000Z\r
      DTSTART:20261124T090000Z\r
      SUMMARY:Team\r
      END:VEVENT\r

      """)
    _ = try agent.importCounts(text)
    try agent.update("team", "", "", ("summary", .string("Crew")))
    _ = try agent.importCounts(text)
    #expect(try agent.event("team")["summary"] == .string("Crew"))
    #expect(try agent.stamps("team")[0].hasPrefix("20270101T000001Z "))
  }

  @Test func `what is taken back has the versions of before`() throws {
    let agent = try AgentUnderTest()
    try agent.importTeam()
    let before = try agent.texts("team")
    try agent.reschedule("team", "", "", "2026-11-24 15:00")
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.texts("team") == before)
  }

  @Test(arguments: ["VTODO", "VJOURNAL", "VFREEBUSY", "X-THING"])
  func `of every kind of component the newer version stays`(kind: String) throws {
    let agent = try AgentUnderTest()
    func text(_ comment: String, _ lines: String...) -> String {
      calendar(
        (["BEGIN:\(kind)", "UID:a", "DTSTAMP:20260101T000000Z", "COMMENT:\(comment)"] + lines
          + ["END:\(kind)\r\n"]).joined(separator: "\r\n"))
    }
    func comment() throws -> String? {
      try agent.texts("a")[0].split(separator: "\r\n").first { $0.hasPrefix("COMMENT") }
        .map(String.init)
    }
    _ = try agent.importCounts(text("first", "SEQUENCE:3", "LAST-MODIFIED:20260101T000000Z"))
    let turns = [
      ("lower", ["SEQUENCE:2", "LAST-MODIFIED:20260201T000000Z"], false),
      ("earlier", ["SEQUENCE:3", "LAST-MODIFIED:20251201T000000Z"], false),
      ("later", ["SEQUENCE:3", "LAST-MODIFIED:20260301T000000Z"], true),
      ("higher", ["SEQUENCE:4", "LAST-MODIFIED:20251201T000000Z"], true),
    ]
    var present = "first"
    for (name, lines, isNewer) in turns {
      _ = try agent.importCounts(text(name, lines[0], lines[1]))
      if isNewer { present = name }
      #expect(try comment() == "COMMENT:\(present)")
      #expect(try agent.texts("a")[0].contains(isNewer ? lines[0] : "SEQUENCE:3"))
    }
  }
}
