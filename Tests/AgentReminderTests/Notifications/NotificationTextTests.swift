import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// A terminal's command, and characters that turn the text after them round.
private let commands = "\u{9B}2J\u{85}\u{202E}\u{2066}\u{200F}\u{61C}"

@Suite struct `What a notification says` {
  private let zone = FixedZones.shared["Europe/Berlin"]

  private func reminder(
    _ summary: String, _ start: String, _ end: String, isAllDay: Bool = false, location: String = ""
  ) throws -> Reminder {
    let span = TimeSpan(start: try Timestamp(text: start), end: try Timestamp(text: end))
    return Reminder(
      key: ReminderKey(
        calendar: CalendarID("personal"), uid: EventUID("a"), recurrenceID: "", alarm: "1",
        trigger: span.start.adding(seconds: -900)),
      summary: summary, location: location, joinURL: "", span: span, isAllDay: isAllDay,
      isPrivate: false, state: .delivered, due: span.start.adding(seconds: -900), snoozes: 0,
      isMissed: false)
  }

  @Test(arguments: [
    ("2026-11-21T08:00:00Z", "09:00"), ("2026-11-22T05:59:00Z", "06:59"),
    ("2026-11-22T06:00:00Z", "07:00"),
    ("2026-11-22T06:01:00Z", "tomorrow 07:01"), ("2026-11-22T08:00:00Z", "tomorrow 09:00"),
    ("2026-11-23T05:00:00Z", "Mon 23 Nov 2026 06:00"),
  ])
  func `the end of an event has its day where the time alone would be another`(
    end: String, words: String
  ) throws {
    let now = try Timestamp(text: "2026-11-21T05:45:00Z")
    let text = NotificationText(
      try reminder("Trip", "2026-11-21T06:00:00Z", end), now: now, zone: zone, markup: false)
    let dash = words.contains(" ") ? " – " : "–"
    #expect(text.body == "in 15 min · 07:00\(dash)\(words)")
  }

  @Test(arguments: [
    ("2026-11-19T22:59:59Z", "Sat 21 Nov 2026, all day"),
    ("2026-11-19T23:00:00Z", "Tomorrow, all day"),
    ("2026-11-20T17:00:00Z", "Tomorrow, all day"), ("2026-11-20T22:59:59Z", "Tomorrow, all day"),
    ("2026-11-20T23:00:00Z", "Today, all day"), ("2026-11-21T08:00:00Z", "Today, all day"),
    ("2026-11-21T22:59:59Z", "Today, all day"), ("2026-11-21T23:00:00Z", "Yesterday, all day"),
    ("2026-11-22T23:00:00Z", "Sat 21 Nov 2026, all day"),
  ])
  func `a whole day is named as people do, and anew at midnight`(now: String, body: String) throws {
    let fair = try reminder(
      "Fair", "2026-11-20T23:00:00Z", "2026-11-21T23:00:00Z", isAllDay: true)
    let now = try Timestamp(text: now)
    let text = NotificationText(fair, now: now, zone: zone, markup: false)
    #expect(text.summary == "Fair")
    #expect(text.body == body)
    func words(at instant: Timestamp) -> String {
      NotificationText(fair, now: instant, zone: zone, markup: false).body
    }
    // It is to be worded anew where it says something else, and not before.
    guard let changesAt = text.changesAt else {
      return #expect(words(at: now.adding(seconds: 86_400)) == body)
    }
    #expect(words(at: changesAt) != body)
    #expect(words(at: changesAt.adding(seconds: -1)) == body)
  }

