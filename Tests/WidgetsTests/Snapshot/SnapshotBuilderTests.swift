import CalendarModel
import CivilTime
import TestSupport
import Testing
import Widgets

@Suite struct `The snapshot of a calendar` {
  @Test func `what runs, what is next and what is over today are told apart`() throws {
    var agenda = Agenda()
    try agenda.add("Over", "2026-11-21T08:00", "2026-11-21T09:00")
    try agenda.add("Runs", "2026-11-21T09:00", "2026-11-21T10:00")
    try agenda.add("Next", "2026-11-21T11:00", "2026-11-21T12:00")
    try agenda.add("Later", "2026-11-23T11:00", "2026-11-23T12:00")
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    #expect(snapshot.now.map(\.summary) == ["Runs"])
    #expect(snapshot.next.map(\.summary) == ["Next", "Later"])
    #expect(snapshot.today.map(\.summary) == ["Over", "Runs", "Next"])
    #expect(snapshot.date.description == "2026-11-21")
    #expect(snapshot.timeZone == "Europe/Berlin")
    #expect(snapshot.utcOffset.seconds == 3600)
    #expect(snapshot.nextChange == (try agenda.instant("2026-11-21T10:00")))
  }

  @Test func `an event runs from its first second up to its end`() throws {
    var agenda = Agenda()
    try agenda.add("Standup", "2026-11-21T09:00", "2026-11-21T09:15")
    let start = try agenda.instant("2026-11-21T09:00")
    #expect(try agenda.snapshot(at: start.adding(seconds: -1)).now.isEmpty)
    #expect(try agenda.snapshot(at: start).now.count == 1)
    #expect(try agenda.snapshot(at: start).next.isEmpty)
    #expect(try agenda.snapshot(at: start.adding(seconds: 899)).now.count == 1)
    #expect(try agenda.snapshot(at: start.adding(seconds: 900)).now.isEmpty)
  }

  @Test func `an event without length is next until it happens, and never runs`() throws {
    var agenda = Agenda()
    try agenda.add("Pills", "2026-11-21T12:00", "2026-11-21T12:00")
    #expect(try agenda.snapshot(at: "2026-11-21T11:59:59").next.count == 1)
    let then = try agenda.snapshot(at: "2026-11-21T12:00")
    #expect(then.next.isEmpty && then.now.isEmpty)
    #expect(then.today.count == 1)
  }

  @Test func `the days are those around today, without a gap`() throws {
    let snapshot = try Agenda().snapshot(at: "2026-11-21T09:30")
    #expect(snapshot.days.count == 29)
    #expect(snapshot.days.first?.date.description == "2026-11-07")
    #expect(snapshot.days[14].date == snapshot.date)
    #expect(snapshot.days.last?.date.description == "2026-12-05")
    let narrow = try Agenda().snapshot(
      at: "2026-11-21T09:30", settings: SnapshotSettings(daysBefore: 0, daysAfter: 2))
    #expect(narrow.days.map(\.date.day) == [21, 22, 23])
  }

