import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl find` {
  private func session() throws -> Session {
    let session = try Session()
    _ = try session.add("Dentist", "2030-01-07 15:00", "--end", "45m", "--location", "Main St")
    _ = try session.add("Board meeting", "2030-01-08")
    _ = try session.add("Meeting of the board", "2030-01-09 09:00", "--repeat", "daily")
    return session
  }

  @Test func `events are listed one a line`() throws {
    let session = try session()
    #expect(
      try session.output("find", "dent") == "Mon 7 Jan 2030, 15:00 – 15:45  Dentist  (Main St)\n")
    let board = try session.output("find", "board", "MEETING", "--from", "2030-01-01")
    #expect(
      Set(board.split(separator: "\n")) == [
        "Tue 8 Jan 2030, all day        Board meeting",
        "Wed 9 Jan 2030, 09:00 – 10:00  Meeting of the board",
      ])
  }

  @Test func `to-dos with the words in their titles are hinted at where there is no event`() throws
  {
    let session = try session()
    _ = try session.output("todo", "add", "Pay the rent")
    let outcome = try session.run("find", "rent")
    #expect(outcome.output == "No events found.\n")
    #expect(
      outcome.errors == "calctl: 1 to-do has this in its title (see: calctl todo)\n")
    _ = try session.output("todo", "add", "Call the dentist")
    #expect(try session.run("find", "dentist").errors.isEmpty)
    #expect(try session.run("find", "rent", "--json").errors.isEmpty)
  }

  @Test func `events from today on precede the past ones, each by time`() throws {
    let session = try Session()
    for (title, start) in [
      ("Tea C", "2030-01-09 9:00"), ("Tea A", "2020-01-07 9:00"), ("Tea B", "2020-03-07 9:00"),
      ("Tea D", "2030-01-08 9:00"),
    ] { _ = try session.add(title, start) }
    _ = try session.add("Tea daily", "2020-01-01 9:00", "--repeat", "FREQ=YEARLY;BYMONTH=1")
    func titles(_ arguments: String...) throws -> [String] {
      (try session.json(["find", "tea"] + arguments).arrayValue ?? []).map {
        $0["summary"]?.stringValue ?? ""
      }
    }
    #expect(try titles() == ["Tea daily", "Tea D", "Tea C", "Tea B", "Tea A"])
    #expect(try titles("--limit", "4") == ["Tea daily", "Tea D", "Tea C", "Tea B"])
    #expect(try titles("--to", "2025-01-01").suffix(2) == ["Tea B", "Tea A"])
  }

  @Test(arguments: [["find", "board"], ["export"]])
  func `a range that ends before it begins is wrong usage`(command: [String]) throws {
    let session = try session()
    for (from, to) in [("2030-01-09", "2030-01-08"), ("2030-01-07 12:00", "2030-01-07 11:59")] {
      let outcome = try session.run(command + ["--from", from, "--to", to])
      #expect(outcome.code == ExitCode.usage.rawValue && outcome.output.isEmpty)
      #expect(
        outcome.errors.hasPrefix(
          "calctl \(command[0]): --to: \"\(to)\": the end is before the start \"\(from)\""),
        "\(outcome.errors)")
    }
    #expect(try session.run(command + ["--from", "2030-01-09", "--to", "2030-01-09"]).code == 0)
    // What cannot be read the agent refuses, whichever of the two it is.
    #expect(try session.run(command + ["--from", "2030-01-09", "--to", "soonish"]).code == 1)
  }

  @Test func `a calendar goes by its name, and alone it says what is missing`() throws {
    let session = try session()
    _ = try session.output("calendars", "add", "Big Office")
    _ = try session.add("Dentist again", "2030-01-07", "--calendar", "big office")
    #expect(
      try session.output("find", "dent", "--calendar", "BIG OFFICE")
        == "Mon 7 Jan 2030, all day  Dentist again\n")
    let nope = try session.run("find", "dent", "--calendar", "nope")
    #expect(nope.code == 3)
    #expect(
      nope.errors == """
        calctl: --calendar: no calendar has the ID or the name "nope"; the calendars are:
          personal Personal
          big-office Big Office

        """)
    let alone = try session.run("find", "calendar:big-office")
    #expect(alone.code == 1)
    #expect(
      alone.errors.contains("(to list a calendar: calctl agenda --calendar big-office)"),
      "\(alone.errors)")
  }

  @Test func `phrases, fields and ranges narrow it`() throws {
    let session = try session()
    func titles(_ arguments: String...) throws -> [String] {
      (try session.json(["find"] + arguments).arrayValue ?? []).map {
        $0["summary"]?.stringValue ?? ""
      }
    }
    #expect(try titles("\"board meeting\"") == ["Board meeting"])
    #expect(try titles("location:main") == ["Dentist"])
    #expect(try titles("meeting", "--from", "2030-01-10") == ["Meeting of the board"])
    #expect(try titles("meeting", "--to", "2030-01-09") == ["Board meeting"])
    #expect(try titles("dentist", "--from", "2030-01-01", "--to", "3d") == [])
    #expect(try titles("dentist", "--calendar", "personal") == ["Dentist"])
  }

  @Test func `IDs follow when they are asked for`() throws {
    let session = try Session()
    let uid = try session.add("Dentist", "2030-01-07 15:00", "--end", "45m")
    #expect(
      try session.output("find", "dentist", "--ids")
        == "Mon 7 Jan 2030, 15:00 – 15:45  Dentist\n" + String(repeating: " ", count: 31) + uid
        + "\n")
  }

  @Test func `it says when there are more, and when there is nothing`() throws {
    let session = try session()
    let one = try session.output("find", "meeting", "--limit", "1").split(separator: "\n")
    #expect(one.count == 2)
    #expect(one.last?.contains("--limit") ?? false)
    #expect(try session.output("find", "zebra") == "No events found.\n")
    #expect(try session.json("find", "zebra") == [])
  }

  @Test func `a title from a stranger cannot steer the terminal`() throws {
    let session = try Session()
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nBEGIN:VEVENT\r\nUID:e\r\n"
      + "DTSTAMP:20260101T000000Z\r\nDTSTART;VALUE=DATE:20300107\r\nSUMMARY:Evil\u{1b}[31m\r\n"
      + "END:VEVENT\r\nEND:VCALENDAR\r\n"
    _ = try session.output("import", try session.home.write(text, to: "evil.ics"))
    #expect(try session.output("find", "evil") == "Mon 7 Jan 2030, all day  Evil[31m\n")
  }

  @Test func `what it does not take is refused`() throws {
    let session = try Session()
    #expect(try session.run("find").code == 2)
    #expect(try session.run("find", "x", "--limit", "0").code == 2)
    for (arguments, word) in [
      (["find", "--", "- *"], "WORD"), (["find", "x", "--from", "someday"], "--from"),
      (["find", "x", "--calendar", "none"], "--calendar"),
    ] {
      let outcome = try session.run(arguments)
      #expect(outcome.code != 0)
      #expect(outcome.errors.contains(word), "\(outcome.errors)")
    }
    #expect(try session.run("search", "x").errors.contains("find"))
  }
}
