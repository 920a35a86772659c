import Testing

@testable import Recurrence

@Suite struct `The days of a period` {
  private func taken(_ days: DayBits) -> [Int] {
    var days = days
    var list: [Int] = []
    while let day = days.removeFirst() { list.append(day) }
    return list
  }

  @Test func `come ascending and once, in whatever order they were put in`() {
    var days = DayBits()
    days.begin(at: 20_000)
    for day in [20_375, 19_992, 20_055, 20_056, 20_055, 20_000] { days.insert(day) }
    #expect(days.count == 5)
    #expect(days.first == 19_992)
    #expect(days.last == 20_375)
    #expect(taken(days) == [19_992, 20_000, 20_055, 20_056, 20_375])
  }

  /// Each day of a year begins some month's bits: those that cross a word too.
  @Test func `of a month are the same as bits and one by one`() {
    for first in -700_008 ... -699_656 {
      var bits = DayBits()
      var single = DayBits()
      bits.begin(at: -700_000)
      single.begin(at: -700_000)
      bits.insert(0x4000_0001, from: first)
      single.insert(first)
      single.insert(first + 30)
      #expect(taken(bits) == taken(single))
    }
  }

  @Test func `are found by their place`() {
    var days = DayBits()
    days.begin(at: 0)
    for day in stride(from: -8, through: 370, by: 9) { days.insert(day) }
    #expect((0..<days.count).map { days.day(at: $0) } == taken(days))
  }

  @Test func `are gone when the next period begins`() {
    var days = DayBits()
    days.begin(at: 0)
    for day in [1, 100, 300] { days.insert(day) }
    #expect(days.removeFirst() == 1)
    days.begin(at: 365)
    #expect(days.isEmpty)
    days.insert(370)
    #expect(taken(days) == [370])
    days.begin(at: 730)
    #expect(days.removeFirst() == nil)
  }
}
