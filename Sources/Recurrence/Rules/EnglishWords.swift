internal import CivilTime

/// English words and lists for the description of rules.
enum EnglishWords {
  /// "a", "a and b", "a, b and c".
  static func list(_ items: [String], joinedBy word: String = "and") -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " " + word + " " + last
  }

  private static let small = ["first", "second", "third", "fourth", "fifth"]

  /// "second", "last", "third to last", "6th", "20th to last".
  static func ordinal(_ number: Int) -> String {
    if number == -1 { return "last" }
    if number < 0 { return ordinal(-number) + " to last" }
    return number >= 1 && number <= small.count ? small[number - 1] : numeral(number)
  }

  static func ordinals(_ numbers: [Int]) -> String { list(numbers.map(ordinal)) }

  /// "1st", "12th", "31st".
  static func numeral(_ number: Int) -> String {
    let isTeen = (11...13).contains(number % 100)
    switch number % 10 {
    case 1 where !isTeen: return "\(number)st"
    case 2 where !isTeen: return "\(number)nd"
    case 3 where !isTeen: return "\(number)rd"
    default: return "\(number)th"
    }
  }

  /// "100th", "last", "2nd to last".
  static func dayOrdinal(_ number: Int) -> String {
    if number == -1 { return "last" }
    return number < 0 ? numeral(-number) + " to last" : numeral(number)
  }

  /// "1st and 15th", "2nd to last day", "1st and the last day".
  static func monthDays(_ days: [Int]) -> String {
    let fromStart = days.filter { $0 > 0 }.map(dayOrdinal)
    let fromEnd = days.filter { $0 < 0 }.map(dayOrdinal)
    guard !fromEnd.isEmpty else { return list(fromStart) }
    let last = list(fromEnd) + " day"
    return fromStart.isEmpty ? last : list(fromStart) + " and the " + last
  }

  /// "Monday and Friday", "weekday" for Monday to Friday, "day" for all seven.
  static func weekdays(_ weekdays: [Weekday], joinedBy word: String) -> String {
    let sorted = Set(weekdays).sorted { $0.rawValue < $1.rawValue }
    if sorted.count == 7 { return "day of the week" }
    if sorted == [.monday, .tuesday, .wednesday, .thursday, .friday] { return "weekday" }
    return list(sorted.map(\.name), joinedBy: word)
  }

  static func month(_ number: Int) -> String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return number >= 1 && number <= 12 ? names[number - 1] : "month \(number)"
  }

  /// Returns numbers as texts; three or more in a row become a range, "9 to 16".
  static func runs(_ numbers: [Int], to word: String = " to ") -> [String] {
    let sorted = Set(numbers).sorted()
    var result: [String] = []
    var index = 0
    while index < sorted.count {
      var end = index
      while end + 1 < sorted.count, sorted[end + 1] == sorted[end] + 1 { end += 1 }
      if end >= index + 2 {
        result.append("\(sorted[index])" + word + "\(sorted[end])")
      } else {
        result += sorted[index...end].map(String.init)
      }
      index = end + 1
    }
    return result
  }

  /// "2026-12-24 09:00", with seconds if they are not 0.
  static func moment(_ reading: CivilDateTime) -> String {
    "\(reading.date) " + clock(reading.time)
  }

  /// "09:00", with seconds if they are not 0.
  static func clock(_ time: TimeOfDay) -> String {
    let seconds = time.second == 0 ? "" : ":" + padded(time.second)
    return padded(time.hour) + ":" + padded(time.minute) + seconds
  }

  static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Weekday {
  /// The English name, "Monday".
  var name: String {
    switch self {
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    case .sunday: "Sunday"
    }
  }
}

extension RecurrenceRule.Frequency {
  /// The unit of a period, such as "day".
  var unit: String {
    switch self {
    case .secondly: "second"
    case .minutely: "minute"
    case .hourly: "hour"
    case .daily: "day"
    case .weekly: "week"
    case .monthly: "month"
    case .yearly: "year"
    }
  }
}
