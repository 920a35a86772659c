import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl edit` {
  @Test func `an event is changed and printed`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    #expect(
      try session.output("edit", id, "--title", "Late lunch", "--start", "14:00", "--end", "45m")
        == "Changed Late lunch: Mon 7 Jan 2030, 14:00 – 14:45\n")
  }

  @Test func `every option arrives, and can be taken back`() throws {
    let session = try Session()
    let id = try session.add("Board", "2030-01-07 9:00")
    let event = try session.json(
      "edit", id, "--repeat", "weekly", "--reminder", "15m", "--reminder", "1d", "--location",
      "Hall", "--description", "Bring\npens", "--url", "https://example.org/", "--time-zone",
      "America/New_York")
    #expect(event["start-text"] == "2030-01-07T09:00:00-05:00")
    #expect(event["rrule"] == "FREQ=WEEKLY")
    #expect(event["reminders"] == ["PT15M", "P1D"])
    #expect(event["location"] == "Hall")
    #expect(event["description"] == "Bring\npens")
    #expect(event["url"] == "https://example.org/")
    let bare = try session.json(
      "edit", id, "--repeat", "none", "--reminder", "None", "--location", "", "--description", "",
      "--url", "")
    for key in ["rrule", "location", "description", "url"] {
      #expect(bare[key] == nil, "\(key)")
    }
    #expect(bare["reminders"] == ["none"])
    #expect(try session.json("edit", id, "--reminder", "default")["reminders"] == nil)
    let day = try session.json("edit", id, "--all-day", "--end", "2d")
    #expect(day["start-text"] == "2030-01-07")
    #expect(day["end-text"] == "2030-01-09")
  }

  @Test func `one occurrence is changed, or it and those after it, or all`() throws {
    let session = try Session()
    let id = try session.add("Standup", "2030-01-07 9:30", "--repeat", "FREQ=DAILY;COUNT=4")
    #expect(
      try session.output("edit", "\(id)/20300108T083000Z", "--start", "11:00")
        == "Changed this occurrence of Standup (every day, 4 times): Tue 8 Jan 2030, 11:00 – 12:00\n"
    )
    let lines = try session.output(
      "edit", "\(id)/20300109T083000Z", "--scope", "this-and-future", "--end", "15m"
    ).split(separator: "\n")
    #expect(
      lines[0].hasPrefix(
        "Changed Standup (every day, 2 times) from this occurrence on: Wed 9 Jan 2030"))
    #expect(lines[0].hasSuffix(", 09:30 – 09:45"))
    #expect(lines.count == 2 && lines[1].hasPrefix("id ") && lines[1] != "id \(id)")
    let all = try session.output("edit", id, "--title", "Sync")
    #expect(all.hasPrefix("Changed all occurrences of Sync"), "\(all)")
    #expect(all.hasSuffix("; the first: Mon 7 Jan 2030, 09:30 – 10:30\n"), "\(all)")
    let titles = try #require(
      try session.json("agenda", "2030-01-07", "--days", "4").arrayValue)
    #expect(
      titles.map { $0["summary"]?.stringValue } == ["Sync", "Sync", "Standup", "Standup"])
    // The second day starts at another time, and goes with its rule.
    #expect(
      try session.run("edit", id, "--repeat", "none").errors
        == "calctl: 1 changed occurrence is gone: Tue 8 Jan 2030, 09:30 (undo brings it back)\n")
  }

  @Test(
    arguments: [
      ([], 2, "nothing to change: without a terminal it needs options (for example: --start"),
      (["--scope", "this"], 2, "nothing to change"),
      (["--start", "blah"], 1, "--start: \"blah\""), (["--title", ""], 1, "--title: must not be"),
      (["--end", "2030-01-07 8:00"], 1, "--end: "),
      (["--repeat", "sometimes"], 2, "calctl edit"),
      (
        ["--repeat", "none", "--repeat", "daily"], 2,
        "--repeat: \"none\" cannot be combined with other values"
      ),
      (["--repeat", "FREQ=SOMETIMES"], 1, "--repeat: "),
      (["--reminder", "zzz"], 1, "--reminder: "),
      (["--time-zone", "Mars/Base"], 1, "--time-zone: "), (["--strat", "x"], 2, "--start?"),
      (["--title", "x", "--scope", "future"], 2, "--scope: \"future\""),
    ] as [([String], Int32, String)])
  func `what is wrong is refused in the words of the command line`(
    options: [String], code: Int32, words: String
  ) throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    let before = try session.json("show", id)
    let outcome = try session.run(["edit", id] + options)
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try session.json("show", id) == before)
  }

  @Test(arguments: [
    ("t", ["10:30", "09:30"], "Changed this occurrence of Standup (every day)"),
    ("f", ["10:30", "10:30"], "Changed "), ("a", ["10:30", "10:30"], "Changed all occurrences"),
    ("", ["09:30", "09:30"], "Nothing was changed."),
  ])
  func `on a terminal it asks which occurrences of a series change`(
    answer: String, starts: [String], words: String
  ) throws {
    let session = try Session()
    let id = try session.add("Standup", "tomorrow 9:30", "--repeat", "daily")
    let terminal = try PseudoTerminal()
    terminal.type(answer + "\n")
    let outcome = try session.start(
      "edit", "standup", "--start", "10:30", input: .descriptor(terminal.program)
    ).wait()
    #expect(outcome.errors.hasPrefix("Standup (every day); the next: "), "\(outcome.errors)")
    #expect(
      outcome.errors.hasSuffix(
        "Change the next one (t), it and the following (f), or all (a)? [t/f/a/N] "))
    #expect(outcome.output.hasPrefix(words), "\(outcome.output)")
    let rows = try session.json("agenda", "tomorrow", "--days", "2").arrayValue ?? []
    #expect(
      rows.map { $0["start-text"]?.stringValue?.dropFirst(11).prefix(5) ?? "" }
        == starts.map { $0[...] })
    // Without a terminal all occurrences change.
    #expect(try session.output("edit", id, "--title", "Sync").hasPrefix("Changed all occurrences"))
  }

  @Test func `the beginning of an ID is enough where it fits one event`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "tomorrow 12:30")
    _ = try session.output("edit", String(id.dropLast(3)), "--title", "Late lunch")
    #expect(try session.json("show", id)["summary"] == "Late lunch")
  }

  @Test func `a start with a sign is counted from when the event begins`() throws {
    let session = try Session()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    for (start, text) in [
      ("+1d", "2030-01-08T12:30:00+01:00"), ("+90m", "2030-01-08T14:00:00+01:00"),
      ("-1d", "2030-01-07T14:00:00+01:00"), ("-2h", "2030-01-07T12:00:00+01:00"),
      ("+1w 9:00", "2030-01-14T09:00:00+01:00"), ("+1 month", "2030-02-14T09:00:00+01:00"),
    ] {
      #expect(try session.json("edit", id, "--start", start)["start-text"]?.stringValue == text)
    }
    let series = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    #expect(
      try session.output("edit", "\(series)/20300109T083000Z", "--start", "+1h")
        == "Changed this occurrence of Standup (every day): Wed 9 Jan 2030, 10:30 – 11:30\n")
    let day = try session.add("Team day", "2030-01-07")
    #expect(try session.json("edit", day, "--start", "+2d")["start-text"] == "2030-01-09")
    for (start, words) in [("+2h", "moves by whole days"), ("+x", "is not a duration")] {
      let outcome = try session.run("edit", day, "--start", start)
      #expect(outcome.code == ExitCode.usage.rawValue)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test func `an end that is a day alone keeps its time, or is that of whole days`() throws {
    let session = try Session()
    let id = try session.add("Trip", "2030-01-07 10:00", "--end", "2030-01-08 12:00")
    #expect(
      try session.output("edit", id, "--end", "2030-01-10")
        == "Changed Trip: Mon 7 Jan 2030, 10:00 – Thu 10 Jan 2030, 12:00\n")
    #expect(
      try session.output("edit", id, "--end", "wed 11:00")
        == "Changed Trip: Mon 7 Jan 2030, 10:00 – Wed 9 Jan 2030, 11:00\n")
    let day = try session.add("Fair", "2030-01-07")
    #expect(
      try session.output("edit", day, "--end", "2030-01-10")
        == "Changed Fair: Mon 7 Jan 2030 – Thu 10 Jan 2030\n")
    let outcome = try session.run("edit", day, "--end", "2030-01-10 12:00")
    #expect(
      outcome.errors.contains(
        "--end: 2030-01-10 12:00 has a time, but the start 2030-01-07 has none"),
      "\(outcome.errors)")
  }

  @Test func `a start that does not match the rule gets a warning in the event's own zone`() throws
  {
    let session = try Session()
    let id = try session.add("Call", "2030-01-07 10:00", "--time-zone", "Asia/Tokyo")
    // Tuesday evening in Berlin, where it is read, is Wednesday night in Tokyo.
    let start = ["--start", "2030-01-08 18:00"]
    let words =
      "the event begins on Wed 9 Jan 2030, which is no day of its rule; the first is Tue 15 Jan 2030"
    #expect(
      try session.run(["edit", id, "--repeat", "tue"] + start).errors == "calctl: \(words)\n")
    #expect(try session.run(["edit", id, "--repeat", "wed"] + start).errors == "")
    #expect(try session.json("edit", id, "--repeat", "tue")["warnings"] == [.string(words)])
  }
}
