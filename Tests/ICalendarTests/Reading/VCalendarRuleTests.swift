import CivilTime
import Recurrence
import Testing

@testable import ICalendar

/// Monday 8 January 2024, the second of its month.
private let start = CivilDate(year: 2024, month: 1, day: 8)!

@Suite struct `Rules of vCalendar 1.0` {
  // Source: versit vCalendar 1.0, "Recurrence Rule Grammar", and its examples.
  @Test(arguments: [
    ("D1 #3", "FREQ=DAILY;COUNT=3"), ("D2 #0", "FREQ=DAILY;INTERVAL=2"),
    ("D7 0600 1200 #10", "FREQ=DAILY;INTERVAL=7;BYHOUR=6,12;BYMINUTE=0;COUNT=10"),
    ("D2", "FREQ=DAILY;INTERVAL=2;COUNT=2"), ("d1 #0", "FREQ=DAILY"),
    ("D1 19991231T235959Z", "FREQ=DAILY;UNTIL=19991231T235959Z"),
    ("D1 20241231", "FREQ=DAILY;UNTIL=20241231"),
    ("D1 #5 20241231T000000", "FREQ=DAILY;UNTIL=20241231T000000"),
    ("W1 #4", "FREQ=WEEKLY;COUNT=4"), ("W2 TU TH #0", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH"),
    ("W2\tMO  20241231T000000", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;UNTIL=20241231T000000"),
    ("MP1 #12", "FREQ=MONTHLY;BYDAY=2MO;COUNT=12"),
    ("MP6 1+ MO #5", "FREQ=MONTHLY;INTERVAL=6;BYDAY=1MO;COUNT=5"),
    ("MP1 2- MO #6", "FREQ=MONTHLY;BYDAY=-2MO;COUNT=6"),
    ("MP2 1+ 1- FR #3", "FREQ=MONTHLY;INTERVAL=2;BYDAY=1FR,-1FR;COUNT=3"),
    ("MP2 1+ SU MO 2+ TU #0", "FREQ=MONTHLY;INTERVAL=2;BYDAY=1SU,1MO,2TU"),
    ("MD1 7 14 21 28 #12", "FREQ=MONTHLY;BYMONTHDAY=7,14,21,28;COUNT=12"),
    ("MD1 1 -1 #5", "FREQ=MONTHLY;BYMONTHDAY=1,-1;COUNT=5"),
    ("MD1 3- #0", "FREQ=MONTHLY;BYMONTHDAY=-3"), ("MD1 LD", "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2"),
    ("MD1 #0", "FREQ=MONTHLY"), ("YM1 6 7 #10", "FREQ=YEARLY;BYMONTH=6,7;COUNT=10"),
    ("YM2 #0", "FREQ=YEARLY;INTERVAL=2"),
    ("YD3 1 100 200 #10", "FREQ=YEARLY;INTERVAL=3;BYYEARDAY=1,100,200;COUNT=10"),
    ("M60 #12", "FREQ=MINUTELY;INTERVAL=60;COUNT=12"),
  ])
  func `a rule is put into the words of RFC 5545`(_ text: String, _ rule: String) throws {
    #expect(VCalendarRule.isOne(text))
    let translated = try VCalendarRule.translated(text, start: start)
    #expect(translated == rule)
    #expect(try RecurrenceRule(text: translated) == RecurrenceRule(text: rule))
  }

  @Test(arguments: [
    ("MP6 1+ MO #5 D1 #5", 13), ("YM1 6 #3 MD1 12", 9), ("D1 #5 M15 #4", 6), ("W2 MO$ TU #2", 3),
    ("W1 TU 1200 TH 1130 #10", 6), ("D1 0600 1130", 0), ("D1 2500", 3), ("MD1 32", 4),
    ("MD1 0", 4), ("YM1 13", 4), ("YM1 1-", 4), ("YD1 367", 4), ("MP1 MO", 4), ("MP1 6+ MO", 4),
    ("MP1 1+", 0), ("MP1 0+ MO", 4), ("W1 XX", 3), ("D1 #", 3), ("D1 #x", 3), ("D1 #1 #2", 6),
    ("D1 #99999999999999999999", 3), ("M5 1", 3),
  ])
  func `what is not in the grammar or not read of it is refused, with its place`(
    _ text: String, _ position: Int
  ) {
    #expect(VCalendarRule.isOne(text))
    let error = #expect(throws: RecurrenceError.self) {
      _ = try VCalendarRule.translated(text, start: start)
    }
    #expect(error?.position == position)
  }

  @Test(arguments: [
    "", " ", "FREQ=DAILY", "D", "D0 #3", "DD1", "D1x", "X1", "D12345", "MP", "RRULE:D1", "1D", "Ü1",
  ])
  func `other text is none of these rules`(_ text: String) {
    #expect(!VCalendarRule.isOne(text))
    #expect(throws: RecurrenceError.self) {
      _ = try VCalendarRule.translated(text, start: start)
    }
  }
}
