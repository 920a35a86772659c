import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

/// An event at 60 with a reminder 30 minutes before, which has rung and waits, at 31.
private func rung(
  _ event: EventSeries = single("a", at: 60, reminders: [30])
) throws -> EventStore {
  let store = try StoreFixture().open()
  try store.put([event])
  var taken = try store.takeDue(through: at(30), limit: 10)
  try #require(taken.count == event.components[0].alarms.count)
  for index in taken.indices { taken[index].state = .delivered }
  try store.record(taken, at: at(30))
  return store
}

/// What waits: when its event begins and it fell due, in minutes, and its state.
private func pending(_ store: EventStore) throws -> [String] {
  func minutes(_ instant: Timestamp) -> Int64 { (instant.seconds - midnight.seconds) / 60 }
  return try store.pendingReminders().map {
    "\(minutes($0.span.start)) \(minutes($0.due)) \($0.state)"
  }
}

private func due(_ store: EventStore, through instant: Timestamp) throws -> Int {
  try store.takeDue(through: instant, limit: 10).count
}

@Suite struct `Reminders whose event moves a little` {
  @Test(arguments: [61, 59, 45, 32]) func `one that does not ring again goes along`(start: Int64)
    throws
  {
    let store = try rung()
    let changes = try store.put([single("a", at: start, reminders: [30])], now: at(32))
    #expect(try pending(store) == ["\(start) \(start - 30) delivered"])
    #expect(changes.closedReminders.map(\.state) == [.closed(.eventMoved)])
    #expect(changes.reopenedReminders.map(\.span.start) == [at(start)])
    #expect(try due(store, through: at(70)) == 0)
  }

  @Test func `one that rings again does so at its new instant`() throws {
    let store = try rung()
    try store.put([single("a", at: 75, reminders: [30])], now: at(32))
    #expect(try pending(store) == [])
    #expect(try due(store, through: at(44)) == 0)
    #expect(try due(store, through: at(45)) == 1)
    // In the very second of the change.
    let other = try rung()
    try other.put([single("a", at: 62, reminders: [30])], now: at(32))
    #expect(try pending(other) == [])
    #expect(try due(other, through: at(32)) == 1)
  }

  @Test func `an event that is over takes it along`() throws {
    let store = try rung()
    try store.put([single("a", at: 10, lasting: 20, reminders: [30])], now: at(32))
    #expect(try pending(store) == [])
  }

  @Test func `a snooze goes on, and one until the start is until that of now`() throws {
    for (until, expected) in [(50, 50), (60, 61)] as [(Int64, Int64)] {
      let store = try rung()
      var reminder = try #require(try store.pendingReminders().first)
      reminder.state = .snoozed
      reminder.snoozes = 1
      reminder.due = at(until)
      try store.record([reminder], at: at(31))
      try store.put([single("a", at: 61, reminders: [30])], now: at(32))
      #expect(try pending(store) == ["61 \(expected) snoozed"])
      #expect(try store.pendingReminders().map(\.snoozes) == [1])
    }
  }

  @Test func `it goes along again and again, and with the words of its event`() throws {
    let store = try rung()
    try store.put([single("a", at: 61, reminders: [30])], now: at(32))
    try store.put([single("a", at: 61, summary: "b", reminders: [30])], now: at(33))
    try store.put([single("a", at: 58, summary: "b", reminders: [30])], now: at(34))
    #expect(try pending(store) == ["58 28 delivered"])
    #expect(try store.pendingReminders().map(\.summary) == ["b"])
  }

  @Test func `what was dismissed stays so, wherever the event goes`() throws {
    let store = try rung()
    try store.put([single("a", at: 61, reminders: [30])], now: at(32))
    var reminder = try #require(try store.pendingReminders().first)
    reminder.state = .acknowledged
    try store.record([reminder], at: at(33))
    _ = try store.undo(now: at(34))
    #expect(try pending(store) == [])
    _ = try store.redo(now: at(35))
    #expect(try pending(store) == [])
    #expect(try due(store, through: at(70)) == 0)
  }

  @Test func `a move that is taken back takes it back`() throws {
    let store = try rung()
    try store.put([single("a", at: 61, reminders: [30])], now: at(32))
    _ = try store.undo(now: at(33))
    #expect(try pending(store) == ["60 30 delivered"])
    _ = try store.redo(now: at(34))
    #expect(try pending(store) == ["61 31 delivered"])
  }

