import CivilTime
import Messages

/// Days and times of a quick text.
extension QuickReader {
  /// Reads a day or a time with the word before it, or the "at" of a place; empty if none follows.
  func readWhen(
    _ ahead: inout PhraseScanner, _ start: Int
  ) throws(PhraseError) -> [QuickPiece] {
    if let weekend = try readWeekend(&ahead, start) { return weekend }
    if let days = readPluralDays(&ahead, start) { return days }
    if let counted = try readFromNow(&ahead, start) { return counted }
    if let hour = readHourOfPart(&ahead, start) { return hour }
    switch ahead.word {
    case "on":
      ahead.advance()
      return try readDay(&ahead, isNamed: true).map { [ahead.piece(.day($0.day), start)] } ?? []
    case "at": return try readAt(&ahead, start)
    case "from", "starting", "beginning", "since":
      ahead.advance()
      _ = ahead.skip(word: "on")
      if let hours = try readHours(&ahead, start, allowsBare: true) { return hours }
      if let day = try readDay(&ahead, isNamed: true) {
        var piece = ahead.piece(.day(day.day), start)
        piece.isBeginning = true
        return [piece]
      }
      return try readClock(&ahead, start)
    default: break
    }
    if let pieces = try readTimestamp(&ahead, start) { return pieces }
    if let days = try readDayRange(&ahead, start) { return days }
    if let hours = try readHours(&ahead, start, allowsBare: isAfterDay) { return hours }
    if let part = readPart(&ahead, start) { return part }
    if let day = try readDay(&ahead, isNamed: false) {
      return [ahead.piece(.day(day.day), start, day.certainty)]
    }
    if isAfterDay, let hour = ahead.number, ahead.token.digits <= 2, hour < 24 {
      var after = ahead
      after.advance()
      if after.endsPiece, !after.isAtTitle, !after.isAt(":"), after.word != "am", after.word != "pm"
      {
        throw ahead.fault(
          UserText("{number} could be a day or an hour", ["number": hour]), example: "\(hour):00")
      }
    }
    return try readClock(&ahead, start)
  }

  // MARK: Days

  /// Reads a day.
  ///
  /// - Parameter isNamed: Whether a preceding word, such as "on", announces a day.
  func readDay(
    _ ahead: inout PhraseScanner, isNamed: Bool
  ) throws(PhraseError) -> (day: QuickDay, certainty: QuickPiece.Certainty)? {
    let start = ahead.token.start
    if ahead.isAtWholeISODate {
      let isBasic = ahead.token.digits == 8
      let date = try ahead.readISODate()
      return (.date(date), isBasic && !isNamed ? .doubtful : .certain)
    }
    if let fault = ahead.slashedDayFault(from: context.today, needsYear: true) { throw fault }
    if let date = try ahead.readDayBeside(today: context.today) { return (.date(date), .certain) }
    if let date = try ahead.readMonthOrdinal(today: context.today) {
      return (.date(date), .certain)
    }
    if isNamed, ahead.skip(word: "the"), ahead.number == nil { return nil }
    if let day = ahead.readNumberedDay() {
      _ = try day.date(from: context.today, in: ahead, at: start)
      let written = ahead.slice(start, ahead.passed)
      let isDotted = written.utf8.allSatisfy { $0 < 0x41 } && day.year == nil
      if isNamed || !isDotted || written.hasSuffix(".") || ahead.isAtClock {
        return (.numbered(day), .certain)
      }
      let reason = UserText(
        "\"{text}\" could be a day, or part of the title", ["text": written])
      return (.numbered(day), .unreadable(reason, example: "\(written)."))
    }
    if isNamed, let day = ahead.readOrdinal() {
      guard (1...31).contains(day) else {
        throw ahead.fault(
          UserText("no month has a day {day}", ["day": day]), at: start, example: "on the 3rd")
      }
      return (.dayOfMonth(day), .certain)
    }
    return try readDayWord(&ahead, isNamed: isNamed)
  }

  private func readDayWord(
    _ ahead: inout PhraseScanner, isNamed: Bool
  ) throws(PhraseError) -> (day: QuickDay, certainty: QuickPiece.Certainty)? {
    guard let word = ahead.word else { return nil }
    let isFirst = ahead.passed == 0
    if ["next", "last", "this"].contains(word) {
      // "next week" and "last call" do not name a day.
      var rest = ahead
      guard let date = try? rest.readNamedDay(from: context.today) else { return nil }
      ahead = rest
      return (.date(date), .certain)
    }
    let weekday = PhraseWords.weekday(word)
    guard let date = try ahead.readNamedDay(from: context.today) else { return nil }
    guard let weekday, date.days(since: context.today) < 7 else { return (.date(date), .certain) }
    if !isNamed, ["sun", "sat", "wed"].contains(word), ahead.isAtTitle {
      return isFirst ? (.weekday(weekday), .doubtful) : nil
    }
    return (.weekday(weekday), .certain)
  }

