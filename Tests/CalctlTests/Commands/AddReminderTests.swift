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
  @Test func `a reminder in the past is named`() throws {
    let session = try Session()
    let late = try session.run("add", "Late", "--start", "in 5m", "--reminder", "15m")
    #expect(late.code == 0)
    #expect(late.errors.contains("the reminder 15 min before has passed"), "\(late.errors)")
    let soon = try session.run("add", "Soon", "--start", "in 2h", "--reminder", "15m")
    #expect(soon.code == 0 && soon.errors.isEmpty)
    let json = try session.json("add", "Late", "--start", "in 5m", "--reminder", "15m")
    let warnings = try #require(json["warnings"]?.arrayValue)
    #expect(warnings.first == "the reminder 15 min before has passed, and will not ring")
  }

  @Test(arguments: [
    ("end", "end:PT0S", "at the end"), ("end-5m", "end:PT5M", "5 min before the end"),
    ("end+5m", "end:-PT5M", "5 min after the end"), ("start", "PT0S", "at the start"),
    ("start+10m", "-PT10M", "10 min after the start"), ("start-1h", "PT1H", "1 h before"),
  ])
  func `a reminder can count from the end, or the start`(
    written: String, kept: String, words: String
  ) throws {
    let session = try Session()
    let id = try session.add("Exam", "2030-01-07 9:00", "--end", "3h", "--reminder", written)
    #expect(try session.json("show", id)["reminders"] == [.string(kept)])
    #expect(try session.output("show", id).contains("  reminders   \(words)\n"))
  }

  @Test(arguments: [
    ("half past nine", "PT4H30M", "Reminder: Mon 7 Jan 2030, 09:30\n"),
    ("1d 18:00", "PT20H", "Reminder: Sun 6 Jan 2030, 18:00\n"),
    ("2030-01-05 8:00", "2030-01-05T07:00:00Z", "Reminder: Sat 5 Jan 2030, 08:00\n"),
    ("15m", "PT15M", ""),
  ])
  func `a reminder by the clock is printed with its day`(
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
      answer.hasSuffix("Reminders: Sat 26 Oct 2030, 14:00; Sun 27 Oct 2030, 09:00\n"), "\(answer)")
  }

  @Test func `a length with a plus is refused, with what may be meant`() throws {
    let outcome = try Session().run(
      "add", "Talk", "--start", "2030-01-07 14:00", "--reminder", "+5m")
    #expect(outcome.code == 1)
    #expect(
      outcome.errors
        == "calctl: --reminder: \"+5m\" is ambiguous: use 5m (before the start), start+5m (after the "
        + "start) or end+5m (after the end)\n")
  }

  @Test(arguments: [
    // A time of the day before is one.
    ("1d, 18:00", ["1d 18:00"]), ("15m,5m", ["15m", "5m"]),
    ("15m, day before 18:00 ", ["15m", "day before 18:00"]), ("end-5m,-5m", ["end-5m", "-5m"]),
    ("15m,none", ["15m", "none"]), ("15m,soon", ["15m,soon"]),
    // A moment may have a comma of its own.
    ("15m, 2026-11-24 09:00", ["15m", "2026-11-24 09:00"]),
    ("tomorrow 9:00,5m", ["tomorrow 9:00", "5m"]),
    ("30 Nov, 9:00", ["30 Nov, 9:00"]), ("15m, 30 Nov, 9:00", ["15m, 30 Nov, 9:00"]),
    ("15m", ["15m"]), ("", [""]),
  ])
  func `several reminders can be separated by commas`(text: String, reminders: [String]) {
    #expect(EditedEvent.separated(text) == reminders)
  }

  @Test func `add, edit and the defaults of a calendar take several between commas`() throws {
    let session = try Session()
    let id = try session.add("x", "2030-01-07 14:00", "--reminder", "15m,5m")
    #expect(try session.json("show", id)["reminders"] == ["PT15M", "PT5M"])
    #expect(
      try session.json("edit", id, "--reminder", "1h,15m")["reminders"] == ["PT15M", "PT1H"])
    #expect(
      try session.run("edit", id, "--reminder", "15m,none").errors.contains(
        "--reminder: \"none\" cannot be combined with other values"))
    #expect(
      try session.output("calendars", "edit", "personal", "--reminder", "1m,0m")
        == "Default reminders of Personal: 1 min before, at the start; for all-day events: none.\n"
    )
  }

  @Test func `past and default reminders are not printed`() throws {
    let session = try Session()
    let past = try session.run("add", "x", "--start", "in 2h", "--reminder", "3d 0:00")
    #expect(past.errors.contains(" has passed, and will not ring"), "\(past.errors)")
    #expect(!past.output.contains("Reminder"), "\(past.output)")
    let own = try session.output("add", "x", "--start", "2030-01-07 9:00", "--reminder", "default")
    #expect(!own.contains("Reminder"), "\(own)")
    // Lengths speak for themselves, also between commas.
    let lengths = try session.output(
      "add", "x", "--start", "2030-01-07 9:00", "--reminder", "1h,5m")
    #expect(!lengths.contains("Reminder"), "\(lengths)")
  }

  @Test func `those to come are printed next to a warning`() throws {
    let session = try Session()
    _ = try session.add("Lunch", "2030-01-07 12:30")
    let outcome = try session.run(
      "add", "Call", "--start", "2030-01-07 13:00", "--reminder", "9:00")
    #expect(outcome.errors.contains("it overlaps with Lunch, 12:30–13:30"), "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("\nReminder: Mon 7 Jan 2030, 09:00\n"), "\(outcome.output)")
    let quick = try session.run("quick", "tea 7 Jan 2030 13:15")
    #expect(quick.errors.contains("it overlaps with Lunch, 12:30–13:30; Call, 13:00–14:00"))
  }

  @Test func `days before an all-day event are at nine, as the calendar's are`() throws {
    let session = try Session()
    #expect(
      try session.output("add", "x", "--start", "2030-01-07", "--reminder", "2d")
        .hasSuffix("\nReminder: at 09:00 2 days before\n"))
    _ = try session.output("calendars", "edit", "personal", "--all-day-reminder", "1d 18:00")
    #expect(
      try session.output("quick", "Trip 8 Jan 2030 !1d")
        .hasSuffix("\nReminder: at 18:00 the day before\n"))
  }

  @Test func `the reminders of an all-day event are printed`() throws {
    let session = try Session()
    #expect(
      try session.output("add", "x", "--start", "2030-01-07", "--reminder", "15m")
        .hasSuffix("\nReminder: at 23:45 the day before\n"))
    #expect(!(try session.output("add", "x", "--start", "2030-01-07").contains("Reminder")))
  }

  @Test func `a reminder of a whole day can be a time, and show says what a length is`() throws {
    let session = try Session()
    let id = try session.add(
      "Holiday", "2030-01-07", "--reminder", "9:00", "--reminder", "9h", "--reminder", "1d 18:00")
    #expect(try session.json("show", id)["reminders"] == ["-PT9H", "PT9H", "PT6H"])
    #expect(
      try session.output("show", id).contains(
        "  reminders   at 09:00 on the day, at 15:00 the day before, at 18:00 the day before\n"))
    let timed = try session.add("Talk", "2030-01-07 14:00", "--reminder", "9:00")
    #expect(try session.json("show", timed)["reminders"] == ["PT5H"])
  }
}
