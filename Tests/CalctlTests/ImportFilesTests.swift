import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl import of several files` {
  @Test func `each file of several has the zones that it brings`() throws {
    let session = try Session()
    func file(_ uid: String, _ offset: String) throws -> String {
      let zone = zoneComponent("Customized Time Zone", offset)
      return try session.home.write(
        lunchCalendar.replacing("BEGIN:VEVENT", with: zone + "BEGIN:VEVENT").replacing(
          "UID:lunch", with: "UID:\(uid)"
        )
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

  @Test func `a folder, and several files, come in as one step to undo`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("vdir")
    // One without an end of its last line, one with a mark in front, and a fault in the third.
    try session.home.write(String(lunchCalendar.dropLast()), to: "vdir/a.ics")
    try session.home.write(
      "\u{FEFF}" + lunchCalendar.replacing("UID:lunch", with: "UID:b"), to: "vdir/b.ics")
    try session.home.write(
      lunchCalendar.replacing("UID:lunch", with: "UID:c").replacing("20300107T", with: "20300230T"),
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
    let ics = try write("d.ics", lunchCalendar)
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
    try session.home.write(lunchCalendar, to: "vdir/a.ics")
    try session.home.write("<html>", to: "vdir/b.ics")
    // Cut short: what follows would stand within it.
    try session.home.write(
      lunchCalendar.replacing("UID:lunch", with: "UID:c").replacing(
        "END:VEVENT\r\nEND:VCALENDAR\r\n", with: ""),
      to: "vdir/c.ics")
    try session.home.write(lunchCalendar.replacing("UID:lunch", with: "UID:d"), to: "vdir/d.ics")
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

  @Test func `a calendar that has lost its line ends is none, beside another one and in a folder`()
    throws
  {
    let session = try Session()
    let folder = try session.home.makeDirectory("vdir")
    let good = try session.home.write(lunchCalendar, to: "vdir/a.ics")
    let flat = lunchCalendar.replacing("UID:lunch", with: "UID:flat").replacing("\r\n", with: "")
    let bad = try session.home.write(flat, to: "vdir/b.ics")
    let why =
      "the calendar goes on in the line of its BEGIN: the line ends of the text are lost, and nothing of it can be read"
    for paths in [[good, bad], [bad, good], [folder], [folder, "--json"]] {
      let refused = try session.run(["import"] + paths)
      #expect(refused.code == 1 && refused.output.isEmpty)
      #expect(
        refused.errors
          == "calctl: \(bad):1: \(why); nothing was imported (--skip-bad imports the others)\n")
    }
    for path in [bad, try session.home.write(flat, to: "flat")] {
      let alone = try session.run("import", path)
      #expect(alone.code == 1 && alone.errors.contains(why), "\(alone.errors)")
    }
    #expect(try session.json("agenda", "2030-01-07") == [])
    let skipped = try session.run("import", folder, "--skip-bad")
    #expect(skipped.errors == "calctl: \(bad):1: \(why); it is left out\n")
    let asked = try session.run("import", folder, "--skip-bad", "--dry-run", "--json")
    let told = try JSONReader.value(of: asked.output, maximumOctets: 1 << 20)
    #expect(told["counts"]?["skipped-files"] == 1)
    #expect(skipped.code == ExitCode.partial.rawValue)
    #expect(skipped.output.contains("1 added"), "\(skipped.output)")
    // Where nobody looks at what is in a file.
    let named = try session.run("import", good, bad, "--format", "ics")
    #expect(named.code == ExitCode.partial.rawValue)
    #expect(named.errors.contains("\(bad):1:1: left out: "), "\(named.errors)")
  }

  @Test func `problems of files with doubled line ends are told at their lines`() throws {
    let session = try Session()
    let text = lunchCalendar.replacing("SUMMARY", with: "BAD\r\nSUMMARY")
    let paths = try ["a", "b"].map {
      try session.home.write(
        text.replacing("UID:lunch", with: "UID:\($0)").replacing("\r\n", with: "\r\r\n"),
        to: "\($0).ics")
    }
    let outcome = try session.run(["import"] + paths)
    let line = try #require(text.split(separator: "\r\n").firstIndex(of: "BAD")) + 1
    for path in paths {
      #expect(outcome.errors.contains("\(path):\(line):1: "), "\(outcome.errors)")
    }
  }

  @Test func `all files of a folder that are none are named, each as alone`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("junk")
    try session.home.write(lunchCalendar, to: "junk/a.ics")
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
    let skipped = try session.run("import", folder, "--skip-bad")
    #expect(skipped.code == ExitCode.partial.rawValue)
    #expect(
      skipped.output.hasSuffix(": 1 added\n3 files are no calendars, and left out.\n"),
      "\(skipped.output)")
  }

  @Test func `a file without its last END is cut off, alone and among others`() throws {
    let session = try Session()
    let one = try session.home.write(
      lunchCalendar.replacing("END:VCALENDAR\r\n", with: ""), to: "1.ics")
    let two = try session.home.write(
      lunchCalendar.replacing("UID:lunch", with: "UID:b"), to: "2.ics")
    let what =
      "\(one):8: the file is cut off: it ends within a calendar, without "
      + "END:VCALENDAR; nothing was imported"
    for files in [[one], [one, two], [two, one]] {
      let outcome = try session.run(["import"] + files)
      #expect(outcome.code == 1 && outcome.output == "")
      let hint = files.count == 1 ? "" : " (--skip-bad imports the others)"
      #expect(outcome.errors == "calctl: \(what)\(hint)\n", "\(outcome.errors)")
    }
    let piped = try session.run(
      ["import", "-"], input: .bytes(Array(lunchCalendar.utf8.dropLast(15))))
    #expect(piped.errors.hasPrefix("calctl: standard input:8: the file is cut off: "))
    let skipped = try session.run("import", "--skip-bad", one, two)
    #expect(skipped.code == ExitCode.partial.rawValue)
    #expect(skipped.output.contains("1 added"))
    #expect(try session.output("agenda", "2030-01-07", "--days=1").contains("Lunch"))
  }

  @Test func `a file whose last ENDs stand in one line lacks none`() throws {
    let session = try Session()
    let one = try session.home.write(
      lunchCalendar.replacing("END:VEVENT\r\nEND", with: "END:VEVENT END"), to: "1.ics")
    let two = try session.home.write(
      lunchCalendar.replacing("UID:lunch", with: "UID:b"), to: "2.ics")
    let outcome = try session.run("import", one, two)
    #expect(outcome.code == 0)
    #expect(
      outcome.errors
        == "calctl: \(one):8:12: END:VEVENT: END:VCALENDAR stands in the same line; it is read as one of its own\n"
    )
  }

  @Test func `an event that two files have is one`() throws {
    let session = try Session()
    let one = try session.home.write(lunchCalendar, to: "1.ics")
    let two = try session.home.write(lunchCalendar.replacing("T1230", with: "T1330"), to: "2.ics")
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
        lunchCalendar.replacing("SUMMARY:Lunch", with: "SUMMARY:\(title)\r\n\(age)"), to: name)
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

  @Test func `a folder whose files name several calendars tells of them`() throws {
    let session = try Session()
    try session.home.makeDirectory("Takeout")
    for (number, name) in ["Work", "Family"].enumerated() {
      try session.home.write(
        lunchCalendar.replacing("BEGIN:VEVENT", with: "X-WR-CALNAME:\(name)\r\nBEGIN:VEVENT")
          .replacing("UID:", with: "UID:\(number)-"), to: "Takeout/\(name).ics")
    }
    let outcome = try session.run("import", session.home.file("Takeout"))
    for name in ["Work", "Family"] {
      #expect(
        outcome.errors.contains("the calendar has the name \"\(name)\" in the file"),
        "\(outcome.errors)")
    }
    #expect(outcome.errors.contains("; use --own-calendars to create a calendar of that name"))
    #expect(outcome.output.contains("2 added"))
  }

  @Test func `what is taken back of a file that says things of its calendar alone is named`() throws
  {
    let session = try Session()
    let path = try session.home.write(lunchCalendar, to: "a.ics")
    _ = try session.run("import", path)
    let said = try session.home.write(
      lunchCalendar.replacing("BEGIN:VEVENT", with: "X-WR-CALDESC:Mine\r\nBEGIN:VEVENT"),
      to: "b.ics")
    let outcome = try session.run("import", said)
    #expect(outcome.errors.contains(" got properties from the file: X-WR-CALDESC\n"))
    #expect(try session.output("history").contains("import  a calendar's own properties\n"))
    #expect(try session.output("undo") == "Undone: import, a calendar's own properties\n")
  }

  @Test func `of several forms, too, a file that the agent cannot read is named and left out`()
    throws
  {
    let session = try Session()
    let ics = try session.home.write(lunchCalendar, to: "a.ics")
    let bad = try session.home.write("[\"vcalendar\", 1", to: "b.jcal")
    let table = try session.home.write("summary,start\nTea,2030-01-08\n", to: "c.csv")
    let refused = try session.run("import", ics, bad, table)
    #expect(refused.code == 1 && refused.output.isEmpty)
    #expect(refused.errors.contains("\(bad) is no calendar: "), "\(refused.errors)")
    #expect(refused.errors.contains("(--skip-bad imports the others)"), "\(refused.errors)")
    #expect(try session.json("agenda", "2030-01-07") == [])
    let skipped = try session.run("import", ics, bad, table, "--skip-bad")
    #expect(skipped.code == ExitCode.partial.rawValue, "\(skipped.errors)")
    #expect(skipped.errors.contains("\(bad) is no calendar: "), "\(skipped.errors)")
    #expect(
      skipped.output
        == "Imported \(ics) into Personal: 1 added\nImported \(table) into Personal: 1 added\n"
        + "Each of the 2 is a step to undo.\n1 file is no calendar, and left out.\n")
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
      ["import", "-", bad, worse, "--skip-bad"], input: .bytes(Array(lunchCalendar.utf8)))
    #expect(outcome.output.contains("1 added"), "\(outcome.errors)")
    #expect(outcome.errors.contains(worse), "\(outcome.errors)")
    #expect(try session.run("show", "lunch").code == 0)
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
    #expect(
      skipped.output
        == "Imported 2 files into Personal: 2 added\n1 file is no calendar, and left out.\n",
      "\(skipped.errors)")
    let titles = try session.json("agenda", "2030-01-07").arrayValue ?? []
    #expect(titles.compactMap { $0["summary"]?.stringValue }.sorted() == ["A", "C"])
  }

  @Test func `JSON and tables of something else in a folder are passed by`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("vdir")
    try session.home.write(lunchCalendar, to: "vdir/a.ics")
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
    let file = try session.home.write(lunchCalendar, to: "lunch.csv")
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
}
