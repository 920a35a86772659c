import CalendarModel
import CivilTime
import Testing

@Suite struct `When an event was changed last` {
  private func event(_ lines: String...) throws -> Event {
    var event = Event(
      uid: EventUID("a"), start: .utc(try Timestamp(text: "2026-11-21T09:00:00Z")))
    event.component =
      (["BEGIN:VEVENT"] + lines + ["END:VEVENT"]).joined(separator: "\r\n") + "\r\n"
    return event
  }

  @Test func `DTSTAMP says it where LAST-MODIFIED is not there`() throws {
    var event = try event("UID:a", "DTSTAMP:20261101T080000Z")
    #expect(event.lastChange == (try Timestamp(text: "2026-11-01T08:00:00Z")))
    let later = try Timestamp(text: "2026-11-02T08:00:00Z")
    event.lastModified = later
    #expect(event.lastChange == later)
  }

  @Test func `its parameters are passed by`() throws {
    let event = try event("DTSTAMP;X-A=\"b:c\":20261101T080000Z")
    #expect(event.lastChange == (try Timestamp(text: "2026-11-01T08:00:00Z")))
  }

  @Test func `a property whose name begins so is another one`() throws {
    let event = try event("DTSTAMPX:20261105T080000Z", "DTSTAMP:20261101T080000Z")
    #expect(event.lastChange == (try Timestamp(text: "2026-11-01T08:00:00Z")))
  }

  @Test(arguments: [
    "20261101T080000", "20261101T080000Z", "20261101t080000", "2026-11-01T08:00:00+00:00",
    "2026-11-01T08:00:00", "2026-11-01T09:00:00+01:00",
  ])
  func `a time without a zone is one of UTC`(_ text: String) throws {
    #expect(
      try event("DTSTAMP:\(text)").lastChange == (try Timestamp(text: "2026-11-01T08:00:00Z")))
  }

  @Test(arguments: ["20261101", "2026-11-01"])
  func `a day is its midnight in UTC`(_ text: String) throws {
    #expect(
      try event("DTSTAMP;VALUE=DATE:\(text)").lastChange
        == (try Timestamp(text: "2026-11-01T00:00:00Z")))
  }

  @Test func `without either, or with no time, it is not known`() throws {
    #expect(try event("UID:a").lastChange == nil)
    #expect(try event("DTSTAMP:yesterday").lastChange == nil)
    #expect(try event("DTSTAMP:20261101T080000Z:20261109T080000Z").lastChange == nil)
  }
}
