import CalendarModel
import Testing
import Widgets

@Suite struct `Text on colours` {
  @Test(arguments: [
    // Source: WCAG 2.2: black and white are the ends of the scale.
    ("#000000", "#ffffff", 21.0),
    ("#ffffff", "#ffffff", 1.0),
    // The grey that just passes on white, and the one that just does not, as checkers of contrast
    // give them.
    ("#767676", "#ffffff", 4.54), ("#777777", "#ffffff", 4.48),
    ("#ff0000", "#ffffff", 4.00), ("#0000ff", "#ffffff", 8.59), ("#00ff00", "#000000", 15.30),
  ])
  func `the ratio is that of WCAG`(_ one: String, _ two: String, _ ratio: Double) throws {
    let (one, two) = (try #require(EventColor(text: one)), try #require(EventColor(text: two)))
    #expect(abs(one.contrast(with: two) - ratio) < 0.005)
    #expect(one.contrast(with: two) == two.contrast(with: one))
  }

  @Test func `the luminance of a channel follows the curve of sRGB`() {
    #expect(EventColor.black.relativeLuminance == 0)
    #expect(abs(EventColor.white.relativeLuminance - 1) < 1e-12)
    let grey = EventColor(red: 128, green: 128, blue: 128)
    #expect(abs(grey.relativeLuminance - 0.215860500) < 1e-8)
    let dark = EventColor(red: 10, green: 10, blue: 10)
    #expect(abs(dark.relativeLuminance - 10.0 / 255 / 12.92) < 1e-12)
  }

  @Test func `text can be read on each named colour`() {
    let texts = EventColor.palette.map { $0.readableText.text }
    #expect(EventColor.palette.count == EventColor.paletteNames.count)
    for color in EventColor.palette { #expect(color.contrast(with: color.readableText) >= 4.5) }
    #expect(Set(texts).isSubset(of: ["#000000", "#ffffff"]))
  }

  @Test func `text can be read on every colour`() {
    var least = 21.0
    var wrong: [EventColor] = []
    for red in stride(from: 0, through: 255, by: 5) {
      for green in stride(from: 0, through: 255, by: 5) {
        for blue in stride(from: 0, through: 255, by: 15) {
          let color = EventColor(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
          let (black, white) = (color.contrast(with: .black), color.contrast(with: .white))
          least = min(least, max(black, white))
          if color.readableText != (black >= white ? .black : .white) { wrong.append(color) }
        }
      }
    }
    #expect(wrong == [])
    #expect(least >= 4.58)
  }
}
