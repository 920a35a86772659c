import CalendarBus
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

private let tea = component(
  "tea", "DTSTART:20261121T140000Z", "DTEND:20261121T150000Z", "SUMMARY:Tea", "SEQUENCE:1",
  "LAST-MODIFIED:20260101T000000Z")

private func tea(_ summary: String, sequence: Int, modified: String = "20260101T000000Z") -> String
{
  component(
    "tea", "DTSTART:20261121T140000Z", "DTEND:20261121T150000Z", "SUMMARY:\(summary)",
    "SEQUENCE:\(sequence)", "LAST-MODIFIED:\(modified)")
}

@Suite struct `Modes of import` {
  /// What is there, what comes, the mode, then the counts and the summary after.
  @Test(arguments: [
    ("merge", tea("New", sequence: 2), [0, 1, 0, 0], "New"),
    ("merge", tea("Old", sequence: 0), [0, 0, 1, 0], "Tea"),
    ("merge", tea("Later", sequence: 1, modified: "20260201T000000Z"), [0, 1, 0, 0], "Later"),
    ("merge", tea("Before", sequence: 1, modified: "20250101T000000Z"), [0, 0, 1, 0], "Tea"),
    ("", tea("New", sequence: 2), [0, 1, 0, 0], "New"),
    ("replace", tea("Old", sequence: 0), [0, 1, 0, 0], "Old"),
    ("replace", tea, [0, 0, 1, 0], "Tea"),
    ("skip-existing", tea("New", sequence: 2), [0, 0, 1, 0], "Tea"),
  ])
  func `the mode decides which version stays`(
    mode: String, incoming: String, counts: [Int64], summary: String
  ) throws {
    let agent = try AgentUnderTest()
    _ = try agent.importAnswer(calendar(tea))
    #expect(try agent.importAnswer(calendar(incoming), mode: mode).counts == counts)
    #expect(try agent.summaries(from: "today") == [summary])
  }

  @Test func `skip-existing adds the series of which changed occurrences alone are there`() throws {
    let agent = try AgentUnderTest()
    func override(_ day: Int, _ summary: String) -> String {
      component(
        "yoga", "RECURRENCE-ID:202611\(day)T100000Z", "DTSTART:202611\(day)T110000Z",
        "DURATION:PT1H", "SUMMARY:\(summary)")
    }
    let master = component(
      "yoga", "DTSTART:20261121T100000Z", "DURATION:PT1H", "SUMMARY:Yoga",
      "RRULE:FREQ=DAILY;COUNT=4")
    _ = try agent.importAnswer(calendar(override(22, "Here")))
    let text = calendar(master, override(22, "Theirs"), override(23, "New"))
    #expect(try agent.importAnswer(text, mode: "skip-existing").counts == [0, 1, 0, 0])
    #expect(try agent.summaries(from: "today", to: "5d") == ["Yoga", "Here", "New", "Yoga"])
    #expect(try agent.importAnswer(text, mode: "skip-existing").counts == [0, 0, 1, 0])
  }

