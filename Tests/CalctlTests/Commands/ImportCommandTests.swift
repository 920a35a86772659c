import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl import` {
  @Test func `a file, and a pipe, are imported`() throws {
    let session = try Session()
    let path = try session.home.write(lunchCalendar, to: "lunch.ics")
    #expect(try session.output("import", path) == "Imported \(path) into Personal: 1 added\n")
    #expect(
      try session.output("import", "-", input: .bytes(Array(lunchCalendar.utf8)))
        == "Imported standard input into Personal: 1 unchanged\n")
    try session.home.write(lunchCalendar.replacing("Lunch", with: "Dinner"), to: "lunch.ics")
    #expect(
      try session.output("import", "--mode", "skip-existing", path)
        == "Imported \(path) into Personal: 1 unchanged\n")
    #expect(
      try session.output("import", "--mode", "replace", path)
        == "Imported \(path) into Personal: 1 updated\n")
    #expect(try session.output("agenda", "2030-01-07", "--days=1").contains("Dinner"))
  }

  @Test func `a dry run keeps nothing`() throws {
    let session = try Session()
    let path = try session.home.write(lunchCalendar, to: "lunch.ics")
    #expect(
      try session.output("import", "--dry-run", path)
        == "Would import \(path) into Personal: 1 added\n")
    #expect(try session.json("agenda", "2030-01-07") == [])
  }

  /// A file of five events and 4 MiB.
  private func longFile(_ session: Session) throws -> String {
    let note = "X-NOTE:" + String(repeating: "x", count: 1_000_000) + "\r\n"
    let events = (0..<5).map {
      "BEGIN:VEVENT\r\nUID:\($0)\r\nDTSTART:20300107T123000Z\r\n\(note)END:VEVENT\r\n"
    }
    return try session.home.write(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(events.joined())END:VCALENDAR\r\n", to: "long.ics")
  }

  @Test func `a long file says on a terminal that it takes its time, and nowhere else`() throws {
    let session = try Session()
    let path = try longFile(session)
    // script(1) runs it on a terminal of its own.
    let command = "\(Session.program("calctl")) import \(path)"
    let outcome = try session.shell("script -qec '\(command)' /dev/null")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Importing \(path) (4 MiB) ..."), "\(outcome.output)")
    let percents = outcome.output.split(separator: "\r").compactMap { line in
      line.hasPrefix("Importing \(path) (4 MiB): ") ? line.dropFirst(path.count + 20) : nil
    }
    #expect(percents.last == "100 %, 5 events", "\(percents)")
    #expect(percents.count > 2 && percents.dropLast().contains { !$0.hasPrefix("100 ") })
    #expect(outcome.output.contains("5 added"))
    let again = try session.run("import", path)
    #expect(again.output == "Imported \(path) into Personal: 5 unchanged\n")
    #expect(again.errors == "")
    // It is standard error that must be one.
    let (answer, errors) = (session.home.file("answer"), session.home.file("errors"))
    let onErrors = try session.shell("script -qec '\(command) >\(answer)' /dev/null")
    #expect(onErrors.output.contains("Importing \(path) (4 MiB): 100 %"), "\(onErrors.output)")
    #expect(readFile(answer) == Array(again.output.utf8))
    let onOutput = try session.shell("script -qec '\(command) 2>\(errors)' /dev/null")
    #expect(onOutput.output == again.output.replacing("\n", with: "\r\n"))
    #expect(readFile(errors) == [])
  }

  @Test func `so does what comes by standard input, with its size where that is known`() throws {
    let session = try Session()
    let path = try longFile(session)
    let command = "\(Session.program("calctl")) import -"
    let file = try session.shell("script -qec '\(command) <\(path)' /dev/null")
    #expect(file.output.contains("\rImporting standard input (4 MiB) ..."), "\(file.output)")
    #expect(file.output.contains("\rImporting standard input (4 MiB): 100 %, 5 events"))
    #expect(file.output.contains("5 added"))
    let pipe = try session.shell("script -qec 'cat \(path) | \(command)' /dev/null")
    #expect(pipe.output.contains("\rImporting standard input: 100 %, 5 events"), "\(pipe.output)")
    #expect(pipe.output.contains("5 unchanged"))
    // A short file says nothing but what came of it.
    let short = try session.home.write(lunchCalendar, to: "lunch.ics")
    let brief = try session.shell("script -qec '\(command) <\(short)' /dev/null")
    #expect(brief.output == "Imported standard input into Personal: 1 added\r\n")
  }

  @Test func `as JSON the answer is counts and problems`() throws {
    let session = try Session()
    let path = try session.home.write(lunchCalendar, to: "lunch.ics")
    let answer = try session.json("import", path, "--calendar", "personal")
    #expect(answer["counts"]?["added"] == 1)
    #expect(answer["problems"] == [])
  }

  @Test func `an event that cannot be read is named with its line, and the others are imported`()
    throws
  {
    let session = try Session()
    let text = lunchCalendar.replacing(
      "END:VCALENDAR",
      with: "BEGIN:VEVENT\r\nUID:bad\r\nDTSTART:tomorrow\r\nEND:VEVENT\r\nEND:VCALENDAR")
    let path = try session.home.write(text, to: "bad.ics")
    let outcome = try session.run("import", path)
    #expect(outcome.code == ExitCode.partial.rawValue)
    #expect(outcome.output == "Imported \(path) into Personal: 1 added, 1 left out\n")
    #expect(
      outcome.errors.hasPrefix("calctl: \(path):11:9: left out: bad: DTSTART: "),
      "\(outcome.errors)")
  }

  @Test func `what is left out is named by its title and ID, apart from what was only mended`()
    throws
  {
    let session = try Session()
    let text = lunchCalendar.replacing(
      "END:VEVENT\r\n",
      with: """
        DTEND;TZID=Europe/Berlin:20300107T113000\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        UID:bad\r
        SUMMARY:Tea\\, green\r
        DTSTART:tomorrow\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        UID:half\r
        SUMMARY:Half\r

        """)
    let path = try session.home.write(text, to: "a.ics")
    let outcome = try session.run("import", path)
    #expect(outcome.output == "Imported \(path) into Personal: 1 added, 2 left out\n")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(outcome.errors)")
    for (line, words) in zip(
      lines,
      [
        "8:26: \"Lunch\" (lunch): DTEND: the end",
        "13:9: left out: \"Tea, green\" (bad): DTSTART: ",
        "18:1: left out: \"Half\" (half): VEVENT: ",
      ])
    {
      #expect(line.hasPrefix("calctl: \(path):\(words)"), "\(line)")
    }
    let problems = try #require(
      JSONReader.value(
        of: session.run("import", path, "--json", "--dry-run").output, maximumOctets: 1 << 20)[
          "problems"]?.arrayValue)
    #expect(problems.map { $0["summary"] } == ["Lunch", "Tea, green", "Half"])
    #expect(problems.map { $0["refused"] } == [false, true, true])
  }

  @Test func `rows of tables that are left out are named as well`() throws {
    let session = try Session()
    let table = try session.home.write(
      "uid,summary,start\n,Tea,soon\nb,\"Two, three\",2030-01-08,4\n,,never\nd,D,2030-01-09\n",
      to: "a.csv")
    let outcome = try session.run("import", table)
    #expect(outcome.output == "Imported \(table) into Personal: 1 added, 3 left out\n")
    for words in [
      "2:6: left out: \"Tea\": start: \"soon\"",
      "3:1: left out: \"Two, three\" (b): the line has 4",
      "4:3: left out: start: \"never\"",
    ] {
      #expect(outcome.errors.contains("calctl: \(table):\(words)"), "\(outcome.errors)")
    }
    let bad = try session.home.write("uid,summary,start\n,Jay,soon\n", to: "b.csv")
    let other = try session.run("import", bad)
    #expect(other.code == 1)
    #expect(other.errors.contains(": left out: \"Jay\": "), "\(other.errors)")
    #expect(other.errors.hasSuffix("calctl: nothing was imported from \(bad)\n"))
    // Nothing else says "Imported" of it.
    #expect(other.output == "")
    let dry = try session.run("import", "--dry-run", bad)
    #expect(dry.output == "" && dry.code == 1)
    #expect(dry.errors.hasSuffix("calctl: nothing would be imported from \(bad)\n"))
  }

  @Test func `a vCalendar of 1996 is imported with a warning for each deviation`() throws {
    let session = try Session()
    let text = """
      BEGIN:VCALENDAR
      VERSION:1.0
      BEGIN:VEVENT
      UID:tea
      SUMMARY;ENCODING=QUOTED-PRINTABLE:T=C3=A9=
      s
      DTSTART:20300107T160000Z
      DTEND:20300107T150000Z
      RRULE:D1 #2
      END:VEVENT
      END:VCALENDAR

      """
    let path = try session.home.write(text, to: "tea.vcs")
    let outcome = try session.run("import", path)
    #expect(outcome.output == "Imported \(path) into Personal: 1 added\n")
    #expect(
      outcome.errors.split(separator: "\n").map(String.init) == [
        "calctl: \(path):2:9: VERSION 1.0: this is vCalendar 1.0; it is read as iCalendar",
        "calctl: \(path):8:7: \"Tés\" (tea): DTEND: the end 2030-01-07T15:00:00 is before the start "
          + "2030-01-07T16:00:00; it ends when it starts",
      ])
    #expect(try session.output("agenda", "2030-01-08", "--days=1").contains("Tés"))
  }

  @Test func `a file that is not a calendar is refused by its name`() throws {
    let session = try Session()
    let note = try session.home.write("Dear diary\n", to: "note.txt")
    let cases: [(String, Int32, String)] = [
      (session.home.file("none.ics"), 3, "No such file or directory"),
      (session.home.path, 1, "have files that end with"), (note, 1, "is not a calendar"),
      (
        "webcal://example.org/a.ics", 3, "No such file or directory (download it first"
      ),
    ]
    for (path, code, words) in cases {
      let outcome = try session.run("import", path)
      #expect(outcome.code == code)
      #expect(outcome.errors.hasPrefix("calctl: "))
      #expect(outcome.errors.contains(path) && outcome.errors.contains(words), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
    let nothing = try session.run("import", "-")
    #expect(nothing.code == 1)
    #expect(nothing.errors.contains("standard input is not a calendar"))
  }

  @Test func `a stream without end is cut, and nothing of it is kept`() throws {
    let session = try Session()
    let path = try session.home.write(lunchCalendar, to: "lunch.ics")
    for command in ["yes BEGIN:VEVENT", "{ cat '\(path)'; yes X:; }"] {
      let endless = try session.shell("\(command) | calctl import -")
      #expect(endless.code == 1, "\(endless.errors)")
      #expect(
        endless.errors.contains("standard input is larger than the 268435456 bytes allowed"),
        "\(endless.errors)")
    }
    #expect(try session.json("agenda", "2030-01-07") == [])
    #expect(try session.output("history") == "No changes yet.\n")
    // The same text with an end is an event.
    #expect(try session.output("import", path).hasSuffix("1 added\n"))
  }

  @Test func `an unknown mode or calendar is refused`() throws {
    let session = try Session()
    let path = try session.home.write(lunchCalendar, to: "lunch.ics")
    let mode = try session.run("import", path, "--mode", "overwrite")
    #expect(mode.code == 2)
    #expect(mode.errors.hasPrefix("calctl import: --mode: \"overwrite\""), "\(mode.errors)")
    #expect(try session.run("import", path, "--calendar", "nope").code == 3)
    #expect(try session.json("agenda", "2030-01-07") == [])
  }

  @Test func `calendars that a file names are made on demand, and a dry run names them`() throws {
    let session = try Session()
    let path = try session.home.write(
      lunchCalendar.replacing("BEGIN:VEVENT", with: "X-WR-CALNAME:Our Club\r\nBEGIN:VEVENT"),
      to: "c.ics")
    #expect(
      try session.run("import", path, "--own-calendars", "--dry-run").output
        == "Would import \(path) into Our Club: 1 added\n")
    #expect(
      try session.run("import", path, "--own-calendars").output
        == "Imported \(path) into Our Club: 1 added\n")
    #expect(
      try session.run("import", path).output == "Imported \(path) into Our Club: 1 unchanged\n")
    #expect(try session.run("import", path, "--own-calendars", "--calendar", "personal").code == 2)
    // Of one that cannot be made it is told where its events go.
    let name = String(repeating: "long", count: 200)
    let other = try session.home.write(
      lunchCalendar.replacing("BEGIN:VEVENT", with: "X-WR-CALNAME:\(name)\r\nBEGIN:VEVENT")
        .replacing("UID:", with: "UID:other-"), to: "d.ics")
    let outcome = try session.run("import", other, "--own-calendars")
    #expect(outcome.output.hasSuffix(" into Personal: 1 added\n"), "\(outcome.output)")
    #expect(
      outcome.errors.contains("its events went into \"Personal\" (personal)"),
      "\(outcome.errors)")
  }

  @Test func `what is there already is not doubled by other options, unless they name where`()
    throws
  {
    let session = try Session()
    let path = try session.home.write(
      lunchCalendar.replacing("BEGIN:VEVENT", with: "X-WR-CALNAME:Our Club\r\nBEGIN:VEVENT"),
      to: "c.ics")
    _ = try session.output("import", path)
    let own = try session.run("import", path, "--own-calendars")
    #expect(own.output == "Imported \(path) into Personal: 1 unchanged\n")
    #expect(own.errors.contains("already in personal, and unchanged"), "\(own.errors)")
    #expect(try session.json("agenda", "2030-01-07", "--days", "1").arrayValue?.count == 1)
    #expect(try session.output("import", path, "--calendar", "our-club").contains("1 added"))
  }

  @Test func `what was cancelled is named`() throws {
    let session = try Session()
    let file = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n"
    let days =
      "UID:swim\r\nDTSTART:20300107T090000Z\r\nRRULE:FREQ=DAILY;COUNT=5\r\nSUMMARY:Swim\r\n"
    _ = try session.output(
      "import", "-",
      input: .bytes(
        Array("\(file)BEGIN:VEVENT\r\n\(days)END:VEVENT\r\nEND:VCALENDAR\r\n".utf8)))
    func remark(cancelling ids: String...) throws -> Substring? {
      let events = ids.map { "BEGIN:VEVENT\r\nUID:swim\r\n\($0)SEQUENCE:1\r\nEND:VEVENT\r\n" }
      let text = "\(file)METHOD:CANCEL\r\n\(events.joined())END:VCALENDAR\r\n"
      return try session.run(["import", "-"], input: .bytes(Array(text.utf8))).errors
        .split(separator: "\n").first { $0.contains("swim") }
    }
    let start = "calctl: standard input:5:1: \"Swim\" (swim): "
    #expect(
      try remark(cancelling: "RECURRENCE-ID:20300108T090000Z\r\n")
        == "\(start)cancelled the occurrence 2030-01-08T09:00:00")
    #expect(
      try remark(
        cancelling: "RECURRENCE-ID:20300109T090000Z\r\n", "RECURRENCE-ID:20300110T090000Z\r\n")
        == "\(start)applied 2 cancellations")
    _ = try session.output("calendars", "add", "Club")
    #expect(try remark(cancelling: "") == "\(start)cancelled in personal")
  }

  @Test func `notes of one kind are one line with an example; --verbose and JSON have all`() throws
  {
    let session = try Session()
    for name in ["Club", "Choir"] { _ = try session.output("calendars", "add", name) }
    let events = (0..<13).map { number in
      lunchCalendar.split(separator: "\r\n").dropFirst(3).dropLast().map {
        $0.hasPrefix("UID:") ? "UID:lunch-\(number)" : $0
      }.joined(separator: "\r\n") + "\r\n"
    }
    let head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n"
    let path = try session.home.write(
      head + events.joined() + "END:VCALENDAR\r\n", to: "many.ics")
    for name in ["club", "choir"] { _ = try session.output("import", "--calendar", name, path) }
    let lines = try session.run("import", path).errors.split(separator: "\n")
    let start = "calctl: 13 notes like this one (--verbose lists them): "
    #expect(lines.count == 1 && lines[0].hasPrefix("\(start)\(path): \"Lunch\" (lunch-0): "))
    let all = try session.run("import", path, "--verbose").errors.split(separator: "\n")
    #expect(all.count == 13)
    #expect(all.allSatisfy { $0.contains("): already in club, choir, and unchanged. ") })
    #expect(
      try session.run("import", path, "--json").output.split(separator: "in-other-calendar").count
        == 14)
  }

  @Test func `a problem of a whole event has its ID, and no line`() throws {
    let session = try Session()
    _ = try session.run("calendars", "add", "Work")
    let path = try session.home.write(lunchCalendar, to: "a.ics")
    #expect(try session.run("import", path, "--calendar", "work").code == 0)
    let outcome = try session.run("import", path)
    #expect(
      outcome.errors.contains("\(path): \"Lunch\" (lunch): already in work, and unchanged. "),
      "\(outcome.errors)")
  }

  @Test func `a table and copies are imported`() throws {
    let session = try Session()
    let table = try session.home.write(
      "summary,start\nDinner,2030-01-07 19:00\nx,soon\n", to: "x.csv")
    let outcome = try session.run("import", table)
    #expect(outcome.output == "Imported \(table) into Personal: 1 added, 1 left out\n")
    #expect(
      outcome.errors.contains("calctl: \(table):3:3: left out: \"x\": start: \"soon\""),
      "\(outcome.errors)")
    let all = session.home.file("all.ics")
    _ = try session.output("export", "-o", all)
    #expect(try session.output("import", all) == "Imported \(all) into Personal: 1 unchanged\n")
    #expect(
      try session.output("import", "--mode", "copy", "--format", "ics", all)
        == "Imported \(all) into Personal: 1 added\n")
    let wrong = try session.run("import", "--format", "csv", all)
    #expect(
      wrong.code == 1 && wrong.errors.contains("does not name the columns"), "\(wrong.errors)")
  }

  @Test func `what an invitation hides for the terminal is not obeyed`() throws {
    let session = try Session()
    let text = lunchCalendar.replacing(
      "SUMMARY:Lunch", with: "SUMMARY:\u{1b}]0;owned\u{7}\u{202e}Lunch")
    _ = try session.run(["import", "-"], input: .bytes(Array(text.utf8)))
    for line in [
      ["agenda", "2030-01-07"], ["next"], ["status"], ["show", "lunch"], ["rm", "lunch"],
    ] {
      let outcome = try session.run(line)
      #expect(
        (outcome.output + outcome.errors).allSatisfy { $0 == "\n" || !$0.isTerminalControl },
        "\(line): \(outcome.output.debugDescription)")
    }
  }
}
