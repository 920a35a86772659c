import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl import` {
  private let lunch = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    PRODID:-//t//t//EN\r
    BEGIN:VEVENT\r
    UID:lunch\r
    DTSTART;TZID=Europe/Berlin:20300107T123000\r
    SUMMARY:Lunch\r
    END:VEVENT\r
    END:VCALENDAR\r

    """

  @Test func `a file, and a pipe, are imported`() throws {
    let session = try Session()
    let path = try session.home.write(lunch, to: "lunch.ics")
    #expect(try session.output("import", path) == "Imported \(path) into Personal: 1 added\n")
    #expect(
      try session.output("import", "-", input: .bytes(Array(lunch.utf8)))
        == "Imported standard input into Personal: 1 unchanged\n")
    try session.home.write(lunch.replacing("Lunch", with: "Dinner"), to: "lunch.ics")
    #expect(
      try session.output("import", "--mode", "skip-existing", path)
        == "Imported \(path) into Personal: 1 unchanged\n")
    #expect(
      try session.output("import", "--mode", "replace", path)
        == "Imported \(path) into Personal: 1 updated\n")
    #expect(try session.output("agenda", "2030-01-07", "--days=1").contains("Dinner"))
  }

  @Test func `each file of several has the zones that it brings`() throws {
    let session = try Session()
    func file(_ uid: String, _ offset: String) throws -> String {
      let zone = """
        BEGIN:VTIMEZONE\r
        TZID:Customized Time Zone\r
        BEGIN:STANDARD\r
        DTSTART:19700101T000000\r
        TZOFFSETFROM:\(offset)\r
        TZOFFSETTO:\(offset)\r
        END:STANDARD\r
        END:VTIMEZONE\r
        BEGIN:VEVENT
        """
      return try session.home.write(
        lunch.replacing("BEGIN:VEVENT", with: zone).replacing("UID:lunch", with: "UID:\(uid)")
          .replacing("Europe/Berlin", with: "Customized Time Zone"), to: "\(uid).ics")
    }
    let outcome = try session.run("import", file("a", "+0100"), file("b", "+0500"))
    #expect(outcome.code == 0, "\(outcome.errors)")
    let events = try session.json("agenda", "2030-01-07", "--days=1").arrayValue ?? []
    #expect(
      Set(events.map { $0["start-text"]?.stringValue }) == [
        "2030-01-07T12:30:00+01:00", "2030-01-07T12:30:00+05:00",
      ])
  }

  @Test func `a dry run keeps nothing`() throws {
    let session = try Session()
    let path = try session.home.write(lunch, to: "lunch.ics")
    #expect(
      try session.output("import", "--dry-run", path)
        == "Would import \(path) into Personal: 1 added\n")
    #expect(try session.json("agenda", "2030-01-07") == [])
  }

  @Test func `a long file says on a terminal that it takes its time, and nowhere else`() throws {
    let session = try Session()
    let note = "X-NOTE:" + String(repeating: "x", count: 1_000_000) + "\r\n"
    let events = (0..<5).map {
      "BEGIN:VEVENT\r\nUID:\($0)\r\nDTSTART:20300107T123000Z\r\n\(note)END:VEVENT\r\n"
    }
    let path = try session.home.write(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(events.joined())END:VCALENDAR\r\n", to: "long.ics")
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

  @Test func `as JSON the answer is counts and problems`() throws {
    let session = try Session()
    let path = try session.home.write(lunch, to: "lunch.ics")
    let answer = try session.json("import", path, "--calendar", "personal")
    #expect(answer["counts"]?["added"] == 1)
    #expect(answer["problems"] == [])
  }

  @Test func `an event that cannot be read is told with its line, and the rest is kept`() throws {
    let session = try Session()
    let text = lunch.replacing(
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
    let text = lunch.replacing(
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

  @Test func `rows of tables and parts of jCal that are left out are named as well`() throws {
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
    let jCal = try session.home.write(
      #"["vcalendar",[],[["vevent",[["uid",{},"text","j"],["summary",{},"text","Jay"],7],[]]]]"#,
      to: "b.jcal")
    let other = try session.run("import", jCal)
    #expect(other.code == 1)
    #expect(other.errors.contains(": left out: \"Jay\" (j): "), "\(other.errors)")
    #expect(other.errors.hasSuffix("calctl: nothing of \(jCal) was imported\n"))
  }

  @Test func `a vCalendar of 1996 is read, and what departs from the standard is told`() throws {
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
        "calctl: \(path):2:9: VERSION 1.0: a vCalendar of 1996; it is read as iCalendar",
        "calctl: \(path):8:7: \"Tés\" (tea): DTEND: the end 2030-01-07T15:00:00 lies before the start "
          + "2030-01-07T16:00:00; it ends when it starts",
      ])
    #expect(try session.output("agenda", "2030-01-08", "--days=1").contains("Tés"))
  }

  @Test func `what is no calendar is refused by its name`() throws {
    let session = try Session()
    let note = try session.home.write("Dear diary\n", to: "note.txt")
    let cases: [(String, Int32, String)] = [
      (session.home.file("none.ics"), 3, "No such file or directory"),
      (session.home.path, 1, "without iCalendar files"), (note, 1, "is no calendar"),
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
    #expect(nothing.errors.contains("standard input is no calendar"))
  }

  @Test func `a stream without end is cut, and nothing of it is kept`() throws {
    let session = try Session()
    let path = try session.home.write(lunch, to: "lunch.ics")
    for command in ["yes BEGIN:VEVENT", "{ cat '\(path)'; yes X:; }"] {
      let endless = try session.shell("\(command) | calctl import -")
      #expect(endless.code == 1, "\(endless.errors)")
      #expect(endless.errors.contains("standard input has more than"), "\(endless.errors)")
    }
    #expect(try session.json("agenda", "2030-01-07") == [])
    #expect(try session.output("history") == "Nothing has been changed yet.\n")
    // The same text with an end is an event.
    #expect(try session.output("import", path).hasSuffix("1 added\n"))
  }

  @Test func `an unknown mode or calendar is refused`() throws {
    let session = try Session()
    let path = try session.home.write(lunch, to: "lunch.ics")
    let mode = try session.run("import", path, "--mode", "overwrite")
    #expect(mode.code == 2)
    #expect(mode.errors.hasPrefix("calctl import: --mode: \"overwrite\""), "\(mode.errors)")
    #expect(try session.run("import", path, "--calendar", "nope").code == 3)
    #expect(try session.json("agenda", "2030-01-07") == [])
  }

  @Test func `a folder, and several files, come in as one step to undo`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("vdir")
    // One without an end of its last line, one with a mark in front, and a fault in the third.
    try session.home.write(String(lunch.dropLast()), to: "vdir/a.ics")
    try session.home.write(
      "\u{FEFF}" + lunch.replacing("UID:lunch", with: "UID:b"), to: "vdir/b.ics")
    try session.home.write(
      lunch.replacing("UID:lunch", with: "UID:c").replacing("20300107T", with: "20300230T"),
      to: "vdir/c.ics")
    try session.home.write("half a file", to: "vdir/.d.ics.tmp")
    try session.home.write("blue", to: "vdir/color")
    let outcome = try session.run("import", folder)
    #expect(outcome.output == "Imported \(folder) into Personal: 2 added, 1 left out\n")
    #expect(
      outcome.errors.hasPrefix("calctl: \(folder)/c.ics:6:28: left out: \"Lunch\" (c): "),
      "\(outcome.errors)")
    #expect(
      try session.output("import", folder + "/a.ics", folder + "/b.ics")
        == "Imported 2 files into Personal: 2 unchanged\n")
    _ = try session.output("undo")
    #expect(try session.json("agenda", "2030-01-07") == [])
  }

  @Test func `several tables and several of jCal are one step each, whatever is named first`()
    throws
  {
    let session = try Session()
    func write(_ name: String, _ text: String) throws -> String {
      try session.home.write(text, to: name)
    }
    let first = try write("a.csv", "uid,summary,start\na,A,2030-01-07\n")
    let second = try write("b.csv", "\u{FEFF}\r\nuid,summary,start\r\nb,B,2030-01-08\r\nx,X,soon")
    let third = try write("c.csv", "summary,start,uid\nC,2030-01-09,c\n")
    let outcome = try session.run("import", first, second)
    #expect(
      outcome.output == "Imported 2 files into Personal: 2 added, 1 left out\n",
      "\(outcome.errors)")
    #expect(
      outcome.errors.hasPrefix("calctl: \(second):4:5: left out: \"X\" (x): start: \"soon\""),
      "\(outcome.errors)")
    _ = try session.output("undo")
    #expect(try session.json("agenda", "2030-01-07", "--days", "7") == [])
    let ics = try write("d.ics", lunch)
    #expect(
      try session.output("import", first, third, ics) == """
        Imported \(first) into Personal: 1 added
        Imported \(third) into Personal: 1 added
        Imported \(ics) into Personal: 1 added
        Each of the 3 is a step to undo.

        """)
    let (one, two) = (session.home.file("1.json"), session.home.file("2.jcal"))
    _ = try session.output("export", one, "--id", "a")
    _ = try session.output("export", two, "--id", "c")
    try session.home.write(
      "[" + String(decoding: session.home.read("2.jcal") ?? [], as: UTF8.self) + "]\n", to: "2.jcal"
    )
    #expect(
      try session.output("import", one, two) == "Imported 2 files into Personal: 2 unchanged\n")
  }

  @Test func `a file that is no calendar is named with its line, and left out on demand`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("vdir")
    try session.home.write(lunch, to: "vdir/a.ics")
    try session.home.write("<html>", to: "vdir/b.ics")
    // Cut short: what follows would stand within it.
    try session.home.write(
      lunch.replacing("UID:lunch", with: "UID:c").replacing(
        "END:VEVENT\r\nEND:VCALENDAR\r\n", with: ""),
      to: "vdir/c.ics")
    try session.home.write(lunch.replacing("UID:lunch", with: "UID:d"), to: "vdir/d.ics")
    let refused = try session.run("import", folder)
    #expect(refused.code == 1 && refused.output.isEmpty)
    #expect(refused.errors.contains("\(folder)/b.ics:1: "), "\(refused.errors)")
    #expect(refused.errors.contains("(--skip-bad imports the others)"))
    #expect(try session.json("agenda", "2030-01-07") == [])
    let skipped = try session.run("import", folder, "--skip-bad")
    #expect(skipped.code == ExitCode.partial.rawValue, "\(skipped.errors)")
    #expect(skipped.errors.contains("\(folder)/b.ics:1: "), "\(skipped.errors)")
    #expect(skipped.errors.contains("\(folder)/c.ics"), "\(skipped.errors)")
    #expect(try session.run("show", "d").code == 0)
    #expect(try session.run("show", "lunch").code == 0)
  }

  @Test func `all files of a folder that are none are named, each as alone`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("junk")
    try session.home.write(lunch, to: "junk/a.ics")
    try session.home.write("<html>", to: "junk/b.ics")
    try session.home.write("", to: "junk/c.ics")
    try session.home.write("[\"vcalendar\", 1", to: "junk/d.jcal")
    for arguments in [[folder], [folder, "--dry-run"]] {
      let refused = try session.run(["import"] + arguments)
      #expect(refused.code == 1 && refused.output.isEmpty)
      let lines = refused.errors.split(separator: "\n")
      try #require(lines.count == 4, "\(refused.errors)")
      #expect(lines[0].hasPrefix("calctl: \(folder)/b.ics:1: this looks like a web page"))
      #expect(lines[1] == "calctl: \(folder)/c.ics:1: the text is empty")
      #expect(lines[2].contains("/d.jcal is no calendar: line 1, column 16: "))
      #expect(
        lines[3]
          == "calctl: 3 files are no calendars; nothing was imported (--skip-bad imports the others)"
      )
    }
    #expect(try session.output("import", folder, "--skip-bad").contains("1 added"))
  }

  @Test func `a file without its last END among others is told as its own`() throws {
    let session = try Session()
    let one = try session.home.write(lunch.replacing("END:VCALENDAR\r\n", with: ""), to: "1.ics")
    let two = try session.home.write(lunch.replacing("UID:lunch", with: "UID:b"), to: "2.ics")
    // At the end of the text it is the line behind the last.
    for (files, line) in [([one], 9), ([one, two], 8), ([two, one], 9)] {
      let outcome = try session.run(["import"] + files)
      #expect(outcome.code == 0)
      #expect(
        outcome.errors == "calctl: \(one):\(line):1: END:VCALENDAR is missing\n",
        "\(outcome.errors)")
    }
  }

  @Test func `an event that two files have is one`() throws {
    let session = try Session()
    let one = try session.home.write(lunch, to: "1.ics")
    let two = try session.home.write(lunch.replacing("T1230", with: "T1330"), to: "2.ics")
    let outcome = try session.run("import", one, two)
    #expect(outcome.output == "Imported 2 files into Personal: 1 added\n")
    #expect(outcome.errors.contains("\(one):4:1: \"Lunch\" (lunch): "), "\(outcome.errors)")
    #expect(try session.output("agenda", "2030-01-07", "--days=1").contains("13:30"))
  }

  @Test func `of an event that two files have the newer version counts, and both files are named`()
    throws
  {
    let session = try Session()
    func file(_ name: String, _ title: String, _ age: String) throws -> String {
      try session.home.write(
        lunch.replacing("SUMMARY:Lunch", with: "SUMMARY:\(title)\r\n\(age)"), to: name)
    }
    let newer = try file("newer.ics", "Late lunch", "SEQUENCE:2")
    let older = try file("older.ics", "Early lunch", "SEQUENCE:1")
    _ = try session.output("calendars", "add", "Work")
    for (files, place) in [([newer, older], "further up"), ([older, newer], "further on")] {
      let outcome = try session.run(["import"] + files + ["--calendar", "Work"])
      #expect(outcome.output == "Imported 2 files into Work: 1 added\n")
      #expect(
        outcome.errors
          == "calctl: \(older):4:1: \"Early lunch\" (lunch): VEVENT: left out, since the file has "
          + "another of this UID \(place), which has a higher SEQUENCE (\(newer):4)\n")
      #expect(
        try session.output("agenda", "2030-01-07", "--days=1", "--calendar", "Work")
          .contains("Late lunch"))
      _ = try session.output("undo")
    }
    let problem = try session.json("import", older, newer)["problems"]?[0]
    #expect(problem?["file"]?.stringValue == older)
    #expect(problem?["other-file"]?.stringValue == newer)
    #expect(problem?["other-line"]?.integerValue == 4)
  }

  @Test func `places in jCal are those of each file`() throws {
    let session = try Session()
    func write(_ uid: String) throws -> String {
      try session.home.write(
        #"["vcalendar",[],[["vevent",[["uid",{},"text","\#(uid)"],["dtstart",{},"date","never"]],[]]]]"#,
        to: "\(uid).jcal")
    }
    let files = try [write("a"), write("b")]
    let alone = try files.map { try session.run("import", $0).errors.split(separator: "\n")[0] }
    let together = try session.run(["import"] + files).errors.split(separator: "\n")
    #expect(Array(together.prefix(2)) == alone)
  }

  @Test func `a file that was cut behind an alarm is told of itself, and not of the next one`()
    throws
  {
    let session = try Session()
    let cut = lunch.replacing(
      "END:VEVENT",
      with: "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT")
    let end = try #require(cut.firstRange(of: "END:VALARM\r\n")).upperBound
    let files = [
      try session.home.write(String(cut[..<end]), to: "1.ics"),
      try session.home.write(lunch, to: "2.ics"),
    ]
    let errors = try session.run(["import"] + files).errors
    #expect(errors.contains("1.ics") && !errors.contains("2.ics"), "\(errors)")
  }

  @Test func `calendars that a file names are made on demand, and a dry run names them`() throws {
    let session = try Session()
    let path = try session.home.write(
      lunch.replacing("BEGIN:VEVENT", with: "X-WR-CALNAME:Our Club\r\nBEGIN:VEVENT"), to: "c.ics")
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
      lunch.replacing("BEGIN:VEVENT", with: "X-WR-CALNAME:\(name)\r\nBEGIN:VEVENT")
        .replacing("UID:", with: "UID:other-"), to: "d.ics")
    let outcome = try session.run("import", other, "--own-calendars")
    #expect(outcome.output.hasSuffix(" into Personal: 1 added\n"), "\(outcome.output)")
    #expect(outcome.errors.contains("goes into \"Personal\""), "\(outcome.errors)")
  }

  @Test func `a folder whose files name several calendars tells of them`() throws {
    let session = try Session()
    try session.home.makeDirectory("Takeout")
    for (number, name) in ["Work", "Family"].enumerated() {
      try session.home.write(
        lunch.replacing("BEGIN:VEVENT", with: "X-WR-CALNAME:\(name)\r\nBEGIN:VEVENT")
          .replacing("UID:", with: "UID:\(number)-"), to: "Takeout/\(name).ics")
    }
    let outcome = try session.run("import", session.home.file("Takeout"))
    for name in ["Work", "Family"] {
      #expect(
        outcome.errors.contains("the calendar is called \"\(name)\" in the file"),
        "\(outcome.errors)")
    }
    #expect(outcome.errors.contains("own-calendars makes one of that name"))
    #expect(outcome.output.contains("2 added"))
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
        == "\(start)the occurrence 2030-01-08T09:00:00 is cancelled")
    #expect(
      try remark(
        cancelling: "RECURRENCE-ID:20300109T090000Z\r\n", "RECURRENCE-ID:20300110T090000Z\r\n")
        == "\(start)2 cancellations are carried out")
    _ = try session.output("calendars", "add", "Club")
    #expect(try remark(cancelling: "") == "\(start)is cancelled in personal")
  }

  @Test func `remarks of one kind are told ten times and counted, and JSON has all`() throws {
    let session = try Session()
    for name in ["Club", "Choir"] { _ = try session.output("calendars", "add", name) }
    let events = (0..<13).map { number in
      lunch.split(separator: "\r\n").dropFirst(3).dropLast().map {
        $0.hasPrefix("UID:") ? "UID:lunch-\(number)" : $0
      }.joined(separator: "\r\n") + "\r\n"
    }
    let head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n"
    let path = try session.home.write(
      head + events.joined() + "END:VCALENDAR\r\n", to: "many.ics")
    for name in ["club", "choir"] { _ = try session.output("import", "--calendar", name, path) }
    let lines = try session.run("import", path).errors.split(separator: "\n")
    #expect(lines.count == 11)
    let rest = "3 more of this kind, which --json lists, such as "
    #expect(lines.last?.hasPrefix("calctl: \(rest)\(path): \"Lunch\" (lunch-10): ") == true)
    #expect(lines.allSatisfy { $0.contains("): club, choir have the event of this uid") })
    #expect(
      try session.run("import", path, "--json").output.split(separator: "in-other-calendar").count
        == 14)
  }

  @Test func `what is taken back of a file that says things of its calendar alone is named`() throws
  {
    let session = try Session()
    let path = try session.home.write(lunch, to: "a.ics")
    _ = try session.run("import", path)
    let said = try session.home.write(
      lunch.replacing("BEGIN:VEVENT", with: "X-WR-CALDESC:Mine\r\nBEGIN:VEVENT"), to: "b.ics")
    let outcome = try session.run("import", said)
    #expect(outcome.errors.contains("has what the file says of it: X-WR-CALDESC"))
    #expect(try session.output("history").contains("import  a calendar's own properties\n"))
    #expect(try session.output("undo") == "Undone: import, a calendar's own properties\n")
  }

  @Test func `of several forms, too, a file that the agent cannot read is named and left out`()
    throws
  {
    let session = try Session()
    let ics = try session.home.write(lunch, to: "a.ics")
    let bad = try session.home.write("[\"vcalendar\", 1", to: "b.jcal")
    let table = try session.home.write("summary,start\nTea,2030-01-08\n", to: "c.csv")
    let refused = try session.run("import", ics, bad, table)
    #expect(refused.code == 1 && refused.output.isEmpty)
    #expect(refused.errors.contains("\(bad) is no calendar: "), "\(refused.errors)")
    #expect(refused.errors.contains("(--skip-bad imports the others)"), "\(refused.errors)")
    #expect(try session.json("agenda", "2030-01-07") == [])
    let skipped = try session.run("import", ics, bad, table, "--skip-bad")
    #expect(skipped.code == 0, "\(skipped.errors)")
    #expect(skipped.errors.contains("\(bad) is no calendar: "), "\(skipped.errors)")
    #expect(
      skipped.output
        == "Imported \(ics) into Personal: 1 added\nImported \(table) into Personal: 1 added\n"
        + "Each of the 2 is a step to undo.\n")
    // Of one form, which of the files it is.
    let other = try session.home.write("[\"vcalendar\", 2", to: "d.jcal")
    let both = try session.run("import", bad, other)
    #expect(both.code == 1 && both.errors.contains("\(bad) is no calendar: "), "\(both.errors)")
    #expect(both.errors.contains("(--skip-bad imports the others)"), "\(both.errors)")
  }

  @Test func `standard input counts once more where another file is left out`() throws {
    let session = try Session()
    let bad = try session.home.write("BEGIN:VCALENDAR\r\nnothing", to: "bad.jcal")
    let worse = try session.home.write("<html>", to: "worse.ics")
    let outcome = try session.run(
      ["import", "-", bad, worse, "--skip-bad"], input: .bytes(Array(lunch.utf8)))
    #expect(outcome.output.contains("1 added"), "\(outcome.errors)")
    #expect(outcome.errors.contains(worse), "\(outcome.errors)")
    #expect(try session.run("show", "lunch").code == 0)
  }

  @Test func `what concerns an event is told with its ID, and no line`() throws {
    let session = try Session()
    _ = try session.run("calendars", "add", "Work")
    let path = try session.home.write(lunch, to: "a.ics")
    #expect(try session.run("import", path, "--calendar", "work").code == 0)
    let outcome = try session.run("import", path)
    #expect(
      outcome.errors.contains("\(path): \"Lunch\" (lunch): work has the event of this uid"),
      "\(outcome.errors)")
  }

  @Test func `a table with a quote left open does not take in the next one`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("tables")
    for (name, text) in [("a", "A,2030-01-07"), ("b", "\"B,2030-01-07"), ("c", "C,\"2030-01-07\"")]
    {
      try session.home.write("summary,start\n\(text)\n", to: "tables/\(name).csv")
    }
    let refused = try session.run("import", folder)
    #expect(refused.code == 1 && refused.output.isEmpty)
    #expect(refused.errors.contains("\(folder)/b.csv is no calendar: "), "\(refused.errors)")
    #expect(refused.errors.contains("line 2, column 1"), "\(refused.errors)")
    let skipped = try session.run("import", folder, "--skip-bad")
    #expect(skipped.output == "Imported 2 files into Personal: 2 added\n", "\(skipped.errors)")
    let titles = try session.json("agenda", "2030-01-07").arrayValue ?? []
    #expect(titles.compactMap { $0["summary"]?.stringValue }.sorted() == ["A", "C"])
  }

  @Test func `JSON and tables of something else in a folder are passed by`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("vdir")
    try session.home.write(lunch, to: "vdir/a.ics")
    try session.home.write("{\"color\": \"red\"}", to: "vdir/b.json")
    try session.home.write("name,mail\nAna,ana@example.org\n", to: "vdir/c.csv")
    try session.home.write("[1, 2]", to: "vdir/d.json")
    _ = try session.output("add", "Tea", "--start", "2030-01-08")
    _ = try session.output("export", session.home.file("vdir/e.json"))
    let outcome = try session.run("import", folder)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.errors
        == ["b.json", "c.csv", "d.json"].map {
          "calctl: \(folder)/\($0):1: this is no calendar; it is passed by\n"
        }.joined())
    #expect(outcome.output.contains("a.ics into Personal: 1 added\n"), "\(outcome.output)")
    #expect(outcome.output.contains("e.json into Personal: 1 unchanged\n"), "\(outcome.output)")
    // One that is named is not passed by.
    let named = try session.run("import", folder + "/a.ics", folder + "/b.json")
    #expect(named.code == 1 && named.errors.contains("/b.json:1: "), "\(named.errors)")
  }

  @Test func `the name of a file says its form`() throws {
    let session = try Session()
    let file = try session.home.write(lunch, to: "lunch.csv")
    let outcome = try session.run("import", file)
    #expect(outcome.code == 1 && outcome.errors.contains("does not name the columns"))
    #expect(
      try session.output("import", "--format", "ics", file)
        == "Imported \(file) into Personal: 1 added\n")
    _ = try session.output("export", session.home.file("all.csv"))
    #expect(
      String(decoding: session.home.read("all.csv") ?? [], as: UTF8.self).hasPrefix(
        "calendar,kind,"))
    #expect(try session.run("export", "a.ics", "-o", "b.ics").code == 2)
  }

  @Test func `a table, jCal and copies are imported`() throws {
    let session = try Session()
    let table = try session.home.write(
      "summary,start\nDinner,2030-01-07 19:00\nx,soon\n", to: "x.csv")
    let outcome = try session.run("import", table)
    #expect(outcome.output == "Imported \(table) into Personal: 1 added, 1 left out\n")
    #expect(
      outcome.errors.contains("calctl: \(table):3:3: left out: \"x\": start: \"soon\""),
      "\(outcome.errors)")
    let jCal = session.home.file("all.json")
    _ = try session.output("export", "-o", jCal)
    #expect(try session.output("import", jCal) == "Imported \(jCal) into Personal: 1 unchanged\n")
    #expect(
      try session.output("import", "--mode", "copy", "--format", "json", jCal)
        == "Imported \(jCal) into Personal: 1 added\n")
    let wrong = try session.run("import", "--format", "csv", jCal)
    #expect(
      wrong.code == 1 && wrong.errors.contains("does not name the columns"), "\(wrong.errors)")
  }

  @Test func `what an invitation hides for the terminal is not obeyed`() throws {
    let session = try Session()
    let text = lunch.replacing("SUMMARY:Lunch", with: "SUMMARY:\u{1b}]0;owned\u{7}\u{202e}Lunch")
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
