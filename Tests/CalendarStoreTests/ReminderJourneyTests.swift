import CalendarModel
import CivilTime
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

extension EventStore {
  fileprivate func sync(_ uid: String, with reminders: [Int64]) throws {
    try change(origin: .sync, now: at(41)) { change throws(StoreError) in
      try change.put(single(uid, at: 60, reminders: reminders))
    }
  }
}
