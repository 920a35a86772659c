import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl free and conflicts` {
  @Test func `free time is listed by its days`() throws {
    let session = try Session()
    _ = try session.add("Dentist", "2030-01-07 10:00", "--end", "2h")
    _ = try session.add("Call", "2030-01-07 12:15", "--end", "45m")
    #expect(
      try session.output("free", "2030-01-07", "--days", "2") == """
        Mon 7 Jan 2030
          09:00 – 10:00  1 h
          13:00 – 17:00  4 h

        Tue 8 Jan 2030
          09:00 – 17:00  8 h

        """)
    let short = try session.json("free", "2030-01-07", "--days", "1", "--length", "15m")
    #expect(short[1]?["start"]?.integerValue == 1_894_014_000)
    #expect(short[1]?["end"]?.integerValue == 1_894_014_900)
    #expect(
      try session.output("free", "2030-01-05", "--days", "1")
        == "No free time within your working hours.\n")
    #expect(try session.json("free", "2030-01-05", "--days", "1") == [])
  }

  @Test func `a month is all of it`() throws {
    let session = try Session()
    let rows = try session.json("free", "january", "2030").arrayValue ?? []
    #expect(rows.count == 23)
    #expect(
      try session.json("free", "january", "2030", "--days", "7")
        == session.json("free", "2030-01-01", "--days", "7"))
  }

  @Test func `a day is that day only`() throws {
    let session = try Session()
    #expect(
      try session.output("free", "2030-01-07") == "Mon 7 Jan 2030\n  09:00 – 17:00  8 h\n")
    #expect(try session.json("free", "2030-01-07", "13:00").arrayValue?.count == 1)
  }

  @Test func `what cannot be asked for is refused`() throws {
    let session = try Session()
    for length in ["0m", "-5m", "30", "8d"] {
      let outcome = try session.run("free", "--length", length)
      #expect(outcome.code == 2 && outcome.errors.contains("--length: \"\(length)\""))
    }
    for command in ["free", "conflicts"] {
      #expect(try session.run(command, "--days", "0").code == 2)
      #expect(try session.run(command, "blah").code == 2)
      #expect(try session.run(command, "9999-12-31", "--days", "2").code == 2)
    }
  }

  @Test func `events at the same time are listed in pairs`() throws {
    let session = try Session()
    #expect(
      try session.output("conflicts", "2030-01-07") == "No events overlap.\n")
    let standup = try session.add("Standup", "2030-01-07 10:00", "--repeat", "daily")
    let dentist = try session.add("Dentist", "2030-01-07 9:30", "--location", "Main St")
    #expect(
      try session.output("conflicts", "2030-01-07", "--ids") == """
        Mon 7 Jan 2030
          10:00 – 10:30
            09:30 – 10:30  Dentist  (Main St)
              personal/\(dentist)
            10:00 – 11:00  Standup
              personal/\(standup)/20300107T090000Z

        """)
    let rows = try session.json("conflicts", "2030-01-07")
    #expect(rows[0]?["first"]?["summary"] == "Dentist" && rows[1] == nil)
    #expect(try session.json("conflicts", "2030-01-08") == [])
  }

  @Test func `overlaps are listed in the order of their times, each day once`() throws {
    let session = try Session()
    _ = try session.add("Trip", "2030-01-07 12:00", "--end", "2030-01-09 12:00")
    _ = try session.add("A", "2030-01-08 09:00", "--end", "1h")
    _ = try session.add("B", "2030-01-07 13:00", "--end", "1h")
    _ = try session.add("C", "2030-01-07 13:30", "--end", "1h")
    let lines = try session.output("conflicts", "2030-01-07", "--days", "3").split(separator: "\n")
    #expect(
      lines.filter { $0.hasSuffix(" Jan 2030") } == ["Mon 7 Jan 2030", "Tue 8 Jan 2030"])
  }
}
