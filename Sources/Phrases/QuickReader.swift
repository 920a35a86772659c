import CivilTime
import Messages

/// Finds the pieces of a quick text, from its beginning to its end.
///
/// A piece begins after white space, and ends before white space or a mark that ends a clause, so
/// "Monday's" contains none. What depends on more than a piece and its neighbors is left to
/// ``QuickAssembly``, which combines the pieces.
struct QuickReader {
  var scanner: PhraseScanner
  let context: PhraseContext
  private(set) var pieces: [QuickPiece] = []
  /// Whether a piece may follow the last mark without a space.
  private var isAfterOpening = false
  /// The word of the title right before; nil after anything else.
  private(set) var wordBefore: String?

  init(scanner: PhraseScanner, context: PhraseContext) {
    self.scanner = scanner
    self.context = context
  }

  mutating func read() throws(PhraseError) {
    while !scanner.isAtEnd {
      if scanner.token.isApart || isAfterOpening {
        var ahead = scanner
        let found = try readPieces(&ahead)
        if let last = found.last {
          let before = pieces
          pieces += found
          let joined = try readJoinedEnd(&ahead, after: last)
          if !joined, case .clock = last.content { try refuseOpenEnd(ahead, after: last) }
          if joined || last.content.isPlace || ahead.endsPiece {
            scanner = ahead
            isAfterOpening = false
            wordBefore = nil
            continue
          }
          pieces = before
        }
      }
      wordBefore = scanner.word
      isAfterOpening = scanner.isAt(",") || scanner.isAt("(") || scanner.isAt(";")
      scanner.advance()
    }
    joinReminderTimes()
  }

  /// Joins "!1d 18:00" into one reminder.
  ///
  /// "!1d, 18:00" and "!1d at 18:00" are joined only if something else gives the time of the event:
  /// otherwise 18:00 is that time.
  private mutating func joinReminderTimes() {
    for place in pieces.indices.dropLast().reversed() {
      let (lead, next) = (pieces[place], pieces[place + 1])
      guard case .reminder(.lead(let length)) = lead.content, length.days > 0, length.seconds == 0,
        case .clock(let clock) = next.content, clock.form != .bare,
        // No word is in between.
        next.start - lead.end <= 2
      else { continue }
      // "18:00-19:00" is the time of the event; "18:00 until 31 Jan" need not be.
      if place + 2 < pieces.count, case .end(let end) = pieces[place + 2].content, end.clock != nil
      {
        continue
      }
      let saysWhen = pieces.enumerated().contains { index, piece in
        switch piece.content {
        case .clock, .part, .instant: index != place + 1
        case .allDay: true
        default: false
        }
      }
      let isBefore = scanner.slice(lead.start, lead.end).lowercased().hasSuffix("before")
      let isOwnTime =
        scanner.slice(lead.end, next.start).contains(",") || (next.start < clock.start && !isBefore)
      guard saysWhen || !isOwnTime else { continue }
      let time = ReminderTime(daysBefore: length.days, time: clock.time)
      pieces[place] = QuickPiece(
        content: .reminder(.time(time)), start: lead.start, end: next.end)
      pieces.remove(at: place + 1)
    }
  }

  /// Whether a piece ends right before the next token.
  var isAfterPiece: Bool { pieces.last.map { $0.end == scanner.passed } ?? false }

  /// Whether a day ends right before the next token.
  var isAfterDay: Bool {
    guard isAfterPiece else { return false }
    switch pieces.last?.content {
    case .day, .part: return true
    // "mon-wed"
    case .end(let end)?: return end.day != nil && end.clock == nil
    default: return false
    }
  }

  /// Whether something gives the time of day at which it begins.
  private var hasTime: Bool {
    pieces.contains {
      switch $0.content {
      case .clock, .part, .instant: true
      default: false
      }
    }
  }

  var hasRepeat: Bool {
    pieces.contains { if case .repeats = $0.content { true } else { false } }
  }

  // MARK: Pieces

