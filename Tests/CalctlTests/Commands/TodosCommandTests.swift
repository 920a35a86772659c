import CalendarBus
import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl todos` {
  private func component(_ lines: String...) -> String {
    (["BEGIN:VTODO", "DTSTAMP:20260101T000000Z"] + lines + ["END:VTODO", ""])
      .joined(separator: "\r\n")
  }

  private func session() throws -> Session {
    let session = try Session()
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n"
      + component(
        "UID:rent", "DUE;TZID=Europe/Berlin:20300107T170000", "PRIORITY:1", "SUMMARY:Pay the rent",
        "PERCENT-COMPLETE:50")
      + component("UID:plants", "DUE;VALUE=DATE:20300108", "PRIORITY:5", "SUMMARY:Water plants")
      + component("UID:book", "SUMMARY:Read\u{1b}[31m a book")
      + component(
        "UID:call", "DUE;VALUE=DATE:20300101", "SUMMARY:Call", "STATUS:COMPLETED",
        "COMPLETED:20300101T120000Z")
      + component("UID:trip", "SUMMARY:Trip", "STATUS:CANCELLED") + "END:VCALENDAR\r\n"
    let path = try session.home.write(text, to: "todos.ics")
    #expect(try session.output("import", path) == "Imported \(path) into Personal: 5 added\n")
    return session
  }

  @Test func `open ones are listed by when they are due`() throws {
    let session = try session()
    #expect(
      try session.output("todos") == """
        Mon 7 Jan 2030, 17:00  ! Pay the rent  (50 %)
        Tue 8 Jan 2030           Water plants
        no due date              Read[31m a book

        """)
    #expect(try session.json("agenda", "2030-01-07") == [])
  }

  @Test func `with --all those that are done or cancelled follow, marked`() throws {
    let session = try session()
    #expect(
      try session.output("todos", "--all").split(separator: "\n").suffix(2) == [
        "Tue 1 Jan 2030         x Call  (done Tue 1 Jan 2030)",
        "no due date            - Trip",
      ])
  }

  @Test func `alarms that count from a date that there is not do not ring, and it is said`() throws
  {
    let session = try Session()
    func alarm(_ trigger: String) -> String {
      "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER\(trigger)\r\nEND:VALARM"
    }
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n"
      + component("UID:book", "SUMMARY:Read", alarm(";RELATED=END:-PT15M"), alarm(":PT0S"))
      + component(
        "UID:paint", "SUMMARY:Paint", "DTSTART:20300107T160000Z", alarm(";RELATED=END:-PT15M"))
      + component(
        "UID:tax", "SUMMARY:Tax", alarm(";RELATED=END:-PT15M"),
        alarm(";VALUE=DATE-TIME:20300107T160000Z")) + "END:VCALENDAR\r\n"
    _ = try session.output("import", try session.home.write(text, to: "todos.ics"))
    func reminders(_ uid: String) throws -> Substring? {
      try session.output("show", uid).split(separator: "\n").first { $0.hasPrefix("  reminders ") }?
        .dropFirst(14)
    }
    let none = " (not shown, since it has no date)"
    #expect(try reminders("book") == "15 min before it is due\(none), at the start\(none)")
    #expect(
      try session.output("why", "book")
        == "Read  (Personal)\n  no reminder will be shown: its reminders are relative to a date, "
        + "and it has none\n")
    #expect(try reminders("paint") == "15 min before it begins")
    #expect(try session.output("why", "paint").contains("due at Mon 7 Jan 2030, 16:45"))
    #expect(try reminders("tax") == "15 min before it is due\(none), Mon 7 Jan 2030, 17:00")
    #expect(try session.output("why", "tax").contains("due at Mon 7 Jan 2030, 17:00"))
  }

  @Test func `as JSON they have the keys of the bus`() throws {
    let session = try session()
    let rows = try session.json("todos")
    #expect(rows.arrayValue?.count == 3)
    #expect(rows[0]?["uid"] == "rent")
    #expect(rows[0]?["due-text"] == "2030-01-07T17:00:00+01:00")
    #expect(rows[1]?["due-text"] == "2030-01-08")
    #expect(rows[2]?["due"] == nil)
    #expect(try session.json("todos", "--all").arrayValue?.count == 5)
  }

  @Test func `calendars narrow it`() throws {
    let session = try session()
    _ = try session.output("calendars", "add", "Office")
    #expect(try session.output("todos", "--calendar", "OFFICE") == "No open to-dos.\n")
    #expect(try session.json("todos", "--calendar", "personal").arrayValue?.count == 3)
    #expect(try session.run("todos", "--calendar", "nope").code == 3)
  }

  @Test func `without to-dos it says so`() throws {
    let session = try Session()
    #expect(try session.output("todos") == "No open to-dos.\n")
    #expect(try session.output("todos", "--all") == "No to-dos.\n")
    #expect(try session.json("todos") == [])
  }

  @Test func `rm, move and edit take its ID`() throws {
    let session = try session()
    _ = try session.output("calendars", "add", "Office")
    #expect(
      try session.output("move", "rent", "office") == "Moved Pay the rent to Office.\n")
    #expect(try session.json("todos", "--calendar", "office").arrayValue?.count == 1)
    #expect(
      try session.output("rm", "Office/rent")
        == "Removed the to-do Pay the rent: due Mon 7 Jan 2030, 17:00\n")
    #expect(try session.output("rm", "book").hasSuffix(": no due date\n"))
    // Those that are done, too.
    #expect(try session.json("rm", "call")["removed"]?["uid"] == "call")
    #expect(try session.json("todos", "--all").arrayValue?.count == 2)
    _ = try session.output("undo")
    #expect(try session.json("todos", "--all").arrayValue?.count == 3)
    let edit = try session.run("edit", "plants", "--start", "fri")
    #expect(edit.code == 2 && edit.errors.contains("--start: \"plants\" is a to-do ("))
    #expect(
      try session.output("edit", "plan", "--due", "2030-01-09")
        == "Changed the to-do Water plants: due Wed 9 Jan 2030\n")
    _ = try session.output("move", "plan", "office")
    #expect(try session.json("rm", "water plants")["removed"]?["uid"] == "plants")
  }

  @Test func `of two with one ID it has to be said which`() throws {
    let session = try session()
    _ = try session.output("calendars", "add", "Office")
    let path = session.home.file("todos.ics")
    _ = try session.output("import", path, "--calendar", "office")
    let refused = try session.run("rm", "plants")
    #expect(refused.code == 3, "\(refused.errors)")
    #expect(refused.errors.contains("personal/plants") && refused.errors.contains("office/plants"))
    _ = try session.output("rm", "office/plants")
    #expect(try session.run("rm", "plants").code == 0)
  }

  @Test func `what it does not take is refused`() throws {
    let session = try Session()
    #expect(try session.run("todos", "rent").code == 2)
    #expect(try session.run("todos", "--done").code == 2)
    let other = try session.run("tasks")
    #expect(other.code == 2)
    #expect(other.errors.contains("todos"), "\(other.errors)")
  }

  @Test func `one is added, listed and done`() throws {
    let session = try Session()
    let added = try session.output(
      "todo", "add", "Pay the rent", "--due", "2030-01-07 17:00", "--priority", "high")
    let lines = added.split(separator: "\n")
    #expect(lines[0] == "Added the to-do Pay the rent: due Mon 7 Jan 2030, 17:00")
    #expect(lines.count == 2 && lines[1].hasPrefix("id "), "\(added)")
    #expect(
      try session.output("todo", "add", "Read").hasPrefix("Added the to-do Read.\nid "))
    #expect(
      try session.output("todo") == """
        Mon 7 Jan 2030, 17:00  ! Pay the rent
        no due date              Read

        """)
    #expect(try session.output("done", "pay the RENT") == "Done: Pay the rent\n")
    #expect(try session.output("todos") == "no due date    Read\n")
    let all = try session.json("todos", "--all")
    #expect(all[1]?["status"] == "completed" && all[1]?["percent"] == 100)
    let again = try session.run("done", "Pay the rent")
    #expect(again.code == 0 && again.errors.contains("is done already"), "\(again.errors)")
    _ = try session.output("undo")
    #expect(try session.json("todos").arrayValue?.count == 2)
  }

  @Test func `a to-do is found among the open ones first, and several are listed`() throws {
    let session = try session()
    #expect(try session.json("done", "plants") == [["uid": "plants", "calendar": "personal"]])
    _ = try session.output("todo", "add", "Pay the plumber")
    let several = try session.run("done", "pay")
    #expect(several.code == 3 && several.errors.contains("2 to-dos match \"pay\""))
    #expect(try session.run("done", "nothing").code == 3)
    #expect(try session.run("done", "the plumber").code == 3)
    #expect(try session.output("done", "the plumber", "--yes") == "Done: Pay the plumber\n")
  }

  @Test func `its title, due date and priority can be changed`() throws {
    let session = try session()
    let changed = try session.json(
      "todo", "edit", "Pay the rent", "--title", "Rent", "--due", "2030-01-08", "--priority",
      "none")
    #expect(changed["summary"] == "Rent" && changed["due-text"] == "2030-01-08")
    #expect(changed["priority"] == 0)
    #expect(
      try session.output("edit", "rent", "--due", "none")
        == "Changed the to-do Rent: no due date\n")
    let event = try session.add("Tea", "2030-01-07 12:00")
    #expect(try session.run("edit", event, "--priority", "low").code == 2)
    for arguments in [["todo", "edit"], ["todo", "edit", "rent"], ["todo", "--title", "x"]] {
      #expect(try session.run(arguments).code == 2)
    }
    let late = try session.run("todo", "edit", "rent", "--due", "whenever")
    #expect(late.code == 1 && late.errors.contains("--due: \"whenever\""), "\(late.errors)")
  }

  @Test func `done takes the numbers of the list, and last is the one added last`() throws {
    let session = try session()
    let terminal = try PseudoTerminal()
    let program = try session.startShell(
      "calctl todos >&0", input: .descriptor(terminal.program))
    #expect(try program.wait().code == 0)
    let printed = terminal.takeOutput()
    #expect(printed.contains("2  Tue 8 Jan 2030           Water plants"), "\(printed)")
    #expect(try session.json("done", "2", "1").arrayValue?.count == 2)
    #expect(try session.json("show", "2")["uid"] == "plants")
    #expect(try session.run("done", "last").code == 3, "an import adds none of the user's")
    _ = try session.output("todo", "add", "Sweep")
    _ = try session.add("Tea", "2030-01-07 12:00")
    _ = try session.output("todo", "add", "Iron")
    #expect(try session.output("todo", "edit", "sweep", "--priority", "low").contains("Sweep"))
    #expect(try session.output("done", "last") == "Done: Sweep\n")
    // Not the one that is done, but the open one before it.
    #expect(try session.output("todo", "edit", "last", "--due", "none").contains("Iron"))
    #expect(try session.output("done", "last") == "Done: Iron\n")
    #expect(try session.run("done", "last").code == 3)
  }

  @Test func `a due time keeps its day, and one with a sign counts from the present one`() throws {
    let session = try session()
    for (due, words) in [
      ("19:00", "Mon 7 Jan 2030, 19:00"), ("+1d", "Tue 8 Jan 2030, 19:00"),
      ("-30m", "Tue 8 Jan 2030, 18:30"), ("2030-01-07", "Mon 7 Jan 2030"),
      ("+1d", "Tue 8 Jan 2030"), ("9:00", "Tue 8 Jan 2030, 09:00"),
    ] {
      #expect(
        try session.output("todo", "edit", "Pay the rent", "--due", due)
          == "Changed the to-do Pay the rent: due \(words)\n")
    }
    let hours = try session.run("edit", "plants", "--due", "+2h")
    #expect(hours.code == 2)
    #expect(hours.errors.contains("--due: a day moves by whole days, not by +2h"))
  }

  @Test(arguments: [
    (["todo", "remove", "x"], "unknown action \"remove\""), (["todo", "add"], "TITLE is missing"),
    (["todo", "add", "x", "--priority", "10"], "--priority: \"10\" must be one of high"),
    (["todo", "--due", "fri"], "--due needs add"), (["done"], "ID is missing"),
  ])
  func `what is not understood is refused`(arguments: [String], words: String) throws {
    let outcome = try runOffline(arguments)
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }
}
