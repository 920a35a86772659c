import CalendarBus
import CalendarModel
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

extension AgentUnderTest {
  /// The reminders told so far: "summary instant".
  fileprivate var told: [String] {
    signals("ReminderDue").map {
      "\($0.arguments[2].asString ?? "?") \(Timestamp(seconds: $0.arguments[4].asInteger ?? 0))"
    }
  }
}

@Suite struct `Reminders that a calendar gives` {
  @Test func `a new calendar's events ring a quarter of an hour before, and days at nine`() throws {
    let agent = try AgentUnderTest(newCalendars: .usual)
    try agent.createCalendar("Work")
    for calendar in ["", "work"] {
      _ = try agent.call(
        Contract.events, "Add",
        [
          .string(calendar),
          .row([("summary", .string("Tea \(calendar)")), ("start", .string("2026-11-21 15:00"))]),
        ])
    }
    try agent.add(("summary", .string("Trip")), ("start", .string("2026-11-22")))
    try agent.importComponents(
      component("imported", "DTSTART:20261123T150000Z", "DTEND:20261123T160000Z", "SUMMARY:Import"))
    try agent.advance(to: "2026-11-24T00:00:00Z")
    #expect(
      agent.told == [
        "Tea  2026-11-21T13:45:00Z", "Tea work 2026-11-21T13:45:00Z",
        "Trip 2026-11-22T08:00:00Z", "Import 2026-11-23T14:45:00Z",
      ])
  }

  @Test func `a time of the day is that of the clock when the clock changes, too`() throws {
    let agent = try AgentUnderTest(newCalendars: .usual)
    _ = try agent.call(
      Contract.calendars, "Update",
      [
        .string("personal"),
        .row([("all-day-reminders", .strings(["9:00", "1d 18:00", "0:30"]))]),
      ])
    for day in ["2027-03-28", "2027-03-29", "2027-10-31"] {
      try agent.add(("summary", .string(day)), ("start", .string(day)))
    }
    // 18:00 of the day before, whose night is an hour shorter.
    try agent.add(
      ("summary", .string("Timed")), ("start", .string("2027-03-28 12:00")),
      ("reminders", .strings(["1d 18:00", "9:00"])))
    try agent.advance(to: "2027-11-01T00:00:00Z")
    #expect(
      agent.told.sorted() == [
        "2027-03-28 2027-03-27T17:00:00Z", "2027-03-28 2027-03-27T23:30:00Z",
        "2027-03-28 2027-03-28T07:00:00Z", "2027-03-29 2027-03-28T16:00:00Z",
        "2027-03-29 2027-03-28T22:30:00Z", "2027-03-29 2027-03-29T07:00:00Z",
        "2027-10-31 2027-10-30T16:00:00Z", "2027-10-31 2027-10-30T22:30:00Z",
        "2027-10-31 2027-10-31T08:00:00Z", "Timed 2027-03-27T17:00:00Z",
        "Timed 2027-03-28T07:00:00Z",
      ])
  }

  @Test func `so is that of a whole day's own reminder, also after a file`() throws {
    let agent = try AgentUnderTest()
    let uid = try agent.add(
      ("uid", .string("trip")), ("summary", .string("Trip")), ("start", .string("2027-03-28")),
      ("reminders", .strings(["9:00", "1d 18:00"])), ("rrule", .string("FREQ=WEEKLY;COUNT=2")))
    func export() throws -> String {
      try agent.call(
        Contract.transfer, "ExportText",
        [.string(""), .string(""), .string(uid)])[0].asString ?? ""
    }
    let text = try export()
    #expect(text.contains("TRIGGER;X-DATEBOOK-CLOCK=TRUE:PT9H\r\n"), "\(text)")
    _ = try agent.call(Contract.events, "Remove", [.string(uid), .string(""), .string("")])
    _ = try agent.call(
      Contract.transfer, "ImportText", [.string(text), .string("personal"), .string("")])
    // What is read and given back stays as it is.
    let reminders = try #require(
      try agent.call(Contract.events, "Get", [.string(uid), .string("")])[0]["reminders"])
    _ = try agent.call(
      Contract.events, "Update",
      [.string(uid), .string(""), .string("all"), .row([("reminders", reminders)])])
    #expect(try export().contains("TRIGGER;X-DATEBOOK-CLOCK=TRUE:PT9H\r\n"))
    try agent.advance(to: "2027-04-10T00:00:00Z")
    #expect(
      agent.told.sorted() == [
        "Trip 2027-03-27T17:00:00Z", "Trip 2027-03-28T07:00:00Z", "Trip 2027-04-03T16:00:00Z",
        "Trip 2027-04-04T07:00:00Z",
      ])
  }

  @Test func `days before a whole day are at the time of the calendar, in a line, too`() throws {
    let agent = try AgentUnderTest(newCalendars: .none)
    try agent.add(
      ("summary", .string("Nine")), ("start", .string("2026-11-25")),
      ("reminders", .strings(["2d", "1 week before", "P1D"])))
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("personal"), .row([("all-day-reminders", .strings(["1d 18:00", "7:30"]))])])
    _ = try agent.call(
      Contract.events, "QuickAdd", [.string("Concert 26 Nov !2d"), .string("")])
    let uid = try agent.add(("summary", .string("Edited")), ("start", .string("2026-11-27")))
    _ = try agent.call(
      Contract.events, "Update",
      [.string(uid), .string(""), .string(""), .row([("reminders", .strings(["1d"]))])])
    // Of a timed event it is the same time.
    try agent.add(
      ("summary", .string("Timed")), ("start", .string("2026-11-27 10:00")),
      ("reminders", .strings(["2d"])))
    try agent.advance(to: "2026-11-30T00:00:00Z")
    #expect(
      agent.told.sorted() == [
        "Concert 2026-11-24T17:00:00Z", "Edited 2026-11-26T17:00:00Z",
        "Nine 2026-11-23T08:00:00Z", "Nine 2026-11-23T23:00:00Z", "Timed 2026-11-25T09:00:00Z",
      ])
  }

  @Test func `an event that is too soon for the calendar's rings at its start`() throws {
    let agent = try AgentUnderTest(newCalendars: .usual)
    let answer = try agent.call(
      Contract.events, "Add",
      [.string(""), .row([("summary", .string("Call")), ("start", .string("in 10m"))])])
    #expect(
      Row(answer[2]).texts(.warnings) == [
        "the calendar's reminder 15 min before has passed, so it rings at its start"
      ])
    let start = Row(
      try agent.call(Contract.events, "Get", [answer[0], .string("")])[0]
    ).number(.start)
    try agent.advance(to: "2026-11-22T00:00:00Z")
    #expect(agent.told == ["Call \(Timestamp(seconds: start))"])
  }

  @Test func `an event can have none, and the calendar's again`() throws {
    let agent = try AgentUnderTest(newCalendars: .usual)
    let uid = try agent.add("Tea", at: "2026-11-21 15:00", reminders: "none")
    func reminders() throws -> Value? {
      try agent.call(Contract.events, "Get", [uid, ""].map(Value.string))[0]["reminders"]
    }
    #expect(try reminders() == .strings(["none"]))
    let why = try agent.call(Contract.reminders, "Why", [uid, ""].map(Value.string))
    #expect(why[0].asArray?.map { $0["reason"] } == [.string("no-alarm")])
    func set(_ texts: [String]) throws {
      _ = try agent.call(
        Contract.events, "Update",
        [.string(uid), .string(""), .string(""), .row([("reminders", .strings(texts))])])
    }
    try set(["none"])
    #expect(try reminders() == .strings(["none"]))
    try set([])
    #expect(try reminders() == nil)
    try agent.advance(to: "2026-11-22T00:00:00Z")
    #expect(agent.told == ["Tea 2026-11-21T13:45:00Z"])
  }

  // By the calendar's it rings 15 minutes before.
  @Test(arguments: [(["10m"], ["12m"]), (["10m"], []), ([], ["20m"])])
  func `what waits goes on by what the event has in its place, and has passed`(
    before: [String], after: [String]
  ) throws {
    let agent = try AgentUnderTest(newCalendars: .usual)
    let uid = try agent.add(
      ("summary", .string("Tea")), ("start", .string("2026-11-21 15:00")),
      ("reminders", .strings(before)))
    try agent.advance(to: "2026-11-21T13:51:00Z")
    let former = try agent.onlyReminder()
    agent.takeSignals()
    _ = try agent.call(
      Contract.events, "Update",
      [.string(uid), .string(""), .string(""), .row([("reminders", .strings(after))])])
    let now = try agent.onlyReminder()
    #expect(now != former)
    try agent.settle()
    #expect(
      agent.signals("ReminderReturned").map { $0.arguments.last?["former-id"] } == [.string(former)]
    )
    try agent.advance(to: "2026-11-21T14:30:00Z")
    #expect(agent.told.isEmpty)
  }

  @Test func `so it does where a newer version comes without any, which tells where none is left`()
    throws
  {
    let agent = try AgentUnderTest(newCalendars: .usual)
    func event(_ sequence: Int, _ lines: String...) -> String {
      calendar(
        component(
          "a", "SEQUENCE:\(sequence)", "DTSTART:20261121T140000Z",
          lines.joined(separator: "\r\n")))
    }
    let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT10M\r\nEND:VALARM"
    _ = try agent.importing(event(0, alarm))
    try agent.advance(to: "2026-11-21T13:51:00Z")
    #expect(try agent.importTelling(event(1)).problems.isEmpty)
    _ = try agent.onlyReminder()
    _ = try agent.importing(event(2, alarm))
    _ = try agent.onlyReminder()
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("personal"), .row([("reminders", .strings([]))])])
    let told = try agent.importTelling(event(3))
    #expect(told.problems.map { $0.prefix(44) } == ["0:0 reminders-gone: it loses a reminder, sin"])
    #expect(
      try agent.call(Contract.reminders, "Pending", [.uint32(0), .string("")])[0].asArray == [])
  }

  @Test func `the settings say what a calendar begins with`() {
    let (read, faults) = Configuration.read(
      "[reminders]\ndefault = 10m, 1d\ndefault-all-day = -9h, 9:00\n")
    #expect(faults.isEmpty)
    #expect(
      read.newCalendars
        == DefaultReminders(
          timed: [CalendarDuration(seconds: 600), CalendarDuration(days: 1)],
          allDay: [-9, 9].map { CalendarDuration(seconds: $0 * 3600) }))
    #expect(Configuration().newCalendars == .usual)
    let (none, _) = Configuration.read("[reminders]\ndefault = none\ndefault-all-day = none\n")
    #expect(none.newCalendars == .none)
    #expect(Configuration.read("[reminders]\ndefault = 15\n").1.map(\.line) == [2])
  }
}
