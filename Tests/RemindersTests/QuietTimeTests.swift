import CalendarModel
import CivilTime
import Reminders
import TestSupport
import Testing

/// Hours from one time of day to another, on some days; each day where none are given.
private func hours(
  _ start: Int, _ end: Int, _ days: Set<Weekday> = Set(Weekday.allCases)
) throws -> WeeklyHours {
  WeeklyHours([
    WeeklyHours.Part(
      days: days, start: try #require(TimeOfDay(hour: start, minute: 0)),
      end: try #require(TimeOfDay(hour: end, minute: 0)))
  ])
}

private func at(_ text: String) throws -> Timestamp { try Timestamp(text: text) }

@Suite struct `Quiet time` {
  @Test func `without hours and without a moment it is never quiet`() throws {
    let quiet = QuietTime()
    #expect(quiet.end(at: try at("2026-11-21T03:00:00Z"), zone: .utc) == nil)
    #expect(quiet.nextChange(after: try at("2026-11-21T03:00:00Z"), zone: .utc) == nil)
  }

  @Test func `it lasts until the moment, which is not quiet itself`() throws {
    var quiet = QuietTime()
    let moment = try at("2026-11-21T10:00:00Z")
    quiet.begin(until: moment, at: try at("2026-11-21T09:00:00Z"))
    #expect(quiet.end(at: try at("2026-11-21T09:59:59Z"), zone: .utc) == moment)
    #expect(quiet.end(at: moment, zone: .utc) == nil)
    quiet.begin(until: .latest, at: moment)
    #expect(quiet.end(at: moment, zone: .utc) == .latest)
    #expect(quiet.nextChange(after: moment, zone: .utc) == nil)
  }

  @Test func `weekly hours reach over midnight, and return`() throws {
    let quiet = QuietTime(hours: try hours(22, 7))
    #expect(
      quiet.nextChange(after: try at("2026-11-21T12:00:00Z"), zone: .utc)
        == (try at("2026-11-21T22:00:00Z")))
    #expect(
      quiet.end(at: try at("2026-11-22T03:00:00Z"), zone: .utc)
        == (try at("2026-11-22T07:00:00Z")))
    #expect(quiet.end(at: try at("2026-11-22T07:00:00Z"), zone: .utc) == nil)
  }

  @Test func `weekly hours hold on their days alone`() throws {
    let quiet = QuietTime(hours: try hours(22, 7, [.sunday]))
    #expect(quiet.end(at: try at("2026-11-21T23:00:00Z"), zone: .utc) == nil)
    #expect(quiet.end(at: try at("2026-11-22T23:00:00Z"), zone: .utc) != nil)
  }

  @Test func `hours without a gap have no end`() throws {
    let quiet = QuietTime(hours: try hours(0, 0))
    #expect(quiet.end(at: try at("2026-11-21T12:00:00Z"), zone: .utc) == .latest)
  }

  @Test func `a moment within the hours lasts through them, and hours through a moment`() throws {
    var quiet = QuietTime(hours: try hours(22, 7))
    quiet.begin(until: try at("2026-11-21T23:00:00Z"), at: try at("2026-11-21T12:00:00Z"))
    #expect(
      quiet.end(at: try at("2026-11-21T21:00:00Z"), zone: .utc)
        == (try at("2026-11-22T07:00:00Z")))
    quiet.begin(until: try at("2026-11-22T09:00:00Z"), at: try at("2026-11-21T12:00:00Z"))
    #expect(
      quiet.end(at: try at("2026-11-21T22:30:00Z"), zone: .utc)
        == (try at("2026-11-22T09:00:00Z")))
  }

  @Test func `ended by hand, the hours hold again at their next beginning`() throws {
    var quiet = QuietTime(hours: try hours(22, 7))
    let night = try at("2026-11-22T01:00:00Z")
    quiet.end(at: night, in: .utc)
    #expect(quiet.end(at: night, zone: .utc) == nil)
    #expect(quiet.end(at: try at("2026-11-22T06:59:59Z"), zone: .utc) == nil)
    #expect(quiet.nextChange(after: night, zone: .utc) == (try at("2026-11-22T22:00:00Z")))
    #expect(quiet.end(at: try at("2026-11-22T22:00:00Z"), zone: .utc) != nil)
  }

  @Test func `ended by hand, the hours do not carry on what is asked for afterwards`() throws {
    var quiet = QuietTime(hours: try hours(8, 23))
    let now = try at("2026-11-21T10:00:00Z")
    quiet.end(at: now, in: .utc)
    #expect(quiet.end(at: now, zone: .utc) == nil)
    quiet.begin(until: try at("2026-11-21T11:00:00Z"), at: now)
    #expect(quiet.end(at: now, zone: .utc) == (try at("2026-11-21T11:00:00Z")))
    #expect(quiet.end(at: try at("2026-11-21T11:00:00Z"), zone: .utc) == nil)
    #expect(
      quiet.end(at: try at("2026-11-22T08:00:00Z"), zone: .utc)
        == (try at("2026-11-22T23:00:00Z")))
  }
}

