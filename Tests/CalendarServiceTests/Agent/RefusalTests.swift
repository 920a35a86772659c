import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// Events.Add of an event that would be accepted but for one key.
private func add(_ key: String, _ value: Value) -> [Value] {
  var pairs: [(String, Value)] = [
    ("summary", .string("Tea")), ("start", .string("2026-11-21 15:00")),
  ]
  pairs.removeAll { $0.0 == key }
  return [.string(""), .row(pairs + [(key, value)])]
}

private func options(_ key: String, _ value: Value) -> [Value] {
  [.string("today"), .string(""), .row([(key, value)])]
}

private func simple(_ start: String, _ end: String = "") -> [Value] {
  ["", "Tea", start, end, ""].map(Value.string)
}

/// What the agent refuses, interface by interface, and how a refusal looks to tools. Other files add calls of their own.
@Suite struct Refusals {
  static let unknown = [
    Refused("Yesterday", [], "UnknownMethod", "Yesterday"),
    Refused("Events.Frobnicate", [.string("x")], "UnknownMethod", "Frobnicate"),
    Refused("Nothing.Get", [], "UnknownInterface", "org.datebook.Calendar1.Nothing"),
    Refused("FreeBusy", [.string("today"), .string("2099-01-01")], "LimitsExceeded", "732 days"),
    Refused("Conflicts", [.string("someday"), .string("")], "InvalidTime", "someday"),
    Refused(
      "FreeSlots", [.string("today"), .string(""), .uint32(0)], "InvalidArgs", "minutes: 0 is not"),
    Refused("Agenda", [], "InvalidArgs", "Agenda takes 2 arguments (from s, days u), not 0"),
    Refused("Agenda", [.string("today"), .string("1")], "InvalidArgs", "days", "u (uint32)"),
    Refused("Agenda", [.string("today"), .int32(1)], "InvalidArgs", "days", "u (uint32)"),
    Refused("Today", [.string("x")], "InvalidArgs", "no arguments"),
    Refused("Events.Get", [.int64(1), .string("")], "InvalidArgs", "uid", "s (string)"),
    Refused("Transfer.Import", [.string("x")], "InvalidArgs", "fd", "h (file descriptor)"),
  ]

