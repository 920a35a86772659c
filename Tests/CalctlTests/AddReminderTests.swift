import CalendarBus
import CivilTime
import DBus
import JSON
import TestSupport
import Testing

@testable import CalctlCommands

/// The option `--reminder` of `calctl add`, and of `edit` and `calendars edit` where they take the same: how a
/// reminder is written, what is said of when it rings, and that one that has passed is told.
@Suite struct `The reminders of calctl add` {
  @Test func `a reminder whose moment was over is named`() throws {
    let session = try Session()
    let late = try session.run("add", "Late", "--start", "in 5m", "--reminder", "15m")
    #expect(late.code == 0)
    #expect(late.errors.contains("the reminder 15 min before has passed"), "\(late.errors)")
    let soon = try session.run("add", "Soon", "--start", "in 2h", "--reminder", "15m")
    #expect(soon.code == 0 && soon.errors.isEmpty)
  }

  @Test(arguments: [
    (["in 5m", "--repeat", "daily"], ["--reminder", "15m"], "the reminder 15 min before"),
    (["in 5m", "--repeat", "daily"], [], "the calendar's reminder 10 min before"),
    (["today", "--repeat", "daily"], ["--reminder", "0:00"], "the reminder at 00:00 on the day"),
    // One of years ago, of which one is at most twenty minutes ahead.
    (
      ["2020-01-06 0:00", "--repeat", "FREQ=MINUTELY;INTERVAL=20"], ["--reminder", "30m"],
      "the reminder 30 min before"
    ),
    (["in 2h", "--repeat", "daily"], ["--reminder", "15m"], ""),
    (["2020-01-06 0:00", "--repeat", "FREQ=MINUTELY;INTERVAL=20"], ["--reminder", "0m"], ""),
    // All of it is over.
    (["2020-01-06 0:00", "--repeat", "FREQ=DAILY;COUNT=3"], ["--reminder", "15m"], ""),
  ])
  func `of what repeats one that was over is named for the occurrence that is to come`(
    start: [String], reminder: [String], words: String
  ) throws {
    let session = try Session()
    _ = try session.output("calendars", "edit", "personal", "--reminder", "10m")
    let outcome = try session.run(["add", "Often", "--start"] + start + reminder)
    #expect(outcome.code == 0)
    let told = outcome.errors.split(separator: "\n").filter { $0.contains("has passed") }
    #expect(told.count == (words.isEmpty ? 0 : 1), "\(outcome.errors)")
    for line in told {
      #expect(line.hasPrefix("calctl: \(words) has passed for the occurrence of "), "\(line)")
      #expect(line.hasSuffix(", and will not ring"), "\(line)")
    }
  }

  @Test func `of what repeats one at a moment that has passed is named as that of all of it`()
    throws
  {
    let session = try Session()
    let passed = "calctl: the reminder Tue 7 Jan 2020, 09:00 has passed, and will not ring\n"
    let outcome = try session.run(
      "add", "Often", "--start", "2030-01-07 9:00", "--repeat", "daily", "--reminder",
      "2020-01-07 9:00",
      "--reminder", "2030-01-07 8:00")
    #expect(outcome.errors == passed)
    #expect(outcome.output.hasSuffix("\nrings Mon 7 Jan 2030, 08:00\n"), "\(outcome.output)")
    let uid = try #require(try session.json("show", "Often")["uid"]?.stringValue)
    #expect(try session.run("edit", uid, "--start", "10:00").errors == passed)
    // It speaks of no occurrence.
    #expect(try session.run("edit", "\(uid)/20300108T090000Z", "--start", "11:00").errors == "")
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
    ("15m,none", ["15m", "none"]), ("15m,soon", ["15m,soon"]),
    // A moment may have a comma of its own.
    ("15m, 2026-11-24 09:00", ["15m", "2026-11-24 09:00"]),
    ("tomorrow 9:00,5m", ["tomorrow 9:00", "5m"]),
    ("30 Nov, 9:00", ["30 Nov, 9:00"]), ("15m, 30 Nov, 9:00", ["15m, 30 Nov, 9:00"]),
    ("15m", ["15m"]), ("", [""]),
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
        == "Events of Personal without reminders of their own ring 1 min before, at the start; all-day ones not at all.\n"
    )
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
    ("2020-01-07 9:00", "2020-01-07 10:00", "Tue 7 Jan 2020, 10:00"),
  ])
  func `a reminder whose moment has passed is told`(
    start: String, reminder: String, words: String
  ) throws {
    let outcome = try Session().run("add", "x", "--start", start, "--reminder", reminder)
    #expect(outcome.code == 0)
    #expect(
      outcome.errors.contains("calctl: the reminder \(words) has passed, and will not ring\n"),
      "\(outcome.errors)")
    #expect(!outcome.errors.contains("rings only"), "\(outcome.errors)")
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
    #expect(AddedEvent.waiting(of: row("a", "work"), among: pending).count == 1)
    #expect(AddedEvent.waiting(of: row("a", "home"), among: pending).isEmpty)
    #expect(AddedEvent.waiting(of: row("c", "home"), among: pending).isEmpty)
  }

  @Test func `a reminder at a time of a whole day is not said to be late`() throws {
    let outcome = try Session().run("add", "x", "--start", "2030-01-07", "--reminder", "9:00")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
  }
}
