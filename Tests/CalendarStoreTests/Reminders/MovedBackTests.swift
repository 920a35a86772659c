import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

@Suite struct `Reminders whose event is back where it was` {
  @Test func `a move to a wrong day that another edit corrects loses nothing that waits`() throws {
    func event(_ start: Int64) -> EventSeries { single("a", at: start, reminders: [30]) }
    let store = try EventStore.rung(event(60))
    let away = try store.put([event(60 + 1440)], now: at(32))
    #expect(away.closedReminders.map(\.state) == [.closed(.eventMoved)])
    // What it says elsewhere changes nothing.
    let said = try store.put([single("a", at: 1500, summary: "b", reminders: [30])], now: at(33))
    #expect(said.reopenedReminders.isEmpty)
    let back = try store.put([event(60)], now: at(34))
    #expect(back.reopenedReminders.map(\.key.trigger) == [at(30)])
    #expect(try store.waiting() == ["60 30 delivered"])
    #expect(try store.dueCount(through: at(1600)) == 0)
    // Also where all of it is taken back, one after the other, and done again.
    for expected in [[], [], ["60 30 delivered"]] {
      _ = try store.undo(now: at(35))
      #expect(try store.waiting() == expected)
    }
    for expected in [[], [], ["60 30 delivered"]] {
      _ = try store.redo(now: at(36))
      #expect(try store.waiting() == expected)
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
      let store = try EventStore.rung(event(60))
      var reminder = try #require(try store.pendingReminders().first)
      reminder.state = state
      reminder.snoozes = 1
      reminder.due = at(until)
      try store.record([reminder], at: at(31))
      try store.put([event(1500)], now: at(32))
      try store.put([event(60)], now: at(33))
      return store
    }
    #expect(try answered(.snoozed, until: 50).waiting() == ["60 50 snoozed"])
    #expect(try answered(.acknowledged, until: 30).waiting() == [])
    // What rang where it was moved to, and was answered there, is answered.
    let there = try EventStore.rung(event(60))
    try there.put([event(75)], now: at(32))
    var ringing = try #require(try there.takeDue(through: at(45), limit: 5).first)
    ringing.state = .acknowledged
    try there.record([ringing], at: at(46))
    try there.put([event(60)], now: at(47))
    #expect(try there.waiting() == [])
    let old = try EventStore.rung(event(60))
    try old.put([event(9000)], now: at(32))
    try old.put([event(60)], now: at(1500))
    #expect(try old.waiting() == [])
    let silent = try EventStore.rung(event(60))
    try silent.put([event(60, [])], now: at(32))
    try silent.put([event(60)], now: at(33))
    #expect(try silent.waiting() == [])
  }

  @Test func `nor does one come back that waits under the name of a part, or elsewhere`() throws {
    let store = try EventStore.rungTwice()
    try store.split()
    try store.put([EventSeries.daily("a", from: 0, count: 5)], now: at(1473))
    #expect(try store.pendingReminders().map(\.key.uid.text) == ["a", "b"])
    // One occurrence, and all of a series.
    for isAll in [false, true] {
      let store = try EventStore.rungTwice()
      let right = try EventSeries.daily("a", from: 0, count: 5)
      var wrong = right
      if isAll {
        wrong = try EventSeries.daily("a", from: 0, moved: 400, count: 5)
      } else {
        var override = try #require(right.master)
        override.recurrence = RecurrencePattern()
        override.recurrenceID = .utc(at(1500))
        override.start = .utc(at(1500 + 400))
        override.end = .time(.utc(at(1560 + 400)))
        wrong = EventSeries(calendar: personal, master: right.master, overrides: [override])
      }
      try store.put([wrong], now: at(1472))
      #expect(try store.waiting() == (isAll ? [] : ["60 30 delivered"]))
      try store.put([right], now: at(1473))
      // That of the first day is too old by now.
      #expect(
        try store.waiting() == (isAll ? [] : ["60 30 delivered"]) + ["1500 1470 delivered"])
      #expect(try store.takenMinutes(through: at(2910)) == [2910])
    }
  }

  @Test func `one that was moved there and back while it is hidden waits as that is shown`() throws
  {
    let store = try EventStore.rung()
    try store.show(false, now: at(31))
    try store.put([single("a", at: 1500, reminders: [30])], now: at(32))
    try store.put([single("a", at: 60, reminders: [30])], now: at(33))
    #expect(try store.waiting() == [])
    try store.show(true, now: at(34))
    #expect(try store.waiting() == ["60 30 delivered"])
  }

  @Test func `what waits in a calendar that is hidden by mistake does so again, by undo, too`()
    throws
  {
    for isUndone in [false, true] {
      let store = try EventStore.rung()
      try store.show(false, now: at(31))
      #expect(try store.waiting() == [])
      if isUndone { _ = try store.undo(now: at(32)) } else { try store.show(true, now: at(32)) }
      #expect(try store.waiting() == ["60 30 delivered"])
    }
  }
}
