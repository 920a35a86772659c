import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Answers to invitations` {
  private func respond(
    _ agent: AgentUnderTest, _ answer: String, _ uid: String = "meeting", _ occurrence: String = ""
  ) throws {
    _ = try agent.call(
      Contract.events, "Respond", [uid, occurrence, answer].map(Value.string))
  }

  @Test func `the only attendee answers, and keeps its other parameters`() throws {
    let agent = try AgentUnderTest()
    try agent.addMeeting()
    try respond(agent, "accepted")
    let people = try agent.event("meeting")["attendees"]?.asArray ?? []
    #expect(people.map { $0["participation"] } == [.string("accepted")])
    let text = try agent.texts("meeting")[0]
    #expect(text.contains("RSVP=TRUE") && text.contains("X-ROLE=7"), "\(text)")
    #expect(text.contains("PARTSTAT=ACCEPTED"))
    #expect(try agent.event("meeting")["sequence"] == .uint32(0))
  }

  @Test func `of several the one with an address of the settings answers`() throws {
    let agent = try AgentUnderTest(addresses: ["me@example.org", "cy@example.org"])
    try agent.addMeeting(
      "ATTENDEE:mailto:ana@example.org", "ATTENDEE;CN=Cy:MAILTO:Cy@Example.org")
    try respond(agent, "declined")
    let people = try agent.event("meeting")["attendees"]?.asArray ?? []
    #expect(people.map { $0["participation"]?.asString } == ["needs-action", "declined"])
  }

  @Test func `one occurrence is answered by itself`() throws {
    let agent = try AgentUnderTest()
    try agent.addMeeting("RRULE:FREQ=DAILY;COUNT=3", "ATTENDEE:mailto:ana@example.org")
    try respond(agent, "accepted")
    try respond(agent, "declined", "meeting", "20261201T150000Z")
    func answer(_ occurrence: String) throws -> String? {
      try agent.event("meeting", occurrence)["attendees"]?.asArray?.first?["participation"]?
        .asString
    }
    #expect(try answer("20261130T150000Z") == "accepted")
    #expect(try answer("20261201T150000Z") == "declined")
  }

  @Test func `who is not known to be invited cannot answer`() throws {
    let agent = try AgentUnderTest()
    try agent.addMeeting("ATTENDEE:mailto:ana@example.org", "ATTENDEE:mailto:cy@example.org")
    let several = try agent.refusal(
      Contract.events, "Respond", ["meeting", "", "accepted"].map(Value.string))
    #expect(several.name.text == CallError.Kind.notFound.rawValue)
    #expect(several.message.contains("datebook.conf"), "\(several)")
    let stranger = try AgentUnderTest(addresses: ["me@example.org"])
    try stranger.addMeeting()
    let other = try stranger.refusal(
      Contract.events, "Respond", ["meeting", "", "accepted"].map(Value.string))
    #expect(other.name.text == CallError.Kind.notFound.rawValue)
    #expect(other.message.contains("me@example.org"), "\(other)")
  }
}

@Suite struct `The owner's addresses in the settings` {
  @Test func `they are read in any case, with commas`() {
    let (read, faults) = Configuration.read("[calendar]\nemail = Me@Example.org, a@b\n")
    #expect(read.addresses == ["me@example.org", "a@b"])
    #expect(faults == [])
  }

  @Test(arguments: ["", "me", "me@", "@b", "a@b@c", "a b@c", "a@b c@d"])
  func `what is none is named`(text: String) {
    let (read, faults) = Configuration.read("[calendar]\nemail = \(text)\n")
    #expect(read.addresses == [])
    #expect(faults.map(\.line) == [2])
  }
}
