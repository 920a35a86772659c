import CalendarModel
import CivilTime
import Messages
import TestSupport
import Testing

@testable import Widgets

@Suite struct `The look of a month` {
  private static func picture(
    _ agenda: Agenda, mode: MonthMode = .expanded, scheme: ColorScheme? = nil, lanes: Int? = nil
  ) throws -> MonthPicture {
    try `A month as a picture`.picture(
      agenda, mode: mode, MonthPicture.Settings(scheme: scheme), lanes: lanes)
  }

  private static func crowded() throws -> Agenda {
    var agenda = Agenda()
    for hour in 10...21 {
      try agenda.add("Hour \(hour)", "2026-11-18T\(hour):00", "2026-11-18T\(hour):30")
    }
    return agenda
  }

  @Test func `two weeks show as many events as have room on the sheet`() throws {
    let all = try Self.picture(Self.crowded(), mode: .twoWeeks, lanes: 100).svg
    #expect(all.contains("Hour 21<") && !all.contains(">+"))
    let month = try Self.picture(Self.crowded()).svg
    #expect(month.contains("Hour 12<") && !month.contains("Hour 13<") && month.contains(">+9<"))
    // Widgets get the lanes that they have room for.
    let widget = try Self.picture(Self.crowded(), mode: .twoWeeks).svg
    #expect(widget.contains("Hour 13<") && !widget.contains("Hour 14<"))
  }

  @Test func `the text on each color is white or a dark tint of it, and readable`() {
    var colors = EventColor.palette
    for red in stride(from: 0, through: 255, by: 51) {
      for green in stride(from: 0, through: 255, by: 51) {
        for blue in stride(from: 0, through: 255, by: 51) {
          colors.append(EventColor(red: UInt8(red), green: UInt8(green), blue: UInt8(blue)))
        }
      }
    }
    for color in colors {
      let (ground, text) = color.bar
      #expect(ground.contrast(with: text) >= 4.5, "\(text.text) on \(color.text)")
      #expect(text == .white || text.relativeLuminance < 0.1)
    }
    let blue = EventColor(red: 0x1d, green: 0x4e, blue: 0xd8).bar
    #expect(blue.text == .white && blue.ground.text == "#1d4ed8")
    // A lighter one is darkened a little, a light one is not.
    let lighter = EventColor(red: 0x3b, green: 0x82, blue: 0xf6).bar
    #expect(lighter.text == .white && lighter.ground.text == "#326fd1")
    let yellow = EventColor(red: 0xfa, green: 0xcc, blue: 0x15).bar
    #expect(yellow.text.text == "#4b3d06" && yellow.ground.text == "#facc15")
  }

  @Test(arguments: ColorScheme.allCases)
  func `bars have that text in both schemes`(_ scheme: ColorScheme) throws {
    var agenda = Agenda()
    let blue = EventColor(red: 0x1d, green: 0x4e, blue: 0xd8)
    try agenda.add("Journey", from: "2026-11-10", to: "2026-11-14") { $0.color = blue }
    let picture = try Self.picture(agenda, scheme: scheme)
    #expect(picture.svg.contains("fill=\"#ffffff\">Journey</text>"))
    #expect(picture.html.contains("--c:#1d4ed8;--t:#ffffff"))
  }

  @Test func `a legend names the calendars with events, where there are several`() throws {
    var agenda = Agenda()
    try agenda.add("Standup", "2026-11-21T09:30", "2026-11-21T09:45")
    let one = try Self.picture(agenda)
    #expect(!one.svg.contains(">Work</text>") && !one.html.contains("class=\"legend\""))
    try agenda.add("Journey", from: "2026-11-12", to: "2026-11-18")
    agenda.calendars.append(
      CalendarInfo(
        id: CalendarID("empty"), name: "Empty", color: EventColor.palette[2], order: 2))
    agenda.calendars[1] = CalendarInfo(
      id: CalendarID("home"), name: "Home & <all>", color: EventColor.palette[1], order: 1)
    let both = try Self.picture(agenda)
    #expect(
      both.svg.contains(">Work</text>") && both.svg.contains(">Home &amp; &lt;all&gt;</text>"))
    #expect(!both.svg.contains(">Empty<"))
    #expect(
      both.html.contains(
        "<ul class=\"legend\" aria-label=\"Calendars\">"
          + "<li style=\"--c:\(EventColor.palette[0].text)\">Work</li>"
          + "<li style=\"--c:\(EventColor.palette[1].text)\">Home &amp; &lt;all&gt;</li></ul>"))
  }

  @Test func `a page prints light, and splits no week`() throws {
    let dark = try Self.picture(Agenda(), scheme: .dark).html
    let light = "--background:\(Theme.light.background.text)"
    #expect(dark.contains("@media print{:root{" + light))
    #expect(dark.contains("--background:\(Theme.dark.background.text)"))
    #expect(dark.contains("tr { break-inside: avoid }"))
    #expect(dark.contains("style=\"--rows:6\""))
  }

  @Test func `a narrow page scrolls`() throws {
    let page = try Self.picture(Agenda()).html
    #expect(
      page.contains(".scroll { position: relative; overflow-x: auto }")
        && page.contains("min-width: 640px"))
    #expect(page.contains("<div class=\"scroll\" role=\"region\""))
  }

  @Test func `a year is twelve months with the colors of their days`() throws {
    var agenda = Agenda()
    try agenda.add("Journey", from: "2026-03-10", to: "2026-03-12")
    try agenda.add("Standup", "2026-11-21T09:30", "2026-11-21T09:45")
    let months = try (1...12).map { number in
      try `A month as a picture`.picture(
        agenda, "2026-\(number < 10 ? "0" : "")\(number)-01", mode: .normal
      ).grid
    }
    let calendars = agenda.calendars.map {
      SnapshotCalendar(id: $0.id.text, name: $0.name, color: $0.color)
    }
    let svg = YearPicture(
      months, times: TimeText(.english), settings: MonthPicture.Settings(), calendars: calendars
    ).svg
    #expect(svg.contains(">2026</text>"))
    for name in ["January", "June", "December", "Work", "Home"] {
      #expect(svg.contains(">\(name)</text>"), "\(name)")
    }
    #expect(svg.ranges(of: ">31</text>").count == 7)
    let journey = EventColor.white.mixed(with: EventColor.palette[1], share: 0.3).text
    #expect(svg.ranges(of: "fill=\"\(journey)\"").count == 2)
    let standup = EventColor.palette[0].text
    #expect(svg.ranges(of: "r=\"2\" fill=\"\(standup)\"").count == 1)
  }
}
