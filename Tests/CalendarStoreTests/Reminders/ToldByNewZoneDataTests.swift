import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

/// What an event goes by.
private enum Clock {
  case floating, zoned, recurring
}

/// What the agent does with alarms that were told, or had passed, by zone data that new ones have taken the
/// place of, whether those came while it ran or not.
@Suite struct `Alarms told by other zone data` {
  @Test(arguments: [true, false], [Clock.floating, .zoned, .recurring])
  fileprivate func
    `what was told is not told again, whether the data came while an agent ran or not`(
      isRunning: Bool, kind: Clock
    ) throws
  {
    let person = try Traveller()
    var event = try #require(try floating().master)
    if kind != .floating { event.start = .zoned(event.start.reading, zone: "Europe/Berlin") }
    if kind == .recurring {
      event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=2")]
    }
    try person.store.put([EventSeries(calendar: personal, master: event)])
    let count = kind == .recurring ? 2 : 1
    #expect(try person.take(through: days(40)).count == count)
    try person.update(at: days(40), isRunning: isRunning)
    #expect(try person.take(through: days(40)).isEmpty)
    try person.setBack(to: midnight)
    #expect(try person.take(through: days(50)).isEmpty)
  }

  @Test(arguments: [true, false]) func `what new zone data put back over now is told, and once`(
    isRunning: Bool
  ) throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.start = .zoned(event.start.reading, zone: "America/New_York")
    event.alarms.append(Alarm(id: "2", trigger: .fromStart(CalendarDuration(seconds: -4 * 3600))))
    try person.store.put([EventSeries(calendar: personal, master: event)])
    // 9:00 is at 14 UTC, and 4 hours before has been told; with the clock of Berlin it was at 8.
    #expect(try person.take(through: days(5, 10)) == ["a 2026-11-26T10:00:00Z"])
    try person.update(
      "America/New_York", to: "Europe/Berlin", at: days(5, 10), isRunning: isRunning)
    #expect(try person.take(through: days(5, 10)) == ["a 2026-11-26T08:00:00Z"])
    try person.update(
      "America/New_York", to: "America/New_York", at: days(5, 11), isRunning: isRunning)
    #expect(try person.take(through: days(9)).isEmpty)
  }

  @Test(arguments: [true, false]) func `so is what goes with the agent's zone`(
    isRunning: Bool
  ) throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.alarms = [-2, 0].map {
      Alarm(id: "\($0)", trigger: .fromStart(CalendarDuration(seconds: $0 * 3600)))
    }
    try person.store.put([EventSeries(calendar: personal, master: event)])
    // 9:00 is at 14 UTC by the clock of New York, and two hours before has been told; in Berlin it was at 8.
    try person.update(to: "America/New_York", at: days(1), isRunning: true)
    #expect(try person.take(through: days(5, 13)) == ["a 2026-11-26T12:00:00Z"])
    try person.update(to: "Europe/Berlin", at: days(5, 13), isRunning: isRunning)
    #expect(try person.take(through: days(5, 13)) == ["a 2026-11-26T08:00:00Z"])
    try person.update(to: "America/New_York", at: days(5, 13), isRunning: isRunning)
    #expect(try person.take(through: days(9)).isEmpty)
  }

  @Test(arguments: [true, false]) func `what was past when it was written stays so`(
    isRunning: Bool
  ) throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.start = .zoned(event.start.reading, zone: "Europe/Berlin")
    try person.store.put([EventSeries(calendar: personal, master: event)], now: days(5, 10))
    try person.update(at: days(5, 11), isRunning: isRunning)
    #expect(try person.take(through: days(9)).isEmpty)
  }

  @Test(arguments: [true, false]) func `also where one has flown since, and then come new data`(
    isRunning: Bool
  ) throws {
    let person = try Traveller()
    try person.store.put([try floating()], now: days(5, 10))
    try person.fly(at: days(5, 10))
    try person.update(
      "America/New_York", to: "America/Chicago", at: days(5, 11), isRunning: isRunning)
    #expect(try person.take(through: days(9)).isEmpty)
  }

  @Test func `what was to come then is told, also where it would have been past`() throws {
    let person = try Traveller()
    // It is 8:30 in Berlin, where 9:00 is at 8 UTC; in Tokyo that was at 0.
    let now = days(5, 7).adding(seconds: 1800)
    try person.store.put([try floating()], now: now)
    try person.update("Europe/Kyiv", at: now, isRunning: false, in: "Asia/Tokyo")
    #expect(try person.take(through: now) == ["a 2026-11-26T00:00:00Z"])
    // What was past in Berlin is so in New York.
    let other = try Traveller()
    try other.store.put([try floating()], now: now.adding(seconds: 3600))
    try other.update(
      "Europe/Kyiv", at: now.adding(seconds: 3600), isRunning: false, in: "America/New_York")
    #expect(try other.take(through: days(9)).isEmpty)
  }

  @Test(arguments: [true, false])
  func `what was written by a clock that was ahead is told, also what is past by new data`(
    isRunning: Bool
  ) throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.start = .zoned(event.start.reading, zone: "America/New_York")
    event.alarms = [0, -2, -4].map {
      Alarm(id: "\($0)", trigger: .fromStart(CalendarDuration(seconds: $0 * 3600)))
    }
    try person.store.put([EventSeries(calendar: personal, master: event)], now: days(20))
    try person.setBack(to: days(5, 7))
    // 9:00 is at 14 UTC; with the clock of Berlin it was at 8, and two hours before that at 6: nobody
    // has heard of it. What is four hours before, at 4, has rung at 10.
    #expect(try person.take(through: days(5, 10)) == ["a 2026-11-26T10:00:00Z"])
    try person.update(
      "America/New_York", to: "Europe/Berlin", at: days(5, 10), isRunning: isRunning)
    #expect(
      try person.take(through: days(9))
        == ["a 2026-11-26T06:00:00Z", "a 2026-11-26T08:00:00Z"])
  }

  @Test(arguments: [true, false])
  func `and what was past as it was written again, after the clock was set back, stays so`(
    isRunning: Bool
  ) throws {
    let person = try Traveller()
    try person.store.put([try berlinTwice(hour: 8)], now: days(20))
    try person.setBack(to: days(5, 7).adding(seconds: 1800))
    // 9:00 was at 8 UTC, and is at 9 by the new data.
    try person.store.put([try berlinTwice(hour: 9)], now: days(5, 10))
    try person.update(at: days(5, 11), isRunning: isRunning)
    #expect(try person.take(through: days(9)) == ["a 2026-11-27T09:00:00Z"])
  }

  @Test(arguments: [true, false])
  func `so does what default reminders would have rung before they were given, and no more`(
    isRunning: Bool
  ) throws {
    let person = try Traveller()
    var lunch = try #require(try floating("lunch").master)
    // At 9 UTC, with what the calendar gives.
    lunch.start = .zoned(lunch.start.reading, zone: "Europe/London")
    lunch.alarms = []
    var call = try #require(try floating("call").master)
    call.start = .zoned(call.start.reading, zone: "America/New_York")
    try person.store.put([lunch, call].map { EventSeries(calendar: personal, master: $0) })
    var calendar = try person.store.calendars()[0]
    calendar.timedReminders = [CalendarDuration(seconds: 900)]
    try person.store.put(calendar: calendar, now: days(5, 10))
    #expect(try person.take(through: days(5, 10)).isEmpty)
    // The call's own alarm was to come at 14 UTC.
    try person.update(
      "America/New_York", to: "Europe/Berlin", at: days(5, 11), isRunning: isRunning)
    #expect(try person.take(through: days(5, 11)) == ["call 2026-11-26T08:00:00Z"])
    #expect(try person.take(through: days(9)).isEmpty)
  }

  @Test(arguments: [true, false])
  func `what they ring is told, where they were given by a clock that was set back since`(
    isRunning: Bool
  ) throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.start = .zoned(event.start.reading, zone: "America/New_York")
    event.alarms = []
    try person.store.put([EventSeries(calendar: personal, master: event)])
    var calendar = try person.store.calendars()[0]
    calendar.timedReminders = [4, 0].map { CalendarDuration(seconds: $0 * 3600) }
    try person.store.put(calendar: calendar, now: days(20))
    try person.setBack(to: days(5, 7))
    // 9:00 is at 14 UTC; with the clock of Berlin it was at 8.
    #expect(try person.take(through: days(5, 10)) == ["a 2026-11-26T10:00:00Z"])
    try person.update(
      "America/New_York", to: "Europe/Berlin", at: days(5, 10), isRunning: isRunning)
    #expect(try person.take(through: days(9)) == ["a 2026-11-26T08:00:00Z"])
  }

  @Test func `a time that the clock leaves out by the new data is the same one`() throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.start = .zoned(
      try CivilDateTime(text: "2027-03-27T02:30"), zone: "America/New_York")
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=3")]
    try person.store.put([EventSeries(calendar: personal, master: event)])
    #expect(try person.take(through: days(140)).count == 3)
    // On the 28th Berlin has no 2:30.
    try person.update("America/New_York", to: "Europe/Berlin", at: days(140), isRunning: true)
    try person.setBack(to: days(100))
    #expect(try person.take(through: days(140)).isEmpty)
  }

  @Test(arguments: [true, false])
  func `nor is one of BYHOUR or RDATE that the clock left out by the old data`(
    isRunning: Bool
  ) throws {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.start = .zoned(try CivilDateTime(text: "2027-03-27T01:00"), zone: "Europe/Berlin")
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;BYHOUR=1,2;COUNT=6")]
    event.recurrence.added = [
      AddedDate(
        start: .zoned(try CivilDateTime(text: "2027-03-28T02:30"), zone: "Europe/Berlin"))
    ]
    try person.store.put([EventSeries(calendar: personal, master: event)])
    _ = try person.take(through: days(126, 12))
    // On the 28th Berlin has no 2:00 and no 2:30, and shows 3:00 and 3:30.
    let now = days(127, 1).adding(seconds: 2700)
    #expect(
      try person.take(through: now)
        == [
          "a 2027-03-28T00:00:00Z", "a 2027-03-28T01:00:00Z", "a 2027-03-28T01:30:00Z",
        ])
    // They are still to come by a clock that does not change.
    try person.update(to: "UTC", at: now, isRunning: isRunning)
    #expect(try person.take(through: days(127, 12)).isEmpty)
    #expect(
      try person.take(through: days(200)) == ["a 2027-03-29T01:00:00Z", "a 2027-03-29T02:00:00Z"])
  }

  @Test func `nor is one that rings when it did, of an occurrence that is at another instant`()
    throws
  {
    let person = try Traveller()
    var event = try #require(try floating().master)
    event.start = .zoned(try CivilDateTime(text: "2027-03-14T09:00"), zone: "America/Chicago")
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=2")]
    event.alarms = [Alarm(id: "1", trigger: .fromStart(CalendarDuration(days: -1)))]
    try person.store.put([EventSeries(calendar: personal, master: event)])
    #expect(
      try person.take(through: days(160)) == ["a 2027-03-13T15:00:00Z", "a 2027-03-14T14:00:00Z"])
    // By the new data the clock does not go forward in the night between.
    try person.update("America/Chicago", to: "America/Mexico_City", at: days(160), isRunning: true)
    try person.setBack(to: midnight)
    #expect(try person.take(through: days(160)).isEmpty)
  }

  @Test func `nor is one that was moved, and rings when it did by the data of before`() throws {
    let person = try Traveller()
    try person.store.put([try berlinTwice(hour: 9)])
    #expect(try person.take(through: days(5, 8)) == ["a 2026-11-26T08:00:00Z"])
    try person.setBack(to: midnight)
    try person.update(at: midnight, isRunning: true)
    try person.store.put([try berlinTwice(hour: 8)], now: midnight)
    #expect(try person.take(through: days(9)) == ["a 2026-11-27T08:00:00Z"])
  }

  @Test func `one that is pending stays when its event gets another title by new zone data`() throws
  {
    let person = try Traveller()
    func event(_ summary: String, hour: Int = 9) throws -> EventSeries {
      var event = try #require(try floating(hour: hour, summary: summary).master)
      event.start = .zoned(event.start.reading, zone: "Europe/Berlin")
      event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=2")]
      return EventSeries(calendar: personal, master: event)
    }
    try person.store.put([try event("a")])
    var taken = try person.store.takeDue(through: days(5, 8), limit: 10)
    taken[0].state = .delivered
    try person.store.record(taken, at: days(5, 8))
    try person.update(at: days(5, 8), isRunning: true)
    try person.store.put([try event("b")], now: days(5, 8))
    #expect(try person.store.pendingReminders().count == 1)
    #expect(try person.take(through: days(6, 8)) == [])
    try person.store.put([try event("b", hour: 7)], now: days(6, 8))
    #expect(try person.store.pendingReminders().isEmpty)
  }
}
