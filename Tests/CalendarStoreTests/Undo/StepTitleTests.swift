import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

/// What the history calls the event of each step.
@Suite struct `Titles of steps` {
  private let store: EventStore

  init() throws { store = try StoreFixture().open() }

  private func at(_ text: String) throws -> EventTime {
    .zoned(try CivilDateTime(text: text), zone: "Europe/Berlin")
  }

  /// At 09:00 in Berlin from Saturday, 2026-11-21 on.
  private func daily(
    _ summary: String = "Stand-up", excluded: String..., overrides: [Event] = []
  ) throws -> EventSeries {
    var event = Event(
      uid: EventUID("daily"), start: try at("2026-11-21T09:00"),
      end: .duration(CalendarDuration(seconds: 1800)), summary: summary)
    event.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY")]
    event.recurrence.excluded = try excluded.map(at)
    return EventSeries(calendar: personal, master: event, overrides: overrides)
  }

  private func override(
    of original: String, _ summary: String, at start: String
  ) throws -> Event {
    var event = Event(uid: EventUID("daily"), start: try at(start), summary: summary)
    event.recurrenceID = try at(original)
    return event
  }

  private func change(
    _ action: UndoAction, _ body: (StoreChange) throws(StoreError) -> Void
  ) throws {
    try store.change(origin: .local, now: midnight) { change throws(StoreError) in
      change.action = action
      try body(change)
    }
  }

  /// The latest first; "-" before what is undone.
  private func titles() throws -> [String] {
    try store.history(limit: 10).map { entry in
      let title = try #require(entry.title)
      let day = try #require(title.start).reading.date
      return "\(entry.isUndone ? "-" : "")\(title.title) \(day)"
    }
  }

  /// Undoes all steps and redoes them: each keeps its title.
  private func expect(_ titles: [String]) throws {
    var expected = titles
    #expect(try self.titles() == expected)
    for index in titles.indices {
      _ = try store.undo(now: midnight)
      expected[index] = "-" + expected[index]
      #expect(try self.titles() == expected)
    }
    for index in titles.indices.reversed() {
      _ = try store.redo(now: midnight)
      expected[index].removeFirst()
      #expect(try self.titles() == expected)
    }
  }

  @Test func `a step has the title from before it, not one that came later`() throws {
    try store.put([single("a", at: 0, summary: "Lunch")])
    try store.put([single("a", at: 0, summary: "Dinner")])
    try store.put([single("a", at: 1440, summary: "Dinner")])
    try store.put([single("a", at: 1440, summary: "Supper")])
    try store.remove("a")
    try expect([
      "Supper 2026-11-22", "Dinner 2026-11-22", "Dinner 2026-11-21", "Lunch 2026-11-21",
      "Lunch 2026-11-21",
    ])
  }

  @Test func `a step that changed one occurrence has the day and title of that`() throws {
    let retro = try override(of: "2026-11-24T09:00", "Retro", at: "2026-11-25T10:00")
    try store.put([try daily()])
    try store.put([try daily(overrides: [retro])])
    let review = try override(of: "2026-11-24T09:00", "Review", at: "2026-11-25T10:00")
    try store.put([try daily(overrides: [review])])
    try change(.remove) { change throws(StoreError) in
      guard let series = try? daily(excluded: "2026-11-24T09:00") else { return }
      try change.put(series)
    }
    try change(.restore) { change throws(StoreError) in
      guard let series = try? daily() else { return }
      try change.put(series)
    }
    try store.put([try daily("Daily")])
    try expect([
      "Stand-up 2026-11-21", "Stand-up 2026-11-24", "Review 2026-11-25", "Retro 2026-11-25",
      "Stand-up 2026-11-24", "Stand-up 2026-11-21",
    ])
  }

  @Test func `a step that changed several occurrences has the first day of the series`() throws {
    try store.put([try daily()])
    try store.put([try daily(excluded: "2026-11-24T09:00", "2026-11-26T09:00")])
    try expect(["Stand-up 2026-11-21", "Stand-up 2026-11-21"])
  }

  @Test func `a step is named although a synchronisation removed its event`() throws {
    try store.put([single("a", at: 0, summary: "Lunch")])
    try store.put([single("a", at: 0, summary: "Dinner")])
    try store.change(origin: .sync, now: midnight) { change throws(StoreError) in
      _ = try change.remove(EventUID("a"), from: personal)
    }
    #expect(try titles() == ["Lunch 2026-11-21", "Lunch 2026-11-21"])
  }
}