@Suite struct `Quiet hours where the clock changes` {
  private let berlin = FixedZones.shared["Europe/Berlin"]

  private func hours(_ start: (Int, Int), _ end: (Int, Int)) throws -> QuietTime {
    QuietTime(
      hours: WeeklyHours([
        WeeklyHours.Part(
          days: Set(Weekday.allCases),
          start: try #require(TimeOfDay(hour: start.0, minute: start.1)),
          end: try #require(TimeOfDay(hour: end.0, minute: end.1)))
      ]))
  }

  /// When they begin and end after an instant at which it is not quiet.
  private func next(_ quiet: QuietTime, after now: String) throws -> [String] {
    let now = try at(now)
    #expect(quiet.end(at: now, zone: berlin) == nil)
    let start = try #require(quiet.nextChange(after: now, zone: berlin))
    #expect(quiet.end(at: start.adding(seconds: -1), zone: berlin) == nil)
    let end = try #require(quiet.end(at: start, zone: berlin))
    #expect(quiet.end(at: end.adding(seconds: -1), zone: berlin) == end)
    #expect(quiet.end(at: end, zone: berlin) == nil)
    return [start.description, end.description]
  }

  @Test func `a night is longer by an hour, or shorter`() throws {
    let night = try hours((22, 0), (7, 0))
    #expect(
      try next(night, after: "2026-10-24T12:00:00Z")
        == ["2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"])
    #expect(
      try next(night, after: "2027-03-27T12:00:00Z")
        == ["2027-03-27T21:00:00Z", "2027-03-28T05:00:00Z"])
    // The night after is as long as ever.
    #expect(
      try next(night, after: "2027-03-28T12:00:00Z")
        == ["2027-03-28T20:00:00Z", "2027-03-29T05:00:00Z"])
  }

  @Test
  func
    `an end that the clock shows twice is the first, and one that it passes over comes after it`()
    throws
  {
    let evening = try hours((22, 0), (2, 30))
    #expect(
      try next(evening, after: "2026-10-24T12:00:00Z")
        == ["2026-10-24T20:00:00Z", "2026-10-25T00:30:00Z"])
    #expect(
      try next(evening, after: "2027-03-27T12:00:00Z")
        == ["2027-03-27T21:00:00Z", "2027-03-28T01:30:00Z"])
  }

  @Test func `hours that the clock passes over are left out that day, and no other`() throws {
    let early = try hours((2, 0), (3, 0))
    #expect(
      try next(early, after: "2027-03-27T12:00:00Z")
        == ["2027-03-29T00:00:00Z", "2027-03-29T01:00:00Z"])
  }
}

@Suite struct `Quiet hours without a gap` {
  @Test func `ended by hand, they hold again from the next midnight on`() throws {
    var quiet = QuietTime(hours: try hours(0, 0))
    let now = try at("2026-11-21T15:00:00Z")
    quiet.end(at: now, in: .utc)
    let midnight = try at("2026-11-22T00:00:00Z")
    #expect(quiet.liftedUntil == midnight)
    #expect(quiet.end(at: now, zone: .utc) == nil)
    #expect(quiet.nextChange(after: now, zone: .utc) == midnight)
    #expect(quiet.end(at: midnight, zone: .utc) == .latest)
    // What a database of before has.
    #expect(QuietTime(hours: try hours(0, 0), liftedUntil: .latest).end(at: now, zone: .utc) != nil)
  }

