import CivilTime
import Messages
import Testing

@Suite struct `A POSIX zone rule` {
  struct Fact: Sendable, CustomTestStringConvertible {
    let rule: String
    let instant: String
    let offset: Int32
    var testDescription: String { "\(rule) at \(instant)" }

    init(_ rule: String, _ instant: String, _ offset: Int32) {
      (self.rule, self.instant, self.offset) = (rule, instant, offset)
    }
  }

  @Test(arguments: [
    Fact("UTC0", "2026-01-01T00:00:00Z", 0),
    Fact("<-03>3", "2026-01-01T00:00:00Z", -10_800),
    Fact("<+0545>-5:45", "2026-01-01T00:00:00Z", 20_700),
    Fact("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 3600),
    Fact("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 7200),
    Fact("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:59Z", 7200),
    Fact("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 3600),
    Fact("CET-1CEST,M3.5.0,M10.5.0/3", "1850-07-01T00:00:00Z", 7200),
    Fact("CET-1CEST,M3.5.0,M10.5.0/3", "9999-07-01T00:00:00Z", 7200),
    // The south: summer is round New Year.
    Fact("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", 39_600),
    Fact("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-07-01T00:00:00Z", 36_000),
    // Dublin: the exception is winter, and lies behind.
    Fact("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", 0),
    Fact("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", 3600),
    // Nuuk, with a time before the day begins.
    Fact("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7200),
    Fact("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3600),
    // Gaza, with a time days later: Saturday 02:00 counted from Thursday.
    Fact("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-27T23:59:59Z", 7200),
    Fact("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28T00:00:00Z", 10_800),
    // Days of the year: 60 is 1 March in every year for J, 29 February else.
    Fact("AAA0BBB,J60/0,J300/0", "2028-02-29T12:00:00Z", 0),
    Fact("AAA0BBB,J60/0,J300/0", "2028-03-01T00:00:00Z", 3600),
    Fact("AAA0BBB,59/0,300/0", "2028-02-29T00:00:00Z", 3600),
    // Daylight time all year.
    Fact("EST5EDT,0/0,J365/25", "2026-01-01T04:59:59Z", -14_400),
    Fact("EST5EDT,0/0,J365/25", "2026-07-01T00:00:00Z", -14_400),
  ])
  func `it gives the offset at every instant`(fact: Fact) throws {
    let zone = try ZoneRules(name: "Test/Posix", posix: fact.rule)
    #expect(zone.offset(at: try Timestamp(text: fact.instant)).seconds == fact.offset)
  }

  @Test(arguments: [
    "", "CET", "C-1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
    "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-25", "<+03-3", "CET-1 ",
    "CET-1CEST,J0,J365", "CET-1CEST,J366,J365", "CET-1CEST,366,1", "CET-1CEST,M3.5.0/168,M10.5.0",
    "CET-1CEST,M3.5.0,M10.5.0/3,", "CET-1:60", "12345", "CET-99999999999999999999",
  ])
  func `other text is refused with the place`(text: String) {
    let error = #expect(throws: CivilTimeError.self) {
      try ZoneRules(name: "Test/Posix", posix: text)
    }
    guard case .badZoneData("Test/Posix", let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.english.contains("at byte"))
  }

  // Found by the fuzzer: the end of one year's daylight time lies after the
  // beginning of the next year's.
  @Test func `changes that reach into the next year keep their order`() throws {
    let zone = try ZoneRules(name: "Test/Overlap", posix: "EET-2EEST,J8/-167,365/16")
    var instant = Timestamp(seconds: 1_600_000_000)
    for _ in 0..<20 {
      let change = try #require(zone.nextChange(after: instant))
      #expect(change > instant)
      #expect(zone.instant(of: zone.reading(at: change)) <= change)
      #expect(zone.span(at: change).start <= change.seconds)
      instant = change
    }
  }
}
