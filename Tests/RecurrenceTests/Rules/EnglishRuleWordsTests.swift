import Messages
import Recurrence
import Testing

@Suite struct `A rule in English words` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let words: String

    init(_ text: String, _ words: String) {
      (self.text, self.words) = (text, words)
    }

    var testDescription: String { text }
  }

  static let cases = [
    Case("FREQ=DAILY", "every day"),
    Case("FREQ=DAILY;INTERVAL=10;COUNT=5", "every 10 days, 5 times"),
    Case("FREQ=DAILY;COUNT=1", "every day, once"),
    Case("FREQ=DAILY;UNTIL=20261224", "every day, until 2026-12-24"),
    Case("FREQ=DAILY;UNTIL=20261224T090000", "every day, until 2026-12-24 09:00"),
    Case("FREQ=DAILY;UNTIL=20261224T080000Z", "every day, until 2026-12-24 08:00 UTC"),
    Case("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
    Case("FREQ=DAILY;INTERVAL=3;BYDAY=SA,SU", "every 3 days, if that is a Saturday or Sunday"),
    Case("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30", "every day at 09:30 and 17:30"),
    Case(
      "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
      "every day in the hours 9 to 16 at the minutes 0, 20 and 40"),
    Case("FREQ=WEEKLY", "every week"),
    Case("FREQ=WEEKLY;BYDAY=TU,TH", "every Tuesday and Thursday"),
    Case("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "every 2 weeks on Monday"),
    Case(
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU;COUNT=4",
      "every 2 weeks on Tuesday and Sunday, weeks beginning on Sunday, 4 times"),
    Case(
      "FREQ=WEEKLY;BYMONTHDAY=13;BYDAY=FR",
      "every week on the 13th of the month, if that is a Friday"),
    Case("FREQ=MONTHLY;BYDAY=2TU;COUNT=10", "every second Tuesday of the month, 10 times"),
    Case("FREQ=MONTHLY;BYDAY=1SU,-1SU", "every first and last Sunday of the month"),
    Case(
      "FREQ=MONTHLY;INTERVAL=2;BYDAY=-2MO",
      "every 2 months on the second to last Monday of the month"),
    Case("FREQ=MONTHLY;BYMONTHDAY=2,15", "every month on the 2nd and 15th"),
    Case("FREQ=MONTHLY;BYMONTHDAY=1,-1", "every month on the 1st and the last day"),
    Case("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "every month on the 13th, if that is a Friday"),
    Case("FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "every 2 months on each Tuesday"),
    Case("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every last weekday of the month"),
    Case(
      "FREQ=MONTHLY;INTERVAL=3;BYDAY=TU,TH;BYSETPOS=1",
      "every 3 months on the first Tuesday or Thursday"),
    Case(
      "FREQ=MONTHLY;BYMONTHDAY=10,20,30;BYSETPOS=2",
      "every month on the 10th, 20th and 30th, of these only the second in each month"),
    Case("FREQ=YEARLY", "every year"),
    Case("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "every year on the 29th of February"),
    Case("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "every year on the fourth Thursday of November"),
    Case(
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      "every 4 years on the 2nd, 3rd, 4th, 5th, 6th, 7th and 8th of November, if that is a Tuesday"),
    Case(
      "FREQ=YEARLY;BYMONTH=6,7,8;BYDAY=TH", "every year in June, July and August on each Thursday"),
    Case("FREQ=YEARLY;BYDAY=20MO", "every year on the 20th Monday of the year"),
    Case("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "every year in week 20 on Monday"),
    Case("FREQ=YEARLY;BYWEEKNO=-1", "every year in the last week of the year"),
    Case("FREQ=YEARLY;BYYEARDAY=1,100,-1", "every year on the 1st, 100th and last day of the year"),
    Case("FREQ=HOURLY;INTERVAL=3", "every 3 hours"),
    Case("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11", "every 20 minutes in the hours 9 to 11"),
    Case("FREQ=SECONDLY;BYSECOND=0", "every second at the second 0"),
  ]

  @Test(arguments: cases) func `every part is said`(_ item: Case) throws {
    #expect(try RecurrenceRule(text: item.text).words(in: .english) == item.words)
  }
}
