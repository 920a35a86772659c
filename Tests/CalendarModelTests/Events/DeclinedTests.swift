import CalendarModel
import CivilTime
import Testing

@Suite struct `Declined invitations` {
  private func event(_ participations: (String, String)...) -> Event {
    var event = Event(uid: EventUID("meeting"), start: .utc(.earliest))
    event.attendees = participations.map { Attendee(address: $0, participation: $1) }
    return event
  }

  private let own = ["ana@example.org", "ana@example.com"]

  @Test func `without attendees nobody has declined`() {
    #expect(!event().isDeclined(by: own))
  }

  @Test func `the owner's answer counts, whatever others say`() {
    let no = event(("mailto:Ana@Example.org", "declined"), ("mailto:bo@example.org", "accepted"))
    #expect(no.isDeclined(by: own))
    let yes = event(("mailto:ana@example.com", "accepted"), ("mailto:bo@example.org", "declined"))
    #expect(!yes.isDeclined(by: own))
  }

  @Test func `an owner who is invited twice has declined by both addresses`() {
    let half = event(("ana@example.org", "declined"), ("mailto:ana@example.com", "needs-action"))
    #expect(!half.isDeclined(by: own))
    let both = event(("ana@example.org", "declined"), ("mailto:ana@example.com", "declined"))
    #expect(both.isDeclined(by: own))
  }

  @Test func `where no address of the owner is known, all must have declined`() {
    let some = event(("mailto:bo@example.org", "declined"), ("mailto:cy@example.org", "accepted"))
    #expect(!some.isDeclined(by: [String]()))
    #expect(event(("mailto:bo@example.org", "declined")).isDeclined(by: [String]()))
  }

  @Test func `an owner who is not invited has not declined, whoever else has`() {
    let all = event(("mailto:bo@example.org", "declined"), ("mailto:cy@example.org", "declined"))
    #expect(!all.isDeclined(by: own))
  }
}