  static let numbers = [
    Refused("Agenda", [.string("today"), .uint32(0)], "InvalidArgs", "days: 0", "1 to 366"),
    Refused("Agenda", [.string("today"), .uint32(367)], "InvalidArgs", "days: 367"),
    Refused("Agenda", [.string(""), .uint32(.max)], "InvalidArgs", "days: 4294967295"),
    Refused("Next", [.uint32(0)], "InvalidArgs", "count: 0", "1 to 100"),
    Refused("Next", [.uint32(101)], "InvalidArgs", "count: 101"),
    Refused("GetOccurrences", options("limit", .uint32(5001)), "LimitsExceeded", "limit", "5000"),
    Refused("Events.List", [.row([("limit", .uint32(5001))])], "LimitsExceeded", "limit: 5001"),
    Refused("Events.List", [.row([("cursor", .string("x"))])], "InvalidArgs", "cursor", "\"x\""),
    Refused("Events.List", [.row([("calendars", .strings(["x"]))])], "NotFound", "calendars", "x"),
    Refused("Events.List", [.row([("completed", .boolean(true))])], "InvalidArgs", "completed"),
    Refused(
      "Events.AddTodo", [.string(""), .row([("summary", .string("")), ("due", .string("fri"))])],
      "InvalidArgs", "summary"),
    Refused(
      "Events.AddTodo",
      [.string(""), .row([("summary", .string("x")), ("priority", .uint32(10))])], "InvalidArgs",
      "priority"),
    Refused(
      "Events.AddTodo",
      [.string(""), .row([("summary", .string("x")), ("due", .string("whenever"))])],
      "InvalidTime", "due", "whenever"),
    Refused(
      "Events.AddTodo",
      [.string(""), .row([("summary", .string(String(repeating: "x", count: 2001)))])],
      "LimitsExceeded", "summary"),
    Refused(
      "Events.AddTodo", [.string("x"), .row([("summary", .string("x"))])], "NotFound", "calendar"),
    Refused(
      "Events.ChangeTodo", [.string("standup"), .string(""), .row([("start", .string("fri"))])],
      "InvalidArgs", "start"),
    Refused(
      "Events.ChangeTodo", [.string("standup"), .string(""), .row([("due", .boolean(true))])],
      "InvalidArgs", "due"),
    Refused(
      "Events.ChangeTodo", [.string("standup"), .string("x"), .row([("priority", .uint32(1))])],
      "InvalidTime", "recurrence_id"),
    Refused(
      "Events.ChangeTodo",
      [
        .string("standup"), .string(""),
        .row([("description", .string(String(repeating: "x", count: 100_001)))]),
      ], "LimitsExceeded", "description"),
    Refused(
      "Events.ChangeTodo", [.string("standup"), .string(""), .row([("priority", .uint32(1))])],
      "NotFound", "is no to-do"),
    Refused("Events.Todos", [.row([("limit", .uint32(5001))])], "LimitsExceeded", "limit: 5001"),
    Refused("Events.Todos", [.row([("done", .boolean(true))])], "InvalidArgs", "options", "done"),
    Refused("Events.Todos", [.row([("completed", .int64(1))])], "InvalidArgs", "completed", "b"),
    Refused("Events.Todos", [.row([("calendars", .strings(["x"]))])], "NotFound", "calendars", "x"),
    Refused("Events.Todos", [.row([("curser", .string(""))])], "InvalidArgs", "cursor"),
    Refused(
      "Events.Todos", [.row([("cursor", .string("0 1 2 a 9 b c"))])], "InvalidArgs", "cursor"),
    Refused(
      "Events.Todos", [.row([("cursor", .string("0 1 2 a -1 b"))])], "InvalidArgs", "cursor"),
  ]

