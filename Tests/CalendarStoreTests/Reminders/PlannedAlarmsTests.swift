import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

extension EventStore {
  fileprivate func hide(_ isHidden: Bool = true) throws {
    var calendar = try calendars()[0]
    calendar.isVisible = !isHidden
    try put(calendar: calendar, now: midnight)
  }

  /// What is to come, as "summary@minutes".
  fileprivate func planned(
    after: Int64, through: Int64, limit: Int = 100
  ) throws -> [String]? {
    guard let walk = try plannedWalk(after: at(after), through: at(through), limit: limit)
    else { return nil }
    while try walk.next() {}
    return walk.alarms.map { alarms in
      alarms.map { ($0.instant, $0.occurrence.event.summary) }.sorted(by: <).map {
        "\($1)@\(($0.seconds - midnight.seconds) / 60)"
      }
    }
  }
}

@Suite struct `Alarms that are to come` {
  @Test func `they are found an event at a time, and stay to come`() throws {
    let store = try StoreFixture().open()
    try store.put([
      single("c", at: 100, reminders: [10]), single("b", at: 100, reminders: [40, 20, 10]),
      single("a", at: 95, reminders: [5]), single("later", at: 500, reminders: [5]),
    ])
    #expect(try store.planned(after: 0, through: 90) == ["b@60", "b@80", "a@90", "b@90", "c@90"])
    #expect(try store.planned(after: 60, through: 89) == ["b@80"])
    // What goes meanwhile is passed over.
    let walk = try #require(try store.plannedWalk(after: at(0), through: at(90), limit: 9))
    #expect(try walk.next())
    try store.remove("c")
    while try walk.next() {}
    #expect(walk.alarms?.contains { $0.occurrence.event.summary == "c" } == false)
    #expect(try store.nextAlarm() == at(60))
    #expect(try store.pendingReminders().isEmpty)
  }

  @Test func `more than are wanted are none`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [10, 20, 30])])
    #expect(try store.planned(after: 0, through: 90, limit: 3)?.count == 3)
    #expect(try store.planned(after: 0, through: 90, limit: 2) == nil)
  }

  @Test func `what the ledger has under its key is not to come`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [10, 20])])
    _ = try store.takeDue(through: at(80), limit: 9)
    try store.replanAlarms(after: at(70))
    #expect(try store.planned(after: 70, through: 100) == ["a@90"])
  }
}

@Suite struct `Alarms that were told ahead` {
  @Test func `what comes behind months of them is found`() throws {
    let store = try StoreFixture().open()
    var event = try #require(single("a", at: 100, reminders: [10]).master)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY")]
    try store.put([EventSeries(calendar: personal, master: event)])
    let day: Int64 = 1440
    // The clock was a hundred days ahead.
    #expect(try store.takeDue(through: at(100 * day), limit: 500).count == 100)
    try store.replanAlarms(after: at(0))
    let planned = try store.plannedAlarms(
      of: EventUID("a"), in: personal, recurrenceID: nil, limit: 3)
    #expect(planned.map(\.alarm.instant) == (100...102).map { at(90 + $0 * day) })
  }
}

