import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

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
