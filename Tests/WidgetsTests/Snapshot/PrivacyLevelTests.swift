import CalendarModel
import CivilTime
import Messages
import Testing
import TestSupport
import Widgets

@Suite struct `What somebody gets to see` {
  /// A day with a secret in each text that an event has.
  private func agenda() throws -> Agenda {
    var agenda = Agenda()
    agenda.calendars[0].name = "secret calendar"
    try agenda.add("secret talk", "2026-11-21T09:30", "2026-11-21T10:30") {
      $0.location = "secret room"
      $0.url = "https://secret.example.org/"
      $0.color = EventColor(red: 1, green: 2, blue: 3)
    }
    try agenda.add("secret walk", "2026-11-21T12:00", "2026-11-21T13:00") { $0.isBusy = false }
    try agenda.add("secret journey", from: "2026-11-21", to: "2026-11-24")
    try agenda.add("secret birthday", from: "2026-11-22", to: "2026-11-23") { $0.isBusy = false }
    let occurrences = try agenda.occurrences(in: .always)
    agenda.reminders = [reminder(of: occurrences[0], minutesBefore: 10)]
    return agenda
  }

  private func snapshot(_ level: PrivacyLevel) throws -> SnapshotV1 {
    let agenda = try agenda()
    let now = try agenda.instant("2026-11-21T09:32")
    return try agenda.snapshot(at: now, privacy: level)
  }

  private func text(_ snapshot: SnapshotV1) -> String {
    String(decoding: snapshot.json, as: UTF8.self)
  }

  @Test func `with titles it is all there is`() throws {
    let agenda = try agenda()
    #expect(try snapshot(.titles) == agenda.snapshot(at: "2026-11-21T09:32"))
  }

  @Test func `busy says when, and nothing of what, where and in which calendar`() throws {
    let snapshot = try snapshot(.busy)
    let text = text(snapshot)
    for word in ["secret", "event-", "#010203", "work", "home", "RFC", "+01:00"] {
      #expect(!text.contains(word), "\(word) is in it")
    }
    #expect(snapshot.now.map(\.summary) == ["Busy"])
    #expect(snapshot.now.map(\.start) == [try agenda().instant("2026-11-21T09:30")])
    #expect(snapshot.calendars.isEmpty)
    #expect(snapshot.reminders.map(\.summary) == ["Busy"])
  }

  @Test func `what was declined takes up no time`() throws {
    var agenda = Agenda()
    try agenda.add("Sales call", "2026-11-21T09:30", "2026-11-21T10:30") { $0.attendees = declined }
    let now = try agenda.instant("2026-11-21T09:40")
    let snapshot = try agenda.snapshot(
      at: now, privacy: .busy, counted: CountedEvents(includesDeclined: true))
    #expect(snapshot.now.isEmpty && snapshot.today.isEmpty)
    #expect(snapshot.month?.events.isEmpty == true)
    #expect(try agenda.snapshot(at: now).today.count == 1)
  }

  @Test func `what leaves the time free is not among the busy`() throws {
    let snapshot = try snapshot(.busy)
    #expect(snapshot.next.isEmpty)
    #expect(snapshot.today.count == 2)
    let month = try #require(snapshot.month)
    #expect(month.events.count == 2)
    let sunday = try #require(month.days.first { $0.date.description == "2026-11-22" })
    #expect(sunday.bars.count == 1)
    #expect(sunday.dots == [EventColor.palette[7]])
    #expect(sunday.marker == EventColor.palette[7])
    #expect(month.lanes == 2)
  }

  @Test func `nothing is days without events, that change at midnight`() throws {
    let snapshot = try snapshot(.nothing)
    #expect(snapshot.now.isEmpty && snapshot.today.isEmpty && snapshot.reminders.isEmpty)
    #expect(snapshot.days.count == 29 && snapshot.days.allSatisfy { $0.events.isEmpty })
    #expect(snapshot.nextChange == (try agenda().instant("2026-11-22T00:00")))
    let month = try #require(snapshot.month)
    #expect(month.days.count == 42 && month.events.isEmpty && month.lanes == 0)
    #expect(month.days.allSatisfy { $0.bars.isEmpty && $0.dots.isEmpty && $0.marker == nil })
    #expect(!text(snapshot).contains("secret"))
  }

  @Test(arguments: PrivacyLevel.allCases)
  func `what is left is a snapshot that is read back`(
    _ level: PrivacyLevel
  ) throws {
    let once = try snapshot(level)
    #expect(try SnapshotV1(json: once.json) == once)
  }

