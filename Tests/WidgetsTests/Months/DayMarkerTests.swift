import CalendarModel
import Testing
import Widgets

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
