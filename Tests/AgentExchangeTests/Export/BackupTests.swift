import CalendarBus
import CalendarModel
import DBus
import Glibc
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  /// Imports a text: added, updated, skipped, failed; and the words of the problems.
  fileprivate func restore(
    _ text: String, into calendar: String = "", mode: String = "", isDryRun: Bool = false,
    _ options: (String, Value)...
  ) throws -> (counts: [Int64], problems: [String]) {
    let path = try files.write(text, to: "text")
    let number = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(number) }
    let values = try call(
      Contract.transfer, "Import",
      [
        .fileDescriptor(try DBus.FileDescriptor(duplicating: number)), .string(""),
        .string(calendar), .string(mode), .row([("dry-run", .boolean(isDryRun))] + options),
      ])
    return (
      importCounts(values[0]),
      (values[1].asArray ?? []).map { $0["problem"]?.asString ?? "" }
    )
  }

  /// The calendars in order: id, name, colour and number of events.
  fileprivate func calendars() throws -> [String] {
    (try call(Contract.calendars, "List")[0].asArray ?? []).map {
      "\($0["id"]?.asString ?? "") \($0["name"]?.asString ?? "") \($0["color"]?.asString ?? "") "
        + "\($0["events"]?.asInteger ?? -1)"
    }
  }
}

private func day(_ uid: String, _ summary: String = "Day") -> String {
  component(uid, "DTSTART;VALUE=DATE:20261121", "SUMMARY:\(summary)")
}

/// An agent with three calendars, of which one is empty and two have one uid in common.
private func filled() throws -> AgentUnderTest {
  let agent = try AgentUnderTest()
  try agent.createCalendar("Work", "#ff0000")
  try agent.createCalendar("Old, and empty", "#12ab34")
  _ = try agent.restore(calendar(day("a"), day("both", "Mine")), into: "personal")
  _ = try agent.restore(calendar(day("both", "Theirs"), day("w")), into: "work")
  return agent
}

