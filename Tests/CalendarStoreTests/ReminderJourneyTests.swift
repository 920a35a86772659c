import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

private let work = CalendarID("work")

@Suite struct `Reminders whose event goes and comes` {
  private func prepared(_ reminders: [Int64]) throws -> EventStore {
    let store = try StoreFixture().open()
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([single("a", at: 60, reminders: reminders)])
    return store
  }

  private func move(_ store: EventStore, now: Timestamp) throws -> ChangeSet {
    let series = try #require(try store.series(EventUID("a"), in: personal))
    return try store.change(origin: .local, now: now) { change throws(StoreError) in
      try change.move(series, to: work)
    }.1
  }

  private func pending(_ store: EventStore) throws -> [String] {
    try store.pendingReminders().map { "\($0.key.calendar) \($0.state) \($0.due == at(55))" }
  }

  @Test func `a snooze goes along to another calendar, and back`() throws {
    let store = try prepared([30, 20])
    var taken = try store.takeDue(through: at(40), limit: 10)
    taken[0].state = .delivered
    taken[1].state = .snoozed
    taken[1].due = at(55)
    try store.record(taken, at: at(41))
    let moved = try move(store, now: at(42))
    #expect(moved.closedReminders.count == 2)
    #expect(moved.reopenedReminders.map(\.key.calendar) == [work, work])
    #expect(try pending(store) == ["work delivered false", "work snoozed true"])
    #expect(try store.takeDue(through: at(43), limit: 10).isEmpty)
    // One that is dismissed there stays so.
    var dismissed = try #require(try store.pendingReminders().first)
    dismissed.state = .acknowledged
    try store.record([dismissed], at: at(44))
    _ = try store.undo(now: at(45))
    #expect(try pending(store) == ["personal snoozed true"])
    _ = try store.redo(now: at(46))
    #expect(try pending(store) == ["work snoozed true"])
  }

  /// Dismissed before it was due, taken to another calendar, and put off there until 55.
  private func putOffElsewhere() throws -> EventStore {
    let store = try prepared([30])
    let walk = try #require(try store.plannedWalk(after: at(29), through: at(30), limit: 5))
    while try walk.next() {}
    var reminder = Reminder(try #require(walk.alarms?.first))
    reminder.state = .acknowledged
    try store.record([reminder], at: at(10))
    _ = try move(store, now: at(11))
    #expect(try pending(store) == [])
    var copy = reminder.moved(to: work)
    copy.state = .snoozed
    copy.due = at(55)
    copy.snoozes = 1
    try store.record([copy], at: at(12))
    return store
  }

  @Test func `what was dismissed ahead and put off elsewhere stays so on the way back`() throws {
    let store = try putOffElsewhere()
    let series = try #require(try store.series(EventUID("a"), in: work))
    _ = try store.change(origin: .local, now: at(13)) { change throws(StoreError) in
      try change.move(series, to: personal)
    }
    #expect(try pending(store) == ["personal snoozed true"])
  }

  @Test func `and when the way there is undone`() throws {
    let store = try putOffElsewhere()
    _ = try store.undo(now: at(13))
    #expect(try pending(store) == ["personal snoozed true"])
  }

  @Test func `also where the snooze is over by then`() throws {
    let store = try putOffElsewhere()
    var copy = try #require(try store.pendingReminders().first)
    copy.state = .delivered
    try store.record([copy], at: at(55))
    _ = try store.undo(now: at(56))
    #expect(try pending(store) == ["personal delivered true"])
  }

  @Test func `what another change closed is not opened by one that is taken back`() throws {
    let store = try prepared([30, 20])
    var taken = try store.takeDue(through: at(40), limit: 10)
    for index in taken.indices { taken[index].state = .delivered }
    try store.record(taken, at: at(40))
    // Within one second: first one moves the alarm at 30 away, then a title changes.
    try store.put([single("a", at: 60, reminders: [20])], now: at(40))
    try store.put([single("a", at: 60, summary: "b", reminders: [20])], now: at(40))
    #expect(try store.pendingReminders().count == 1)
    try store.sync("a", with: [30, 20])
    #expect(try store.pendingReminders().count == 1)
  }

  @Test func `one that was due and had not been told is told after all`() throws {
    let store = try prepared([30])
    try store.remove("a", now: at(30).adding(seconds: 5))
    _ = try store.undo(now: at(30).adding(seconds: 6))
    #expect(try store.takeDue(through: at(31), limit: 10).map(\.key.trigger) == [at(30)])
    #expect(try store.takeDue(through: at(31), limit: 10).isEmpty)
  }
}

@Suite struct `Reminders of what is taken out and put back` {
  /// Each day at 60, with a reminder at 30.
  private func daily(without excluded: [Int64] = []) throws -> EventSeries {
    var event = try #require(single("a", at: 60, reminders: [30]).master)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY")]
    event.recurrence.excluded = excluded.map { .utc(at($0)) }
    return EventSeries(calendar: personal, master: event)
  }

