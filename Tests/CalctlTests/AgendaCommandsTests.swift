import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl today, agenda and next` {
  @Test func `the bus starts the agent, and an empty calendar says so`() throws {
    let session = try Session()
    #expect(try session.output("today") == "Nothing today.\n")
    #expect(
      try session.output("agenda", "2030-01-07", "--days", "1") == "Nothing on Mon 7 Jan 2030.\n")
    #expect(
      try session.output("agenda", "2030-01-07")
        == "Nothing on Mon 7 Jan 2030 to Sun 13 Jan 2030.\n")
    #expect(try session.output("next") == "Nothing ahead.\n")
    for command in ["today", "agenda", "next"] { #expect(try session.json(command) == []) }
  }

  @Test func `today has what takes today`() throws {
    let session = try Session()
    // Two days to either side, so that a midnight during the test changes nothing.
    _ = try session.add("Team week", "2 days ago", "--end", "+3d")
    let text = try session.output("today")
    #expect(text.contains("(today)\n  all day        Team week\n"))
    #expect(try session.json("today")[0]?["summary"]?.stringValue == "Team week")
  }

  @Test func `an agenda is by day, with IDs that show takes`() throws {
    let session = try Session()
    let standup = try session.add(
      "Standup", "2030-01-07 9:30", "--end", "15m", "--repeat", "weekdays")
    let party = try session.add("Party", "2030-01-07 22:00", "--end", "2030-01-08 2:00")
    #expect(
      try session.output("agenda", "2030-01-07", "--days=2", "--ids") == """
        Mon 7 Jan 2030
          09:30 – 09:45  Standup
                         \(standup)/20300107T083000Z
          22:00 →        Party
                         \(party)

        Tue 8 Jan 2030
          → 02:00        Party
                         \(party)
          09:30 – 09:45  Standup
                         \(standup)/20300108T083000Z

        """)
    #expect(
      try session.output("show", "\(standup)/20300108T083000Z").contains("Tue 8 Jan 2030, 09:30"))
    #expect(try session.json("agenda", "2030-01-07", "--days", "2")[2]?["uid"] != nil)
  }

  @Test func `next is the soonest, or so many`() throws {
    let session = try Session()
    for (title, day) in [("Second", "2030-01-08 9:00"), ("First", "2030-01-07 9:00")] {
      _ = try session.add(title, day)
    }
    _ = try session.add("All day", "2030-01-01")
    #expect(try session.output("next") == "Mon 7 Jan 2030\n  09:00 – 10:00  First\n")
    let both = try session.output("next", "--count", "2", "--ids")
    #expect(both.contains("First") && both.contains("Second"))
    #expect(both.split(separator: "\n").count == 6)
    #expect(try session.json("next", "--count=5")[1]?["summary"]?.stringValue == "Second")
  }

  @Test func `a day that cannot be read, or leaves the calendar, is refused`() throws {
    let session = try Session()
    let word = try session.run("agenda", "blah")
    #expect(word.code == ExitCode.failed.rawValue)
    #expect(word.errors.hasPrefix("calctl: FROM: \"blah\": "))
    #expect(word.output.isEmpty)
    #expect(try session.run("agenda", "9999-12-31", "--days", "5").code == 1)
    #expect(try session.run("agenda", "2026-02-30").code == 1)
  }

  @Test func `output to a pipe has no colour`() throws {
    let session = try Session()
    _ = try session.add("Team week", "2 days ago", "--end", "+3d")
    #expect(!(try session.output("today").contains("\u{1b}")))
  }
}