@Suite struct `A backup of several calendars` {
  @Test(arguments: [1, 300])
  func `replace puts an event back into the calendar that it was in, and merge leaves it`(
    count: Int
  ) throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Club")
    let events = (0..<count).map { component("e\($0)", "DTSTART:20261201T090000Z", "SUMMARY:E") }
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(events.joined())), .string("club"), .string("")])
    let backup = try agent.backup()
    let before = try agent.exportedText()
    func counts() throws -> [Int64] {
      try (agent.call(Contract.calendars, "List")[0].asArray ?? []).map {
        $0["events"]?.asInteger ?? -1
      }
    }
    let all = Int64(count)
    _ = try agent.call(
      Contract.events, "Move",
      [.strings((0..<count).map { "e\($0)" }), .string("personal")])
    let moved = try agent.exportedText()
    #expect(try agent.restore(backup).counts == [0, 0, all, 0])
    #expect(try counts() == [all, 0])
    let told = try agent.restore(backup, mode: "replace", isDryRun: true)
    #expect(try counts() == [all, 0])
    let restored = try agent.restore(backup, mode: "replace")
    #expect(restored.counts == [0, all, 0, 0] && told.counts == restored.counts)
    #expect(restored.problems == Array(repeating: "in-other-calendar", count: count))
    #expect(try counts() == [0, all])
    #expect(try agent.exportedText() == before)
    #expect(try agent.restore(backup, mode: "replace").counts == [0, 0, all, 0])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText() == moved)
  }

  @Test(
    arguments: ["personal", "club"], ["", "replace", "skip-existing"])
  func `of an event that a backup has in two calendars each gets its own back`(
    removed: String, mode: String
  ) throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Club")
    for (name, title) in [("personal", "Mine"), ("club", "Theirs")] {
      let event = component("e", "DTSTART:20261201T090000Z", "SUMMARY:\(title)")
      _ = try agent.call(
        Contract.transfer, "ImportText", [.string(calendar(event)), .string(name), .string("")])
    }
    let backup = try agent.backup()
    _ = try agent.call(
      Contract.events, "Remove", ["\(removed)/e", "", ""].map(Value.string))
    let told = try agent.restore(backup, mode: mode, isDryRun: true)
    let restored = try agent.restore(backup, mode: mode)
    #expect(told.counts == restored.counts && told.problems == restored.problems)
    if mode != "replace" {
      #expect(restored.counts == [1, 0, 1, 0] && restored.problems == ["was-removed"])
    }
    #expect(try agent.exportedText(of: "personal").contains("SUMMARY:Mine"))
    #expect(try agent.exportedText(of: "club").contains("SUMMARY:Theirs"))
  }

  @Test func `it comes back into the calendars that it is of, where nothing has changed`() throws {
    let agent = try filled()
    let text = try agent.backup()
    let before = try agent.calendars()
    let outcome = try agent.restore(text)
    #expect(outcome.counts == [0, 0, 4, 0])
    #expect(outcome.problems == [])
    #expect(try agent.calendars() == before)
    #expect(try agent.backup() == text)
  }

  @Test func `the first calendar of a new machine takes its name and colour`() throws {
    let (agent, other) = (try AgentUnderTest(), try AgentUnderTest())
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("personal"), .row([("name", .string("Ana")), ("color", .string("#123456"))])])
    _ = try agent.restore(calendar(day("a")))
    let text = try agent.backup()
    let before = try other.calendars()
    for mode in ["", "skip-existing"] {
      let told = try other.restore(text, mode: mode, isDryRun: true).problems
      #expect(told == (mode.isEmpty ? ["calendar-name"] : []))
    }
    #expect(try other.calendars() == before)
    #expect(try other.restore(text).problems == ["calendar-name"])
    #expect(try other.calendars() == agent.calendars())
    #expect(try other.backup() == text)
    _ = try other.call(Contract.events, "Undo")
    #expect(try other.calendars() == before)
  }

  @Test func `one that has events keeps its name`() throws {
    let (agent, other) = (try AgentUnderTest(), try AgentUnderTest())
    _ = try agent.call(
      Contract.calendars, "Update", [.string("personal"), .row([("name", .string("Ana"))])])
    _ = try agent.restore(calendar(day("a")))
    _ = try other.restore(calendar(day("b")))
    #expect(try other.restore(agent.backup()).problems == [])
    #expect(try other.calendars() == ["personal Personal #3b82f6 2"])
  }

  @Test func `one that has a name of its own keeps it`() throws {
    let (agent, other) = (try AgentUnderTest(), try AgentUnderTest())
    for (one, name) in [(agent, "Ana"), (other, "Mine")] {
      _ = try one.call(
        Contract.calendars, "Update",
        [.string("personal"), .row([("name", .string(name))])])
    }
    _ = try agent.restore(calendar(day("a")))
    #expect(try other.restore(agent.backup()).problems == [])
    #expect(try other.calendars() == ["personal Mine #3b82f6 1"])
  }

  @Test func `on another machine it makes the calendars that are missing, in one step to undo`()
    throws
  {
    let (agent, other) = (try filled(), try AgentUnderTest())
    let text = try agent.backup()
    let before = try other.calendars()
    let dryRun = try other.restore(text, isDryRun: true)
    #expect(dryRun.counts == [4, 0, 0, 0])
    #expect(dryRun.problems == ["new-calendar", "new-calendar"])
    #expect(try other.calendars() == before)
    let outcome = try other.restore(text)
    #expect(outcome.counts == dryRun.counts && outcome.problems == dryRun.problems)
    #expect(try other.calendars() == agent.calendars())
    #expect(try other.backup() == text)
    _ = try other.call(Contract.events, "Undo")
    #expect(try other.calendars() == before)
    _ = try other.call(Contract.events, "Redo")
    #expect(try other.calendars() == agent.calendars())
    #expect(try other.backup() == text)
  }

  @Test func `an import that fails leaves no calendar behind`() throws {
    let agent = try AgentUnderTest()
    let before = try agent.calendars()
    let text = try filled().backup().replacing("PRODID", with: "X-P")
    _ = try agent.refusal(
      Contract.transfer, "ImportText", [.string(text), .string("nowhere"), .string("")])
    #expect(try agent.calendars() == before)
  }

  @Test func `a calendar of the same name takes what one of another id had`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Job", "#ff0000")
    _ = try agent.call(
      Contract.calendars, "Update", [.string("job"), .row([("name", .string("Work"))])])
    let text = try filled().backup()
    #expect(try agent.restore(text).counts == [4, 0, 0, 0])
    #expect(
      try agent.calendars().map { $0.split(separator: " ")[0] }
        == ["personal", "job", "old-and-empty"])
  }

  @Test func `a calendar that the caller names takes all of it`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work", "#ff0000")
    // One uid is in both, of two events.
    let outcome = try agent.restore(try filled().backup(), into: "work")
    #expect(outcome.counts == [4, 0, 0, 0])
    #expect(outcome.problems == ["duplicate-uid"])
    #expect(try agent.calendars().map { $0.suffix(2) } == [" 0", " 4"])
  }

  @Test func `what others wrote goes where a calendar is called so, and none is made`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Team, all", "#ff0000")
    func text(_ name: String, _ uid: String) -> String {
      calendar(day(uid)).replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\n\(name)\r\n")
    }
    _ = try agent.restore(text("X-WR-CALNAME:Team\\, all", "t"))
    _ = try agent.restore(text("NAME:Holidays", "h"))
    #expect(try agent.calendars().map { $0.suffix(2) } == [" 1", " 1"])
  }

  @Test func `of a calendar that cannot be written only what is new is refused, once`() throws {
    let agent = try filled()
    let text = try agent.backup().replacing("UID:w", with: "UID:x")
    _ = try agent.call(
      Contract.calendars, "Update", [.string("work"), .row([("read-only", .boolean(true))])])
    let outcome = try agent.restore(text)
    #expect(outcome.counts == [0, 0, 3, 1])
    #expect(outcome.problems == ["read-only-calendar"])
  }

  @Test func `an import that waited goes into the calendar that is there when its turn comes`()
    throws
  {
    let agent = try filled()
    let many = calendar((0..<3000).map { day("n\($0)") }.joined())
    func begin(_ text: String, _ calendar: String) throws -> AgentUnderTest.Answer {
      try agent.begin(
        .call(
          Contract.busName, Contract.path, Contract.transfer, "ImportText",
          [.string(text), .string(calendar), .string("")]))
    }
    let first = try begin(many, "work")
    let second = try begin(calendar(day("late")), "old-and-empty")
    // Between the two, as soon as the first is stored.
    var removed: AgentUnderTest.Answer?
    try agent.wait(for: "the first") {
      if first.result != nil, removed == nil {
        removed = try? agent.begin(
          .call(
            Contract.busName, Contract.path, Contract.calendars, "Remove",
            [.string("old-and-empty"), .boolean(false)]))
      }
      return removed?.result != nil && second.result != nil
    }
    // Whichever was first, there is no event in a calendar that there is not.
    #expect(throws: DBusError.self) {
      _ = try removed?.values()
      _ = try second.values()
    }
  }
}

