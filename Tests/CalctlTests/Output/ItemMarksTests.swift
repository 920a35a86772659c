import CivilTime
import Testing

@testable import CalctlCommands

@Suite struct `Marks of events in lists` {
  private func marks(_ events: MarkedTimes..., now: Int64 = 100) -> [ItemMarks] {
    ItemMarks.marks(of: events, now: Timestamp(seconds: now))
  }

  @Test func `an event runs from its start until before its end`() {
    for (now, isNow, isPast) in [
      (99, false, false), (100, true, false), (199, true, false), (200, false, true),
    ] as [(Int64, Bool, Bool)] {
      #expect(
        marks(.init(start: 100, end: 200), now: now) == [ItemMarks(isNow: isNow, isPast: isPast)])
    }
  }

  @Test func `an event without duration is over after its time`() {
    #expect(marks(.init(start: 100, end: 100)) == [ItemMarks()])
    #expect(marks(.init(start: 99, end: 99)) == [ItemMarks(isPast: true)])
  }

  @Test func `an all-day event is over at its end, and does not run`() {
    #expect(marks(.init(start: 0, end: 200, isAllDay: true)) == [ItemMarks()])
    #expect(marks(.init(start: 0, end: 100, isAllDay: true)) == [ItemMarks(isPast: true)])
  }

  @Test func `two events that share time are in conflict, two that touch are not`() {
    #expect(
      marks(.init(start: 200, end: 300), .init(start: 299, end: 400)).map(\.isConflict)
        == [true, true])
    #expect(
      marks(.init(start: 200, end: 300), .init(start: 300, end: 400)).map(\.isConflict)
        == [false, false])
  }

  @Test func `a long event is in conflict with each that is inside it`() {
    let found = marks(
      .init(start: 900, end: 950), .init(start: 200, end: 1000), .init(start: 300, end: 310),
      .init(start: 1000, end: 1100))
    #expect(found.map(\.isConflict) == [true, true, true, false])
  }

  @Test func `what takes no time is in no conflict`() {
    let found = marks(
      .init(start: 200, end: 300), .init(start: 200, end: 300, takesTime: false),
      .init(start: 0, end: 86_400, isAllDay: true), .init(start: 250, end: 250))
    #expect(found.allSatisfy { !$0.isConflict })
  }
}
