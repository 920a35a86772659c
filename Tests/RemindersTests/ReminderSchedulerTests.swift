import CalendarModel
import CivilTime
import Reminders
import TestSupport
import Testing

/// Draws what happens when, and checks what comes out; see ``Timeline``.
private func expect(
  _ plan: String, _ drawing: String, policy: CatchUpPolicy = CatchUpPolicy(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let timeline = Timeline(plan, policy: policy)
  #expect(timeline.run(drawing) == Timeline.normal(drawing), sourceLocation: sourceLocation)
}

@Suite struct `Reminders in time` {
  @Test func `each is told at its instant, and only then`() {
    expect(
      "a 09:00, b 09:30, c 09:30",
      """
      08:00 | start |
      08:59 |       |
      09:00 |       | tell a; pending 1
      09:29 | look  |
      09:30 |       | tell b; tell c; pending 3
      23:00 | look  |
      """)
  }

  @Test func `one that is planned while the agent runs is told`() {
    expect(
      "a 09:00",
      """
      08:00 | start        |
      08:10 | plan b 08:30 |
      09:00 |              | at 08:30 tell b; at 08:30 pending 1; tell a; pending 2
      09:05 | plan c 09:04 |
      09:06 |              | at 09:05 tell c 60 late missed; at 09:05 pending 3
      """)
  }

  @Test func `a key that was told is not told again when it is planned anew`() {
    expect(
      "a 09:00",
      """
      08:00 | start        |
      09:00 |              | tell a; pending 1
      09:01 | plan a 09:00 |
      09:02 | dismiss a    | withdraw a user; pending 0
      09:03 | plan a 09:00 |
      """)
  }

  @Test func `without reminders there is nothing to wake for`() {
    let timeline = Timeline("")
    _ = timeline.run("08:00 | start |")
    #expect(timeline.scheduler?.nextWake == nil)
    #expect(timeline.clock.armed == nil)
    let calls = timeline.ledger.calls
    _ = timeline.run("20:00 | |")
    #expect(timeline.ledger.calls == calls)
  }

  @Test func `ten thousand at one instant are all told, in order`() {
    let timeline = Timeline("")
    for number in 10_000..<20_000 {
      timeline.ledger.plan.append(.sample("r\(number)", due: Timeline.instant("09:00")))
    }
    let rows = timeline.run("08:00 | start |\n09:00 | |\n")
    let told = rows.split(separator: ";").filter { $0.contains("signal") }
      .compactMap { $0.split(separator: " ").last.map(String.init) }
    #expect(told == (10_000..<20_000).map { "r\($0)" })
    #expect(timeline.scheduler?.pending.count == 10_000)
  }
}

@Suite struct `Missed reminders` {
  @Test func `what fell due while the agent was stopped is told at the start, with how late`() {
    expect(
      "a 09:00, b 09:10, c 11:00",
      """
      08:00 | start |
      08:30 | stop  |
      09:20 | start | tell a 1200 late missed; tell b 600 late missed; pending 2
      11:00 |       | tell c; pending 3
      """)
  }

  @Test func `what fell into a suspend is told at once after it`() {
    expect(
      "a 09:00",
      """
      08:00 | start |
      10:00 | jump  | tell a 3600 late missed; pending 1
      """)
  }

  @Test func `a few seconds late is not missed`() {
    expect(
      "a 09:00",
      """
      08:00    | start |
      09:00:05 | jump  | tell a 5 late; pending 1
      """)
  }

  @Test func `a clock that is set back tells nothing twice`() {
    expect(
      "a 09:00, b 09:30",
      """
      08:00 | start |
      09:00 |       | tell a; pending 1
      08:30 | jump  |
      09:10 |       |
      09:30 |       | tell b; pending 2
      """)
  }

  @Test func `more than five at once are signalled each and shown as one`() {
    expect(
      "a 09:00, b 09:01, c 09:02, d 09:03, e 09:04, f 09:05",
      """
      08:00 | start |
      09:05 | jump  | signal a 300 late missed; signal b 240 late missed; signal c 180 late missed; signal d 120 late missed; signal e 60 late missed; signal f; digest a b c d e f; pending 6
      """)
  }

  @Test func `five at once are shown one by one`() {
    expect(
      "a 09:00, b 09:00, c 09:00, d 09:00, e 09:00",
      """
      08:00 | start |
      09:00 |       | tell a; tell b; tell c; tell d; tell e; pending 5
      """)
  }

  @Test func `what is too old is in the ledger as missed, and counted`() throws {
    let timeline = Timeline("a 09:00, b 3/12:00")
    let drawing = """
      08:00   | start |
      08:30   | stop  |
      3/13:00 | start | tell b 3600 late missed; digest +1; pending 1
      3/14:00 | stop  |
      3/15:00 | start | again b; pending 1
      """
    #expect(timeline.run(drawing) == Timeline.normal(drawing))
    let old = try #require(timeline.ledger.rows[timeline.id("a")])
    #expect(old.state == .closed(.missed))
    #expect(old.isMissed)
  }

  @Test func `what was too old is counted until a notification of it has come up`() {
    expect(
      "a 09:00",
      """
      08:00   | start    |
      08:30   | stop     |
      08:31   | dark     |
      3/13:00 | start    | digest +1
      3/14:00 | stop     |
      4/13:00 | start    | digest +1
      4/13:01 | notifier | digest +1
      4/13:02 | notifier |
      4/13:03 | stop     |
      5/13:00 | start    |
      """)
  }

  @Test func `one that was missed in quiet time is counted at its end, also by the next agent`() {
    expect(
      "a 09:00",
      """
      08:00   | start        |
      08:30   | stop         |
      3/13:00 | quiet 8/8:00 |
      3/13:01 | start        |
      3/14:00 | stop         |
      4/13:00 | start        |
      4/14:00 | loud         | digest +1
      """)
  }

  @Test func `a month away is one digest`() {
    expect(
      "a 2/09:00, b 3/09:00, c 4/09:00, d 28/09:00, e 29/09:00, f 30/09:00",
      """
      08:00    | start |
      08:30    | stop  |
      30/10:00 | start | signal f 3600 late missed; digest f +5; pending 1
      """)
  }
}

@Suite struct `How old a reminder may be` {
  private let policy = CatchUpPolicy()
  private let due = Timeline.instant("09:00")

  private func isTooOld(_ reminder: Reminder, afterHours hours: Int64) -> Bool {
    policy.isTooOld(reminder, at: due.adding(seconds: hours * 3600))
  }

  @Test func `one of a short event is told for a day`() {
    let reminder = Reminder.sample("a", due: due)
    #expect(!isTooOld(reminder, afterHours: 24))
    #expect(isTooOld(reminder, afterHours: 25))
  }

  @Test func `one of a long event is told until its end`() {
    let reminder = Reminder(
      key: Reminder.sample("a", due: due).key, summary: "a", location: "", joinURL: "",
      span: TimeSpan(start: due, end: due.adding(seconds: 100 * 3600)), isAllDay: false,
      isPrivate: false, state: .due, due: due, snoozes: 0, isMissed: false)
    #expect(!isTooOld(reminder, afterHours: 100))
    #expect(isTooOld(reminder, afterHours: 101))
  }

  @Test func `one of an all-day event is told until three days after it`() {
    let reminder = Reminder.sample("a", due: due, isAllDay: true)
    #expect(!isTooOld(reminder, afterHours: 96))
    #expect(isTooOld(reminder, afterHours: 97))
  }

  @Test func `a calendar can say how late it is told, whatever the event is`() {
    let reminder = Reminder.sample("a", due: due, isAllDay: true)
    func isTooOld(_ telling: MissedReminderPolicy, afterSeconds seconds: Int64) -> Bool {
      CatchUpPolicy(missedReminderPolicy: [reminder.key.calendar: telling])
        .isTooOld(reminder, at: due.adding(seconds: seconds))
    }
    let twoHours = MissedReminderPolicy.within(CalendarDuration(seconds: 7200))
    #expect(!isTooOld(twoHours, afterSeconds: 7200))
    #expect(isTooOld(twoHours, afterSeconds: 7201))
    #expect(!isTooOld(.within(CalendarDuration(days: 7)), afterSeconds: 7 * 86_400))
    #expect(isTooOld(.within(CalendarDuration(days: 7)), afterSeconds: 7 * 86_400 + 1))
    #expect(!isTooOld(.always, afterSeconds: 366 * 86_400))
    // What is told in time is not too old, however little is allowed.
    #expect(!isTooOld(.within(CalendarDuration(seconds: 1)), afterSeconds: 30))
  }

  @Test func `one that was snoozed never is`() {
    var reminder = Reminder.sample("a", due: due)
    reminder.snoozes = 1
    #expect(!isTooOld(reminder, afterHours: 10_000))
  }
}

@Suite struct `Answers to reminders` {
  @Test func `a snoozed reminder comes back, and is told as often as it is snoozed`() {
    expect(
      "a 09:00",
      """
      08:00 | start          |
      09:00 |                | tell a; pending 1
      09:01 | snooze a 09:11 | snoozed a until 09:11
      09:10 |                |
      09:11 |                | tell a
      09:12 | snooze a 10:00 | snoozed a until 10:00
      09:13 | snooze a 09:30 | snoozed a until 09:30
      09:30 |                | tell a
      10:00 |                |
      """)
  }

  @Test func `a snooze does not swallow the next reminder of the event`() {
    expect(
      "a 09:00, a 09:10",
      """
      08:00 | start          |
      09:00 |                | tell a; pending 1
      09:01 | snooze a 09:20 | snoozed a until 09:20
      09:10 |                | tell a; pending 2
      09:20 |                | tell a
      """)
  }

  @Test func `what one event would ring twice at a moment is told once`() {
    // Of two that were put off to one moment the one that is nearer to the start.
    expect(
      "a 09:00, b 09:10 of a, c 09:10",
      """
      08:00 | start            |
      09:10 |                  | at 09:00 tell a; at 09:00 pending 1; tell b; tell c; pending 3
      09:11 | snooze all 09:20 | snoozed a until 09:20; snoozed b until 09:20; snoozed c until 09:20
      09:20 |                  | withdraw a told-with-another; tell b; tell c; pending 2
      09:30 | snooze a 09:40   | snoozed a until 09:40; pending 3
      09:40 |                  | tell a
      """)
    // One that was put off to where another one rings; a moment later it is told beside it.
    for (end, told) in [
      ("09:10", "withdraw a told-with-another; tell b"), ("09:10:01", "tell b; pending 2"),
    ] {
      expect(
        "a 09:00, b 09:10 of a",
        """
        08:00    | start         |
        09:00    |               | tell a; pending 1
        09:01    | snooze a \(end) | snoozed a until \(end)
        09:10    |               | \(told)
        09:10:01 |               | \(end == "09:10" ? "" : "tell a")
        """)
    }
  }

  @Test func `what was put off is told where what rings with it is too old for that`() {
    expect(
      "a 09:00, b 09:10 of a",
      """
      08:00   | start          |
      09:00   |                | tell a; pending 1
      09:01   | snooze a 09:10 | snoozed a until 09:10
      09:02   | stop           |
      3/12:00 | start          | tell a 183000 late missed; digest +1; pending 1
      """)
  }

  @Test func `a snooze survives a restart, and its end while stopped is told`() {
    expect(
      "a 09:00, b 09:00",
      """
      08:00   | start          |
      09:00   |                | tell a; tell b; pending 2
      09:01   | snooze a 09:20 | snoozed a until 09:20
      09:02   | snooze b 11:00 | snoozed b until 11:00
      09:03   | stop           |
      09:30   | start          | tell a 600 late missed; pending 2
      11:00   |                | tell b
      11:01   | snooze b 12:00 | snoozed b until 12:00
      11:02   | stop           |
      30/12:00 | start         | again a; tell b 2505600 late missed; pending 2
      """)
  }

  @Test func `an acknowledged reminder is over, and may be dismissed again`() {
    expect(
      "a 09:00",
      """
      08:00 | start     |
      09:00 |           | tell a; pending 1
      09:01 | dismiss a | withdraw a user; pending 0
      09:02 | dismiss a |
      09:03 | stop      |
      09:04 | start     |
      """)
  }

  @Test func `an acknowledged reminder may still be snoozed`() {
    expect(
      "a 09:00",
      """
      08:00 | start          |
      09:00 |                | tell a; pending 1
      09:01 | dismiss a      | withdraw a user; pending 0
      09:02 | snooze a 09:10 | snoozed a until 09:10; pending 1
      09:10 |                | tell a
      """)
  }

  @Test func `an unknown reminder, and a snooze into the past, are refused`() {
    expect(
      "a 09:00",
      """
      08:00 | start          |
      08:01 | dismiss x      | refused
      08:02 | snooze x 09:00 | refused
      09:00 |                | tell a; pending 1
      09:01 | snooze a 09:01 | refused
      09:02 | snooze a 08:00 | refused
      """)
  }

  @Test func `all can be answered at once`() {
    expect(
      "a 09:00, b 09:00, c 09:00",
      """
      08:00 | start            |
      09:00 |                  | tell a; tell b; tell c; pending 3
      09:01 | snooze a 09:30   | snoozed a until 09:30
      09:02 | snooze all 10:00 | snoozed b until 10:00; snoozed c until 10:00
      09:03 | dismiss all      | withdraw a user; withdraw b user; withdraw c user; pending 0
      10:00 |                  |
      """)
  }

  @Test func `what an edit closes is withdrawn, with the reason, and cannot be snoozed`() {
    expect(
      "a 09:00, b 09:00, c 09:00",
      """
      08:00 | start                 |
      09:00 |                       | tell a; tell b; tell c; pending 3
      09:01 | close a event-moved   | pending 2; withdraw a event-moved
      09:02 | close b event-removed | pending 1; withdraw b event-removed
      09:03 | close c acknowledged  | pending 0; withdraw c other-client
      09:04 | close c acknowledged  |
      09:05 | snooze a 10:00        | refused
      09:06 | dismiss a             |
      """)
  }

  @Test func `what a wrong clock made due is withdrawn, and due again when its time comes`() {
    expect(
      "a 09:00, b 09:00, c 08:10",
      """
      08:00 | start          |
      08:10 |                | tell c; pending 1
      08:11 | snooze c 09:00 | snoozed c until 09:00
      08:12 | jump           |
      09:30 | jump           | tell a 1800 late missed; tell b 1800 late missed; tell c 1800 late missed; pending 3
      09:31 | dismiss b      | withdraw b user; pending 2
      08:13 | jump           |
      08:13 | early a 09:00  | withdraw a early; pending 1
      08:13 | early c        | snoozed c until 09:00
      09:00 |                | tell a; tell c; pending 2
      """)
  }

  @Test func `one that waits for the end of a quiet time is forgotten, too`() {
    expect(
      "a 09:00",
      """
      08:00 | start         |
      08:01 | quiet 10:00   |
      09:30 | jump          | quiet a 1800 late missed; pending 1
      08:13 | jump          |
      08:14 | early a 09:00 | withdraw a early; pending 0
      09:00 |               | quiet a; pending 1
      10:00 |               | again a new
      """)
  }

  @Test func `a sink may answer in the middle of a telling`() throws {
    let timeline = Timeline("a 09:00, b 09:00")
    timeline.onTell = { [unowned timeline] reminder in
      guard reminder.summary == "a" else { return }
      try? timeline.scheduler?.dismiss(id: timeline.id("a"))
      try? timeline.scheduler?.dismiss(id: timeline.id("b"))
      timeline.scheduler?.look()
    }
    let drawing = """
      08:00 | start |
      09:00 |       | tell a; withdraw a user; withdraw b user
      """
    #expect(timeline.run(drawing) == Timeline.normal(drawing))
    #expect(timeline.ledger.rows.values.allSatisfy { $0.state == .acknowledged })
  }

  @Test func `what nobody acknowledged is shown again after a restart, without a signal`() {
    expect(
      "a 09:00, b 09:00",
      """
      08:00 | start    |
      09:00 |          | tell a; tell b; pending 2
      09:01 | stop     |
      09:02 | start    | again a; again b; pending 2
      09:03 | look     |
      09:04 | notifier | again a; again b
      09:05 | look     |
      """)
  }
}