  static let times = [
    Refused("Agenda", [.string("2026-02-30"), .uint32(1)], "InvalidTime", "from", "2026-02-30"),
    Refused("Agenda", [.string("someday"), .uint32(1)], "InvalidTime", "from", "someday"),
    Refused("Agenda", [.string("9999-12-31"), .uint32(2)], "InvalidTime", "9999"),
    Refused(
      "GetOccurrences", [.string("today"), .string("25:00"), .row([])], "InvalidTime", "25:00"),
    Refused(
      "GetOccurrences", [.string("tomorrow"), .string("today"), .row([])], "InvalidTime", "to"),
    Refused(
      "GetOccurrences", options("time-zone", .string("Mars/Olympus")), "InvalidTime", "time-zone",
      "Mars/Olympus"),
    Refused("Events.AddSimple", simple("2026-02-30"), "InvalidTime", "start", "2026-02-30"),
    Refused("Events.AddSimple", simple("2026-11-21 25:00"), "InvalidTime", "start", "25:00"),
    Refused(
      "Events.AddSimple", simple("2026-11-21 15:00", "2026-11-21 14:00"), "InvalidTime", "end",
      "is before the start"),
    Refused("Events.AddSimple", simple("2026-11-21 15:00", "-PT1H"), "InvalidTime", "end"),
    Refused("Events.AddSimple", simple("2026-11-21", "2026-11-21"), "InvalidTime", "end"),
    Refused("Events.AddSimple", simple("2026-11-21", "45m"), "InvalidTime", "end", "whole days"),
    Refused(
      "Events.AddSimple", simple("2026-11-21", "2026-11-22 10:00"), "InvalidTime", "has a time"),
    Refused("Events.Add", add("time-zone", .string("Mars/Olympus")), "InvalidTime", "time-zone"),
    Refused(
      "Events.Add", add("time-zone", .string("Europe/Berln")), "InvalidTime", "time-zone",
      "did you mean \"Europe/Berlin\"?"),
    Refused(
      "Events.Add", add("time-zone", .string("berlin")), "InvalidTime",
      "did you mean \"Europe/Berlin\"?"),
    Refused("Events.Add", add("color", .string("blu")), "InvalidArgs", "did you mean \"blue\"?"),
    Refused(
      "Events.Add", add("color", .string("colourless")), "InvalidArgs", "#rrggbb", "purple", "teal"),
    Refused(
      "Events.Add", add("rrule", .string("FREQ=DAILY;UNTIL=20200101T000000Z")),
      "InvalidRecurrence", "rrule", "UNTIL=20200101T000000Z", "2026-11-21"),
    Refused(
      "Events.Add", add("rrule", .string("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")),
      "InvalidRecurrence", "rrule", "no occurrence"),
    Refused(
      "Events.Add", add("rrule", .string("FREQ=DAILY\nFREQ=DAILY;BYMONTH=2;BYMONTHDAY=31")),
      "InvalidRecurrence", "BYMONTHDAY=31"),
    Refused(
      "Events.Add", add("rrule", .string("FREQ=DAILY;COUNT=3;UNTIL=20261231T000000Z")),
      "InvalidRecurrence", "rrule", "COUNT and UNTIL"),
    Refused("SetQuiet", [.string("2x")], "InvalidTime", "\"2x\"", "2h", "forever", "18:00"),
    Refused(
      "Events.Add", add("time-zone", .string("../../etc/passwd")), "InvalidTime", "time-zone"),
    Refused("Events.Add", add("start", .int64(.max)), "InvalidTime", "start", "1 to 9999"),
    Refused("Events.Add", add("start", .int64(.min)), "InvalidTime", "start"),
    Refused("Events.Add", add("end", .string("99999999d")), "InvalidTime", "end"),
    Refused(
      "Events.AddSimple", simple("9999-12-31 23:00", "3h"), "InvalidTime", "end", "past the year"),
    Refused(
      "Events.AddSimple", simple("9999-12-31", "2d"), "InvalidTime", "end", "past the year"),
    Refused("Events.Add", add("rdate", .strings(["2026-13-01"])), "InvalidTime", "rdate"),
    Refused("Events.Add", add("exdate", .strings(["never"])), "InvalidTime", "exdate"),
    Refused(
      "Events.Add", add("exdate", .strings(["2026-11-21 15:00"])), "InvalidRecurrence",
      "exdate: the event does not repeat"),
    Refused("Events.Add", add("reminders", .strings(["loudly"])), "InvalidTime", "reminders"),
    Refused("Events.Get", [.string("standup"), .string("x")], "InvalidTime", "recurrence_id"),
    Refused(
      "Events.Remove", [.string("standup"), .string("20260230T000000Z"), .string("")],
      "InvalidTime", "recurrence_id"),
    Refused("Reminders.Snooze", [.string("REMINDER"), .string("soon")], "InvalidTime", "until"),
    Refused("Reminders.Snooze", [.string("REMINDER"), .string("-5m")], "InvalidTime", "until"),
    Refused("Reminders.Snooze", [.string("REMINDER"), .string("0m")], "InvalidTime", "until"),
    Refused(
      "Reminders.Snooze", [.string("REMINDER"), .string("2026-11-21 08:00")], "InvalidTime",
      "future"),
  ]

  static let rules =
    timesOfDays
    + [
      "FREQ=SOMETIMES", "INTERVAL=2", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;UNTIL=20260230",
      "FREQ=DAILY;BYDAY=XX", "FREQ=YEARLY;BYMONTH=13", "FREQ=DAILY\nnonsense", "RRULE",
    ].map { rule in
      Refused("Events.Add", add("rrule", .string(rule)), "InvalidRecurrence", "rrule: ")
    }