  @Test func `a walk over instants says of each what is asked of it alone`() throws {
    var quiet = QuietTime(hours: try hours(22, 7, [.monday, .friday]))
    quiet.begin(until: try at("2026-11-22T12:00:00Z"), at: try at("2026-11-21T12:00:00Z"))
    var walk = QuietTime.Walk(quiet, zone: .utc)
    let first = try at("2026-11-21T00:00:00Z")
    for step: Int64 in 0..<2000 {
      let instant = first.adding(seconds: step * 1_000)
      #expect(walk.isQuiet(at: instant) == (quiet.end(at: instant, zone: .utc) != nil))
    }
  }
}

@Suite struct `Reminders in quiet time` {
  private func expect(
    _ plan: String, in quiet: QuietTime = QuietTime(), _ drawing: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let timeline = Timeline(plan)
    timeline.quiet = quiet
    #expect(timeline.run(drawing) == Timeline.normal(drawing), sourceLocation: sourceLocation)
  }

  @Test func `they are signalled, and shown in one digest at the end`() {
    expect(
      "a 09:00, b 09:30, c 10:00",
      """
      08:00 | start       |
      08:30 | quiet 11:00 |
      09:00 |             | quiet a; pending 1
      09:30 |             | quiet b; pending 2
      10:00 |             | quiet c; pending 3
      10:30 | dismiss b   | withdraw b user; pending 2
      11:00 |             | digest a c
      """)
  }

  @Test func `one alone is shown as what it is, and none that was seen meanwhile`() {
    expect(
      "a 09:00, b 09:30",
      """
      08:00 | start       |
      08:30 | quiet 11:00 |
      09:00 |             | quiet a; pending 1
      09:30 |             | quiet b; pending 2
      10:00 | dismiss a   | withdraw a user; pending 1
      11:00 |             | again b new
      11:30 | quiet 12:00 |
      11:40 | dismiss b   | withdraw b user; pending 0
      12:00 |             |
      """)
  }

  @Test func `ended by hand, what was held back is shown at once`() {
    expect(
      "a 09:00, b 09:30",
      """
      08:00 | start       |
      08:30 | quiet 11:00 |
      09:00 |             | quiet a; pending 1
      09:20 | loud        | again a new
      09:30 |             | tell b; pending 2
      11:00 |             |
      """)
  }

  @Test func `a snooze that ends in quiet time is signalled, and waits for the end`() {
    expect(
      "a 09:00",
      """
      08:00 | start          |
      09:00 |                | tell a; pending 1
      09:01 | snooze a 09:30 | snoozed a until 09:30
      09:10 | quiet 10:00    |
      09:30 |                | quiet a
      10:00 |                | again a new
      """)
  }

  @Test func `a restart and a new notification server show nothing before the end`() {
    expect(
      "a 09:00, b 09:30",
      """
      08:00 | start       |
      09:00 |             | tell a; pending 1
      09:10 | quiet 11:00 |
      09:20 | stop        |
      09:25 | start       | pending 1
      09:28 | notifier    |
      09:30 |             | quiet b; pending 2
      11:00 |             | digest a b
      """)
  }

  @Test func `what is missed in a mass comes in the one digest of the end`() {
    expect(
      "a 09:00, b 09:00, c 09:00, d 09:00, e 09:00, f 09:00",
      """
      08:00 | start       |
      08:30 | quiet 10:00 |
      09:00 |             | quiet a; quiet b; quiet c; quiet d; quiet e; quiet f; pending 6
      10:00 |             | digest a b c d e f
      """)
  }

