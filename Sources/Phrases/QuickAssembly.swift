import CivilTime
import Messages
import Recurrence

/// Combines the pieces of a quick text, or reports what is missing or contradictory.
struct QuickAssembly {
  let scanner: PhraseScanner
  let context: PhraseContext
  /// The pieces that are used.
  private(set) var pieces: [QuickPiece]
  private var guesses: Set<Int> = []
  /// The title's hint for hours without a half of the day.
  private var hint: BareHour.Hint?

  init(_ reader: QuickReader) {
    scanner = reader.scanner
    context = reader.context
    pieces = reader.pieces
  }

  private mutating func guessed(_ guess: QuickGuess) { guesses.insert(guess.rawValue) }

  mutating func phrase() throws(PhraseError) -> QuickPhrase {
    try settleDoubts()
    try refuseExceptions()
    var title = QuickTitle(scanner: scanner, pieces: pieces)
    try title.read()
    if title.placeIsGuess { guessed(.place) }
    if title.hasLeftover { guessed(.leftInTitle) }
    if title.hasUnread { guessed(.unread) }
    for piece in pieces { piece.guess.map { guessed($0) } }
    hint = BareHour.Hint(title: title.summary)
    let times = try readTimes()
    guard !title.summary.isEmpty else {
      throw fault(UserText("the title is missing"))
    }
    var phrase = QuickPhrase(summary: title.summary, start: times.start)
    phrase.end = times.end
    phrase.rule = times.rule
    phrase.location = title.location
    let calendars = pieces.compactMap { piece -> (String, QuickPiece)? in
      if case .calendar(let name) = piece.content { (name, piece) } else { nil }
    }
    if let (name, piece) = calendars.first {
      if let other = calendars.first(where: { $0.0 != name }) {
        throw contradiction(piece, other.1)
      }
      phrase.calendar = name
    }
    for piece in pieces {
      guard case .reminder(let reminder) = piece.content else { continue }
      switch reminder {
      case .lead(let lead) where !phrase.reminders.contains(lead): phrase.reminders.append(lead)
      case .leadToEnd(let lead) where !phrase.remindersToEnd.contains(lead):
        phrase.remindersToEnd.append(lead)
      case .time(let time) where !phrase.reminderTimes.contains(time):
        phrase.reminderTimes.append(time)
      case .none: phrase.isSilent = true
      case .lead, .leadToEnd, .time: break
      }
    }
    if phrase.isSilent, let other = pieces.first(where: { $0.content.isRinging }),
      let none = pieces.first(where: { $0.content.isSilence })
    {
      throw contradiction(none, other)
    }
    phrase.spans = title.spans
    let cost = guesses.reduce(0) { $0 + (QuickGuess(rawValue: $1)?.cost ?? 0) }
    phrase.confidence = max(0, 100 - cost)
    return phrase
  }

  // MARK: Doubts

  /// Refuses "every day except sunday", in which Sunday would become the first day.
  ///
  /// - Throws: ``PhraseError`` for such a text.
  private func refuseExceptions() throws(PhraseError) {
    guard pieces.contains(where: { if case .repeats = $0.content { true } else { false } }) else {
      return
    }
    for (before, day) in zip(pieces, pieces.dropFirst()) where day.isDay {
      let words = scanner.slice(before.end, max(before.end, day.start)).split(separator: " ")
      guard let last = words.last?.lowercased(), QuickWords.exceptions.contains(last) else {
        continue
      }
      throw fault(
        UserText(
          "\"{text}\": days cannot be excluded in a phrase", ["text": "\(last) \(slice(day))"]),
        at: day,
        example: "every mon, tue and thu 9:00")
    }
  }

