import Messages
import Recurrence
import Testing

@Suite struct `A rule in Chinese words` {
  private static let chinese = Language(
    code: "zh-CN", translation: { $0 }, pluralTranslation: { one, _, _ in one })

  typealias Case = `A rule in English words`.Case

  static let cases = [
    Case("FREQ=DAILY", "每天"),
    Case("FREQ=DAILY;INTERVAL=10;COUNT=5", "每 10 天，共 5 次"),
    Case("FREQ=DAILY;COUNT=1", "每天，仅一次"),
    Case("FREQ=DAILY;UNTIL=20261224", "每天，直到 2026年12月24日"),
    Case("FREQ=DAILY;UNTIL=20261224T090000", "每天，直到 2026年12月24日 09:00"),
    Case("FREQ=DAILY;UNTIL=20261224T080030Z", "每天，直到 2026年12月24日 08:00:30 UTC"),
    Case("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "每个工作日"),
    Case("FREQ=DAILY;BYDAY=SU,SA", "每周六和周日"),
    Case("FREQ=DAILY;INTERVAL=3;BYDAY=SA,SU", "每 3 天，且须为星期六或星期日"),
    Case("FREQ=DAILY;BYMONTH=1", "每天，仅限1月"),
    Case("FREQ=DAILY;BYMONTHDAY=-1,15", "每天，仅限每月15日和最后一天"),
    Case("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30", "每天 09:30 和 17:30"),
    Case(
      "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
      "每天第 9 至 16 时的第 0、20 和 40 分"),
    Case("FREQ=WEEKLY", "每周"),
    Case("FREQ=WEEKLY;BYDAY=TU", "每周二"),
    Case("FREQ=WEEKLY;BYDAY=TH,TU", "每周二和周四"),
    Case("FREQ=WEEKLY;BYDAY=MO,WE,SU", "每周一、周三和周日"),
    Case("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "每个工作日"),
    Case("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "每天"),
    Case("FREQ=WEEKLY;BYDAY=MO;BYMONTH=6,7", "每周一，仅限6月和7月"),
    Case("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "每 2 周的星期一"),
    Case(
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU;COUNT=4",
      "每 2 周的星期二和星期日，每周从星期日开始，共 4 次"),
    Case("FREQ=WEEKLY;BYMONTHDAY=13;BYDAY=FR", "每周，仅限每月13日，且须为星期五"),
    Case("FREQ=MONTHLY", "每月"),
    Case("FREQ=MONTHLY;BYDAY=2TU;COUNT=10", "每月第二个星期二，共 10 次"),
    Case("FREQ=MONTHLY;BYDAY=-1FR", "每月最后一个星期五"),
    Case("FREQ=MONTHLY;BYDAY=1SU,-1SU", "每月第一个和最后一个星期日"),
    Case("FREQ=MONTHLY;BYDAY=1MO,2TU", "每月第一个星期一和第二个星期二"),
    Case("FREQ=MONTHLY;INTERVAL=2;BYDAY=-2MO", "每 2 个月的倒数第二个星期一"),
    Case("FREQ=MONTHLY;BYDAY=2TU;BYMONTH=3,9", "每月第二个星期二，仅限3月和9月"),
    Case("FREQ=MONTHLY;BYMONTHDAY=2,15", "每月2日和15日"),
    Case("FREQ=MONTHLY;BYMONTHDAY=1,-1", "每月1日和最后一天"),
    Case("FREQ=MONTHLY;BYMONTHDAY=-2", "每月倒数第二天"),
    Case("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "每月13日，且须为星期五"),
    Case("FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "每 2 个月的每个星期二"),
    Case("FREQ=MONTHLY;BYDAY=TU", "每月的每个星期二"),
    Case("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "每月最后一个工作日"),
    Case("FREQ=MONTHLY;INTERVAL=3;BYDAY=TU,TH;BYSETPOS=1", "每 3 个月的第一个星期二或星期四"),
    Case("FREQ=MONTHLY;BYMONTHDAY=10,20,30;BYSETPOS=2", "每月10日、20日和30日，仅取每月的第二个"),
    Case("FREQ=MONTHLY;BYMONTHDAY=31;RSCALE=GREGORIAN;SKIP=FORWARD", "每月31日，没有该日时顺延一天"),
    Case("FREQ=YEARLY", "每年"),
    Case("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "每年2月29日"),
    Case(
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;RSCALE=GREGORIAN;SKIP=BACKWARD",
      "每年2月29日，没有该日时提前一天"),
    Case("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "每年2月的最后一天"),
    Case("FREQ=YEARLY;BYMONTH=6,7;BYMONTHDAY=1", "每年6月和7月的1日"),
    Case("FREQ=YEARLY;BYMONTHDAY=13", "每年的每月13日"),
    Case("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "每年11月的第四个星期四"),
    Case(
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      "每 4 年的11月2日、3日、4日、5日、6日、7日和8日，且须为星期二"),
    Case("FREQ=YEARLY;BYMONTH=6,7,8;BYDAY=TH", "每年6月、7月和8月的每个星期四"),
    Case("FREQ=YEARLY;BYDAY=20MO", "每年的第二十个星期一"),
    Case("FREQ=YEARLY;BYDAY=-31MO,12TU", "每年的倒数第三十一个星期一和第十二个星期二"),
    Case("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "每年第二十周的星期一"),
    Case("FREQ=YEARLY;BYWEEKNO=-1", "每年最后一周"),
    Case("FREQ=YEARLY;BYYEARDAY=1,100,-1", "每年的第 1 天、第 100 天和最后一天"),
    Case("FREQ=HOURLY;INTERVAL=3", "每 3 小时"),
    Case("FREQ=HOURLY;BYMINUTE=0,30", "每小时第 0 和 30 分"),
    Case("FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11", "每 20 分钟，仅限第 9 至 11 时"),
    Case("FREQ=SECONDLY;BYSECOND=0", "每秒，仅限第 0 秒"),
  ]

  @Test(arguments: cases) func `every part is said`(_ item: Case) throws {
    #expect(try RecurrenceRule(text: item.text).words(in: Self.chinese) == item.words)
  }

  @Test func `a language without words of its own has the English ones`() throws {
    let german = Language(
      code: "de", translation: { $0 }, pluralTranslation: { one, _, _ in one })
    #expect(try RecurrenceRule(text: "FREQ=DAILY").words(in: german) == "every day")
  }
}
