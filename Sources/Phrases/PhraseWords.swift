import CivilTime

/// The words of phrases, as data.
enum PhraseWords {
  static let weekdays: [(word: String, day: Weekday)] = [
    ("mon", .monday), ("monday", .monday), ("tue", .tuesday), ("tues", .tuesday),
    ("tuesday", .tuesday), ("wed", .wednesday), ("weds", .wednesday), ("wednesday", .wednesday),
    ("thu", .thursday), ("thur", .thursday), ("thurs", .thursday), ("thursday", .thursday),
    ("fri", .friday), ("friday", .friday), ("sat", .saturday), ("saturday", .saturday),
    ("sun", .sunday), ("sunday", .sunday),
  ]

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// Returns a month, 1 to 12, by its name, the first three letters of it, or "sept"; lower case.
  static func month(_ word: String) -> Int? {
    let index = months.firstIndex {
      let name = $0.lowercased()
      return word == name || word == name.prefix(3)
    }
    return index.map { $0 + 1 } ?? (word == "sept" ? 9 : nil)
  }

  static func monthName(_ month: Int) -> String { months[month - 1] }

  /// Days by their distance from today.
  static let days: [(word: String, distance: Int)] = [
    ("today", 0), ("tomorrow", 1), ("yesterday", -1),
  ]

  /// Times of day by their hour; midnight is the beginning of the day.
  static let hours: [(word: String, hour: Int)] = [("noon", 12), ("midnight", 0)]

  static let units: [(words: [String], unit: LengthUnit)] = [
    (["w", "wk", "wks", "week", "weeks"], .weeks), (["d", "day", "days"], .days),
    (["h", "hr", "hrs", "hour", "hours"], .hours),
    (["m", "min", "mins", "minute", "minutes"], .minutes),
    (["s", "sec", "secs", "second", "seconds"], .seconds),
  ]

  static func weekday(_ word: String) -> Weekday? {
    weekdays.first { $0.word == word }?.day
  }

  static func unit(_ word: String) -> LengthUnit? {
    units.first { $0.words.contains(word) }?.unit
  }

  /// Returns the known word most similar to an unknown one; nil if none is similar.
  static func nearest(to word: String) -> String? { closest(to: word)?.word }

  /// Returns the known word most similar to an unknown one, and by how many letters they differ.
  ///
  /// nil if none is similar.
  static func closest(to word: String) -> (word: String, distance: Int)? {
    let known =
      days.map(\.word) + weekdays.map(\.word) + hours.map(\.word) + ["now"]
      + months.map { $0.lowercased() }
    let letters = Array(word.utf8)
    let ranked = known.map {
      (word: $0, distance: editDistance(Array($0.utf8), letters, countsSwaps: false))
    }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= 2,
      best.distance * 2 < best.word.utf8.count
    else { return nil }
    // A known word needs no correction, and in short words the first letter is hardly wrong: "may"
    // is not a mistyped "day".
    guard best.distance > 0, word.utf8.count > 3 || best.word.utf8.first == word.utf8.first else {
      return nil
    }
    return best
  }
}

/// A unit of duration; weeks and days are nominal, the rest is exact.
enum LengthUnit: Int {
  case seconds, minutes, hours, days, weeks

  /// Nominal days; 0 for an exact unit.
  var days: Int64 {
    switch self {
    case .weeks: 7
    case .days: 1
    default: 0
    }
  }

  /// Exact seconds; 0 for a nominal unit.
  var seconds: Int64 {
    switch self {
    case .hours: 3600
    case .minutes: 60
    case .seconds: 1
    default: 0
    }
  }
}