  @Test func `what was held back when no agent ran at its end is one digest at the next start`() {
    expect(
      "a 08:15, b 09:00, c 09:30, d 10:15",
      """
      08:00 | start       |
      08:15 |             | tell a; pending 1
      08:30 | quiet 10:00 |
      09:30 |             | at 09:00 quiet b; at 09:00 pending 2; quiet c; pending 3
      09:40 | stop        |
      10:20 | start       | digest b c; again a; tell d 300 late missed; pending 4
      """)
    // One alone is no digest.
    expect(
      "b 09:00, d 10:15",
      """
      08:00 | start       |
      08:30 | quiet 10:00 |
      09:00 |             | quiet b; pending 1
      09:40 | stop        |
      10:20 | start       | again b; tell d 300 late missed; pending 2
      """)
  }

  @Test func `what rings as it ends takes along what was held back of its event`() {
    expect(
      "a 09:00, b 09:30, c 09:30, d 10:00 of a",
      """
      08:00 | start       |
      08:30 | quiet 10:00 |
      09:00 |             | quiet a; pending 1
      09:30 |             | quiet b; quiet c; pending 3
      10:00 |             | digest b c; again a new; tell d; pending 4
      """)
    expect(
      "a 09:00, b 09:30, c 10:00 of a",
      """
      08:00 | start       |
      08:30 | quiet 10:00 |
      09:30 |             | at 09:00 quiet a; at 09:00 pending 1; quiet b; pending 2
      10:00 |             | again b new; again a new; tell c; pending 3
      """)
  }

  @Test func `what is shown again as it ends takes along what was held back of its event`() throws {
    expect(
      "a 07:55, c 08:05 of a, b 08:10", in: QuietTime(hours: try hours(8, 9)),
      """
      07:00 | start |
      08:10 |       | at 07:55 tell a; at 07:55 pending 1; at 08:05 quiet c; at 08:05 pending 2; quiet b; pending 3
      08:50 | stop  |
      09:10 | start | again b; again a; again c; pending 3
      """)
  }

  @Test func `many of one event alone are no digest, whenever they rang`() {
    let six = "a 09:00" + ["b", "c", "d", "e", "f"].map { ", \($0) 09:00 of a" }.joined()
    expect(
      six,
      """
      08:00 | start       |
      08:30 | quiet 10:00 |
      09:00 |             | quiet a; quiet b; quiet c; quiet d; quiet e; quiet f; pending 6
      09:40 | stop        |
      10:20 | start       | again a; again b; again c; again d; again e; again f; pending 6
      """)
    expect(
      six,
      """
      08:00 | start |
      09:00 |       | signal a; signal b; signal c; signal d; signal e; signal f; again a new; again b new; again c new; again d new; again e new; again f new; pending 6
      """)
  }

  @Test func `what came as one digest comes so to a notification server that comes late`() throws {
    expect(
      "x 08:15, a 09:00, b 09:30, c 10:30", in: QuietTime(hours: try hours(9, 10)),
      """
      08:00 | start       |
      08:15 |             | tell x; pending 1
      09:30 |             | at 09:00 quiet a; at 09:00 pending 2; quiet b; pending 3
      09:40 | stop        |
      10:20 | start       | digest a b; again x; pending 3
      10:21 | notifier    | digest a b; again x
      10:30 |             | tell c; pending 4
      10:40 | dismiss a   | withdraw a user; pending 3
      10:41 | notifier    | again b; again x; again c
      10:50 | quiet 11:00 |
      10:55 | notifier    |
      11:00 |             | digest x b c
      """)
    // Together with what there is besides, as at a start.
    expect(
      "a 09:00, b 09:30, c 10:10, d 10:11, e 10:12, f 10:13",
      """
      08:00 | start       |
      08:30 | quiet 10:00 |
      09:30 |             | at 09:00 quiet a; at 09:00 pending 1; quiet b; pending 2
      10:00 |             | digest a b
      10:13 |             | at 10:10 tell c; at 10:10 pending 3; at 10:11 tell d; at 10:11 pending 4; at 10:12 tell e; at 10:12 pending 5; tell f; pending 6
      10:20 | notifier    | digest a b c d e f
      """)
  }

  @Test func `all that was held back of one event alone is shown as what it is`() {
    expect(
      "a 09:00, b 09:30 of a, c 10:30 of a",
      """
      08:00 | start       |
      08:30 | quiet 10:00 |
      09:30 |             | at 09:00 quiet a; at 09:00 pending 1; quiet b; pending 2
      10:00 |             | again a new; again b new
      10:30 |             | tell c; pending 3
      """)
  }

