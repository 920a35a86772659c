import CalendarModel
import CivilTime
import Messages
import Testing
import TestSupport
import Widgets

@Suite struct `The text of a bar` {
  struct Case: Sendable, CustomTestStringConvertible {
    let now: String
    let text: String
    let state: BarText.State
    var testDescription: String { "\(now): \(text)" }

    init(_ now: String, _ text: String, _ state: BarText.State) {
      (self.now, self.text, self.state) = (now, text, state)
    }
  }

  /// Saturday to Monday: a standup, a party over midnight, a review on Monday.
  private func weekend() throws -> Agenda {
    var agenda = Agenda()
    try agenda.add("Standup", "2026-11-21T09:30", "2026-11-21T09:45")
    try agenda.add("Party", "2026-11-21T18:00", "2026-11-22T02:00")
    try agenda.add("Review", "2026-11-23T09:00", "2026-11-23T10:00")
    return agenda
  }

  @Test(arguments: [
    Case("2026-11-18T09:00", "", .none),
    Case("2026-11-18T09:30", "Standup Sat 09:30", .idle),
    Case("2026-11-20T09:00", "Standup tomorrow 09:30", .idle),
    Case("2026-11-21T00:00", "Standup at 09:30", .upcoming),
    Case("2026-11-21T06:29:59", "Standup at 09:30", .upcoming),
    Case("2026-11-21T06:30", "Standup in 3 h", .upcoming),
    Case("2026-11-21T07:25", "Standup in 2 h 5 min", .upcoming),
    Case("2026-11-21T09:14:59", "Standup in 16 min", .upcoming),
    Case("2026-11-21T09:15", "Standup in 15 min", .soon),
    Case("2026-11-21T09:29:59", "Standup in 1 min", .soon),
    Case("2026-11-21T09:30", "Standup · 15 min left", .running),
    Case("2026-11-21T09:33", "Standup · 12 min left", .running),
    Case("2026-11-21T09:44:59", "Standup · 1 min left", .running),
    Case("2026-11-21T09:45", "Party at 18:00", .upcoming),
    Case("2026-11-21T18:00", "Party · until tomorrow 02:00", .running),
    Case("2026-11-21T23:00", "Party · 3 h left", .running),
    Case("2026-11-22T02:00", "Review tomorrow 09:00", .idle),
    Case("2026-11-23T10:00", "", .none),
  ])
  func `it follows the day`(_ each: Case) throws {
    let bar = try weekend().bar(at: each.now)
    #expect(bar.text == each.text)
    #expect(bar.state == each.state)
    #expect(bar.classes.first == each.state.rawValue)
  }

  @Test func `an event shortly after midnight is counted down, too`() throws {
    var agenda = Agenda()
    try agenda.add("Night train", "2026-11-22T00:30", "2026-11-22T06:00")
    let bar = try agenda.bar(at: "2026-11-21T23:20")
    #expect(bar.text == "Night train in 1 h 10 min")
    #expect(bar.state == .upcoming)
  }

  @Test func `of several that run the last to begin is shown, the others are counted`() throws {
    var agenda = Agenda()
    try agenda.add("Conference", "2026-11-21T09:00", "2026-11-21T17:00")
    try agenda.add("Talk", "2026-11-21T10:00", "2026-11-21T10:30")
    let bar = try agenda.bar(at: "2026-11-21T10:10")
    #expect(bar.text == "Talk · 20 min left +1")
    #expect(bar.classes == ["running", "overlap"])
    #expect(bar.percentage == 33)
    #expect(try agenda.bar(at: "2026-11-21T10:30").text == "Conference · until 17:00")
  }

  @Test func `several that begin together are counted`() throws {
    var agenda = Agenda()
    for title in ["A", "B", "C"] { try agenda.add(title, "2026-11-21T10:00", "2026-11-21T11:00") }
    #expect(try agenda.bar(at: "2026-11-21T09:50").text == "A in 10 min +2")
  }

  @Test func `cancelled events do not count`() throws {
    var agenda = Agenda()
    try agenda.add("Off", "2026-11-21T10:00", "2026-11-21T11:00") { $0.status = .cancelled }
    try agenda.add("Off today", from: "2026-11-21", to: "2026-11-22") { $0.status = .cancelled }
    for now in ["2026-11-21T09:50", "2026-11-21T10:30"] {
      let bar = try agenda.bar(at: now)
      #expect(bar.text == "" && bar.classes == ["none"])
      #expect(bar.tooltip.text == "Saturday 21 November 2026\nNo events today")
    }
  }