  /// Leaves doubtful pieces that are not needed to the title.
  private mutating func settleDoubts() throws(PhraseError) {
    let repeatsOnDay = pieces.contains {
      if case .repeats(let rule) = $0.content { rule.namesDay } else { false }
    }
    let hasDay = repeatsOnDay || pieces.contains { $0.isDay && $0.certainty == .certain }
    let hasClock = pieces.contains { $0.isClock && $0.certainty == .certain }
    var kept: [QuickPiece] = []
    for piece in pieces {
      guard piece.certainty != .certain else {
        kept.append(piece)
        continue
      }
      let isNow = if case .instant = piece.content { true } else { false }
      if isNow ? hasDay || hasClock : piece.isDay ? hasDay : hasClock { continue }
      if case .unreadable(let reason, let example) = piece.certainty {
        throw scanner.fault(reason, at: piece.start, example: example)
      }
      // "now" is part of the title unless nothing else gives a time.
      if isNow, pieces.contains(where: { $0.start != piece.start && $0.isWhen }) { continue }
      guessed(.doubtfulWord)
      kept.append(piece)
    }
    pieces = kept
  }

  // MARK: Times

  private typealias Times = (start: Moment, end: QuickPhrase.End?, rule: RecurrenceRule?)

  private mutating func readTimes() throws(PhraseError) -> Times {
    let clockPiece = try only { $0.isClock }
    let instantPiece = try only { $0.isInstant }
    let partPiece = try only { if case .part = $0.content { true } else { false } }
    let allDayPiece = try only { if case .allDay = $0.content { true } else { false } }
    let repeatPiece = try only { if case .repeats = $0.content { true } else { false } }
    let lengthPiece = try only { if case .length = $0.content { true } else { false } }
    var repeating: QuickRepeat?
    if case .repeats(let found)? = repeatPiece?.content { repeating = found }
    for (first, second) in [
      (instantPiece, clockPiece), (instantPiece, pieces.first(where: \.isDay)),
      (instantPiece, allDayPiece), (clockPiece, allDayPiece), (partPiece, allDayPiece),
      (instantPiece, repeatPiece), (instantPiece, partPiece),
    ] {
      if let first, let second { throw contradiction(first, second) }
    }
    var clock: TimeOfDay?
    var form = QuickClock.Form.settled
    if case .clock(let found)? = clockPiece?.content {
      let time = try settled(found, partPiece)
      // If something has settled the half of the day, the end has the same one.
      let isPlaced = time != found.time || (found.form == .bare && partPiece != nil)
      form = isPlaced ? .settled : found.form
      clock = time
    } else if case .part(let part)? = partPiece?.content {
      clock = part.time
      guessed(.partOfDay)
    }
    if clockPiece.map(slice)?.lowercased().hasSuffix("midnight") == true { guessed(.partOfDay) }
    let start: Moment
    if case .instant(let instant)? = instantPiece?.content {
      start = .instant(instant)
    } else {
      let day = try startDay(clock, repeating, repeatPiece)
      start = clock.map { .local(CivilDateTime(day, $0)) } ?? .date(day)
    }
    if case .local(let reading) = start,
      context.zone.reading(at: context.zone.instant(of: reading)) != reading
    {
      guessed(.skippedTime)
    }
    var ends = try readEnds(start, form, isRepeating: repeating != nil, lengthPiece)
    if ends.days != nil { guessed(.eachDay) }
    if let lengthPiece {
      if let other = ends.piece { throw contradiction(other, lengthPiece) }
      let repeats = repeating != nil || ends.days != nil
      ends.end = try length(lengthPiece, start, isRepeating: repeats)
    }
    var rule: RecurrenceRule?
    if let repeating { rule = try self.rule(repeating, start, until: ends.until) }
    if let days = ends.days {
      rule = try self.rule(QuickRepeat(unit: .day), start, until: nil, days: days)
    }
    return (start, ends.end, rule)
  }