  /// RFC 5545 forbids the parts of a time beside a DATE.
  private static let timesOfDays = [
    "FREQ=HOURLY", "FREQ=SECONDLY;INTERVAL=86400", "FREQ=DAILY;BYHOUR=9",
    "FREQ=DAILY\nFREQ=MINUTELY",
  ].map { rule in
    Refused(
      "Events.Add",
      [
        .string(""),
        .row([
          ("summary", .string("x")), ("start", .string("2026-11-21")), ("rrule", .string(rule)),
        ]),
      ], "InvalidRecurrence", "rrule: ", "all-day")
  }

  static let words = [
    Refused("Events.Add", [.string(""), .row([])], "InvalidArgs", "summary"),
    Refused("Events.Add", add("summary", .string("")), "InvalidArgs", "summary"),
    Refused("Events.Add", add("summary", .string("  ")), "InvalidArgs", "summary", "only spaces"),
    Refused(
      "Events.Add", [.string(""), .row([("summary", .string("x"))])], "InvalidArgs", "start"),
    Refused("Events.Add", add("sumary", .string("x")), "InvalidArgs", "did you mean \"summary\"?"),
    Refused("Events.Add", add("strat", .string("x")), "InvalidArgs", "did you mean \"start\"?"),
    Refused(
      "Events.Add", add("limit", .uint32(1)), "InvalidArgs", "unknown key \"limit\"; the keys are "),
    Refused("Events.Add", add("summary", .int64(1)), "InvalidArgs", "type s, not x"),
    Refused("Events.Add", add("all-day", .string("yes")), "InvalidArgs", "type b, not s"),
    Refused("Events.Add", add("reminders", .string("15m")), "InvalidArgs", "type as, not s"),
    Refused(
      "Events.Add",
      [
        .string(""),
        .row([
          ("summary", .string("x")), ("start", .string("today")), ("summary", .string("y")),
        ]),
      ], "InvalidArgs", "duplicate key \"summary\""),
    Refused("Events.Add", add("status", .string("maybe")), "InvalidArgs", "tentative"),
    Refused("Events.Add", add("class", .string("secret")), "InvalidArgs", "confidential"),
    Refused("Events.Add", add("uid", .string("a b")), "InvalidArgs", "uid"),
    Refused("Events.Add", add("uid", .string("a\u{1}")), "InvalidArgs", "uid"),
    Refused("Events.Add", add("summary", .string("a\u{7}b")), "InvalidArgs", "summary", "7 at"),
    Refused("Events.Add", add("summary", .string("a\nb")), "InvalidArgs", "summary", "10 at"),
    Refused("Events.Add", add("summary", .string("é\u{85}b")), "InvalidArgs", "133 at byte 2"),
    Refused("Events.Add", add("location", .string("a\u{1b}[2J")), "InvalidArgs", "location"),
    Refused("Events.Add", add("url", .string("http://a\n")), "InvalidArgs", "url"),
    Refused("Events.Add", add("description", .string("a\u{7f}")), "InvalidArgs", "description"),
    Refused("Events.Add", add("categories", .strings(["a\u{0b}"])), "InvalidArgs", "categories"),
    Refused(
      "Events.Remove", [.string("weekly"), .string("20261124T080000Z"), .string("some")],
      "InvalidArgs", "scope", "this-and-future"),
    Refused(
      "Events.Remove", [.string("weekly"), .string(""), .string("this")], "InvalidArgs",
      "recurrence_id"),
    Refused(
      "GetOccurrences", options("calender", .strings([])), "InvalidArgs",
      "did you mean \"calendars\"?"),
    Refused("GetOccurrences", options("limit", .int32(1)), "InvalidArgs", "type u, not i"),
    Refused("GetOccurrences", options("cursor", .string("x")), "InvalidArgs", "cursor"),
    Refused("GetOccurrences", options("cursor", .string("1 2 3")), "InvalidArgs", "cursor"),
    Refused("GetOccurrences", options("cursor", .string("a b c d")), "InvalidArgs", "cursor"),
    Refused(
      "GetOccurrences", options("fields", .strings(["sumary"])), "InvalidArgs", "fields",
      "did you mean \"summary\"?"),
    Refused("GetOccurrences", options("fields", .strings(["dry-run"])), "InvalidArgs", "fields"),
    Refused(
      "Transfer.ImportText", [.string(""), .string(""), .string("overwrite")], "InvalidArgs",
      "mode", "skip-existing"),
    Refused(
      "Transfer.ExportText", [.string("xml"), .string(""), .string("")], "InvalidArgs", "format",
      "ics, json, csv"),
    Refused("Transfer.Export", [.string("x")], "InvalidArgs", "fd", "h (file descriptor)"),
  ]

