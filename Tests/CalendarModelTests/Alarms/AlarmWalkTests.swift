import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarModel

/// Where a test speaks of what is not walked through, the walk would take minutes.
@Suite struct `Looking for alarms` {
  private let context = ZoneContext.fixed("Europe/Berlin")

  private func next(_ series: EventSeries, after: String = "20261201T000000Z") throws -> String? {
    try series.nextAlarm(after: Timestamp(text: after), context: context)?.basicText
  }

  /// A series of every minute from 2026-11-21 on.
  private func minutely(_ alarms: String..., overrides: [Event] = []) throws -> EventSeries {
    var event = try Event("20261121T000000Z", rule: "FREQ=MINUTELY")
    event.alarms = try alarms.enumerated().map { try Alarm(String($0 + 1), $1) }
    return EventSeries(event, overrides: overrides)
  }

  private func future(_ start: String, _ alarm: String? = nil) throws -> Event {
    var event = try Event(start, instead: start)
    event.appliesToFuture = true
    if let alarm { event.alarms = [try Alarm("f", alarm)] }
    return event
  }

  @Test func `ends where a THISANDFUTURE override is cancelled, has no alarm or has it off`() throws
  {
    var cancelled = try future("20261130T000000Z", "start PT0S")
    cancelled.status = .cancelled
    for override in [
      cancelled, try future("20261130T000000Z"), try future("20261130T000000Z", "start PT0S none"),
    ] {
      let series = try minutely("start PT0S", overrides: [override])
      #expect(try next(series, after: "20261129T235859Z") == "20261129T235900Z")
      #expect(try next(series) == nil)
    }
  }