  @Test func `an event of several days is in each of them, and not in the day it ends at`() throws {
    var agenda = Agenda()
    try agenda.add("Holiday", from: "2026-11-20", to: "2026-11-23")
    try agenda.add("Party", "2026-11-21T22:00", "2026-11-22T02:00")
    try agenda.add("Until midnight", "2026-11-21T22:30", "2026-11-22T00:00")
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    let days = snapshot.days.filter { !$0.events.isEmpty }
    #expect(days.map(\.date.day) == [20, 21, 22])
    #expect(
      days.map { $0.events.map(\.summary) } == [
        ["Holiday"], ["Holiday", "Party", "Until midnight"], ["Holiday", "Party"],
      ])
    #expect(snapshot.today.count == 3)
    #expect(snapshot.now.isEmpty, "an all-day event is no timed one")
  }

  @Test func `what begins together comes by calendar, then title, then uid, in every list`() throws
  {
    var agenda = Agenda()
    try agenda.add("zebra", "2026-11-21T10:00", "2026-11-21T10:30")
    try agenda.add("Apple", "2026-11-21T10:00", "2026-11-21T11:00")
    try agenda.add("bread", "2026-11-21T10:00", "2026-11-21T10:15")
    try agenda.add("Aunt", "2026-11-21T10:00", "2026-11-21T10:05", calendar: "home")
    try agenda.add("Fair", from: "2026-11-21", to: "2026-11-22", calendar: "home")
    try agenda.add("aïoli", from: "2026-11-21", to: "2026-11-22", calendar: "home")
    try agenda.add("Zoo", from: "2026-11-21", to: "2026-11-22", calendar: "work")
    let timed = ["Apple", "bread", "zebra", "Aunt"]
    let days = ["Zoo", "aïoli", "Fair"]
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:00")
    #expect(snapshot.next.map(\.summary) == timed)
    #expect(snapshot.today.map(\.summary) == days + timed)
    #expect(snapshot.days[14].events.map(\.summary) == days + timed)
    #expect(snapshot.month?.events.map(\.summary).prefix(3) == days[...])
    #expect(try agenda.snapshot(at: "2026-11-21T10:02").now.map(\.summary) == timed)
    #expect(
      try agenda.bar(at: "2026-11-21T09:00").tooltip.text.split(separator: "\n").dropFirst().map {
        $0.split(separator: "  ").last.map(String.init)
      } == days + timed)
    // Nobody is to know what orders them.
    let busy = try agenda.snapshot(at: try agenda.instant("2026-11-21T09:00"), privacy: .busy)
    #expect(busy.next.map(\.end) == busy.next.map(\.end).sorted())
  }

  @Test func `rows of days are short, those of today are whole`() throws {
    var agenda = Agenda()
    try agenda.add("Review", "2026-11-21T09:00", "2026-11-21T10:00") {
      $0.location = "Room 4"
      $0.url = "https://meet.jit.si/Review"
      $0.color = EventColor(red: 1, green: 2, blue: 3)
    }
    let snapshot = try agenda.snapshot(at: "2026-11-21T08:00")
    let row = try #require(snapshot.today.first)
    #expect(row.startText == "2026-11-21T09:00:00+01:00")
    #expect(row.endText == "2026-11-21T10:00:00+01:00")
    #expect(row.timeZone == "Europe/Berlin")
    #expect(row.location == "Room 4")
    #expect(row.joinURL == "https://meet.jit.si/Review")
    #expect(row.color?.text == "#010203")
    #expect(!row.isRecurring && row.recurrenceID == "")
    let short = try #require(snapshot.days[14].events.first)
    #expect(short.summary == "Review" && short.color?.text == "#010203")
    #expect(short.location == "" && short.startText == "" && short.joinURL == "")
  }

  @Test func `an all-day row has dates as text, and local midnights as instants`() throws {
    var agenda = Agenda()
    try agenda.add("Holiday", from: "2026-11-21", to: "2026-11-23")
    let row = try #require(try agenda.snapshot(at: "2026-11-21T08:00").today.first)
    #expect(row.isAllDay)
    #expect(row.startText == "2026-11-21" && row.endText == "2026-11-23")
    #expect(row.start == (try agenda.instant("2026-11-21T00:00")))
    #expect(row.timeZone == "")
    #expect(row.color == EventColor.palette[1], "the calendar's colour")
  }

  @Test func `each occurrence of a series has its own recurrence id`() throws {
    var agenda = Agenda()
    try agenda.add("Course", "2026-11-21T09:00", "2026-11-21T10:00") {
      $0.recurrence.added = [
        AddedDate(start: .utc(Timestamp(seconds: 1_795_335_000))),
        AddedDate(start: .utc(Timestamp(seconds: 1_798_000_000))),
      ]
    }
    let snapshot = try agenda.snapshot(at: "2026-11-21T08:00")
    #expect(snapshot.next.map(\.recurrenceID) == ["20261121T080000Z", "20261122T081000Z"])
    #expect(snapshot.next.allSatisfy { $0.isRecurring && $0.uid == "event-1@example.org" })
  }

  @Test func `a cancelled event is in its day, and neither runs nor comes`() throws {
    var agenda = Agenda()
    try agenda.add("Off", "2026-11-21T09:00", "2026-11-21T10:00") { $0.status = .cancelled }
    let before = try agenda.snapshot(at: "2026-11-21T08:00")
    #expect(before.next.isEmpty && before.today.map(\.status) == [.cancelled])
    #expect(try agenda.snapshot(at: "2026-11-21T09:30").now.isEmpty)
    #expect(before.nextChange == (try agenda.instant("2026-11-22T00:00")))
  }

  @Test func `hidden and unknown calendars are passed over`() throws {
    var agenda = Agenda()
    agenda.calendars[1].isVisible = false
    try agenda.add("Hidden", "2026-11-21T09:00", "2026-11-21T10:00", calendar: "home")
    try agenda.add("Unknown", "2026-11-21T09:00", "2026-11-21T10:00", calendar: "gone")
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    #expect(snapshot.now.isEmpty && snapshot.today.isEmpty)
    #expect(snapshot.calendars.map(\.id) == ["work"])
  }

  @Test func `pending reminders are listed soonest first, others are not`() throws {
    var agenda = Agenda()
    try agenda.add("Standup", "2026-11-21T09:00", "2026-11-21T10:00")
    let occurrence = try #require(try agenda.occurrences(in: .always).first)
    agenda.reminders = [
      reminder(of: occurrence, minutesBefore: 5, state: .snoozed),
      reminder(of: occurrence, minutesBefore: 15),
      reminder(of: occurrence, minutesBefore: 30, state: .acknowledged),
    ]
    let snapshot = try agenda.snapshot(at: "2026-11-21T08:50")
    #expect(snapshot.reminders.map(\.state) == [.due, .snoozed])
    #expect(snapshot.reminders.map(\.snoozes) == [0, 1])
    #expect(snapshot.reminders[0].id == agenda.reminders[1].id)
  }

  @Test func `the order in which occurrences are given does not matter`() throws {
    var agenda = Agenda()
    try agenda.add("B", "2026-11-21T09:00", "2026-11-21T10:00")
    try agenda.add("A", "2026-11-21T08:00", "2026-11-21T10:00")
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    agenda.series.reverse()
    agenda.calendars.reverse()
    #expect(try agenda.snapshot(at: "2026-11-21T09:30").json == snapshot.json)
    #expect(snapshot.now.map(\.summary) == ["A", "B"])
  }
}

