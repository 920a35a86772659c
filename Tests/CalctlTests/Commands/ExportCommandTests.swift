import Glibc
import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl export` {
  private func prepared() throws -> Session {
    let session = try Session()
    _ = try session.add("Lunch", "2030-01-07 12:30")
    _ = try session.add("Dinner", "2030-02-07 19:00", "--repeat", "weekly")
    return session
  }

  private func read(_ session: Session, _ name: String) -> String {
    String(decoding: session.home.read(name) ?? [], as: UTF8.self)
  }

  @Test func `standard output, and a file, get the calendar`() throws {
    let session = try prepared()
    let text = try session.output("export")
    #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
    #expect(text.contains("SUMMARY:Lunch\r\n") && text.contains("SUMMARY:Dinner\r\n"))
    let path = session.home.file("out.ics")
    let outcome = try session.run("export", "-o", path)
    #expect(outcome.code == 0)
    #expect(outcome.output == "")
    #expect(outcome.errors == "Exported 2 events to \(path)\n")
    #expect(read(session, "out.ics") == text)
    #expect(try session.output("export", "--output", "-") == text)
  }

  @Test func `a name with the extension of another format gets a warning`() throws {
    let session = try prepared()
    func remarks(_ name: String, _ format: String) throws -> [Substring] {
      let path = session.home.file(name)
      return try session.run("export", "-o", path, "--format", format).errors
        .split(separator: "\n").filter { $0.contains(", but the extension of another: ") }
    }
    #expect(try remarks("a.ics", "csv").count == 1)
    #expect(read(session, "a.ics").hasPrefix("calendar,"), "\(read(session, "a.ics").prefix(20))")
    #expect(try remarks("a.json", "ics").count == 1)
    for (name, format) in [("a.ics", "ics"), ("a.json", "json"), ("a", "csv")] {
      #expect(try remarks(name, format) == [], "\(name)")
    }
  }

  @Test func `what was exported is imported unchanged`() throws {
    let session = try prepared()
    #expect(
      try session.output("import", "-", input: .bytes(Array(session.output("export").utf8)))
        == "Imported standard input into Personal: 2 unchanged\n")
  }

  @Test func `calendars, a range and IDs choose`() throws {
    let session = try prepared()
    let id = try session.add("Tea", "2030-03-07 16:00")
    func titles(_ arguments: String...) throws -> [String] {
      try session.output("export", arguments).split(separator: "\r\n")
        .filter { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst(8)) }
    }
    #expect(try titles("--from", "2030-01-01", "--to", "1w") == ["Lunch"])
    #expect(try titles("--to", "2030-02-01") == ["Lunch"])
    #expect(try titles("--id", id) == ["Tea"])
    #expect(try titles("--calendar", "personal") == ["Lunch", "Dinner", "Tea"])
  }

  @Test func `each of several calendars and of several IDs is written`() throws {
    let session = try Session()
    for name in ["Work", "Club"] { _ = try session.output("calendars", "add", name) }
    let lunch = try session.add("Lunch", "2030-01-07 12:30")
    let work = try session.add("Work", "2030-01-08 09:00", "--calendar", "work")
    let club = try session.add("Club", "2030-01-09 19:00", "--calendar", "club")
    func titles(_ arguments: String...) throws -> [String] {
      try session.output("export", arguments).split(separator: "\r\n")
        .filter { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst(8)) }
    }
    #expect(try titles("--calendar", "work", "--calendar", "Club") == ["Work", "Club"])
    #expect(try titles("--id", lunch, "--id", club) == ["Lunch", "Club"])
    // Both choose: what is in one of the calendars and has one of the IDs.
    let both = ["--calendar", "work", "--calendar", "club"]
    let ids = ["--id", work, "--id", club]
    let text = try session.output("export", both + ids)
    #expect(unfolded("SUMMARY:", of: text) == ["Work", "Club"])
    #expect(unfolded("NAME:", of: text) == ["Work", "Club"])
    let other = try session.run(["export"] + both + ["--id", work, "--id", lunch])
    #expect(other.code == 3, "\(other.errors)")
    #expect(other.errors.contains("\"\(lunch)\""), "\(other.errors)")
  }

  /// What stands behind the beginning of each line that has it.
  private func unfolded(_ prefix: String, of text: String) -> [String] {
    text.split(separator: "\r\n").filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }

  @Test func `the name of the file says the format, unless another is asked for`() throws {
    let session = try prepared()
    let table = try session.run("export", "-o", session.home.file("out.csv"))
    #expect(table.errors.contains("CSV has no reminders, no attendees"), "\(table.errors)")
    #expect(read(session, "out.csv").hasPrefix("calendar,kind,uid,"))
    _ = try session.run("export", "-o", session.home.file("out.json"))
    let value = try JSONReader.value(of: read(session, "out.json"), maximumOctets: 1 << 20)
    #expect(value.arrayValue?.map { $0["summary"] } == ["Lunch", "Dinner"])
    _ = try session.run("export", "--format=ics", "-o", session.home.file("out.csv"))
    #expect(read(session, "out.csv").hasPrefix("BEGIN:VCALENDAR"))
  }

  @Test func `JSON is an array of what show prints of each event and to-do`() throws {
    let session = try prepared()
    let todo =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:t\r\nBEGIN:VTODO\r\nUID:plants\r\n"
      + "DTSTAMP:20260101T000000Z\r\nSUMMARY:Plants\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    _ = try session.output("import", "-", input: .bytes(Array(todo.utf8)))
    let text = try session.output("export", "--format", "json")
    let rows = try #require(JSONReader.value(of: text, maximumOctets: 1 << 20).arrayValue)
    #expect(rows.count == 3)
    for row in rows {
      #expect(try session.json("show", row["uid"]?.stringValue ?? "") == row)
    }
    let path = session.home.file("out.json")
    #expect(try session.run("export", path).code == 0)
    let refused = try session.run("import", path)
    #expect(refused.code == 1)
    #expect(
      refused.errors.contains(
        "this is JSON; only iCalendar, vCalendar 1.0 and CSV can be imported"),
      "\(refused.errors)")
  }

  @Test func `an unknown extension needs --format`() throws {
    let session = try prepared()
    for name in ["out.xlsx", "out.ics.bak", "out.vcs"] {
      let path = session.home.file(name)
      let refused = try session.run("export", path)
      #expect(refused.code == 2, "\(refused.errors)")
      #expect(refused.errors.contains(".ics, .ical, .ifb, .json, .csv"), "\(refused.errors)")
      #expect(session.home.read(name) == nil)
      #expect(try session.run("export", path, "--format", "ics").code == 0)
      #expect(read(session, name).hasPrefix("BEGIN:VCALENDAR"))
    }
    for name in ["out", ".hidden", "out.ical"] {
      #expect(try session.run("export", session.home.file(name)).code == 0)
      #expect(read(session, name).hasPrefix("BEGIN:VCALENDAR"))
    }
  }

  @Test func `exports are counted by kind, with warnings of what a table cannot hold`() throws {
    let session = try prepared()
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\nBEGIN:VTIMEZONE\r\nTZID:My Zone\r\n"
      + "BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0545\r\nTZOFFSETTO:+0545\r\n"
      + "END:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VTODO\r\nUID:t\r\nDTSTAMP:20260101T000000Z\r\n"
      + "END:VTODO\r\nBEGIN:VEVENT\r\nUID:z\r\nDTSTAMP:20260101T000000Z\r\n"
      + "DTSTART;TZID=My Zone:20300107T100000\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    let path = session.home.file("out.ics")
    #expect(try session.run("export", path).errors == "Exported 3 events and 1 to-do to \(path)\n")
    let table = try session.run("export", "--format", "csv")
    #expect(table.errors.hasPrefix("calctl: z: repeats in the zone \"My Zone\", which came "))
  }

  @Test func `a file stays as it was when the export fails`() throws {
    let session = try prepared()
    let path = try session.home.write("old", to: "out.ics")
    chmod(path, 0o640)
    let cases: [([String], Int32, String)] = [
      (["--calendar", "nope"], 3, "--calendar: no calendar has the ID or the name \"nope\""),
      (["--id", "nobody"], 3, "nobody"), (["--from", "2030-02-30"], 1, "--from"),
      (["--format", "xml"], 2, "ics, json, csv"),
    ]
    for (arguments, code, words) in cases {
      let outcome = try session.run(["export", "-o", path] + arguments)
      #expect(outcome.code == code, "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(read(session, "out.ics") == "old")
    }
    #expect(try session.run("export", "-o", path).code == 0)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(read(session, "out.ics").hasPrefix("BEGIN:VCALENDAR"))
  }

  @Test(arguments: [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
  func `a new file has the permissions that the umask leaves`(mask: Int, mode: mode_t) throws {
    let session = try prepared()
    let path = session.home.file("new.ics")
    let outcome = try session.shell("umask \(String(mask, radix: 8)); calctl export -o \(path)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == mode)
  }

  @Test func `a read-only file is named and stays`() throws {
    let session = try prepared()
    let path = try session.home.write("old", to: "out.ics")
    chmod(path, 0o400)
    let outcome = try session.run("export", path)
    #expect(outcome.code == 1)
    #expect(outcome.errors == "calctl: cannot write \(path): Permission denied\n")
    #expect(read(session, "out.ics") == "old")
  }

  @Test func `of one occurrence that one is written`() throws {
    let session = try prepared()
    let id = try session.add("Tea", "2030-03-04 16:00", "--repeat", "weekly")
    let text = try session.output("export", "--id", "\(id)/20300311T150000Z")
    #expect(text.contains("\r\nRECURRENCE-ID;TZID=Europe/Berlin:20300311T160000\r\n"), "\(text)")
    #expect(text.contains("\r\nDTSTART;TZID=Europe/Berlin:20300311T160000\r\n"))
    #expect(text.contains("SUMMARY:Tea\r\n") && !text.contains("\r\nRRULE:FREQ=WEEKLY"))
    let other = try Session()
    let input = Subprocess.Input.bytes(Array(text.utf8))
    #expect(try other.output("import", "-", input: input).hasSuffix(": 1 added\n"))
    let found = try other.output("find", "tea")
    #expect(found.contains("Mon 11 Mar 2030"), "\(found)")
    let refused = try session.run("export", "--id", "\(id)/20300312T150000Z")
    #expect(refused.code == 3)
    #expect(
      refused.errors.contains("the event \"\(id)\" has no occurrence 20300312T150000Z"),
      "\(refused.errors)")
  }

  @Test func `a journal entry whose uid ends like an occurrence goes by all of it`() throws {
    let session = try prepared()
    let entry =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:t\r\nBEGIN:VJOURNAL\r\nUID:notes/20261121\r\n"
      + "SUMMARY:Notes\r\nEND:VJOURNAL\r\nEND:VCALENDAR\r\n"
    _ = try session.output("import", "-", input: .bytes(Array(entry.utf8)))
    #expect(try session.output("export", "--id", "notes/20261121").contains("SUMMARY:Notes\r\n"))
    let refused = try session.run("export", "--id", "nobody/20261121")
    #expect(refused.code == 3)
    #expect(refused.errors.contains("\"nobody/20261121\""), "\(refused.errors)")
  }

  @Test func `a file that cannot be written is named`() throws {
    let session = try prepared()
    for (path, words) in [
      (session.home.file("none/out.ics"), "No such file or directory"),
      (session.home.path, "Is a directory"), ("/dev/full", "No space left on device"),
    ] {
      let outcome = try session.run("export", "-o", path)
      #expect(outcome.code == 1)
      #expect(
        outcome.errors.hasPrefix("calctl: cannot write \(path): \(words)"), "\(outcome.errors)")
    }
  }

  @Test func `a reader that has seen enough is no error`() throws {
    let session = try prepared()
    let events = (0..<3000).map {
      "BEGIN:VEVENT\r\nUID:e\($0)\r\nDTSTART:20300107T123000Z\r\nEND:VEVENT\r\n"
    }
    let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(events.joined())END:VCALENDAR\r\n"
    _ = try session.output("import", "-", input: .bytes(Array(text.utf8)))
    let shell = try session.startShell("calctl export | head -n 1; exit ${PIPESTATUS:-0}")
    let outcome = try shell.wait()
    #expect(outcome.output == "BEGIN:VCALENDAR\r\n")
    #expect(outcome.errors == "")
  }
}

extension Session {
  fileprivate func output(_ command: String, _ arguments: [String]) throws -> String {
    let outcome = try run([command] + arguments)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.output
  }
}