  @Test func `of several days the first is named, and a to-do is due on its day`() throws {
    let trip = try reminder(
      "Trip", "2026-11-20T23:00:00Z", "2026-11-23T23:00:00Z", isAllDay: true)
    let now = try Timestamp(text: "2026-11-20T08:00:00Z")
    func body(_ subject: ReminderSubject = .event) -> String {
      NotificationText(trip, subject: subject, now: now, zone: zone, markup: false).body
    }
    #expect(body() == "Tomorrow, all day")
    #expect(body(.toDo) == "To-do, due tomorrow")
    var missed = trip
    missed.isMissed = true
    missed.due = try Timestamp(text: "2026-11-20T07:00:00Z")
    #expect(
      NotificationText(missed, now: now, zone: zone, markup: false).body
        == "Tomorrow, all day · was due 08:00")
    #expect(
      NotificationText(digest: [missed], tooOld: 0, now: now, zone: zone, markup: false).body
        == "tomorrow all day  Trip")
  }

  @Test(arguments: [
    ("2026-11-21T05:45:59Z", "in 15 min · 07:00–08:00"),
    ("2026-11-21T05:46:00Z", "in 14 min · 07:00–08:00 · was due 06:45"),
    ("2026-11-22T05:46:00Z", "Missed: yesterday, 07:00–08:00 · was due yesterday 06:45"),
  ])
  func `what was missed says when it was due`(now: String, body: String) throws {
    var missed = try reminder("Trip", "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z")
    missed.isMissed = true
    let text = NotificationText(missed, now: try Timestamp(text: now), zone: zone, markup: false)
    #expect(text.body == body)
  }

  @Test func `a digest names what has no title, and does not call what is missed over`() throws {
    let text = NotificationText(
      digest: [try reminder("", "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z")], tooOld: 2,
      now: try Timestamp(text: "2026-11-21T05:45:00Z"), zone: zone, markup: false)
    #expect(
      text.body == "07:00  Event\n"
        + "2 are too old to be shown (calctl reminders --missed)")
  }

  @Test func `a digest has begun when all of its events have`() throws {
    let (begun, ahead) = (
      try reminder("", "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z"),
      try reminder("", "2026-11-21T06:01:00Z", "2026-11-21T07:00:00Z")
    )
    let now = try Timestamp(text: "2026-11-21T06:00:00Z")
    func hasStarted(_ fresh: [Reminder], earlier: [Reminder]) -> Bool {
      NotificationText(
        digest: fresh, earlier: earlier, tooOld: 0, now: now, zone: zone, markup: false
      ).hasStarted
    }
    #expect(hasStarted([begun], earlier: [begun]))
    #expect(!hasStarted([begun, ahead], earlier: []))
    #expect(!hasStarted([begun], earlier: [ahead]))
  }

  @Test func `a digest says when to-dos are due, and never that they are over`() throws {
    let rent = try reminder("", "2026-11-20T18:00:00Z", "2026-11-20T18:00:00Z")
    let now = try Timestamp(text: "2026-11-21T05:45:00Z")
    func text(_ subject: ReminderSubject) -> NotificationText {
      NotificationText(digest: [rent], tooOld: 0, now: now, zone: zone, markup: false) { _ in
        subject
      }
    }
    #expect(text(.toDo).body == "yesterday 19:00  To-do (due)")
    #expect(text(.toDo).subject == .toDo)
    #expect(text(.event).body == "yesterday 19:00  Event (over)")
    #expect(text(.event).subject == .event)
    #expect(text(.undatedToDo).body == "To-do")
    #expect(text(.undatedToDo).subject == .undatedToDo)
    #expect(text(.startingToDo).body == "yesterday 19:00  To-do (starts)")
    #expect(text(.startingToDo).subject == .startingToDo)
  }

  @Test(arguments: [("2026-11-21T05:45:00Z", 20), ("2026-11-21T07:00:00Z", 5000 + 20)])
  func `what very many are of is asked no more often than need be`(now: String, most: Int) throws {
    // Each answer is a look into the store. Of what may be over each one has to be known.
    let point = try reminder("Bell", "2026-11-21T06:00:00Z", "2026-11-21T06:00:00Z")
    var asked = 0
    let text = NotificationText(
      digest: Array(repeating: point, count: 5000), tooOld: 0, now: try Timestamp(text: now),
      zone: zone, markup: false
    ) { _ in
      asked += 1
      return .event
    }
    #expect(text.subject == .event && text.body.hasSuffix("and 4992 more"))
    #expect(asked <= most)
  }

  @Test(arguments: [
    ("2026-11-20T05:45:00Z", "starts tomorrow, 07:00", "starts tomorrow"),
    ("2026-11-21T05:45:00Z", "starts within 15 min, 07:00", "starts today"),
    ("2026-11-21T06:00:00Z", "starts now, 07:00", "starts today"),
    ("2026-11-21T06:01:00Z", "started today, 07:00", "starts today"),
    ("2026-11-22T06:01:00Z", "started yesterday, 07:00", "started yesterday"),
  ])
  func `what has a start and no moment by which it is to be done starts, and is never due`(
    now: String, timed: String, allDay: String
  ) throws {
    let now = try Timestamp(text: now)
    let start = "2026-11-21T06:00:00Z"
    func body(isAllDay: Bool) throws -> String {
      NotificationText(
        try reminder("Paint", start, start, isAllDay: isAllDay), subject: .startingToDo, now: now,
        zone: zone, markup: false
      ).body
    }
    #expect(try body(isAllDay: false) == "To-do, " + timed)
    #expect(try body(isAllDay: true) == "To-do, " + allDay)
  }

  @Test func `what is to be done by no moment is never due, and is told of alone as a to-do`()
    throws
  {
    var book = try reminder("Read a book", "2026-11-21T05:00:00Z", "2026-11-21T05:00:00Z")
    book.due = book.span.start
    func text() throws -> NotificationText {
      NotificationText(
        book, subject: .undatedToDo, now: try Timestamp(text: "2026-11-21T05:45:00Z"), zone: zone,
        markup: false)
    }
    #expect(try text().body == "To-do")
    #expect(try text().changesAt == nil)
    book.isMissed = true
    #expect(try text().body == "To-do · was set for 06:00")
  }

  @Test func `one notification and a digest call the same over`() throws {
    let end = try Timestamp(text: "2026-11-21T07:00:00Z")
    func texts(_ start: String, at seconds: Int64) throws -> [Bool] {
      let one = try reminder("Yoga", start, "2026-11-21T07:00:00Z")
      let now = end.adding(seconds: seconds)
      let single = NotificationText(one, now: now, zone: zone, markup: false)
      let digest = NotificationText(digest: [one], tooOld: 0, now: now, zone: zone, markup: false)
      return [single.body.hasPrefix("Over: "), digest.body.hasSuffix(" (over)")]
    }
    #expect(try texts("2026-11-21T06:00:00Z", at: -1) == [false, false])
    #expect(try texts("2026-11-21T06:00:00Z", at: 0) == [true, true])
    #expect(try texts("2026-11-21T07:00:00Z", at: 59) == [false, false])
    #expect(try texts("2026-11-21T07:00:00Z", at: 60) == [true, true])
  }

  private func digest(
    _ fresh: [Reminder], earlier: [Reminder] = [], tooOld: Int = 0
  ) throws -> NotificationText {
    NotificationText(
      digest: fresh, earlier: earlier, tooOld: tooOld,
      now: try Timestamp(text: "2026-11-21T05:45:00Z"), zone: zone, markup: false)
  }

  @Test func `a digest has a line for each, begins with its time, and says what is over`() throws {
    var missed = try reminder("Dinner", "2026-11-20T18:00:00Z", "2026-11-20T20:00:00Z")
    missed.isMissed = true
    var late = try reminder("Trip", "2026-11-22T06:00:00Z", "2026-11-22T07:00:00Z")
    late.due = try Timestamp(text: "2026-11-21T05:00:00Z")
    let text = try digest([
      late, try reminder("Yoga", "2026-11-21T05:30:00Z", "2026-11-21T06:30:00Z"), missed,
    ])
    #expect(text.summary == "3 reminders while you were away")
    #expect(
      text.body == """
        yesterday 19:00  Dinner (over)
        06:30  Yoga (now)
        tomorrow 07:00  Trip
        """)
  }

  @Test func `a digest says what runs now, and when it says something else`() throws {
    let yoga = try reminder("Yoga", "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z")
    let trip = try reminder("Trip", "2026-11-21T06:30:00Z", "2026-11-21T06:30:00Z")
    var now = try Timestamp(text: "2026-11-21T05:45:00Z")
    var story: [String] = []
    while story.count < 10 {
      let text = NotificationText(
        digest: [yoga, trip], tooOld: 0, now: now, zone: zone, markup: false)
      let words = text.body.split(separator: "\n").map {
        $0.replacing("  Yoga", with: "").replacing("  Trip", with: "")
      }
      story.append(zone.reading(at: now).time.hourAndMinute + " " + words.joined(separator: " "))
      // The days are called otherwise at midnight.
      guard let next = text.changesAt, next.seconds - now.seconds < 7200 else { break }
      now = next
    }
    #expect(
      story == [
        "06:45 07:00 07:30", "07:00 07:00 (now) 07:30", "07:30 07:00 (now) 07:30 (now)",
        "07:31 07:00 (now) 07:30 (over)", "08:00 07:00 (over) 07:30 (over)",
      ])
  }

  @Test func `of very many a digest names those that are not over, and else the latest`() throws {
    let over = try (1...9).map {
      try reminder(
        "Past \($0)", "2026-11-2\($0 > 5 ? 1 : 0)T0\($0 % 4):00:00Z", "2026-11-21T04:00:00Z")
    }
    let next = try reminder("Next", "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z")
    let lines = try digest(over + [next]).body.split(separator: "\n")
    #expect(lines.count == 9)
    #expect(lines[7] == "07:00  Next")
    #expect(lines[8] == "and 2 more")
    #expect(!lines.contains { $0.contains("Past 1 ") || $0.contains("Past 2 ") })
  }

  @Test(arguments: [
    ("Tea\(commands)time", "Tea2J time"), (commands + "\u{202D}", "2J"), ("\u{202E}\n", "Event"),
    ("Ana 👩‍💻 שלום عليكم", "Ana 👩‍💻 שלום عليكم"),
  ])
  func `a stranger's title and place turn nothing round and command nothing`(
    text: String, shown: String
  ) throws {
    let tea = try reminder(
      text, "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z", location: text)
    let now = try Timestamp(text: "2026-11-21T05:45:00Z")
    let single = NotificationText(tea, now: now, zone: zone, markup: false)
    #expect(single.summary == shown)
    let place = shown == "Event" ? "" : " · \(shown)"
    #expect(single.body == "in 15 min · 07:00–08:00\(place)")
    #expect(
      try digest([tea], earlier: [tea]).body == "07:00  \(shown)\nstill pending: \(shown)")
  }

  @Test(arguments: hostileTitles)
  func `no control character or override is left of any title`(title: String) throws {
    let tea = try reminder(
      title, "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z", location: title)
    let now = try Timestamp(text: "2026-11-21T05:45:00Z")
    let text = NotificationText(tea, now: now, zone: zone, markup: true)
    #expect(!text.summary.isEmpty)
    for scalar in (text.summary + text.body).unicodeScalars {
      #expect(scalar.properties.generalCategory != .control)
      #expect(!(0x2028...0x202E).contains(scalar.value))
      #expect(!(0x2066...0x206F).contains(scalar.value))
    }
  }

  @Test func `what was shown before is not counted, and named after the others`() throws {
    func named(_ title: String) throws -> Reminder {
      try reminder(title, "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z")
    }
    let before = try ["A", "B", "C", "D", "E"].map(named)
    let both = try digest([try named("New")], earlier: before)
    #expect(both.summary == "1 reminder")
    #expect(both.body == "07:00  New\nstill pending: A, B, C and 2 more")
    // An agent that starts anew shows again what waits.
    let again = try digest([], earlier: before)
    #expect(again.summary == "5 reminders")
    #expect(again.body.split(separator: "\n").count == 5)
  }

  @Test func `an event that is shorter than a minute is over at its end`() throws {
    let start = try Timestamp(text: "2026-11-21T06:00:00Z")
    func body(_ end: String, at seconds: Int64) throws -> String {
      let text = NotificationText(
        try reminder("Tick", "2026-11-21T06:00:00Z", end), now: start.adding(seconds: seconds),
        zone: zone, markup: false)
      return text.body + (text.changesAt.map { " \($0.seconds - start.seconds)" } ?? "")
    }
    #expect(try body("2026-11-21T06:00:40Z", at: 10) == "now · 07:00–07:00 40")
    #expect(try body("2026-11-21T06:00:40Z", at: 40).hasPrefix("Over: today, 07:00"))
    #expect(try body("2026-11-21T06:00:00Z", at: 10) == "now · 07:00 60")
  }
}
