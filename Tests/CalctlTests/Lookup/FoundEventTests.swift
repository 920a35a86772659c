import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `An event without its ID` {
  @Test func `its title, and a part of it, is enough for every command`() throws {
    let session = try Session()
    let id = try session.add("Lunch with Ana", "2099-01-07 12:00")
    _ = try session.add("Lunch with Ana", "2020-01-07 12:00")
    _ = try session.output("calendars", "add", "Office")
    #expect(try session.json("show", "lunch wi")["uid"] == .string(id))
    #expect(
      try session.output("move", "lunch with ana", "office") == "Moved Lunch with Ana to Office.\n")
    #expect(try session.output("export", "--id", "with ana").contains("UID:\(id)\r\n"))
    _ = try session.output("edit", "with ana", "--title", "Coffee", "--yes")
    #expect(try session.output("rm", "Coffee").hasPrefix("Removed Coffee: "))
    #expect(try session.run("show", id).code == 3)
  }

  @Test func `of several none is changed, and they are listed`() throws {
    let session = try Session()
    let second = try session.add("Tea with Ben", "2099-01-08 12:00")
    let first = try session.add("Tea with Ana", "2099-01-07 12:00")
    for arguments in [
      ["rm", "tea"], ["edit", "tea", "--title", "x"], ["move", "tea", "personal"],
    ] {
      let refusal = try session.run(arguments)
      #expect(refusal.code == 3)
      #expect(
        refusal.errors.split(separator: "\n") == [
          "calctl: 2 events have \"tea\" in their titles; choose one by its ID:",
          "  Tea with Ana: Wed 7 Jan 2099, 12:00 – 13:00 \(first)",
          "  Tea with Ben: Thu 8 Jan 2099, 12:00 – 13:00 \(second)",
        ], "\(refusal.errors)")
    }
    #expect(try session.json("show", second)["summary"] == "Tea with Ben")
  }

  @Test func `an occurrence with such a title of its own is found, not its series`() throws {
    let session = try Session()
    let id = try session.add("Tea", "2099-01-07 12:00", "--repeat", "daily")
    _ = try session.output("edit", "\(id)/20990107T110000Z", "--title", "Coffee with Ana")
    #expect(
      try session.output("rm", "coffee", "--yes").hasPrefix(
        "Removed this occurrence of Coffee with Ana (every day): Wed 7 Jan 2099, 12:00"))
    #expect(try session.json("show", "tea")["uid"] == .string(id))
  }

  @Test func `one occurrence goes by its day, in the zone of the event`() throws {
    let session = try Session()
    let id = try session.add(
      "Late show", "2030-01-07 22:00", "--repeat", "daily", "--time-zone", "America/New_York")
    for name in ["Late show@2030-01-08", "late@2030-01-08", "\(id)/2030-01-08", "late@8 Jan 2030"] {
      // In Berlin it is the 9th.
      #expect(
        try session.json("show", name)["recurrence-id"] == "20300109T030000Z", "\(name)")
    }
    _ = try session.output("edit", "late show@2030-01-08", "--title", "Matinee")
    #expect(try session.json("show", "Matinee@2030-01-08")["uid"] == .string(id))
    let refusal = try session.run("rm", "Late show@2030-01-06")
    #expect(refusal.code == 3)
    #expect(
      refusal.errors
        == "calctl: no event on Sun 6 Jan 2030 has the ID or the title \"Late show\"\n")
  }

  @Test func `of events with one title, the day chooses one`() throws {
    let session = try Session()
    let first = try session.add("Dentist", "2030-01-07 9:00")
    let second = try session.add("Dentist", "2030-01-08")
    #expect(try session.json("show", "dentist@2030-01-07")["uid"] == .string(first))
    #expect(try session.json("show", "dentist@2030-01-08")["uid"] == .string(second))
    _ = try session.add("Dentist", "2030-01-07 15:00")
    let refusal = try session.run("rm", "dentist@2030-01-07")
    #expect(refusal.code == 3)
    #expect(
      refusal.errors.hasPrefix(
        "calctl: 2 events on Mon 7 Jan 2030 match \"dentist\"; choose one by its ID:\n"))
  }

  @Test func `next is the next one, and last the one that was changed last`() throws {
    let session = try Session()
    #expect(try session.run("show", "next").errors == "calctl: There is no next event.\n")
    #expect(try session.run("show", "last").code == 3)
    let near = try session.add("Near", "in 2h")
    let far = try session.add("Far", "2099-01-07 12:00")
    #expect(try session.json("show", "next")["uid"] == .string(near))
    #expect(try session.json("show", "last")["uid"] == .string(far))
    _ = try session.output("edit", near, "--title", "Nearer")
    #expect(try session.json("show", "last")["uid"] == .string(near))
    _ = try session.output("undo")
    #expect(try session.json("show", "last")["uid"] == .string(far))
    _ = try session.output("rm", "last")
    #expect(try session.json("show", "last")["uid"] == .string(near))
    // An import is nothing that the user added.
    _ = try session.output("import", "-", input: .bytes(Array(lunchCalendar.utf8)))
    #expect(try session.json("show", "last")["uid"] == .string(near))
  }

  @Test func `on a terminal one of several is chosen by its number`() throws {
    let session = try Session()
    _ = try session.add("Tea with Ana", "2099-01-07 12:00")
    let second = try session.add("Tea with Ben", "2099-01-08 12:00")
    let terminal = try PseudoTerminal()
    for (answer, code) in [("3\n", 1), ("\n", 1), ("2\n", 0)] as [(String, Int32)] {
      terminal.type(answer)
      let outcome = try session.start(
        "show", "tea with", "--json", input: .descriptor(terminal.program)
      ).wait()
      #expect(outcome.code == code, "\(outcome.errors)")
      #expect(outcome.errors.contains("\n  2   "), "\(outcome.errors)")
      #expect(outcome.output.isEmpty == (code != 0))
      if code == 0 {
        let line = outcome.errors.split(separator: "\n").first { $0.contains("  2   ") } ?? ""
        let title = line.contains(second) ? "Tea with Ben" : "Tea with Ana"
        #expect(outcome.output.contains("\"\(title)\""), "\(outcome.output)")
      }
    }
  }

  @Test func `by a part of its title none is changed without being asked`() throws {
    let session = try Session()
    let id = try session.add("Call dentist back", "2099-01-07 12:00")
    for arguments in [
      ["rm", "Dentist"], ["edit", "dentist", "--title", "x"], ["move", "dentist", "personal"],
      ["copy", "dentist", "--start", "+1d"], ["rm", "dentist@2099-01-07"],
    ] {
      let refusal = try session.run(arguments)
      #expect(refusal.code == 3)
      #expect(
        refusal.errors == """
          calctl: "\(arguments[1])" is only a part of a title; write the ID or the whole title, or \
          add --yes:
            Call dentist back: Wed 7 Jan 2099, 12:00 – 13:00 \(id)

          """)
    }
    #expect(try session.json("show", "dentist")["uid"] == .string(id))
    #expect(try session.output("rm", "dentist", "--yes").hasPrefix("Removed Call dentist back"))
  }

  @Test func `on a terminal a part of a title is asked about once`() throws {
    let session = try Session()
    _ = try session.add("Call dentist back", "2099-01-07 12:00")
    let terminal = try PseudoTerminal()
    func run(_ arguments: String..., answer: String) throws -> Subprocess.Outcome {
      terminal.type(answer + "\n")
      return try session.start(arguments, input: .descriptor(terminal.program)).wait()
    }
    let kept = try run("edit", "dentist", "--title", "x", answer: "n")
    #expect(kept.output == "Nothing was changed.\n")
    #expect(
      kept.errors == """
        "dentist" is a part of this title: Call dentist back: Wed 7 Jan 2099, 12:00 – 13:00. Is it \
        meant? [y/N]\u{20}
        """)
    #expect(
      try run("edit", "dentist", "--title", "Dentist", answer: "y").output.hasPrefix(
        "Changed Dentist"))
    let removed = try run("rm", "dent", answer: "y")
    #expect(removed.errors.hasPrefix("Remove Dentist: "), "\(removed.errors)")
    #expect(removed.output.hasPrefix("Removed Dentist: "))
  }

  @Test func `one that is over is not changed by its title without being asked`() throws {
    let session = try Session()
    let id = try session.add("Dentist", "2020-01-07 12:00")
    _ = try session.add("Dentist", "2099-01-07 12:00")
    #expect(try session.output("rm", "dentist").contains("2099"))
    for arguments in [
      ["rm", "dentist"], ["edit", "dentist", "--title", "x"], ["move", "dentist", "personal"],
    ] {
      let refusal = try session.run(arguments)
      #expect(refusal.code == 3)
      #expect(
        refusal.errors == """
          calctl: the only event called "dentist" is over; write its ID, or add --yes:
            Dentist: Tue 7 Jan 2020, 12:00 – 13:00 \(id)

          """)
    }
    #expect(try session.json("show", "dentist")["uid"] == .string(id))
    #expect(try session.output("copy", "dentist", "--start", "2099-01-08").contains("2099"))
    _ = try session.output("rm", "dentist")
    let terminal = try PseudoTerminal()
    terminal.type("\n")
    let kept = try session.start(
      "edit", "dentist", "--title", "x", input: .descriptor(terminal.program)
    ).wait()
    #expect(
      kept.errors == """
        The only event with this title is over: Dentist: Tue 7 Jan 2020, 12:00 – 13:00. Is it \
        meant? [y/N]\u{20}
        """)
    #expect(kept.output == "Nothing was changed.\n")
    #expect(try session.output("rm", "Dentist@2020-01-07").contains("Removed Dentist"))
    _ = try session.output("undo")
    #expect(try session.output("rm", "dentist", "--yes").contains("Removed Dentist"))
  }

  @Test func `a word that begins the ID of another event is a part of its title, or no match`()
    throws
  {
    let session = try Session()
    let file = """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      PRODID:x\r
      BEGIN:VEVENT\r
      UID:standup@example.org\r
      DTSTAMP:20260101T000000Z\r
      DTSTART:20990107T090000Z\r
      SUMMARY:Team standup\r
      END:VEVENT\r
      END:VCALENDAR\r

      """
    _ = try session.output("import", "-", input: .bytes(Array(file.utf8)))
    #expect(try session.run("rm", "standup").code == 3)
    _ = try session.add("Standup", "2099-01-08 09:00")
    _ = try session.output("rm", "standup")
    #expect(try session.json("show", "Team standup")["uid"] == "standup@example.org")
  }

  @Test func `the whole title of a to-do precedes a part of that of an event`() throws {
    let session = try Session()
    _ = try session.add("Call dentist back", "2099-01-07 12:00")
    _ = try session.output("todo", "add", "Dentist")
    #expect(try session.output("rm", "dentist").hasPrefix("Removed the to-do Dentist"))
  }

  @Test func `only the first ten have a number`() {
    let lines = (1...11).map { "id\($0)" }
    let text = EventLookup.question("several:", lines, numbered: 10)
    #expect(text.hasPrefix("several:\n  1   id1\n"))
    #expect(text.contains("\n  10  id10\n      id11\n"))
  }
}
