import CivilTime
import Messages
import Recurrence

/// Puts the pieces of one cover together.
struct Assembly {
  let line: [UInt8]
  let chart: Chart
  let cover: Cover
  let language: PhraseLanguage
  let setting: PhraseSetting
  let isEvent: Bool

  enum Outcome {
    /// One, or two that people would differ over.
    case readings([PhraseReading])
    case refused(PhraseRefusal)
  }

  /// What the pieces say, each kind once.
  struct Pieces {
    var when = When()
    var repeats: RepeatReading?
    var beginning: When?
    var bound: Bound?
    var elapsed: Length?
    var duration: Length?
    var zone: PhraseReading.Zone?
    var reminders: [PhraseReminder] = []
    var isAllDay = false
    var isRequest = false
  }

  func outcome() -> Outcome {
    do throws(PhraseRefusal) {
      if cover.pieces.isEmpty {
        // "feb 30" is no day, and a better reason than that there is none.
        _ = try LeftoverWords(self, hasClock: false, hasDay: false)
        throw nothing
      }
      if let exception { throw exception }
      var pieces = try gathered()
      let words = try LeftoverWords(
        self,
        hasClock: pieces.when.clock != nil || pieces.isAllDay,
        hasDay: pieces.when.day != nil || pieces.repeats != nil || pieces.beginning != nil)
      try settleParts(&pieces)
      let hint = words.hint
      var readings: [PhraseReading] = []
      for clocks in try clocks(of: pieces, hint) {
        var pieces = pieces
        (pieces.when.clock, pieces.when.endClock) = clocks
        readings += try timed(pieces)
        if let repeats = pieces.repeats, repeats.mayBeOnce, pieces.bound == nil {
          pieces.bound = .count(repeats.weekdays.count)
          readings += try timed(pieces)
        }
        if isOnEachDay(pieces) {
          // "mon-wed 9:00-17:00" may be one event, or one on each of the days.
          pieces.repeats = RepeatReading(.daily)
          readings += try timed(pieces)
        }
        if isEvent, pieces.when.endDay == nil,
          case .nthWeekdayOfMonth(let n, let weekday)? = pieces.when.day
        {
          // "rent first tuesday of the month" may be that of each month.
          pieces.when.day = nil
          pieces.repeats = RepeatReading(.monthly).on([n], weekday)
          readings += (try? timed(pieces)) ?? []
        }
      }
      return .readings(
        readings.map { reading in
          var reading = reading
          reading.title = words.title
          reading.place = words.place
          reading.calendar = words.calendar
          reading.zone = pieces.zone
          reading.hasDay = pieces.when.day != nil || pieces.repeats != nil
          reading.setReminders(pieces.reminders)
          reading.parts = words.parts
          return reading
        })
    } catch {
      return .refused(error)
    }
  }

  /// Whether days and hours are apart from each other: not "mon 9:00 to wed 17:00".
  private func isOnEachDay(_ pieces: Pieces) -> Bool {
    guard pieces.repeats == nil, pieces.when.endDay != nil, pieces.when.endClock != nil else {
      return false
    }
    return items.contains {
      guard case .when(let when) = $0.value else { return false }
      return when.endDay != nil && when.endClock == nil
    }
  }

  /// The pieces of the cover.
  var items: [Chart.Item] { cover.pieces.map { chart.items[$0] } }

  /// The pieces as parts of the line.
  var understood: [PhraseReading.Part] {
    items.map { part($0.symbol.partKind, $0.start, $0.end) }
  }

  func part(_ kind: PhraseReading.Part.Kind, _ start: Int, _ end: Int) -> PhraseReading.Part {
    PhraseReading.Part(
      kind: kind, start: chart.tokens[start].start, end: chart.tokens[end - 1].end)
  }

  func range(_ start: Int, _ end: Int) -> Range<Int> {
    chart.tokens[start].start..<chart.tokens[end - 1].end
  }

  func text(_ range: Range<Int>) -> String { String(decoding: line[range], as: UTF8.self) }

  // MARK: Gathering

  private func gathered() throws(PhraseRefusal) -> Pieces {
    var pieces = Pieces()
    for item in items {
      try checkBounds(item)
      try checkCounts(item)
      if let refusal = secondDay(item) { throw refusal }
      guard add(item, to: &pieces) else {
        if let modifier { throw modifier }
        let range = range(item.start, item.end)
        throw PhraseRefusal(
          UserText("\"{words}\" contradicts the words before it", ["words": text(range)]),
          fault: range)
      }
    }
    return pieces
  }

  /// A word between the pieces that changes what they mean: "friday or saturday".
  var modifier: PhraseRefusal? {
    let index = chart.tokens.indices.first {
      language.titles.modifiers.contains(chart.tokens[$0].text) && isLeft($0)
    }
    guard let index else { return nil }
    let range = range(index, index + 1)
    return PhraseRefusal(
      UserText("\"{word}\" is not understood here", ["word": text(range)]), fault: range)
  }

