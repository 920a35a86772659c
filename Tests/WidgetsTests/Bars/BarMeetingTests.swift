import CalendarModel
import CivilTime
import Messages
import TestSupport
import Testing
import Widgets

@Suite struct `A bar during a meeting` {
  private func meetings() throws -> Agenda {
    var agenda = Agenda()
    try agenda.add("Client call", "2026-11-21T09:00", "2026-11-21T10:00")
    try agenda.add("Board prep", "2026-11-21T09:39", "2026-11-21T10:30")
    return agenda
  }

  private func text(_ agenda: Agenda, _ now: String, width: Int = 60, count: Int = 1) throws
    -> String
  {
    try agenda.bar(
      at: now, settings: BarSettings(maximumColumns: width, count: count)
    ).text
  }

  @Test(arguments: [
    ("09:20", "Client call · 40 min left"),
    ("09:24", "Client call · 36 min left │ Board prep in 15 min"),
    ("09:35", "Client call · 25 min left │ Board prep in 4 min"),
    ("09:39", "Board prep · 51 min left +1"),
  ])
  func `the next one is shown when it begins soon`(_ time: String, _ expected: String) throws {
    let agenda = try meetings()
    let record = try agenda.record(at: "2026-11-21T\(time)")
    #expect(record.text == expected)
    // What is joined, and what the classes say, is the meeting that runs.
    let bar = try agenda.bar(at: "2026-11-21T\(time)")
    #expect(bar.state == .running && bar.classes.first == "running")
  }

  @Test func `the bar changes when it begins to be soon, and counts both down`() throws {
    var agenda = try meetings()
    try agenda.add("Long call", "2026-11-21T11:00", "2026-11-21T15:30")
    try agenda.add("Lunch", "2026-11-21T12:00:30", "2026-11-21T13:00")
    let before = try agenda.record(at: "2026-11-21T11:40")
    #expect(before.text == "Long call · until 15:30")
    #expect(before.changesAt == (try agenda.instant("2026-11-21T11:45:30")))
    let after = try agenda.record(at: "2026-11-21T11:45:30")
    #expect(after.text == "Long call · until 15:30 │ Lunch in 15 min")
    #expect(after.changesAt == (try agenda.instant("2026-11-21T11:46:30")))
  }

  @Test(arguments: [
    (50, "Client call · 25 min left │ Board prep in 4 min"),
    (44, "Client… · 25 min left │ Board prep in 4 min"),
    (35, "Cl… · 25 min left │ Board… in 4 min"),
    (34, "Client call · 25 min left"), (20, "Clien… · 25 min left"),
  ])
  func `titles are cut so that both times are seen, and in a narrow bar the meeting is alone`(
    _ width: Int, _ expected: String
  ) throws {
    let line = try text(meetings(), "2026-11-21T09:35", width: width)
    #expect(line == expected)
    #expect(line.columns <= width)
  }

  @Test func `one that begins later is named only where more are asked for`() throws {
    var agenda = Agenda()
    try agenda.add("Client call", "2026-11-21T09:00", "2026-11-21T10:00")
    try agenda.add("Lunch", "2026-11-21T12:00", "2026-11-21T13:00")
    #expect(try text(agenda, "2026-11-21T09:35") == "Client call · 25 min left")
    #expect(
      try text(agenda, "2026-11-21T09:35", count: 2)
        == "Client call · 25 min left │ Lunch in 2 h 25 min")
  }

  @Test func `an event over 24 hours displaces no meeting`() throws {
    var agenda = Agenda()
    try agenda.add("Client call", "2026-11-21T09:00", "2026-11-21T10:00")
    try agenda.add("On call", "2026-11-21T09:30", "2026-11-28T09:30")
    try agenda.add("Board prep", "2026-11-21T16:00", "2026-11-21T17:00")
    try agenda.add("Review", "2026-11-22T09:00", "2026-11-22T10:00")
    // It began last, and it begins before the meeting.
    #expect(try text(agenda, "2026-11-21T09:40") == "Client call · 20 min left")
    #expect(try text(agenda, "2026-11-21T10:30") == "Board prep at 16:00")
    #expect(try text(agenda, "2026-11-21T18:00") == "On call · until Sat 28 Nov 09:30")
    var other = Agenda()
    try other.add("Retreat", "2026-11-21T10:00", "2026-11-23T10:00")
    try other.add("Client call", "2026-11-21T11:00", "2026-11-21T12:00")
    #expect(try text(other, "2026-11-21T09:50") == "Client call in 1 h 10 min")
    // One of exactly a day is a meeting like others.
    var day = Agenda()
    try day.add("Client call", "2026-11-21T09:00", "2026-11-21T10:00")
    try day.add("Hackathon", "2026-11-21T09:30", "2026-11-22T09:30")
    #expect(try text(day, "2026-11-21T09:40") == "Hackathon · until tomorrow 09:30 +1")
  }
}