  private func states(_ store: EventStore) throws -> [Reminder.State] {
    try store.ledgerEntries(of: EventUID("a"), in: personal, recurrenceID: nil, limit: 10)
      .map(\.reminder.state)
  }

  private func rung() throws -> (EventStore, Reminder) {
    let store = try StoreFixture().open()
    try store.put([daily()])
    var reminder = try #require(try store.takeDue(through: at(30), limit: 10).first)
    reminder.state = .delivered
    try store.record([reminder], at: at(30))
    return (store, reminder)
  }

  @Test func `an occurrence that comes back brings its reminder along`() throws {
    let (store, reminder) = try rung()
    let gone = try store.put([daily(without: [60])], now: at(35))
    #expect(gone.closedReminders.map(\.state) == [.closed(.eventRemoved)])
    // Another one comes back first, and brings nothing.
    try store.put([daily(without: [60, 60 + 1440])], now: at(36))
    #expect(try store.put([daily(without: [60])], now: at(37)).reopenedReminders.isEmpty)
    let back = try store.put([daily()], now: at(40))
    #expect(back.reopenedReminders == [reminder])
    #expect(try store.pendingReminders() == [reminder])
    _ = try store.undo(now: at(41))
    #expect(try store.pendingReminders().isEmpty)
    _ = try store.redo(now: at(42))
    #expect(try store.pendingReminders() == [reminder])
  }

  @Test func `not one that was dismissed, and not when it is too old`() throws {
    var (store, reminder) = try rung()
    try store.put([daily(without: [60])], now: at(35))
    #expect(try store.put([daily()], now: at(30 + 1441)).reopenedReminders.isEmpty)
    (store, reminder) = try rung()
    reminder.state = .acknowledged
    try store.record([reminder], at: at(31))
    try store.put([daily(without: [60])], now: at(35))
    #expect(try store.put([daily()], now: at(40)).reopenedReminders.isEmpty)
    #expect(try states(store) == [.acknowledged])
  }

  @Test func `what fell due while an occurrence was out is told late, however that comes back`()
    throws
  {
    for isUndone in [false, true] {
      let store = try StoreFixture().open()
      try store.put([daily()])
      try store.put([daily(without: [60])], now: at(20))
      #expect(try store.takeDue(through: at(40), limit: 10).isEmpty)
      let changes = try isUndone ? store.undo(now: at(40)).1 : store.put([daily()], now: at(40))
      #expect(changes.reopenedReminders.map(\.key.trigger) == [at(30)])
      #expect(try states(store) == [.due])
      #expect(try store.takeDue(through: at(41), limit: 10).isEmpty)
    }
  }

  @Test func `what fell due while its event was away is taken when that is back`() throws {
    let store = try StoreFixture().open()
    try store.put([daily()])
    try store.remove("a", now: at(20))
    let removed = try #require(try store.removedEvent(EventUID("a")))
    let now = at(40 + 2 * 1440)
    _ = try store.restore(removed, to: personal, now: now)
    // Of three days: what is too old among them is not for the store to say.
    #expect(
      try store.takeDue(through: now, limit: 10).map(\.key.trigger)
        == (0..<3).map { at(30 + $0 * 1440) })
    #expect(try store.nextAlarm() == at(30 + 3 * 1440))
  }