  /// Returns the day on which the event begins.
  private mutating func startDay(
    _ clock: TimeOfDay?, _ repeating: QuickRepeat?, _ repeatPiece: QuickPiece?
  ) throws(PhraseError) -> CivilDate {
    let today = context.today
    /// Whether the time has passed on that day.
    func isOver(_ day: CivilDate) -> Bool {
      guard let clock else { return false }
      return context.zone.instant(of: CivilDateTime(day, clock)) <= context.now
    }
    guard let (day, mention, piece) = try namedDay() else {
      if let repeating, let repeatPiece {
        guard repeating.namesDay else {
          throw fault(
            UserText(
              "\"{text}\" does not say on which day it starts", ["text": slice(repeatPiece)]),
            example: "\(slice(repeatPiece)) from monday")
        }
        let first = try scanner.inRange(isOver(today) ? today.adding(days: 1) : today)
        return try scanner.inRange(repeating.firstDay(from: first))
      }
      guard clock != nil else { throw nothingSaysWhen() }
      guessed(.day)
      return try scanner.inRange(isOver(today) ? today.adding(days: 1) : today)
    }
    var first = day
    if mention.comesAgain, isOver(day) {
      first = try mention.date(
        from: try scanner.inRange(day.adding(days: 1)), in: scanner, at: piece.start)
    }
    guard let repeating, repeating.namesDay else { return first }
    let match = try scanner.inRange(repeating.firstDay(from: first))
    if let repeatPiece, !piece.isBeginning, match != first {
      throw contradiction(repeatPiece, piece)
    }
    return match
  }

  /// Returns the day that the text names, and its piece; several days must agree.
  private func namedDay() throws(PhraseError) -> (CivilDate, QuickDay, QuickPiece)? {
    var found: (CivilDate, QuickDay, QuickPiece)?
    for piece in pieces {
      guard case .day(let mention) = piece.content else { continue }
      let date = try start(mention, at: piece)
      guard let (other, otherMention, otherPiece) = found else {
        found = (date, mention, piece)
        continue
      }
      if date == other { continue }
      // In "Fri 27 Nov" the weekday must be that of the date.
      switch (otherMention, mention) {
      case (.weekday(let weekday), .date), (.weekday(let weekday), .numbered):
        guard date.weekday == weekday else { throw contradiction(otherPiece, piece) }
        found = (date, mention, piece)
      case (.date, .weekday(let weekday)), (.numbered, .weekday(let weekday)):
        guard other.weekday == weekday else { throw contradiction(otherPiece, piece) }
      default: throw contradiction(otherPiece, piece)
      }
    }
    return found
  }

  /// Returns the day of a piece; one without a year takes the latest year before an end with one.
  private func start(_ mention: QuickDay, at piece: QuickPiece) throws(PhraseError) -> CivilDate {
    if case .numbered(let day) = mention, day.year == nil {
      for other in pieces {
        guard case .end(let end) = other.content, case .numbered(let last)? = end.day,
          let year = last.year, let end = CivilDate(year: year, month: last.month, day: last.day)
        else { continue }
        for year in [year, year - 1] {
          if let date = CivilDate(year: year, month: day.month, day: day.day), date <= end {
            return date
          }
        }
      }
    }
    return try mention.date(from: context.today, in: scanner, at: piece.start)
  }

  private func length(
    _ piece: QuickPiece, _ start: Moment, isRepeating: Bool
  ) throws(PhraseError) -> QuickPhrase.End {
    guard case .length(let length) = piece.content else { return .length(.zero) }
    if isRepeating, !length.isWithinDay {
      throw fault(
        UserText(
          "\"{text}\" could be how long the event lasts, or how long it repeats",
          ["text": slice(piece)]), at: piece,
        example: "until 31 Jan")
    }
    switch length {
    case .duration(let duration, _):
      if duration.isZero {
        throw fault(
          UserText("\"{text}\" is not a duration", ["text": slice(piece)]), at: piece,
          example: "for 45m")
      }
      if case .date = start, duration.seconds != 0 {
        throw fault(
          UserText("\"{text}\" is a duration, but there is no start time", ["text": slice(piece)]),
          at: piece,
          example: "friday 12:30 \(slice(piece))")
      }
      return .length(duration)
    case .months(let months):
      let day = try scanner.inRange(start.day(in: context.zone).adding(months: months))
      guard months > 0 else {
        throw fault(
          UserText("\"{text}\" is not a duration", ["text": slice(piece)]), at: piece,
          example: "for 2 weeks")
      }
      if case .date = start { return .moment(.date(day)) }
      let reading: CivilDateTime =
        if case .local(let reading) = start { reading } else {
          context.zone.reading(at: start.instant(in: context.zone))
        }
      return .moment(.local(CivilDateTime(day, reading.time)))
    }
  }

