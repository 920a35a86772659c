import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// The rows of Why: "state due at reason", each left out where it is not there; the
  /// instants as minutes after 2026-11-21T00:00:00Z.
  fileprivate func why(_ uid: String, _ recurrenceID: String = "") throws -> [String] {
    let rows =
      try call(Contract.reminders, "Why", [.string(uid), .string(recurrenceID)])[0].asArray ?? []
    func minutes(_ value: Value?) -> String? {
      value?.asInteger.map { String(($0 - 1_795_219_200) / 60) }
    }
    return rows.map { row in
      [
        row["state"]?.asString, minutes(row["due"]), minutes(row["at"]).map { "at " + $0 },
        row["reason"]?.asString,
      ].compactMap(\.self).joined(separator: " ")
    }
  }
}

extension AgentUnderTest {
  fileprivate func hiddenSince(_ uid: String) throws -> [Value?] {
    let rows = try call(Contract.reminders, "Why", [.string(uid), .string("")])[0].asArray ?? []
    return rows.map { $0["since"] }
  }
}

@Suite struct `Why an event rings or does not` {
  @Test func `what is to come is planned, and each step of what came has its moment`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    #expect(try agent.why("standup") == ["planned 495"])
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(try agent.why("standup") == ["due 495 at 495", "delivered 495 at 495"])
    let id = try agent.onlyReminder()
    try agent.advance(to: "2026-11-21T08:16:00Z")
    _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("4m")])
    #expect(try agent.why("standup").last == "snoozed 500 at 496")
    try agent.advance(to: "2026-11-21T08:21:00Z")
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(id)])
    #expect(
      try agent.why("standup") == [
        "due 495 at 495", "delivered 495 at 495", "snoozed 500 at 496", "due 495 at 500",
        "delivered 495 at 500", "acknowledged 495 at 501",
      ])
    // Somebody wants to be told once more after all.
    _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("1m")])
    #expect(
      try agent.why("standup").suffix(2) == ["acknowledged 495 at 501", "snoozed 502 at 501"])
  }

  /// Source: RFC 9074 section 7.
  @Test(arguments: [
    ("", "snooze-past"), ("ACKNOWLEDGED:20261121T075000Z", "acknowledged"),
    // Of another alarm it says nothing.
    ("RELATED-TO;RELTYPE=SNOOZE:a2", "acknowledged"),
  ])
  func `a snooze of another program that had passed before is told as that`(
    line: String, reason: String
  ) throws {
    let agent = try AgentUnderTest()
    let related = line.hasPrefix("RELATED") ? line : "RELATED-TO;RELTYPE=SNOOZE:a1"
    try agent.importComponents(
      component(
        "tea", "DTSTART:20261121T073000Z", "BEGIN:VALARM", "UID:a1", "ACTION:DISPLAY",
        "TRIGGER:-PT15M", "ACKNOWLEDGED:20261121T071600Z", "END:VALARM", "BEGIN:VALARM", "UID:s1",
        related, "ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:20261121T074500Z",
        line.hasPrefix("ACK") ? line : "DESCRIPTION:x", "END:VALARM"))
    #expect(try agent.why("tea") == ["silent " + reason])
  }

  @Test func `after a flight it is not said that the event was moved`() throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("uid", .string("pills")), ("summary", .string("Pills")),
      ("start", .string("2026-11-21 09:30")), ("time-zone", .string("floating")),
      ("rrule", .string("FREQ=DAILY")), ("reminders", .strings(["15m"])))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.setZone("America/New_York")
    try agent.wait(for: "the zone") { !agent.signals("ClockChanged").isEmpty }
    try agent.advance(to: "2026-11-21T15:00:00Z")
    let story = try agent.why("pills", "20261121T093000")
    #expect(
      story == ["due 495 at 495", "delivered 495 at 495", "closed 855 at 495 zone-changed"])
    #expect(agent.signals("ReminderDue").count == 1)
    // An edit is one.
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("pills"), .string(""), .string("all"),
        .row([("start", .string("2026-11-25 09:30"))]),
      ])
    let edited = try agent.why("pills")
    #expect(edited.contains("closed 495 at 900 event-moved"), "\(edited)")
  }

  @Test func `a reminder has a story of its own, also once it is over`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(id)])
    let story = ["due 495 at 495", "delivered 495 at 495", "acknowledged 495 at 495"]
    #expect(try agent.why(id) == story)
    _ = try agent.call(Contract.events, "Remove", [.string("standup"), .string(""), .string("")])
    #expect(try agent.why(id) == story)
    #expect(throws: (any Error).self) { try agent.why(id, "20261122") }
    #expect(throws: (any Error).self) { try agent.why("0123456789abcdef") }
    // The beginning of it does as well.
    #expect(try agent.why(String(id.prefix(4))) == story)
    for text in [String(id.prefix(3)), String(id.prefix(4)) + "%", id + "0"] {
      #expect(throws: (any Error).self) { try agent.why(text) }
    }
  }

  @Test
  func `of an event that was removed it is said that it is gone, and whether it is in the trash`()
    throws
  {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.add(
      ("uid", .string("tea")), ("summary", .string("Tea")), ("start", .string("2026-11-21 11:00")))
    try agent.advance(to: "2026-11-21T08:15:00Z")
    for uid in ["standup", "tea"] {
      _ = try agent.call(Contract.events, "Remove", [uid, "", ""].map(Value.string))
    }
    #expect(
      try agent.why("standup") == [
        "due 495 at 495", "delivered 495 at 495", "closed 495 at 495 event-removed",
        "gone at 495 in-trash",
      ])
    // Also of one that has never rung.
    #expect(try agent.why("tea") == ["gone at 495 in-trash"])
    _ = try agent.call(Contract.events, "Restore", [.string("tea")])
    #expect(try agent.why("tea").contains { $0.hasPrefix("gone") } == false)
    // After 30 days it is gone for good.
    for day in 22...30 { try agent.advance(to: "2026-11-\(day)T08:00:00Z") }
    for day in 1...25 {
      try agent.advance(to: "2026-12-\(day < 10 ? "0" : "")\(day)T08:00:00Z")
    }
    #expect(try agent.why("standup").last == "gone")
  }

  @Test func `one that has moved to another calendar is not gone`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    _ = try agent.call(
      Contract.events, "Move", [.strings(["standup"]), .string("work")])
    #expect(try agent.why("standup").contains { $0.hasPrefix("gone") } == false)
  }

  @Test func `one that another calendar has as well has not moved there`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    try agent.addStandup()
    let text = try agent.exportedText()
    _ = try agent.importing(text, into: "work")
    try agent.advance(to: "2026-11-21T08:15:00Z")
    // The import goes, and what had rung of it.
    _ = try agent.call(Contract.events, "Undo")
    let rows =
      try agent.call(
        Contract.reminders, "Why", [.string("standup"), .string("")])[0].asArray ?? []
    #expect(rows.contains { $0["reason"]?.asString == "event-removed" })
    #expect(!rows.contains { $0["in-calendar"] != nil })
  }

  @Test func `steps of one second come in the order in which they were made`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    for length in ["4m", "5m"] {
      _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string(length)])
    }
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(id)])
    let steps = [
      "due 495 at 495", "delivered 495 at 495", "snoozed 499 at 495", "snoozed 500 at 495",
      "acknowledged 495 at 495",
    ]
    #expect(try agent.why("standup") == steps)
    // One that was dismissed may be put off all the same.
    _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string("6m")])
    #expect(try agent.why("standup") == steps + ["snoozed 501 at 495"])
  }

  @Test func `a far occurrence of what happens each hour will ring`() throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("uid", .string("pills")), ("summary", .string("Pills")),
      ("start", .string("2026-11-21 10:00")), ("rrule", .string("FREQ=HOURLY")),
      ("reminders", .strings(["15m", "1d"])))
    let minutes = (try Timestamp(text: "2031-06-01T09:00:00Z").seconds - 1_795_219_200) / 60
    #expect(
      try agent.why("pills", "20310601T090000Z") == [
        "planned \(minutes - 1440)", "planned \(minutes - 15)",
      ])
  }

  @Test func `a name that two calendars have is told of one after the other`() throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    for (calendar, start) in [("", "2026-11-21 09:30"), ("work", "2026-11-21 09:45")] {
      _ = try agent.call(
        Contract.events, "Add",
        [
          .string(calendar),
          .row([
            ("uid", .string("a")), ("summary", .string("A")), ("start", .string(start)),
            ("reminders", .strings(["5m", "1m"])),
          ]),
        ])
    }
    try agent.advance(to: "2026-11-21T08:41:00Z")
    let rows =
      try agent.call(Contract.reminders, "Why", ["a", ""].map(Value.string))[0].asArray ?? []
    let told = rows.map { "\($0["calendar"]?.asString ?? "") \($0["state"]?.asString ?? "")" }
    #expect(
      told == [
        "personal due", "personal delivered", "personal due", "personal delivered", "work due",
        "work delivered", "work planned",
      ])
  }

  @Test func `of a series the last that rang and the next ten, of one occurrence its own`() throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("uid", .string("yoga")), ("summary", .string("Yoga")),
      ("start", .string("2026-11-21 10:00")), ("rrule", .string("FREQ=DAILY;COUNT=30")),
      ("reminders", .strings(["15m"])))
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(try agent.why("yoga").count == 12)
    #expect(
      try agent.why("yoga", "20261121T090000Z") == ["due 525 at 525", "delivered 525 at 525"])
    #expect(try agent.why("yoga", "20261215T090000Z") == ["planned \(24 * 1440 + 525)"])
    let gone = try agent.refusal(
      Contract.reminders, "Why", ["yoga", "20261121T100000Z"].map(Value.string))
    #expect(gone.name.text.hasSuffix("NotFound"))
  }

  @Test func `of a series it is said which occurrence to come is cancelled`() throws {
    let agent = try AgentUnderTest()
    try agent.add(
      ("uid", .string("yoga")), ("summary", .string("Yoga")),
      ("start", .string("2026-11-21 10:00")), ("rrule", .string("FREQ=DAILY;COUNT=4")),
      ("reminders", .strings(["15m"])))
    for day in ["21", "22", "24"] {
      _ = try agent.call(
        Contract.events, "SetField",
        [
          .string("yoga"), .string("202611\(day)T090000Z"), .string("this"), .string("status"),
          .variant(.string("cancelled")),
        ])
    }
    func cancelled() throws -> [String?] {
      let rows = try agent.call(Contract.reminders, "Why", ["yoga", ""].map(Value.string))
      return (rows[0].asArray ?? []).filter { $0["reason"] == .string("cancelled") }.map {
        $0["recurrence-id"]?.asString
      }
    }
    // The last one lies after all that is planned.
    #expect(
      try agent.why("yoga") == [
        "silent cancelled", "silent cancelled", "planned \(2 * 1440 + 525)",
      ])
    #expect(try cancelled() == ["20261121T090000Z", "20261122T090000Z"])
    #expect(try agent.why("yoga", "20261122T090000Z") == ["silent cancelled"])
    // Where nothing else is to come, it is the reason.
    try agent.advance(to: "2026-11-23T12:00:00Z")
    let told = ["due", "delivered"].map { "\($0) \(2 * 1440 + 525) at \(2 * 1440 + 525)" }
    #expect(try agent.why("yoga") == told + ["silent cancelled"])
    #expect(try cancelled() == ["20261124T090000Z"])
    try agent.advance(to: "2026-11-24T12:00:00Z")
    #expect(try agent.why("yoga") == told)
  }

  @Test func `of many that are cancelled ten are named, the rest are counted`() throws {
    let agent = try AgentUnderTest()
    let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM"
    /// Each day at 9:00 UTC, of which the first so many are cancelled.
    func importYoga(_ uid: String, count: Int, cancelled: Int) throws {
      let days = (0..<cancelled).map { 20_261_121 + ($0 < 10 ? $0 : $0 + 70) }
      try agent.importComponents(
        component(uid, "DTSTART:20261121T090000Z", "RRULE:FREQ=DAILY;COUNT=\(count)", alarm)
          + days.map {
            component(
              uid, "RECURRENCE-ID:\($0)T090000Z", "DTSTART:\($0)T090000Z", "STATUS:CANCELLED", alarm
            )
          }.joined())
    }
    func more(_ uid: String) throws -> [Value?] {
      let rows = try agent.call(Contract.reminders, "Why", [uid, ""].map(Value.string))
      return (rows[0].asArray ?? []).map { $0["more"] }
    }
    try importYoga("some", count: 15, cancelled: 14)
    #expect(
      try agent.why("some") == Array(repeating: "silent cancelled", count: 10)
        + ["planned \(14 * 1440 + 525)"])
    #expect(try more("some") == Array(repeating: nil, count: 9) + [.uint32(4), nil])
    try importYoga("all", count: 14, cancelled: 14)
    #expect(try agent.why("all") == Array(repeating: "silent cancelled", count: 10))
    #expect(try more("all").last == .uint32(4))
    try importYoga("ten", count: 11, cancelled: 10)
    #expect(try more("ten") == Array(repeating: nil, count: 11))
  }

  @Test func `what never rings has its reason`() throws {
    let agent = try AgentUnderTest()
    func add(_ uid: String, _ pairs: (String, Value)...) throws {
      _ = try agent.call(
        Contract.events, "Add",
        [
          .string(""),
          .row([("uid", .string(uid)), ("summary", .string(uid))] + pairs),
        ])
    }
    try add("plain", ("start", .string("2026-11-21 15:00")))
    try add(
      "over", ("start", .string("2026-11-20 15:00")), ("reminders", .strings(["15m"])))
    try add(
      "off", ("start", .string("2026-11-22 15:00")), ("status", .string("cancelled")),
      ("reminders", .strings(["15m"])))
    let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM"
    // The import warns of the dense one.
    let text = calendar(
      component("dense", "DTSTART:20261121T150000Z", "RRULE:FREQ=SECONDLY", alarm),
      toDo("chore", "DUE:20261122T150000Z", "STATUS:COMPLETED", alarm))
    _ = try agent.call(Contract.transfer, "ImportText", [text, "", ""].map(Value.string))
    #expect(try agent.why("plain") == ["silent no-alarm"])
    #expect(try agent.why("over") == ["silent past"])
    #expect(try agent.why("off") == ["silent cancelled"])
    #expect(try agent.why("dense") == ["silent too-dense"])
    #expect(try agent.why("chore") == ["silent completed"])
  }

  @Test func `a hidden calendar does not ring, and the ledger says so`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    func show(_ flag: Bool) throws {
      _ = try agent.call(
        Contract.calendars, "SetVisible", [.string("personal"), .boolean(flag)])
    }
    try show(false)
    #expect(try agent.why("standup") == ["silent 495 calendar-hidden"])
    try agent.advance(to: "2026-11-21T08:20:00Z")
    #expect(agent.signals("ReminderDue").isEmpty)
    #expect(try agent.pending().isEmpty)
    #expect(try agent.why("standup") == ["closed 495 at 495 calendar-hidden"])
    #expect(try agent.hiddenSince("standup") == [.int64(1_795_248_000)])
    // Shown again, what has passed stays past, and what comes rings.
    try show(true)
    #expect(try agent.hiddenSince("standup") == [nil])
    _ = try agent.add("Tea", at: "2026-11-21 15:00", reminders: "15m")
    try agent.advance(to: "2026-11-21T15:00:00Z")
    #expect(agent.signals("ReminderDue").map { $0.arguments[2] } == [.string("Tea")])
  }

  @Test func `an invitation that its owner declined does not ring, whatever others say`() throws {
    let agent = try AgentUnderTest(addresses: ["ana@example.org"])
    let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM"
    func meeting(_ uid: String, _ ana: String) -> String {
      component(
        uid, "DTSTART:20261121T150000Z", "SUMMARY:\(uid)",
        "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.org",
        "ATTENDEE;PARTSTAT=\(ana):mailto:Ana@example.org", alarm)
    }
    try agent.importComponents(meeting("no", "DECLINED"), meeting("yes", "ACCEPTED"))
    #expect(try agent.why("no") == ["silent 885 declined"])
    try agent.advance(to: "2026-11-21T15:00:00Z")
    #expect(agent.signals("ReminderDue").map { $0.arguments[1] } == [.string("yes")])
    #expect(try agent.why("no") == ["closed 885 at 885 declined"])
  }

  @Test(arguments: [[], ["ana@example.org"]])
  func `that all guests declined silences an event only where nobody knows who its owner is`(
    addresses: [String]
  ) throws {
    let agent = try AgentUnderTest(addresses: addresses)
    try agent.importComponents(
      component(
        "meeting", "DTSTART:20261121T150000Z", "SUMMARY:Board",
        "ATTENDEE;PARTSTAT=DECLINED:mailto:bo@example.org",
        "ATTENDEE;PARTSTAT=DECLINED:mailto:cy@example.org",
        "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM"))
    let rows = try agent.call(Contract.reminders, "Why", ["meeting", ""].map(Value.string))
    let isGuessed: Value? = addresses.isEmpty ? .boolean(true) : nil
    #expect((rows[0].asArray ?? []).map { $0["by-all-guests"] } == [isGuessed])
    try agent.advance(to: "2026-11-21T15:00:00Z")
    #expect(
      agent.signals("ReminderDue").map { $0.arguments[1] }
        == (addresses.isEmpty ? [] : [.string("meeting")]))
  }

  @Test func `what falls into quiet time is planned, and says so`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    func quiet() throws -> [Value?] {
      let rows = try agent.call(Contract.reminders, "Why", ["standup", ""].map(Value.string))
      return (rows[0].asArray ?? []).map { $0["quiet"] }
    }
    #expect(try quiet() == [nil])
    _ = try agent.call(Contract.calendar, "SetQuiet", [.string("2h")])
    #expect(try quiet() == [.boolean(true)])
    #expect(try agent.why("standup") == ["planned 495"])
    _ = try agent.call(Contract.calendar, "SetQuiet", [.string("5m")])
    #expect(try quiet() == [nil])
  }

  @Test func `what was told in quiet time and waits for its end says so until then`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    _ = try agent.call(Contract.calendar, "SetQuiet", [.string("2h")])
    try agent.advance(to: "2026-11-21T08:15:00Z")
    func quiet() throws -> [Value?] {
      let rows = try agent.call(Contract.reminders, "Why", ["standup", ""].map(Value.string))
      return (rows[0].asArray ?? []).map { $0["quiet"] }
    }
    #expect(try quiet() == [nil, .boolean(true)])
    let id = try agent.onlyReminder()
    let rows = try agent.call(Contract.reminders, "Why", [id, ""].map(Value.string))
    #expect(rows[0].asArray?.last?["quiet"] == .boolean(true))
    _ = try agent.call(Contract.calendar, "SetQuiet", [.string("off")])
    #expect(try quiet() == [nil, nil])
  }
}
