import CivilTime
import JSON
import TestSupport
import Testing

@testable import CalctlCommands

/// What `calctl add` makes of its title and options, what it says then and what it refuses. Its reminders
/// are in `AddReminderTests.swift`.
@Suite struct `calctl add` {
  @Test func `what is printed names how it repeats`() throws {
    let session = try Session()
    #expect(
      try session.output("add", "Standup", "--start", "2030-01-07 9:30", "--repeat", "daily")
        .hasPrefix("Added Standup (every day): Mon 7 Jan 2030, 09:30 – 10:30\n"))
  }

  @Test func `an event is added and its ID printed`() throws {
    let session = try Session()
    let text = try session.output("add", "Lunch", "--start", "2030-01-07 12:30")
    let lines = text.split(separator: "\n")
    #expect(lines[0] == "Added Lunch: Mon 7 Jan 2030, 12:30 – 13:30")
    #expect(lines.count == 2 && lines[1].hasPrefix("id "))
    #expect(try session.output("show", String(lines[1].dropFirst(3))).hasPrefix("Lunch\n"))
  }

  @Test func `every option arrives`() throws {
    let session = try Session()
    let event = try session.json(
      "add", "Board", "--start", "2030-01-07 9:00", "--end", "45m", "--repeat", "weekly",
      "--repeat", "FREQ=YEARLY;COUNT=2", "--reminder", "15m", "--reminder", "1d", "--location",
      "Hall", "--description", "Bring\npens", "--url", "https://example.org/", "--time-zone",
      "America/New_York", "--calendar", "personal")
    #expect(event["summary"] == "Board")
    #expect(event["start-text"] == "2030-01-07T09:00:00-05:00")
    #expect(event["end-text"] == "2030-01-07T09:45:00-05:00")
    #expect(event["rrule"] == "FREQ=WEEKLY\nFREQ=YEARLY;COUNT=2")
    #expect(event["reminders"] == ["PT15M", "P1D"])
    #expect(event["location"] == "Hall")
    #expect(event["description"] == "Bring\npens")
    #expect(event["url"] == "https://example.org/")
    #expect(event["time-zone"] == "America/New_York")
    #expect(event["calendar"] == "personal")
  }

  @Test func `a bare date, or all-day, takes whole days`() throws {
    let session = try Session()
    for options in [["2030-01-07"], ["2030-01-07 9:00", "--all-day"]] {
      let event = try session.json(["add", "Team day", "--start"] + options)
      #expect(event["all-day"] == true)
      #expect(event["start-text"] == "2030-01-07")
      #expect(event["end-text"] == "2030-01-08")
    }
    #expect(
      try session.output("add", "Holiday", "--start", "2030-01-07", "--end", "2030-01-10")
        .hasPrefix("Added Holiday: Mon 7 Jan 2030 – Thu 10 Jan 2030\n"))
  }

  @Test func `the end of an all-day event is its last day, which the bus has a day later`() throws {
    let session = try Session()
    for (end, last) in [
      ("2030-01-07", "2030-01-08"), ("2030-01-09", "2030-01-10"), ("2d", "2030-01-09"),
    ] {
      let event = try session.json("add", "x", "--start", "2030-01-07", "--end", end, "--all-day")
      #expect(event["end-text"]?.stringValue == last)
    }
    let slip = try session.run("add", "x", "--start", "2030-12-07", "--end", "6 Dec")
    #expect(slip.code == 1)
    #expect(
      slip.errors.contains("\"6 Dec\": 2030-12-06 is before the start 2030-12-07; write the year"),
      "\(slip.errors)")
    let refused = try session.run("add", "x", "--start", "2030-01-07", "--end", "2030-01-06")
    #expect(refused.code == 1)
    #expect(
      refused.errors.hasPrefix(
        "calctl: --end: Sun 6 Jan 2030 is before the start, Mon 7 Jan 2030 ("), "\(refused.errors)")
  }

  @Test func `on a terminal an end before the start is asked about`() throws {
    let session = try Session()
    func answer(_ text: String, _ end: String) throws -> Subprocess.Outcome {
      let terminal = try PseudoTerminal()
      terminal.type(text)
      return try session.start(
        ["add", "x", "--start", "2030-01-07 14:00", "--end", end],
        input: .descriptor(terminal.program)
      ).wait()
    }
    let exchanged = try answer("y\n", "2030-01-07 13:00")
    #expect(exchanged.errors.contains("Exchange them? [y/N] "))
    #expect(exchanged.output.hasPrefix("Added x: Mon 7 Jan 2030, 13:00 – 14:00\n"))
    #expect(try answer("n\n", "2030-01-07 13:00").output == "Nothing was added.\n")
    let long = try answer("y\n", "13:00")
    #expect(
      long.errors.contains("It would last 23 h, until Tue 8 Jan 2030, 13:00. Is that right? [y/N] ")
    )
    #expect(long.output.hasPrefix("Added x: Mon 7 Jan 2030, 14:00 – Tue 8 Jan 2030, 13:00\n"))
  }

  @Test func `times can be written as people say them`() throws {
    let session = try Session()
    for start in ["tomorrow 12:30", "fri 9:30", "+3d", "in 2h", "noon"] {
      #expect(try session.json("add", "x", "--start", start)["start"]?.integerValue != nil)
    }
  }

  @Test(
    arguments: [
      (["--start", "blah"], 1, "--start: \"blah\""), (["--start", ""], 1, "--start: "),
      (["--start", "2026-02-30"], 1, "--start: \"2026-02-30\""),
      (["--start", "2030-01-07 9:00", "--end", "2030-01-07 8:00"], 1, "--end: "),
      (["--start", "2030-01-07", "--end", "45m"], 1, "--end: "),
      (["--start", "2030-01-07", "--repeat", "sometimes"], 2, "--repeat: \"sometimes\""),
      (["--start", "2030-01-07", "--repeat", "FREQ=SOMETIMES"], 1, "--repeat: "),
      (["--start", "2030-01-07", "--reminder", "zzz"], 1, "--reminder: \"zzz\""),
      (
        ["--start", "today", "--reminder", "none", "--reminder", "5m"], 2,
        "--reminder: \"none\" cannot be combined with other values"
      ),
      (["--start", "today", "--color", "bleu"], 1, "did you mean \"blue\"?"),
      (["--start", "today", "--color", "#12"], 1, "--color: \"#12\" is not #rgb, #rrggbb or"),
      (
        ["--start", "9:60"], 1,
        "--start: \"9:60\": 9:60 is not a time: minutes are 00 to 59"
      ),
      (["--start", "mon,wed"], 1, "--start: \"mon,wed\": expected one day; try \"mon\""),
      (
        ["--start", "2030-01-07 9:00", "--end", "-1h"], 1,
        "--end: \"-1h\": a duration has no sign here; try \"1h\""
      ),
      (["--start", "2030-13-07"], 1, "there is no month 13"),
      (["--start", "2030-01-07", "--time-zone", "Mars/Base"], 1, "--time-zone: "),
      (["--start", "2030-01-07", "--calendar", "nope"], 3, "nope"),
      (["--start", "2030-01-07", "--location", "a\u{1b}[2Jb"], 1, "--location: "),
      ([], 1, "there is no day and no time in it"), (["--end", "45m"], 2, "--start is missing"),
      (["--start", "today", "--strat", "x"], 2, "--start?"),
    ] as [([String], Int32, String)])
  func `what is wrong is refused in the words of the command line`(
    options: [String], code: Int32, words: String
  ) throws {
    let session = try Session()
    let outcome = try session.run(["add", "x"] + options)
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try session.output("agenda", "2030-01-07") != "", "nothing was added")
    #expect(try session.json("agenda", "2030-01-07") == [])
  }

  @Test func `an event that is over when it is added says so`() throws {
    let session = try Session()
    let past = try session.run("add", "Past", "--start", "yesterday 9:00")
    #expect(past.code == 0)
    #expect(past.errors == "calctl: the event is over already\n", "\(past.errors)")
    let series = try session.run("add", "Ever", "--start", "yesterday 9:00", "--repeat", "daily")
    #expect(series.errors.isEmpty)
  }

  @Test func `add and edit begin with whole minutes, as quick does`() throws {
    let session = try Session()
    let added = try session.json("add", "x", "--start", "in 5m", "--end", "in 20m")
    let edited = try session.json("edit", added["uid"]?.stringValue ?? "", "--start", "in 3h")
    for event in [added, edited, try session.json("quick", "x in 5m")] {
      for key in ["start", "end"] {
        #expect(try #require(event[key]?.integerValue) % 60 == 0, "\(event)")
      }
    }
  }

  @Test func `a time that has passed is that of tomorrow, for add as for quick`() throws {
    let session = try Session()
    let added = try session.json("add", "x", "--start", "0:00", "--end", "0:30")
    let quick = try session.json("quick", "x 0:00-0:30")
    #expect(added["start"] == quick["start"] && added["end"] == quick["end"])
  }

  @Test func `a colour goes by its name or by its digits`() throws {
    let session = try Session()
    for (word, color) in [
      ("Blue", "#3b82f6"), ("grey", "#6b7280"), ("#AABBCC", "#aabbcc"), ("Tomato", "#ff6347"),
      ("#abc", "#aabbcc"),
    ] {
      let event = try session.json("add", "x", "--start", "2030-01-07", "--color", word)
      #expect(event["color"] == .string(color))
    }
    let id = try session.add("y", "2030-01-07")
    #expect(try session.json("edit", id, "--color", "teal")["color"] == "#0e9aa7")
    #expect(try session.json("edit", id, "--color", "")["color"] == "#3b82f6")
    #expect(try session.json("edit", id, "--color", "tomato")["color"] == "#ff6347")
  }

  @Test func `an event in a hidden calendar gets a warning`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Office")
    _ = try session.output("calendars", "hide", "office")
    for line in [
      ["add", "x", "--start", "2030-01-07", "--calendar", "OFFICE"],
      ["quick", "x 7 Jan 2030 #office"],
    ] {
      let outcome = try session.run(line)
      #expect(outcome.code == 0)
      #expect(outcome.errors.contains("the calendar Office is hidden"), "\(outcome.errors)")
    }
    #expect(try session.run("add", "x", "--start", "2030-01-07").errors.isEmpty)
  }

  @Test func `in the hour that comes twice both times have their offset`() throws {
    let text = try Session().output("add", "Back", "--start", "2030-10-27 02:30", "--end", "1h")
    #expect(
      text.hasPrefix("Added Back: Sun 27 Oct 2030, 02:30 (+02:00) – 02:30 (+01:00)\n"), "\(text)")
  }

  @Test func `an empty title is refused`() throws {
    let outcome = try Session().run("add", "", "--start", "today")
    #expect(outcome.code == 1)
    #expect(outcome.errors == "calctl: TITLE: must not be empty\n")
  }

  @Test func `an event is busy or free as given, and calctl free respects it`() throws {
    let session = try Session()
    let days = try session.add("Trade fair", "2030-01-07", "--busy")
    _ = try session.add("Reading", "2030-01-08 9:00", "--end", "17:00", "--free")
    #expect(try session.output("show", days).contains("  shows as    busy\n"))
    #expect(
      try session.output("free", "2030-01-07", "--days", "2") == """
        Tue 8 Jan 2030
          09:00 – 17:00  8 h

        """)
    #expect(try session.json("edit", days, "--free")["busy"] == false)
    #expect(try session.output("free", "2030-01-07", "--days", "1").hasPrefix("Mon 7 Jan 2030"))
    let both = try session.run("add", "x", "--start", "2030-01-07", "--busy", "--free")
    #expect(both.code == ExitCode.usage.rawValue)
    #expect(both.errors.contains("--busy cannot be combined with --free"))
  }

  @Test func `the calendar is named unless it is the default one`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Work")
    #expect(
      try session.output("quick", "planning 2030-01-07 9:00 #work").hasPrefix(
        "Added planning to Work: Mon 7 Jan 2030, 09:00 – 10:00\n"))
    #expect(try session.output("quick", "planning 2030-01-07 9:00").hasPrefix("Added planning: "))
  }

  @Test func `a start that does not match its rule gets a warning`() throws {
    let outcome = try Session().run(
      "add", "Gym", "--start", "2030-01-07 18:00", "--repeat", "tue")
    #expect(outcome.code == 0)
    #expect(
      outcome.errors
        == "calctl: the event begins on Mon 7 Jan 2030, which is no day of its rule; the first is "
        + "Tue 8 Jan 2030\n")
  }

  @Test func `a time alone is that of the first day of the rule`() throws {
    let session = try Session()
    for day in ["mon", "wed", "sun"] {
      let event = try session.json("add", "Gym", "--start", "18:00", "--repeat", day)
      let text = try #require(event["start-text"]?.stringValue)
      let date = try CivilDate(text: text.prefix(10))
      #expect("\(date.weekday)".hasPrefix(day), "\(text)")
      #expect(text.dropFirst(11).hasPrefix("18:00:00"))
    }
  }
}
