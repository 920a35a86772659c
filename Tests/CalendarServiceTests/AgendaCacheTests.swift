import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing

@testable import CalendarService
@testable import CalendarStore

@Suite struct `What is kept of the days around today` {
  private func occurrences(_ agent: AgentUnderTest) throws -> [Occurrence] {
    let span = TimeSpan(
      start: try Timestamp(text: "2026-11-21T00:00:00Z"),
      end: try Timestamp(text: "2026-11-25T00:00:00Z"))
    return try #require(agent.agent).reader().occurrences(in: span, limit: .max)
  }

  @Test func `a change is asked for in its own calendar, and an event of that uid elsewhere stays`()
    throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.call(Contract.calendars, "Create", ["Work", "", ""].map(Value.string))
    try agent.addStandup()
    for calendar in ["personal", "work"] {
      _ = try agent.call(
        Contract.events, "Add",
        [
          .string(calendar),
          .row([
            ("uid", .string("tea")), ("summary", .string("Tea")),
            ("start", .string("2026-11-21 16:00")),
          ]),
        ])
    }
    let kept = try occurrences(agent)
    #expect(kept.count == 3)
    let cache = AgendaCache()
    let span = TimeSpan(
      start: try Timestamp(text: "2026-11-20T00:00:00Z"),
      end: try Timestamp(text: "2026-11-30T00:00:00Z"))
    cache.keep(kept, of: span)
    let name = SeriesName(calendar: CalendarID("work"), uid: EventUID("tea"))
    var changes = ChangeSet(revision: 9, origin: .local)
    changes.names = [name]
    var asked: [SeriesName] = []
    try cache.apply(changes) { (name, _) throws(CallError) in
      asked.append(name)
      return []
    }
    #expect(asked == [name])
    #expect(
      cache.occurrences(in: span)?.map { "\($0.calendar) \($0.uid)" }
        == ["personal standup", "personal tea"])
    // The same with several at once.
    cache.keep(kept, of: span)
    changes.names.append(SeriesName(calendar: CalendarID("work"), uid: EventUID("standup")))
    try cache.apply(changes) { (_, _) throws(CallError) in [] }
    #expect(cache.count == 2)
  }
}
