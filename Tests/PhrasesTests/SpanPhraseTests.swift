import CivilTime
import Messages
import Phrases
import TestSupport
import Testing

@Suite struct `Ranges in phrases` {
  /// Saturday, 21 November 2026, 10:20:30 on a clock an hour ahead of UTC.
  private let context = PhraseContext(
    now: Timestamp(seconds: 1_795_252_830),
    zone: ZoneRules(fixed: UTCOffset(seconds: 3600), name: "Test/OneHourEast"))

  private func span(_ from: String, _ to: String) throws -> String {
    let span = try readSpan(from: from, to: to, context)
    return "\(span.start) \(span.end)"
  }

  @Test func `an empty end is one day after the start`() throws {
    #expect(try span("today", "") == "2026-11-20T23:00:00Z 2026-11-21T23:00:00Z")
    #expect(try span("tomorrow 14:00", " ") == "2026-11-22T13:00:00Z 2026-11-23T13:00:00Z")
    #expect(try span("now", "") == "2026-11-21T09:20:30Z 2026-11-22T09:20:30Z")
  }

  @Test func `a length counts from the start`() throws {
    #expect(try span("tomorrow 14:00", "2h") == "2026-11-22T13:00:00Z 2026-11-22T15:00:00Z")
    #expect(try span("tomorrow", "PT8H") == "2026-11-21T23:00:00Z 2026-11-22T07:00:00Z")
    #expect(try span("2026-11-21", "1w") == "2026-11-20T23:00:00Z 2026-11-27T23:00:00Z")
    #expect(try span("2026-12-10", "+20d") == span("2026-12-10", "20d"))
    #expect(try span("2026-12-10", "+1h 30m") == span("2026-12-10", "1h30m"))
    #expect(try span("2026-11-21", "+3d 14:00") == "2026-11-20T23:00:00Z 2026-11-24T13:00:00Z")
    #expect(try span("2026-11-23", "in 3d") == "2026-11-22T23:00:00Z 2026-11-23T23:00:00Z")
  }

  @Test func `a moment is where the range ends, a day at its beginning`() throws {
    #expect(try span("2026-11-21", "2026-11-23") == "2026-11-20T23:00:00Z 2026-11-22T23:00:00Z")
    #expect(try span("today", "+3d") == "2026-11-20T23:00:00Z 2026-11-23T23:00:00Z")
    #expect(try span("3d ago", "2h ago") == "2026-11-17T23:00:00Z 2026-11-21T07:20:30Z")
    #expect(try span("9:00", "24:00") == "2026-11-21T08:00:00Z 2026-11-21T23:00:00Z")
    #expect(try span("now", "now") == "2026-11-21T09:20:30Z 2026-11-21T09:20:30Z")
  }

  @Test func `an end before the start is refused`() {
    let error = #expect(throws: PhraseError.self) { try span("tomorrow", "today") }
    #expect(error?.reason.english == "the end is before the start \"tomorrow\"")
    #expect(error?.phrase == "today")
  }

  @Test func `a fault in either end is told with its text`() {
    #expect(throws: PhraseError.self) { try span("tomorow", "") }
    let error = #expect(throws: PhraseError.self) { try span("today", "30") }
    #expect(error?.phrase == "30")
  }

  @Test func `an end past the year 9999 is refused`() {
    #expect(throws: PhraseError.self) { try span("9999-12-31", "") }
  }

  @Test func `days keep the time on the clock across a change of it`() throws {
    let berlin = PhraseContext(
      now: try Timestamp(text: "2026-03-28T11:00:00Z"), zone: FixedZones.shared["Europe/Berlin"])
    let day = try readSpan(from: "2026-03-29", to: "", berlin)
    #expect(day.seconds == 23 * 3600)
    let noon = try readSpan(from: "now", to: "1d", berlin)
    #expect(noon.end.description == "2026-03-29T10:00:00Z")
    let exact = try readSpan(from: "now", to: "24h", berlin)
    #expect(exact.end.description == "2026-03-29T11:00:00Z")
    let night = try readSpan(from: "2026-03-28 12:00", to: "1d2h", berlin)
    #expect(night.end.description == "2026-03-29T12:00:00Z")
  }

  // Source: RFC 5545 section 3.3.5.
  @Test func `a time in a gap moves on by the gap, and one that happens twice is the first`()
    throws
  {
    let berlin = PhraseContext(
      now: try Timestamp(text: "2026-03-28T11:00:00Z"), zone: FixedZones.shared["Europe/Berlin"])
    let gap = try readMoment("tomorrow 2:30", berlin)
    #expect(gap == .local(try CivilDateTime(text: "2026-03-29T02:30")))
    #expect(gap.instant(in: berlin.zone).description == "2026-03-29T01:30:00Z")
    let fold = try readMoment("2026-10-25 2:30", berlin)
    #expect(fold.instant(in: berlin.zone).description == "2026-10-25T00:30:00Z")
  }
}
