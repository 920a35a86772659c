import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

/// Nine o'clock of the 26th: 0 UTC in Tokyo, 8 UTC in Berlin, 14 UTC in New York.
@Suite struct `Reminders of a wrong zone` {
  private let person: Traveller
  /// It is three in the morning in Berlin.
  private let wrong = days(5, 2)
  private let corrected = days(5, 2).adding(seconds: 5)

  init() throws {
    person = try Traveller()
  }

  private func goWrong(to zone: String = "Asia/Tokyo") throws {
    try person.fly(to: zone, at: wrong)
  }

  private func goBack() throws -> [String] {
    try person.fly(to: "Europe/Berlin", at: corrected, mistaken: wrong...corrected)
      .early.pending.map(\.key.uid.text)
  }

  @Test(arguments: [true, false])
  func `what became due only in it is due again at its time, and once`(isAllDay: Bool) throws {
    var event = try #require(try floating().master)
    if isAllDay {
      event.start = .date(event.start.reading.date)
      event.alarms[0].trigger = .fromStart(CalendarDuration(seconds: 9 * 3600))
    }
    try person.store.put([EventSeries(calendar: personal, master: event)])
    try goWrong()
    #expect(try person.deliver(at: wrong).count == 1)
    #expect(try goBack() == ["a"])
    #expect(try person.store.pendingReminders().isEmpty)
    #expect(try person.store.nextAlarm() == days(5, 8))
    #expect(try person.deliver(at: days(5, 8)).map(\.key.trigger) == [days(5, 8)])
    #expect(try person.deliver(at: days(9)).isEmpty)
    // A journey to that zone brings nothing twice.
    try person.fly(to: "Asia/Tokyo", at: days(9))
    #expect(try person.deliver(at: days(10)).isEmpty)
  }

  @Test func `so it is with one that an agent did not get to show, and with a series`() throws {
    var event = try #require(try floating().master)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=2")]
    try person.store.put([EventSeries(calendar: personal, master: event)])
    try goWrong()
    #expect(try person.take(through: wrong) == ["a 2026-11-26T00:00:00Z"])
    #expect(try goBack() == ["a"])
    #expect(
      try person.take(through: days(9)) == ["a 2026-11-26T08:00:00Z", "a 2026-11-27T08:00:00Z"])
  }

  @Test func `what somebody has answered stays answered`() throws {
    try person.store.put([try floating("a"), try floating("b")])
    try goWrong()
    let delivered = try person.deliver(at: wrong)
    try person.record(delivered[0], .acknowledged, at: wrong.adding(seconds: 1))
    var snoozed = delivered[1]
    snoozed.snoozes = 1
    snoozed.due = days(5, 3)
    try person.record(snoozed, .snoozed, at: wrong.adding(seconds: 1))
    #expect(try goBack() == [])
    #expect(try person.store.pendingReminders().map(\.due) == [days(5, 3)])
    #expect(try person.take(through: days(9)).isEmpty)
  }

  @Test func `what was too old there, or hidden, is due again as well`() throws {
    try person.store.put([try floating("a"), try floating("b")])
    try goWrong()
    let due = try person.store.takeDue(through: wrong, limit: 10)
    try person.record(due[0], .closed(.missed), at: wrong)
    try person.record(due[1], .closed(.calendarHidden), at: wrong)
    #expect(try goBack() == [])
    #expect(try person.take(through: days(9)).count == 2)
  }

  @Test func `what is due by the right zone as well stays as it is`() throws {
    // In Berlin it was due an hour before, and one with a zone of its own is due now.
    try person.store.put([
      try floating("a", hour: 2),
      EventSeries(
        calendar: personal,
        master: try {
          var event = try #require(try floating("b").master)
          event.start = .utc(wrong)
          return event
        }()),
    ])
    #expect(try person.deliver(at: days(5, 1)).map(\.key.uid.text) == ["a"])
    try goWrong()
    #expect(try person.deliver(at: wrong).map(\.key.uid.text) == ["b"])
    #expect(try goBack() == [])
    #expect(try person.store.pendingReminders().count == 2)
    #expect(try person.take(through: days(9)).isEmpty)
  }

  @Test func `a wrong zone to the west delays nothing that became due meanwhile`() throws {
    try person.store.put([try floating(hour: 3)])
    try person.fly(at: wrong.adding(seconds: -1))
    #expect(try person.deliver(at: wrong.adding(seconds: 2)).isEmpty)
    #expect(try goBack() == [])
    #expect(try person.deliver(at: corrected).map(\.key.trigger) == [wrong])
  }

  @Test func `without a correction nothing is due twice`() throws {
    try person.store.put([try floating()])
    try goWrong()
    #expect(try person.deliver(at: wrong).count == 1)
    #expect(try person.fly(to: "Europe/Berlin", at: corrected).early.pending.isEmpty)
    #expect(try person.deliver(at: days(9)).isEmpty)
  }
}

