import CalendarModel
import Testing

@Suite struct `Event colours` {
  @Test(arguments: ["#000000", "#3b82f6", "#0a0b0c", "#ffffff"])
  func `a colour is read and written back`(_ text: String) {
    #expect(EventColor(text: text)?.text == text)
  }

  @Test func `upper case is read`() {
    #expect(EventColor(text: "#3B82F6") == EventColor(red: 0x3b, green: 0x82, blue: 0xf6))
  }

  @Test(arguments: [
    "", "#", "3b82f6", "#3b82f", "#3b82f60", "#+b82f6", "#3b 2f6", "#gggggg", "red",
  ])
  func `anything else is refused`(_ text: String) {
    #expect(EventColor(text: text) == nil)
  }

  @Test func `the palette has no colour twice`() {
    #expect(Set(EventColor.palette).count == EventColor.palette.count)
  }
}