@Suite struct `A bar while a reminder is due` {
  private func agenda(minutesBefore: Int64 = 30) throws -> Agenda {
    var agenda = Agenda()
    try agenda.add("Client call", "2026-11-21T09:00", "2026-11-21T10:00")
    try agenda.add("Dentist", "2026-11-21T10:30", "2026-11-21T11:00") {
      $0.url = "https://example.org/42"
    }
    let dentist = try #require(
      try agenda.occurrences(in: .always).first { $0.event.summary == "Dentist" })
    agenda.reminders = [reminder(of: dentist, minutesBefore: minutesBefore)]
    return agenda
  }

  @Test(arguments: [
    ("09:35", "Reminder: Dentist in 55 min │ Client call · 25 min left", BarText.State.upcoming),
    ("10:20", "Reminder: Dentist in 10 min", .soon),
    ("10:40", "Reminder: Dentist · 20 min left", .running),
    ("11:30", "Reminder: Dentist 10:30", .idle),
  ])
  func `its text is about the reminder, then about the meeting`(
    _ time: String, _ text: String, _ state: BarText.State
  ) throws {
    let bar = try agenda().bar(at: "2026-11-21T\(time)")
    #expect(bar.text == text)
    #expect(bar.state == state)
    #expect(bar.classes == [state.rawValue, "reminder"])
    #expect(bar.event?.summary == "Dentist")
    // It is over by then, and only the day's list still has its address.
    #expect(bar.event?.url == "https://example.org/42")
  }

  @Test func `the others are counted, and can be turned to`() throws {
    var agenda = try agenda()
    try agenda.add("Tea", "2026-11-21T10:45", "2026-11-21T11:00")
    let tea = try #require(
      try agenda.occurrences(in: .always).first { $0.event.summary == "Tea" })
    agenda.reminders.append(reminder(of: tea, minutesBefore: 20))
    func bar(_ skip: Int) throws -> BarText {
      try agenda.bar(at: "2026-11-21T10:26", settings: BarSettings(skip: skip))
    }
    #expect(try bar(0).text == "Reminder: Dentist in 4 min +1")
    #expect(try bar(0).classes == ["soon", "reminder"])
    #expect(try bar(1).text.hasPrefix("Reminder: Tea in 19 min"))
    #expect(try bar(0).choices == 2)
  }

  @Test(arguments: [
    ("13:47", "Tea break", ["Hotfix": "13:52", "Tea break": "13:49"]),
    ("14:00", "Check-in", ["Phone call": "14:04", "Check-in": "14:00"]),
    ("14:02", "Check-in", ["Phone call": "14:04", "Check-in": "14:00"]),
    ("14:03", "Phone call", ["Phone call": "14:04", "Check-in": "14:00"]),
    // Those that are over come last, the one that began last before the others.
    ("15:00", "Far", ["Over": "13:59", "Far": "17:00"]),
    ("15:30", "Later", ["Over": "13:59", "Later": "14:10"]),
    ("13:47", "A", ["B": "13:52", "A": "13:52"]),
  ])
  func `of several the one whose event is the most urgent is named, and snoozed by a click`(
    _ time: String, _ title: String, _ starts: [String: String]
  ) throws {
    for starts in [Array(starts), Array(starts).reversed()] {
      var agenda = Agenda()
      for (title, start) in starts {
        let hour = try #require(Int(start.prefix(2)))
        try agenda.add(title, "2026-11-21T\(start)", "2026-11-21T\(hour + 1)\(start.dropFirst(2))")
      }
      let due = try agenda.instant("2026-11-21T13:00")
      agenda.reminders = try agenda.occurrences(in: .always).map {
        reminder(of: $0, minutesBefore: ($0.span.start.seconds - due.seconds) / 60)
      }
      let bar = try agenda.bar(at: "2026-11-21T\(time)")
      #expect(bar.event?.summary == title)
      #expect(bar.reminder?.summary == title)
      let other = try agenda.bar(at: "2026-11-21T\(time)", settings: BarSettings(skip: 1))
      #expect(other.event?.summary != title && other.event?.summary == other.reminder?.summary)
    }
  }

  @Test func `the bar changes when another reminder becomes the most urgent`() throws {
    var agenda = Agenda()
    try agenda.add("Check-in", "2026-11-21T14:00", "2026-11-21T15:00")
    try agenda.add("Phone call", "2026-11-21T14:05", "2026-11-21T15:00")
    agenda.reminders = try agenda.occurrences(in: .always).map {
      reminder(of: $0, minutesBefore: 30)
    }
    var times: [String] = []
    var next: Timestamp? = try agenda.instant("2026-11-21T14:00")
    while let now = next, times.count < 5 {
      let snapshot = try agenda.snapshot(at: now)
      let record = BarRecord(
        .plain, snapshot: snapshot, now: now, zone: agenda.zone, times: TimeText(.english),
        settings: BarSettings(template: try BarTemplate("{summary}")))
      times.append("\(now.seconds % 3600) \(record.text)")
      next = record.changesAt
    }
    // At 14:02:31 the call is the nearer one.
    #expect(times.prefix(2) == ["0 Reminder: Check-in", "151 Reminder: Phone call"])
  }

  @Test func `a reminder without a duration is urgent for a minute after its time`() throws {
    var agenda = Agenda()
    try agenda.add("Pills", "2026-11-21T14:00", "2026-11-21T14:00")
    try agenda.add("Walk", "2026-11-21T14:20", "2026-11-21T15:00")
    agenda.reminders = try agenda.occurrences(in: .always).map {
      reminder(of: $0, minutesBefore: 30)
    }
    func title(_ time: String) throws -> String? {
      try agenda.bar(at: "2026-11-21T\(time)").event?.summary
    }
    #expect(try title("14:00:59") == "Pills")
    #expect(try title("14:01") == "Walk")
  }

  @Test func `a click snoozes the most urgent where no reminder is named`() throws {
    var agenda = try agenda()
    agenda.quiet = SnapshotQuiet(until: .latest)
    #expect(try agenda.bar(at: "2026-11-21T10:10").reminder?.summary == "Dentist")
    agenda.reminders = []
    #expect(try agenda.bar(at: "2026-11-21T10:10").reminder == nil)
  }

  @Test func `one that is snoozed is not in it`() throws {
    var agenda = try agenda()
    let dentist = try #require(
      try agenda.occurrences(in: .always).first { $0.event.summary == "Dentist" })
    agenda.reminders = [reminder(of: dentist, minutesBefore: 30, state: .snoozed)]
    #expect(try agenda.bar(at: "2026-11-21T10:10").text == "Dentist in 20 min")
  }

  @Test(arguments: [
    (56, "Reminder: Dentist in 55 min │ Client call · 25 min left"),
    (54, "Dentist in 55 min │ Client call · 25 min left"),
    (45, "Dentist in 55 min │ Client call · 25 min left"),
    (44, "Reminder: Dentist in 55 min"), (27, "Reminder: Dentist in 55 min"),
    (26, "Dentist in 55 min"), (17, "Dentist in 55 min"), (16, "Denti… in 55 min"),
  ])
  func `a narrow bar leaves out the word, then the meeting, and cuts the title last`(
    _ width: Int, _ text: String
  ) throws {
    let bar = try agenda().bar(
      at: "2026-11-21T09:35", settings: BarSettings(maximumColumns: width))
    #expect(bar.text == text)
    #expect(bar.text.columns <= width)
  }

  @Test(arguments: [
    (60, "Reminder: Dentist in 4 min │ Reminder: Tea in 19 min"),
    (50, "Dentist in 4 min │ Tea in 19 min"), (30, "Reminder: Dentist in 4 min +1"),
  ])
  func `the word is left out of all reminders that a narrow bar names`(
    _ width: Int, _ text: String
  ) throws {
    var agenda = Agenda()
    try agenda.add("Dentist", "2026-11-21T10:30", "2026-11-21T11:00")
    try agenda.add("Tea", "2026-11-21T10:45", "2026-11-21T11:00")
    agenda.reminders = try agenda.occurrences(in: .always).map {
      reminder(of: $0, minutesBefore: 20)
    }
    let settings = BarSettings(maximumColumns: width, count: 2)
    #expect(try agenda.bar(at: "2026-11-21T10:26", settings: settings).text == text)
  }
}

