import JSON
import TestSupport
import Testing

@testable import CalctlCommands

private func lunch(_ uid: String) -> String {
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nBEGIN:VEVENT\r\nUID:\(uid)\r\n"
    + "DTSTART;TZID=Europe/Berlin:20300107T123000\r\nSUMMARY:Lunch\r\nEND:VEVENT\r\n"
    + "END:VCALENDAR\r\n"
}

extension Session {
  fileprivate func calendars() throws -> [String] {
    (try json("calendars").arrayValue ?? []).map {
      "\($0["name"]?.stringValue ?? "") \($0["color"]?.stringValue ?? "") "
        + "\($0["events"]?.integerValue ?? -1)"
    }
  }
}

@Suite struct `Folders that calctl imports` {
  @Test func `a vdir with a displayname is the calendar of that name, and made in its colour`()
    throws
  {
    let session = try Session()
    let folder = try session.home.makeDirectory("work")
    try session.home.write(lunch("a"), to: "work/a.ics")
    try session.home.write(lunch("b"), to: "work/b.ICS")
    try session.home.write("The  Office\n", to: "work/displayname")
    try session.home.write("#ff0000ff\n", to: "work/color")
    try session.home.write("half", to: "work/.c.ics.tmp")
    let dryRun = try session.run("import", folder, "--dry-run")
    #expect(dryRun.output == "Would import \(folder) into The Office: 2 added\n")
    #expect(try session.calendars().count == 1)
    let outcome = try session.run("import", folder)
    #expect(outcome.output == "Imported \(folder) into The Office: 2 added\n", "\(outcome.errors)")
    #expect(
      outcome.errors
        == "calctl: \(folder): created the calendar \"The Office\" (the-office)\n")
    #expect(try session.calendars().last == "The Office #ff0000 2")
    let again = try session.run("import", folder)
    #expect(again.output == "Imported \(folder) into The Office: 2 unchanged\n")
    #expect(again.errors == "")
  }

  @Test func `--calendar takes all of it, and a folder without a displayname is no calendar`()
    throws
  {
    let session = try Session()
    let folder = try session.home.makeDirectory("work")
    try session.home.write(lunch("a"), to: "work/a.ics")
    try session.home.write("blue", to: "work/color")
    #expect(try session.output("import", folder) == "Imported \(folder) into Personal: 1 added\n")
    try session.home.write("Office", to: "work/displayname")
    let outcome = try session.run("import", folder, "--calendar", "personal")
    #expect(outcome.output == "Imported \(folder) into Personal: 1 unchanged\n")
    #expect(outcome.errors == "")
    let named = try session.run("import", folder, "--dry-run", "--mode", "copy")
    #expect(
      named.errors.contains("/color: \"blue\" is not a color such as #3b82f6"),
      "\(named.errors)")
  }

  @Test func `a folder is read and stays as it is, also one that may not be written`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("work")
    for name in ["a", "b"] { try session.home.write(lunch(name), to: "work/\(name).ics") }
    try session.home.write("Office\n", to: "work/displayname")
    try session.home.write("#ff0000\n", to: "work/color")
    // Names, modes, numbers, sizes, and when what is in them and what is said of them was changed; and what is
    // in them.
    func listing() throws -> String {
      try session.shell(
        "find \(folder) -printf '%p %M %i %s %T@ %C@\n' | sort && cat \(folder)/*"
      ).output
    }
    for mode in ["u+w", "a-w"] {
      #expect(try session.shell("chmod -R \(mode) \(folder)").code == 0)
      let before = try listing()
      for part in ["\(folder)/a.ics ", "\(folder)/color ", "SUMMARY:Lunch\r\n", "Office\n"] {
        #expect(before.contains(part), "\(before)")
      }
      for options in [["--dry-run"], [], ["--mode", "replace"], ["--mode", "copy"]] {
        #expect(try session.run(["import", folder] + options).code == 0, "\(mode) \(options)")
      }
      #expect(try listing() == before)
    }
    // So that it can be taken away.
    _ = try session.shell("chmod -R u+w \(folder)")
  }

  @Test func `an event that two folders have is in both calendars, and stays as it is in each`()
    throws
  {
    let session = try Session()
    let folder = try session.home.makeDirectory("calendars")
    for name in ["home", "work"] {
      _ = try session.home.makeDirectory("calendars/\(name)")
      try session.home.write(lunch("shared"), to: "calendars/\(name)/shared.ics")
    }
    let counts = { (output: String) in output.split(separator: "\n").map { $0.suffix(9) } }
    #expect(
      counts(try session.output("import", folder)) == [": 1 added", ": 1 added", "2 steps)."])
    #expect(try session.calendars().map { $0.suffix(2) } == [" 0", " 1", " 1"])
    let again = try session.run("import", folder)
    #expect(counts(again.output) == ["unchanged", "unchanged"])
    #expect(again.errors == "")
  }

  @Test func `a folder of vdirs is a calendar for each of them`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("calendars")
    for (name, file) in [("home", "a.ics"), ("team", "b.ics"), ("notes", "readme.txt")] {
      _ = try session.home.makeDirectory("calendars/\(name)")
      try session.home.write(lunch(name), to: "calendars/\(name)/\(file)")
    }
    try session.home.write("Family", to: "calendars/home/displayname")
    let outcome = try session.run("import", folder + "/")
    #expect(
      outcome.output == """
        Imported \(folder)/home/a.ics into Family: 1 added
        Imported \(folder)/team/b.ics into team: 1 added
        Undo takes these back one at a time (2 steps).

        """, "\(outcome.errors)")
    #expect(
      try session.calendars().map { $0.split(separator: " ")[0] } == ["Personal", "Family", "team"])
    #expect(
      try session.output("import", folder, "--calendar", "personal").hasSuffix(
        "into Personal: 2 added\n"))
  }

  @Test func `folders next to files are calendars as well, and nested ones are skipped`()
    throws
  {
    let session = try Session()
    let folder = try session.home.makeDirectory("calendars")
    try session.home.write(lunch("a"), to: "calendars/saved.ics")
    // What other programs keep there hides nothing either.
    try session.home.write("{}", to: "calendars/settings.json")
    for name in ["team", "team/2029", "team/pictures", "team/old.ics"] {
      _ = try session.home.makeDirectory("calendars/\(name)")
    }
    for path in ["team/b.ics", "team/2029/c.ics", "team/old.ics/d.ics", "team/pictures/e.png"] {
      try session.home.write(lunch(path), to: "calendars/\(path)")
    }
    let outcome = try session.run("import", folder)
    #expect(
      outcome.output == """
        Imported \(folder)/saved.ics into Personal: 1 added
        Imported \(folder)/team/b.ics into team: 1 added
        Undo takes these back one at a time (2 steps).

        """, "\(outcome.errors)")
    #expect(
      outcome.errors.contains(
        "\(folder)/team: skipped nested folders (name them to import them): 2029, old.ics\n"),
      "\(outcome.errors)")
    #expect(
      outcome.errors.contains("\(folder): skipped files without the extension of a calendar: settings.json\n"),
      "\(outcome.errors)")
    #expect(!outcome.errors.contains("pictures"), "\(outcome.errors)")
    #expect(
      try session.output("import", folder + "/team/2029", "--calendar", "team").hasSuffix(
        "into team: 1 added\n"))
  }

  @Test(arguments: [false, true])
  func `nested folders are named at any depth`(isDryRun: Bool) throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("calendars")
    for name in ["team", "team/old", "team/old/2029", "team/old/2029/may", "team/none"] {
      _ = try session.home.makeDirectory("calendars/\(name)")
    }
    for path in ["team/a.ics", "team/old/2029/b.ics", "team/old/2029/may/c.ics"] {
      try session.home.write(lunch(path), to: "calendars/\(path)")
    }
    // One that leads back to itself ends.
    _ = try Subprocess.run("ln", ["-s", ".", folder + "/team/none/again"])
    let outcome = try session.run(["import", folder] + (isDryRun ? ["--dry-run"] : []))
    #expect(
      outcome.errors.contains(
        "\(folder)/team: skipped nested folders (name them to import them): old/2029, "
          + "old/2029/may\n"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("without searching"), "\(outcome.errors)")
  }

  @Test func `vCalendar files are imported, and other extensions are skipped with a warning`()
    throws
  {
    let session = try Session()
    let folder = try session.home.makeDirectory("old")
    try session.home.write(
      "BEGIN:VCALENDAR\r\nVERSION:1.0\r\nBEGIN:VEVENT\r\nUID:v\r\nDTSTART:20300107T123000\r\n"
        + "END:VEVENT\r\nEND:VCALENDAR\r\n", to: "old/a.vcs")
    for name in ["README.txt", "b", "c.png", "d.zip"] {
      try session.home.write("x", to: "old/\(name)")
    }
    try session.home.write("Subject,Body\nA,B\n", to: "old/mail.csv")
    let outcome = try session.run("import", folder)
    #expect(outcome.output == "Imported \(folder) into Personal: 1 added\n", "\(outcome.errors)")
    #expect(
      outcome.errors.contains(
        "\(folder): skipped files without the extension of a calendar: README.txt, b, c.png and 1 "
          + "more\n"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("\(folder)/mail.csv:1: not a calendar file; skipped"))
  }

  @Test func `of several files, one that lacks its columns or is packed says so`() throws {
    let session = try Session()
    let good = try session.home.write(lunch("a"), to: "a.ics")
    let table = try session.home.write("Name,Mail\nAna,a@example.org\n", to: "b.csv")
    let zip = try session.home.write([0x50, 0x4B, 0x03, 0x04, 0x14], to: "c.zip")
    for (path, words) in [
      (table, "there must be \"summary\" and \"start\""), (zip, "ZIP archive: unpack"),
    ] {
      let refused = try session.run("import", good, path)
      #expect(refused.code == 1 && refused.output.isEmpty)
      #expect(refused.errors.contains("\(path):1: "), "\(refused.errors)")
      #expect(refused.errors.contains(words), "\(refused.errors)")
      let alone = try session.run("import", path)
      #expect(alone.code == 1 && alone.errors.contains(words), "\(alone.errors)")
    }
    let text = lunch("e").unicodeScalars.flatMap { scalar in
      (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
    }
    let (little, big): ([UInt8], [UInt8]) = ([0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF])
    for octets in [little + text, big + text.reversed()] {
      let utf32 = try session.home.write(octets, to: "e.ics")
      for files in [[utf32], [good, utf32]] {
        let refused = try session.run(["import"] + files)
        #expect(refused.code == 1 && refused.output.isEmpty, "\(refused.output)")
        #expect(refused.errors.contains("it is text in UTF-32: convert it"), "\(refused)")
        #expect(refused.errors.contains(utf32), "\(refused)")
      }
    }
    let gzip = try session.home.write([0x1F, 0x8B, 0x08, 0x00], to: "d.ics.gz")
    #expect(try session.run("import", gzip).errors.contains("compressed with gzip: decompress it first"))
  }

  @Test func `tables that are not UTF-8 are read, alone and among others`() throws {
    let session = try Session()
    let windows = try session.home.write(
      Array("uid;summary;start\na;M".utf8) + [0xFC] + Array("ller;07.01.2030 09:00\n".utf8),
      to: "a.csv")
    let octets = "\u{FEFF}uid\tsummary\tstart\nb\tCafé\t2030-01-08 09:00\n".utf16.flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    let utf16 = try session.home.write(octets, to: "b.csv")
    let alone = try session.run("import", windows)
    #expect(
      alone.errors.contains("\(windows):2:1: some of it is not UTF-8; it is read as Windows-1252"))
    let both = try session.run("import", windows, utf16)
    #expect(
      both.output == "Imported \(windows) into Personal: 1 unchanged\n"
        + "Imported \(utf16) into Personal: 1 added\n",
      "\(both.errors)")
    #expect(both.errors.contains("\(utf16):1:1: the text is UTF-16"), "\(both.errors)")
    let titles = try session.json("agenda", "2030-01-07", "--days", "2").arrayValue ?? []
    #expect(titles.compactMap { $0["summary"]?.stringValue } == ["Müller", "Café"])
  }

  @Test func `a hidden calendar gets a warning`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Old")
    _ = try session.output("calendars", "hide", "old")
    let path = try session.home.write(lunch("a"), to: "a.ics")
    let outcome = try session.run("import", path, "--calendar", "old")
    #expect(outcome.output == "Imported \(path) into Old: 1 added\n")
    #expect(outcome.errors.contains("the calendar Old is hidden"), "\(outcome.errors)")
    let json = try session.run("import", path, "--calendar", "old", "--json").output
    let answer = try JSONReader.value(of: json, maximumOctets: 1 << 20)
    #expect(answer["calendars"] == ["old": 1])
  }
}