  @Test func `what somebody has dismissed ahead stays so`() throws {
    let store = try StoreFixture().open()
    try store.put([daily()])
    let walk = try #require(try store.plannedWalk(after: at(29), through: at(30), limit: 5))
    while try walk.next() {}
    var reminder = Reminder(try #require(walk.alarms?.first))
    reminder.state = .acknowledged
    try store.record([reminder], at: at(10))
    try store.remove("a", now: at(20))
    #expect(try store.undo(now: at(40)).1.reopenedReminders.isEmpty)
    #expect(try store.takeDue(through: at(41), limit: 10).isEmpty)
    #expect(try states(store) == [.acknowledged])
  }

  @Test func `what a step puts beside what it changes is told by that, and once`()
    throws
  {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 60, reminders: [30])])
    // As where a part is split off.
    try store.put([single("a", at: 600), single("b", at: 60, reminders: [30])], now: at(10))
    _ = try store.undo(now: at(20))
    #expect(try store.takeDue(through: at(30), limit: 10).map(\.key.uid.text) == ["a"])
    _ = try store.redo(now: at(40))
    #expect(try store.takeDue(through: at(41), limit: 10).isEmpty)
  }
}

@Suite struct `Reminders of events that go quiet` {
  private let work = CalendarID("work")

  /// A store with two calendars, of which "personal" reminds 30 and 20 minutes before, and
  /// an event at 60 that has rung twice: one was told, the other is snoozed until 55.
  private func prepared(_ event: EventSeries = single("a", at: 60)) throws -> EventStore {
    let store = try StoreFixture().open()
    store.ownAddresses = ["ana@example.org"]
    try store.put(
      calendar: CalendarInfo(
        id: personal, name: "Personal", color: EventColor.palette[0], isDefault: true,
        timedReminders: [CalendarDuration(seconds: 1800), CalendarDuration(seconds: 1200)]),
      now: midnight)
    try store.put(
      calendar: CalendarInfo(id: work, name: "Work", color: EventColor.palette[1]), now: midnight)
    try store.put([event])
    var taken = try store.takeDue(through: at(40), limit: 10)
    try #require(taken.count == 2)
    taken[0].state = .delivered
    taken[1].state = .snoozed
    taken[1].due = at(55)
    try store.record(taken, at: at(41))
    return store
  }

  private func move(_ store: EventStore, to calendar: CalendarID, now: Timestamp) throws {
    let series = try #require(try store.series(EventUID("a"), in: nil))
    try store.change(origin: .local, now: now) { change throws(StoreError) in
      try change.move(series, to: calendar)
    }
  }

  @discardableResult
  private func show(
    _ isVisible: Bool, _ store: EventStore, _ id: CalendarID = personal, now: Timestamp
  ) throws -> ChangeSet {
    var calendar = try #require(try store.calendars().first { $0.id == id })
    calendar.isVisible = isVisible
    return try store.change(origin: .local, now: now) { change throws(StoreError) in
      try change.put(calendar: calendar)
    }.1
  }

  private func states(_ store: EventStore) throws -> [String] {
    try store.pendingReminders().map { "\($0.key.calendar) \($0.state)" }
  }

  private func ledger(_ store: EventStore) throws -> [Reminder.State] {
    try store.ledgerEntries(of: EventUID("a"), in: personal, recurrenceID: nil, limit: 10).map(
      \.reminder.state)
  }

