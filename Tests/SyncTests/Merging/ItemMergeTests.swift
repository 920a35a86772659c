import ICalendar
import Testing

@testable import Sync

@Suite struct `A merge of an item` {
  @Test func `has what either side changed`() throws {
    let merged = try merge(
      event("a", "LOCATION:x", "CLASS:PUBLIC"), event("b", "LOCATION:x"),
      event("a", "LOCATION:y", "CLASS:PUBLIC", "URL:z"))
    #expect(try merged.says(event("b", "LOCATION:y", "URL:z")))
    #expect(merged.conflicts == [])
  }

  struct Dated: CustomTestStringConvertible {
    let local, remote: String
    let winner: MergeSide
    var testDescription: String { "\(local) \(remote)" }
  }

  @Test(arguments: [
    Dated(
      local: "LAST-MODIFIED:20261127T100001Z", remote: "LAST-MODIFIED:20261127T100000Z",
      winner: .local),
    Dated(
      local: "LAST-MODIFIED:20261127T100000Z", remote: "LAST-MODIFIED:20261127T100001Z",
      winner: .remote),
    Dated(
      local: "LAST-MODIFIED:20261127T100000Z", remote: "LAST-MODIFIED:20261127T100000Z",
      winner: .remote),
    Dated(local: "LAST-MODIFIED:20261127T100000Z", remote: "CLASS:PUBLIC", winner: .remote),
    Dated(local: "CLASS:PUBLIC", remote: "CLASS:PUBLIC", winner: .remote),
    Dated(
      local: "LAST-MODIFIED:yesterday", remote: "LAST-MODIFIED:19700101T000000Z", winner: .remote),
  ])
  func `has the later edit of what both changed, and the rest of both`(dated: Dated) throws {
    let merged = try merge(
      event("a", "LOCATION:x"), event("b", "LOCATION:y", dated.local),
      event("c", "LOCATION:x", "URL:z", dated.remote))
    #expect(merged.conflicts == ["SUMMARY"])
    #expect(merged.winner == dated.winner)
    #expect(merged.lines.contains(dated.winner == .local ? "SUMMARY:b" : "SUMMARY:c"))
    #expect(merged.lines.contains("LOCATION:y"))
    #expect(merged.lines.contains("URL:z"))
  }

  @Test func `has the same change of both without a conflict`() throws {
    let merged = try merge(
      event("a"), event("b", "DESCRIPTION:1\\, 2"), event("b", "DESCRIPTION:1, 2"))
    #expect(merged.conflicts == [])
    #expect(try merged.says(event("b", "DESCRIPTION:1\\, 2")))
  }

  @Test func `takes start and end together from one side`() throws {
    let base = calendar(["DTSTART:20261127T090000Z", "DTEND:20261127T100000Z"])
    let merged = try merge(
      base, calendar(["DTSTART:20261127T093000Z", "DTEND:20261127T100000Z"]),
      calendar(["DTSTART:20261127T090000Z", "DTEND:20261127T110000Z"]))
    #expect(merged.conflicts == ["DTSTART"])
    #expect(try merged.says(calendar(["DTSTART:20261127T090000Z", "DTEND:20261127T110000Z"])))
  }