  @Test func `passes over what a THISANDFUTURE override has acknowledged`() throws {
    var ahead = try future("20261130T000000Z", "start PT0S")
    ahead.alarms[0].acknowledged = .latest
    #expect(try next(try minutely("start PT0S", overrides: [ahead])) == nil)
    ahead.alarms[0].acknowledged = try Timestamp(text: "90000101T000000Z")
    #expect(
      try next(try minutely("start PT0S", overrides: [ahead])) == "90000101T000100Z")
  }

  @Test func `goes on where a later THISANDFUTURE override rings again`() throws {
    let series = try minutely(
      "start PT0S",
      overrides: [
        try future("20261130T000000Z"), try future("20500101T000000Z", "start -PT5M"),
      ])
    #expect(try next(series) == "20491231T235500Z")
  }

  @Test func `begins where the alarm points, however far before or after`() throws {
    #expect(try next(try minutely("start -P1000000D")) == "20261201T000100Z")
    #expect(try next(try minutely("start -PT1000000H")) == "20261201T000100Z")
    #expect(
      try next(try minutely("start PT1000000H"), after: "40000101T000000Z") == "40000101T000100Z")
    #expect(try next(try minutely("start -PT30S repeat 100 -P3650D")) == "20261201T000030Z")
    // One alarm that is far away does not widen the walk of another.
    #expect(try next(try minutely("start -P1000000D", "start PT10S")) == "20261201T000010Z")
    #expect(try next(try minutely("start -P3652059D")) == nil)
    #expect(try next(try minutely("start P3652059D")) == nil)
  }

  @Test func `a batch has the earliest, and all of its last instant`() throws {
    let series = try minutely("start PT0S", "start PT1M", "start PT1M30S")
    let after = try Timestamp(text: "20261201T000000Z")
    let end = Timestamp.latest
    let batch = try series.alarms(after: after, through: end, limit: 4, context: context)
    #expect(
      batch.alarms.map { "\($0.alarm.id) \($0.instant.basicText)" } == [
        "3 20261201T000030Z", "1 20261201T000100Z", "2 20261201T000100Z", "3 20261201T000130Z",
      ])
    #expect(batch.through.basicText == "20261201T000130Z")
    let pair = try series.alarms(after: after, through: end, limit: 2, context: context)
    #expect(pair.alarms.map(\.instant.basicText).last == "20261201T000100Z")
    #expect(pair.alarms.count == 3)
    let short = try series.alarms(
      after: after, through: after.adding(seconds: 60), limit: 100, context: context)
    #expect(short.alarms.count == 3)
    #expect(short.through == after.adding(seconds: 60))
  }

  @Test func `the overrides are ordered once for all absolute alarms`() throws {
    let start = try Timestamp(text: "20270101T000000Z")
    let overrides = (0..<12_000).map { index in
      let instant = start.adding(seconds: Int64(index) * 60)
      var event = Event(uid: EventUID("event"), start: .utc(instant))
      event.recurrenceID = .utc(instant)
      event.alarms = [Alarm(id: "1", trigger: .absolute(instant.adding(seconds: -3600)))]
      return event
    }
    let series = try minutely(overrides: overrides)
    #expect(try next(series) == "20261231T230000Z")
    let all = try series.alarms(after: .earliest, through: .latest, context: context)
    #expect(all.count == 12_000)
  }

  // MARK: Against what is obvious

  /// Series that mix what moves an alarm away from its instance.
  private func mixed() throws -> [EventSeries] {
    let alarms = [
      "start -PT10M", "start -P1D repeat 2 PT8H", "end PT0S", "end -P1W", "start P2DT1H",
      "start PT5M repeat 3 P1D", "at 20270328T010000Z repeat 2 P1D", "at 20300101T000000Z",
    ].enumerated()
    func event(_ start: String, _ end: String, _ rule: String) throws -> Event {
      var event = try Event(start, end, rule: rule)
      event.alarms = try alarms.map { try Alarm(String($0 + 1), $1) }
      return event
    }
    var all: [EventSeries] = []
    for (start, end) in [
      ("20270320T023000 Europe/Berlin", "PT45M"), ("20270320T230000 America/New_York", "P1DT2H"),
      ("20270320", "P2D"), ("20270320T090000", "PT1H"), ("20270320T090000Z", ""),
    ] {
      for rule in ["FREQ=DAILY;COUNT=20", "FREQ=HOURLY;COUNT=60", ""] {
        var master = try event(start, end, rule)
        all.append(EventSeries(master))
        if rule.isEmpty { continue }
        let times = try EventSeries(master).occurrences(in: .always, context: context)
        // By the hour, an all-day event has three.
        if times.count < 7 { continue }
        master.recurrence.added = [
          AddedDate(
            start: .utc(times[2].span.start.adding(seconds: 1800)),
            end: .duration(CalendarDuration(days: 3)))
        ]
        var later = try event("20270324T220000 Asia/Tokyo", "P1D", "")
        later.recurrenceID =
          master.start.isDate ? .date(times[4].start.date) : .utc(times[4].span.start)
        later.appliesToFuture = true
        var one = try event("20270401T090000Z", "PT2H", "")
        one.recurrenceID =
          master.start.isDate ? .date(times[6].start.date) : .utc(times[6].span.start)
        all.append(EventSeries(master, overrides: [later, one]))
      }
    }
    return all
  }

  @Test func `finds what placing each occurrence finds`() throws {
    for (index, series) in try mixed().enumerated() where index % rounds(4, long: 1) == 0 {
      var expected: Set<String> = []
      let occurrences = try series.occurrences(in: .always, context: context)
      for occurrence in occurrences {
        for alarm in occurrence.event.alarms where alarm.isRelative {
          for repetition in 0..<alarm.timesRaised {
            let instant = alarm.instant(repetition, of: occurrence.span, in: occurrence.zone)
            expected.insert("\(occurrence.recurrenceID?.text ?? "") \(instant.seconds)")
          }
        }
      }
      for alarm in series.components.flatMap(\.alarms) {
        guard case .absolute(let moment) = alarm.trigger else { continue }
        let end = TimeSpan.always.end
        let next = try series.occurrences(
          in: TimeSpan(start: moment, end: end), context: context, limit: 1)
        let occurrence = try #require(next.first ?? occurrences.first)
        for repetition in 0..<alarm.timesRaised {
          let instant = alarm.instant(repetition, of: occurrence.span, in: occurrence.zone)
          // What one of the occurrence's own says at that instant is said.
          let own = "\(occurrence.recurrenceID?.text ?? "") \(instant.seconds)"
          if !expected.contains(own) { expected.insert(" \(instant.seconds)") }
        }
      }
      let found = try series.alarms(after: .earliest, through: .latest, context: context)
      let drawn = Set(found.map { "\($0.recurrenceID) \($0.instant.seconds)" })
      #expect(drawn.symmetricDifference(expected) == [])
      #expect(found.count == expected.count)
      // Batch by batch, and one after the other, the same.
      var past = Timestamp.earliest
      var taken: [OccurrenceAlarm] = []
      while past < .latest {
        let batch = try series.alarms(after: past, through: .latest, limit: 7, context: context)
        taken += batch.alarms
        past = batch.through
      }
      #expect(taken == found)
      past = .earliest
      var instants: [Timestamp] = []
      while let next = try series.nextAlarm(after: past, context: context) {
        instants.append(next)
        past = next
      }
      #expect(Set(instants) == Set(found.map(\.instant)))
      #expect(instants == instants.sorted())
    }
  }
}
