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

  @Test func `a preview shows what would be imported, and imports after a yes`() throws {
    let session = try Session()
    let file = try session.home.write(lunchCalendar, to: "lunch.ics")
    func preview(_ file: String, answer: String) throws -> Subprocess.Outcome {
      try session.run(["import", "--preview", file], input: .bytes(Array(answer.utf8)))
    }
    let refused = try preview(file, answer: "\n")
    #expect(refused.output.hasSuffix("\nNothing was imported.\n"), "\(refused.output)")
    #expect(refused.output.contains("1 added"))
    #expect(refused.errors == "Import this? [y/N] ")
    #expect(refused.code == 0)
    #expect(try session.json("agenda", "2030-01-07") == [])
    let taken = try preview(file, answer: "y\n\n")
    #expect(taken.output.hasSuffix("Imported \(file) into Personal: 1 added\n"), "\(taken.output)")
    #expect(taken.errors == "Import this? [y/N] Press Enter to close.")
    #expect(try session.json("agenda", "2030-01-07").arrayValue?.count == 1)
    // The reason stays on the screen.
    let bad = try preview(try session.home.write("no calendar", to: "bad.ics"), answer: "\n")
    #expect(bad.errors.hasSuffix("\nPress Enter to close."), "\(bad.errors)")
    #expect(bad.code == 1)
    #expect(try session.run("import", "--preview", "--dry-run", file).code == 2)
  }

  @Test func `several tables with the same columns are one step, whatever is named first`() throws {
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
        Undo takes these back one at a time (3 steps).

        """)
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
    #expect(refused.errors.contains("(--skip-bad imports the other files)"))
    #expect(try session.json("agenda", "2030-01-07") == [])
    let skipped = try session.run("import", folder, "--skip-bad")
    #expect(skipped.code == ExitCode.partial.rawValue, "\(skipped.errors)")
    #expect(skipped.errors.contains("\(folder)/b.ics:1: "), "\(skipped.errors)")
    #expect(skipped.errors.contains("\(folder)/c.ics"), "\(skipped.errors)")
    #expect(try session.run("show", "d").code == 0)
    #expect(try session.run("show", "lunch").code == 0)
  }

  @Test func `a calendar without line ends is not one, next to another one and in a folder`()
    throws
  {
    let session = try Session()
    let folder = try session.home.makeDirectory("vdir")
    let good = try session.home.write(lunchCalendar, to: "vdir/a.ics")
    let flat = lunchCalendar.replacing("UID:lunch", with: "UID:flat").replacing("\r\n", with: "")
    let bad = try session.home.write(flat, to: "vdir/b.ics")
    let why =
      "the line breaks are lost: the calendar is in one line with its BEGIN, and cannot be read"
    for paths in [[good, bad], [bad, good], [folder], [folder, "--json"]] {
      let refused = try session.run(["import"] + paths)
      #expect(refused.code == 1 && refused.output.isEmpty)
      #expect(
        refused.errors
          == "calctl: \(bad):1: \(why); nothing was imported (--skip-bad imports the other "
          + "files)\n")
    }
    for path in [bad, try session.home.write(flat, to: "flat")] {
      let alone = try session.run("import", path)
      #expect(alone.code == 1 && alone.errors.contains(why), "\(alone.errors)")
    }
    #expect(try session.json("agenda", "2030-01-07") == [])
    let skipped = try session.run("import", folder, "--skip-bad")
    #expect(skipped.errors == "calctl: \(bad):1: \(why); skipped\n")
    let asked = try session.run("import", folder, "--skip-bad", "--dry-run", "--json")
    let told = try JSONReader.value(of: asked.output, maximumOctets: 1 << 20)
    #expect(told["counts"]?["skipped-files"] == 1)
    #expect(skipped.code == ExitCode.partial.rawValue)
    #expect(skipped.output.contains("1 added"), "\(skipped.output)")
    // Also where the format is given.
    let named = try session.run("import", good, bad, "--format", "ics")
    #expect(named.code == 1)
    #expect(
      named.errors.hasPrefix(
        "calctl: \(bad) is not a calendar: line 1, column 1: the line breaks are lost: "),
      "\(named.errors)")
  }

  @Test func `problems of files with doubled line ends have the right lines`() throws {
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
    try session.home.write([0x1F, 0x8B, 0x08, 0x00], to: "junk/d.ics")
    for arguments in [[folder], [folder, "--dry-run"]] {
      let refused = try session.run(["import"] + arguments)
      #expect(refused.code == 1 && refused.output.isEmpty)
      let lines = refused.errors.split(separator: "\n")
      try #require(lines.count == 4, "\(refused.errors)")
      #expect(lines[0].hasPrefix("calctl: \(folder)/b.ics:1: this looks like a web page"))
      #expect(lines[1] == "calctl: \(folder)/c.ics:1: the text is empty")
      #expect(lines[2].hasPrefix("calctl: \(folder)/d.ics:1: it is compressed with gzip"))
      #expect(
        lines[3]
          == "calctl: 3 files are not calendars; nothing was imported (--skip-bad imports the "
          + "other files)")
    }
    let skipped = try session.run("import", folder, "--skip-bad")
    #expect(skipped.code == ExitCode.partial.rawValue)
    #expect(
      skipped.output.hasSuffix(": 1 added\nSkipped 3 files that are not calendars.\n"),
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
      let hint = files.count == 1 ? "" : " (--skip-bad imports the other files)"
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

  @Test func `a file whose last ENDs stand in one line takes nothing of the next one`() throws {
    let session = try Session()
    let one = try session.home.write(
      lunchCalendar.replacing("END:VEVENT\r\nEND", with: "END:VEVENT END"), to: "1.ics")
    let two = try session.home.write(
      lunchCalendar.replacing("UID:lunch", with: "UID:b"), to: "2.ics")
    for files in [[one, two], [two, one]] {
      let outcome = try session.run(["import"] + files)
      #expect(outcome.code == 1 && outcome.output == "")
      #expect(outcome.errors.hasPrefix("calctl: \(one):8: the file is cut off: "))
    }
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
          == "calctl: \(older):4:1: \"Early lunch\" (lunch): VEVENT: left out: the file has "
          + "another of this UID \(place); that version has a higher SEQUENCE (\(newer):4)\n")
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

  @Test func `a folder whose files name several calendars gets a warning`() throws {
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
    #expect(try session.output("history").contains("  imported the properties of a calendar\n"))
    #expect(try session.output("undo") == "Undone: imported the properties of a calendar\n")
  }

  @Test func `of several forms, too, a file that the agent cannot read is named and left out`()
    throws
  {
    let session = try Session()
    let ics = try session.home.write(lunchCalendar, to: "a.ics")
    let bad = try session.home.write("summary,start\n\"Tea,2030-01-08\n", to: "b.csv")
    let table = try session.home.write("summary,start\nTea,2030-01-08\n", to: "c.csv")
    let refused = try session.run("import", ics, bad, table)
    #expect(refused.code == 1 && refused.output.isEmpty)
    #expect(refused.errors.contains("\(bad) is not a calendar: "), "\(refused.errors)")
    #expect(refused.errors.contains("(--skip-bad imports the other files)"), "\(refused.errors)")
    #expect(try session.json("agenda", "2030-01-07") == [])
    let skipped = try session.run("import", ics, bad, table, "--skip-bad")
    #expect(skipped.code == ExitCode.partial.rawValue, "\(skipped.errors)")
    #expect(skipped.errors.contains("\(bad) is not a calendar: "), "\(skipped.errors)")
    #expect(
      skipped.output
        == "Imported \(ics) into Personal: 1 added\nImported \(table) into Personal: 1 added\n"
        + "Undo takes these back one at a time (2 steps).\n"
        + "Skipped 1 file that is not a calendar.\n")
    // Of one form, which of the files it is. A quote within a cell opens nothing.
    let other = try session.home.write(
      "summary,start\nCake\",2030-01-08\n\"Pie,2030-01-08\n", to: "d.csv")
    let both = try session.run("import", table, other)
    #expect(
      both.code == 1 && both.errors.contains("\(other) is not a calendar: "), "\(both.errors)")
    #expect(both.errors.contains("(--skip-bad imports the other files)"), "\(both.errors)")
  }

  @Test func `standard input counts once more where another file is left out`() throws {
    let session = try Session()
    let bad = try session.home.write("BEGIN:VCALENDAR\r\nnothing", to: "bad.ics")
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
    #expect(refused.errors.contains("\(folder)/b.csv is not a calendar: "), "\(refused.errors)")
    #expect(refused.errors.contains("line 2, column 1"), "\(refused.errors)")
    let skipped = try session.run("import", folder, "--skip-bad")
    #expect(
      skipped.output
        == "Imported 2 files into Personal: 2 added\nSkipped 1 file that is not a calendar.\n",
      "\(skipped.errors)")
    let titles = try session.json("agenda", "2030-01-07").arrayValue ?? []
    #expect(titles.compactMap { $0["summary"]?.stringValue }.sorted() == ["A", "C"])
  }

  @Test func `JSON and other tables in a folder are skipped with a warning`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("vdir")
    try session.home.write(lunchCalendar, to: "vdir/a.ics")
    try session.home.write("{\"color\": \"red\"}", to: "vdir/b.json")
    try session.home.write("name,mail\nAna,ana@example.org\n", to: "vdir/c.csv")
    let outcome = try session.run("import", folder)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.errors
        == "calctl: \(folder): skipped files without the extension of a calendar: b.json\n"
        + "calctl: \(folder)/c.csv:1: not a calendar file; skipped\n")
    #expect(outcome.output == "Imported \(folder) into Personal: 1 added\n")
    // Those that are named are refused.
    let (json, table) = (folder + "/b.json", folder + "/c.csv")
    let named = try session.run("import", folder + "/a.ics", json, table)
    #expect(named.code == 1 && named.output == "")
    #expect(
      named.errors.contains(
        "\(json):1: this is JSON; only iCalendar, vCalendar 1.0 and CSV can be imported"),
      "\(named.errors)")
    #expect(named.errors.contains("\(table):1: the first line does not name the columns"))
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
