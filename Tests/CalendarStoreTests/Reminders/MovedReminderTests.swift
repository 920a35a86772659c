import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

@Suite struct `Reminders whose event moves a little` {
  @Test(arguments: [61, 59, 45, 32]) func `one that does not ring again goes along`(start: Int64)
    throws
  {
    let store = try EventStore.rung()
    let changes = try store.put([single("a", at: start, reminders: [30])], now: at(32))
    #expect(try store.waiting() == ["\(start) \(start - 30) delivered"])
    #expect(changes.closedReminders.map(\.state) == [.closed(.eventMoved)])
    #expect(changes.reopenedReminders.map(\.span.start) == [at(start)])
    #expect(try store.dueCount(through: at(70)) == 0)
  }

  @Test func `one that rings again does so at its new instant`() throws {
    let store = try EventStore.rung()
    try store.put([single("a", at: 75, reminders: [30])], now: at(32))
    #expect(try store.waiting() == [])
    #expect(try store.dueCount(through: at(44)) == 0)
    #expect(try store.dueCount(through: at(45)) == 1)
    // In the very second of the change.
    let other = try EventStore.rung()
    try other.put([single("a", at: 62, reminders: [30])], now: at(32))
    #expect(try other.waiting() == [])
    #expect(try other.dueCount(through: at(32)) == 1)
  }

  @Test func `an event that is over takes it along`() throws {
    let store = try EventStore.rung()
    try store.put([single("a", at: 10, lasting: 20, reminders: [30])], now: at(32))
    #expect(try store.waiting() == [])
  }

  @Test func `a snooze goes on, and one until the start or the end is until that of now`() throws {
    for (until, expected) in [(50, 50), (60, 61), (120, 121)] as [(Int64, Int64)] {
      let store = try EventStore.rung()
      try store.snooze(until: until)
      try store.put([single("a", at: 61, reminders: [30])], now: at(32))
      #expect(try store.waiting() == ["61 \(expected) snoozed"])
      #expect(try store.pendingReminders().map(\.snoozes) == [1])
    }
  }

  @Test func `a snooze until the end is until that of now where the event gets longer`() throws {
    let store = try EventStore.rung()
    try store.snooze(until: 120)
    let changes = try store.put([single("a", at: 60, lasting: 90, reminders: [30])], now: at(32))
    #expect(changes.rewordedReminders.map(\.due) == [at(150)])
    #expect(try store.waiting() == ["60 150 snoozed"])
    _ = try store.undo(now: at(33))
    #expect(try store.waiting() == ["60 120 snoozed"])
    _ = try store.redo(now: at(34))
    #expect(try store.waiting() == ["60 150 snoozed"])
    // What has passed there comes back at once.
    try store.put([single("a", at: 60, lasting: 30, reminders: [30])], now: at(100))
    #expect(try store.waiting() == ["60 100 snoozed"])
    // Another one is no snooze until its end, and one until the start stays with that.
    for until in [50, 60] as [Int64] {
      let other = try EventStore.rung()
      try other.snooze(until: until)
      try other.put([single("a", at: 60, lasting: 90, reminders: [30])], now: at(32))
      #expect(try other.waiting() == ["60 \(until) snoozed"])
    }
  }

  @Test func `a snooze goes with the event whose alarm stays at a moment of its own`() throws {
    func event(at start: Int64) -> EventSeries {
      var event = single("a", at: start, reminders: [30]).components[0]
      event.alarms[0].trigger = .absolute(at(30))
      return EventSeries(calendar: personal, master: event)
    }
    for (until, expected) in [(50, 50), (60, 600), (120, 660)] as [(Int64, Int64)] {
      let store = try EventStore.rung(event(at: 60))
      try store.snooze(until: until)
      try store.put([event(at: 600)], now: at(32))
      #expect(try store.waiting() == ["600 \(expected) snoozed"])
      _ = try store.undo(now: at(33))
      #expect(try store.waiting() == ["60 \(until) snoozed"])
    }
  }

