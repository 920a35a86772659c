import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

@Suite struct `What is kept of the days around today` {
  private func days() throws -> TimeSpan {
    TimeSpan(
      start: try Timestamp(text: "2026-11-20T00:00:00Z"),
      end: try Timestamp(text: "2026-11-30T00:00:00Z"))
  }

  private func occurrences(_ agent: AgentUnderTest) throws -> [Occurrence] {
    let span = TimeSpan(
      start: try Timestamp(text: "2026-11-21T00:00:00Z"),
      end: try Timestamp(text: "2026-11-25T00:00:00Z"))
    return try #require(agent.agent).agenda.reader().rows(in: span, limit: .max)
  }

  @Test func `a change is asked for in its own calendar, and an event of that uid elsewhere stays`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
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
    let span = try days()
    cache.keep(kept, of: span)
    let name = SeriesName(calendar: CalendarID("work"), uid: EventUID("tea"))
    var names = [name]
    var asked: [SeriesName] = []
    try cache.apply(names) { (name, _) throws(CallError) in
      asked.append(name)
      return []
    }
    #expect(asked == [name])
    #expect(
      cache.occurrences(in: span)?.map { "\($0.calendar) \($0.uid)" }
        == ["personal standup", "personal tea"])
    // The same with several at once.
    cache.keep(kept, of: span)
    names.append(SeriesName(calendar: CalendarID("work"), uid: EventUID("standup")))
    try cache.apply(names) { (_, _) throws(CallError) in [] }
    #expect(cache.count == 2)
  }

  @Test func `what is changed while the days are read in parts is kept as it is then`() throws {
    let agent = try AgentUnderTest()
    for number in 0..<100 {
      _ = try agent.add("Event \(number)", at: "2026-11-22 \(10 + number % 10):00")
    }
    let service = try #require(agent.agent)
    service.cache.forget()
    let span = try days()
    let reader = try service.agenda.reader()
    #expect(try reader.gather(span, nanoseconds: 0) == .more)
    #expect(!service.cache.holds(span))
    _ = try agent.add("New", at: "2026-11-23 10:00")
    let first = try #require(
      try agent.call(
        Contract.calendar, "GetOccurrences",
        [.string("2026-11-22"), .string("2026-11-23"), .row([])])[0]
        .asArray?.first?["uid"]?.asString)
    _ = try agent.call(Contract.events, "Remove", [first, "", "all"].map(Value.string))
    while try reader.gather(span, nanoseconds: 0) == .more {}
    let kept = try #require(service.cache.occurrences(in: span))
    #expect(kept.count == 100)
    #expect(kept.last?.summary == "New")
    #expect(!kept.contains { $0.uid.text == first })
    service.cache.forget()
    #expect(try reader.keep(span))
    #expect(service.cache.occurrences(in: span) == kept)
  }

  @Test func `what is too much to be mended is read anew, in parts`() throws {
    let agent = try AgentUnderTest()
    let exceptions = (0...AgendaReader.mostExceptionsMended).map { number in
      let day =
        "\(2010 + number / 336)" + "\(101 + number / 28 % 12)".suffix(2)
        + "\(101 + number % 28)".suffix(2)
      return component(
        "a", "RECURRENCE-ID:\(day)T100000Z", "DTSTART:\(day)T110000Z", "SUMMARY:Later")
    }.joined()
    let daily = component("a", "DTSTART:20100101T100000Z", "RRULE:FREQ=DAILY", "SUMMARY:Daily")
    #expect(try agent.importing(calendar(daily, exceptions)).problems.isEmpty)
    let service = try #require(agent.agent)
    service.cache.forget()
    let span = try days()
    let reader = try service.agenda.reader()
    #expect(try reader.gather(span, nanoseconds: 0) == .more)
    // What a change of it does; the agent itself would go on reading as it answers.
    let series = SeriesName(calendar: try #require(reader.calendars.first).id, uid: EventUID("a"))
    try service.cache.apply([series]) { (_, _) throws(CallError) in [] }
    #expect(try reader.gather(span, nanoseconds: 0) == .more)
    #expect(!service.cache.holds(span))
    while try reader.gather(span, nanoseconds: 0) == .more {}
    #expect(service.cache.occurrences(in: span)?.count == 10)
  }

  @Test func `a great change has the reading begin anew`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let service = try #require(agent.agent)
    service.cache.forget()
    let span = try days()
    let gathering = AgendaCacheBuilder(
      of: [1, 2, 3], in: span, zone: try service.agenda.reader().zones.local)
    service.cache.gathering = gathering
    let names = (0..<101).map { SeriesName(calendar: CalendarID("a"), uid: EventUID("\($0)")) }
    try service.cache.apply(names) { (_, _) throws(CallError) in [] }
    #expect(service.cache.gathering == nil)
    #expect(gathering.touched.count == 101)
  }

  @Test func `the first of them are found without a look at the others`() throws {
    let agent = try AgentUnderTest()
    for hour in 10..<20 { _ = try agent.add("Event \(hour)", at: "2026-11-22 \(hour):00") }
    let cache = AgendaCache()
    let span = try days()
    cache.keep(try occurrences(agent), of: span)
    var asked = 0
    let found = cache.occurrences(in: span, limit: 3) { _ in
      asked += 1
      return true
    }
    #expect(found?.map(\.summary) == ["Event 10", "Event 11", "Event 12"])
    #expect(asked == 3)
  }
}
