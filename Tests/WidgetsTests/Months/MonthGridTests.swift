import CalendarModel
import CivilTime
import JSON
import TestSupport
import Testing

@testable import Widgets

extension Agenda {
  /// The grid of the page of a day; "2026-11-21" is today.
  func grid(
    _ day: String = "2026-11-21", mode: MonthMode = .normal, first: Weekday = .monday,
    lanes: Int? = nil, thresholds: DayMarker.Thresholds = DayMarker.Thresholds()
  ) throws -> MonthGrid {
    let page = try `The days of a page`.page(day, mode, first)
    let colors = Dictionary(
      calendars.filter(\.isVisible).map { ($0.id, $0.color) }, uniquingKeysWith: { one, _ in one })
    var occurrences = try occurrences(in: page.span(in: zone))
    occurrences.putInOrder(DisplayOrder(of: calendars))
    return MonthGridBuilder(
      page: page, today: try CivilDate(text: "2026-11-21"), occurrences: occurrences,
      colors: colors, ownAddresses: ["me@example.org"], thresholds: thresholds, zone: zone
    ).grid(lanes: lanes)
  }

  /// Adds a release of a media server on a day.
  mutating func add(release state: ReleaseState, on day: String) throws {
    let next = try #require(CivilDate(text: day).adding(days: 1))
    try add("Film", from: day, to: next.description) {
      $0.isBusy = false
      $0.component = "X-DATEBOOK-STATE:\(state.rawValue)\r\n"
    }
  }
}

extension MonthGrid {
  /// The bars of a day: "Standup 0 single text".
  func bars(_ date: String) -> [String] {
    (days.first { $0.date.description == date }?.bars ?? []).map {
      "\(events[$0.event].summary) \($0.lane) \($0.part.rawValue)" + ($0.showsText ? " text" : "")
    }
  }

  func day(_ date: String) -> MonthDay? { days.first { $0.date.description == date } }
}

@Suite struct `A month grid that is too long` {
  @Test(arguments: [4000, 8000, 12_000, 16_000, 500])
  func `it keeps as many lanes as there is room for`(most: Int) throws {
    var agenda = Agenda()
    for number in 0..<150 {
      let first = 10 + number % 15
      try agenda.add(
        "Fair \(number) \"quoted\"", from: "2026-11-\(first)",
        to: "2026-11-\(first + 1 + number % 4)")
    }
    let whole = try agenda.grid(mode: .expanded)
    let length = whole.json.count
    #expect(whole.lanes > 10 && length > 20_000)
    let lanes = whole.lanes(within: most, of: length)
    let cut = try agenda.grid(mode: .expanded, lanes: lanes)
    #expect(cut.json.count <= most || lanes == 0)
    // One more would not have had room, but for what is kept for the count of those left out.
    let more = try agenda.grid(mode: .expanded, lanes: lanes + 1)
    #expect(more.json.count > most - 42 * 16)
    #expect(whole.lanes(within: length, of: length) == whole.lanes)
  }
}

