import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Places that are looked up` {
  @Test(arguments: [
    "Hauptstr. 5", "10 Downing Street", "10115 Berlin", "Sal's, Berlin", "Café Ömer\nLange Reihe",
    "Room 4, Hauptstr. 5", "https://example.org/map", "geo:52.52,13.405",
    "東京都千代田区丸の内1-9-1", "北京市朝阳区建国路88号", "Royal Albert Hall, London", "5 Hall Road",
    "Kö 30, Ulm",
  ])
  func `what looks like an address is`(place: String) {
    #expect(PlaceText.canBeLookedUp(place))
  }

  @Test(arguments: [
    "", "Room 4", "Room Ada", "Raum 2.14", "Conference Room 4, 2nd floor", "B2", "HQ 3", "Sal's",
    "Zoom, meeting 123", "zoommtg://example.org/1", "Room4", "三里屯",
  ])
  func `a room, a name alone and what is nowhere are not`(place: String) {
    #expect(!PlaceText.canBeLookedUp(place))
  }
}
