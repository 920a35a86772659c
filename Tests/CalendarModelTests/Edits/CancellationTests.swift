import CalendarModel
import CivilTime
import TestSupport
import Testing

extension EventSeries {
  /// The days of March 2026 on which something of the series is cancelled, and the hour of each.
  fileprivate func cancelledDays() throws -> [String] {
    try occurrences(
      in: TimeSpan(
        start: Timestamp(text: "20260301T000000Z"), end: Timestamp(text: "20260401T000000Z")),
      context: .fixed("Europe/Berlin")
    ).filter { $0.event.status == .cancelled }.map { "\($0.start.date.day) \($0.start.time.hour)" }
  }

  fileprivate func cancelled(
    _ id: String, future: Bool = false, sequence: Int = 0, time: String? = nil, always: Bool = false
  ) throws -> Outcome {
    var cancelling = SeriesCancelling(self, always: always, context: .fixed("Europe/Berlin"))
    let effect = try cancelling.take(
      Cancellation(
        uid: uid, recurrenceID: id.isEmpty ? nil : try EventTime(id), appliesToFuture: future,
        sequence: sequence, time: try time.map { try Timestamp(text: $0) }))
    return Outcome(effect: effect, after: cancelling.series)
  }
}

/// What came of a cancellation.
private struct Outcome {
  let effect: Cancellation.Effect
  let after: EventSeries

  /// nil where nothing was cancelled.
  var series: EventSeries? { effect == .cancelled ? after : nil }

  var word: String {
    switch effect {
    case .cancelled: "cancelled"
    case .none: "none"
    case .older: "older"
    case .noOccurrence: "no occurrence"
    }
  }
}

/// Counts how often anybody asks for a zone.
private final class CountingZones: Zones {
  private(set) var count = 0

  func rules(named name: String) throws(CivilTimeError) -> ZoneRules {
    count += 1
    return try FixedZones.shared.rules(named: name)
  }
}

@Suite struct `What a cancellation cancels` {
  private let daily = "FREQ=DAILY;COUNT=6"
  private let first = "20260310T090000 Europe/Berlin"
  private let third = "20260312T090000 Europe/Berlin"

  private func series(_ overrides: Event...) throws -> EventSeries {
    EventSeries(try Event(first, "PT1H", rule: daily), overrides: overrides)
  }

  @Test(arguments: [
    ("", false, ["10 9", "11 9", "12 15", "13 9", "14 9", "15 9"]),
    ("20260311T090000 Europe/Berlin", false, ["11 9"]), ("20260311T080000Z", false, ["11 9"]),
    ("20260312T090000 Europe/Berlin", false, ["12 15"]),
    ("20260311T090000 Europe/Berlin", true, ["11 9", "12 15", "13 9", "14 9", "15 9"]),
    ("20260312T090000 Europe/Berlin", true, ["12 15", "13 9", "14 9", "15 9"]),
    ("20260315T090000 Europe/Berlin", true, ["15 9"]),
  ])
  func `it is all, one, or one and those behind it, and each stays where it was`(
    id: String, future: Bool, days: [String]
  ) throws {
    let before = try series(try Event("20260312T150000 Europe/Berlin", "PT1H", instead: third))
    let after = try #require(try before.cancelled(id, future: future).series)
    #expect(try after.cancelledDays() == days)
    #expect(try after.drawn() == before.drawn())
    // The same once more comes to nothing.
    #expect(try after.cancelled(id, future: future).word == "none")
  }