  static let limits = [
    Refused("Events.Add", add("uid", long(256)), "LimitsExceeded", "uid: 256"),
    Refused("Events.Add", add("uid", .string("")), "InvalidArgs", "uid"),
    Refused("Events.Add", add("summary", long(2001)), "LimitsExceeded", "summary: 2001"),
    Refused("Events.Add", add("location", long(2001)), "LimitsExceeded", "location: 2001"),
    Refused("Events.Add", add("url", long(2001)), "LimitsExceeded", "url: 2001"),
    Refused("Events.Add", add("description", long(100_001)), "LimitsExceeded", "description"),
    Refused(
      "Events.Add",
      add("rrule", .string([String](repeating: "FREQ=DAILY", count: 11).joined(separator: "\n"))),
      "LimitsExceeded", "rrule", "10"),
    Refused(
      "Events.Add", add("rdate", .strings([String](repeating: "2026-11-21", count: 1001))),
      "LimitsExceeded", "rdate", "1000"),
    Refused(
      "Events.Add", add("exdate", .strings([String](repeating: "2026-11-21", count: 1001))),
      "LimitsExceeded", "exdate"),
    Refused(
      "Events.Add", add("reminders", .strings([String](repeating: "5m", count: 21))),
      "LimitsExceeded", "reminders", "20"),
    Refused(
      "Events.Add", add("categories", .strings([String](repeating: "x", count: 51))),
      "LimitsExceeded", "categories", "50"),
    Refused(
      "Events.AddSimple",
      [.string(""), long((4 << 20) + 1)] + ["today", "", ""].map(Value.string),
      "LimitsExceeded"),
    Refused(
      "Transfer.ImportText", [long((4 << 20) + 1), .string(""), .string("")], "LimitsExceeded"),
    Refused("Agenda", [long(4 << 20), .uint32(1)], "InvalidTime", "from"),
    Refused("Events.Add", add("time-zone", long(100_000)), "InvalidTime", "time-zone"),
    Refused("Events.Add", add("rrule", long(100_000)), "InvalidRecurrence", "rrule"),
    Refused("Events.Add", add("status", long(100_000)), "InvalidArgs", "status"),
    Refused("Events.Get", [long(100_000), .string("")], "NotFound"),
    Refused("Reminders.Dismiss", [long(100_000)], "NotFound"),
    Refused("GetOccurrences", options("cursor", long(100_000)), "InvalidArgs", "cursor"),
  ]

  static let missing = [
    Refused("Events.Get", [.string("nobody"), .string("")], "NotFound", "nobody"),
    Refused("Events.Get", [.string(""), .string("")], "NotFound"),
    Refused("Events.Get", ["personal/tea", ""].map(Value.string), "NotFound", "personal", "tea"),
    Refused(
      "Events.Remove", ["personal/tea", "", ""].map(Value.string), "NotFound", "personal", "tea"),
    Refused(
      "Events.Update", ["work/standup", "", ""].map(Value.string) + [.row([])], "NotFound",
      "work/standup"),
    Refused(
      "Events.Get", [.string("weekly"), .string("20261125T080000Z")], "NotFound",
      "20261125T080000Z"),
    Refused("Events.Remove", [.string("nobody"), .string(""), .string("")], "NotFound", "nobody"),
    Refused(
      "Events.Remove", [.string("weekly"), .string("20261125T080000Z"), .string("")], "NotFound"),
    Refused(
      "Events.AddSimple", ["work", "Tea", "today", "", ""].map(Value.string), "NotFound",
      "calendar", "work"),
    Refused("GetOccurrences", options("calendars", .strings(["work"])), "NotFound", "work"),
    Refused(
      "Transfer.ImportText", [.string(""), .string("work"), .string("")], "NotFound", "work"),
    Refused(
      "Transfer.ExportText", [.string(""), .string("work"), .string("")], "NotFound", "work"),
    Refused("Reminders.Snooze", [.string("0000"), .string("5m")], "NotFound", "0000"),
    Refused("Reminders.Dismiss", [.string("")], "NotFound"),
    Refused("Events.Add", add("uid", .string("weekly")), "Conflict", "weekly"),
    Refused(
      "Transfer.ImportText", [.string("hello"), .string(""), .string("")], "ParseFailed"),
    Refused("Transfer.ImportText", [.string(""), .string(""), .string("")], "ParseFailed"),
  ]

