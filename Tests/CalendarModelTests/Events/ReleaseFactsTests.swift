import CalendarModel
import CivilTime
import Recurrence
import Testing

@Suite struct `What a media server says of an event` {
  private func event(_ lines: String...) throws -> Event {
    var event = Event(uid: EventUID("a"), start: .date(try CivilDate(text: "2026-11-20")))
    event.isBusy = false
    event.component = (["BEGIN:VEVENT", "UID:a"] + lines + ["END:VEVENT", ""])
      .joined(separator: "\r\n")
    return event
  }

  @Test func `a release has a state, and a quality if the server says one`() throws {
    #expect(
      try event("X-DATEBOOK-STATE:partly", "X-DATEBOOK-QUALITY:FLAC").release
        == ReleaseFacts(state: .partly, quality: "FLAC"))
    #expect(try event("X-DATEBOOK-STATE:missing").release == ReleaseFacts(state: .missing))
  }

  @Test func `a folded and escaped quality is read`() throws {
    let release = try event(
      "X-DATEBOOK-STATE:available", #"X-DATEBOOK-QUALITY:Best\, of\;"#, #"  all\\\nhere"#
    ).release
    #expect(release?.quality == #"Best, of; all\ here"#)
  }

  @Test func `other events are no releases`() throws {
    #expect(try event().release == nil)
    #expect(try event("X-DATEBOOK-COLOR:#010203").release == nil)
    #expect(try event("X-DATEBOOK-QUALITY:FLAC").release == nil)
    #expect(try event("X-DATEBOOK-STATE:lost").release == nil)
    #expect(try event("DESCRIPTION:X-DATEBOOK-STATE:missing").release == nil)
  }

  @Test func `an event that takes up time or recurs is no release`() throws {
    var busy = try event("X-DATEBOOK-STATE:missing")
    busy.isBusy = true
    #expect(busy.release == nil)
    var weekly = try event("X-DATEBOOK-STATE:missing")
    weekly.recurrence.rules = [try RecurrenceRule(text: "FREQ=WEEKLY")]
    #expect(weekly.release == nil)
  }

  @Test func `its own lines alone say the same`() throws {
    var event = try event(
      "SUMMARY:Tea", "X-DATEBOOK-STATE:available", "X-DATEBOOK-QUALITY:Blu", " ray")
    let release = event.release
    event.component = event.releaseText
    #expect(event.component == "X-DATEBOOK-STATE:available\r\nX-DATEBOOK-QUALITY:Bluray\r\n")
    #expect(event.release == release && release != nil)
    #expect(try self.event("SUMMARY:Tea").releaseText == "")
  }

  @Test func `a quality is found by a part of it in any case`() {
    let release = ReleaseFacts(state: .available, quality: "Bluray-1080p")
    #expect(release.hasQuality("bluray") && release.hasQuality("1080P"))
    #expect(release.hasQuality(""))
    #expect(!release.hasQuality("720p") && !release.hasQuality("Bluray-1080p Remux"))
  }
}