  @Test func `what follows an exception for all that follow keeps its times`() throws {
    var range = try Event("20260312T150000 Europe/Berlin", "PT1H", instead: third)
    range.appliesToFuture = true
    let before = try series(range)
    let after = try #require(try before.cancelled(third).series)
    #expect(try after.cancelledDays() == ["12 15"])
    #expect(try after.drawn() == before.drawn())
    let later = try #require(
      try before.cancelled("20260314T090000 Europe/Berlin", future: true).series)
    #expect(try later.cancelledDays() == ["14 15", "15 15"])
    #expect(try later.drawn() == before.drawn())
  }

  @Test(arguments: [
    ("20260320T090000 Europe/Berlin", false), ("20260312T100000 Europe/Berlin", false),
    ("20260320T090000 Europe/Berlin", true),
  ])
  func `an occurrence that the series does not have is none`(id: String, future: Bool) throws {
    #expect(try series().cancelled(id, future: future).word == "no occurrence")
    let single = EventSeries(try Event(first, "PT1H"))
    #expect(try single.cancelled(id, future: future).word == "no occurrence")
  }

  @Test(arguments: [
    (2, "20260301T000000Z", "older"), (3, "20260301T000000Z", "older"),
    (3, "20260303T000000Z", "cancelled"), (4, "20260301T000000Z", "cancelled"),
    (3, nil, "older"), (4, nil, "cancelled"),
  ])
  func `a version that is later stays, but where all are to go`(
    sequence: Int, time: String?, word: String
  ) throws {
    var event = try Event(first, "PT1H")
    (event.sequence, event.lastModified) = (3, try Timestamp(text: "20260302T000000Z"))
    let series = EventSeries(event)
    #expect(try series.cancelled("", sequence: sequence, time: time).word == word)
    let forced = try series.cancelled("", sequence: sequence, time: time, always: true)
    #expect(forced.series?.master?.status == .cancelled)
    #expect(forced.series?.master?.sequence == max(3, sequence))
  }

  @Test func `an occurrence goes by the SEQUENCE of its exception, else of its series`() throws {
    var event = try Event(first, "PT1H", rule: daily)
    (event.sequence, event.lastModified) = (3, try Timestamp(text: "20260302T000000Z"))
    var exception = try Event("20260312T150000 Europe/Berlin", "PT1H", instead: third)
    exception.sequence = 5
    let series = EventSeries(event, overrides: [exception])
    let second = "20260311T090000 Europe/Berlin"
    #expect(try series.cancelled(second, sequence: 2).word == "older")
    let changed = try #require(
      try series.cancelled(second, sequence: 3, time: "20260301T000000Z").series)
    #expect(changed.overrides.map(\.sequence) == [5, 3])
    #expect(try series.cancelled(third, sequence: 4).word == "older")
    #expect(try series.cancelled(third, sequence: 5).word == "cancelled")
    // Of the whole series, too, what is later stays.
    let whole = try #require(try series.cancelled("", sequence: 4).series)
    #expect(try whole.cancelledDays() == ["10 9", "11 9", "13 9", "14 9", "15 9"])
  }

  @Test func `of single occurrences without their series each is cancelled by its name`() throws {
    let lone = EventSeries(
      nil,
      overrides: [
        try Event("20260312T150000 Europe/Berlin", "PT1H", instead: third),
        try Event("20260313T150000 Europe/Berlin", "PT1H", instead: "20260313T080000Z"),
      ])
    #expect(try lone.cancelled(third).series?.cancelledDays() == ["12 15"])
    #expect(try lone.cancelled("").series?.cancelledDays() == ["12 15", "13 15"])
    #expect(try lone.cancelled(first).word == "no occurrence")
  }

  /// So many changed occurrences of one series, of which each is cancelled, and as many that are not changed.
  private func questions(_ count: Int) throws -> Int {
    func time(_ day: Int) throws -> EventTime {
      let hour = 10 + day / 18 % 12
      return try EventTime("2026\(10 + day / 28 % 3)\(10 + day % 18)T\(hour)0000 Europe/Berlin")
    }
    let master = try Event("20261001T000000 Europe/Berlin", "PT1H", rule: "FREQ=HOURLY")
    let zones = CountingZones()
    let series = EventSeries(
      master,
      overrides: try (0..<count).map { number in
        var override = try Event("20260312T150000 Europe/Berlin", "PT1H")
        override.recurrenceID = try time(number)
        return override
      })
    var cancelling = SeriesCancelling(
      series, context: ZoneContext(zones: zones, local: FixedZones.shared["Europe/Berlin"]))
    for number in 0..<2 * count {
      _ = try cancelling.take(
        Cancellation(uid: series.uid, recurrenceID: try time(number), sequence: 1))
    }
    #expect(cancelling.series.overrides.allSatisfy { $0.status == .cancelled })
    return zones.count
  }

  @Test func `of many occurrences each costs the same`() throws {
    let (few, many) = (try questions(50), try questions(100))
    #expect(many <= 2 * few, "\(many) questions for a zone, and of half as many \(few)")
    #expect(many < 1000)
  }

  @Test func `several are held against what is left by those before`() throws {
    var range = try Event("20260312T150000 Europe/Berlin", "PT1H", instead: third)
    range.appliesToFuture = true
    let before = try series(range)
    var cancelling = SeriesCancelling(before, context: .fixed("Europe/Berlin"))
    func take(_ id: String, future: Bool = false) throws -> Cancellation.Effect {
      try cancelling.take(
        Cancellation(uid: before.uid, recurrenceID: try EventTime(id), appliesToFuture: future))
    }
    // The exception for all that follow moves on, from one to the next.
    #expect(try take(third) == .cancelled)
    #expect(try take("20260313T090000 Europe/Berlin") == .cancelled)
    #expect(try take("20260313T090000 Europe/Berlin") == .none)
    #expect(try take("20260313T100000 Europe/Berlin") == .noOccurrence)
    #expect(try cancelling.series.cancelledDays() == ["12 15", "13 15"])
    #expect(try take("20260311T090000 Europe/Berlin") == .cancelled)
    #expect(try take("20260315T090000 Europe/Berlin", future: true) == .cancelled)
    #expect(try cancelling.series.cancelledDays() == ["11 9", "12 15", "13 15", "15 15"])
    #expect(try cancelling.series.drawn() == before.drawn())
  }

  @Test func `a to-do is cancelled, and keeps how far it had come`() throws {
    var toDo = try Event(first)
    toDo.kind = .toDo(ToDo(status: .inProcess, percentComplete: 40))
    let cancelled = try EventSeries(toDo).cancelled("", sequence: 1).series?.master
    #expect(cancelled?.toDo == ToDo(status: .cancelled, percentComplete: 40))
  }
}