  @Test func `has the excluded dates of both sides`() throws {
    let merged = try merge(
      event("a", "RRULE:FREQ=DAILY", "EXDATE:20261201T090000Z"),
      event("a", "RRULE:FREQ=DAILY", "EXDATE:20261201T090000Z,20261202T090000Z"),
      event("a", "RRULE:FREQ=DAILY", "EXDATE:20261203T090000Z"))
    #expect(merged.conflicts == [])
    #expect(
      try merged.says(
        event("a", "RRULE:FREQ=DAILY", "EXDATE:20261203T090000Z", "EXDATE:20261202T090000Z")))
  }

  @Test func `does not combine a moved series with a date excluded from the old one`() throws {
    let merged = try merge(
      calendar(["DTSTART:20261127T090000Z", "RRULE:FREQ=DAILY"]),
      calendar(["DTSTART:20261127T090000Z", "RRULE:FREQ=DAILY", "EXDATE:20261128T090000Z"]),
      calendar(["DTSTART:20261127T110000Z", "RRULE:FREQ=DAILY"]))
    #expect(merged.conflicts == ["DTSTART"])
    #expect(try merged.says(calendar(["DTSTART:20261127T110000Z", "RRULE:FREQ=DAILY"])))
  }

  @Test func `has each category and each comment of both sides`() throws {
    let merged = try merge(
      event("a", "CATEGORIES:A,B", "COMMENT:1"),
      event("a", "CATEGORIES:B,C", "COMMENT:1", "COMMENT:2"),
      event("a", "CATEGORIES:A,B,D", "COMMENT:3"))
    #expect(merged.conflicts == [])
    #expect(try merged.says(event("a", "CATEGORIES:B,D,C", "COMMENT:3", "COMMENT:2")))
  }

  @Test func `takes an unknown property that is there once from one side, and several as a set`()
    throws
  {
    let once = try merge(event("a", "X-P:1"), event("a", "X-P:2"), event("a", "X-P:3"))
    #expect(once.conflicts == ["X-P"])
    #expect(try once.says(event("a", "X-P:3")))
    let several = try merge(
      event("a", "X-P:1"), event("a", "X-P:1", "X-P:2"), event("a", "X-P:1", "X-P:3"))
    #expect(several.conflicts == [])
    #expect(try several.says(event("a", "X-P:1", "X-P:2", "X-P:3")))
  }

  @Test func `takes from the server what only servers write`() throws {
    let merged = try merge(
      event("a", "X-A-ETAG:1"), event("a", "X-A-ETAG:2"), event("a", "X-A-ETAG:3"))
    #expect(merged.conflicts == [])
    #expect(try merged.says(event("a", "X-A-ETAG:3")))
  }

  @Test func `has the answer of a guest from the server, and the guests of both`() throws {
    let merged = try merge(
      event("a", "ATTENDEE;PARTSTAT=NEEDS-ACTION;CN=B:mailto:b@x", "ATTENDEE:mailto:c@x"),
      event(
        "a", "ATTENDEE;PARTSTAT=DECLINED;CN=Bob:mailto:b@x", "ATTENDEE:mailto:c@x",
        "ATTENDEE:mailto:d@x"),
      event(
        "a", "ATTENDEE;PARTSTAT=ACCEPTED;CN=B;SCHEDULE-STATUS=2.0:MAILTO:b@x", "ATTENDEE:mailto:e@x"
      ))
    #expect(merged.conflicts == [])
    #expect(
      try merged.says(
        event(
          "a", "ATTENDEE;PARTSTAT=ACCEPTED;CN=Bob;SCHEDULE-STATUS=2.0:mailto:b@x",
          "ATTENDEE:mailto:e@x", "ATTENDEE:mailto:d@x")))
  }

  @Test func `has our answer where the server has none`() throws {
    let merged = try merge(
      event("a", "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:b@x"),
      event("a", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:b@x"),
      event("a", "ATTENDEE;PARTSTAT=NEEDS-ACTION;X-NEW=1:mailto:b@x"))
    #expect(try merged.says(event("a", "ATTENDEE;PARTSTAT=ACCEPTED;X-NEW=1:mailto:b@x")))
  }

  @Test func `has the higher SEQUENCE and the later times`() throws {
    let merged = try merge(
      event("a", "SEQUENCE:8", "LAST-MODIFIED:20261101T000000Z"),
      event("b", "SEQUENCE:10", "LAST-MODIFIED:20261102T000000Z"),
      event("a", "URL:z", "SEQUENCE:9", "LAST-MODIFIED:20261103T000000Z"))
    #expect(merged.conflicts == [])
    #expect(
      try merged.says(event("b", "URL:z", "SEQUENCE:10", "LAST-MODIFIED:20261103T000000Z")))
  }

  @Test func `has what both created, where there is no base`() throws {
    let merged = try merge(nil, event("a", "LOCATION:x"), event("b", "URL:z"))
    #expect(merged.conflicts == ["SUMMARY"])
    #expect(try merged.says(event("b", "LOCATION:x", "URL:z")))
  }

  @Test func `has the time zones of the server, and those that our times need`() throws {
    let merged = try merge(
      calendar(["DTSTART;TZID=A:20261127T090000"], zones: ["A"]),
      calendar(["DTSTART;TZID=B:20261127T090000"], zones: ["B", "C", "A"]),
      calendar(["DTSTART;TZID=A:20261127T090000", "SUMMARY:x"], zones: ["A"]))
    #expect(merged.item.zones.compactMap { $0.first("TZID")?.value } == ["A", "B"])
    #expect(merged.item.text.contains("TZID=B"))
  }
}
