import CalendarBus
import CalendarImport
import CalendarModel
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// What an import answered: added, updated, skipped, failed; and the words of the problems.
private struct Outcome: Equatable {
  let counts: [Int64]
  let problems: [String]
}

extension AgentUnderTest {
  fileprivate func take(
    _ text: String, into calendar: String = "", mode: String = ""
  ) throws -> Outcome {
    let values = try call(
      Contract.transfer, "ImportText", [.string(text), .string(calendar), .string(mode)])
    return Outcome(
      counts: importCounts(values[0]),
      problems: (values[1].asArray ?? []).map { $0["problem"]?.asString ?? "" })
  }

  /// The calendars in order, each with the number of its events.
  fileprivate func calendars() throws -> [String] {
    (try call(Contract.calendars, "List")[0].asArray ?? []).map {
      "\($0["id"]?.asString ?? "") \($0["events"]?.asInteger ?? -1)"
    }
  }

  fileprivate func set(_ calendar: String, _ key: String, _ value: Value) throws {
    _ = try call(Contract.calendars, "Update", [.string(calendar), .row([(key, value)])])
  }
}

private func day(_ uid: String, _ lines: String...) -> String {
  component(uid, "DTSTART;VALUE=DATE:20261121", lines.joined(separator: "\r\n"))
}

extension String {
  /// With a line that the VCALENDAR says of itself.
  fileprivate func headed(_ line: String) -> String {
    replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\n\(line)\r\n")
  }
}

@Suite struct `Exceptions far behind their series` {
  private let series = day("s", "SUMMARY:Daily", "RRULE:FREQ=DAILY;COUNT=3")
  private let exception = component(
    "s", "RECURRENCE-ID;VALUE=DATE:20261122", "DTSTART;VALUE=DATE:20261122", "SUMMARY:Changed")
  // More than are read in one slice.
  private let others = (0..<300).map { day("o\($0)", "SUMMARY:Other") }.joined()

  @Test(arguments: ["", "replace", "skip-existing"])
  func `they stay out of a calendar that cannot be written`(mode: String) throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    _ = try agent.take(calendar(series, others), into: "work")
    try agent.set("work", "read-only", .boolean(true))
    let before = try agent.exportedText(of: "work")
    let text = calendar(series, others, exception).headed("X-WR-CALNAME:Work")
    let keeps = mode == "skip-existing"
    #expect(
      try agent.take(text, mode: mode)
        == Outcome(
          counts: keeps ? [0, 0, 301, 0] : [0, 0, 300, 1],
          problems: keeps ? [] : ["read-only-calendar"]))
    #expect(try agent.exportedText(of: "work") == before)
    // What is there already is nothing to tell of.
    try agent.set("work", "read-only", .boolean(false))
    #expect(try agent.take(text).problems == [])
    #expect(try agent.exportedText(of: "work").contains("SUMMARY:Changed"))
    try agent.set("work", "read-only", .boolean(true))
    // To replace is to leave out the exception until it comes, and so is refused.
    if mode == "replace" { return }
    #expect(try agent.take(text, mode: mode) == Outcome(counts: [0, 0, 301, 0], problems: []))
  }

  @Test func `copies keep theirs, in each calendar`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    let (mine, theirs) = ("X-WR-CALNAME:Personal", "X-WR-CALNAME:Work")
    let text =
      calendar(series, others).headed(mine) + calendar(series, others).headed(theirs)
      + calendar(exception).headed(mine)
      + calendar(exception.replacing("Changed", with: "Differs")).headed(theirs)
    #expect(try agent.take(text, mode: "copy") == Outcome(counts: [602, 0, 0, 0], problems: []))
    #expect(
      try agent.summaries(from: "2026-11-22").filter { $0 != "Daily" } == ["Changed", "Differs"])
    #expect(try !agent.exportedText().contains("UID:s\r\n"))
  }
}

@Suite struct `What an import counts` {
  @Test func `one that was skipped is refused afterwards, and never more than were skipped`() {
    var counts = ImportCounts()
    counts.count(.skip, in: CalendarID("x"))
    counts.refuseSkipped(in: CalendarID("x"))
    counts.refuseSkipped(in: CalendarID("x"))
    #expect(counts.skipped == 0)
    #expect(counts.failed == 2)
    #expect(counts.value(byCalendar: true).asRow?.count == 4)
  }
}

@Suite struct `A calendar that a text names` {
  @Test(arguments: ["X-WR-CALNAME:WORK", "X-DATEBOOK-CALENDAR:other\r\nNAME:work"])
  func `its name counts in any case, as in a table`(head: String) throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    #expect(try agent.take(calendar(day("a")).headed(head)).problems == [])
    #expect(try agent.calendars() == ["personal 0", "work 1"])
  }
}

@Suite struct `The name and the colour that another program gave a calendar` {
  private func told(
    _ heads: String..., into calendar: String = "", by agent: AgentUnderTest
  ) throws -> [String] {
    let text = heads.enumerated().map {
      AgentSupport.calendar(day("a\($0)")).headed($1)
    }.joined()
    let values = try agent.call(
      Contract.transfer, "ImportText", [.string(text), .string(calendar), .string("")])
    return (values[1].asArray ?? []).map {
      "\($0["line"]?.asInteger ?? -1) \($0["problem"]?.asString ?? "") \($0["text"]?.asString ?? "")"
    }
  }