@Suite struct `What a VCALENDAR says of itself` {
  private let head = [
    "X-WR-CALDESC;LANGUAGE=en:All of it\\, and more", "REFRESH-INTERVAL;VALUE=DURATION:P1D",
    "IMAGE;VALUE=URI;DISPLAY=BADGE:https://example.org/i.png", "X-EMPTY:",
  ]
  private let unknown =
    "BEGIN:VAVAILABILITY\r\nUID:times\r\nDTSTAMP:20260101T000000Z\r\nPRIORITY:1\r\n"
    + "BEGIN:AVAILABLE\r\nUID:part\r\nSUMMARY:Mornings\r\nEND:AVAILABLE\r\nEND:VAVAILABILITY\r\n"
    + "BEGIN:X-THING\r\nX-A:1\r\nEND:X-THING\r\n"

  private func text(_ head: [String]) -> String {
    calendar(day("a"), unknown).replacing(
      "VERSION:2.0\r\n", with: "VERSION:2.0\r\n" + head.joined(separator: "\r\n") + "\r\n")
  }

  @Test func `properties and components that mean nothing here come back`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.restore(text(head))
    #expect(outcome.counts == [3, 0, 0, 0])
    #expect(outcome.problems == ["unsupported-component", "unsupported-component"])
    let exported = try agent.backup()
    for line in head { #expect(exported.contains("\(line)\r\n")) }
    #expect(exported.contains(unknown))
    // Nobody sees them as events, and another agent has the same.
    #expect(try agent.summaries(from: "2026-11-21") == ["Day"])
    let other = try AgentUnderTest()
    #expect(try other.restore(try agent.backup()).counts == [3, 0, 0, 0])
    #expect(try other.backup() == agent.backup())
    #expect(try other.restore(agent.backup()).counts == [0, 0, 3, 0])
    _ = try other.call(Contract.events, "Undo")
    #expect(try !other.backup().contains("X-WR-CALDESC"))
  }

  @Test func `of the same property the later file counts, unless what is there is to stay`() throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.restore(text(head))
    let several =
      text(["X-WR-CALDESC:New", "X-OTHER:1"]) + text(["X-WR-CALDESC:Newer", "X-OTHER:1"])
    _ = try agent.restore(several, mode: "skip-existing")
    #expect(try agent.backup().contains("X-WR-CALDESC;LANGUAGE=en:All of it\\, and more\r\n"))
    #expect(try agent.backup().contains("X-OTHER:1\r\n"))
    _ = try agent.restore(text(["X-WR-CALDESC:New"]))
    let exported = try agent.backup()
    #expect(exported.contains("X-WR-CALDESC:New\r\n") && !exported.contains("All of it"))
    #expect(exported.contains("X-EMPTY:\r\n"))
  }
}

@Suite struct `A folder that is a calendar` {
  private let work: [(String, Value)] = [
    ("name", .string("Work")), ("color", .string("#ff0000")), ("by-calendar", .boolean(true)),
  ]

