import CivilTime
import Phrases
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
  }

  @Test func `a moment is where the range ends, a day at its beginning`() throws {
    #expect(try span("2026-11-21", "2026-11-23") == "2026-11-20T23:00:00Z 2026-11-22T23:00:00Z")
    #expect(try span("today", "+3d") == "2026-11-20T23:00:00Z 2026-11-23T23:00:00Z")
    #expect(try span("3d ago", "2h ago") == "2026-11-17T23:00:00Z 2026-11-21T07:20:30Z")
    #expect(try span("now", "now") == "2026-11-21T09:20:30Z 2026-11-21T09:20:30Z")
  }

  @Test func `an end before the start is refused`() {
    let error = #expect(throws: PhraseError.self) { try span("tomorrow", "today") }
    #expect(error?.reason == "it lies before the start \"tomorrow\"")
    #expect(error?.text == "today")
  }

  @Test func `a fault in either end is told with its text`() {
    #expect(throws: PhraseError.self) { try span("tomorow", "") }
    let error = #expect(throws: PhraseError.self) { try span("today", "30") }
    #expect(error?.text == "30")
  }

  @Test func `an end past the year 9999 is refused`() {
    #expect(throws: PhraseError.self) { try span("9999-12-31", "") }
  }
}
