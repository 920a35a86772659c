import CalendarModel
import CivilTime
import Testing

@testable import CalendarStore

@Suite struct `What an agent that died left due, while one flies` {
  /// Lasts two days from 8 UTC in Berlin, from 14 in New York.
  private func fair() throws -> EventSeries {
    var event = try #require(try floating().master)
    event.end = .duration(CalendarDuration(days: 2))
    return EventSeries(calendar: personal, master: event)
  }

  private func spans(_ traveller: Traveller) throws -> [TimeSpan] {
    try traveller.store.pendingReminders().map(\.span)
  }

  @Test func `it says when its event is by the clock of now`() throws {
    let traveller = try Traveller()
    try traveller.store.put([fair()])
    #expect(try traveller.take(through: days(5, 8)).count == 1)
    try traveller.fly(at: days(5, 9))
    #expect(try spans(traveller) == [TimeSpan(start: days(5, 14), end: days(7, 14))])
    #expect(try traveller.store.pendingReminders().map(\.state) == [.due])
  }

  @Test(arguments: [
    ("America/New_York", Int64(10), Int64(14), false), ("Asia/Tokyo", Int64(4), Int64(0), true),
  ])
  func `whether it is too old is a matter of the clock of now`(
    zone: String, found: Int64, ends: Int64, isTooOld: Bool
  ) throws {
    let traveller = try Traveller()
    try traveller.store.put([fair()])
    #expect(try traveller.take(through: days(5, 8)).count == 1)
    try traveller.fly(to: zone, at: days(7, found))
    let pending = try traveller.store.pendingReminders()
    #expect(pending.map(\.span) == [TimeSpan(start: days(5, ends), end: days(7, ends))])
    #expect(pending.map { MissedReminderPolicy.usual.deadline(of: $0) < days(7, found) } == [isTooOld])
  }
}
