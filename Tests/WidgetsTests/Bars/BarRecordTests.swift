import CalendarModel
import CivilTime
import Messages
import Testing
import TestSupport
import Widgets

@Suite struct `The instant at which a bar changes` {
  struct Case: Sendable, CustomTestStringConvertible {
    let zone: String
    let center: String
    let format: String
    let width: Int
    var count = 1
    var skip = 0
    var template: String?
    var countdown: Int64 = 3600
    var testDescription: String { "\(zone) around \(center), \(format), \(width) characters" }
  }

  /// Follows the changes for two days and looks in between, without a thought for
  /// why they come.
  @Test(arguments: [
    Case(zone: "Europe/Berlin", center: "2026-11-21T12:00:00Z", format: "json", width: 60),
    Case(zone: "Europe/Berlin", center: "2026-10-25T01:00:00Z", format: "json", width: 60),
    Case(zone: "America/St_Johns", center: "2006-10-29T02:31:00Z", format: "waybar", width: 60),
    Case(zone: "Pacific/Apia", center: "2011-12-30T10:00:00Z", format: "plain", width: 7),
    Case(
      zone: "Europe/Berlin", center: "2026-11-21T12:00:00Z", format: "json", width: 80, count: 3,
      skip: 1, countdown: 30_000),
    Case(
      zone: "Europe/Berlin", center: "2026-11-21T12:00:00Z", format: "tmux", width: 60,
      template: "{start} {summary}"),
  ])
  func `the record is the same up to then and another one from then on`(_ each: Case) throws {
    let zone = FixedZones.shared[each.zone]
    let center = try Timestamp(text: each.center)
    let format = try #require(BarFormat.named(each.format))
    let settings = BarSettings(
      maximumColumns: each.width, count: each.count, skip: each.skip,
      template: try each.template.map { try BarTemplate($0) }, countdownSeconds: each.countdown,
      lookAheadSeconds: 40_000)
    for seed in 0..<rounds(1, long: 4) {
      let agenda = Agenda.random(seed: 100 + seed, around: center, zone: zone)
      var generator = SeededGenerator(seed: UInt64(seed) + 1)
      let reach = Int64(rounds(25_000, long: 100_000))
      var now = center.adding(seconds: -reach)
      let last = center.adding(seconds: reach)
      let snapshot = try agenda.snapshot(at: now, settings: SnapshotSettings(nextCount: 100))
      func record(_ instant: Timestamp) -> BarRecord {
        BarRecord(
          format, snapshot: snapshot, now: instant, zone: zone, times: TimeText(.english),
          settings: settings)
      }
      while now < last {
        let current = record(now)
        let end = current.changesAt ?? last
        try #require(end > now)
        var instants = stride(from: now.seconds, to: end.seconds, by: 3599).map {
          Timestamp(seconds: $0)
        }
        instants.append(end.adding(seconds: -1))
        instants.append(
          Timestamp(seconds: .random(in: now.seconds..<end.seconds, using: &generator)))
        for instant in instants {
          #expect(
            record(instant).text == current.text, "seed \(seed), from \(now), at \(instant)")
        }
        if current.changesAt != nil {
          #expect(record(end).text != current.text, "seed \(seed), from \(now), at \(end)")
        }
        now = end
      }
    }
  }

  private func standup() throws -> Agenda {
    var agenda = Agenda()
    try agenda.add("Standup", "2026-11-21T09:30", "2026-11-21T09:45")
    return agenda
  }

  @Test func `a countdown steps on the minute before the event`() throws {
    let agenda = try standup()
    let record = try agenda.record(at: "2026-11-21T09:20:17")
    #expect(record.text == "Standup in 10 min")
    #expect(record.changesAt == (try agenda.instant("2026-11-21T09:21:00")))
  }

  @Test func `without the countdown in it the text stays`() throws {
    let agenda = try standup()
    let settings = BarSettings(template: try BarTemplate("{start} {summary}"))
    let record = try agenda.record(at: "2026-11-21T09:20:17", settings: settings)
    #expect(record.text == "09:30 Standup")
    #expect(record.changesAt == (try agenda.instant("2026-11-21T09:45:00")))
  }

  @Test func `every event that is named is counted down`() throws {
    var agenda = try standup()
    try agenda.add("Tea", "2026-11-21T09:50:30", "2026-11-21T10:00:00")
    let record = try agenda.record(at: "2026-11-21T09:20:10", settings: BarSettings(count: 2))
    #expect(record.text == "Standup in 10 min │ Tea in 31 min")
    #expect(record.changesAt == (try agenda.instant("2026-11-21T09:20:30")))
    let later = try agenda.record(at: "2026-11-21T09:20:30", settings: BarSettings(count: 2))
    #expect(later.text == "Standup in 10 min │ Tea in 30 min")
    #expect(later.changesAt == (try agenda.instant("2026-11-21T09:21:00")))
  }

  @Test func `far from any event the bar sleeps until the countdown begins`() throws {
    let agenda = try standup()
    #expect(
      try agenda.record(at: "2026-11-21T01:00").changesAt
        == (try agenda.instant("2026-11-21T06:30")))
  }

  @Test func `when nothing is to come it never changes`() throws {
    #expect(try standup().record(at: "2026-11-21T10:00").changesAt == nil)
    #expect(try Agenda().record(at: "2026-11-21T10:00").changesAt == nil)
  }
}
