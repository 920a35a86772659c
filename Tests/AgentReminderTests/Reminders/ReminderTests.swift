import CalendarBus
import CalendarStore
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// The reminders told so far: "summary due+late missed", in order.
  fileprivate var told: [String] {
    signals("ReminderDue").map { signal in
      let details = signal.arguments[5]
      let due = Timestamp(seconds: signal.arguments[4].asInteger ?? 0)
      let late = details["late"]?.asInteger ?? -1
      return "\(signal.arguments[2].asString ?? "?") \(due)"
        + (late == 0 ? "" : " +\(late)") + (details["missed"] == .boolean(true) ? " missed" : "")
    }
  }

  fileprivate func dismissals() -> [String] {
    signals("ReminderDismissed").map {
      "\($0.arguments[1].asString ?? "?") \($0.arguments[2].asString ?? "?")"
    }
  }
}

@Suite struct `Reminders on the bus` {
  @Test func `ReminderDue has every argument, at the instant and not before`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:14:59Z")
    #expect(agent.told == [])
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let signal = try #require(agent.signals("ReminderDue").first)
    #expect(signal.interface == Contract.reminders)
    #expect(
      signal.arguments == [
        .string(try agent.onlyReminder()), .string("standup"), .string("Standup"),
        .int64(1_795_249_800), .int64(1_795_248_900),
        .row([
          ("calendar", .string("personal")), ("location", .string("Room Ada")),
          ("end", .int64(1_795_253_400)), ("all-day", .boolean(false)), ("late", .uint32(0)),
          ("missed", .boolean(false)), ("snoozes", .uint32(0)), ("quiet", .boolean(false)),
          ("notified", .boolean(false)),
        ]),
      ])
    try agent.advance(to: "2026-11-22T08:15:00Z")
    #expect(agent.told.count == 1)
  }

  @Test func `a snooze until what has passed is refused, and the argument is named`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    for (member, before) in [("Snooze", [id]), ("SnoozeAll", [])] as [(MemberName, [String])] {
      let error = try agent.refusal(
        Contract.reminders, member, (before + ["2026-11-21 08:00"]).map(Value.string))
      #expect(error.name.text == CallError.Kind.invalidTime.rawValue)
      #expect(error.message.hasPrefix("until: a snooze must end in the future; "))
    }
    #expect(try agent.onlyReminder() == id)
  }

  @Test func `dbus-monitor sees the signal as a script does`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    let monitor = try Subprocess(
      "dbus-monitor", ["--session", "interface='org.datebook.Calendar1.Reminders'"],
      environment: agent.bus.environment)
    let watch = try agent.loop.watch(monitor.descriptor, for: .read) { _ in monitor.pump() }
    defer { agent.loop.cancel(watch) }
    func sees(_ text: String) -> Bool {
      String(decoding: monitor.output, as: UTF8.self).contains(text)
    }
    try agent.wait(for: "the monitor") { sees("NameAcquired") || sees("NameLost") }
    try agent.advance(to: "2026-11-21T08:15:00Z")
    try agent.wait(for: "the signal") { sees("member=ReminderDue") && sees("\"Standup\"") }
  }

  @Test func `alarms of an imported event ring, those of a series at each occurrence`() throws {
    let agent = try AgentUnderTest()
    let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT10M\r\nEND:VALARM"
    let atEnd = "BEGIN:VALARM\r\nACTION:AUDIO\r\nTRIGGER;RELATED=END:PT0S\r\nEND:VALARM"
    let absolute =
      "BEGIN:VALARM\r\nACTION:EMAIL\r\nTRIGGER;VALUE=DATE-TIME:20261121T083000Z\r\nEND:VALARM"
    _ = try agent.importing(
      calendar(
        component(
          "yoga", "DTSTART:20261121T100000Z", "DURATION:PT1H", "SUMMARY:Yoga",
          "RRULE:FREQ=DAILY;COUNT=2", alarm),
        component(
          "tea", "DTSTART:20261121T120000Z", "DURATION:PT30M", "SUMMARY:Tea", atEnd, absolute)),
      mode: "replace")
    try agent.advance(to: "2026-11-23T00:00:00Z")
    #expect(
      agent.told == [
        "Tea 2026-11-21T08:30:00Z", "Yoga 2026-11-21T09:50:00Z", "Tea 2026-11-21T12:30:00Z",
        "Yoga 2026-11-22T09:50:00Z",
      ])
    let ids = agent.signals("ReminderDue").map { $0.arguments[5]["recurrence-id"] }
    #expect(ids == [nil, .string("20261121T100000Z"), nil, .string("20261122T100000Z")])
  }

  @Test(arguments: [
    ("15m", "2026-11-21T13:45:00Z"), ("PT15M", "2026-11-21T13:45:00Z"),
    ("1h 30m", "2026-11-21T12:30:00Z"), ("-PT5M", "2026-11-21T14:05:00Z"),
    ("-5m", "2026-11-21T14:05:00Z"), ("end:-PT5M", "2026-11-21T15:05:00Z"),
    ("end:PT5M", "2026-11-21T14:55:00Z"), ("0m", "2026-11-21T14:00:00Z"),
    ("2026-11-21 12:00", "2026-11-21T11:00:00Z"),
  ])
  func `reminders given to Add ring at their instant`(text: String, instant: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.add("Tea", at: "2026-11-21 15:00", reminders: text)
    try agent.advance(to: "2026-11-22T00:00:00Z")
    #expect(agent.told == ["Tea \(instant)"])
  }

  @Test func `an event of class private or confidential is told without its words`() throws {
    let agent = try AgentUnderTest()
    for word in ["private", "confidential"] {
      _ = try agent.add(
        ("summary", .string("Doctor")), ("start", .string("2026-11-21 10:00")),
        ("location", .string("https://meet.example.org/x")), ("class", .string(word)),
        ("reminders", .strings(["5m"])))
    }
    try agent.advance(to: "2026-11-21T09:00:00Z")
    for signal in agent.signals("ReminderDue") {
      #expect(signal.arguments[2] == .string(""))
      #expect(signal.arguments[5]["location"] == nil)
      #expect(signal.arguments[5]["join-url"] == nil)
    }
    #expect(agent.signals("ReminderDue").count == 2)
    // Whoever asks is told.
    #expect(try agent.pending().map { $0["summary"] } == [.string("Doctor"), .string("Doctor")])
  }

  @Test func `a snooze is told, and comes back at its instant`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    #expect(
      try agent.call(Contract.reminders, "Snooze", [.string(id), .string("5m")])
        == [.int64(1_795_249_200)])
    #expect(
      agent.signals("ReminderSnoozed").map(\.arguments)
        == [[.string(id), .string("standup"), .int64(1_795_249_200)]])
    #expect(try agent.pending().map { $0["state"] } == [.string("snoozed")])
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T08:19:59Z")
    #expect(agent.told == [])
    try agent.advance(to: "2026-11-21T08:20:00Z")
    #expect(agent.told == ["Standup 2026-11-21T08:20:00Z"])
    #expect(agent.signals("ReminderDue")[0].arguments[5]["snoozes"] == .uint32(1))
    #expect(agent.signals("ReminderDue")[0].arguments[0] == .string(id))
  }

  @Test func `the last of two snoozes counts`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    for until in ["5m", "10m"] {
      _ = try agent.call(Contract.reminders, "Snooze", [.string(id), .string(until)])
    }
    agent.takeSignals()
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(agent.told == ["Standup 2026-11-21T08:25:00Z"])
  }

  @Test func `a dismissal is told once, and again is no error`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    for _ in 0..<2 { _ = try agent.call(Contract.reminders, "Dismiss", [.string(id)]) }
    try agent.settle()
    #expect(
      agent.signals("ReminderDismissed").map(\.arguments)
        == [[.string(id), .string("standup"), .string("user")]])
    #expect(try agent.pending() == [])
  }

  @Test func `an event that is removed takes its pending reminder along`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    _ = try agent.call(
      Contract.events, "Remove", [.string("standup"), .string(""), .string("")])
    try agent.settle()
    #expect(agent.dismissals() == ["standup event-removed"])
    #expect(try agent.pending() == [])
    #expect(
      try agent.refusal(Contract.reminders, "Snooze", [.string(id), .string("5m")]).name.text
        == CallError.Kind.notFound.rawValue)
  }

  @Test func `an event that is moved takes its pending and planned reminders along`() throws {
    let agent = try AgentUnderTest()
    let alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT10M\r\nEND:VALARM"
    for (start, sequence) in [("0815", 0), ("1200", 1), ("1400", 2)] {
      _ = try agent.importing(
        calendar(
          component(
            "tea", "DTSTART:20261121T\(start)00Z", "SUMMARY:Tea", "SEQUENCE:\(sequence)", alarm)),
        mode: "replace")
      if start == "0815" { try agent.advance(to: "2026-11-21T08:05:00Z") }
    }
    try agent.settle()
    #expect(agent.dismissals() == ["tea event-moved"])
    try agent.advance(to: "2026-11-22T00:00:00Z")
    #expect(agent.told == ["Tea 2026-11-21T08:05:00Z", "Tea 2026-11-21T13:50:00Z"])
  }

  @Test func `a cancelled event does not ring`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add(
      ("summary", .string("Tea")), ("start", .string("2026-11-21 15:00")),
      ("status", .string("cancelled")), ("reminders", .strings(["5m"])))
    try agent.advance(to: "2026-11-22T00:00:00Z")
    #expect(agent.told == [])
  }

  @Test func `pending ones are there soonest first`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.add("B", at: "2026-11-21 10:00", reminders: "5m")
    _ = try agent.add("A", at: "2026-11-21 10:30", reminders: "1h")
    try agent.advance(to: "2026-11-21T12:00:00Z")
    #expect(try agent.pending().map { $0["summary"] } == [.string("A"), .string("B")])
  }
}