  @Test func `one whose alarm is taken away is over, also where another one was told of`() throws {
    let store = try rung(single("a", at: 50, reminders: [30, 20]))
    #expect(try pending(store).count == 2)
    try store.put([single("a", at: 50, reminders: [20])], now: at(32))
    #expect(try pending(store) == ["50 30 delivered"])
    try store.put([single("a", at: 51)], now: at(33))
    #expect(try pending(store) == [])
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
    let one = try rung(daily(60))
    try one.put([daily(60, moved: 61)], now: at(32))
    #expect(try pending(one) == ["61 31 delivered"])
    let all = try rung(daily(60))
    try all.put([daily(61)], now: at(32))
    #expect(try pending(all) == ["61 31 delivered"])
    #expect(try due(all, through: at(1400)) == 0)
    #expect(try due(all, through: at(1471)) == 1)
    // One that is taken out leaves its reminder to no other.
    let out = try rung(daily(60))
    var event = try daily(60).components[0]
    event.recurrence.excluded = [.utc(at(60))]
    event.alarms[0].trigger = .fromStart(CalendarDuration(seconds: -90_000))
    try out.put([EventSeries(calendar: personal, master: event)], now: at(32))
    #expect(try pending(out) == [])
  }

  @Test func `one that rang weeks before its occurrence goes along, too`() throws {
    let day: Int64 = 24 * 60
    func yearly(_ start: Int64) throws -> EventSeries {
      var event = single("a", at: start, reminders: [14 * day]).components[0]
      event.recurrence.rules = [try RecurrenceRule(text: "FREQ=YEARLY")]
      return EventSeries(calendar: personal, master: event)
    }
    let store = try rung(yearly(14 * day + 30))
    try store.put([yearly(14 * day + 35)], now: at(10 * day))
    #expect(try pending(store) == ["\(14 * day + 35) 35 delivered"])
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
    let store = try rung(toDo(60))
    try store.put([toDo(61)], now: at(32))
    #expect(try pending(store) == ["121 31 delivered"])
  }

  /// An invitation at so many minutes, with an answer, and a reminder 30 minutes before.
  private func invitation(
    _ start: Int64, _ answer: String, uid: String = "a"
  ) -> EventSeries {
    var event = single(uid, at: start, reminders: [30]).components[0]
    event.attendees = [Attendee(address: "mailto:ana@example.org", participation: answer)]
    return EventSeries(calendar: personal, master: event)
  }

  @Test func `one that moves and is declined waits for a change of mind, at its moment`() throws {
    let store = try rung(invitation(60, "accepted"))
    store.ownAddresses = ["ana@example.org"]
    let declined = try store.put([invitation(61, "declined")], now: at(32))
    #expect(declined.closedReminders.map(\.state) == [.closed(.declined)])
    #expect(declined.closedReminders.map(\.key.trigger) == [at(30)])
    #expect(try pending(store) == [])
    // Declined it moves on, and what is taken back moves it back.
    try store.put([invitation(59, "declined")], now: at(33))
    _ = try store.undo(now: at(34))
    let accepted = try store.put([invitation(61, "accepted")], now: at(35))
    #expect(accepted.reopenedReminders.map(\.key.trigger) == [at(31)])
    #expect(try pending(store) == ["61 31 delivered"])
    // Both at once, the other way round.
    try store.put([invitation(61, "declined")], now: at(36))
    try store.put([invitation(58, "accepted")], now: at(37))
    #expect(try pending(store) == ["58 28 delivered"])
    #expect(try due(store, through: at(70)) == 0)
  }

  @Test func `one that was put off and declined comes back when it was to`() throws {
    let store = try rung(invitation(60, "accepted"))
    store.ownAddresses = ["ana@example.org"]
    var reminder = try #require(try store.pendingReminders().first)
    reminder.state = .snoozed
    reminder.snoozes = 1
    reminder.due = at(50)
    try store.record([reminder], at: at(31))
    try store.put([invitation(61, "declined")], now: at(32))
    try store.put([invitation(61, "accepted")], now: at(33))
    #expect(try pending(store) == ["61 50 snoozed"])
  }