@Suite struct `Alarms that are not told` {
  @Test func `those of a hidden calendar are closed in the ledger when they fall due`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [10, 20])])
    try store.hide()
    #expect(try store.hiddenSince(personal) == midnight)
    #expect(try store.planned(after: 0, through: 100) == [])
    let silent = try store.plannedAlarms(
      of: EventUID("a"), in: personal, recurrenceID: nil, limit: 9)
    #expect(silent.map(\.silence) == [.calendarHidden, .calendarHidden])
    #expect(
      try store.takeDue(through: at(80), limit: 9).map(\.state) == [.closed(.calendarHidden)])
    let entries = try store.ledgerEntries(
      of: EventUID("a"), in: personal, recurrenceID: nil, limit: 9)
    #expect(entries.map(\.reminder.state) == [.closed(.calendarHidden)])
    #expect(
      entries.map(\.steps) == [
        [LedgerEntry.Step(state: "closed", at: at(80), reason: "calendar-hidden")]
      ])
    // Shown again, it rings from then on.
    try store.hide(false)
    #expect(try store.hiddenSince(personal) == nil)
    #expect(try store.takeDue(through: at(100), limit: 9).map(\.key.trigger) == [at(90)])
  }

  @Test func `what a clock in a wrong year did not tell is free to ring`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 100, reminders: [10])])
    try store.hide()
    #expect(
      try store.takeDue(through: at(100_000), limit: 9).map(\.state) == [.closed(.calendarHidden)])
    try store.hide(false)
    try store.replanAlarms(after: at(0))
    #expect(try store.takeDue(through: at(90), limit: 9).count == 1)
  }

  @Test func `an invitation is declined by the owner's addresses`() throws {
    let store = try StoreFixture().open()
    var event = try #require(single("a", at: 100, reminders: [10]).master)
    event.attendees = [
      Attendee(address: "mailto:ana@example.org", participation: "declined"),
      Attendee(address: "mailto:bo@example.org", participation: "accepted"),
    ]
    try store.put([EventSeries(calendar: personal, master: event)])
    #expect(try store.planned(after: 0, through: 100) == ["a@90"])
    store.ownAddresses = ["ana@example.org"]
    #expect(try store.planned(after: 0, through: 100) == [])
    #expect(try store.takeDue(through: at(90), limit: 9).map(\.state) == [.closed(.declined)])
  }

  @Test func `thousands that fall due together are closed in batches of what is wanted`() throws {
    let store = try StoreFixture().open()
    try store.put((0..<300).map { single("event-\($0)", at: 100, reminders: [10]) })
    try store.hide()
    for _ in 0..<4 {
      let batch = try store.takeDue(through: at(90), limit: 64)
      #expect(batch.count == 64)
      #expect(batch.allSatisfy { $0.state == .closed(.calendarHidden) })
      #expect(try store.nextAlarm() == at(90))
    }
    #expect(try store.takeDue(through: at(90), limit: 64).count == 300 - 256)
    #expect(try store.nextAlarm() == nil)
  }
}

@Suite struct `The ledger of one event` {
  @Test func `it has the latest, in order, each step with its moment`() throws {
    let store = try StoreFixture().open()
    try store.put([
      single("a", at: 100, reminders: [10, 20, 30]), single("b", at: 100, reminders: [1]),
    ])
    var taken = try store.takeDue(through: at(99), limit: 9)
    taken = taken.filter { $0.summary == "a" }
    taken[0].state = .acknowledged
    try store.record([taken[0]], at: at(120))
    let entries = try store.ledgerEntries(
      of: EventUID("a"), in: personal, recurrenceID: nil, limit: 9)
    #expect(entries.map(\.reminder.key.trigger) == [at(70), at(80), at(90)])
    #expect(
      entries[0].steps == [
        LedgerEntry.Step(state: "due", at: at(99)),
        LedgerEntry.Step(state: "acknowledged", at: at(120)),
      ])
    let latest = try store.ledgerEntries(
      of: EventUID("a"), in: personal, recurrenceID: "", limit: 2)
    #expect(latest.map(\.reminder.key.trigger) == [at(80), at(90)])
    #expect(
      try store.ledgerEntries(of: EventUID("a"), in: personal, recurrenceID: "x", limit: 9).isEmpty)
  }
}

@Suite struct `Quiet time in the database` {
  @Test func `it outlives the process, and goes when it is ended`() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    #expect(try store.quietMarks() == QuietMarks())
    try store.put(quietMarks: QuietMarks(until: .latest, since: at(4), liftedUntil: at(5)))
    store.close()
    let again = try fixture.open()
    #expect(try again.quietMarks() == QuietMarks(until: .latest, since: at(4), liftedUntil: at(5)))
    try again.put(quietMarks: QuietMarks())
    #expect(try again.quietMarks() == QuietMarks())
  }
}