  /// Reads "3-5 Dec", "3. to 5.12." or "Dec 3-5".
  private func readDayRange(
    _ ahead: inout PhraseScanner, _ start: Int
  ) throws(PhraseError) -> [QuickPiece]? {
    var rest = ahead
    let (first, last): (NumberedDay, NumberedDay)
    let middle: Int
    if let month = rest.word.flatMap(PhraseWords.month) {
      rest.advance()
      guard let day = rest.readDayNumber() else { return nil }
      middle = rest.passed
      guard rest.skip("-"), let end = rest.readDayNumber(), rest.endsPiece,
        rest.word.flatMap(PhraseWords.month) == nil
      else { return nil }
      let year = rest.readYear()
      first = NumberedDay(day: day, month: month, year: year)
      last = NumberedDay(day: end, month: month, year: year)
    } else {
      guard let day = rest.readDayNumber() else { return nil }
      _ = rest.skip(".")
      middle = rest.passed
      guard rest.skipJoiner(), let end = rest.readNumberedDay() else { return nil }
      first = NumberedDay(day: day, month: end.month, year: end.year)
      last = end
    }
    guard first.day < last.day else {
      throw rest.fault(
        UserText("\"{text}\" ends before it starts", ["text": rest.slice(start, rest.passed)]),
        at: start, example: "3-5 Dec")
    }
    _ = try last.date(from: context.today, in: rest, at: start)
    let end = QuickEnd(day: .numbered(last), clock: nil, start: middle)
    ahead = rest
    return [
      QuickPiece(content: .day(.numbered(first)), start: start, end: middle),
      QuickPiece(content: .end(end), start: middle, end: rest.passed),
    ]
  }

  /// Reads "2026-11-21T14:00", with or without an offset.
  private func readTimestamp(
    _ ahead: inout PhraseScanner, _ start: Int
  ) throws(PhraseError) -> [QuickPiece]? {
    guard ahead.isAtWholeISODate else { return nil }
    var rest = ahead
    let date = try rest.readISODate()
    guard rest.word == "t", !rest.token.isApart else { return nil }
    rest.advance()
    let middle = rest.token.start
    guard let time = try rest.readTimeOfDay(allowsBasic: true) else { return nil }
    let afterTime = rest
    if !rest.token.isApart, let offset = try rest.readOffset() {
      ahead = rest
      let instant = Timestamp(CivilDateTime(date, time), offset: offset)
      let isInside = instant >= .earliest && instant <= .latest
      return [ahead.piece(.instant(try ahead.inRange(isInside ? instant : nil)), start)]
    }
    ahead = afterTime
    let clock = QuickClock(time: time, form: .digits, start: middle, end: ahead.passed)
    return [
      QuickPiece(content: .day(.date(date)), start: start, end: middle),
      ahead.piece(.clock(clock), middle),
    ]
  }

  /// Reads "tonight", "this morning", and after a day "morning".
  private func readPart(_ ahead: inout PhraseScanner, _ start: Int) -> [QuickPiece]? {
    var rest = ahead
    let isToday = rest.word == "tonight" || rest.skip(word: "this")
    guard isToday || isAfterDay, let word = rest.word, let part = DayPart(word: word),
      isToday == (word == "tonight" || rest.token.start > start)
    else { return nil }
    let middle = rest.token.start
    rest.advance()
    guard isToday || !rest.isAtTitle || word != "night" else { return nil }
    ahead = rest
    let piece = ahead.piece(.part(part), middle)
    if !isToday { return [piece] }
    return [QuickPiece(content: .day(.date(context.today)), start: start, end: middle), piece]
  }

  // MARK: Times

  private func readClock(
    _ ahead: inout PhraseScanner, _ start: Int
  ) throws(PhraseError) -> [QuickPiece] {
    let word = ahead.word
    guard let clock = try ahead.readClock(allowsBare: false, allowsEndOfDay: false) else {
      return []
    }
    if let zone = ahead.word, ["utc", "gmt", "z"].contains(zone) {
      throw ahead.fault(
        UserText(
          "times are in the local zone; the zone \"{zone}\" is not supported here", ["zone": zone]),
        example: quickExample)
    }
    // "midnight mass 23:00", "High Noon fri 20:00"
    let isName =
      word == "noon" || word == "midnight" ? ahead.isAtTitle || wordBefore != nil : false
    return [ahead.piece(.clock(clock), start, isName ? .doubtful : .certain)]
  }