  @Test func `it goes along again and again, and with the words of its event`() throws {
    let store = try EventStore.rung()
    try store.put([single("a", at: 61, reminders: [30])], now: at(32))
    try store.put([single("a", at: 61, summary: "b", reminders: [30])], now: at(33))
    try store.put([single("a", at: 58, summary: "b", reminders: [30])], now: at(34))
    #expect(try store.waiting() == ["58 28 delivered"])
    #expect(try store.pendingReminders().map(\.summary) == ["b"])
  }

  @Test func `what was dismissed stays so, wherever the event goes`() throws {
    let store = try EventStore.rung()
    try store.put([single("a", at: 61, reminders: [30])], now: at(32))
    var reminder = try #require(try store.pendingReminders().first)
    reminder.state = .acknowledged
    try store.record([reminder], at: at(33))
    _ = try store.undo(now: at(34))
    #expect(try store.waiting() == [])
    _ = try store.redo(now: at(35))
    #expect(try store.waiting() == [])
    #expect(try store.dueCount(through: at(70)) == 0)
  }

  @Test func `a move that is taken back takes it back`() throws {
    let store = try EventStore.rung()
    try store.put([single("a", at: 61, reminders: [30])], now: at(32))
    _ = try store.undo(now: at(33))
    #expect(try store.waiting() == ["60 30 delivered"])
    _ = try store.redo(now: at(34))
    #expect(try store.waiting() == ["61 31 delivered"])
  }

  @Test func `one whose alarm is taken away is over, also where another one was told of`() throws {
    let store = try EventStore.rung(single("a", at: 50, reminders: [30, 20]))
    #expect(try store.waiting().count == 2)
    try store.put([single("a", at: 50, reminders: [20])], now: at(32))
    #expect(try store.waiting() == ["50 30 delivered"])
    try store.put([single("a", at: 51)], now: at(33))
    #expect(try store.waiting() == [])
  }

  @Test func `an occurrence of a series takes its own along, whichever way it moves`() throws {
    func daily(_ start: Int64, moved: Int64? = nil) throws -> EventSeries {
      var event = single("a", at: start, reminders: [30]).components[0]
      event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY")]
      var overrides: [Event] = []
      if let moved {
        var override = single("a", at: moved, reminders: [30]).components[0]
        override.recurrenceID = .utc(at(start))
        overrides = [override]
      }
      return EventSeries(calendar: personal, master: event, overrides: overrides)
    }
    let one = try EventStore.rung(daily(60))
    try one.put([daily(60, moved: 61)], now: at(32))
    #expect(try one.waiting() == ["61 31 delivered"])
    let all = try EventStore.rung(daily(60))
    try all.put([daily(61)], now: at(32))
    #expect(try all.waiting() == ["61 31 delivered"])
    #expect(try all.dueCount(through: at(1400)) == 0)
    #expect(try all.dueCount(through: at(1471)) == 1)
    // One that is taken out leaves its reminder to no other.
    let out = try EventStore.rung(daily(60))
    var event = try daily(60).components[0]
    event.recurrence.excluded = [.utc(at(60))]
    event.alarms[0].trigger = .fromStart(CalendarDuration(seconds: -90_000))
    try out.put([EventSeries(calendar: personal, master: event)], now: at(32))
    #expect(try out.waiting() == [])
  }

  @Test func `one that rang weeks before its occurrence goes along, too`() throws {
    let day: Int64 = 24 * 60
    func yearly(_ start: Int64) throws -> EventSeries {
      var event = single("a", at: start, reminders: [14 * day]).components[0]
      event.recurrence.rules = [try RecurrenceRule(text: "FREQ=YEARLY")]
      return EventSeries(calendar: personal, master: event)
    }
    let store = try EventStore.rung(yearly(14 * day + 30))
    try store.put([yearly(14 * day + 35)], now: at(10 * day))
    #expect(try store.waiting() == ["\(14 * day + 35) 35 delivered"])
  }

