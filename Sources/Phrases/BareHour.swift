import CivilTime
import Messages

/// The rule for an hour without a half of the day: "at 9", "9 o'clock", "half past nine".
///
///     13 to 23, and 0     on the 24-hour clock: there is no other reading
///     8 to 12             9:00: the usual beginning of a working day
///     1 to 7              refused: 7:00 or 19:00
///     with a hint in the title: "breakfast at 7", "lunch at 1", "dinner at 8"
enum BareHour {
  /// The meaning of such an hour.
  enum Reading: Equatable {
    /// There is no other meaning.
    case certain(TimeOfDay)
    /// Most people mean this.
    case likely(TimeOfDay)
    case ambiguous

    /// The time; nil if it is ambiguous.
    var time: TimeOfDay? {
      switch self {
      case .certain(let time), .likely(let time): time
      case .ambiguous: nil
      }
    }
  }

  /// - Parameter hint: The hint in the words of the title.
  static func reading(_ time: TimeOfDay, _ hint: Hint? = nil) -> Reading {
    // 12:45 of "quarter to one" can be after noon or after midnight.
    let isTwelve = time.hour <= 12 && time != .midnight
    guard isTwelve else { return .certain(time) }
    if let hint {
      if hint.morning.contains(time.hour) { return .likely(time) }
      if hint.later.contains(time.hour) { return .likely(time.afterNoon) }
      if hint.doubtful.contains(time.hour) { return .ambiguous }
    }
    return (8...12).contains(time.hour) ? .likely(time) : .ambiguous
  }

  /// The half of the day that the words of a title suggest.
  enum Hint: Equatable {
    case breakfast, lunch, evening

    /// The hours that are taken as they are, before noon or at noon.
    fileprivate var morning: [Int] {
      switch self {
      case .breakfast: [4, 5, 6, 7, 8, 9, 10, 11, 12]
      case .lunch: [11, 12]
      case .evening: []
      }
    }

    /// The hours that are taken as after noon.
    fileprivate var later: [Int] {
      switch self {
      case .breakfast: []
      case .lunch: [1, 2, 3]
      case .evening: [4, 5, 6, 7, 8, 9, 10, 11]
      }
    }

    /// The hours that become ambiguous through the hint.
    fileprivate var doubtful: [Int] { self == .evening ? [12] : [] }

    private static let words: [String: Hint] = [
      "breakfast": .breakfast, "brunch": .breakfast, "sunrise": .breakfast,
      "lunch": .lunch, "luncheon": .lunch, "lunchtime": .lunch,
      "dinner": .evening, "supper": .evening, "drinks": .evening, "beers": .evening,
      "cocktails": .evening, "party": .evening, "concert": .evening, "gig": .evening,
      "movie": .evening, "film": .evening, "cinema": .evening, "theatre": .evening,
      "theater": .evening, "opera": .evening, "pub": .evening, "sunset": .evening,
      "evening": .evening, "night": .evening,
    ]

    /// - Returns: nil if no word is a hint, or two disagree.
    init?(title: String) {
      var found: Hint?
      for word in title.lowercased().split(whereSeparator: { !$0.isLetter }) {
        guard let hint = Hint.words[String(word)] else { continue }
        guard found == nil || found == hint else { return nil }
        found = hint
      }
      guard let found else { return nil }
      self = found
    }
  }
}

extension TimeOfDay {
  /// The same time after noon.
  var afterNoon: TimeOfDay { TimeOfDay(secondOfDay: Int(secondOfDay) % 43_200 + 43_200) ?? self }

  /// "5:00" for "05:00".
  fileprivate var unpadded: String {
    hourAndMinute.hasPrefix("0") ? String(hourAndMinute.dropFirst()) : hourAndMinute
  }
}

extension PhraseScanner {
  /// The error for an hour that can be in either half of the day.
  func bareHourFault(_ clock: QuickClock) -> PhraseError {
    let written = slice(clock.start, clock.end).trimmingBlanks()
    let later = clock.time.afterNoon
    let earlier = TimeOfDay(secondOfDay: Int(clock.time.secondOfDay) % 43_200) ?? clock.time
    return fault(
      UserText(
        "\"{text}\" could be {first} or {second}",
        ["text": written, "first": earlier.unpadded, "second": later.hourAndMinute]),
      at: clock.start,
      example: later.hourAndMinute)
  }

  /// Reads the time of day in a moment; nil, and nothing is consumed, if something else follows.
  ///
  /// That is ``readTimeOfDay(allowsBasic:)``, "half past nine", "9 o'clock", and after "at" a bare
  /// hour, by the rule of ``BareHour``.
  ///
  /// - Throws: ``PhraseError`` for an ambiguous hour, or a malformed time.
  mutating func readMomentTime(isAfterAt: Bool) throws(PhraseError) -> TimeOfDay? {
    var clock = try readSpokenClock()
    if clock == nil {
      if let time = try readTimeOfDay() { return time }
      guard isAfterAt, let hour = number, token.digits <= 2,
        let time = TimeOfDay(hour: hour, minute: 0)
      else { return nil }
      let start = token.start
      advance()
      clock = QuickClock(time: time, form: .bare, start: start, end: passed)
    }
    guard let clock else { return nil }
    guard clock.form == .bare else { return clock.time }
    guard let time = BareHour.reading(clock.time).time else { throw bareHourFault(clock) }
    return time
  }
}
