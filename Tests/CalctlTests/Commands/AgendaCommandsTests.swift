import JSON
import TestSupport
import Testing
import Widgets

@testable import CalctlCommands

@Suite struct `calctl today, agenda and next` {
  @Test func `the bus starts the agent, and an empty calendar says so`() throws {
    let session = try Session()
    #expect(try session.output("today") == "Nothing today.\n")
    #expect(
      try session.output("agenda", "2030-01-07") == "Nothing on Mon 7 Jan 2030.\n")
    #expect(
      try session.output("agenda", "2030-01-07", "--days", "7")
        == "Nothing from Mon 7 Jan 2030 to Sun 13 Jan 2030.\n")
    #expect(try session.output("next") == "No upcoming events with a time.\n")
    for command in ["today", "agenda", "next"] { #expect(try session.json(command) == []) }
  }

  @Test func `on a narrow terminal each row is one line, and in a pipe it is whole`() throws {
    let session = try Session(variables: ["COLUMNS": "40"])
    let title = "Planning of the summer festival with everybody"
    _ = try session.add(title, "2030-01-07 9:00", "--location", "Town hall")
    _ = try session.output("todo", "add", title, "--due", "2030-01-08")
    for words in ["agenda 2030-01-07", "find planning", "todos"] {
      let terminal = try PseudoTerminal()
      let program = try session.startShell(
        "calctl \(words) >&0", input: .descriptor(terminal.program))
      #expect(try program.wait().code == 0)
      let printed = terminal.takeOutput()
      #expect(printed.contains("…"), "\(printed)")
      for line in printed.split(whereSeparator: \.isNewline) {
        #expect(line.columns <= 40, "\(line)")
      }
      let piped = try session.run(words.split(separator: " ").map(String.init))
      #expect(piped.output.contains(title), "\(piped.output)")
    }
  }

  @Test func `today has what takes today`() throws {
    let session = try Session()
    // Two days to either side, so that a midnight during the test changes nothing.
    _ = try session.add("Team week", "2 days ago", "--end", "+3d")
    let text = try session.output("today")
    #expect(text.contains("(today)\n  all day        Team week\n"))
    #expect(try session.json("today")[0]?["summary"]?.stringValue == "Team week")
  }

  @Test func `what is tentative or declined is marked, also in a search and by itself`() throws {
    let session = try Session()
    try session.home.write(
      "[calendar]\nemail = ana@example.org\n", to: "config/datebook/datebook.conf")
    func invitation(_ title: String, _ answer: String, _ line: String = "") -> String {
      "BEGIN:VEVENT\r\nUID:\(title)\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20300107T090000Z\r\n"
        + "DTEND:20300107T093000Z\r\nSUMMARY:\(title)\r\nLOCATION:Room 4\r\n\(line)"
        + "ATTENDEE;PARTSTAT=\(answer):mailto:ana@example.org\r\n"
        + "ATTENDEE;PARTSTAT=DECLINED:mailto:bo@example.org\r\nEND:VEVENT\r\n"
    }
    let path = try session.home.write(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n"
        + invitation("Board", "DECLINED") + invitation("Crew", "ACCEPTED")
        + invitation("Dance", "DECLINED", "STATUS:TENTATIVE\r\n") + "END:VCALENDAR\r\n",
      to: "invitations.ics")
    _ = try session.output("import", path)
    #expect(
      try session.output("agenda", "2030-01-07", "--days", "1") == """
        Mon 7 Jan 2030
          10:00 – 10:30  Board (declined)  (Room 4)
          10:00 – 10:30  Crew  (Room 4)
          10:00 – 10:30  Dance? (declined)  (Room 4)

        """)
    #expect(try session.output("find", "board").contains("Board (declined)  (Room 4)"))
    let rows = try session.json("agenda", "2030-01-07", "--days", "1").arrayValue ?? []
    #expect(rows.map { $0["declined"] } == [true, nil, true])
    let declined = try session.output("show", "Dance")
    #expect(declined.contains("  status      tentative, declined\n"), "\(declined)")
    #expect(declined.contains("  shows as    free\n"), "\(declined)")
    #expect(
      declined.contains("  with        ana@example.org (declined), bo@example.org (declined)\n"),
      "\(declined)")
    #expect(!declined.contains("  reminders "), "\(declined)")
    let accepted = try session.output("show", "Crew")
    #expect(accepted.contains("  with        ana@example.org (accepted), bo@"), "\(accepted)")
    #expect(accepted.contains("  reminders   15 min before"), "\(accepted)")
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
          22:00 →        Party (until 8 Jan)
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

  @Test(arguments: [30, 130])
  func `of however many that begin together the first by title is next`(count: Int) throws {
    let session = try Session()
    let events = (0..<count).map { number in
      // The order of the uids is the other way round.
      """
      BEGIN:VEVENT
      UID:\(1000 + number)
      DTSTART:20300107T090000Z
      DTEND:20300107T100000Z
      SUMMARY:Talk \(1000 + count - number)
      END:VEVENT

      """
    }
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//t//t//EN\n\(events.joined())END:VCALENDAR\n"
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    for arguments in [["next"], ["next", "--calendar", "personal"]] {
      #expect(try session.json(arguments)[0]?["summary"] == "Talk 1001")
    }
  }

  @Test func `what the owner declined is not next, with calendars neither`() throws {
    let session = try Session()
    try session.home.write(
      "[calendar]\nemail = me@example.org\n", to: "config/datebook/datebook.conf")
    _ = try session.add("Mine", "2030-01-08 9:00")
    let invitation = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//t//t//EN
      BEGIN:VEVENT
      UID:theirs
      DTSTART:20300107T090000Z
      DTEND:20300107T100000Z
      SUMMARY:Theirs
      ORGANIZER:mailto:ana@example.org
      ATTENDEE;PARTSTAT=DECLINED:mailto:me@example.org
      END:VEVENT
      END:VCALENDAR

      """
    _ = try session.output("import", "-", input: .bytes(Array(invitation.utf8)))
    let next = try session.output("next")
    #expect(next.contains("Mine"))
    #expect(try session.output("next", "--calendar", "personal") == next)
    #expect(try session.json("next", "--count", "5", "--calendar", "personal")[1] == nil)
  }

  @Test func `calendars narrow it, also hidden ones and by their names`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Office")
    _ = try session.add("Mine", "2030-01-07 9:00")
    _ = try session.add("Theirs", "2030-01-07 10:00", "--calendar", "Office")
    _ = try session.add("Their day", "2 days ago", "--end", "+3d", "--calendar", "Office")
    _ = try session.output("calendars", "hide", "office")
    let day = ["agenda", "2030-01-07", "--days", "1"]
    func titles(_ arguments: [String]) throws -> [String?] {
      (try session.json(arguments).arrayValue ?? []).map { $0["summary"]?.stringValue }
    }
    #expect(try titles(day) == ["Mine"])
    #expect(try titles(day + ["--calendar", "OFFICE"]) == ["Theirs"])
    #expect(
      try titles(day + ["--calendar", "office", "--calendar", "Personal"]) == ["Mine", "Theirs"])
    #expect(try titles(["today", "--calendar", "office"]) == ["Their day"])
    #expect(try titles(["next", "--calendar", "office"]) == ["Theirs"])
    #expect(try titles(["next", "--count", "5", "--calendar", "personal"]) == ["Mine"])
    for command in ["agenda", "today", "next"] {
      #expect(try session.run(command, "--calendar", "nope").code == 3)
    }
  }

  @Test func `releases are chosen by their state and quality`() throws {
    let session = try Session()
    for (title, state, quality) in [("Had", "available", "Bluray-1080p"), ("Lost", "missing", "")] {
      let text = lunchCalendar.replacing("UID:lunch", with: "UID:\(title)").replacing(
        "SUMMARY:Lunch",
        with:
          "SUMMARY:\(title)\r\nTRANSP:TRANSPARENT\r\nX-DATEBOOK-STATE:\(state)\r\nX-DATEBOOK-QUALITY:\(quality)"
      )
      _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    }
    func titles(_ options: String...) throws -> [String?] {
      let day = ["agenda", "2030-01-07", "--days", "1", "--calendar", "personal"]
      return (try session.json(day + options).arrayValue ?? []).map { $0["summary"]?.stringValue }
    }
    #expect(try titles().count == 2)
    #expect(try titles("--state", "missing") == ["Lost"])
    #expect(try titles("--quality", "1080p") == ["Had"])
    #expect(try titles("--state", "missing", "--quality", "1080p") == [])
  }

  @Test func `a list without events says which event is next`() throws {
    let session = try Session()
    _ = try session.add("Dentist", "2030-01-07 9:00")
    #expect(
      try session.output("today")
        == "Nothing today. Next: Mon 7 Jan 2030, 09:00 – 10:00  Dentist\n")
    #expect(try session.output("tomorrow") == "Nothing tomorrow.\n")
    #expect(try session.output("agenda").contains(". Next: Mon 7 Jan 2030"))
    #expect(try session.output("today", "--format", "{title}") == "")
  }

  @Test func `weeks and months are listed as people name them`() throws {
    let session = try Session()
    try session.home.write("[calendar]\nweek-start = sunday\n", to: "config/datebook/datebook.conf")
    _ = try session.add("Sunday", "2030-01-06")
    #expect(
      try session.output("agenda", "january", "2030") == "Sun 6 Jan 2030\n  all day        Sunday\n"
    )
    #expect(
      try session.output("agenda", "3-5", "Jan", "2030")
        == "Nothing from Thu 3 Jan 2030 to Sat 5 Jan 2030.\n")
    let next = try session.output("agenda", "next", "week")
    #expect(next.hasPrefix("Nothing from Sun ") && next.contains(" to Sat "), "\(next)")
    #expect(try session.output("week", "next", "week") == next)
    #expect(try session.output("week", "+1") == next)
    #expect(try session.output("agenda", "week", "+1") == next)
    #expect(try session.output("week", "-1") == session.output("agenda", "last", "week"))
    let refused = try session.run("next", "week")
    #expect(refused.code == 2 && refused.errors.contains("calctl agenda next week"))
  }

  @Test func `each row names its calendar where there are several`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Work")
    _ = try session.add("Standup", "2030-01-07 9:30", "--calendar", "work")
    _ = try session.add("Gym", "2030-01-07 9:45")
    let day = ["agenda", "2030-01-07", "--days", "1"]
    let both = """
      Mon 7 Jan 2030
        09:30 – 10:30  Work      Standup (conflict)
        09:45 – 10:45  Personal  Gym (conflict)

      """
    #expect(try session.run(day).output == both)
    #expect(
      try session.run(day + ["--calendar", "work"]).output
        == "Mon 7 Jan 2030\n  09:30 – 10:30  Standup (conflict)\n")
    #expect(
      try session.output("find", "gym")
        == "Mon 7 Jan 2030, 09:45 – 10:45  Personal  Gym (conflict)\n")
    let next = try session.output("next", "--calendar", "work")
    #expect(next.hasSuffix("  Standup (conflict)\n"), "\(next)")
    #expect(
      try session.run(day + ["--format", "{date} {start} {title} [{calendar}]"]).output
        == "2030-01-07 09:30 Standup [Work]\n2030-01-07 09:45 Gym [Personal]\n")
  }

  @Test func `a week goes from its first day to its last`() throws {
    let session = try Session()
    try session.home.write("[calendar]\nweek-start = sunday\n", to: "config/datebook/datebook.conf")
    #expect(
      try session.output("week", "2030-01-09")
        == "Nothing from Sun 6 Jan 2030 to Sat 12 Jan 2030.\n")
    _ = try session.output("calendars", "add", "Office")
    for day in ["2030-01-05", "2030-01-06", "2030-01-12", "2030-01-13"] {
      _ = try session.add(day, day, "--calendar", day < "2030-01-12" ? "personal" : "office")
    }
    func titles(_ arguments: String...) throws -> [String?] {
      (try session.json(["week", "2030-01-09"] + arguments).arrayValue ?? []).map {
        $0["summary"]?.stringValue
      }
    }
    #expect(try titles() == ["2030-01-06", "2030-01-12"])
    #expect(try titles("--calendar", "OFFICE") == ["2030-01-12"])
    #expect(
      try session.output("week", "2030-01-06", "--calendar", "personal")
        == "Sun 6 Jan 2030\n  all day        2030-01-06\n")
    #expect(
      try session.run("week", "2026-13").errors.contains("DAY: \"2026-13\": there is no month 13"))
  }

  @Test func `what happens too often on a day is one line of it, and hides nothing`() throws {
    let session = try Session()
    let id = try session.add("Tick", "2030-01-07", "--repeat", "weekly")
    #expect(try session.run("rm", id).code == 0)
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//t//t//EN
      BEGIN:VEVENT
      UID:tick
      DTSTART;TZID=Europe/Berlin:20300107T000000
      DURATION:PT1S
      RRULE:FREQ=MINUTELY;UNTIL=20310107T000000Z
      SUMMARY:Tick
      END:VEVENT
      END:VCALENDAR

      """
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    #expect(
      try session.output("agenda", "2030-01-07", "--days", "1")
        == "Mon 7 Jan 2030\n  00:00 – 23:59  Tick (1,440 times)\n")
    _ = try session.add("Tea", "2030-01-08 16:00", "--end", "+1h")
    let week = try session.output("week", "2030-01-07", "--calendar", "personal")
    #expect(week.split(separator: "\n").count { $0.hasSuffix("Tick (1,440 times)") } == 7)
    #expect(week.contains("  16:00 – 17:00  Tea\n"))
    let rows = try session.json("agenda", "2030-01-07", "--days", "100").arrayValue ?? []
    #expect(rows.count { $0["count"] == 1440 } == 99)
    // The day on which the clock goes forward.
    #expect(rows.count { $0["count"] == 1380 } == 1)
    #expect(rows.count == 101)
    let conflicts = try session.run("conflicts", "2030-01-01", "--days", "100")
    #expect(conflicts.code == 1)
    #expect(
      conflicts.errors.contains("Too many occurrences of \"Tick\" in this range; ask for fewer"),
      "\(conflicts.errors)")
  }

  @Test func `a day that cannot be read, or leaves the calendar, is refused`() throws {
    let session = try Session()
    let word = try session.run("agenda", "blah")
    #expect(word.code == ExitCode.usage.rawValue)
    #expect(word.errors.hasPrefix("calctl: FROM: \"blah\": "))
    #expect(word.output.isEmpty)
    #expect(try session.run("agenda", "9999-12-31", "--days", "5").code == 1)
    #expect(try session.run("agenda", "2026-02-30").code == 2)
  }

  @Test func `output to a pipe has no colour`() throws {
    let session = try Session()
    _ = try session.add("Team week", "2 days ago", "--end", "+3d")
    #expect(!(try session.output("today").contains("\u{1b}")))
  }
}
