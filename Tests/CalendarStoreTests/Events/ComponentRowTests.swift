import CalendarModel
import CivilTime
import Recurrence
import Testing

@testable import CalendarStore

@Suite struct `Events in rows` {
  @Test(arguments: 1...20)
  func `whatever an event has comes back`(seed: Int) throws {
    let fixture = try StoreFixture()
    let store = try fixture.open()
    var random = RandomEvents(seed: UInt64(seed))
    var all: [EventSeries] = []
    for index in 0..<25 {
      all.append(try random.series("uid \(index) é\"'", calendar: personal))
    }
    try store.put(all)
    for series in all {
      let found = try #require(try store.series(series.uid, in: personal))
      #expect(found.master == series.master, "seed \(seed)")
      #expect(found.overrides == series.overrides, "seed \(seed)")
    }
    // Written over by others, they come back as the others.
    var changed: [EventSeries] = []
    for index in 0..<25 {
      changed.append(try random.series("uid \(index) é\"'", calendar: personal))
    }
    try store.put(changed)
    store.close()
    let again = try fixture.open()
    for series in changed {
      let found = try #require(try again.series(series.uid, in: personal))
      #expect(found.components == series.components, "seed \(seed)")
    }
    let events = changed.filter { $0.kind == .event }
    #expect(try again.eventCounts() == [personal: events.count])
    let toDos = Set(changed.filter { $0.components[0].toDo != nil }.map(\.uid))
    #expect(try Set(again.toDos(calendars: nil).map(\.uid)) == toDos)
    #expect(
      try again.number("SELECT count(*) FROM components")
        == Int64(changed.map(\.components.count).reduce(0, +)))
  }

  @Test(arguments: [
    "start = 'soon'", "start = '20261321'", "finish = 'P'", "status = 'maybe'", "class = ''",
    "kind = 'meeting'", "kind = 'to-do'", "kind = 'to-do', progress = 'soon'", "anchor = 'end'",
    "rules = '5:FREQ'", "excluded = '3:abc'", "attendees = '1:a'", "alarms = '1:1'",
  ])
  func `a row that nobody wrote is told with its event`(spoiled: String) throws {
    let store = try StoreFixture().open()
    try store.put([single("the one", at: 0, reminders: [5])])
    try store.database.execute("UPDATE components SET \(spoiled)")
    let error = try #require(throws: StoreError.self) {
      _ = try store.series(EventUID("the one"), in: nil)
    }
    guard case .corrupt(_, let detail) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(detail.contains("the one"))
  }

  @Test func `an event of which nothing is left is told`() throws {
    let store = try StoreFixture().open()
    try store.put([single("a", at: 0)])
    try store.database.execute("DELETE FROM components")
    #expect(throws: StoreError.self) { _ = try store.series(EventUID("a"), in: nil) }
  }
}
