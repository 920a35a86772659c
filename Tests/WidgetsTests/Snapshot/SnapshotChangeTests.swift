import CalendarModel
import CivilTime
import TestSupport
import Testing
import Widgets

@Suite struct `The instant at which a snapshot changes` {
  struct Place: Sendable, CustomTestStringConvertible {
    let zone: String
    let center: String
    var testDescription: String { "\(zone) around \(center)" }
  }

  static let places = [
    Place(zone: "Europe/Berlin", center: "2026-11-21T12:00:00Z"),
    Place(zone: "Europe/Berlin", center: "2026-10-25T01:00:00Z"),
    Place(zone: "Europe/Berlin", center: "2026-03-29T01:00:00Z"),
    // Midnight happens twice, or not at all, or a day is skipped.
    Place(zone: "America/St_Johns", center: "2006-10-29T02:31:00Z"),
    Place(zone: "America/Havana", center: "2026-11-01T05:00:00Z"),
    Place(zone: "America/Sao_Paulo", center: "2018-11-04T03:00:00Z"),
    Place(zone: "Pacific/Apia", center: "2011-12-30T10:00:00Z"),
  ]

  /// Builds at many instants and compares, without a thought for why.
  @Test(arguments: places)
  func `the content is the same up to next_change and another one from it on`(
    _ place: Place
  ) throws {
    let zone = FixedZones.shared[place.zone]
    let center = try Timestamp(text: place.center)
    let settings = SnapshotSettings(daysBefore: 1, daysAfter: 1)
    for seed in 0..<rounds(1, long: 6) {
      let agenda = Agenda.random(seed: seed, around: center, zone: zone)
      var generator = SeededGenerator(seed: UInt64(seed) + 1)
      var now = center.adding(seconds: Int64.random(in: -90_000...0, using: &generator))
      func content(_ instant: Timestamp) throws -> SnapshotV1 {
        var snapshot = try agenda.snapshot(at: instant, settings: settings)
        snapshot.nextChange = .earliest
        return snapshot
      }
      for _ in 0..<12 {
        let next = try agenda.snapshot(at: now, settings: settings).nextChange
        try #require(next > now)
        let first = try content(now)
        var instants = stride(from: now.seconds, to: next.seconds, by: 1800).map {
          Timestamp(seconds: $0)
        }
        instants.append(next.adding(seconds: -1))
        instants.append(
          Timestamp(seconds: .random(in: now.seconds..<next.seconds, using: &generator)))
        for instant in instants {
          #expect(try content(instant) == first, "seed \(seed), from \(now), at \(instant)")
        }
        #expect(try content(next) != first, "seed \(seed), from \(now), at \(next)")
        now = next
      }
    }
  }

  @Test func `an empty calendar changes at midnight`() throws {
    let agenda = Agenda()
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    #expect(snapshot.nextChange == (try agenda.instant("2026-11-22T00:00")))
  }

  @Test func `the same content has the same octets at any instant of it`() throws {
    let agenda = Agenda()
    #expect(
      try agenda.snapshot(at: "2026-11-21T09:30").json
        == agenda.snapshot(at: "2026-11-21T17:42:11").json)
  }
}