  static let history = [
    // Nothing was undone before it, and the trash is empty.
    Refused("Events.Redo", [], "NothingToUndo", "redo"),
    Refused("Events.History", [.uint32(5001)], "LimitsExceeded", "limit: 5001"),
    Refused("Events.Trash", [.uint32(5001), .string("")], "LimitsExceeded", "limit: 5001"),
    Refused("Events.Trash", [.uint32(0), .string("1 x")], "InvalidArgs", "cursor"),
    Refused("Events.Restore", [.string("weekly")], "NotFound", "uid", "weekly"),
    Refused("Events.Restore", [.string("")], "NotFound", "uid"),
  ]

  static let all =
    history + calendarRefusals + sourceRefusals + unknown + numbers + times + rules + words + limits
    + missing
    + edits + reminderRefusals + others

  @Test func `it is refused by name with a reason, nothing changes and the agent lives on`() throws
  {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add(
      ("uid", .string("weekly")), ("summary", .string("Weekly")),
      ("start", .string("2026-11-24 09:00")), ("rrule", .string("FREQ=WEEKLY")))
    try agent.advance(to: "2026-11-21T08:20:00Z")
    let id = try agent.onlyReminder()
    agent.takeSignals()

    for call in Self.all {
      let values = call.values().map { $0 == .string("REMINDER") ? .string(id) : $0 }
      let error = try agent.refusal(of: call.member, values)
      #expect(error.name.text == call.name, "\(call): \(error)")
      for word in call.words { #expect(error.message.contains(word), "\(call): \(error)") }
      // One line that fits a log, whatever the caller sent.
      let lines = error.message.split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      #expect(lines.count == 1, "\(call): \(error)")
      #expect(error.message.utf8.count <= 600, "\(call): \(error)")

      #expect(
        try agent.summaries(from: "2026-11-21", to: "7d") == ["Standup", "Weekly"], "\(call)")
      #expect(try agent.property("Revision") == .uint64(2), "\(call)")
      #expect(agent.takeSignals().map(\.member) == [], "\(call)")
    }
  }

  @Test func `busctl and dbus-send show the error's name and message`() throws {
    let agent = try AgentUnderTest()
    let busctl = try agent.busctl("Agenda", ["su", "2026-02-30", "1"])
    #expect(busctl.status == .exited(1))
    #expect(busctl.errors.contains("2026-02-30"), "\(busctl.errors)")
    let send = try agent.dbusSend("Agenda", ["string:2026-02-30", "uint32:1"])
    #expect(send.status == .exited(1))
    #expect(send.errors.contains("org.datebook.Calendar1.Error.InvalidTime"), "\(send.errors)")
    #expect(try agent.busctl("Today", []).status == .exited(0))
  }

  @Test func `another object is refused`() throws {
    let agent = try AgentUnderTest()
    let error = try #require(throws: DBusError.self) {
      try agent.send(.call(Contract.busName, "/org/datebook/Other", Contract.calendar, "Today"))
    }
    #expect(error.name == .unknownObject)
  }
}
