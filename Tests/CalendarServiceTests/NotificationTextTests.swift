import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import CalendarService

@Suite struct `What a notification says` {
  private let zone = FixedZones.shared["Europe/Berlin"]

  private func reminder(
    _ summary: String, _ start: String, _ end: String
  ) throws -> Reminder {
    let span = TimeSpan(start: try Timestamp(text: start), end: try Timestamp(text: end))
    return Reminder(
      key: ReminderKey(
        calendar: CalendarID("personal"), uid: EventUID("a"), recurrenceID: "", alarm: "1",
        trigger: span.start.adding(seconds: -900)),
      summary: summary, location: "", joinURL: "", span: span, isAllDay: false, isPrivate: false,
      state: .delivered, due: span.start.adding(seconds: -900), snoozes: 0, isMissed: false)
  }

  @Test(arguments: [
    ("2026-11-21T08:00:00Z", "09:00"), ("2026-11-22T05:59:00Z", "06:59"),
    ("2026-11-22T06:00:00Z", "07:00"),
    ("2026-11-22T06:01:00Z", "tomorrow 07:01"), ("2026-11-22T08:00:00Z", "tomorrow 09:00"),
    ("2026-11-23T05:00:00Z", "2026-11-23 06:00"),
  ])
  func `the end of an event has its day where the time alone would be another`(
    end: String, words: String
  ) throws {
    let now = try Timestamp(text: "2026-11-21T05:45:00Z")
    let text = NotificationText(
      try reminder("Trip", "2026-11-21T06:00:00Z", end), now: now, zone: zone, markup: false)
    #expect(text.body == "Within 15 min, 07:00 – \(words)")
  }

  @Test func `a digest names what has no title, and does not call what is missed over`() throws {
    let text = NotificationText(
      digest: [try reminder("", "2026-11-21T06:00:00Z", "2026-11-21T07:00:00Z")], tooOld: 2,
      now: try Timestamp(text: "2026-11-21T05:45:00Z"), zone: zone, markup: false)
    #expect(text.body == "07:00  Event\n2 are too old to be shown")
  }
}
