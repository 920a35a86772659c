import CivilTime
import TestSupport
import Testing

@testable import CalendarModel

@Suite struct `The order in which people read what begins together` {
  /// The obvious slow one.
  private func folded(_ title: String) -> [UInt8] { Array(title.lowercased().utf8) }

  private func compared(_ left: String, _ right: String) -> Int {
    let (lefts, rights) = (folded(left), folded(right))
    if lefts == rights { return 0 }
    return lefts.lexicographicallyPrecedes(rights) ? -1 : 1
  }

  @Test func `titles are compared whatever the case, also where they are not ASCII`() {
    var numbers = SeededGenerator(seed: 11)
    // The Kelvin sign and the dotted I are ASCII, or begin so, in lower case.
    let letters = [
      "a", "A", "b", "Z", "z", "[", "@", "{", " ", "é", "É", "ß", "ΑΣ", "σ", "K", "İ", "日", "🎂",
    ]
    func title() -> String {
      (0..<Int.random(in: 0...6, using: &numbers)).map { _ in
        letters[Int.random(in: 0..<letters.count, using: &numbers)]
      }.joined()
    }
    for _ in 0..<20_000 {
      let (left, right) = (title(), title())
      #expect(compareTitles(left, right) == compared(left, right), "\(left) and \(right)")
    }
  }

  @Test func `occurrences come by start, calendar, title and uid`() throws {
    let order = DisplayOrder(["b", "a"])
    let context = ZoneContext.fixed("Europe/Berlin")
    var numbers = SeededGenerator(seed: 5)
    var all: [Occurrence] = []
    for number in 0..<300 {
      var event = try Event("2026112\(Int.random(in: 1...3, using: &numbers))T090000Z", "PT1H")
      event.uid = EventUID("\(number)")
      event.summary = ["Éclair", "éclair", "Lunch", "lunch", ""][number % 5]
      let calendar = CalendarID(["a", "b", "c"][Int.random(in: 0...2, using: &numbers)])
      let series = EventSeries(calendar: calendar, master: event)
      all.append(try #require(try PlacedSeries(series, context: context)?.single))
    }
    func precedes(_ left: Occurrence, _ right: Occurrence) -> Bool {
      if left.span.start != right.span.start { return left.span.start < right.span.start }
      let ranks = [CalendarID("b"): 0, CalendarID("a"): 1]
      let (one, other) = (ranks[left.calendar] ?? 2, ranks[right.calendar] ?? 2)
      if one != other { return one < other }
      let titles = compared(left.summary, right.summary)
      return titles != 0 ? titles < 0 : left.uid.text < right.uid.text
    }
    let expected = all.sorted(by: precedes).map(\.uid)
    for var list in [all, all.reversed()] {
      list.putInOrder(order)
      #expect(list.map(\.uid) == expected)
    }
  }
}
