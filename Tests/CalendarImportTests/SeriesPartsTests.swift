import CalendarImport
import CalendarModel
import Testing

@Suite struct `Series in parts` {
  private func series(_ lengths: [Int]) -> [EventSeries] {
    lengths.enumerated().map { number, length in
      var event = Event(uid: EventUID("\(number)"), start: Event.noStart)
      event.component = String(repeating: "x", count: length)
      return EventSeries(calendar: CalendarID("personal"), master: event)
    }
  }

  @Test(arguments: [
    ([1, 1, 1, 1, 1, 1, 1], 3, [3, 3, 1]), ([4, 6, 1], 3, [2, 1]),
    ([9, 2, 30, 1, 1], 3, [1, 1, 1, 2]),
    ([], 3, []),
  ])
  func `a part is no longer than ten octets, and has no more than so many`(
    lengths: [Int], most: Int, expected: [Int]
  ) {
    var parts = SeriesParts(series(lengths), octets: 10)
    var counts: [Int] = []
    while let part = parts.next(atMost: most) { counts.append(part.count) }
    #expect(counts == expected)
    #expect(parts.isAtEnd)
  }
}
