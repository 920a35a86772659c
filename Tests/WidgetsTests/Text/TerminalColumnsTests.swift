import Testing
import Widgets

@Suite struct `Columns of a terminal` {
  @Test(arguments: [
    ("", 0), ("Standup", 7), ("日历", 4), ("（周五）", 8), ("全天 09:30", 10), ("“a”", 3),
    ("東京チーム", 10), ("일정", 4), ("🎂", 2), ("🚀", 2), ("⭐", 2), ("✅", 2), ("🪴", 2), ("✓", 1), ("☎", 1),
  ])
  func `wide characters take two`(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test func `padding counts columns`() {
    #expect("日历".padding(to: 6) == "日历  ")
    #expect("where".padding(to: 6) == "where ")
    #expect("全天日程".padding(to: 6) == "全天日程")
  }
}
