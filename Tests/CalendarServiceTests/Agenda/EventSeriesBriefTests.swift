import CalendarModel
import CivilTime
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `A series that is kept for lists` {
  private func event() throws -> Event {
    var event = Event(
      uid: EventUID("a"), start: .utc(try Timestamp(text: "2026-11-21T09:00:00Z")), summary: "Call")
    event.description = "Join https://meet.jit.si/Call, please."
    event.component = "BEGIN:VEVENT\r\nEND:VEVENT\r\n"
    event.location = "Room 4"
    return event
  }

  @Test func `what rows show of it stays, and the rest is let go of`() throws {
    var event = try event()
    event.attendees = [Attendee(address: "mailto:ana@example.org")]
    let brief = EventSeries(
      calendar: CalendarID("work"), master: event, overrides: [event], revision: 7
    ).brief
    #expect(brief.calendar.text == "work")
    #expect(brief.revision == 7)
    for kept in brief.components {
      #expect(kept.summary == "Call")
      #expect(kept.location == "Room 4")
      #expect(kept.joinURL == "https://meet.jit.si/Call")
      #expect(kept.start == event.start)
      #expect(kept.component.isEmpty)
      #expect(kept.description.isEmpty)
      #expect(kept.attendees.isEmpty)
    }
  }

  @Test func `a release is still one`() throws {
    var event = try event()
    event.isBusy = false
    event.component =
      "BEGIN:VEVENT\r\nUID:a\r\nX-DATEBOOK-STATE:partly\r\nX-DATEBOOK-QUALITY:FLAC\r\nEND:VEVENT\r\n"
    let brief = EventSeries(calendar: CalendarID("work"), master: event).brief
    #expect(brief.master?.release == ReleaseFacts(state: .partly, quality: "FLAC"))
  }

  @Test func `an invitation that its owner has declined is still declined`() throws {
    var event = try event()
    event.attendees = [
      Attendee(address: "mailto:ana@example.org", participation: "accepted"),
      Attendee(address: "mailto:bo@example.org", participation: "declined"),
    ]
    let brief = EventSeries(calendar: CalendarID("work"), master: event).brief
    #expect(brief.master?.isDeclined(by: ["bo@example.org"]) == true)
    #expect(brief.master?.isDeclined(by: ["ana@example.org"]) == false)
  }
}
