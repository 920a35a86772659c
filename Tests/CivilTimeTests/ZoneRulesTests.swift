import CivilTime
import TestSupport
import Testing

@Suite struct `The rules of a zone` {
  struct Fact: Sendable, CustomTestStringConvertible {
    let zone: String
    let reading: String
    /// One instant; two of a gap (by the offset before, after) or a fold.
    let instants: [String]
    var testDescription: String { "\(zone) \(reading)" }

    init(_ zone: String, _ reading: String, _ instants: String...) {
      (self.zone, self.reading, self.instants) = (zone, reading, instants)
    }
  }

  /// The witness is python's zoneinfo over the same files.
  @Test(arguments: [
    Fact("Europe/Berlin", "2026-07-01T12:00", "2026-07-01T10:00:00Z"),
    Fact("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00Z", "2026-03-29T00:30:00Z"),
    Fact("Europe/Berlin", "2026-03-29T02:00", "2026-03-29T01:00:00Z", "2026-03-29T00:00:00Z"),
    Fact("Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00:00Z"),
    Fact("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"),
    Fact("Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00:00Z"),
    Fact("Europe/Berlin", "9999-07-01T12:00", "9999-07-01T10:00:00Z"),
    Fact("Europe/Berlin", "2400-03-26T02:30", "2400-03-26T01:30:00Z", "2400-03-26T00:30:00Z"),
    Fact("Europe/Dublin", "2026-01-01T12:00", "2026-01-01T12:00:00Z"),
    Fact("Europe/Dublin", "2200-07-01T12:00", "2200-07-01T11:00:00Z"),
    Fact("America/New_York", "2007-11-04T01:30", "2007-11-04T05:30:00Z", "2007-11-04T06:30:00Z"),
    Fact("America/New_York", "2007-03-11T02:30", "2007-03-11T07:30:00Z", "2007-03-11T06:30:00Z"),
    Fact("America/St_Johns", "2026-01-01T12:00", "2026-01-01T15:30:00Z"),
    Fact("Australia/Lord_Howe", "2024-10-06T02:15", "2024-10-05T15:45:00Z", "2024-10-05T15:15:00Z"),
    Fact("Australia/Lord_Howe", "2024-04-07T01:45", "2024-04-06T14:45:00Z", "2024-04-06T15:15:00Z"),
    Fact("Asia/Kathmandu", "2026-01-01T12:00", "2026-01-01T06:15:00Z"),
    Fact("Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00:00Z", "2011-12-29T22:00:00Z"),
    Fact("Pacific/Apia", "2011-12-31T00:00", "2011-12-30T10:00:00Z"),
    Fact("Africa/Casablanca", "2026-03-01T12:00", "2026-03-01T12:00:00Z"),
  ])
  func `a reading stands for its instants`(fact: Fact) throws {
    let zone = FixedZones.shared[fact.zone]
    let instants = try fact.instants.map { try Timestamp(text: $0) }
    let resolution = zone.resolve(try CivilDateTime(text: fact.reading))
    switch resolution {
    case .unique(let instant): #expect([instant] == instants)
    case .gap(let before, let after): #expect([before, after] == instants && before > after)
    case .fold(let first, let second): #expect([first, second] == instants && first < second)
    }
    #expect(resolution.instant == instants[0])
  }

  @Test(arguments: FixedZones.names)
  func `what the clock shows leads back to the instant`(name: String) {
    let zone = FixedZones.shared[name]
    var cursor = ZoneCursor(zone)
    // A prime number of seconds, so that all times of day come.
    for seconds in stride(from: Int64(-4_000_000_000), to: 20_000_000_000, by: 9_999_991) {
      let instant = Timestamp(seconds: seconds)
      let reading = zone.reading(at: instant)
      switch zone.resolve(reading) {
      case .unique(let found): #expect(found == instant)
      case .fold(let first, let second): #expect(first == instant || second == instant)
      case .gap: Issue.record("\(reading) was shown at \(instant), and is in a gap")
      }
      if let quick = cursor.uniqueInstant(ofLinear: reading.linearSeconds) {
        #expect(quick == seconds)
      }
    }
  }

  @Test(arguments: FixedZones.names)
  func `each change is the first instant of another offset`(name: String) throws {
    let zone = FixedZones.shared[name]
    var instant = Timestamp.earliest
    for _ in 0..<600 {
      guard let next = zone.nextChange(after: instant) else { return }
      #expect(next > instant)
      #expect(zone.offset(at: next.adding(seconds: -1)) == zone.offset(at: instant))
      #expect(zone.offset(at: next) != zone.offset(at: instant))
      instant = next
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z"),
    ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"),
    ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"),
    ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"),
    ("America/Havana", "2024-11-03", "2024-11-03T04:00:00Z"),
    ("UTC", "9999-12-31", "9999-12-31T00:00:00Z"),
  ])
  func `a day begins at the first instant that shows it`(
    zone: String, day: String, instant: String
  ) throws {
    let start = FixedZones.shared[zone].startOfDay(try CivilDate(text: day))
    #expect(start.description == instant)
  }

  /// The clock goes from 23:30 to 00:30: the day has no midnight.
  @Test func `a day whose midnight is in a gap begins at its end`() throws {
    let zone = try ZoneRules(name: "Test/Gap", posix: "AAA0BBB,M3.5.0/23:30,M10.5.0/3")
    let start = zone.startOfDay(try CivilDate(text: "2026-03-30"))
    #expect(start.description == "2026-03-29T23:30:00Z")
    #expect(zone.reading(at: start).description == "2026-03-30T00:30:00")
  }

  @Test func `changes less than a day apart are kept apart`() throws {
    let changes: [(Int64, Int32)] = [(100_000, 3600), (103_600, 0), (107_200, 7200)]
    let zone = try ZoneRules(
      name: "Test/Close", initial: .utc,
      changes: changes.map { (Timestamp(seconds: $0.0), UTCOffset(seconds: $0.1)) }, then: nil)
    let fold = try #require(CivilDateTime(linearSeconds: 104_000))
    #expect(
      zone.resolve(fold)
        == .fold(first: Timestamp(seconds: 100_400), second: Timestamp(seconds: 104_000)))
    let gap = try #require(CivilDateTime(linearSeconds: 110_000))
    #expect(
      zone.resolve(gap)
        == .gap(before: Timestamp(seconds: 110_000), after: Timestamp(seconds: 102_800)))
  }

  @Test func `changes out of order are refused`() {
    #expect(throws: CivilTimeError.self) {
      try ZoneRules(
        name: "Test/Order", initial: .utc,
        changes: [(Timestamp(seconds: 9), UTCOffset(seconds: 1)), (Timestamp(seconds: 9), .utc)],
        then: nil)
    }
  }

  @Test func `the ends of time have readings`() {
    for name in FixedZones.names {
      let zone = FixedZones.shared[name]
      for instant in [Int64.min, .max] { _ = zone.reading(at: Timestamp(seconds: instant)) }
      _ = zone.resolve(CivilDateTime(.earliest, .midnight))
      _ = zone.resolve(CivilDateTime(.latest, .midnight))
      #expect(zone.nextChange(after: Timestamp(seconds: .max)) == nil)
    }
  }
}
