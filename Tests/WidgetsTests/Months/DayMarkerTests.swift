import CalendarModel
import CivilTime
import Testing

@testable import Widgets

@Suite struct `The marker of a day's releases` {
  struct Case: CustomTestStringConvertible {
    let states: [ReleaseState]
    var isAhead = false
    let marker: DayMarker?
    var testDescription: String { "\(states) \(isAhead ? "ahead" : "past or today")" }
  }

  @Test(arguments: [
    Case(states: [], marker: nil),
    Case(states: [], isAhead: true, marker: nil),
    Case(states: [.unmonitored], marker: nil),
    Case(states: [.unmonitored], isAhead: true, marker: nil),
    Case(states: [.available, .future, .unmonitored], marker: .complete),
    Case(states: [.available, .missing], marker: .someMissing),
    Case(states: [.partly, .missing], marker: .someMissing),
    Case(states: [.partly, .missing, .missing, .available], marker: .manyMissing),
    Case(states: [.missing, .missing, .missing], isAhead: true, marker: .ahead),
    Case(states: [.available], isAhead: true, marker: .ahead),
  ])
  func `a marker follows from what is missing`(item: Case) {
    #expect(DayMarker(states: item.states, isAhead: item.isAhead) == item.marker)
  }

  @Test func `the numbers of missing releases can be set`() {
    var thresholds = DayMarker.Thresholds()
    (thresholds.some, thresholds.many) = (2, 4)
    func marker(_ missing: Int) -> DayMarker? {
      DayMarker(
        states: Array(repeating: .missing, count: missing), isAhead: false, thresholds: thresholds)
    }
    #expect(marker(1) == .complete)
    #expect(marker(3) == .someMissing)
    #expect(marker(4) == .manyMissing)
  }

  @Test func `thresholds grow`() {
    #expect(DayMarker.Thresholds(some: 1, many: 3) == DayMarker.Thresholds())
    #expect(DayMarker.Thresholds(some: 0, many: 3) == nil)
    #expect(DayMarker.Thresholds(some: 2, many: 2) == nil)
  }

  @Test func `the days of a month are marked by their releases`() throws {
    var agenda = Agenda()
    try agenda.add("Tea", from: "2026-11-18", to: "2026-11-19")
    try agenda.add(release: .available, on: "2026-11-19")
    try agenda.add(release: .missing, on: "2026-11-20")
    for _ in 1...3 { try agenda.add(release: .partly, on: "2026-11-21") }
    try agenda.add(release: .missing, on: "2026-11-22")
    func markers(_ grid: MonthGrid) -> [DayMarker?] {
      (18...23).map { grid.day("2026-11-\($0)")?.releases }
    }
    #expect(
      try markers(agenda.grid()) == [nil, .complete, .someMissing, .manyMissing, .ahead, nil])
    #expect(
      try markers(agenda.grid(lanes: 0))
        == [nil, .complete, .someMissing, .manyMissing, .ahead, nil])
    let loose = try #require(DayMarker.Thresholds(some: 2, many: 9))
    #expect(
      try markers(agenda.grid(thresholds: loose))
        == [nil, .complete, .complete, .someMissing, .ahead, nil])
  }

  @Test func `an episode over midnight counts on its first day`() throws {
    var agenda = Agenda()
    try agenda.add("Pilot", "2026-11-15T23:30", "2026-11-16T00:30") {
      $0.isBusy = false
      $0.component = "X-DATEBOOK-STATE:missing\r\n"
    }
    let grid = try agenda.grid()
    #expect(grid.day("2026-11-15")?.releases == .someMissing)
    #expect(grid.day("2026-11-16")?.releases == nil)
    // The week that begins on its second day.
    #expect(try agenda.grid("2026-11-16", mode: .collapsed).days[0].releases == nil)
  }

  @Test func `a marker is written with its color, and read back`() throws {
    var agenda = Agenda()
    try agenda.add(release: .missing, on: "2026-11-20")
    let grid = try agenda.grid()
    let text = String(decoding: grid.json, as: UTF8.self)
    #expect(text.contains(##""releases":"some-missing","releases-color":"#ff9000""##))
    #expect(try MonthGrid(json: text) == grid)
    let later = text.replacing("some-missing", with: "lost")
    #expect(try MonthGrid(json: later).day("2026-11-20")?.releases == nil)
  }

  @Test func `each marker has a color of its own`() {
    #expect(Set(DayMarker.allCases.map(\.color)).count == DayMarker.allCases.count)
  }

  @Test func `a state follows from what is there, is looked for and is out`() {
    #expect(ReleaseState(hasAll: true, isMonitored: false, isDue: true) == .available)
    #expect(ReleaseState(hasAll: false, hasSome: true, isMonitored: false, isDue: false) == .partly)
    #expect(ReleaseState(hasAll: false, isMonitored: false, isDue: true) == .unmonitored)
    #expect(ReleaseState(hasAll: false, isMonitored: true, isDue: true) == .missing)
    #expect(ReleaseState(hasAll: false, isMonitored: true, isDue: false) == .future)
  }
}
