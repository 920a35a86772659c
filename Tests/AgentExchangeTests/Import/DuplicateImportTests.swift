import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

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

  @Test(arguments: ["", "replace", "copy"], [("Other", 0), ("One", 1)])
  func `of two spellings of one occurrence the older is left out, and told`(
    mode: String, newest: (name: String, sequence: Int)
  ) throws {
    let agent = try AgentUnderTest()
    let text = calendar(
      component(
        "s", "DTSTART;TZID=Europe/Berlin:20261120T120000", "RRULE:FREQ=DAILY;COUNT=3",
        "SUMMARY:Daily"),
      component(
        "s", "RECURRENCE-ID;TZID=Europe/Berlin:20261121T120000", "DTSTART:20261121T130000Z",
        "SEQUENCE:\(newest.sequence)", "SUMMARY:One"),
      component(
        "s", "RECURRENCE-ID:20261121T110000Z", "DTSTART:20261121T140000Z", "SUMMARY:Other"))
    for counts: [Int64] in [[1, 0, 0, 0], mode == "copy" ? [1, 0, 0, 0] : [0, 0, 1, 0]] {
      let (found, problems) = try agent.importing(text, mode: mode)
      #expect(found == counts)
      #expect(problems.map { $0["problem"]?.asString } == ["duplicate-uid"])
      #expect(problems.first?["summary"]?.asString == (newest.name == "One" ? "Other" : "One"))
    }
    let summaries = try agent.summaries(from: "2026-11-21", to: "2026-11-22")
    #expect(summaries == Array(repeating: newest.name, count: mode == "copy" ? 2 : 1))
  }

  @Test func `of an occurrence that is spelt alike throughout nothing is told`() throws {
    let agent = try AgentUnderTest()
    let text = calendar(
      component("s", "DTSTART:20261120T110000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Daily"),
      component("s", "RECURRENCE-ID:20261121T110000Z", "DTSTART:20261121T130000Z", "SUMMARY:One"),
      component("s", "RECURRENCE-ID:20261122T110000Z", "DTSTART:20261122T130000Z", "SUMMARY:Two"))
    #expect(try agent.take(text).problems == [])
  }

  /// The lines that say how old the one of each file is, and which of the two counts whichever comes first.
  @Test(arguments: [
    ("SEQUENCE:1", "DTSTAMP:20261103T000000Z", "First"),
    (
      "LAST-MODIFIED:20261102T000000Z\r\nDTSTAMP:20261103T000000Z",
      "LAST-MODIFIED:20261101T000000Z\r\nDTSTAMP:20261104T000000Z", "First"
    ),
    (
      "LAST-MODIFIED:20261102T000000Z\r\nDTSTAMP:20261103T000000Z",
      "LAST-MODIFIED:20261103T000000Z\r\nDTSTAMP:20261102T000000Z", "Second"
    ),
    ("LAST-MODIFIED:20261102T000000Z", "DTSTAMP:20261103T000000Z", "Second"),
    ("LAST-MODIFIED:20261102T000000Z", "X-NO:age", "First"),
    ("DTSTAMP:20261102T000000Z", "X-NO:age", nil),
    (
      "LAST-MODIFIED:20261102T000000Z\r\nDTSTAMP:20261103T000000Z",
      "LAST-MODIFIED:20261102T000000Z\r\nDTSTAMP:20261104T000000Z", nil
    ),
  ])
  func `two files read together end as one after the other, whichever comes first`(
    first: String, second: String, newer: String?
  ) throws {
    // Without a DTSTAMP of its own.
    func event(_ uid: String, _ lines: String...) -> String {
      (["BEGIN:VEVENT", "UID:\(uid)"] + lines + ["END:VEVENT"]).joined(separator: "\r\n") + "\r\n"
    }
    func file(_ name: String, _ age: String) -> String {
      calendar(
        event("c", "DTSTART:20261121T090000Z", "SUMMARY:\(name)", age),
        event("s", "DTSTART:20261120T110000Z", "SUMMARY:Daily", "RRULE:FREQ=DAILY;COUNT=3"),
        event(
          "s", "RECURRENCE-ID:20261121T110000Z", "DTSTART:20261121T130000Z",
          "SUMMARY:\(name) exception", age))
    }
    let (one, other) = (file("First", first), file("Second", second))
    for (texts, last) in [([one, other], "Second"), ([other, one], "First")] {
      let counting = newer ?? last
      let (together, apart) = (try AgentUnderTest(), try AgentUnderTest())
      #expect(
        try together.take(texts.joined()).problems.filter { $0.hasSuffix("duplicate-uid") }.count
          == 2)
      for text in texts { _ = try apart.take(text) }
      for agent in [together, apart] {
        #expect(
          try agent.summaries(from: "2026-11-21", to: "2026-11-22")
            == [counting, "\(counting) exception"])
      }
    }
  }
}