  @Test func `it does so where the series comes far behind them, and not with a day alone`() throws
  {
    let agent = try AgentUnderTest()
    let override = component(
      "yoga", "RECURRENCE-ID:20261122T100000Z", "DTSTART:20261122T110000Z", "DURATION:PT1H",
      "SUMMARY:Here")
    _ = try agent.importAnswer(calendar(override))
    let day = component("yoga", "DTSTART:20261123T100000Z", "DURATION:PT1H", "SUMMARY:Day")
    #expect(
      try agent.importAnswer(calendar("METHOD:ADD\r\n", day), mode: "skip-existing").counts
        == [0, 0, 1, 0])
    let master = component(
      "yoga", "DTSTART:20261121T100000Z", "DURATION:PT1H", "SUMMARY:Yoga",
      "RRULE:FREQ=DAILY;COUNT=3")
    let others = (0..<1000).map {
      component("o\($0)", "DTSTART:20270101T100000Z", "DURATION:PT1H", "SUMMARY:Other")
    }
    let text = calendar(override, others.joined(), master)
    #expect(try agent.importAnswer(text, mode: "skip-existing").counts == [1000, 1, 0, 0])
    #expect(try agent.summaries(from: "today", to: "5d") == ["Yoga", "Here", "Yoga"])
  }

  @Test func `merge takes the newer override and keeps the others`() throws {
    let agent = try AgentUnderTest()
    let master = component(
      "yoga", "DTSTART:20261121T100000Z", "DURATION:PT1H", "SUMMARY:Yoga",
      "RRULE:FREQ=DAILY;COUNT=3", "SEQUENCE:1")
    func override(_ day: Int, _ summary: String, _ sequence: Int) -> String {
      component(
        "yoga", "RECURRENCE-ID:202611\(day)T100000Z", "DTSTART:202611\(day)T110000Z",
        "DURATION:PT1H", "SUMMARY:\(summary)", "SEQUENCE:\(sequence)")
    }
    _ = try agent.importAnswer(calendar(master, override(21, "Kept", 3), override(22, "Old", 1)))
    let outcome = try agent.importAnswer(
      calendar(master, override(21, "Older", 2), override(22, "Newer", 2)))
    #expect(outcome.counts == [0, 1, 0, 0])
    #expect(try agent.summaries(from: "today", to: "3d") == ["Kept", "Newer", "Yoga"])
  }

  /// What is there, what comes in later, and which of the two stays, where SEQUENCE is equal.
  @Test(arguments: [
    // A server writes only DTSTAMP: it is older than the change made here.
    (["LAST-MODIFIED:20261120T100000Z"], ["DTSTAMP:20260101T000000Z"], false),
    (["LAST-MODIFIED:20260101T000000Z"], ["DTSTAMP:20261120T100000Z"], true),
    (["DTSTAMP:20261120T100000Z"], ["DTSTAMP:20260101T000000Z"], false),
    (["DTSTAMP:20261120T100000Z"], ["LAST-MODIFIED:20260101T000000Z"], false),
    // Nothing tells the age of what comes.
    (["LAST-MODIFIED:20261120T100000Z"], [], false),
    (["DTSTAMP:20261120T100000Z"], [], true),
    ([], [], true),
    // LAST-MODIFIED tells more than DTSTAMP, which is that of the download.
    (
      ["LAST-MODIFIED:20261120T100000Z"],
      ["DTSTAMP:20261121T000000Z", "LAST-MODIFIED:20260101T000000Z"], false
    ),
  ])
  func `the later change stays, by DTSTAMP without LAST-MODIFIED`(
    present: [String], incoming: [String], isTaken: Bool
  ) throws {
    func series(_ name: String, _ lines: [String]) -> String {
      func component(_ own: String...) -> String {
        (["BEGIN:VEVENT", "UID:yoga", "DURATION:PT1H"] + own + lines + ["END:VEVENT"])
          .joined(separator: "\r\n") + "\r\n"
      }
      return calendar(
        component("DTSTART:20261121T100000Z", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:\(name)"),
        component(
          "RECURRENCE-ID:20261122T100000Z", "DTSTART:20261122T120000Z", "SUMMARY:\(name) late"))
    }
    let agent = try AgentUnderTest()
    _ = try agent.importAnswer(series("Here", present))
    let outcome = try agent.importAnswer(series("File", incoming))
    #expect(outcome.counts == (isTaken ? [0, 1, 0, 0] : [0, 0, 1, 0]))
    #expect(outcome.problems == (isTaken ? [] : ["0 older kept"]))
    let name = isTaken ? "File" : "Here"
    #expect(try agent.summaries(from: "today", to: "3d") == [name, "\(name) late"])
  }

  @Test func `exceptions of an older file stay out where the series has moved since`() throws {
    let agent = try AgentUnderTest()
    let file = calendar(
      component(
        "yoga", "DTSTART:20261121T100000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3",
        "SUMMARY:Yoga"),
      component(
        "yoga", "RECURRENCE-ID:20261122T100000Z", "DTSTART:20261122T120000Z", "DURATION:PT1H",
        "SUMMARY:Late"))
    _ = try agent.importAnswer(file)
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("yoga"), .string(""), .string("all"),
        .row([("start", .string("2026-11-21 13:00")), ("time-zone", .string("UTC"))]),
      ])
    let before = try agent.summaries(from: "today", to: "3d")
    #expect(before == ["Yoga", "Late", "Yoga"])
    let outcome = try agent.importAnswer(file)
    #expect(outcome.counts == [0, 0, 1, 0])
    #expect(outcome.problems == ["0 no-occurrence kept"])
    #expect(try agent.summaries(from: "today", to: "3d") == before)
  }

  @Test func `an override alone joins its series`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importAnswer(
      calendar(
        component(
          "yoga", "DTSTART:20261121T100000Z", "SUMMARY:Yoga", "RRULE:FREQ=DAILY;COUNT=2")))
    _ = try agent.importAnswer(
      calendar(
        component(
          "yoga", "RECURRENCE-ID:20261122T100000Z", "DTSTART:20261122T120000Z", "SUMMARY:Late")))
    #expect(try agent.summaries(from: "today", to: "3d") == ["Yoga", "Late"])
  }

  @Test func `a dry run says what would happen and keeps nothing`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.importAnswer(calendar(tea))
    let revision = try agent.revision()
    agent.takeSignals()
    let path = try agent.files.write(
      calendar(tea("New", sequence: 2), component("b", "DTSTART:20261121T160000Z")), to: "a.ics")
    let answer = try agent.beginImport(try .opening(path), ("dry-run", .boolean(true)))
    #expect(ImportAnswer(try agent.finishImport(answer)).counts == [1, 1, 0, 0])
    #expect(try agent.summaries(from: "today") == ["Tea"])
    #expect(try agent.revision() == revision)
    #expect(agent.signals.map(\.member) == [])
  }

  @Test func `one bad event does not lose the others, and is told with its line`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.importAnswer(
      calendar(tea, component("bad", "DTSTART:20260230T100000Z"), component("no-start")))
    #expect(outcome.counts == [1, 0, 0, 2])
    #expect(outcome.problems.filter { $0.hasSuffix("refused") }.count == 2)
    #expect(try agent.summaries(from: "today") == ["Tea"])
  }

  @Test func `one change is one transaction, one revision and one signal`() throws {
    let agent = try AgentUnderTest()
    agent.takeSignals()
    _ = try agent.importAnswer(
      calendar(
        (0..<150).map {
          component("e\($0)", "DTSTART:20261121T140000Z", "SUMMARY:\($0)")
        }.joined()))
    try agent.settle()
    let changes = agent.signals("EventsChanged")
    #expect(changes.count == 1)
    // More than a hundred ids go unsaid.
    #expect(changes.first?.arguments[2] == .strings([]))
    #expect(changes.first?.arguments[3]["origin"] == .string("import"))
    #expect(try agent.revision() == 1)
  }

  @Test func `a zone of the file's own places its events, also after a restart`() throws {
    let agent = try AgentUnderTest()
    let zone = """
      BEGIN:VTIMEZONE\r\nTZID:Office\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r
      TZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n
      """.replacing("\r\n\n", with: "\r\n")
    _ = try agent.importAnswer(
      calendar(
        zone, component("o", "DTSTART;TZID=Office:20261121T140000", "SUMMARY:Call")))
    for _ in 0..<2 {
      let rows = try agent.call(Contract.calendar, "Today")[0].asArray ?? []
      #expect(rows.map { $0["start-text"] } == [.string("2026-11-21T14:00:00+05:30")])
      agent.stop()
      try agent.start()
    }
  }
}
