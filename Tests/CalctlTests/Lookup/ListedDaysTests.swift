import CivilTime
import Phrases
import Testing

@testable import CalctlCommands

@Suite struct `Days of lists` {
  @Test(arguments: [
    ("-1", "week", "week -1"), ("+2", "month", "month +2"), ("50", "week", "week 50"),
    ("2", "month", "2"),
    ("-7d", "week", "-7d"), ("-1", "", "-1"), ("fri", "week", "fri"), ("-", "week", "-"),
  ])
  func `a number with a sign counts weeks or months, one without names a week`(
    text: String, unit: String, read: String
  ) {
    #expect(ListedDays.counted(text, unit) == read)
  }

  @Test func `a list is as long as the days that it names, unless it is asked for others`() throws {
    let day = try CivilDate(text: "2026-11-21")
    let one = ReadDays(days: day...day, unit: .day)
    let range = ReadDays(days: day...(try CivilDate(text: "2026-11-23")), unit: .range)
    #expect(ListedDays.count(nil, one, otherwise: 7) == 7)
    #expect(ListedDays.count(nil, range, otherwise: 7) == 3)
    #expect(ListedDays.count(2, range, otherwise: 7) == 2)
    for (text, count) in [("", 7), ("-7d", 7), ("fri", 1), ("2026-11-21", 1)] as [(String, UInt32)]
    {
      #expect(ListedDays.count(nil, text, one) == count, "\(text)")
    }
    #expect(ListedDays.count(3, "fri", one) == 3 && ListedDays.count(nil, "december", range) == 3)
  }
}