  /// Reads the next pieces; empty if the text belongs to the title.
  private mutating func readPieces(_ ahead: inout PhraseScanner) throws(PhraseError) -> [QuickPiece]
  {
    let start = ahead.token.start
    func piece(_ content: QuickPiece.Content) -> [QuickPiece] {
      [QuickPiece(content: content, start: start, end: ahead.passed)]
    }
    if ahead.readQuoted() != nil { return piece(.quoted) }
    if let name = ahead.readCalendarName() { return piece(.calendar(name)) }
    if let reminder = try ahead.readReminder() {
      var found = piece(.reminder(reminder))
      var comma = ahead
      while let further = try ahead.readFurtherReminder() {
        found.append(
          QuickPiece(content: .reminder(further), start: comma.token.end, end: ahead.passed))
        comma = ahead
      }
      return found
    }
    if ahead.isAt("@") {
      ahead.advance()
      return ahead.isAtEnd ? [] : piece(.place)
    }
    if ahead.isAt("+") {
      ahead.advance()
      return ahead.token.isApart ? [] : try readCounted(&ahead, start)
    }
    switch ahead.word {
    case "in":
      ahead.advance()
      return try readCounted(&ahead, start)
    case "for":
      ahead.advance()
      if let count = ahead.readTimes(), hasRepeat { return piece(.count(count)) }
      if let length = try ahead.readQuickLength() { return piece(.length(length)) }
      return []
    case "every", "each":
      ahead.advance()
      return try readRepeat(&ahead, start)
    case "daily", "weekly", "monthly", "yearly", "annually": return readAdverb(&ahead, start)
    case "all":
      ahead.advance()
      _ = ahead.skip("-")
      return ahead.skip(word: "day") ? piece(.allDay) : []
    case "now":
      ahead.advance()
      return [
        // Nobody plans by the second, so use the current minute.
        QuickPiece(
          content: .instant(context.now.roundedDownToMinute), start: start, end: ahead.passed,
          certainty: .doubtful)
      ]
    case "until", "till", "til":
      ahead.advance()
      guard let end = try readEnd(&ahead, allowsBare: true, dayAlone: hasRepeat) else { return [] }
      return piece(.end(end))
    default: break
    }
    if hasRepeat, let count = ahead.readTimes() { return piece(.count(count)) }
    return try readWhen(&ahead, start)
  }

  /// Reads a duration from now: "2 hours", "3 days", "1 month"; or "the morning".
  private func readCounted(
    _ ahead: inout PhraseScanner, _ start: Int
  ) throws(PhraseError) -> [QuickPiece] {
    if ahead.skip(word: "the") {
      guard let part = ahead.word.flatMap(DayPart.init(word:)) else { return [] }
      ahead.advance()
      return [QuickPiece(content: .part(part), start: start, end: ahead.passed)]
    }
    guard let length = try ahead.readQuickLength() else { return [] }
    return [ahead.piece(try counted(length), start)]
  }

  /// Reads "3 days from now", "2 hours from now" or "a week ago"; nil if something else follows.
  func readFromNow(
    _ ahead: inout PhraseScanner, _ start: Int
  ) throws(PhraseError) -> [QuickPiece]? {
    var rest = ahead
    // An invalid duration, such as "1.5 days", may belong to the title.
    guard let length = try? rest.readQuickLength() else { return nil }
    let isAgo = rest.skip(word: "ago")
    guard isAgo || (rest.skip(word: "from") && (rest.word == "now" || rest.word == "today")) else {
      return nil
    }
    if !isAgo { rest.advance() }
    ahead = rest
    return [ahead.piece(try counted(length, isAgo: isAgo), start)]
  }

  private func counted(
    _ length: QuickLength, isAgo: Bool = false
  ) throws(PhraseError) -> QuickPiece.Content {
    switch length {
    case .months(let months):
      let day = context.today.adding(months: isAgo ? -months : months)
      return .day(.date(try scanner.inRange(day)))
    case .duration(let length, isWholeDays: true):
      let day = context.today.adding(days: isAgo ? -length.days : length.days)
      return .day(.date(try scanner.inRange(day)))
    case .duration(let length, isWholeDays: false):
      let instant = Moment.instant(context.now).adding(
        isAgo ? length.negated : length, in: context.zone)
      // Nobody plans by the second, so round up to the next minute.
      return .instant(try scanner.inRange(instant).roundedUpToMinute)
    }
  }