@Suite struct `Reminders over a restart` {
  /// Tea at ten each day, with a reminder five minutes before it.
  private let daily = calendar(
    component(
      "tea", "DTSTART:20261101T100000Z", "DURATION:PT30M", "SUMMARY:Tea", "RRULE:FREQ=DAILY",
      "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM"))

  @Test func `what fell due while it was stopped is told at the start, as missed`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:45:00Z"))
    try agent.start()
    #expect(agent.told == ["Standup 2026-11-21T08:15:00Z +1800 missed"])
    #expect(try agent.pending().map { $0["missed"] } == [.boolean(true)])
  }

  @Test func `what an agent had told as it died, and is too old by now, is told to be over`() throws
  {
    for (instant, told, dismissals) in [
      ("2026-11-25T08:00:00Z", 0, ["standup expired"]), ("2026-11-21T08:20:00Z", 1, []),
    ] {
      let agent = try AgentUnderTest()
      try agent.addStandup()
      agent.stop()
      // It is written down first.
      let store = try openStore(agent.databasePath)
      let due = try Timestamp(text: "2026-11-21T08:15:00Z")
      #expect(try store.takeDue(through: due, limit: 10).count == 1)
      store.close()
      agent.clock.advance(to: try Timestamp(text: instant))
      try agent.start()
      #expect(agent.told.count == told)
      #expect(agent.dismissals() == dismissals)
      #expect(try agent.pending().count == told)
    }
  }

  @Test func `what was found too old alone is not told to be over`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-25T08:00:00Z"))
    try agent.start()
    #expect(agent.told == [] && agent.dismissals() == [])
  }

  @Test func `what was told is not told again, and stays pending`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    let id = try agent.onlyReminder()
    for _ in 0..<3 {
      agent.stop()
      try agent.start()
    }
    #expect(agent.told.count == 1)
    #expect(try agent.onlyReminder() == id)
    #expect(try agent.property("PendingReminders") == .uint32(1))
  }

  @Test func `a snooze goes on, and ends while it is stopped`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    _ = try agent.call(
      Contract.reminders, "Snooze", [.string(agent.onlyReminder()), .string("10m")])
    agent.stop()
    agent.takeSignals()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:20:00Z"))
    try agent.start()
    #expect(agent.told == [])
    agent.stop()
    agent.clock.advance(to: try Timestamp(text: "2026-11-21T08:30:00Z"))
    try agent.start()
    #expect(agent.told == ["Standup 2026-11-21T08:25:00Z +300 missed"])
  }

  @Test func `what was dismissed stays so`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    _ = try agent.call(Contract.reminders, "Dismiss", [.string(agent.onlyReminder())])
    agent.stop()
    agent.takeSignals()
    try agent.start()
    #expect(agent.told == [])
    #expect(try agent.pending() == [])
  }

  @Test func `what lay ahead rings as ever`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.stop()
    try agent.start()
    try agent.advance(to: "2026-11-21T08:15:00Z")
    #expect(agent.told == ["Standup 2026-11-21T08:15:00Z"])
  }

  @Test func `a clock that was ahead while it was stopped silences nothing`() throws {
    let agent = try AgentUnderTest(now: "2030-01-01T12:00:00Z")
    _ = try agent.importing(daily, mode: "replace")
    agent.stop()
    agent.clock.set(to: try Timestamp(text: "2026-11-21T12:00:00Z"))
    try agent.start()
    #expect(agent.log.contains { $0.contains("the clock was ahead") })
    try agent.advance(to: "2026-11-23T12:00:00Z")
    #expect(agent.told == ["Tea 2026-11-22T09:55:00Z", "Tea 2026-11-23T09:55:00Z"])
    // Once is enough.
    agent.stop()
    try agent.start()
    #expect(agent.log.filter { $0.contains("the clock was ahead") }.count == 1)
  }

  @Test func `a clock that is set back before anything has rung silences nothing`() throws {
    let agent = try AgentUnderTest(now: "2030-01-01T12:00:00Z")
    _ = try agent.importing(daily, mode: "replace")
    agent.clock.set(to: try Timestamp(text: "2026-11-21T12:00:00Z"))
    try agent.advance(to: "2026-11-22T12:00:00Z")
    #expect(agent.told == ["Tea 2026-11-22T09:55:00Z"])
  }

  @Test func `a clock that is set back to after the last wake silences nothing`() throws {
    let agent = try AgentUnderTest(now: "2026-11-21T06:00:00Z")
    agent.clock.set(to: try Timestamp(text: "2026-11-21T08:00:00Z"))
    try agent.settle()
    // Nothing is armed: time passes without a wake.
    agent.clock.arm(at: nil)
    try agent.advance(to: "2026-11-21T12:00:00Z")
    _ = try agent.importing(daily, mode: "replace")
    agent.clock.set(to: try Timestamp(text: "2026-11-21T09:00:00Z"))
    try agent.advance(to: "2026-11-21T10:00:00Z")
    #expect(agent.told == ["Tea 2026-11-21T09:55:00Z"])
  }

  @Test func `what a clock years ahead found too old rings at its true time`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.clock.set(to: try Timestamp(text: "2030-01-01T00:00:00Z"))
    try agent.settle()
    #expect(agent.told == [])
    agent.clock.set(to: try Timestamp(text: "2026-11-21T08:00:00Z"))
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(agent.told == ["Standup 2026-11-21T08:15:00Z"])
  }

  @Test func `a clock that jumps tells what it passed, and not twice when it is set back`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    agent.clock.set(to: try Timestamp(text: "2026-11-21T08:16:40Z"))
    try agent.settle()
    #expect(agent.told == ["Standup 2026-11-21T08:15:00Z +100 missed"])
    agent.clock.set(to: try Timestamp(text: "2026-11-21T08:00:00Z"))
    try agent.advance(to: "2026-11-21T09:00:00Z")
    #expect(agent.told.count == 1)
  }
}