  private func show(
    _ store: EventStore, _ isVisible: Bool, now: Timestamp, origin: ChangeOrigin = .local
  ) throws {
    var calendar = try #require(try store.calendars().first { $0.id == personal })
    calendar.isVisible = isVisible
    try store.change(origin: origin, now: now) { change throws(StoreError) in
      try change.put(calendar: calendar)
    }
  }

  @Test func `one of a hidden calendar is at its moment when that is shown`() throws {
    let store = try rung()
    try show(store, false, now: at(32))
    let moved = try store.put([single("a", at: 61, reminders: [30])], now: at(33))
    #expect(moved.closedReminders.isEmpty && moved.reopenedReminders.isEmpty)
    #expect(try pending(store) == [])
    try store.put([single("a", at: 62, reminders: [30])], now: at(34))
    _ = try store.undo(now: at(35))
    try show(store, true, now: at(36))
    #expect(try pending(store) == ["61 31 delivered"])
    #expect(try due(store, through: at(70)) == 0)
  }

  // Its event had moved so far that it was to ring again, and its moment passed while nothing rang.
  @Test func `one that is told of no more does not come back with an edit`() throws {
    let hidden = try rung()
    try show(hidden, false, now: at(31))
    try hidden.put([single("a", at: 75, reminders: [30])], now: at(32))
    let silent = try hidden.takeDue(through: at(45), limit: 10)
    #expect(silent.map(\.state) == [.closed(.calendarHidden)])
    try show(hidden, true, now: at(50))
    #expect(try pending(hidden) == [])
    try hidden.put([single("a", at: 75, summary: "b", reminders: [30])], now: at(51))
    // Nor where it moves a little more.
    try hidden.put([single("a", at: 74, summary: "b", reminders: [30])], now: at(52))
    #expect(try pending(hidden) == [])
    let declined = try rung(invitation(60, "accepted"))
    declined.ownAddresses = ["ana@example.org"]
    try declined.put([invitation(60, "declined")], now: at(31))
    try declined.put([invitation(75, "declined")], now: at(32))
    #expect(
      try declined.takeDue(through: at(45), limit: 10).map(\.state) == [.closed(.declined)])
    try declined.put([invitation(75, "accepted")], now: at(50))
    #expect(try pending(declined) == [])
    try declined.put([invitation(74, "accepted")], now: at(51))
    #expect(try pending(declined) == [])
  }

  @Test func `a move that is far and is taken back while it is declined leaves it as it was`()
    throws
  {
    let store = try rung(invitation(60, "accepted"))
    store.ownAddresses = ["ana@example.org"]
    try store.put([invitation(60, "declined")], now: at(31))
    try store.put([invitation(75, "declined")], now: at(32))
    _ = try store.undo(now: at(33))
    try store.put([invitation(60, "accepted")], now: at(34))
    #expect(try pending(store) == ["60 30 delivered"])
  }

  /// Daily at 60 from a day on, for so many days, with a reminder 30 minutes before.
  private func daily(
    _ uid: String, from day: Int64, moved: Int64 = 0, count: Int, summary: String = "a",
    answer: String = "accepted"
  ) throws -> EventSeries {
    var event = invitation(day * 1440 + 60 + moved, answer, uid: uid).components[0]
    event.summary = summary
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=\(count)")]
    return EventSeries(calendar: personal, master: event)
  }

  /// A series "a" whose first and second day have rung and wait.
  private func rungTwice() throws -> EventStore {
    let store = try rung(daily("a", from: 0, count: 5))
    let second = try store.takeDue(through: at(1470), limit: 10).map { reminder in
      var told = reminder
      told.state = .delivered
      return told
    }
    try #require(second.count == 1)
    try store.record(second, at: at(1470))
    return store
  }

  /// Makes a series "b" of its second day and what follows, with other words.
  @discardableResult
  private func split(
    _ store: EventStore, moved minutes: Int64 = 0, answer: String = "accepted"
  ) throws -> ChangeSet {
    let firstHalf = try daily("a", from: 0, count: 1, answer: answer)
    let secondHalf = try daily(
      "b", from: 1, moved: minutes, count: 4, summary: "later", answer: answer)
    return try store.change(origin: .local, now: at(1472)) { change throws(StoreError) in
      try change.put(firstHalf)
      try change.put(secondHalf, partOf: EventUID("a"))
    }.1
  }

  @Test(arguments: [0, 1, -1]) func `what an edit of this and following moves goes along`(
    minutes: Int64
  ) throws {
    let store = try rungTwice()
    let changes = try split(store, moved: minutes)
    #expect(
      try pending(store) == ["60 30 delivered", "\(1500 + minutes) \(1470 + minutes) delivered"])
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["a", "b"])
    #expect(try store.pendingReminders().map(\.summary) == ["a", "later"])
    #expect(changes.reopenedReminders.map(\.key.uid.text) == ["b"])
    #expect(try due(store, through: at(1500)) == 0)
    _ = try store.undo(now: at(1473))
    #expect(try pending(store) == ["60 30 delivered", "1500 1470 delivered"])
    _ = try store.redo(now: at(1474))
    #expect(try pending(store).count == 2)
    #expect(try due(store, through: at(1500)) == 0)
  }

  @Test(arguments: [0, 1, -1])
  func `what became of it since an edit of this and following is not undone`(
    minutes: Int64
  ) throws {
    let dismissed = try rungTwice()
    try split(dismissed, moved: minutes)
    var both = try dismissed.pendingReminders()
    for index in both.indices { both[index].state = .acknowledged }
    try dismissed.record(both, at: at(1473))
    _ = try dismissed.undo(now: at(1474))
    #expect(try pending(dismissed) == [])
    let snoozed = try rungTwice()
    try split(snoozed, moved: minutes)
    var later = try #require(try snoozed.pendingReminders().last)
    later.state = .snoozed
    later.snoozes = 1
    later.due = at(1483)
    try snoozed.record([later], at: at(1473))
    let changes = try snoozed.undo(now: at(1474)).1
    #expect(try pending(snoozed) == ["60 30 delivered", "1500 1483 snoozed"])
    #expect(try snoozed.pendingReminders().map(\.snoozes) == [0, 1])
    #expect(changes.reopenedReminders.map(\.key.uid.text) == ["a"])
    _ = try snoozed.redo(now: at(1475))
    #expect(try pending(snoozed).last == "\(1500 + minutes) 1483 snoozed")
  }

  @Test(arguments: [0, 1, -1])
  func `nor is what became of it while that edit was taken back`(minutes: Int64) throws {
    let store = try rungTwice()
    try split(store, moved: minutes)
    _ = try store.undo(now: at(1473))
    var both = try store.pendingReminders()
    for index in both.indices { both[index].state = .acknowledged }
    try store.record([both[1]], at: at(1474))
    _ = try store.redo(now: at(1475))
    #expect(try pending(store) == ["60 30 delivered"])
    // That of the first day is of no other.
    let other = try rungTwice()
    try split(other, moved: minutes)
    _ = try other.undo(now: at(1473))
    try other.record([both[0]], at: at(1474))
    _ = try other.redo(now: at(1475))
    #expect(try other.pendingReminders().map(\.key.uid.text) == ["b"])
    let snoozed = try rungTwice()
    try split(snoozed, moved: minutes)
    _ = try snoozed.undo(now: at(1473))
    var later = try #require(try snoozed.pendingReminders().last)
    later.state = .snoozed
    later.snoozes = 1
    later.due = at(1483)
    try snoozed.record([later], at: at(1474))
    _ = try snoozed.redo(now: at(1475))
    #expect(try pending(snoozed) == ["60 30 delivered", "\(1500 + minutes) 1483 snoozed"])
  }

  @Test func `what rang of a part that is split off again is not taken for what was dismissed`()
    throws
  {
    let store = try rungTwice()
    try split(store)
    let dismissed = try #require(try store.pendingReminders().last)
    var done = dismissed
    done.state = .acknowledged
    try store.record([done], at: at(1473))
    var third = try store.takeDue(through: at(2910), limit: 10)
    try #require(third.map(\.key.uid.text) == ["b"])
    third[0].state = .delivered
    try store.record(third, at: at(2910))
    _ = try store.undo(now: at(2911))
    _ = try store.redo(now: at(2912))
    #expect(try pending(store) == ["60 30 delivered", "2940 2910 delivered"])
  }

  @Test(arguments: [0, 1, -1])
  func `what an edit of this and following moves while it is hidden is shown`(
    minutes: Int64
  ) throws {
    let store = try rungTwice()
    try show(store, false, now: at(1471))
    let changes = try split(store, moved: minutes)
    #expect(changes.closedReminders.isEmpty && changes.reopenedReminders.isEmpty)
    try show(store, true, now: at(1473))
    // That of the day before is too old by now.
    #expect(try pending(store) == ["\(1500 + minutes) \(1470 + minutes) delivered"])
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["b"])
    // Taken back while it is hidden, and while it is shown.
    for isShown in [false, true] {
      let store = try rungTwice()
      try show(store, false, now: at(1471))
      try split(store, moved: minutes)
      // What comes by sync is no step that would be taken back first.
      if isShown { try show(store, true, now: at(1473), origin: .sync) }
      _ = try store.undo(now: at(1474))
      if !isShown {
        #expect(try pending(store) == [])
        try show(store, true, now: at(1475))
      }
      #expect(try pending(store) == ["1500 1470 delivered"])
      #expect(try store.pendingReminders().map(\.key.uid.text) == ["a"])
    }
  }

  @Test
  func `what an edit of this and following moves while it is declined waits for a change of mind`()
    throws
  {
    let store = try rungTwice()
    store.ownAddresses = ["ana@example.org"]
    try store.put([daily("a", from: 0, count: 5, answer: "declined")], now: at(1471))
    try split(store, moved: 1, answer: "declined")
    #expect(try pending(store) == [])
    try store.put([daily("b", from: 1, moved: 1, count: 4)], now: at(1473))
    #expect(try pending(store) == ["1501 1471 delivered"])
  }

  /// Dismisses what an event is to ring at an instant.
  private func dismissAhead(
    _ store: EventStore, _ uid: String, at instant: Timestamp, now: Timestamp
  ) throws {
    let walk = try #require(
      try store.plannedWalk(after: instant.adding(seconds: -1), through: instant, limit: 5))
    while try walk.next() {}
    let alarm = try #require((walk.alarms ?? []).first { $0.occurrence.uid.text == uid })
    var reminder = Reminder(alarm)
    reminder.state = .acknowledged
    try store.record([reminder], at: now)
  }

  /// When what is taken up to an instant falls due, in minutes.
  private func taken(_ store: EventStore, through instant: Timestamp) throws -> [Int64] {
    try store.takeDue(through: instant, limit: 20).map {
      ($0.key.trigger.seconds - midnight.seconds) / 60
    }
  }

  @Test func `what was dismissed ahead stays so with an edit of this and following`() throws {
    // The third and the fourth day of five.
    let (third, fourth) = (at(2910), at(4350))
    let store = try rungTwice()
    try dismissAhead(store, "a", at: third, now: at(1471))
    try split(store)
    #expect(try taken(store, through: third) == [])
    // With another alarm before it, by which it has another number; and taken back, and done again.
    try dismissAhead(store, "b", at: fourth, now: at(2911))
    _ = try store.undo(now: at(2912))
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["a", "a"])
    #expect(try taken(store, through: at(2913)) == [])
    _ = try store.redo(now: at(2914))
    #expect(try taken(store, through: at(5790)) == [5790])
    let other = try rungTwice()
    try split(other)
    _ = try other.undo(now: at(1473))
    try dismissAhead(other, "a", at: third, now: at(1474))
    _ = try other.redo(now: at(1475))
    #expect(try taken(other, through: at(5790)) == [4350, 5790])
  }

  @Test func `what was answered of the part is not told anew when the edit is taken back`() throws {
    let store = try rungTwice()
    try split(store)
    var third = try store.takeDue(through: at(2910), limit: 10)
    try #require(third.map(\.key.uid.text) == ["b"])
    third[0].state = .acknowledged
    try store.record(third, at: at(2911))
    _ = try store.undo(now: at(2912))
    #expect(!(try store.pendingReminders().contains { $0.state == .due }))
    #expect(try taken(store, through: at(4350)) == [4350])
  }

  @Test func `it stays so under another number of the alarm, and with no other event`() throws {
    let store = try rungTwice()
    try dismissAhead(store, "a", at: at(2910), now: at(1471))
    var second = try #require(try daily("b", from: 1, count: 4).master)
    second.alarms = [
      Alarm(id: "1", trigger: .fromStart(CalendarDuration(seconds: -600))),
      Alarm(id: "2", trigger: .fromStart(CalendarDuration(seconds: -1800))),
    ]
    let firstHalf = try daily("a", from: 0, count: 1)
    let secondHalf = EventSeries(calendar: personal, master: second)
    try store.change(origin: .local, now: at(1472)) { change throws(StoreError) in
      try change.put(firstHalf)
      try change.put(secondHalf, partOf: EventUID("a"))
    }
    #expect(try taken(store, through: at(2930)) == [1490, 2930])
    // What it is moved to rings.
    let moved = try rungTwice()
    try dismissAhead(moved, "a", at: at(2910), now: at(1471))
    try split(moved, moved: 1)
    #expect(try taken(moved, through: at(2911)) == [2911])
    // What an import brings is no part of what it changes.
    let imported = try rungTwice()
    let (known, new) = try (
      daily("a", from: 0, count: 5, summary: "other"), daily("b", from: 2, count: 2)
    )
    try imported.change(origin: .import, now: at(1472)) { change throws(StoreError) in
      try change.put(known)
      try change.put(new)
    }
    try dismissAhead(imported, "b", at: at(2910), now: at(1473))
    _ = try imported.undo(now: at(1474))
    #expect(try taken(imported, through: at(2910)) == [2910])
  }

  @Test func `a move to a wrong day that another edit corrects loses nothing that waits`() throws {
    func event(_ start: Int64) -> EventSeries { single("a", at: start, reminders: [30]) }
    let store = try rung(event(60))
    let away = try store.put([event(60 + 1440)], now: at(32))
    #expect(away.closedReminders.map(\.state) == [.closed(.eventMoved)])
    // What it says elsewhere changes nothing.
    let said = try store.put([single("a", at: 1500, summary: "b", reminders: [30])], now: at(33))
    #expect(said.reopenedReminders.isEmpty)
    let back = try store.put([event(60)], now: at(34))
    #expect(back.reopenedReminders.map(\.key.trigger) == [at(30)])
    #expect(try pending(store) == ["60 30 delivered"])
    #expect(try due(store, through: at(1600)) == 0)
    // Also where all of it is taken back, one after the other, and done again.
    for expected in [[], [], ["60 30 delivered"]] {
      _ = try store.undo(now: at(35))
      #expect(try pending(store) == expected)
    }
    for expected in [[], [], ["60 30 delivered"]] {
      _ = try store.redo(now: at(36))
      #expect(try pending(store) == expected)
    }
  }

  @Test
  func `what was put off, too, and not what was dismissed, is too old or has lost its alarm`()
    throws
  {
    func event(_ start: Int64, _ reminders: [Int64] = [30]) -> EventSeries {
      single("a", at: start, reminders: reminders)
    }
    func answered(_ state: Reminder.State, until: Int64) throws -> EventStore {
      let store = try rung(event(60))
      var reminder = try #require(try store.pendingReminders().first)
      reminder.state = state
      reminder.snoozes = 1
      reminder.due = at(until)
      try store.record([reminder], at: at(31))
      try store.put([event(1500)], now: at(32))
      try store.put([event(60)], now: at(33))
      return store
    }
    #expect(try pending(answered(.snoozed, until: 50)) == ["60 50 snoozed"])
    #expect(try pending(answered(.acknowledged, until: 30)) == [])
    let old = try rung(event(60))
    try old.put([event(9000)], now: at(32))
    try old.put([event(60)], now: at(1500))
    #expect(try pending(old) == [])
    let silent = try rung(event(60))
    try silent.put([event(60, [])], now: at(32))
    try silent.put([event(60)], now: at(33))
    #expect(try pending(silent) == [])
  }

  @Test func `nor does one come back that waits under the name of a part, or elsewhere`() throws {
    let store = try rungTwice()
    try split(store)
    try store.put([daily("a", from: 0, count: 5)], now: at(1473))
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["a", "b"])
    // One occurrence, and all of a series.
    for isAll in [false, true] {
      let store = try rungTwice()
      let right = try daily("a", from: 0, count: 5)
      var wrong = right
      if isAll {
        wrong = try daily("a", from: 0, moved: 400, count: 5)
      } else {
        var override = try #require(right.master)
        override.recurrence = RecurrencePattern()
        override.recurrenceID = .utc(at(1500))
        override.start = .utc(at(1500 + 400))
        override.end = .time(.utc(at(1560 + 400)))
        wrong = EventSeries(calendar: personal, master: right.master, overrides: [override])
      }
      try store.put([wrong], now: at(1472))
      #expect(try pending(store) == (isAll ? [] : ["60 30 delivered"]))
      try store.put([right], now: at(1473))
      // That of the first day is too old by now.
      #expect(
        try pending(store) == (isAll ? [] : ["60 30 delivered"]) + ["1500 1470 delivered"])
      #expect(try taken(store, through: at(2910)) == [2910])
    }
  }

  @Test func `one that was moved there and back while it is hidden waits as that is shown`() throws
  {
    let store = try rung()
    try show(store, false, now: at(31))
    try store.put([single("a", at: 1500, reminders: [30])], now: at(32))
    try store.put([single("a", at: 60, reminders: [30])], now: at(33))
    #expect(try pending(store) == [])
    try show(store, true, now: at(34))
    #expect(try pending(store) == ["60 30 delivered"])
  }

  @Test func `what waits in a calendar that is hidden by mistake does so again, by undo, too`()
    throws
  {
    for isUndone in [false, true] {
      let store = try rung()
      try show(store, false, now: at(31))
      #expect(try pending(store) == [])
      if isUndone { _ = try store.undo(now: at(32)) } else { try show(store, true, now: at(32)) }
      #expect(try pending(store) == ["60 30 delivered"])
    }
  }

  @Test func `a day of EXDATE takes out what begins on it, and what waits of that is over`() throws
  {
    let store = try rungTwice()
    var event = try #require(try daily("a", from: 0, count: 5).master)
    let day = try #require(CivilDate(year: 2026, month: 11, day: 22))
    event.recurrence.excluded = [.date(day)]
    let changes = try store.put(
      [EventSeries(calendar: personal, master: event)], now: at(1472))
    #expect(changes.closedReminders.map(\.state) == [.closed(.eventRemoved)])
    // It comes back with that day.
    try store.put([daily("a", from: 0, count: 5)], now: at(1473))
    #expect(try pending(store) == ["60 30 delivered", "1500 1470 delivered"])
  }

  /// Of each reminder of an event its first step, and whether that is one that came along.
  private func beginnings(_ store: EventStore, _ uid: String = "a") throws -> [String] {
    try store.ledgerEntries(of: EventUID(uid), in: personal, recurrenceID: nil, limit: 10).map {
      ($0.steps.first?.state ?? "") + ($0.isMoved ? " moved" : "")
    }
  }

  @Test func `the ledger tells what came along from what rang here, and from what did not`() throws
  {
    let moved = try rung()
    try moved.put([single("a", at: 61, reminders: [30])], now: at(32))
    #expect(try beginnings(moved) == ["due", "delivered moved"])
    let hidden = try rungTwice()
    try show(hidden, false, now: at(1471))
    try split(hidden)
    #expect(try beginnings(hidden, "b") == ["closed moved"])
    try show(hidden, true, now: at(1473))
    #expect(try beginnings(hidden, "b") == ["closed moved"])
    let untold = try StoreFixture().open()
    try untold.put([single("a", at: 60, reminders: [30])])
    try show(untold, false, now: at(1))
    #expect(try due(untold, through: at(30)) == 1)
    #expect(try beginnings(untold) == ["closed"])
  }

  @Test func `what has lost its first steps has rung here`() throws {
    let store = try rung()
    var reminder = try #require(try store.pendingReminders().first)
    var begun: Set<String> = []
    for minute in 31..<200 as Range<Int64> {
      reminder.due = at(minute).adding(seconds: 30)
      for state in [Reminder.State.snoozed, .due, .delivered] {
        reminder.state = state
        try store.record([reminder], at: state == .snoozed ? at(minute) : reminder.due)
        begun.formUnion(try beginnings(store))
      }
    }
    #expect(begun.contains("delivered") || begun.contains("snoozed"), "\(begun)")
    #expect(begun.allSatisfy { !$0.hasSuffix("moved") })
  }
}