  // MARK: Faults

  /// Returns the one piece of a kind; nil if there is none.
  ///
  /// - Throws: ``PhraseError`` if there are two.
  func only(_ isKind: (QuickPiece) -> Bool) throws(PhraseError) -> QuickPiece? {
    let found = pieces.filter(isKind)
    guard found.count < 2 else { throw contradiction(found[0], found[1]) }
    return found.first
  }

  func slice(_ piece: QuickPiece) -> String {
    String(scanner.slice(piece.start, piece.end).trimmingBlanks())
  }

  func fault(
    _ reason: UserText, at piece: QuickPiece? = nil, example: String = quickExample
  ) -> PhraseError {
    scanner.fault(reason, at: piece?.start ?? 0, example: example)
  }

  func contradiction(_ first: QuickPiece, _ second: QuickPiece) -> PhraseError {
    let (first, second) = first.start <= second.start ? (first, second) : (second, first)
    return fault(
      UserText(
        "\"{first}\" and \"{second}\" contradict each other; put quotation marks around the title",
        ["first": slice(first), "second": slice(second)]), at: second,
      example: "\"Sunday roast\" sat 13:00")
  }

  private func nothingSaysWhen() -> PhraseError {
    if let end = pieces.first(where: { if case .end = $0.content { true } else { false } }) {
      return fault(
        UserText("\"{text}\" is an end, but there is no start", ["text": slice(end)]), at: end)
    }
    for words in ["next week", "next month", "next year", "this week", "weekend"]
    where scanner.text.lowercased().contains(words) {
      return fault(
        UserText("\"{text}\" does not say on which day", ["text": words]),
        example: "lunch next friday 12:30")
    }
    if let unread = unread() {
      let written = scanner.slice(unread.start, unread.end)
      let isDotted = written.utf8.allSatisfy { $0 < 0x3a && $0 >= 0x2e }
      let example = isDotted ? String(written.map { $0 == "." ? ":" : $0 }) : nil
      return scanner.fault(
        UserText("\"{text}\" is not understood as a day or a time", ["text": written]),
        at: unread.start,
        example: example ?? PhraseWords.nearest(to: written.lowercased()) ?? quickExample)
    }
    return fault(UserText("the phrase has no day and no time"))
  }

  /// Returns the first text that looks like a date or time and was not read.
  private func unread() -> QuickLeftover? {
    var position = 0
    var found: [QuickLeftover] = []
    for (start, end) in pieces.map({ ($0.start, $0.end) }) + [(scanner.text.utf8.count, 0)] {
      if start > position {
        let text = scanner.slice(position, start)
        found += QuickLeftovers(text, at: position, QuickLeftovers.Known()).found
      }
      position = max(position, end)
    }
    return found.first(where: \.isCertain)
  }

  // MARK: Clocks

  mutating func settled(_ clock: QuickClock, _ part: QuickPiece?) throws(PhraseError) -> TimeOfDay {
    let written = String(scanner.slice(clock.start, clock.end).trimmingBlanks())
    if case .part(let part)? = part?.content {
      return try part.placing(clock.time, written: written, in: scanner, at: clock.start)
    }
    guard clock.form == .bare else { return clock.time }
    switch BareHour.reading(clock.time, hint) {
    case .certain(let time): return time
    case .likely(let time):
      guessed(.bareHour)
      return time
    case .ambiguous: throw scanner.bareHourFault(clock)
    }
  }
}

extension QuickPiece {
  var isDay: Bool { if case .day = content { true } else { false } }
  var isClock: Bool { if case .clock = content { true } else { false } }
  var isInstant: Bool { if case .instant = content { true } else { false } }
  var isWhen: Bool {
    switch content {
    case .day, .clock, .part, .instant, .repeats: true
    default: false
    }
  }
}

extension QuickLength {
  fileprivate var isWithinDay: Bool {
    if case .duration(let duration, _) = self { duration.days == 0 } else { false }
  }
}
