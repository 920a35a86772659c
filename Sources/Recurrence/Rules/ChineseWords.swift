internal import CivilTime

/// Chinese words and lists for the description of rules.
enum ChineseWords {
  /// "甲", "甲和乙", "甲、乙和丙".
  static func list(_ items: [String], joinedBy word: String = "和") -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: "、") + word + last
  }

  /// "第二个", "最后一个", "倒数第二个", "第 100 个".
  static func ordinal(_ number: Int, _ measure: String = "个") -> String {
    if number == -1 { return "最后一" + measure }
    if number < 0 { return "倒数" + ordinal(-number, measure) }
    return number < 100 ? "第" + numeral(number) + measure : "第 \(number) " + measure
  }

  static func ordinals(_ numbers: [Int], _ measure: String = "个") -> String {
    list(numbers.map { ordinal($0, measure) })
  }

  private static let digits = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"]

  /// "二", "十", "十五", "三十一"; for 1 to 99.
  private static func numeral(_ number: Int) -> String {
    let (tens, ones) = (number / 10, number % 10)
    let ten = tens == 0 ? "" : tens == 1 ? "十" : digits[tens] + "十"
    return ten + digits[ones]
  }

  /// "1日和15日", "倒数第二天", "1日和最后一天".
  static func monthDays(_ days: [Int]) -> String {
    list(days.filter { $0 > 0 }.map { "\($0)日" } + days.filter { $0 < 0 }.map { ordinal($0, "天") })
  }

  /// "第 1 天和最后一天".
  static func yearDays(_ days: [Int]) -> String {
    list(
      days.map { day in
        day == -1 ? "最后一天" : day < 0 ? "倒数第 \(-day) 天" : "第 \(day) 天"
      })
  }

  /// "星期一和星期五", "工作日" for Monday to Friday, "任何一天" for all seven.
  static func weekdays(_ weekdays: [Weekday], joinedBy word: String = "和") -> String {
    let sorted = sorted(weekdays)
    if sorted.count == 7 { return "任何一天" }
    return isWorkWeek(sorted) ? "工作日" : list(sorted.map { "星期" + name($0) }, joinedBy: word)
  }

  /// "周一和周五", as they follow "每".
  static func shortWeekdays(_ weekdays: [Weekday]) -> String {
    let sorted = sorted(weekdays)
    if sorted.count == 7 { return "天" }
    return isWorkWeek(sorted) ? "个工作日" : list(sorted.map { "周" + name($0) })
  }

  private static func sorted(_ weekdays: [Weekday]) -> [Weekday] {
    Set(weekdays).sorted { $0.rawValue < $1.rawValue }
  }

  private static func isWorkWeek(_ sorted: [Weekday]) -> Bool {
    sorted == [.monday, .tuesday, .wednesday, .thursday, .friday]
  }

  /// "一" of "星期一" and "周一".
  static func name(_ weekday: Weekday) -> String {
    weekday == .sunday ? "日" : digits[weekday.rawValue]
  }

  /// "6月和7月".
  static func months(_ months: [Int]) -> String { list(months.sorted().map { "\($0)月" }) }

  /// Returns numbers as texts; three or more in a row become a range, "9 至 16".
  static func runs(_ numbers: [Int]) -> String {
    list(EnglishWords.runs(numbers, to: " 至 "), joinedBy: " 和 ")
  }

  /// "2026年12月24日".
  static func date(_ date: CivilDate) -> String { "\(date.year)年\(date.month)月\(date.day)日" }

  /// "2026年12月24日 09:00", with seconds if they are not 0.
  static func moment(_ reading: CivilDateTime) -> String {
    date(reading.date) + " " + EnglishWords.clock(reading.time)
  }
}