  @Test func `an all-day event comes after today's timed ones and before later days`() throws {
    var agenda = Agenda()
    try agenda.add("Holiday", from: "2026-11-21", to: "2026-11-22")
    try agenda.add("Lunch", "2026-11-21T12:00", "2026-11-21T13:00")
    try agenda.add("Review", "2026-11-22T09:00", "2026-11-22T10:00")
    let before = try agenda.bar(at: "2026-11-21T08:00")
    #expect(before.text == "Lunch at 12:00" && before.classes == ["upcoming", "all-day"])
    let after = try agenda.bar(at: "2026-11-21T14:00")
    #expect(after.text == "Holiday · all day" && after.classes == ["idle", "all-day"])
    let without = try agenda.bar(at: "2026-11-21T14:00", settings: BarSettings(showsAllDay: false))
    #expect(without.text == "Review tomorrow 09:00" && without.classes == ["idle"])
  }

  @Test func `with hours only what touches them counts, running or to come`() throws {
    let hours = WeeklyHours([
      WeeklyHours.Part(
        days: [.saturday], start: try TimeOfDay(text: "09:00"), end: try TimeOfDay(text: "17:00"))
    ])
    let settings = BarSettings(counted: CountedEvents(hours: hours))
    var agenda = Agenda()
    try agenda.add("Run", "2026-11-21T07:00", "2026-11-21T09:00")
    try agenda.add("Breakfast", "2026-11-21T08:30", "2026-11-21T09:30")
    try agenda.add("Bell", "2026-11-21T17:00", "2026-11-21T17:00")
    try agenda.add("Choir", "2026-11-21T19:00", "2026-11-21T21:00")
    try agenda.add("Brunch", "2026-11-22T11:00", "2026-11-22T12:00")
    #expect(try agenda.bar(at: "2026-11-21T07:30", settings: settings).text == "Breakfast in 1 h")
    #expect(try agenda.bar(at: "2026-11-21T10:00", settings: settings).text == "")
    #expect(try agenda.bar(at: "2026-11-21T10:00").text == "Bell at 17:00")
  }

  @Test func `what was declined is in no bar, unless it is to count`() throws {
    var agenda = Agenda()
    try agenda.add("Sales call", "2026-11-21T09:30", "2026-11-21T10:30") { $0.attendees = declined }
    try agenda.add("Offsite", from: "2026-11-21", to: "2026-11-22") { $0.attendees = declined }
    try agenda.add("Lunch", "2026-11-21T12:00", "2026-11-21T13:00")
    let bar = try agenda.bar(at: "2026-11-21T09:40")
    #expect(bar.text == "Lunch in 2 h 20 min" && bar.classes == ["upcoming"])
    #expect(bar.tooltip.text == "Saturday 21 November 2026\n12:00–13:00  Lunch")
    let settings = BarSettings(counted: CountedEvents(includesDeclined: true))
    let all = try agenda.bar(at: "2026-11-21T09:40", settings: settings)
    #expect(all.text == "Sales call · 50 min left")
    #expect(all.classes == ["running", "all-day", "declined"])
    #expect(all.tooltip.text.contains("all day      Offsite\n09:30–10:30  Sales call\n"))
  }

