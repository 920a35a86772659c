import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

@Suite struct `Reminders of a part that is split off` {
  @Test(arguments: [0, 1, -1]) func `what an edit of this and following moves goes along`(
    minutes: Int64
  ) throws {
    let store = try EventStore.rungTwice()
    let changes = try store.split(moved: minutes)
    #expect(
      try store.waiting() == ["60 30 delivered", "\(1500 + minutes) \(1470 + minutes) delivered"])
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["a", "b"])
    #expect(try store.pendingReminders().map(\.summary) == ["a", "later"])
    #expect(changes.reopenedReminders.map(\.key.uid.text) == ["b"])
    #expect(try store.dueCount(through: at(1500)) == 0)
    _ = try store.undo(now: at(1473))
    #expect(try store.waiting() == ["60 30 delivered", "1500 1470 delivered"])
    _ = try store.redo(now: at(1474))
    #expect(try store.waiting().count == 2)
    #expect(try store.dueCount(through: at(1500)) == 0)
  }

  @Test(arguments: [0, 1, -1])
  func `what became of it since an edit of this and following is not undone`(
    minutes: Int64
  ) throws {
    let dismissed = try EventStore.rungTwice()
    try dismissed.split(moved: minutes)
    var both = try dismissed.pendingReminders()
    for index in both.indices { both[index].state = .acknowledged }
    try dismissed.record(both, at: at(1473))
    _ = try dismissed.undo(now: at(1474))
    #expect(try dismissed.waiting() == [])
    let snoozed = try EventStore.rungTwice()
    try snoozed.split(moved: minutes)
    var later = try #require(try snoozed.pendingReminders().last)
    later.state = .snoozed
    later.snoozes = 1
    later.due = at(1483)
    try snoozed.record([later], at: at(1473))
    let changes = try snoozed.undo(now: at(1474)).1
    #expect(try snoozed.waiting() == ["60 30 delivered", "1500 1483 snoozed"])
    #expect(try snoozed.pendingReminders().map(\.snoozes) == [0, 1])
    #expect(changes.reopenedReminders.map(\.key.uid.text) == ["a"])
    _ = try snoozed.redo(now: at(1475))
    #expect(try snoozed.waiting().last == "\(1500 + minutes) 1483 snoozed")
  }

  @Test(arguments: [0, 1, -1])
  func `nor is what became of it while that edit was taken back`(minutes: Int64) throws {
    let store = try EventStore.rungTwice()
    try store.split(moved: minutes)
    _ = try store.undo(now: at(1473))
    var both = try store.pendingReminders()
    for index in both.indices { both[index].state = .acknowledged }
    try store.record([both[1]], at: at(1474))
    _ = try store.redo(now: at(1475))
    #expect(try store.waiting() == ["60 30 delivered"])
    // That of the first day is of no other.
    let other = try EventStore.rungTwice()
    try other.split(moved: minutes)
    _ = try other.undo(now: at(1473))
    try other.record([both[0]], at: at(1474))
    _ = try other.redo(now: at(1475))
    #expect(try other.pendingReminders().map(\.key.uid.text) == ["b"])
    let snoozed = try EventStore.rungTwice()
    try snoozed.split(moved: minutes)
    _ = try snoozed.undo(now: at(1473))
    var later = try #require(try snoozed.pendingReminders().last)
    later.state = .snoozed
    later.snoozes = 1
    later.due = at(1483)
    try snoozed.record([later], at: at(1474))
    _ = try snoozed.redo(now: at(1475))
    #expect(try snoozed.waiting() == ["60 30 delivered", "\(1500 + minutes) 1483 snoozed"])
  }

  @Test func `what rang of a part that is split off again is not taken for what was dismissed`()
    throws
  {
    let store = try EventStore.rungTwice()
    try store.split()
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
    #expect(try store.waiting() == ["60 30 delivered", "2940 2910 delivered"])
  }

  @Test(arguments: [0, 1, -1])
  func `what an edit of this and following moves while it is hidden is shown`(
    minutes: Int64
  ) throws {
    let store = try EventStore.rungTwice()
    try store.show(false, now: at(1471))
    let changes = try store.split(moved: minutes)
    #expect(changes.closedReminders.isEmpty && changes.reopenedReminders.isEmpty)
    try store.show(true, now: at(1473))
    // That of the day before is too old by now.
    #expect(try store.waiting() == ["\(1500 + minutes) \(1470 + minutes) delivered"])
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["b"])
    // Taken back while it is hidden, and while it is shown.
    for isShown in [false, true] {
      let store = try EventStore.rungTwice()
      try store.show(false, now: at(1471))
      try store.split(moved: minutes)
      // What comes by sync is no step that would be taken back first.
      if isShown { try store.show(true, now: at(1473), origin: .sync) }
      _ = try store.undo(now: at(1474))
      if !isShown {
        #expect(try store.waiting() == [])
        try store.show(true, now: at(1475))
      }
      #expect(try store.waiting() == ["1500 1470 delivered"])
      #expect(try store.pendingReminders().map(\.key.uid.text) == ["a"])
    }
  }

  @Test
  func `what an edit of this and following moves while it is declined waits for a change of mind`()
    throws
  {
    let store = try EventStore.rungTwice()
    store.ownAddresses = ["ana@example.org"]
    try store.put([EventSeries.daily("a", from: 0, count: 5, answer: "declined")], now: at(1471))
    try store.split(moved: 1, answer: "declined")
    #expect(try store.waiting() == [])
    try store.put([EventSeries.daily("b", from: 1, moved: 1, count: 4)], now: at(1473))
    #expect(try store.waiting() == ["1501 1471 delivered"])
  }

  @Test func `what was dismissed ahead stays so with an edit of this and following`() throws {
    // The third and the fourth day of five.
    let (third, fourth) = (at(2910), at(4350))
    let store = try EventStore.rungTwice()
    try store.dismissAhead("a", at: third, now: at(1471))
    try store.split()
    #expect(try store.takenMinutes(through: third) == [])
    // With another alarm before it, by which it has another number; and taken back, and done again.
    try store.dismissAhead("b", at: fourth, now: at(2911))
    _ = try store.undo(now: at(2912))
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["a", "a"])
    #expect(try store.takenMinutes(through: at(2913)) == [])
    _ = try store.redo(now: at(2914))
    #expect(try store.takenMinutes(through: at(5790)) == [5790])
    let other = try EventStore.rungTwice()
    try other.split()
    _ = try other.undo(now: at(1473))
    try other.dismissAhead("a", at: third, now: at(1474))
    _ = try other.redo(now: at(1475))
    #expect(try other.takenMinutes(through: at(5790)) == [4350, 5790])
  }

  @Test func `what was answered of the part is not told anew when the edit is taken back`() throws {
    let store = try EventStore.rungTwice()
    try store.split()
    var third = try store.takeDue(through: at(2910), limit: 10)
    try #require(third.map(\.key.uid.text) == ["b"])
    third[0].state = .acknowledged
    try store.record(third, at: at(2911))
    _ = try store.undo(now: at(2912))
    #expect(!(try store.pendingReminders().contains { $0.state == .due }))
    #expect(try store.takenMinutes(through: at(4350)) == [4350])
  }

  @Test func `it stays so under another number of the alarm, and with no other event`() throws {
    let store = try EventStore.rungTwice()
    try store.dismissAhead("a", at: at(2910), now: at(1471))
    var second = try #require(try EventSeries.daily("b", from: 1, count: 4).master)
    second.alarms = [
      Alarm(id: "1", trigger: .fromStart(CalendarDuration(seconds: -600))),
      Alarm(id: "2", trigger: .fromStart(CalendarDuration(seconds: -1800))),
    ]
    let firstHalf = try EventSeries.daily("a", from: 0, count: 1)
    let secondHalf = EventSeries(calendar: personal, master: second)
    try store.change(origin: .local, now: at(1472)) { change throws(StoreError) in
      try change.put(firstHalf)
      try change.put(secondHalf, partOf: EventUID("a"))
    }
    #expect(try store.takenMinutes(through: at(2930)) == [1490, 2930])
    // What it is moved to rings.
    let moved = try EventStore.rungTwice()
    try moved.dismissAhead("a", at: at(2910), now: at(1471))
    try moved.split(moved: 1)
    #expect(try moved.takenMinutes(through: at(2911)) == [2911])
    // What an import brings is no part of what it changes.
    let imported = try EventStore.rungTwice()
    let (known, new) = try (
      EventSeries.daily("a", from: 0, count: 5, summary: "other"),
      EventSeries.daily("b", from: 2, count: 2)
    )
    try imported.change(origin: .import, now: at(1472)) { change throws(StoreError) in
      try change.put(known)
      try change.put(new)
    }
    try imported.dismissAhead("b", at: at(2910), now: at(1473))
    _ = try imported.undo(now: at(1474))
    #expect(try imported.takenMinutes(through: at(2910)) == [2910])
  }
}
