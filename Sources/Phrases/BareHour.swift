import CivilTime
import Messages

/// The one rule for an hour that does not say which half of the day it is of: "at 9",
/// "9 o'clock", "half past nine".
///
///     13 to 23, and 0     the clock of 24 hours: there is no other reading
///     8 to 12             9:00: the hours at which a working day has begun
///     1 to 7              refused: 7:00 or 19:00
///     with a word of the title that says which: "breakfast at 7", "lunch at 1", "dinner at 8"
enum BareHour {
  /// What such an hour is.
  enum Reading: Equatable {
    /// Nothing else can be meant.
    case certain(TimeOfDay)
    /// What most people mean.
    case likely(TimeOfDay)
    case ambiguous

    /// nil for what is ambiguous.
    var time: TimeOfDay? {
      switch self {
      case .certain(let time), .likely(let time): time
      case .ambiguous: nil
      }
    }
  }

  /// - Parameter hint: what the words around it say.
  static func reading(_ time: TimeOfDay, _ hint: Hint? = nil) -> Reading {
    // "quarter to one" is a quarter before noon's one, or before that of the night.
    let isTwelve = time.hour <= 12 && time != .midnight
    guard isTwelve else { return .certain(time) }
    if let hint {
      if hint.morning.contains(time.hour) { return .likely(time) }
      if hint.later.contains(time.hour) { return .likely(time.afterNoon) }
      if hint.doubtful.contains(time.hour) { return .ambiguous }
    }
    return (8...12).contains(time.hour) ? .likely(time) : .ambiguous
  }

  /// Which half of the day the words of a title speak of.
  enum Hint: Equatable {
    case breakfast, lunch, evening

    /// The hours that are before noon, or of it.
    fileprivate var morning: [Int] {
      switch self {
      case .breakfast: [4, 5, 6, 7, 8, 9, 10, 11, 12]
      case .lunch: [11, 12]
      case .evening: []
      }
    }

    /// The hours that are after noon.
    fileprivate var later: [Int] {
      switch self {
      case .breakfast: []
      case .lunch: [1, 2, 3]
      case .evening: [4, 5, 6, 7, 8, 9, 10, 11]
      }
    }

    /// The hours that are taken for others without the hint, and can be either with it.
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

    /// - Returns: nil where no word says so, and where two do not agree.
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
  /// The same time after noon, of one before it.
  var afterNoon: TimeOfDay { TimeOfDay(secondOfDay: Int(secondOfDay) % 43_200 + 43_200) ?? self }

  /// "5:00" for "05:00".
  fileprivate var unpadded: String {
    hourAndMinute.hasPrefix("0") ? String(hourAndMinute.dropFirst()) : hourAndMinute
  }
}

extension PhraseScanner {
  /// The fault of an hour that can be of either half of the day.
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

  /// Reads a time of day of a moment: ``readTimeOfDay(allowsBasic:)``, "half past nine",
  /// "9 o'clock", and after "at" a bare hour, by the rule of ``BareHour``; nil, and nothing is
  /// passed, if something else comes next.
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