  private func restore(
    _ agent: AgentUnderTest, _ text: String, isDryRun: Bool = false, into calendar: String = ""
  ) throws -> (counts: [Int64], problems: [String]) {
    try agent.restore(text, into: calendar, isDryRun: isDryRun, work[0], work[1])
  }

  @Test(arguments: [
    calendar(day("a"), day("b")), "uid,summary,start\na,A,2026-11-21\nb,B,2026-11-21\n",
  ])
  func `it is made in its colour, in one step to undo, and found the next time`(text: String) throws
  {
    let agent = try AgentUnderTest()
    let before = try agent.calendars()
    let dryRun = try restore(agent, text, isDryRun: true)
    #expect(dryRun.counts == [2, 0, 0, 0] && dryRun.problems == ["new-calendar"])
    #expect(try agent.calendars() == before)
    #expect(try restore(agent, text).counts == [2, 0, 0, 0])
    #expect(try agent.calendars() == ["personal Personal #3b82f6 0", "work Work #ff0000 2"])
    let again = try restore(agent, text)
    #expect(again.counts == [0, 0, 2, 0] && again.problems == [])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.calendars() == before)
  }

  @Test func `a calendar that the caller names takes all of it, and a backup goes where it was`()
    throws
  {
    let agent = try AgentUnderTest()
    _ = try restore(agent, calendar(day("a")), into: "personal")
    #expect(try agent.calendars() == ["personal Personal #3b82f6 1"])
    #expect(try restore(agent, agent.backup()).counts == [0, 0, 1, 0])
    #expect(try agent.calendars() == ["personal Personal #3b82f6 1"])
  }

  @Test(
    arguments: [
      ("uid,summary,start,calendar\na,Day,2026-11-21,Personal\nb,B,2026-11-21,personal\n", 1),
      ("uid,summary,start\nb,B,soon\n", 0), (calendar(component("b", "SUMMARY:No start")), 0),
    ] as [(String, Int64)])
  func `nothing that goes into it makes none`(text: String, added: Int64) throws {
    let agent = try AgentUnderTest()
    _ = try agent.restore(calendar(day("a")))
    for isDryRun in [true, false] {
      let outcome = try restore(agent, text, isDryRun: isDryRun)
      #expect(outcome.counts[0] == added)
      #expect(!outcome.problems.contains("new-calendar"), "\(outcome.problems)")
    }
    #expect(try agent.calendars() == ["personal Personal #3b82f6 \(1 + added)"])
  }

  @Test(arguments: ["uid,summary,start\na,Day,2026-11-21\n", calendar(day("a"))])
  func `what another calendar has is meant for it as well`(text: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.restore(calendar(day("a")))
    let outcome = try restore(agent, text)
    #expect(outcome.counts == [1, 0, 0, 0])
    #expect(outcome.problems == ["new-calendar", "in-other-calendar"])
    #expect(try agent.calendars() == ["personal Personal #3b82f6 1", "work Work #ff0000 1"])
    #expect(try restore(agent, text).counts == [0, 0, 1, 0])
  }

  @Test func `some rows may name it, and others none`() throws {
    let agent = try AgentUnderTest()
    let text =
      "uid,summary,start,calendar\na,A,2026-11-21,Personal\nb,B,2026-11-21,WORK\nc,C,2026-11-21,\n"
    let outcome = try restore(agent, text)
    #expect(outcome.counts == [3, 0, 0, 0] && outcome.problems == ["new-calendar"])
    #expect(try agent.calendars() == ["personal Personal #3b82f6 1", "work Work #ff0000 2"])
  }

  @Test func `a name or a colour that can be none is refused`() throws {
    let agent = try AgentUnderTest()
    for (name, color, words) in [
      (" ", "", "name: must not be empty"), ("Work", "sky-ish", "color"),
    ] {
      let error = #expect(throws: DBusError.self) {
        try agent.restore(
          calendar(day("a")), ("name", .string(name)), ("color", .string(color)))
      }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test func `the answer counts by calendars where that is asked for`() throws {
    let agent = try filled()
    let path = try agent.files.write(
      "uid,summary,start,calendar\na,Day,2026-11-21,Personal\nn,N,2026-11-21,work\n", to: "text")
    let number = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(number) }
    let values = try agent.call(
      Contract.transfer, "Import",
      [
        .fileDescriptor(try DBus.FileDescriptor(duplicating: number)), .string(""), .string(""),
        .string(""), .row([work[2]]),
      ])
    #expect(values[0]["calendar/personal"] == .uint32(1))
    #expect(values[0]["calendar/work"] == .uint32(1))
    #expect(values[0].asRow?.count == 6)
  }
}