  @Test func `sources that are stale or wait for a person are in the tooltip, with a class`() throws
  {
    var agenda = Agenda()
    #expect(try agenda.bar(at: "2026-11-21T09:00").classes == ["none"])
    let since = try agenda.instant("2026-11-19T12:00")
    agenda.sources = [
      SnapshotSource(
        id: "cloud", name: "Cloud", state: .signIn, text: "Sign in again.", since: since),
      SnapshotSource(id: "tv", name: "TV", state: .stale, text: "Not reached.", since: since),
      SnapshotSource(id: "new", name: "New\n", state: .stale, text: "Not reached."),
      SnapshotSource(id: "more", name: "More", state: .locked, text: "Locked."),
    ]
    let bar = try agenda.bar(at: "2026-11-21T09:00")
    #expect(bar.classes == ["none", "source-problem"])
    #expect(
      bar.tooltip.text.hasSuffix(
        """

        No events today
        Cloud: Sign in again.
        TV: not updated since Thu 19 Nov 2026
        New: never updated
        and 1 more source
        """), "\(bar.tooltip.text)")
  }

  @Test func `tentative events and due reminders have their class`() throws {
    var agenda = Agenda()
    try agenda.add("Maybe", "2026-11-21T10:00", "2026-11-21T11:00") { $0.status = .tentative }
    let occurrence = try #require(try agenda.occurrences(in: .always).first)
    agenda.reminders = [reminder(of: occurrence, minutesBefore: 15)]
    let bar = try agenda.bar(at: "2026-11-21T09:50")
    #expect(bar.classes == ["soon", "tentative", "reminder"])
    #expect(bar.tooltip.text.hasSuffix("\n1 reminder is due"))
    agenda.reminders = [reminder(of: occurrence, minutesBefore: 15, state: .snoozed)]
    #expect(try agenda.bar(at: "2026-11-21T09:50").classes == ["soon", "tentative"])
  }

  @Test(arguments: [
    (60, "Quarterly planning meeting in 10 min"), (30, "Quarterly planning… in 10 min"),
    (15, "Quar… in 10 min"), (12, "Q… in 10 min"), (5, "Quar…"), (1, "…"),
  ])
  func `a narrow bar cuts the title and keeps the time`(_ width: Int, _ text: String) throws {
    var agenda = Agenda()
    try agenda.add("Quarterly planning meeting", "2026-11-21T10:00", "2026-11-21T11:00")
    let bar = try agenda.bar(
      at: "2026-11-21T09:50", settings: BarSettings(maximumColumns: width))
    #expect(bar.text == text)
  }

  @Test func `the tooltip lists the day, all-day events first`() throws {
    var agenda = try weekend()
    try agenda.add("Holiday", from: "2026-11-21", to: "2026-11-22")
    agenda.series[0] = EventSeries(
      calendar: CalendarID("work"),
      master: agenda.series[0].master.map {
        var event = $0
        event.location = "Room\n4"
        return event
      })
    #expect(
      try agenda.bar(at: "2026-11-21T08:00").tooltip.text == """
        Saturday 21 November 2026
        all day      Holiday
        09:30–09:45  Standup · Room 4
        18:00–…      Party

        Tomorrow, Sunday 22 November 2026
        …–02:00      Party
        """)
  }

  @Test func `of many that run the one that began last is named, and all others are counted`()
    throws
  {
    var agenda = Agenda()
    for minute in 10..<28 {
      try agenda.add("Meeting \(minute)", "2026-11-21T09:\(minute)", "2026-11-21T11:\(minute)")
    }
    let bar = try agenda.bar(at: "2026-11-21T10:27")
    #expect(bar.text == "Meeting 27 · 1 h left +17")
    #expect(bar.others == 17)
    let snapshot = try agenda.snapshot(at: "2026-11-21T10:27")
    #expect(snapshot.now.first?.summary == "Meeting 18" && snapshot.nowMore == 8)
  }

  @Test func `of a day of which nothing is told, the tooltip has the date alone`() throws {
    var agenda = Agenda()
    try agenda.add("Standup", "2026-11-21T09:30", "2026-11-21T09:45")
    let now = try agenda.instant("2026-11-21T08:00")
    let bar = BarText(
      snapshot: try agenda.snapshot(at: now, privacy: .nothing), now: now, zone: agenda.zone,
      times: TimeText(.english), settings: BarSettings(privacy: .nothing))
    #expect(bar.text == "" && bar.tooltip.text == "Saturday 21 November 2026")
  }

  @Test func `a Chinese title is cut by the columns that it takes`() throws {
    var agenda = Agenda()
    try agenda.add("每周项目进度会议", "2026-11-21T09:30", "2026-11-21T09:45")
    func text(_ width: Int) throws -> String {
      try agenda.bar(
        at: "2026-11-21T09:33", settings: BarSettings(maximumColumns: width)
      ).text
    }
    #expect(try text(30) == "每周项目进度会议 · 12 min left")
    #expect(try text(29) == "每周项目进度会… · 12 min left")
    #expect(try text(28) == "每周项目进度… · 12 min left")
  }

  @Test func `the tooltip has tomorrow's events`() throws {
    #expect(
      try weekend().bar(at: "2026-11-22T08:00").tooltip.text == """
        Sunday 22 November 2026
        …–02:00      Party

        Tomorrow, Monday 23 November 2026
        09:00–10:00  Review
        """)
  }

  @Test func `a long day is counted`() throws {
    var agenda = Agenda()
    for number in 10..<90 {
      try agenda.add("E\(number)", "2026-11-21T08:00", "2026-11-21T10:00")
    }
    let lines = try agenda.bar(at: "2026-11-21T07:00").tooltip.text.split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines.last == "and 60 more")
  }

  @Test func `as many events are named as have room`() throws {
    var agenda = try weekend()
    try agenda.add("Lunch", "2026-11-21T12:00", "2026-11-21T13:00")
    func text(_ count: Int, width: Int = 60) throws -> String {
      try agenda.bar(
        at: "2026-11-21T09:33", settings: BarSettings(maximumColumns: width, count: count)
      ).text
    }
    #expect(try text(1) == "Standup · 12 min left")
    #expect(try text(2) == "Standup · 12 min left │ Lunch in 2 h 27 min")
    #expect(
      try text(3, width: 99) == "Standup · 12 min left │ Lunch in 2 h 27 min │ Party at 18:00")
    #expect(try text(3) == "Standup · 12 min left │ Lunch in 2 h 27 min │ Party at 18:00")
    #expect(try text(3, width: 57) == "Standup · 12 min left │ Lunch in 2 h 27 min")
    #expect(try text(3, width: 41) == "Standup · 12 min left")
    #expect(try text(3, width: 20) == "Stand… · 12 min left")
  }

  @Test func `events at the same time that are named are not counted besides`() throws {
    var agenda = Agenda()
    for title in ["A", "B", "C"] { try agenda.add(title, "2026-11-21T10:00", "2026-11-21T11:00") }
    let bar = try agenda.bar(at: "2026-11-21T09:50", settings: BarSettings(count: 2))
    #expect(bar.text == "A in 10 min +1 │ B in 10 min")
    #expect(bar.others == 1)
    let all = try agenda.bar(at: "2026-11-21T09:50", settings: BarSettings(count: 3))
    #expect(all.text == "A in 10 min │ B in 10 min │ C in 10 min" && all.classes == ["soon"])
  }

  @Test(arguments: [
    (0, "Talk · 20 min left +1"), (1, "Conference · until 17:00 +1"),
    (2, "Dinner at 19:00"), (3, "Holiday · all day"), (4, "Review tomorrow 09:00"),
    (5, "Review tomorrow 09:00"),
  ])
  func `events can be passed over, but for the last`(_ skip: Int, _ text: String) throws {
    var agenda = Agenda()
    try agenda.add("Holiday", from: "2026-11-21", to: "2026-11-22")
    try agenda.add("Review", "2026-11-22T09:00", "2026-11-22T10:00")
    try agenda.add("Conference", "2026-11-21T09:00", "2026-11-21T17:00")
    try agenda.add("Talk", "2026-11-21T10:00", "2026-11-21T10:30")
    try agenda.add("Dinner", "2026-11-21T19:00", "2026-11-21T20:00")
    let bar = try agenda.bar(at: "2026-11-21T10:10", settings: BarSettings(skip: skip))
    #expect(bar.text == text)
    #expect(bar.choices == 5)
  }

  @Test func `the short text is about the first event`() throws {
    var agenda = try weekend()
    try agenda.add("Quarterly planning meeting", "2026-11-21T09:35", "2026-11-21T10:00")
    let bar = try agenda.bar(at: "2026-11-21T09:20", settings: BarSettings(count: 2))
    #expect(bar.short == "Standup in 10 min")
    #expect(
      try agenda.bar(at: "2026-11-21T09:20", settings: BarSettings(skip: 1)).short
        == "Quarterly… in 15 min")
    #expect(try Agenda().bar(at: "2026-11-21T09:20").short == "")
  }

  @Test(arguments: [
    ("https://meet.example.org/a?b=c&d=%20#e", "https://meet.example.org/a?b=c&d=%20#e"),
    ("HTTP://x.example/'$(id)", "HTTP://x.example/%27%24(id)"),
    ("https://x.example/ y", ""), ("https://x.example/\"y", ""), ("https://x.example/`id`", ""),
    ("https://x.example/ü", ""), ("https://x.example/\\", ""), ("https://x.example/\n", ""),
    ("https://x.example/|y", ""), ("javascript:alert(1)", ""), ("file:///etc/passwd", ""),
    ("-https://x.example", ""), ("", ""),
  ])
  func `an address that a click may open ends no quotes of a shell`(
    _ address: String, _ link: String
  ) throws {
    var agenda = Agenda()
    try agenda.add("Call", "2026-11-21T10:00", "2026-11-21T11:00") { $0.url = address }
    #expect(try agenda.bar(at: "2026-11-21T09:50").event?.url == link)
  }
}