  /// Reads the end after a day or a time, "- 10:30", "to friday"; returns whether there is one.
  private mutating func readJoinedEnd(
    _ ahead: inout PhraseScanner, after last: QuickPiece
  ) throws(PhraseError) -> Bool {
    switch last.content {
    case .day, .clock, .instant: break
    default: return false
    }
    var rest = ahead
    let start = rest.token.start
    let isAttached = rest.isAt("-") && !rest.token.isApart
    guard rest.skipJoiner() else { return false }
    let isOpen = isAttached && rest.token.isApart
    let isOnDay = if case .day = last.content { true } else { false }
    // In "mon-wed 9:00" the time is that of the start.
    let dayAlone = hasRepeat || (isOnDay && !hasTime)
    guard let end = try readEnd(&rest, allowsBare: !isOnDay, dayAlone: dayAlone), rest.endsPiece,
      !isOnDay || end.day != nil, isOnDay || !isOpen || end.clock != nil
    else { return false }
    pieces.append(QuickPiece(content: .end(end), start: start, end: rest.passed))
    ahead = rest
    return true
  }

  /// Refuses "9:00-", and "9:00 until" at the end of the text.
  ///
  /// - Throws: ``PhraseError`` for such a text.
  private func refuseOpenEnd(
    _ ahead: PhraseScanner, after clock: QuickPiece
  ) throws(PhraseError) {
    var rest = ahead
    let isAttached = rest.isAt("-") && !rest.token.isApart
    guard rest.skipJoiner(), rest.isAtEnd || (isAttached && rest.token.isApart) else { return }
    let written = rest.slice(clock.start, rest.passed)
    throw rest.fault(
      UserText("\"{text}\" does not say when it ends", ["text": written]), at: clock.start,
      example: "9:00-10:30")
  }

  /// Reads an end: a day, a time, or both.
  ///
  /// - Parameter dayAlone: Whether a time after the day does not belong to it.
  private func readEnd(
    _ ahead: inout PhraseScanner, allowsBare: Bool, dayAlone: Bool
  ) throws(PhraseError) -> QuickEnd? {
    let start = ahead.token.start
    var rest = ahead
    if var day = try readDay(&rest, isNamed: true) {
      ahead = rest
      // "Tue 24 Nov": the weekday must be that of the date.
      if case .weekday(let weekday) = day.day, let date = try readDay(&rest, isNamed: true) {
        let found = try date.day.date(from: context.today, in: rest, at: start)
        guard found.weekday == weekday else {
          throw rest.fault(
            UserText(
              "\"{day}\" is not a {weekday}",
              ["day": rest.slice(start, rest.passed), "weekday": "\(weekday)"]), at: start,
            example: "\(found)")
        }
        ahead = rest
        day = date
      }
      if dayAlone { return QuickEnd(day: day.day, clock: nil, start: start) }
      _ = rest.skip(",")
      _ = rest.skip(word: "at")
      let clock = try rest.readClock(allowsBare: false, allowsEndOfDay: true)
      if clock != nil { ahead = rest }
      return QuickEnd(day: day.day, clock: clock, start: start)
    }
    rest = ahead
    guard let clock = try rest.readClock(allowsBare: allowsBare, allowsEndOfDay: true) else {
      return nil
    }
    ahead = rest
    return QuickEnd(day: nil, clock: clock, start: start)
  }
}

extension PhraseScanner {
  /// Whether a piece may end right before the next token.
  var endsPiece: Bool {
    if isAtEnd || token.isApart { return true }
    guard case .mark(let mark) = token.kind else { return false }
    switch mark {
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ")"), UInt8(ascii: "!"),
      UInt8(ascii: "?"), UInt8(ascii: "."), UInt8(ascii: ":"):
      var ahead = self
      ahead.advance()
      return mark == UInt8(ascii: ",") || ahead.isAtEnd || ahead.token.isApart
        || ahead.isAt(",") || ahead.isAt(".")
    default: return false
    }
  }

  /// Consumes a word or mark that joins the two ends of a range.
  mutating func skipJoiner() -> Bool {
    if skip("-") { return true }
    let joiners = ["to", "until", "till", "til", "through", "thru"]
    guard let word, joiners.contains(word) else { return false }
    advance()
    return true
  }
}

extension Timestamp {
  fileprivate var roundedDownToMinute: Timestamp {
    adding(seconds: -((seconds % 60 + 60) % 60))
  }

  fileprivate var roundedUpToMinute: Timestamp {
    let minute = roundedDownToMinute
    return minute == self ? self : minute.adding(seconds: 60)
  }
}
