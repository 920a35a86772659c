import CalendarModel
import CivilTime
import TestSupport
import Testing
import Widgets

@Suite struct `What runs and what comes next` {
  private func hours(_ from: String, _ to: String) throws -> WeeklyHours {
    WeeklyHours([
      WeeklyHours.Part(
        days: Set(Weekday.allCases), start: try TimeOfDay(text: from), end: try TimeOfDay(text: to))
    ])
  }

  @Test func `what was declined neither runs nor comes next, and is in its days with a mark`()
    throws
  {
    var agenda = Agenda()
    try agenda.add("Running", "2026-11-21T09:00", "2026-11-21T10:00") { $0.attendees = declined }
    try agenda.add("Coming", "2026-11-21T10:00", "2026-11-21T11:00") { $0.attendees = declined }
    try agenda.add("Lunch", "2026-11-21T12:00", "2026-11-21T13:00") {
      $0.attendees = [declined[1], Attendee(address: "mailto:me@example.org")]
    }
    let snapshot = try agenda.snapshot(at: "2026-11-21T09:30")
    #expect(snapshot.now.isEmpty && snapshot.next.map(\.summary) == ["Lunch"])
    #expect(snapshot.today.map(\.isDeclined) == [true, true, false])
    #expect(snapshot.days.flatMap(\.events).map(\.isDeclined) == [true, true, false])
    #expect(snapshot.month?.events.map(\.isDeclined) == [true, true, false])
    // Nothing of it steps when they begin and end.
    #expect(snapshot.nextChange == (try agenda.instant("2026-11-21T12:00")))
    let all = try agenda.snapshot(
      at: "2026-11-21T09:30", counted: CountedEvents(includesDeclined: true))
    #expect(all.now.map(\.summary) == ["Running"] && all.now[0].isDeclined)
    #expect(all.next.map(\.summary) == ["Coming", "Lunch"])
  }

  @Test func `what does not count takes no room from what does`() throws {
    var agenda = Agenda()
    for minute in 10..<40 {
      try agenda.add("Early \(minute)", "2026-11-21T06:\(minute)", "2026-11-21T06:59")
      try agenda.add("No", "2026-11-21T08:\(minute)", "2026-11-21T09:00") {
        $0.attendees = declined
      }
    }
    try agenda.add("Work", "2026-11-21T10:00", "2026-11-21T18:00")
    let counted = CountedEvents(hours: try hours("09:00", "17:00"))
    let snapshot = try agenda.snapshot(at: "2026-11-21T05:00", counted: counted)
    #expect(snapshot.next.map(\.summary) == ["Work"])
    #expect(snapshot.today.count == 50 && snapshot.todayMore == 11)
    // Of those that run there is room for ten.
    let running = try agenda.snapshot(
      at: "2026-11-21T06:50", counted: CountedEvents(hours: try hours("06:55", "06:56")))
    #expect(running.now.count == 10 && running.nowMore == 20)
    #expect(try agenda.snapshot(at: "2026-11-21T06:50", counted: counted).now.isEmpty)
  }

  @Test func `as many come next as are asked for`() throws {
    var agenda = Agenda()
    for minute in 10..<40 {
      try agenda.add("\(minute)", "2026-11-21T06:\(minute)", "2026-11-21T07:00")
    }
    let now = "2026-11-21T05:00"
    #expect(try agenda.snapshot(at: now).next.count == 5)
    let settings = SnapshotSettings(nextCount: 20)
    #expect(try agenda.snapshot(at: now, settings: settings).next.count == 20)
    #expect(BarSettings(count: 5).nextRows == nil)
    #expect(BarSettings(count: 20).nextRows == 20)
    #expect(BarSettings(count: 20, skip: 90).nextRows == 100)
  }
}