  @Test func `of a dense series with more than can be looked at the latest go along`() throws {
    let days: Int64 = 9
    func dense(_ second: Int64) throws -> EventSeries {
      var event = single("a", at: 0, lasting: 5, reminders: [3, 2, 1]).components[0]
      event.start = .utc(midnight.adding(seconds: second))
      event.end = .time(.utc(at(5).adding(seconds: second)))
      event.recurrence.rules = [try RecurrenceRule(text: "FREQ=MINUTELY")]
      return EventSeries(calendar: personal, master: event)
    }
    let now = days * 1440
    let store = try StoreFixture().open()
    var leftBehind: [Timestamp] = []
    store.onLeftBehind = { leftBehind.append($1) }
    try store.put([dense(0)], now: at(now))
    var taken = try store.takeDue(through: at(now), limit: 10)
    for index in taken.indices { taken[index].state = .delivered }
    try store.record(taken, at: at(now))
    try #require(taken.count == 3)
    try store.put([dense(-1)], now: at(now).adding(seconds: 1))
    #expect(
      try store.pendingReminders().map(\.key.trigger) == taken.map { $0.due.adding(seconds: -1) })
    #expect(leftBehind.count == 1 && leftBehind.allSatisfy { $0 < at(now) })
  }

  @Test func `a to-do takes it along as well`() throws {
    func toDo(_ start: Int64) -> EventSeries {
      var event = single("a", at: start, reminders: [30]).components[0]
      event.kind = .toDo(ToDo(status: .needsAction))
      return EventSeries(calendar: personal, master: event)
    }
    let store = try EventStore.rung(toDo(60))
    try store.put([toDo(61)], now: at(32))
    #expect(try store.waiting() == ["121 31 delivered"])
  }

  @Test func `one that moves and is declined waits for a change of mind, at its moment`() throws {
    let store = try EventStore.rung(EventSeries.invitation(60, "accepted"))
    store.ownAddresses = ["ana@example.org"]
    let declined = try store.put([EventSeries.invitation(61, "declined")], now: at(32))
    #expect(declined.closedReminders.map(\.state) == [.closed(.declined)])
    #expect(declined.closedReminders.map(\.key.trigger) == [at(30)])
    #expect(try store.waiting() == [])
    // Declined it moves on, and what is taken back moves it back.
    try store.put([EventSeries.invitation(59, "declined")], now: at(33))
    _ = try store.undo(now: at(34))
    let accepted = try store.put([EventSeries.invitation(61, "accepted")], now: at(35))
    #expect(accepted.reopenedReminders.map(\.key.trigger) == [at(31)])
    #expect(try store.waiting() == ["61 31 delivered"])
    // Both at once, the other way round.
    try store.put([EventSeries.invitation(61, "declined")], now: at(36))
    try store.put([EventSeries.invitation(58, "accepted")], now: at(37))
    #expect(try store.waiting() == ["58 28 delivered"])
    #expect(try store.dueCount(through: at(70)) == 0)
  }

  @Test func `one that was put off and declined comes back when it was to`() throws {
    let store = try EventStore.rung(EventSeries.invitation(60, "accepted"))
    store.ownAddresses = ["ana@example.org"]
    var reminder = try #require(try store.pendingReminders().first)
    reminder.state = .snoozed
    reminder.snoozes = 1
    reminder.due = at(50)
    try store.record([reminder], at: at(31))
    try store.put([EventSeries.invitation(61, "declined")], now: at(32))
    try store.put([EventSeries.invitation(61, "accepted")], now: at(33))
    #expect(try store.waiting() == ["61 50 snoozed"])
  }

  @Test func `one of a hidden calendar is at its moment when that is shown`() throws {
    let store = try EventStore.rung()
    try store.show(false, now: at(32))
    let moved = try store.put([single("a", at: 61, reminders: [30])], now: at(33))
    #expect(moved.closedReminders.isEmpty && moved.reopenedReminders.isEmpty)
    #expect(try store.waiting() == [])
    try store.put([single("a", at: 62, reminders: [30])], now: at(34))
    _ = try store.undo(now: at(35))
    try store.show(true, now: at(36))
    #expect(try store.waiting() == ["61 31 delivered"])
    #expect(try store.dueCount(through: at(70)) == 0)
  }

  // Its event had moved so far that it was to ring again, and its moment passed while nothing rang.
  @Test func `one that is told of no more does not come back with an edit`() throws {
    let hidden = try EventStore.rung()
    try hidden.show(false, now: at(31))
    try hidden.put([single("a", at: 75, reminders: [30])], now: at(32))
    let silent = try hidden.takeDue(through: at(45), limit: 10)
    #expect(silent.map(\.state) == [.closed(.calendarHidden)])
    try hidden.show(true, now: at(50))
    #expect(try hidden.waiting() == [])
    try hidden.put([single("a", at: 75, summary: "b", reminders: [30])], now: at(51))
    // Nor where it moves a little more.
    try hidden.put([single("a", at: 74, summary: "b", reminders: [30])], now: at(52))
    #expect(try hidden.waiting() == [])
    let declined = try EventStore.rung(EventSeries.invitation(60, "accepted"))
    declined.ownAddresses = ["ana@example.org"]
    try declined.put([EventSeries.invitation(60, "declined")], now: at(31))
    try declined.put([EventSeries.invitation(75, "declined")], now: at(32))
    #expect(
      try declined.takeDue(through: at(45), limit: 10).map(\.state) == [.closed(.declined)])
    try declined.put([EventSeries.invitation(75, "accepted")], now: at(50))
    #expect(try declined.waiting() == [])
    try declined.put([EventSeries.invitation(74, "accepted")], now: at(51))
    #expect(try declined.waiting() == [])
  }

  @Test func `a move that is far and is taken back while it is declined leaves it as it was`()
    throws
  {
    let store = try EventStore.rung(EventSeries.invitation(60, "accepted"))
    store.ownAddresses = ["ana@example.org"]
    try store.put([EventSeries.invitation(60, "declined")], now: at(31))
    try store.put([EventSeries.invitation(75, "declined")], now: at(32))
    _ = try store.undo(now: at(33))
    try store.put([EventSeries.invitation(60, "accepted")], now: at(34))
    #expect(try store.waiting() == ["60 30 delivered"])
  }

  @Test func `a day of EXDATE takes out what begins on it, and what waits of that is over`() throws
  {
    let store = try EventStore.rungTwice()
    var event = try #require(try EventSeries.daily("a", from: 0, count: 5).master)
    let day = try #require(CivilDate(year: 2026, month: 11, day: 22))
    event.recurrence.excluded = [.date(day)]
    let changes = try store.put(
      [EventSeries(calendar: personal, master: event)], now: at(1472))
    #expect(changes.closedReminders.map(\.state) == [.closed(.eventRemoved)])
    // It comes back with that day.
    try store.put([EventSeries.daily("a", from: 0, count: 5)], now: at(1473))
    #expect(try store.waiting() == ["60 30 delivered", "1500 1470 delivered"])
  }

  @Test func `the ledger tells what came along from what rang here, and from what did not`() throws
  {
    let moved = try EventStore.rung()
    try moved.put([single("a", at: 61, reminders: [30])], now: at(32))
    #expect(try moved.beginnings() == ["due", "delivered moved"])
    let hidden = try EventStore.rungTwice()
    try hidden.show(false, now: at(1471))
    try hidden.split()
    #expect(try hidden.beginnings("b") == ["closed moved"])
    try hidden.show(true, now: at(1473))
    #expect(try hidden.beginnings("b") == ["closed moved"])
    let untold = try StoreFixture().open()
    try untold.put([single("a", at: 60, reminders: [30])])
    try untold.show(false, now: at(1))
    #expect(try untold.dueCount(through: at(30)) == 1)
    #expect(try untold.beginnings() == ["closed"])
  }

  @Test func `what has lost its first steps has rung here`() throws {
    let store = try EventStore.rung()
    var reminder = try #require(try store.pendingReminders().first)
    var begun: Set<String> = []
    for minute in 31..<200 as Range<Int64> {
      reminder.due = at(minute).adding(seconds: 30)
      for state in [Reminder.State.snoozed, .due, .delivered] {
        reminder.state = state
        try store.record([reminder], at: state == .snoozed ? at(minute) : reminder.due)
        begun.formUnion(try store.beginnings())
      }
    }
    #expect(begun.contains("delivered") || begun.contains("snoozed"), "\(begun)")
    #expect(begun.allSatisfy { !$0.hasSuffix("moved") })
  }
}
