import CivilTime
import Messages
import Testing

@testable import Widgets

/// Dates and times by the territory of the locale.
@Suite struct `Times by the customs of a territory` {
  struct Case: Sendable, CustomTestStringConvertible {
    let locale: String
    let language: Language
    let territory: String?
    let morning: String
    let night: String
    let shortDate: String
    let longDate: String
    let later: String
    let weeks: String
    var testDescription: String { locale }
  }

  private static let cases = [
    Case(
      locale: "C", language: .english, territory: nil, morning: "09:05", night: "22:30",
      shortDate: "Fri 27 Nov 2026, 09:05", longDate: "Friday 27 November 2026",
      later: "Fri 4 Dec 09:05", weeks: "23 Nov – 6 Dec 2026"),
    Case(
      locale: "en_US", language: .english, territory: "US", morning: "9:05 am", night: "10:30 pm",
      shortDate: "Fri, Nov 27, 2026, 9:05 am", longDate: "Friday, November 27, 2026",
      later: "Fri, Dec 4 9:05 am", weeks: "Nov 23 – Dec 6, 2026"),
    Case(
      locale: "en_GB", language: .english, territory: "GB", morning: "09:05", night: "22:30",
      shortDate: "Fri 27 Nov 2026, 09:05", longDate: "Friday 27 November 2026",
      later: "Fri 4 Dec 09:05", weeks: "23 Nov – 6 Dec 2026"),
    Case(
      locale: "de_DE", language: .english, territory: "DE", morning: "09:05", night: "22:30",
      shortDate: "Fri 27 Nov 2026, 09:05", longDate: "Friday 27 November 2026",
      later: "Fri 4 Dec 09:05", weeks: "23 Nov – 6 Dec 2026"),
    Case(
      locale: "en_CA", language: .english, territory: "CA", morning: "9:05 am", night: "10:30 pm",
      shortDate: "Fri 27 Nov 2026, 9:05 am", longDate: "Friday 27 November 2026",
      later: "Fri 4 Dec 9:05 am", weeks: "23 Nov – 6 Dec 2026"),
    Case(
      locale: "zh_CN", language: .chinese, territory: "CN", morning: "09:05", night: "22:30",
      shortDate: "2026年11月27日 周五 09:05", longDate: "2026年11月27日 星期五",
      later: "12月4日 周五 09:05", weeks: "2026年11月23日 – 12月6日"),
    Case(
      locale: "zh_TW", language: .chinese, territory: "TW", morning: "上午9:05", night: "下午10:30",
      shortDate: "2026年11月27日 周五 上午9:05", longDate: "2026年11月27日 星期五",
      later: "12月4日 周五 上午9:05", weeks: "2026年11月23日 – 12月6日"),
  ]

  private static func times(_ each: Case) -> TimeText {
    TimeText(each.language, TimeCustoms(territory: each.territory))
  }

  @Test(arguments: cases) func `a time has the clock of the territory`(_ each: Case) throws {
    let times = Self.times(each)
    let night = try #require(TimeOfDay(hour: 22, minute: 30))
    #expect(times.clock(try #require(TimeOfDay(hour: 9, minute: 5))) == each.morning)
    #expect(times.clock(night) == each.night)
    #expect(times.clockColumns == each.night.columns)
    #expect(times.withTwentyFourHours.clock(night) == "22:30")
  }

  @Test(arguments: cases) func `a date has the order of the territory`(_ each: Case) throws {
    let times = Self.times(each)
    let today = try CivilDate(text: "2026-11-27")
    let reading = try CivilDateTime(text: "2026-11-27T09:05")
    let later = try CivilDateTime(text: "2026-12-04T09:05")
    #expect(times.shortDate(reading) == each.shortDate)
    #expect(times.longDate(today) == each.longDate)
    #expect(times.moment(later, today: today) == each.later)
  }

  @Test(arguments: cases) func `the title of weeks has that order, too`(_ each: Case) throws {
    let page = try #require(
      MonthPage(
        day: try CivilDate(text: "2026-11-27"), mode: .twoWeeks, firstWeekday: .monday))
    let agenda = Agenda()
    let grid = MonthGridBuilder(
      page: page, today: try CivilDate(text: "2026-11-27"), occurrences: [], colors: [:],
      ownAddresses: [], zone: agenda.zone
    ).grid()
    #expect(grid.title(Self.times(each)) == each.weeks)
  }

  @Test(arguments: [
    ("00:00", "12:00 am", "12:00 am"), ("00:30", "12:30 am", "12:30 am"),
    ("11:59", "11:59 am", "11:59 am"), ("12:00", "12:00 pm", "12:00 pm"),
    ("13:00", "1:00 pm", "1:00 pm"), ("23:59", "11:59 pm", "11:59 pm"),
  ])
  func `midnight is 12 am and noon is 12 pm`(
    _ time: String, _ shown: String, _ atEnd: String
  ) throws {
    let times = TimeText(.english, TimeCustoms(territory: "US"))
    let time = try TimeOfDay(text: time)
    #expect(times.clock(time) == shown)
    #expect(times.clock(endingAt: time) == atEnd)
  }

  @Test func `a span that ends at midnight ends at 24:00`() {
    #expect(TimeText(.english).clock(endingAt: .midnight) == "24:00")
  }

  @Test func `a bar follows the customs, but for the fields that scripts read`() throws {
    var agenda = Agenda()
    try agenda.add("Party", "2026-11-21T18:00", "2026-11-22T02:00")
    let times = TimeText(.english, TimeCustoms(territory: "US"))
    let bar = try agenda.bar(at: "2026-11-21T09:00", times: times)
    #expect(bar.text == "Party at 6:00 pm")
    #expect(bar.tooltip.text.hasPrefix("Saturday, November 21, 2026\n6:00 pm–…  Party\n"))
    #expect(bar.event?.startText == "18:00" && bar.event?.endText == "tomorrow 02:00")
  }

  @Test func `a reminder and a picture follow the customs`() throws {
    let times = TimeText(.english, TimeCustoms(territory: "US"))
    #expect(
      ReminderText(times).allDayText(secondsAfterMidnight: -32_400) == "at 3:00 pm the day before")
    var agenda = Agenda()
    try agenda.add("Dinner", "2026-11-21T19:30", "2026-11-21T21:00")
    let picture = try `A month as a picture`.picture(agenda, times: times)
    #expect(picture.svg.contains("7:30 pm") && !picture.svg.contains("19:30"))
    #expect(picture.html.contains("7:30 pm") && !picture.html.contains(">19:30"))
  }
}

extension Language {
  /// The Chinese of the texts above.
  fileprivate static let chinese = Language(
    code: "zh-CN",
    translation: { pattern in
      switch pattern {
      case "Fri": "周五"
      case "Friday": "星期五"
      case "Nov", "November": "11月"
      case "Dec", "December": "12月"
      case "{time} am": "上午{time}"
      case "{time} pm": "下午{time}"
      case "{date}, {time}": "{date} {time}"
      case "{shortWeekday}, {shortMonth} {day}": "{shortMonth}{day}日 {shortWeekday}"
      case "{shortWeekday}, {shortMonth} {day}, {year}":
        "{year}年{shortMonth}{day}日 {shortWeekday}"
      case "{weekday}, {month} {day}, {year}": "{year}年{month}{day}日 {weekday}"
      case "{fromMonth} {from} – {shortMonth} {to}, {year}":
        "{year}年{fromMonth}{from}日 – {shortMonth}{to}日"
      default: pattern
      }
    }, pluralTranslation: { one, _, _ in one })
}
