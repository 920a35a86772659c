import CalendarModel
import Testing

@testable import ICalendar

@Suite struct `Colour names` {
  @Test func `a name of CSS is read in either case, and so is a number`() {
    #expect(EventColor(calendarText: "Tomato") == EventColor(red: 0xff, green: 0x63, blue: 0x47))
    #expect(EventColor(calendarText: "#0102ff") == EventColor(red: 1, green: 2, blue: 255))
    #expect(EventColor(calendarText: "nothing") == nil)
    #expect(EventColor(calendarText: "") == nil)
  }

  @Test func `a colour finds its own name, or the nearest`() {
    #expect(EventColor(red: 0xff, green: 0x63, blue: 0x47).nearestName == ("tomato", true))
    #expect(EventColor(red: 0xff, green: 0x63, blue: 0x48).nearestName == ("tomato", false))
  }
}
