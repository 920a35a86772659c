import Testing

@testable import CalendarModel

@Suite struct `What a calendar is called` {
  private func names(_ calendars: (id: String, name: String)...) -> CalendarNames {
    CalendarNames(
      calendars.map {
        CalendarInfo(id: CalendarID($0.id), name: $0.name, color: EventColor.palette[0])
      })
  }

  private func drawn(_ match: CalendarNames.Match) -> String {
    switch match {
    case .one(let calendar): calendar.id.text
    case .none: "none"
    case .several(let count): "\(count)"
    }
  }

  @Test(arguments: [
    ("job", "job", "none"), ("Work", "job", "job"), ("work", "work", "job"), ("WORK", "2", "job"),
    ("JOB", "job", "none"), ("Twin", "2", "2"), ("twin", "2", "2"), ("TRIP", "3", "3"),
    ("Trip", "t1", "t1"), ("", "none", "none"), ("x", "none", "none"),
  ])
  func `what is exact counts before what differs in case, and of several none`(
    text: String, called: String, named: String
  ) {
    let names = names(
      ("job", "Work"), ("work", "Other"), ("a", "Twin"), ("b", "Twin"), ("t1", "Trip"),
      ("t2", "trip"), ("t3", "TRip"))
    #expect(drawn(names.called(text)) == called)
    #expect(drawn(names.named(text)) == named)
  }
}
