import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import CalendarModel

/// Single occurrences without the series that they are of, as after invitations to some meetings
/// of it.
@Suite struct `Edits of single occurrences without their series` {
  private func lone(_ days: Int...) throws -> EventSeries {
    EventSeries(
      nil,
      overrides: try days.map {
        try Event("202606\($0)T110000Z", "PT1H", instead: "202606\($0)T090000Z")
      })
  }

  @Test(arguments: ["", "20260610T090000Z"])
  func `the only one gets a start, whether it is named or not`(id: String) throws {
    let edit = try lone(10).edited(.all, at: id) { $0.start = try EventTime("20260612T150000Z") }
    #expect(try edit.series?.titles() == ["20260612T150000Z Lunch"])
    #expect(edit.series?.overrides[0].recurrenceID == (try EventTime("20260610T090000Z")))
  }

  @Test func `the only one gets an end, a clock and whole days`() throws {
    let longer = try lone(10).edited(.all) { $0.end = .time(try EventTime("20260610T130000Z")) }
    #expect(longer.series?.overrides[0].end == .time(try EventTime("20260610T130000Z")))
    let moved = try lone(10).edited(.all) { $0.clock = .zone("Asia/Tokyo") }
    #expect(try moved.series?.starts() == ["20260610T020000Z"])
    let whole = try lone(10).edited(.all) { $0.clock = .days }
    #expect(try whole.series?.starts() == ["20260610"])
  }

  @Test func `several get a length, a clock and texts`() throws {
    let edit = try lone(10, 17).edited(.all) {
      $0.end = .duration(CalendarDuration(seconds: 1800))
      $0.clock = .zone("Asia/Tokyo")
      $0.summary = "Tea"
    }
    #expect(try edit.series?.titles() == ["20260610T020000Z Tea", "20260617T020000Z Tea"])
    let half = EventEnd.duration(CalendarDuration(seconds: 1800))
    #expect(edit.series?.overrides.map(\.end) == [half, half])
  }

  @Test func `a start or an end of several is refused, and one of them is named`() throws {
    let needed = ModelError.oneOfSeveralNeeded(
      uid: EventUID("event"), count: 2, recurrenceID: "20260610T090000Z")
    #expect(throws: needed) {
      try lone(10, 17).edited(.all) { $0.start = try EventTime("20260612T150000Z") }
    }
    #expect(throws: needed) {
      try lone(10, 17).edited(.all) { $0.end = .time(try EventTime("20260612T150000Z")) }
    }
    let edit = try lone(10, 17).edited(.all, at: needed.example) {
      $0.start = try EventTime("20260612T150000Z")
    }
    #expect(try edit.series?.starts() == ["20260612T150000Z", "20260617T110000Z"])
  }

  @Test(arguments: EditScope.allCases)
  func `a rule and dates are refused in every scope`(scope: EditScope) throws {
    let series = try lone(10)
    #expect(throws: ModelError.seriesNeeded(uid: EventUID("event"))) {
      try series.edited(scope, at: "20260610T090000Z") {
        $0.rules = [try RecurrenceRule(text: "FREQ=DAILY")]
      }
    }
    #expect(throws: ModelError.seriesNeeded(uid: EventUID("event"))) {
      try series.edited(scope, at: "20260610T090000Z") {
        $0.added = [AddedDate(start: try EventTime("20260620T090000Z"))]
      }
    }
  }
}

extension ModelError {
  /// The occurrence that it names.
  fileprivate var example: String {
    if case .oneOfSeveralNeeded(_, _, let id) = self { id } else { "" }
  }
}