  @Test func `a snooze that ends as it does rings, with what was held back of its event`() {
    expect(
      "a 09:00, b 09:30 of a, c 09:30",
      """
      08:00 | start          |
      09:00 |                | tell a; pending 1
      09:01 | snooze a 10:00 | snoozed a until 10:00
      09:10 | quiet 10:00    |
      09:30 |                | quiet b; quiet c; pending 3
      10:00 |                | again c new; again b new; tell a
      """)
  }

  @Test func `what rang before it was quiet is not held back by the next agent`() {
    // Both are shown again, and what was held back beside them.
    expect(
      "a 08:00, b 08:10, c 09:00",
      """
      07:00 | start       |
      08:10 |             | at 08:00 tell a; at 08:00 pending 1; tell b; pending 2
      08:30 | quiet 10:00 |
      09:00 |             | quiet c; pending 3
      09:40 | stop        |
      10:20 | start       | again c; again a; again b; pending 3
      """)
  }

  @Test func `what it was asked for from on is kept as long as it is carried on`() throws {
    var quiet = QuietTime()
    let instants = try [8, 9, 10, 11, 12].map { hour in
      try at("2026-11-21T\(hour < 10 ? "0" : "")\(hour):00:00Z")
    }
    quiet.begin(until: instants[2], at: instants[1])
    quiet.begin(until: instants[3], at: try at("2026-11-21T09:30:00Z"))
    #expect(
      instants.map { quiet.wasQuiet(at: $0, zone: .utc) } == [false, false, true, false, false])
    // By a clock that was set back it is quiet all the same.
    #expect(quiet.end(at: instants[0], zone: .utc) == instants[3])
    quiet.begin(until: .latest, at: try at("2026-11-21T11:30:00Z"))
    #expect(
      instants.map { quiet.wasQuiet(at: $0, zone: .utc) } == [false, false, false, false, true])
  }

  @Test func `quiet without an end wakes nobody`() {
    let timeline = Timeline("a 09:00")
    timeline.quiet.begin(until: .latest, at: timeline.clock.now)
    _ = timeline.run("08:00 | start |\n09:00 | |")
    #expect(timeline.clock.armed == nil)
  }
}

@Suite struct `Pages of pending reminders` {
  @Test func `they come in order, each once, while others come and go`() throws {
    let timeline = Timeline("a 09:00, b 09:00, c 09:01, d 09:02, e 09:03")
    _ = timeline.run("08:00 | start |\n09:05 | |")
    let scheduler = try #require(timeline.scheduler)
    let first = scheduler.pending(after: nil, limit: 2)
    #expect(first.map(\.summary) == ["a", "b"])
    let place = PendingPlace(after: first[1])
    try scheduler.dismiss(id: first[1].id)
    #expect(scheduler.pending(after: place, limit: 2).map(\.summary) == ["c", "d"])
    #expect(scheduler.pending(after: place, limit: 9).map(\.summary) == ["c", "d", "e"])
    let end = PendingPlace(after: scheduler.pending[3])
    #expect(scheduler.pending(after: end, limit: 2) == [])
  }

  @Test func `all can be put off until an instant of each, those that have none ahead stay`() throws
  {
    let timeline = Timeline("a 09:00, b 09:10")
    _ = timeline.run("08:00 | start |\n09:20 | |")
    let scheduler = try #require(timeline.scheduler)
    // Their events begin at 09:15 and 09:25.
    #expect(try scheduler.snoozeAll { $0.span.start } == 1)
    #expect(scheduler.pending.map(\.state) == [.delivered, .snoozed])
  }

  @Test func `one that is raised by hand is told, and lives as others do`() throws {
    let timeline = Timeline("")
    _ = timeline.run("08:00 | start |")
    let scheduler = try #require(timeline.scheduler)
    try scheduler.raise(.sample("test", due: timeline.clock.now))
    #expect(timeline.ledger.rows.values.map(\.state) == [.delivered])
    try scheduler.dismiss(id: scheduler.pending[0].id)
    #expect(scheduler.pendingCount == 0)
  }
}