  /// Reads the hour of "9 in the morning".
  private func readHourOfPart(_ ahead: inout PhraseScanner, _ start: Int) -> [QuickPiece]? {
    guard let hour = ahead.number, ahead.token.digits <= 2 else { return nil }
    var rest = ahead
    rest.advance()
    var part = rest
    guard part.skip(word: "in"), part.skip(word: "the"),
      part.word.flatMap(DayPart.init(word:)) != nil, let time = TimeOfDay(hour: hour, minute: 0)
    else { return nil }
    ahead = rest
    let clock = QuickClock(time: time, form: .bare, start: start, end: ahead.passed)
    return [ahead.piece(.clock(clock), start)]
  }

  /// Reads a time after "at", or else a place.
  private func readAt(
    _ ahead: inout PhraseScanner, _ start: Int
  ) throws(PhraseError) -> [QuickPiece] {
    ahead.advance()
    let place = ahead.piece(.place, start)
    if let hours = try readHours(&ahead, start, allowsBare: true) { return hours }
    var rest = ahead
    // "at friday"
    if let day = try rest.readNamedDayAlone(from: context.today) {
      ahead = rest
      return [ahead.piece(.day(day), start)]
    }
    let hourStart = rest.token.start
    if let hour = rest.readHourWord(), rest.endsPiece, !rest.isAtTitle, rest.number == nil,
      let time = TimeOfDay(hour: hour, minute: 0)
    {
      ahead = rest
      let clock = QuickClock(time: time, form: .bare, start: hourStart, end: ahead.passed)
      return [ahead.piece(.clock(clock), start)]
    }
    rest = ahead
    if rest.skip(word: "night") {
      ahead = rest
      return [ahead.piece(.part(.evening), start)]
    }
    if let clock = try rest.readClock(allowsBare: true, allowsEndOfDay: false),
      clock.form != .bare || clock.time.minute != 0
        || (rest.endsPiece && !rest.isAtTitle && rest.number == nil)
    {
      ahead = rest
      return [ahead.piece(.clock(clock), start)]
    }
    return PhraseWords.isPlace(after: wordBefore, before: ahead.word) && !ahead.isAtEnd
      ? [place] : []
  }

  /// Reads "9-10:30", "9-5pm" and, if bare hours are allowed, "9-10".
  private func readHours(
    _ ahead: inout PhraseScanner, _ start: Int, allowsBare: Bool
  ) throws(PhraseError) -> [QuickPiece]? {
    var rest = ahead
    guard var first = try rest.readClock(allowsBare: true, allowsEndOfDay: false),
      first.form == .bare || (allowsBare && rest.slice(first.start, first.end).contains("."))
    else { return nil }
    let middle = rest.passed
    guard rest.skipJoiner(),
      let last = try rest.readClock(allowsBare: true, allowsEndOfDay: true), rest.endsPiece,
      last.form != .bare || (allowsBare && !rest.isAtTitle)
    else { return nil }
    switch last.form {
    case .bare: break
    case .digits: first.form = .digits
    case .settled: first.settle(before: last.time)
    }
    ahead = rest
    let end = QuickEnd(day: nil, clock: last, start: last.start)
    return [
      QuickPiece(content: .clock(first), start: start, end: middle),
      QuickPiece(content: .end(end), start: middle, end: rest.passed),
    ]
  }
}

extension PhraseScanner {
  /// Reads "friday" or "tomorrow" if no word of the title follows.
  fileprivate mutating func readNamedDayAlone(
    from today: CivilDate
  ) throws(PhraseError) -> QuickDay? {
    guard let word else { return nil }
    var ahead = self
    ahead.advance()
    guard ahead.endsPiece, !ahead.isAtTitle else { return nil }
    if let weekday = PhraseWords.weekday(word) {
      self = ahead
      return .weekday(weekday)
    }
    guard let day = PhraseWords.days.first(where: { $0.word == word }) else { return nil }
    self = ahead
    return .date(try inRange(today.adding(days: day.distance)))
  }
}

extension QuickClock {
  /// Puts an hour into the half of the day of the end, "2-4pm", unless that is later: "11-1pm".
  fileprivate mutating func settle(before end: TimeOfDay) {
    guard (1...12).contains(time.hour) else { return }
    let hour = time.hour % 12
    let same = hour + (end.hour >= 12 ? 12 : 0)
    let isBefore = same * 3600 + time.minute * 60 < Int(end.secondOfDay)
    time = TimeOfDay(hour: isBefore ? same : (same + 12) % 24, minute: time.minute) ?? time
    form = .settled
  }
}
