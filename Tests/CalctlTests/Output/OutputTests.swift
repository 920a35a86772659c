import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `What calctl prints` {
  /// A row as in an answer of Agenda.
  private func row(
    _ summary: String, _ start: String, _ end: String, _ change: (inout Row) -> Void = { _ in }
  ) throws -> Row {
    var row = Row()
    row.set(.uid, "uid@example.org")
    row.set(.summary, summary)
    if start.count == 10 {
      row.set(.allDay, true)
      let zone = FixedZones.shared["Europe/Berlin"]
      row.set(.start, .int64(zone.startOfDay(try CivilDate(text: start)).seconds))
      row.set(.end, .int64(zone.startOfDay(try CivilDate(text: end)).seconds))
      row.set(.startText, start)
      row.set(.endText, end)
    } else {
      row.set(.start, .int64(try Timestamp(text: start).seconds))
      row.set(.end, .int64(try Timestamp(text: end).seconds))
    }
    change(&row)
    return row
  }

  private func days(_ first: String, _ last: String) throws -> ClosedRange<CivilDate> {
    try CivilDate(text: first)...CivilDate(text: last)
  }

  // MARK: Agenda

  @Test func `an agenda has a heading a day, all-day events first`() throws {
    let capture = try Capture()
    try capture.output.agenda(
      [
        row("Standup", "2026-11-21T08:30:00Z", "2026-11-21T08:45:00Z"),
        row("Rent due", "2026-11-21", "2026-11-22"),
        row("Talk", "2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z") {
          $0.set(.location, "Room 4")
          $0.set(.status, "tentative")
        },
      ], days: days("2026-11-21", "2026-11-27"), in: ListView())
    #expect(
      capture.text == """
        Sat 21 Nov 2026 (today)
          all day        Rent due
          09:30 – 09:45  Standup

        Sun 22 Nov 2026 (tomorrow)
          11:00 – 12:00  Talk?  (Room 4)

        """)
  }

  @Test func `events that begin at the same time are listed by calendar, title and UID`() throws {
    let capture = try Capture()
    func row(_ summary: String, _ calendar: String, _ uid: String, allDay: Bool) throws -> Row {
      let (start, end) =
        allDay
        ? ("2026-11-21", "2026-11-22")
        : ("2026-11-21T08:30:00Z", "2026-11-21T08:4\(uid.utf8.count):00Z")
      return try self.row(summary, start, end) {
        $0.set(.calendar, calendar)
        $0.set(.uid, uid)
      }
    }
    try capture.output.agenda(
      [
        row("b", "work", "1", allDay: false), row("A", "work", "22", allDay: false),
        row("z", "home", "3", allDay: false), row("Z", "home", "3b", allDay: false),
        row("Fair", "work", "4", allDay: true), row("apples", "work", "5", allDay: true),
      ], days: nil, in: ListView())
    #expect(
      capture.text == """
        Sat 21 Nov 2026 (today)
          all day        apples
          all day        Fair
          09:30 – 09:41  z
          09:30 – 09:42  Z
          09:30 – 09:42  A
          09:30 – 09:41  b

        """)
  }

  @Test func `an event of several days is on each day of the range`() throws {
    let capture = try Capture()
    try capture.output.agenda(
      [row("Night train", "2026-11-22T21:00:00Z", "2026-11-24T06:10:00Z")],
      days: days("2026-11-23", "2026-11-30"), in: ListView())
    #expect(
      capture.text == """
        Mon 23 Nov 2026
          all day        Night train (until 24 Nov)

        Tue 24 Nov 2026
          → 07:10        Night train

        """)
    let whole = try Capture()
    try whole.output.agenda(
      [row("Night train", "2026-11-22T21:00:00Z", "2026-11-24T06:10:00Z")], days: nil,
      in: ListView())
    #expect(
      whole.text == "Sun 22 Nov 2026 (tomorrow)\n  22:00 →        Night train (until 24 Nov)\n")
  }

  @Test func `midnight ends the day before, and an instant has no end`() throws {
    let capture = try Capture()
    try capture.output.agenda(
      [
        row("Late", "2026-11-21T22:00:00Z", "2026-11-21T23:00:00Z"),
        row("Deadline", "2026-11-21T11:00:00Z", "2026-11-21T11:00:00Z"),
      ], days: days("2026-11-21", "2026-11-22"), in: ListView())
    #expect(
      capture.text
        == "Sat 21 Nov 2026 (today)\n  12:00          Deadline\n  23:00 – 24:00  Late\n")
  }

  @Test func `the ID of an occurrence is below it`() throws {
    let capture = try Capture()
    try capture.output.agenda(
      [
        row("Standup", "2026-11-21T08:30:00Z", "2026-11-21T08:45:00Z") {
          $0.set(.recurrenceID, "20261121T083000Z")
        }
      ], days: nil, in: ListView(showsIDs: true))
    #expect(
      capture.text == """
        Sat 21 Nov 2026 (today)
          09:30 – 09:45  Standup
                         uid@example.org/20261121T083000Z

        """)
  }

  @Test func `an event with too many occurrences on a day is one line with their number`() throws {
    let capture = try Capture()
    let rows = try [("Tick", 1440 as UInt32), ("Tock", 97), ("Blink", 0)].map { title, count in
      try row(title, "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z") {
        $0.set(.uid, title.lowercased())
        $0.set(.recurrenceID, "20261121T060000Z")
        $0.set(.location, "Hall")
        $0.set(.count, .uint32(count))
      }
    }
    try capture.output.agenda(rows, days: nil, in: ListView(showsIDs: true))
    #expect(
      capture.text == """
        Sat 21 Nov 2026 (today)
          07:00 – 08:00  Blink (many times)  (Hall)
                         blink
          07:00 – 08:00  Tick (1,440 times)  (Hall)
                         tick
          07:00 – 08:00  Tock (97 times)  (Hall)
                         tock

        """)
  }

  @Test func `headings are bold on a terminal with colours`() throws {
    let capture = try Capture(wantsColor: true)
    try capture.output.agenda(
      [row("A", "2026-11-21", "2026-11-22")], days: nil, in: ListView())
    #expect(capture.text.hasPrefix("\u{1b}[1mSat 21 Nov 2026 (today)\u{1b}[0m\n"))
  }

  // MARK: One event

  @Test func `an event is a field a line, and its description below`() throws {
    let capture = try Capture()
    try capture.output.event(
      row("Board meeting", "2026-11-23T13:00:00Z", "2026-11-23T15:00:00Z") {
        $0.set(.timeZone, "America/New_York")
        $0.set(.startText, "2026-11-23T08:00:00-05:00")
        $0.set(.endText, "2026-11-23T10:00:00-05:00")
        $0.set(.location, "Big hall")
        $0.set(.status, "confirmed")
        $0.set(.rrule, "FREQ=MONTHLY;BYDAY=2MO;UNTIL=20270208T130000Z\nnonsense")
        $0.set(.reminders, ["PT15M", "P1D", "-PT90M", "end:-PT5M", "PT0S"])
        $0.set(.description, "Bring:\r\n- the minutes\n\n- a pen")
      })
    #expect(
      capture.text == """
        Board meeting
          when        Mon 23 Nov 2026, 14:00 – 16:00
          zone        America/New_York, there Mon 23 Nov 2026, 08:00 – 10:00
          where       Big hall
          repeats     every second Monday of the month, until Mon 8 Feb 2027, 14:00, nonsense
          reminders   15 min before, 1 day before, 1 h 30 min after the start, 5 min after the end, at the start
          shows as    free
          id          uid@example.org

          Bring:
          - the minutes

          - a pen

        """)
  }

  @Test(arguments: [
    ("20270131", "Sun 31 Jan 2027"), ("20270131T235959", "Sun 31 Jan 2027"),
    ("20270131T225959Z", "Sun 31 Jan 2027"), ("20270131T083000Z", "Sun 31 Jan 2027, 09:30"),
    // The midnight in Berlin after which no occurrence begins.
    ("20270131T230000Z", "Sun 31 Jan 2027"),
  ])
  func `the last day of a recurrence is a day of the week`(until: String, words: String) throws {
    let row = try row("Tea", "2026-11-23T08:30:00Z", "2026-11-23T09:00:00Z") {
      $0.set(.rrule, "FREQ=DAILY;UNTIL=\(until)")
    }
    #expect(try Capture().output.repeats(row) == "every day, until \(words)")
  }

  @Test func `when an event is`() throws {
    let output = try Capture().output
    #expect(
      try output.when(row("", "2026-11-23", "2026-11-24")) == "Mon 23 Nov 2026, all day")
    #expect(
      try output.when(row("", "2026-11-23", "2026-11-26")) == "Mon 23 Nov 2026 – Wed 25 Nov 2026")
    #expect(
      try output.when(row("", "2026-11-23T21:00:00Z", "2026-11-24T05:00:00Z"))
        == "Mon 23 Nov 2026, 22:00 – Tue 24 Nov 2026, 06:00")
  }

  @Test func `a time of another day has its date`() throws {
    let output = try Capture().output
    #expect(try output.moment(try Timestamp(text: "2026-11-21T22:59:00Z")) == "23:59")
    #expect(
      try output.moment(try Timestamp(text: "2026-11-21T23:00:00Z")) == "Sun 22 Nov 2026, 00:00")
  }

  @Test(arguments: [
    (RowKey.start, "2026-11-21T15:00:00Z", false, "09:50"),
    // Its own day, in Berlin, is the next one.
    (.start, "2026-11-21T23:00:00Z", false, "Sat 21 Nov 2026, 09:50"),
    (.start, "2026-11-21T15:00:00Z", true, "Sat 21 Nov 2026, 09:50"),
    // A to-do that is due, and one without a date.
    (.due, "2026-11-21T15:00:00Z", false, "09:50"),
    (.created, "2026-11-21T15:00:00Z", false, "Sat 21 Nov 2026, 09:50"),
  ])
  func `a reminder of today has its date where the event is on another day`(
    key: RowKey, time: String, isRecurring: Bool, words: String
  ) throws {
    var row = Row()
    row.set(key, .int64(try Timestamp(text: time).seconds))
    row.set(.recurring, isRecurring)
    #expect(try Capture().output.reminderText("2026-11-21T08:50:00Z", of: row) == words)
  }

  @Test func `reminders are due or snoozed`() throws {
    let capture = try Capture()
    var due = Row()
    due.set(.id, "3f9c")
    due.set(.summary, "Tea")
    due.set(.due, .int64(try Timestamp(text: "2026-11-21T07:45:00Z").seconds))
    due.set(.start, .int64(try Timestamp(text: "2026-11-21T08:00:00Z").seconds))
    due.set(.end, .int64(try Timestamp(text: "2026-11-21T08:30:00Z").seconds))
    var snoozed = due
    snoozed.set(.state, "snoozed")
    try capture.output.reminders([due, snoozed], calendars: [:])
    #expect(
      capture.text == """
        3f9c  Tea: Sat 21 Nov 2026, 09:00 – 09:30 (since 08:45)
        3f9c  Tea: Sat 21 Nov 2026, 09:00 – 09:30 (snoozed until 08:45)

        """)
  }

  // MARK: Strangers' text

  @Test func `no title, place or word of a stranger commands a terminal`() throws {
    for title in hostileTitles {
      let capture = try Capture()
      let row = try row(title, "2026-11-21T08:30:00Z", "2026-11-21T08:45:00Z") {
        for key in [
          RowKey.uid, .recurrenceID, .location, .description, .url, .joinURL, .calendar, .status,
          .timeZone, .rrule, .id,
        ] { $0.set(key, title) }
        for key in [RowKey.rdate, .exdate, .reminders, .categories] { $0.set(key, [title, title]) }
        var person = Row()
        person.set(.name, title)
        $0.set(.attendees, Row.array([person]))
      }
      try capture.output.agenda([row], days: nil, in: ListView(showsIDs: true))
      try capture.output.event(row)
      try capture.output.reminders([row], calendars: [:])
      capture.output.warning(title)
      #expect(
        (capture.text + capture.errors).allSatisfy { $0 == "\n" || !$0.isTerminalControl },
        "\(title.debugDescription.prefix(80))")
    }
  }

  @Test func `a title cannot make a line of its own`() throws {
    let capture = try Capture()
    try capture.output.agenda(
      [row("two\nlines\u{2028}\r\nof \u{85}it", "2026-11-21", "2026-11-22")], days: nil,
      in: ListView())
    #expect(capture.text == "Sat 21 Nov 2026 (today)\n  all day        two lines of it\n")
  }

  @Test func `an event without a title can be seen`() throws {
    let capture = try Capture()
    try capture.output.agenda(
      [row(" \u{7}", "2026-11-21", "2026-11-22")], days: nil, in: ListView())
    try capture.output.event(row("", "2026-11-21", "2026-11-22"))
    #expect(capture.text.ranges(of: "(no title)").count == 2)
  }

  @Test func `a remark follows in parentheses, if there is one`() {
    #expect("Standup".with(remark: "declined") == "Standup (declined)")
    #expect("Standup".with(remark: "") == "Standup")
  }
}
