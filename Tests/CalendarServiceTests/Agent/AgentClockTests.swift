import CalendarModel
import CalendarStore
import CivilTime
import Platform
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `The log after a wrong clock` {
  @Test func `reminders that were delivered too early are counted in words`() {
    var early = Replanned(events: 0, reminders: []).early
    early.missed = 2
    #expect(
      localized(early.remark)
        == """
        the clock or the time zone was wrong: 0 reminders were delivered too early, 2 were wrongly \
        missed; they are scheduled again
        """)
    let due = Timestamp(seconds: 1_800_000_000)
    early.pending = [
      Reminder(
        key: ReminderKey(
          calendar: CalendarID("personal"), uid: EventUID("lunch"), recurrenceID: "", alarm: "1",
          trigger: due),
        summary: "Lunch", location: "", joinURL: "",
        span: TimeSpan(start: due, end: due.adding(seconds: 3600)), isAllDay: false,
        isPrivate: false, state: .due, due: due, snoozes: 0, isMissed: false)
    ]
    early.missed = 1
    #expect(
      localized(early.remark)
        == """
        the clock or the time zone was wrong: 1 reminder was delivered too early, 1 was wrongly \
        missed; they are scheduled again
        """)
  }
}
