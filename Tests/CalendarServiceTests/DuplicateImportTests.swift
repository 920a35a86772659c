import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

private let timetable = calendar(
  component("c", "DTSTART:20261121T090000Z", "SUMMARY:Physics"),
  component("c", "DTSTART:20261121T110000Z", "SUMMARY:Sports"))

extension AgentUnderTest {
  /// What ImportText counts, and the line and word of each problem.
  fileprivate func take(
    _ text: String, mode: String = ""
  ) throws -> (counts: [Int64], problems: [String]) {
    let (counts, problems) = try importing(text, mode: mode)
    return (
      counts,
      problems.map { "\($0["line"]?.asInteger ?? -1) \($0["problem"]?.asString ?? "")" }
    )
  }
}

@Suite struct `Import of events with one uid` {
  @Test(arguments: ["", "replace", "skip-existing", "copy"])
  func `none of a timetable is lost, and a second import finds them again`(mode: String) throws {
    let agent = try AgentUnderTest()
    let first = try agent.take(timetable, mode: mode)
    #expect(first.counts == [2, 0, 0, 0])
    #expect(first.problems == ["10 duplicate-uid"])
    #expect(try agent.summaries(from: "today") == ["Physics", "Sports"])
    let second = try agent.take(timetable, mode: mode)
    #expect(second.counts == (mode == "copy" ? [2, 0, 0, 0] : [0, 0, 2, 0]))
    #expect(second.problems == first.problems)
  }

  @Test func `a change of either goes to the one that it is of`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(timetable)
    let changed = timetable.replacing("SUMMARY:Sports", with: "SUMMARY:Sports\r\nLOCATION:Hall")
    #expect(try agent.take(changed).counts == [0, 1, 1, 0])
    #expect(try agent.event("c-20261121T110000Z")["location"] == .string("Hall"))
  }

  @Test func `a dry run tells of them, and keeps nothing`() throws {
    let agent = try AgentUnderTest()
    let path = try agent.files.write(timetable, to: "timetable.ics")
    let file = try Platform.FileDescriptor.opening(path)
    let outcome = try agent.gdbus(
      "Transfer.Import", ["0", "", "", "", "{'dry-run': <true>}"], input: .descriptor(file.number))
    #expect(outcome.output.contains("'added': uint32 2"), "\(outcome.output)")
    #expect(outcome.output.contains("duplicate-uid"), "\(outcome.output)")
    #expect(try agent.summaries(from: "today") == [])
  }

  @Test func `rows of a table are kept apart in the same way`() throws {
    let agent = try AgentUnderTest()
    let table = """
      uid,summary,start
      c,Physics,2026-11-21 10:00
      c,Sports,2026-11-21 12:00
      c,Sports,2026-11-21 12:00
      """
    let first = try agent.take(table)
    #expect(first.counts == [2, 0, 0, 0])
    #expect(first.problems == ["3 duplicate-uid"])
    #expect(try agent.summaries(from: "today") == ["Physics", "Sports"])
    #expect(try agent.take(table).counts == [0, 0, 2, 0])
  }

  @Test func `an older version is left out, and told`() throws {
    let agent = try AgentUnderTest()
    let text = calendar(
      component("c", "DTSTART:20261121T090000Z", "SUMMARY:Old"),
      component("c", "DTSTART:20261121T110000Z", "SUMMARY:New", "SEQUENCE:1"))
    let outcome = try agent.take(text)
    #expect(outcome.counts == [1, 0, 0, 0])
    #expect(outcome.problems == ["4 duplicate-uid"])
    #expect(try agent.summaries(from: "today") == ["New"])
  }
}
