import CivilTime
import TestSupport
import Testing

@testable import CalendarModel

/// Hours of 2026-11-23, a Monday, in UTC.
private func hours(_ start: Int64, _ end: Int64) -> TimeSpan {
  let midnight = Timestamp(seconds: 1_795_392_000)
  return TimeSpan(
    start: midnight.adding(seconds: start * 3600), end: midnight.adding(seconds: end * 3600))
}

private func event(
  _ uid: String, _ start: Int64, _ end: Int64, change: (inout Event) -> Void = { _ in }
) throws -> Occurrence {
  let span = hours(start, end)
  var event = Event(
    uid: EventUID(uid), start: .utc(span.start),
    end: .time(.utc(span.end)), summary: uid)
  change(&event)
  let series = EventSeries(calendar: CalendarID("personal"), master: event)
  let context = ZoneContext(zones: FixedZones.shared, local: .utc)
  return try #require(try series.occurrences(in: .always, context: context).first)
}

@Suite struct `Busy times` {
  @Test func `join what touches, and are cut to the range`() throws {
    let busy = BusyTimes(
      [
        try event("b", 10, 11), try event("a", 9, 10), try event("c", 13, 15),
        try event("d", 14, 14), try event("e", 13, 14), try event("f", 20, 30),
        try event("before", -5, -1),
      ], in: hours(0, 24))
    #expect(busy.spans == [hours(9, 11), hours(13, 15), hours(20, 24)])
  }

  @Test func `leave out what is free, cancelled or without length, not what is tentative`() throws {
    let busy = BusyTimes(
      [
        try event("free", 1, 2) { $0.isBusy = false },
        try event("off", 3, 4) { $0.status = .cancelled }, try event("moment", 5, 5),
        try event("maybe", 7, 8) { $0.status = .tentative },
      ], in: hours(0, 24))
    #expect(busy.spans == [hours(7, 8)])
  }

  @Test func `leave gaps within hours`() throws {
    let busy = BusyTimes(
      [try event("a", 8, 10), try event("b", 12, 13), try event("c", 13, 14)], in: hours(0, 24))
    let office = [hours(9, 12), hours(13, 17), hours(20, 21)]
    #expect(busy.gaps(in: office, lasting: 1) == [hours(10, 12), hours(14, 17), hours(20, 21)])
    #expect(busy.gaps(in: office, lasting: 7200) == [hours(10, 12), hours(14, 17)])
    #expect(busy.gaps(in: [hours(8, 10)], lasting: 1) == [])
    #expect(
      BusyTimes([Occurrence](), in: hours(9, 10)).gaps(in: office, lasting: 1) == [hours(9, 10)])
  }

  @Test func `are each second in one of busy and gaps, for random times`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let times = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        let start = Int64.random(in: -3...26, using: &random)
        return hours(start, start + Int64.random(in: 0...5, using: &random))
      }
      let busy = BusyTimes(times, in: hours(0, 24))
      let gaps = busy.gaps(in: [hours(0, 24)], lasting: 1)
      for hour in Int64(0)..<24 {
        let moment = hours(hour, hour).start
        #expect(
          times.contains { $0.contains(moment) } == busy.spans.contains { $0.contains(moment) })
        #expect(
          busy.spans.contains { $0.contains(moment) } != gaps.contains { $0.contains(moment) })
      }
    }
  }
}

@Suite struct `Conflicts` {
  @Test func `are pairs that share time, with the time that they share`() throws {
    let occurrences = [
      try event("a", 9, 12), try event("b", 10, 11), try event("c", 11, 13),
      try event("free", 11, 12) { $0.isBusy = false }, try event("d", 13, 14),
    ]
    let found = Conflict.all(among: occurrences, limit: 10)
    #expect(found.map { "\($0.first.uid.text)\($0.second.uid.text)" } == ["ab", "ac"])
    #expect(found.map(\.span) == [hours(10, 11), hours(11, 12)])
    #expect(Conflict.all(among: occurrences, limit: 1).count == 1)
  }
}

@Suite struct `Weekly hours` {
  private let berlin = FixedZones.shared["Europe/Berlin"]

  private func touches(_ hours: WeeklyHours, _ from: String, _ to: String) throws -> Bool {
    let span = TimeSpan(start: try Timestamp(text: from), end: try Timestamp(text: to))
    return hours.touches(span, zone: berlin)
  }

  @Test func `are touched by what has a second within them`() throws {
    let office = WeeklyHours([
      WeeklyHours.Part(
        days: [.saturday], start: try TimeOfDay(text: "09:00"), end: try TimeOfDay(text: "17:00"))
    ])
    // Saturday, in winter.
    #expect(try touches(office, "2026-11-21T07:00:00Z", "2026-11-21T08:00:01Z"))
    #expect(try !touches(office, "2026-11-21T07:00:00Z", "2026-11-21T08:00:00Z"))
    #expect(try touches(office, "2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z"))
    #expect(try touches(office, "2026-11-21T15:59:59Z", "2026-11-21T20:00:00Z"))
    #expect(try !touches(office, "2026-11-21T16:00:00Z", "2026-11-21T16:00:00Z"))
    #expect(try touches(office, "2026-11-23T16:00:00Z", "2026-11-28T09:00:00Z"))
    // A journey of all time is not walked through day by day.
    #expect(try touches(office, "0001-01-03T00:00:00Z", "9999-12-30T00:00:00Z"))
    #expect(try !touches(WeeklyHours([]), "0001-01-03T00:00:00Z", "9999-12-30T00:00:00Z"))
  }

  @Test func `of a night reach into the next day`() throws {
    let night = WeeklyHours([
      WeeklyHours.Part(
        days: [.friday], start: try TimeOfDay(text: "22:00"), end: try TimeOfDay(text: "07:00"))
    ])
    #expect(try touches(night, "2026-11-21T05:00:00Z", "2026-11-21T05:30:00Z"))
    #expect(try !touches(night, "2026-11-20T05:00:00Z", "2026-11-20T05:30:00Z"))
  }

  private func text(_ hours: WeeklyHours, _ from: String, _ to: String) throws -> [String] {
    let extent = TimeSpan(start: try Timestamp(text: from), end: try Timestamp(text: to))
    return hours.spans(in: extent, zone: berlin).map { "\($0.start) \($0.end)" }
  }

  @Test func `come on their days, on the clock of the zone`() throws {
    let office = WeeklyHours([
      WeeklyHours.Part(
        days: [.saturday, .monday], start: try TimeOfDay(text: "09:00"),
        end: try TimeOfDay(text: "17:00"))
    ])
    // Summer time ends on the Sunday.
    #expect(
      try text(office, "2026-10-24T10:00:00Z", "2026-10-26T12:00:00Z") == [
        "2026-10-24T10:00:00Z 2026-10-24T15:00:00Z", "2026-10-26T08:00:00Z 2026-10-26T12:00:00Z",
      ])
  }

  @Test func `may last until the morning after`() throws {
    let night = WeeklyHours([
      WeeklyHours.Part(
        days: [.friday], start: try TimeOfDay(text: "22:00"), end: try TimeOfDay(text: "08:00"))
    ])
    #expect(
      try text(night, "2026-11-21T00:00:00Z", "2026-11-29T00:00:00Z") == [
        "2026-11-21T00:00:00Z 2026-11-21T07:00:00Z", "2026-11-27T21:00:00Z 2026-11-28T07:00:00Z",
      ])
  }
}