@Suite struct `The size of a snapshot` {
  @Test func `an ordinary busy month is whole`() throws {
    var agenda = Agenda()
    for day in 7...30 {
      let date = "2026-11-" + (day < 10 ? "0\(day)" : "\(day)")
      for hour in 10...15 {
        try agenda.add("Meeting with the team", "\(date)T\(hour):00", "\(date)T\(hour):45") {
          $0.location = "Room \(hour), Example Street 12"
          $0.url = "https://meet.jit.si/TeamMeeting\(hour)"
        }
      }
    }
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    #expect(snapshot.days.allSatisfy { $0.more == 0 })
    #expect(snapshot.json.count < 65_536)
  }

  @Test func `a flood is counted instead of listed, and stays in bounds`() throws {
    var agenda = Agenda()
    let title = String(repeating: "\u{1B}\u{7}", count: 1000)
    for _ in 0..<300 {
      try agenda.add(title, "2026-11-21T09:00", "2026-11-21T10:00") {
        $0.location = title
        $0.url = title
      }
    }
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    #expect(snapshot.json.count <= 65_536)
    #expect(snapshot.now.count + snapshot.nowMore == 300)
    #expect(snapshot.today.count + snapshot.todayMore == 300)
    #expect(snapshot.days[14].events.count + snapshot.days[14].more == 300)
  }

  @Test func `two years of days with the greatest rows stay in bounds`() throws {
    var agenda = Agenda()
    let greatest = String(repeating: "\u{1}", count: 5000)
    agenda.calendars[0].name = greatest
    agenda.sources = (0..<40).map {
      SnapshotSource(id: "\($0)", name: greatest, state: .stale, text: greatest)
    }
    try agenda.add(greatest, from: "2026-01-01", to: "2027-12-31", calendar: "work")
    for hour in 10...19 {
      try agenda.add(greatest, "2026-11-21T\(hour):00", "2026-11-21T\(hour):30") {
        $0.location = greatest
        $0.uid = EventUID(String(repeating: "\u{1}", count: 512))
        $0.url = String(repeating: "\u{1}", count: 1000)
      }
    }
    let snapshot = try agenda.snapshot(
      at: "2026-11-21T09:30",
      settings: SnapshotSettings(daysBefore: 999, daysAfter: 999, maximumOctets: 1))
    #expect(snapshot.days.count == 733)
    #expect(snapshot.json.count <= 49_152)
  }

  @Test func `texts are cut to 200 characters, what must be whole is left out`() throws {
    var agenda = Agenda()
    try agenda.add(
      String(repeating: "ä", count: 300), "2026-11-21T09:00", "2026-11-21T10:00"
    ) {
      $0.uid = EventUID(String(repeating: "u", count: 513))
      $0.url = "https://example.org/" + String(repeating: "x", count: 1000)
    }
    let row = try #require(try agenda.snapshot(at: "2026-11-21T09:30").today.first)
    #expect(row.summary == String(repeating: "ä", count: 199) + "…")
    #expect(row.uid == "" && row.url == "")
  }
}