  @Test func `free events take no room from the busy ones, however many there are`() throws {
    var agenda = Agenda()
    // The list of what is next has five rows, a day of the month three lanes.
    for hour in 10...16 {
      try agenda.add("free", "2026-11-21T\(hour):00", "2026-11-21T\(hour):30") { $0.isBusy = false }
    }
    for _ in 0..<3 {
      try agenda.add("holiday", from: "2026-11-20", to: "2026-11-24") { $0.isBusy = false }
    }
    try agenda.add("off", "2026-11-21T17:00", "2026-11-21T18:00") { $0.status = .cancelled }
    try agenda.add("meeting", "2026-11-21T20:00", "2026-11-21T21:00")
    let now = try agenda.instant("2026-11-21T09:32")
    let snapshot = try agenda.snapshot(at: now, privacy: .busy)
    let start = try agenda.instant("2026-11-21T20:00")
    #expect(snapshot.next.map(\.start) == [start])
    #expect(snapshot.nextChange == start, "no end of what nobody is to know of")
    let day = try #require(snapshot.month?.days.first { $0.isToday })
    #expect(day.bars.map(\.lane) == [0] && day.more == 0 && day.dots.count == 1)
    #expect(snapshot.month?.events.map(\.start) == [start])
    let bar = BarText(snapshot: snapshot, now: now, zone: agenda.zone, times: TimeText(.english))
    #expect(bar.text == "Busy at 20:00")
  }

  @Test func `no count tells of what is left out`() throws {
    var agenda = Agenda()
    for number in 0..<60 {
      try agenda.add("free", "2026-11-21T09:00", "2026-11-21T10:00") {
        if number.isMultiple(of: 2) { $0.isBusy = false } else { $0.status = .cancelled }
      }
    }
    let now = try agenda.instant("2026-11-21T09:32")
    let whole = try agenda.snapshot(at: now)
    #expect(whole.nowMore > 0 && whole.todayMore > 0, "there is something to be told")
    let snapshot = try agenda.snapshot(at: now, privacy: .busy)
    #expect(snapshot.nowMore == 0 && snapshot.todayMore == 0)
    #expect(snapshot.days.allSatisfy { $0.more == 0 && $0.events.isEmpty })
    let days = snapshot.month?.days ?? []
    #expect(days.count == 42 && days.allSatisfy { $0.more == 0 && $0.dots.isEmpty })
  }

  @Test func `of the busy are neither free, cancelled and done things, nor their reminders`() throws
  {
    var event = Event(uid: EventUID("a"), start: .date(try CivilDate(text: "2026-11-21")))
    #expect(
      PrivacyLevel.busy.admits(event, ownAddresses: [])
        && PrivacyLevel.titles.admits(event, ownAddresses: []))
    #expect(!PrivacyLevel.nothing.admits(event, ownAddresses: []))
    event.isBusy = false
    #expect(
      !PrivacyLevel.busy.admits(event, ownAddresses: [])
        && PrivacyLevel.titles.admits(event, ownAddresses: []))
    event.isBusy = true
    event.status = .cancelled
    #expect(!PrivacyLevel.busy.admits(event, ownAddresses: []))
  }

  @Test func `a bar shows that one is busy, and a link nobody can follow`() throws {
    let agenda = try agenda()
    let now = try agenda.instant("2026-11-21T09:32")
    let bar = BarText(
      snapshot: try snapshot(.busy), now: now, zone: agenda.zone, times: TimeText(.english))
    #expect(bar.text.hasPrefix("Reminder: Busy · 58 min left"))
    #expect(!bar.tooltip.text.contains("secret"))
    #expect(bar.event?.joinURL == "" && bar.event?.uid == "")
  }
}

@Suite struct `The colours of a theme` {
  @Test(arguments: [Theme.light, .dark])
  func `text can be read on both grounds, and today is seen`(_ theme: Theme) {
    for ground in [theme.background, theme.surface] {
      #expect(theme.text.contrast(with: ground) >= 7)
      #expect(theme.muted.contrast(with: ground) >= 4.5)
      #expect(theme.accent.contrast(with: ground) >= 4.5)
    }
    #expect(theme.accent.readableText.contrast(with: theme.accent) >= 4.5)
    #expect(Theme.of(theme.scheme) == theme)
  }
}