@Suite struct `A bar in quiet time` {
  private func agenda(until: String) throws -> Agenda {
    var agenda = Agenda()
    try agenda.add("Standup", "2026-11-21T09:30", "2026-11-21T09:45")
    let end = try agenda.instant(until)
    agenda.quiet = SnapshotQuiet(until: end, nextChange: end)
    return agenda
  }

  @Test func `it has a sign, a class and a line, up to the end`() throws {
    let agenda = try agenda(until: "2026-11-21T09:25")
    let record = try agenda.record(at: "2026-11-21T06:00")
    #expect(record.text == "☾ Standup at 09:30")
    let bar = try agenda.bar(at: "2026-11-21T09:24")
    #expect(bar.text == "☾ Standup in 6 min" && bar.short == bar.text)
    #expect(bar.classes == ["soon", "quiet"])
    #expect(bar.tooltip.text.contains("\nQuiet until 09:25"))
    #expect(
      try agenda.record(at: "2026-11-21T09:24").changesAt
        == (try agenda.instant("2026-11-21T09:25")))
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:24")
    #expect(snapshot.nextChange == snapshot.quietUntil)
    let now = try agenda.instant("2026-11-21T09:25")
    let after = BarText(snapshot: snapshot, now: now, zone: agenda.zone, times: TimeText(.english))
    #expect(after.text == "Standup in 5 min" && after.classes == ["soon"])
  }

  @Test func `also where there is no event, and without an end`() throws {
    var agenda = Agenda()
    agenda.quiet = SnapshotQuiet(until: .latest)
    let bar = try agenda.bar(at: "2026-11-21T09:24")
    #expect(bar.text == "☾" && bar.classes == ["none", "quiet"])
    #expect(bar.tooltip.text.contains("\nQuiet: notifications are held back"))
    #expect(try agenda.record(at: "2026-11-21T09:24").changesAt == nil)
  }

  @Test func `reminders that are held back do not take the text`() throws {
    var agenda = try agenda(until: "2026-11-21T18:00")
    let standup = try #require(try agenda.occurrences(in: .always).first)
    agenda.reminders = [reminder(of: standup, minutesBefore: 15)]
    let bar = try agenda.bar(at: "2026-11-21T09:20")
    #expect(bar.text == "☾ Standup in 10 min" && bar.classes == ["soon", "quiet"])
  }

  @Test func `the width holds for the sign, too, and a tiny bar has none`() throws {
    let agenda = try agenda(until: "2026-11-21T18:00")
    for width in 1...20 {
      let bar = try agenda.bar(
        at: "2026-11-21T09:20", settings: BarSettings(maximumColumns: width))
      #expect(bar.text.columns <= width)
      #expect(bar.text.hasPrefix("☾") == (width >= 8))
    }
  }
}