  @Test func `are told once where the calendar that its events go into has others`() throws {
    let agent = try AgentUnderTest()
    let head = "X-WR-CALNAME:Team\r\nX-APPLE-CALENDAR-COLOR:#FF0000FF"
    #expect(
      try told(head, head, by: agent) == [
        "1 calendar-name the calendar has the name \"Team\" and the color #ff0000 in the file; its "
          + "events went into \"Personal\" (personal), which keeps its own; use own-calendars to "
          + "create a calendar of that name"
      ])
    #expect(
      try told("NAME:PERSONAL\r\nCOLOR:red", by: agent)
        == [
          "1 calendar-name the calendar has the color #ff0000 in the file; its events went into "
            + "\"Personal\" (personal), which keeps its own color"
        ])
    #expect(try agent.calendars() == ["personal 2"])
  }

  @Test func `are told where no calendar of that name can be made`() throws {
    let agent = try AgentUnderTest()
    let name = String(repeating: "long", count: 200)
    let (counts, problems) = try agent.importing(
      AgentSupport.calendar(day("a")).headed(
        "X-DATEBOOK-CALENDAR:x\r\nX-WR-CALNAME:\(name)"))
    #expect(counts == [1, 0, 0, 0])
    #expect(problems.map { $0["problem"]?.asString } == ["calendar-name"])
    #expect(try agent.calendars() == ["personal 1"])
  }

  @Test func `are not where they are the same, or the caller names a calendar`() throws {
    let agent = try AgentUnderTest()
    #expect(try told("X-WR-CALNAME:personal", by: agent) == [])
    #expect(try told("X-WR-CALNAME:Team\r\nCOLOR:red", into: "personal", by: agent) == [])
    // One of ours has an id by which it is found.
    try agent.set("personal", "name", .string("Home"))
    #expect(try told("X-DATEBOOK-CALENDAR:personal\r\nNAME:Mine\r\nCOLOR:red", by: agent) == [])
  }
}

@Suite struct `An event that two calendars have` {
  @Test func `a file of the name of one adds no copy of what the other has`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Family")
    _ = try agent.take(calendar(day("a", "SUMMARY:Mine")))
    let text = calendar(day("a", "SUMMARY:Theirs")).headed("X-WR-CALNAME:Family")
    // It is the same event, and is updated where it is.
    for counts in [[0, 1, 0, 0], [0, 0, 1, 0]] as [[Int64]] {
      let outcome = try agent.take(text)
      #expect(outcome.counts == counts && outcome.problems.contains("in-other-calendar"))
    }
    #expect(try agent.exportedText(of: "personal").contains("SUMMARY:Theirs"))
    #expect(try agent.calendars() == ["personal 1", "family 0"])
    // Whoever names the calendar asks for it.
    #expect(
      try agent.take(text, into: "family") == Outcome(counts: [1, 0, 0, 0], problems: []))
    #expect(try agent.take(text) == Outcome(counts: [0, 0, 1, 0], problems: []))
    #expect(try agent.exportedText(of: "family").contains("SUMMARY:Theirs"))
  }
}

@Suite struct `Backups and other files that are read together` {
  @Test func `with replace what others wrote stays where it is`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    _ = try agent.take(calendar(day("team")), into: "work")
    // Both go to the same calendar, which the one alone names.
    let text = calendar(day("mine")).headed("X-DATEBOOK-CALENDAR:personal") + calendar(day("team"))
    #expect(
      try agent.take(text, mode: "replace")
        == Outcome(counts: [1, 0, 1, 0], problems: ["in-other-calendar"]))
    #expect(try agent.calendars() == ["personal 1", "work 1"])
  }

  @Test(arguments: [
    ("replace", ["personal 0", "work 0", "home 1", "club 1"]),
    ("", ["personal 0", "work 1", "home 0", "club 1"]),
  ])
  func `of two of one uid neither is lost where only a third calendar has it`(
    mode: String, calendars: [String]
  ) throws {
    let agent = try AgentUnderTest()
    for name in ["Work", "Home", "Club"] { try agent.createCalendar(name) }
    _ = try agent.take(calendar(day("x", "SUMMARY:X")), into: "work")
    let text =
      calendar(day("x", "SUMMARY:X")).headed("X-DATEBOOK-CALENDAR:home")
      + calendar(day("x", "SUMMARY:Theirs")).headed("X-DATEBOOK-CALENDAR:club")
    _ = try agent.take(text, mode: mode)
    #expect(try agent.calendars() == calendars)
    #expect(try agent.exportedText(of: "club").contains("SUMMARY:Theirs"))
    #expect(try agent.exportedText(of: mode == "" ? "work" : "home").contains("SUMMARY:X"))
  }
}

@Suite struct `A calendar that an import makes` {
  @Test func `it gets no second copy of what the only other one has`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(day("a", "SUMMARY:Day"), day("b", "SUMMARY:Day")))
    let text = calendar(day("a", "SUMMARY:Newer"), day("c", "SUMMARY:Day"))
      .headed("X-DATEBOOK-CALENDAR:work\r\nX-WR-CALNAME:Work")
    #expect(
      try agent.take(text)
        == Outcome(counts: [1, 1, 0, 0], problems: ["new-calendar", "in-other-calendar"]))
    #expect(try agent.calendars() == ["personal 2", "work 1"])
    #expect(try agent.exportedText(of: "personal").contains("SUMMARY:Newer"))
  }
}