@Suite struct `Reminders of a wrong clock` {
  private let person: Traveller
  private let right = days(5, 2)
  private let wrong = days(5, 12)

  init() throws {
    person = try Traveller()
  }

  private func setBack() throws -> Replanned {
    try person.store.replanAlarms(
      after: right, mistaken: wrong...wrong.adding(seconds: 60))
  }

  @Test(arguments: [true, false])
  func `what became due only by it is due again at its time, and once`(isZoned: Bool) throws {
    var event = try #require(try floating().master)
    if isZoned { event.start = .zoned(event.start.reading, zone: "Europe/Berlin") }
    try person.store.put([EventSeries(calendar: personal, master: event), try floating("b")])
    let delivered = try person.deliver(at: wrong)
    #expect(delivered.count == 2)
    try person.record(delivered[1], .acknowledged, at: wrong)
    #expect(try setBack().early.pending == [delivered[0]])
    #expect(try person.store.pendingReminders().isEmpty)
    #expect(try person.deliver(at: days(9)).map(\.key) == [delivered[0].key])
  }

  @Test func `what was delivered before the clock went wrong is not due again`() throws {
    try person.store.put([try floating()])
    try person.deliver(at: wrong.adding(seconds: -1))
    #expect(try setBack().early.pending.isEmpty)
    #expect(try person.deliver(at: days(9)).isEmpty)
  }

  @Test func `a snooze that ended by it is a snooze again`() throws {
    try person.store.put([try floating("a", hour: 1)])
    var reminder = try #require(try person.deliver(at: days(5)).first)
    reminder.snoozes = 1
    reminder.due = days(5, 3)
    try person.record(reminder, .snoozed, at: days(5, 1))
    try person.record(reminder, .due, at: wrong)
    try person.record(reminder, .delivered, at: wrong)
    reminder.state = .snoozed
    #expect(try setBack().early.pending == [reminder])
    #expect(try person.store.pendingReminders() == [reminder])
  }

  @Test func `a snooze that ended as the session was unlocked is over`() throws {
    try person.store.put([try floating("a", hour: 1)])
    var reminder = try #require(try person.deliver(at: days(5)).first)
    reminder.snoozes = 1
    reminder.due = wrong
    try person.record(reminder, .due, at: wrong)
    try person.record(reminder, .delivered, at: wrong)
    #expect(try setBack().early.pending.isEmpty)
    #expect(try person.store.pendingReminders().map(\.state) == [.delivered])
  }

  @Test func `one that no event has planned stays`() throws {
    try person.store.put([try floating()])
    var reminder = try #require(try person.store.takeDue(through: wrong, limit: 1).first)
    try person.store.remove("a", now: wrong)
    reminder.state = .delivered
    try person.store.record([reminder], at: wrong)
    #expect(try setBack().early.pending.isEmpty)
    #expect(try person.store.pendingReminders().count == 1)
  }
}
