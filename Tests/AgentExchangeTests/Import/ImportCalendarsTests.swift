import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Calendars of an import` {
  private static let table = """
    calendar,uid,start,summary
    Personal,a,2026-11-21,A
    work,b,2026-11-21,B
    WORK,a,2026-11-22,A of work
    Nowhere,c,2026-11-21,C
    ,d,2026-11-21,D

    """

  private func agent() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    return agent
  }

  private func names(_ agent: AgentUnderTest) throws -> [String] {
    (try agent.call(Contract.events, "List", [.row([])])[0].asArray ?? []).map {
      "\($0["calendar"]?.asString ?? "")/\($0["uid"]?.asString ?? "")"
    }.sorted()
  }

  @Test func `each row of a table goes into the calendar that it names`() throws {
    let agent = try agent()
    let outcome = try agent.importTelling(Self.table)
    #expect(outcome.counts == [5, 0, 0, 0])
    #expect(outcome.problems.map { $0.split(separator: ":")[1] } == ["1 unknown-calendar"])
    #expect(try names(agent) == ["personal/a", "personal/c", "personal/d", "work/a", "work/b"])
    #expect(
      outcome.problems[0].contains(
        "no calendar is called \"Nowhere\"; its events go into personal. A table makes no "
          + "calendars"))
    // What was written is known again, each where it is.
    #expect(try agent.importTelling(Self.table).counts == [0, 0, 5, 0])
    let revision = try agent.property("Revision")
    let changes = try agent.call(Contract.calendar, "ChangesSince", [.uint64(1)])
    #expect(changes[2].asArray?.count == 5, "\(revision)")
    _ = try agent.call(Contract.events, "Undo")
    #expect(try names(agent) == [])
  }

  @Test func `of calendars that differ in their case none is guessed`() throws {
    let agent = try agent()
    try agent.createCalendar("WORK")
    let outcome = try agent.importTelling(
      "calendar,uid,start,summary\nwOrK,a,2026-11-21,A\nWORK,b,2026-11-21,B\n"
        + "Work,c,2026-11-21,C\nwork,d,2026-11-21,D\nWork-2,e,2026-11-21,E\n")
    #expect(outcome.problems.map { $0.split(separator: ":")[1] } == ["1 unknown-calendar"])
    #expect(outcome.problems[0].contains("\"wOrK\" can mean 2 calendars: use the ID"))
    #expect(
      try names(agent) == ["personal/a", "work-2/b", "work-2/e", "work/c", "work/d"])
  }

  @Test func `our own table brings all back where it was`() throws {
    let agent = try agent()
    _ = try agent.importTelling(Self.table)
    let text = try agent.exportedText(of: "work", as: "csv")
    _ = try agent.call(Contract.events, "RemoveMany", [.strings(["work/a", "work/b"])])
    #expect(try agent.importTelling(text).counts == [2, 0, 0, 0])
    #expect(try names(agent) == ["personal/a", "personal/c", "personal/d", "work/a", "work/b"])
  }

  @Test func `a calendar that the caller names takes all, and that is told`() throws {
    let agent = try agent()
    let outcome = try agent.importTelling(Self.table, into: "work")
    #expect(
      outcome.problems.map { $0.split(separator: ":")[1] }
        == ["1 calendar-ignored", "1 duplicate-uid"])
    #expect(try names(agent).allSatisfy { $0.hasPrefix("work/") })
  }

  @Test func `rows of a calendar that cannot be written are failures`() throws {
    let agent = try agent()
    _ = try agent.call(
      Contract.calendars, "Update", [.string("work"), .row([("read-only", .boolean(true))])])
    let outcome = try agent.importTelling(Self.table)
    #expect(outcome.counts == [3, 0, 0, 2])
    #expect(outcome.problems.contains { $0.contains("\"Work\" (work) is read-only") })
  }

  @Test func `an event that another calendar has is changed there, and told, where none is named`()
    throws
  {
    let agent = try agent()
    func text(_ summary: String, _ sequence: Int) -> String {
      calendar(
        component(
          "a", "DTSTART:20261121T140000Z", "SUMMARY:\(summary)", "SEQUENCE:\(sequence)"))
    }
    _ = try agent.importTelling(text("A", 0), into: "work")
    let outcome = try agent.importTelling(text("B", 1))
    #expect(outcome.counts == [0, 1, 0, 0])
    #expect(outcome.problems.count == 1)
    #expect(
      outcome.problems[0].contains(
        "in-other-calendar: already in work; updated in work. Name the calendar to have"))
    #expect(try names(agent) == ["work/a"])
    let skipped = try agent.importTelling(text("C", 2), mode: "skip-existing")
    #expect(skipped.counts == [0, 0, 1, 0])
    #expect(
      skipped.problems[0].contains("already in work, and unchanged. Name the calendar"),
      "\(skipped.problems)")
    // Whoever names the calendar means it; then each is known where it is.
    #expect(try agent.importTelling(text("B", 1), into: "personal").counts == [1, 0, 0, 0])
    #expect(try agent.importTelling(text("B", 1)).problems == [])
    #expect(try names(agent) == ["personal/a", "work/a"])
  }

  @Test func `what is in a calendar that cannot be written is added, and told`() throws {
    let agent = try agent()
    let text = calendar(component("a", "DTSTART:20261121T140000Z", "SUMMARY:A"))
    _ = try agent.importTelling(text, into: "work")
    _ = try agent.call(
      Contract.calendars, "Update", [.string("work"), .row([("read-only", .boolean(true))])])
    let outcome = try agent.importTelling(text)
    #expect(outcome.counts == [1, 0, 0, 0])
    #expect(
      outcome.problems[0].contains(
        "in-other-calendar: an event with this UID is already in work, unchanged; added to personal"
      ))
    #expect(try names(agent) == ["personal/a", "work/a"])
  }

  @Test func `rows that name no calendar, or none that there is, are told, too`() throws {
    let agent = try agent()
    try agent.createCalendar("Club")
    for calendar in ["work", "club"] {
      _ = try agent.importTelling(
        "uid,summary,start\na,A,2026-11-21\nb,B,2026-11-21\nc,C,2026-11-21\n", into: calendar)
    }
    let outcome = try agent.importTelling(
      "calendar,uid,summary,start\n,a,A,2026-11-21\nNowhere,b,B,2026-11-21\n"
        + "Personal,c,C,2026-11-21\n,d,D,2026-11-21\n")
    // The one that names its calendar is added there; the others are known where they are.
    #expect(outcome.counts == [2, 0, 2, 0])
    let told = outcome.problems.filter { $0.contains("in-other-calendar: ") }
    #expect(told.count == 3, "\(outcome.problems)")
    #expect(told.count { $0.contains("already in work, club, and unchanged. ") } == 2, "\(told)")
    #expect(told.count { $0.contains("unchanged; added to personal, too") } == 1, "\(told)")
  }
}
