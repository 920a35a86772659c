import CalendarBus
import CivilTime
import DBus
import JSON
import Phrases
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl add` {
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
        .hasPrefix("Added Holiday: Mon 7 Jan 2030 – Wed 9 Jan 2030\n"))
  }

  @Test func `people write moments as they say them`() throws {
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
      (["--start", "2030-01-07", "--repeat", "fortnightly"], 2, "--repeat: \"fortnightly\""),
      (["--start", "2030-01-07", "--repeat", "FREQ=SOMETIMES"], 1, "--repeat: "),
      (["--start", "2030-01-07", "--reminder", "zzz"], 1, "--reminder: \"zzz\""),
      (
        ["--start", "today", "--reminder", "none", "--reminder", "5m"], 2,
        "--reminder: none stands alone"
      ),
      (["--start", "today", "--color", "bleu"], 1, "did you mean \"blue\"?"),
      (["--start", "today", "--color", "#12"], 1, "--color: \"#12\" is neither #rgb, #rrggbb nor"),
      (
        ["--start", "9:60"], 1,
        "--start: \"9:60\": 9:60 is no time, since an hour has the minutes 00 to 59"
      ),
      (["--start", "mon,wed"], 1, "--start: \"mon,wed\": these are several days; try \"mon\""),
      (["--start", "2030-01-07 9:00", "--end", "-1h"], 1, "--end: \"-1h\": a length has no sign"),
      (["--start", "2030-13-07"], 1, "there is no month 13"),
      (["--start", "2030-01-07", "--time-zone", "Mars/Base"], 1, "--time-zone: "),
      (["--start", "2030-01-07", "--calendar", "nope"], 3, "nope"),
      (["--start", "2030-01-07", "--location", "a\u{1b}[2Jb"], 1, "--location: "),
      ([], 1, "nothing in it says on which day"), (["--end", "45m"], 2, "--start is missing"),
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

  @Test func `a reminder whose moment was over is named`() throws {
    let session = try Session()
    let late = try session.run("add", "Late", "--start", "in 5m", "--reminder", "15m")
    #expect(late.code == 0)
    #expect(late.errors.contains("the reminder 15 min before has passed"), "\(late.errors)")
    let soon = try session.run("add", "Soon", "--start", "in 2h", "--reminder", "15m")
    #expect(soon.code == 0 && soon.errors.isEmpty)
  }

  @Test(arguments: [
    ("--reminder=-5m", "5 min after the start rings only when the event has begun"),
    ("--reminder=2030-01-07 10:00", "rings only when the event has begun"), ("--reminder=15m", ""),
    ("--reminder=2030-01-07 8:00", ""), ("--reminder=end:5m", ""),
  ])
  func `a reminder after the start is named`(option: String, words: String) throws {
    let outcome = try Session().run("add", "x", "--start", "2030-01-07 9:00", option)
    #expect(outcome.code == 0)
    #expect(
      words.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func `an event that is over when it is added says so`() throws {
    let session = try Session()
    let past = try session.run("add", "Past", "--start", "yesterday 9:00")
    #expect(past.code == 0)
    #expect(past.errors.contains("this is over already"), "\(past.errors)")
    let series = try session.run("add", "Ever", "--start", "yesterday 9:00", "--repeat", "daily")
    #expect(series.errors.isEmpty)
  }

  @Test func `one that the calendar gives is named, too, unless the event is over`() throws {
    let session = try Session()
    _ = try session.output("calendars", "edit", "personal", "--reminder", "15m")
    let words = "the calendar's reminder 15 min before has passed, and will not ring"
    #expect(try session.run("add", "Late", "--start", "in 5m").errors.contains(words))
    #expect(try session.run("quick", "Late in 5m").errors.contains(words))
    #expect(!(try session.run("add", "Later", "--start", "in 1h").errors.contains(words)))
    #expect(!(try session.run("add", "Over", "--start", "2020-01-07").errors.contains(words)))
  }

  @Test(arguments: [
    ("end", "end:PT0S", "at the end"), ("end-5m", "end:PT5M", "5 min before the end"),
    ("end+5m", "end:-PT5M", "5 min after the end"), ("start", "PT0S", "at the start"),
    ("start+10m", "-PT10M", "10 min after the start"), ("start-1h", "PT1H", "1 h before"),
  ])
  func `a reminder can be beside the end, or the start`(
    written: String, kept: String, words: String
  ) throws {
    let session = try Session()
    let id = try session.add("Exam", "2030-01-07 9:00", "--end", "3h", "--reminder", written)
    #expect(try session.json("show", id)["reminders"] == [.string(kept)])
    #expect(try session.output("show", id).contains("  rings       \(words)\n"))
  }

  @Test(arguments: [
    ("half past nine", "PT4H30M", "rings Mon 7 Jan 2030, 09:30\n"),
    ("1d 18:00", "PT20H", "rings Sun 6 Jan 2030, 18:00\n"),
    ("2030-01-05 8:00", "2030-01-05T07:00:00Z", "rings Sat 5 Jan 2030, 08:00\n"),
    ("15m", "PT15M", ""),
  ])
  func `a reminder by the clock is told with its day`(
    written: String, kept: String, words: String
  ) throws {
    let session = try Session()
    let answer = try session.output(
      "add", "Talk", "--start", "2030-01-07 14:00", "--reminder", written)
    let id = try #require(answer.split(separator: "\n").first { $0.hasPrefix("id ") }?.dropFirst(3))
    #expect(answer.hasSuffix("id \(id)\n" + words), "\(answer)")
    #expect(try session.json("show", String(id))["reminders"] == [.string(kept)])
    let changed = try session.output("edit", String(id), "--reminder", written)
    #expect(changed.hasSuffix(" 14:00 – 15:00\n" + words), "\(changed)")
  }

  @Test func `days before it are those of its clock, also across the end of summer time`() throws {
    let session = try Session()
    let answer = try session.output(
      "add", "Talk", "--start", "2030-10-27 14:00", "--reminder", "1d", "--reminder", "9:00")
    #expect(
      answer.hasSuffix("rings Sat 26 Oct 2030, 14:00; Sun 27 Oct 2030, 09:00\n"), "\(answer)")
  }

  @Test func `a length with a plus is refused, with what may be meant`() throws {
    let outcome = try Session().run(
      "add", "Talk", "--start", "2030-01-07 14:00", "--reminder", "+5m")
    #expect(outcome.code == 1)
    #expect(
      outcome.errors
        == "calctl: --reminder: nobody knows from where \"+5m\" counts: \"5m\" is before the start, "
        + "\"start+5m\" after it, \"end+5m\" after the end\n")
  }

  @Test(arguments: [
    // A time of the day before is one.
    ("1d, 18:00", ["1d, 18:00"]), ("15m,5m", ["15m", "5m"]),
    ("15m, day before 18:00 ", ["15m", "day before 18:00"]), ("end-5m,-5m", ["end-5m", "-5m"]),
    ("15m,none", ["15m", "none"]), ("15m,soon", ["15m,soon"]), ("15m", ["15m"]), ("", [""]),
  ])
  func `several reminders can stand between commas`(text: String, reminders: [String]) {
    #expect(EditedEvent.separated(text) == reminders)
  }

  @Test func `add, edit and the defaults of a calendar take several between commas`() throws {
    let session = try Session()
    let id = try session.add("x", "2030-01-07 14:00", "--reminder", "15m,5m")
    #expect(try session.json("show", id)["reminders"] == ["PT15M", "PT5M"])
    #expect(
      try session.json("edit", id, "--reminder", "1h,15m")["reminders"] == ["PT15M", "PT1H"])
    #expect(
      try session.run("edit", id, "--reminder", "15m,none").errors.contains("none stands alone"))
    #expect(
      try session.output("calendars", "edit", "personal", "--reminder", "1m,0m")
        == "Events of Personal ring 1 min before, at the start; all-day ones not at all.\n")
  }

  @Test func `what has passed, and what the calendar has, is not said to ring`() throws {
    let session = try Session()
    let past = try session.run("add", "x", "--start", "in 2h", "--reminder", "3d 0:00")
    #expect(past.errors.contains(" has passed, and will not ring"), "\(past.errors)")
    #expect(!past.output.contains("rings"), "\(past.output)")
    let own = try session.output("add", "x", "--start", "2030-01-07 9:00", "--reminder", "default")
    #expect(!own.contains("rings"), "\(own)")
    // Lengths speak for themselves, also between commas.
    let lengths = try session.output(
      "add", "x", "--start", "2030-01-07 9:00", "--reminder", "1h,5m")
    #expect(!lengths.contains("rings"), "\(lengths)")
  }

  @Test func `of a whole day add says when each reminder rings`() throws {
    let session = try Session()
    #expect(
      try session.output("add", "x", "--start", "2030-01-07", "--reminder", "15m")
        .hasSuffix("\nrings at 23:45 the day before\n"))
    #expect(!(try session.output("add", "x", "--start", "2030-01-07").contains("rings")))
  }

  @Test(arguments: [
    ("in 5m", "@1795219560"), ("+5m", "@1795219560"), ("In 1 hour", "@1795222860"),
    ("10m ago", "@1795218660"), ("in 90s", "in 90s"), ("in 2 days", "in 2 days"), ("now", "now"),
    ("@1795219260", "@1795219260"), ("9:00", "9:00"), ("in a while", "in a while"),
  ])
  func `what counts in minutes from now begins with a whole one, at 27 s past`(
    text: String, start: String
  ) {
    let phrases = PhraseContext(now: Timestamp(seconds: 1_795_219_227), zone: .utc)
    #expect(CommandContext.wholeMinute(text, phrases, signed: true) == start)
    // As --end that is a length.
    #expect(CommandContext.wholeMinute("+5m", phrases) == "+5m")
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

  @Test(arguments: [
    ("8:59", "tomorrow 8:59"), ("9:01", "9:01"), ("0:00", "tomorrow 0:00"), ("9am", "9am"),
    ("8am", "tomorrow 8am"), ("today 8:00", "today 8:00"), ("sat 8:00", "sat 8:00"),
    ("2026-11-21 8:00", "2026-11-21 8:00"), ("now", "now"), ("yesterday", "yesterday"),
    ("8:60", "8:60"), ("", ""), ("noon", "noon"), ("midnight", "tomorrow midnight"),
  ])
  func `a time alone is the next one, at nine on a Saturday`(text: String, start: String) throws {
    let now = PhraseContext(
      now: try Timestamp(text: "2026-11-21T08:00:00Z"), zone: FixedZones.shared["Europe/Berlin"])
    #expect(CommandContext.nextStart(text, now) == start)
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

  @Test func `an event in a hidden calendar is told`() throws {
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
    #expect(outcome.errors == "calctl: TITLE must not be empty\n")
  }

  @Test func `a reminder of a whole day can be a time, and show says what a length is`() throws {
    let session = try Session()
    let id = try session.add(
      "Holiday", "2030-01-07", "--reminder", "9:00", "--reminder", "9h", "--reminder", "1d 18:00")
    #expect(try session.json("show", id)["reminders"] == ["-PT9H", "PT9H", "PT6H"])
    #expect(
      try session.output("show", id).contains(
        "  rings       at 09:00 on the day, at 15:00 the day before, at 18:00 the day before\n"))
    let timed = try session.add("Talk", "2030-01-07 14:00", "--reminder", "9:00")
    #expect(try session.json("show", timed)["reminders"] == ["PT5H"])
  }

  @Test(arguments: [
    ("2020-01-07", "9:00", "at 09:00 on the day"), ("2020-01-07", "1d", "at 00:00 the day before"),
    ("2030-01-07 9:00", "2020-01-07 9:00", "Tue 7 Jan 2020, 09:00"),
    ("2020-01-07 9:00", "end-5m", "5 min before the end"),
  ])
  func `a reminder whose moment has passed is told`(
    start: String, reminder: String, words: String
  ) throws {
    let outcome = try Session().run("add", "x", "--start", start, "--reminder", reminder)
    #expect(outcome.code == 0)
    #expect(
      outcome.errors.contains("calctl: the reminder \(words) has passed, and will not ring\n"),
      "\(outcome.errors)")
  }

  @Test(arguments: [(-3600, 60, true), (-3600, 600, false), (600, 3600, false)])
  func `one before the end has passed by when the event ends`(
    start: Int64, end: Int64, hasPassed: Bool
  ) {
    let now = Timestamp(seconds: 1_795_219_200)
    var event = Row()
    event.set(.start, .int64(now.seconds + start))
    event.set(.end, .int64(now.seconds + end))
    event.set(.reminders, ["end:PT5M"])
    #expect(AddedEvent.pastReminders(event, now: now, .utc) == (hasPassed ? ["end:PT5M"] : []))
  }

  /// Summer time ends in Berlin on 25 October 2026 at 1:00Z, and begins on 28 March 2027.
  @Test(arguments: [
    // Two days before 12:00 of Monday, 26 October.
    ("2026-10-26T11:00:00Z", "P2D", "2026-10-24T09:59:00Z", false),
    ("2026-10-26T11:00:00Z", "P2D", "2026-10-24T10:01:00Z", true),
    ("2026-10-26T11:00:00Z", "PT48H", "2026-10-24T10:59:00Z", false),
    // At 9:00 of the very day, which has 23 hours.
    ("2027-03-27T23:00:00Z", "-PT9H", "2027-03-28T06:59:00Z", false),
    ("2027-03-27T23:00:00Z", "-PT9H", "2027-03-28T07:01:00Z", true),
  ])
  func `whether a reminder has passed goes by the days of the clock, as the agent has them`(
    start: String, reminder: String, now: String, hasPassed: Bool
  ) throws {
    let (start, now) = (try Timestamp(text: start), try Timestamp(text: now))
    let zone = FixedZones.shared["Europe/Berlin"]
    let isAllDay = reminder.hasPrefix("-")
    var event = Row()
    event.set(.start, .int64(start.seconds))
    event.set(.end, .int64(start.seconds + 86_400))
    event.set(.allDay, isAllDay)
    var calendar = Row()
    calendar.set(.reminders, [reminder])
    calendar.set(.allDayReminders, [String(reminder.drop { $0 == "-" })])
    #expect(AddedEvent.pastDefaults(event, of: calendar, now, zone).isEmpty != hasPassed)
    event.set(.reminders, [reminder])
    #expect(AddedEvent.pastReminders(event, now: now, zone).isEmpty != hasPassed)
  }

  @Test func `what waits is of an event of that ID in that calendar`() {
    func row(_ uid: String, _ calendar: String) -> Row {
      var row = Row()
      row.set(.uid, uid)
      row.set(.calendar, calendar)
      return row
    }
    let pending = [row("a", "work"), row("b", "home")]
    #expect(AddedEvent.isAnyWaiting(of: row("a", "work"), pending))
    #expect(!AddedEvent.isAnyWaiting(of: row("a", "home"), pending))
    #expect(!AddedEvent.isAnyWaiting(of: row("c", "home"), pending))
  }

  @Test func `a reminder at a time of a whole day is not said to be late`() throws {
    let outcome = try Session().run("add", "x", "--start", "2030-01-07", "--reminder", "9:00")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test func `an event is busy or free as it is told, and free goes by it`() throws {
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
    #expect(both.errors.contains("--busy and --free exclude each other"))
  }

  @Test func `where it went is said, unless that is where all goes`() throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Work")
    #expect(
      try session.output("quick", "planning 2030-01-07 9:00 #work").hasPrefix(
        "Added planning to Work: Mon 7 Jan 2030, 09:00 – 10:00\n"))
    #expect(try session.output("quick", "planning 2030-01-07 9:00").hasPrefix("Added planning: "))
  }

  @Test(arguments: [
    (["2030-01-07 18:00", "tue"], "2030-01-08 18:00", "--repeat mon,tue"),
    (["2030-01-07", "tue,thu"], "2030-01-08", "--repeat mon,tue,thu"),
    (["2030-01-05 9:00", "weekdays"], "2030-01-07 09:00", "--repeat daily"),
    (["2030-01-07", "FREQ=MONTHLY;BYMONTHDAY=15"], "2030-01-15", "another --repeat"),
  ])
  func `a start that its rule has not is refused with both ways out`(
    words: [String], start: String, other: String
  ) throws {
    let session = try Session()
    let outcome = try session.run("add", "Gym", "--start", words[0], "--repeat", words[1])
    #expect(outcome.code == ExitCode.usage.rawValue)
    let quoted = start.contains(" ") ? "\"\(start)\"" : start
    #expect(
      outcome.errors.contains("--start \(quoted), or say \(other))"), "\(outcome.errors)")
    #expect(try session.json("history").arrayValue?.isEmpty ?? false)
    #expect(try session.run("add", "Gym", "--start", start, "--repeat", words[1]).code == 0)
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