  @Test func `what a calendar's defaults raised goes along to one with other defaults, and back`()
    throws
  {
    let store = try prepared()
    try move(store, to: work, now: at(42))
    #expect(try states(store) == ["work delivered", "work snoozed"])
    // A new title does not take it away there.
    try store.put([single("a", at: 60, summary: "b", calendar: work)], now: at(43))
    #expect(try states(store) == ["work delivered", "work snoozed"])
    _ = try store.undo(now: at(44))
    _ = try store.undo(now: at(45))
    #expect(try states(store) == ["personal delivered", "personal snoozed"])
    #expect(try store.takeDue(through: at(46), limit: 10).isEmpty)
    // Another time does.
    try store.put([single("a", at: 100)], now: at(47))
    #expect(try states(store) == [])
  }

  @Test func `what was dismissed in the other calendar stays so when the way is taken back`() throws
  {
    let store = try prepared()
    try move(store, to: work, now: at(42))
    var all = try store.pendingReminders()
    for index in all.indices { all[index].state = .acknowledged }
    try store.record(all, at: at(43))
    _ = try store.undo(now: at(44))
    #expect(try states(store) == [])
  }

  @Test func `what a hidden calendar had pending waits until it is shown, and is told once`() throws
  {
    let store = try prepared()
    let hidden = try show(false, store, now: at(42))
    #expect(
      hidden.closedReminders.map(\.state) == [.closed(.calendarHidden), .closed(.calendarHidden)])
    #expect(try states(store) == [])
    #expect(try ledger(store) == [.closed(.calendarHidden), .closed(.calendarHidden)])
    let shown = try show(true, store, now: at(50))
    #expect(shown.reopenedReminders.count == 2)
    #expect(try states(store) == ["personal delivered", "personal snoozed"])
    // A snooze that ended meanwhile is not told anew.
    try show(false, store, now: at(51))
    try show(true, store, now: at(56))
    #expect(try states(store) == ["personal delivered", "personal delivered"])
    #expect(try store.takeDue(through: at(57), limit: 10).isEmpty)
    // Two days later nobody wants to know.
    try show(false, store, now: at(58))
    try show(true, store, now: at(60 + 2 * 1440))
    #expect(try states(store) == [])
    #expect(try ledger(store) == [.closed(.calendarHidden), .closed(.calendarHidden)])
  }

  @Test func `what was pending when a calendar was hidden is not told again by a clock set back`()
    throws
  {
    let store = try prepared()
    try show(false, store, now: at(42))
    try store.replanAlarms(after: at(10))
    try show(true, store, now: at(11))
    // What rang is no snooze for lying ahead again.
    #expect(try states(store) == ["personal delivered", "personal snoozed"])
    #expect(try store.takeDue(through: at(45), limit: 10).isEmpty)
  }

  @Test func `nor is a snooze that had ended, which the ledger keeps`() throws {
    let store = try prepared()
    var reminder = try #require(try store.pendingReminders().first { $0.state == .snoozed })
    reminder.state = .delivered
    reminder.snoozes = 1
    try store.record([reminder], at: at(55))
    try show(false, store, now: at(56))
    try store.replanAlarms(after: at(45))
    try show(true, store, now: at(46))
    #expect(try states(store) == ["personal delivered", "personal delivered"])
    let steps = try store.ledgerEntries(
      of: EventUID("a"), in: personal, recurrenceID: nil, limit: 10
    ).flatMap(\.steps)
    #expect(steps.filter { $0.state == "snoozed" }.map(\.due) == [at(55)])
  }

  @Test func `what a hidden calendar keeps comes back with its event, whenever that is shown`()
    throws
  {
    let removed = try #require(try prepared().series(EventUID("a"), in: personal))
    func gone(_ now: Timestamp) throws -> EventStore {
      let store = try prepared()
      try show(false, store, now: at(42))
      try store.remove("a", now: now)
      #expect(try states(store) == [])
      return store
    }
    let shown = try gone(at(43))
    try show(true, shown, now: at(44))
    #expect(try states(shown) == [])
    let event = try #require(try shown.removedEvent(removed.uid))
    let back = try shown.restore(event, to: personal, now: at(45))
    #expect(back.reopenedReminders.count == 2)
    #expect(try states(shown) == ["personal delivered", "personal snoozed"])
    let hidden = try gone(at(43))
    _ = try hidden.undo(now: at(44))
    #expect(try states(hidden) == [])
    try show(true, hidden, now: at(45))
    #expect(try states(hidden) == ["personal delivered", "personal snoozed"])
    // Two days later nobody wants to know.
    let old = try gone(at(43))
    try show(true, old, now: at(44))
    let late = try #require(try old.removedEvent(removed.uid))
    _ = try old.restore(late, to: personal, now: at(60 + 2 * 1440))
    #expect(try states(old) == [])
  }

  @Test func `a snooze until its very trigger goes on, by a clock that was set back`() throws {
    let store = try prepared()
    var reminder = try #require(try store.pendingReminders().first)
    #expect(reminder.due == at(30))
    try store.replanAlarms(after: at(10))
    reminder.state = .snoozed
    reminder.snoozes = 1
    try store.record([reminder], at: at(10))
    try show(false, store, now: at(11))
    try show(true, store, now: at(12))
    #expect(try states(store) == ["personal snoozed", "personal snoozed"])
    try store.remove("a", now: at(13))
    _ = try store.undo(now: at(14))
    #expect(try states(store) == ["personal snoozed", "personal snoozed"])
  }

  @Test func `an event that is moved into a hidden calendar, or out of it, takes them along`()
    throws
  {
    let store = try prepared()
    try show(false, store, work, now: at(42))
    try move(store, to: work, now: at(43))
    #expect(try states(store) == [])
    try show(true, store, work, now: at(44))
    #expect(try states(store) == ["work delivered", "work snoozed"])
    try show(false, store, work, now: at(45))
    try move(store, to: personal, now: at(46))
    #expect(try states(store) == ["personal delivered", "personal snoozed"])
  }

  private func dismissAll(_ store: EventStore, now: Timestamp) throws {
    var all = try store.pendingReminders()
    for index in all.indices { all[index].state = .acknowledged }
    try store.record(all, at: now)
  }

  @Test func `one that was dismissed does not come back from a hidden calendar that it had left`()
    throws
  {
    let store = try prepared()
    try show(false, store, now: at(42))
    try move(store, to: work, now: at(43))
    #expect(try states(store) == ["work delivered", "work snoozed"])
    #expect(try ledger(store) == [.closed(.eventMoved), .closed(.eventMoved)])
    try dismissAll(store, now: at(44))
    try move(store, to: personal, now: at(45))
    try show(true, store, now: at(46))
    #expect(try states(store) == [])
    try move(store, to: work, now: at(47))
    #expect(try states(store) == [])
  }

  @Test func `nor when the way out of the hidden calendar was taken back`() throws {
    let store = try prepared()
    try show(false, store, work, now: at(42))
    try move(store, to: work, now: at(43))
    _ = try store.undo(now: at(44))
    #expect(try states(store) == ["personal delivered", "personal snoozed"])
    try dismissAll(store, now: at(45))
    _ = try store.redo(now: at(46))
    try show(true, store, work, now: at(47))
    #expect(try states(store) == [])
  }

  @Test func `what was dismissed in a calendar stays so when the event comes there again`() throws {
    let store = try prepared()
    try dismissAll(store, now: at(42))
    let open = try store.change(origin: .local, now: at(43)) { change throws(StoreError) in
      guard let series = try change.series(EventUID("a"), in: personal) else { return }
      try change.carry(
        change.reminders.latest(of: series.uid, in: personal, recurrenceID: nil, limit: 9).map {
          var pending = $0
          pending.state = .delivered
          return pending
        }, to: series)
    }.1.reopenedReminders
    #expect(open == [])
    #expect(try states(store) == [])
  }

  @Test func `what is too old when its calendar is shown is not told by a way to another`() throws {
    let store = try prepared()
    try show(false, store, now: at(42))
    try show(true, store, now: at(60 + 3 * 1440))
    try move(store, to: work, now: at(61 + 3 * 1440))
    #expect(try states(store) == [])
    // What is pending is so until somebody has seen it, however old it is.
    let other = try prepared()
    try move(other, to: work, now: at(61 + 3 * 1440))
    #expect(try states(other).count == 2)
  }

  @Test func `a cancellation that is taken back a year later brings up nothing`() throws {
    let store = try prepared()
    var event = single("a", at: 60).components[0]
    event.status = .cancelled
    try store.put([EventSeries(calendar: personal, master: event)], now: at(42))
    let changed = try store.put([single("a", at: 60)], now: at(365 * 1440))
    #expect(changed.reopenedReminders.isEmpty)
    #expect(try states(store) == [])
  }

  @Test func `what takes place after all while its calendar is hidden is told when that is shown`()
    throws
  {
    let store = try prepared()
    var event = single("a", at: 60).components[0]
    event.status = .cancelled
    try store.put([EventSeries(calendar: personal, master: event)], now: at(42))
    try show(false, store, now: at(43))
    try store.put([single("a", at: 60)], now: at(44))
    #expect(try ledger(store) == [.closed(.calendarHidden), .closed(.calendarHidden)])
    try show(true, store, now: at(45))
    #expect(try states(store) == ["personal delivered", "personal snoozed"])
    // The other way round: it is cancelled while the calendar is hidden.
    try show(false, store, now: at(46))
    try store.put([EventSeries(calendar: personal, master: event)], now: at(47))
    try show(true, store, now: at(48))
    #expect(try states(store) == [])
    try store.put([single("a", at: 60)], now: at(49))
    #expect(try states(store) == ["personal delivered", "personal snoozed"])
  }

  @Test
  func `a to-do that is done ends them with that reason, and one to be done after all does not`()
    throws
  {
    func toDo(_ status: ToDo.Status) -> EventSeries {
      var event = single("a", at: 60, reminders: [30, 20]).components[0]
      event.kind = .toDo(ToDo(status: status))
      return EventSeries(calendar: personal, master: event)
    }
    let store = try prepared(toDo(.needsAction))
    let done = try store.put([toDo(.completed)], now: at(42))
    #expect(done.closedReminders.map(\.state) == [.closed(.completed), .closed(.completed)])
    try store.put([toDo(.inProcess)], now: at(43))
    #expect(try states(store) == ["personal delivered", "personal snoozed"])
  }

  @Test func `a refusal ends them with that reason, and a change of mind brings them back`() throws
  {
    func invitation(_ answer: String) -> EventSeries {
      let series = single("a", at: 60)
      var event = series.components[0]
      event.attendees = [
        Attendee(address: "mailto:bo@example.org", participation: "accepted"),
        Attendee(address: "mailto:Ana@example.org", participation: answer),
      ]
      return EventSeries(calendar: personal, master: event)
    }
    let store = try prepared(invitation("accepted"))
    let changed = try store.put([invitation("declined")], now: at(42))
    #expect(changed.closedReminders.map(\.state) == [.closed(.declined), .closed(.declined)])
    #expect(try states(store) == [])
    let again = try store.put([invitation("accepted")], now: at(43))
    #expect(again.reopenedReminders.count == 2)
    #expect(try states(store) == ["personal delivered", "personal snoozed"])
  }

  @Test func `a cancellation ends them with that reason, and so does its undoing bring them back`()
    throws
  {
    let store = try prepared()
    var event = single("a", at: 60).components[0]
    event.status = .cancelled
    let changed = try store.put([EventSeries(calendar: personal, master: event)], now: at(42))
    #expect(changed.closedReminders.map(\.state) == [.closed(.cancelled), .closed(.cancelled)])
    _ = try store.undo(now: at(43))
    #expect(try states(store) == ["personal delivered", "personal snoozed"])
  }
}

extension EventStore {
  fileprivate func sync(_ uid: String, with reminders: [Int64]) throws {
    try change(origin: .sync, now: at(41)) { change throws(StoreError) in
      try change.put(single(uid, at: 60, reminders: reminders))
    }
  }
}