@Suite struct `The month grid` {
  @Test func `each day is told by its month, today, weekend and week`() throws {
    let grid = try Agenda().grid()
    #expect(grid.days.count == 42 && grid.lanes == 0 && grid.events.isEmpty)
    #expect(grid.days.filter(\.isInMonth).map(\.date.day) == Array(1...30))
    #expect(grid.days.filter(\.isToday).map(\.date.description) == ["2026-11-21"])
    #expect(grid.days.filter(\.isWeekend).count == 12)
    #expect(
      grid.days.filter(\.isWeekend).allSatisfy { [.saturday, .sunday].contains($0.date.weekday) })
    #expect(
      stride(from: 0, to: 42, by: 7).map { grid.days[$0].week } == [44, 45, 46, 47, 48, 49])
    #expect(grid.previous?.description == "2026-10-01" && grid.next?.description == "2026-12-01")
    #expect(grid.month.index == 24_310)
  }

  @Test func `weeks are those of ISO also where rows begin on Sunday`() throws {
    let grid = try Agenda().grid("2026-12-31", first: .sunday)
    #expect(grid.day("2026-12-27")?.week == 52)
    #expect(grid.day("2026-12-28")?.week == 53)
    #expect(grid.day("2027-01-03")?.week == 53)
    #expect(grid.day("2027-01-04")?.week == 1)
  }

  @Test func `a bar has a start, middles and an end, and its title at each row`() throws {
    var agenda = Agenda()
    try agenda.add("Fair", from: "2026-11-19", to: "2026-12-02")
    let grid = try agenda.grid()
    #expect(grid.bars("2026-11-18").isEmpty)
    #expect(grid.bars("2026-11-19") == ["Fair 0 start text"])
    #expect(grid.bars("2026-11-22") == ["Fair 0 middle"])
    #expect(grid.bars("2026-11-23") == ["Fair 0 middle text"])
    #expect(grid.bars("2026-11-24") == ["Fair 0 middle"])
    #expect(grid.bars("2026-11-30") == ["Fair 0 middle text"])
    #expect(grid.bars("2026-12-01") == ["Fair 0 end"])
    #expect(grid.bars("2026-12-02").isEmpty)
    #expect(grid.events.count == 1)
  }

  @Test func `what begins or ends beyond the page is a middle at its edge`() throws {
    var agenda = Agenda()
    try agenda.add("Year off", from: "2026-01-01", to: "2027-01-01")
    let grid = try agenda.grid()
    #expect(grid.bars("2026-10-26") == ["Year off 0 middle text"])
    #expect(grid.bars("2026-12-06") == ["Year off 0 middle"])
  }

  @Test func `events of several days come first, then by start`() throws {
    var agenda = Agenda()
    try agenda.add("Early", "2026-11-21T07:00", "2026-11-21T08:00")
    try agenda.add("Birthday", from: "2026-11-21", to: "2026-11-22")
    try agenda.add("Night train", "2026-11-21T22:00", "2026-11-22T07:00")
    try agenda.add("Midnight", "2026-11-21T00:00", "2026-11-21T00:30")
    let grid = try agenda.grid(mode: .expanded)
    #expect(
      grid.bars("2026-11-21") == [
        "Night train 0 start text", "Birthday 1 single text", "Midnight 2 single text",
        "Early 3 single text",
      ])
    #expect(grid.bars("2026-11-22") == ["Night train 0 end"])
    #expect(grid.lanes == 4)
  }

  @Test func `a bar keeps its lane on all its days, over rows, though one above is free`() throws {
    var agenda = Agenda()
    try agenda.add("Above", from: "2026-11-19", to: "2026-11-21")
    try agenda.add("Long", from: "2026-11-20", to: "2026-11-27")
    try agenda.add("Fills", "2026-11-24T09:00", "2026-11-24T10:00")
    let grid = try agenda.grid()
    for day in 20...26 {
      let bars = grid.bars("2026-11-\(day)").filter { $0.hasPrefix("Long") }
      #expect(bars.count == 1 && bars[0].hasPrefix("Long 1 "), "day \(day)")
    }
    // A short one takes the place that is free above it.
    #expect(grid.bars("2026-11-24") == ["Long 1 middle", "Fills 0 single text"])
  }

  @Test(arguments: [
    (MonthMode.collapsed, 6), (.twoWeeks, 4), (.normal, 3), (.expanded, 9),
  ])
  func `a day has so many bars as the mode allows, and counts the rest`(
    _ mode: MonthMode, _ count: Int
  ) throws {
    var agenda = Agenda()
    for hour in 10...18 {
      try agenda.add("Hour \(hour)", "2026-11-21T\(hour):00", "2026-11-21T\(hour):30")
    }
    let grid = try agenda.grid(mode: mode)
    let day = try #require(grid.day("2026-11-21"))
    #expect(day.bars.count == count && day.more == 9 - count)
    #expect(grid.events.map(\.summary) == (10..<10 + count).map { "Hour \($0)" })
    #expect(grid.lanes == count)
  }

  @Test func `a bar without a lane on one day has none on the others, and is counted on each`()
    throws
  {
    var agenda = Agenda()
    for number in 1...3 { try agenda.add("\(number)", from: "2026-11-20", to: "2026-11-22") }
    try agenda.add("Late", from: "2026-11-21", to: "2026-11-24")
    let grid = try agenda.grid()
    #expect(grid.days.filter { $0.more > 0 }.map(\.date.day) == [21, 22, 23])
    #expect(grid.bars("2026-11-23").isEmpty)
  }

  @Test func `the first all-day event marks its days, three dots stand for events`() throws {
    var agenda = Agenda()
    try agenda.add("Standup", "2026-11-21T09:00", "2026-11-21T09:30")
    try agenda.add("Holiday", from: "2026-11-21", to: "2026-11-22")
    try agenda.add("Lunch", "2026-11-21T12:00", "2026-11-21T13:00") {
      $0.color = EventColor(red: 1, green: 2, blue: 3)
    }
    try agenda.add("Dinner", "2026-11-21T18:00", "2026-11-21T19:00")
    try agenda.add("Alone", "2026-11-22T18:00", "2026-11-22T19:00")
    let grid = try agenda.grid(lanes: 0)
    let day = try #require(grid.day("2026-11-21"))
    #expect(day.marker == EventColor.palette[1])
    #expect(day.dots.map(\.text) == ["#22a35a", "#3b82f6", "#010203"])
    #expect(day.bars.isEmpty && day.more == 4 && grid.events.isEmpty)
    #expect(grid.day("2026-11-22")?.marker == nil)
    #expect(grid.day("2026-11-22")?.dots == [EventColor.palette[0]])
  }

  @Test func `cancelled events and hidden calendars are not in it`() throws {
    var agenda = Agenda()
    agenda.calendars[1].isVisible = false
    try agenda.add("Off", "2026-11-21T09:00", "2026-11-21T10:00") { $0.status = .cancelled }
    try agenda.add("Hidden", from: "2026-11-21", to: "2026-11-22")
    try agenda.add("Maybe", "2026-11-21T09:00", "2026-11-21T10:00") { $0.status = .tentative }
    let grid = try agenda.grid()
    #expect(grid.events.map(\.summary) == ["Maybe"] && grid.events[0].isTentative)
  }

  @Test func `an event that ends at midnight is of one day, a moment at midnight too`() throws {
    var agenda = Agenda()
    try agenda.add("Party", "2026-11-20T20:00", "2026-11-21T00:00")
    try agenda.add("Pills", "2026-11-21T00:00", "2026-11-21T00:00")
    try agenda.add("Eve", "2026-12-06T00:00", "2026-12-06T00:00")
    let grid = try agenda.grid()
    #expect(grid.bars("2026-11-20") == ["Party 0 single text"])
    #expect(grid.bars("2026-11-21") == ["Pills 0 single text"])
    #expect(grid.bars("2026-12-06") == ["Eve 0 single text"])
  }

  @Test func `days are those of the agent's zone, also where its clock goes back at midnight`()
    throws
  {
    // Source: IANA tzdata: Havana's clock goes back from 1:00 to 0:00 on 2026-11-01.
    var agenda = Agenda(zone: FixedZones.shared["America/Havana"])
    try agenda.add(
      "Show", "2026-10-31T23:00", "2026-11-01T02:00", zone: "America/Havana")
    try agenda.add("Far", "2026-11-21T23:30", "2026-11-22T00:30", zone: "Europe/Berlin")
    let grid = try agenda.grid()
    #expect(grid.bars("2026-10-31") == ["Show 0 start text"])
    #expect(grid.bars("2026-11-01") == ["Show 0 end"])
    #expect(grid.bars("2026-11-21") == ["Far 0 single text"])
  }
}
