import CivilTime
import Messages
import TestSupport
import Testing

@testable import Phrases

@Suite struct `Ends of events` {
  /// Saturday, 2026-11-21 06:40 in Berlin.
  private let context = PhraseContext(
    now: Timestamp(seconds: 1_795_239_600), zone: FixedZones.shared["Europe/Berlin"])

  @Test(arguments: [
    ("2026-12-01 14:00", "15:30", "2026-12-01T15:30:00"),
    ("2026-11-20 14:00", "15:00", "2026-11-20T15:00:00"),
    ("2026-12-01 22:00", "1:00", "2026-12-02T01:00:00"),
    ("2026-12-01 14:00", "14:00", "2026-12-02T14:00:00"),
    ("2026-12-01 22:00", "24:00", "2026-12-02T00:00:00"),
    ("2026-12-01 00:00", "24:00", "2026-12-02T00:00:00"),
    ("fri 22:00", "fri 24:00", "2026-11-28T00:00:00"),
    ("2026-12-01 22:00", "2026-12-01 24:00", "2026-12-02T00:00:00"),
    ("fri 22:00", "sat 2:00", "2026-11-28T02:00:00"),
    ("fri 22:00", "fri 23:00", "2026-11-27T23:00:00"),
    ("fri 22:00", "thu 21:00", "2026-12-03T21:00:00"),
    ("2026-12-01 11:00", "+1h", "2026-12-01T12:00:00"),
    ("2026-11-21 11:00", "tomorrow 9:00", "2026-11-22T09:00:00"),
    ("2026-12-01 11:00", "2026-12-03 9:00", "2026-12-03T09:00:00"),
    // Only "+" counts from the start: 06:40 is now.
    ("2026-11-21 11:00", "in 6h", "2026-11-21T12:40:00"),
    ("2026-12-01 11:00", "In 1h", "2026-11-21T07:40:00"),
    ("2026-11-21 11:00", "in 2 days at 9:00", "2026-11-23T09:00:00"),
    ("2026-12-01 11:00", "+2d 9:00", "2026-12-03T09:00:00"),
    // An end that is said in full is not moved behind the start.
    ("2026-12-01 11:00", "2026-11-30 9:00", "2026-11-30T09:00:00"),
  ])
  func `what is left open is counted from the start`(
    start: String, end: String, expected: String
  ) throws {
    let instant = try readMoment(start, context).instant(in: context.zone)
    let moment = try readEnd(end, start: instant, context)
    #expect(context.zone.reading(at: moment.instant(in: context.zone)).description == expected)
  }

  @Test(arguments: ["fri 9:00", "fri 9:30", "friday 00:00"])
  func `the weekday of the start is no week later`(end: String) throws {
    let start = try readMoment("fri 9:30", context).instant(in: context.zone)
    let error = try #require(throws: PhraseError.self) { try readEnd(end, start: start, context) }
    #expect(error.reason.english.hasSuffix("is not after the start 2026-11-27T09:30:00"))
  }

  @Test func `days stay days`() throws {
    let instant = try readMoment("2026-12-01", context).instant(in: context.zone)
    #expect(
      try readEnd("2026-12-03", start: instant, context) == .date(CivilDate(text: "20261203")))
    #expect(try readEnd("+2d", start: instant, context) == .date(CivilDate(text: "20261203")))
  }

  @Test func `text that is no moment is refused`() {
    #expect(throws: PhraseError.self) { try readEnd("later", start: context.now, context) }
  }
}