  /// - Returns: false if it contradicts what there is.
  private func add(_ item: Chart.Item, to pieces: inout Pieces) -> Bool {
    func set<Kind: Equatable>(_ slot: inout Kind?, _ value: Kind) -> Bool {
      guard slot == nil || slot == value else { return false }
      slot = value
      return true
    }
    switch (item.symbol, item.value) {
    case (.when, .when(let when)), (.partWhen, .when(let when)):
      guard let merged = pieces.when.merged(when) else { return false }
      pieces.when = merged
      return true
    case (.repeats, .repeats(let repeats)):
      guard let known = pieces.repeats else {
        pieces.repeats = repeats
        return true
      }
      pieces.repeats = known.merged(repeats)
      return pieces.repeats != nil
    case (.beginning, .when(let when)): return set(&pieces.beginning, when)
    case (.bound, .bound(let bound)): return set(&pieces.bound, bound)
    case (.elapsed, .length(let length)): return set(&pieces.elapsed, length)
    case (.duration, .length(let length)): return set(&pieces.duration, length)
    case (.zone, .text(let name)):
      // "9:00 PT" is a zone, and "PT friday 9:00" is a title.
      if item.isCommon, item.end == item.start + 1, !isAfterClock(item.start) { return false }
      let parts = name.split(separator: "|")
      return set(
        &pieces.zone,
        PhraseReading.Zone(
          name: String(parts[0]), offsetSeconds: parts.count > 1 ? Int(parts[1]) : nil))
    case (.reminder, .length(let length)):
      guard let duration = length.duration else { return false }
      pieces.reminders.append(.fromStart(duration.negated))
      return true
    case (.reminder, .reminders(let reminders)):
      pieces.reminders += reminders
      return !pieces.reminders.contains(.none) || pieces.reminders.count == 1
    case (.request, _):
      pieces.isRequest = true
      return true
    case (.allDay, _):
      pieces.isAllDay = true
      return true
    default: return false
    }
  }

  /// Joins what belongs together: "every evening" has a part of the day; "for three weeks" ends a
  /// recurrence; "starting friday" is where it starts.
  private func settleParts(_ pieces: inout Pieces) throws(PhraseRefusal) {
    for more in [pieces.repeats?.part.map { When(part: $0) }, pieces.repeats?.hours] {
      guard let more else { continue }
      guard let merged = pieces.when.merged(more) else { throw contradiction }
      pieces.when = merged
    }
    if pieces.repeats != nil, pieces.bound == nil, let length = pieces.duration, length.isWhole {
      guard pieces.repeats?.fits(in: length) == true else { throw contradiction }
      pieces.bound = .length(length)
      pieces.duration = nil
    }
    if let elapsed = pieces.elapsed, elapsed.isWhole, elapsed != Length() {
      guard let merged = pieces.when.merged(When(day: .relative(elapsed))) else {
        throw contradiction
      }
      pieces.when = merged
      pieces.elapsed = nil
    }
    if pieces.repeats == nil, let beginning = pieces.beginning {
      guard let merged = pieces.when.merged(beginning) else { throw contradiction }
      pieces.when = merged
      pieces.beginning = nil
    }
    if pieces.repeats?.isListed == true {
      guard pieces.when.clock != nil else {
        throw refusal(.repeats) {
          UserText("\"{words}\" is several days, and does not say how often", ["words": $0])
        }
      }
      pieces.repeats?.isListed = false
    }
    if pieces.isAllDay, pieces.when.clock != nil || pieces.when.part != nil {
      throw PhraseRefusal(UserText("it is all day and has a time"))
    }
    if pieces.bound != nil, pieces.repeats == nil {
      throw refusal(.bound) {
        UserText("\"{words}\" would end a recurrence, and there is none", ["words": $0])
      }
    }
  }

  /// A refusal that names the words of the first piece of a kind.
  ///
  /// - Parameter reason: Gets the words.
  func refusal(
    _ symbol: Symbol, where isWanted: (Value) -> Bool = { _ in true },
    _ reason: (String) -> UserText
  ) -> PhraseRefusal {
    let wanted = items.filter { isWanted($0.value) }
    let found = wanted.first { $0.symbol == symbol } ?? wanted.first
    guard let found else { return PhraseRefusal(reason("")) }
    let words = range(found.start, found.end)
    return PhraseRefusal(reason(text(words)), fault: words)
  }

  var contradiction: PhraseRefusal { PhraseRefusal(UserText("two of its times contradict")) }
}

extension Symbol {
  /// What a piece is for people.
  var partKind: PhraseReading.Part.Kind {
    switch self {
    case .duration: .duration
    case .repeats: .repeat
    case .bound, .beginning: .bound
    case .reminder: .reminder
    case .request: .filler
    case .zone: .zone
    default: .when
    }
  }
}
