import CalendarBus
import CivilTime
import JSON
import Phrases

extension CommandSpec {
  static let snooze = CommandSpec(
    name: "snooze",
    arguments: [
      .reminderID,
      ArgumentSpec(
        name: "UNTIL", isRequired: false,
        help: "a length, a moment, start or end of the event, unlock: 5m, fri 9:00 (as set: 10m)",
        repeats: true),
    ],
    options: [.flag("--all", "every reminder that is due, in place of one"), .json],
    summary: "let a reminder come back later",
    details: [
      """
      Several reminders are put off until the same moment, and with a title all that wait of its event. One that was \
      dismissed comes back then, too. A time without a day is the next one, today \
      or tomorrow, and a day alone is nine o'clock on it. One until the start or the end goes along when the event is \
      moved or gets longer, unless its reminder is still to come by that and rings anew. \
      unlock is when logind says that the session is unlocked. What is a time and begins the ID of a reminder that waits, as 100d may, is refused: \
      until 100d is the time.
      """
    ],
    examples: [
      "calctl snooze 3f9c0a1be2d47856 5m", "calctl snooze 3f9c start",
      "calctl snooze 3f9c unlock", "calctl snooze 3f9c 81ab tomorrow 9:00",
      "calctl snooze --all until tomorrow 9:00",
    ]
  ) { arguments, context throws(CommandError) in
    do throws(CommandError) {
      if try arguments.wantsAll(of: "snooze") {
        try snoozeAll(arguments, context)
      } else {
        try snoozeSome(arguments, context)
      }
    } catch {
      throw try error.renamed([("until", "UNTIL")]).withLocalTimes(context.output)
    }
  }

  private static func snoozeSome(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let lookup = ReminderLookup(context: context)
    let zone = try context.zone()
    // A title may begin so, too.
    let written = SnoozeWords.apart(arguments.positionals) {
      SnoozeWords.isTime($0, now: context.now, zone: zone)
    }
    if SnoozeWords.isUntil(written, now: context.now, zone: zone),
      try lookup.rows(beginning: written[0]).isEmpty, try lookup.ids(titled: written[0]).isEmpty
    {
      throw .usage(
        "\"\(written.joined(separator: " "))\" says until when, and not which reminder",
        command: "snooze",
        hint: try lookup.hint("snooze", then: written.joined(separator: " ")))
    }
    let (names, words) = try SnoozeWords.split(
      written,
      isTitle: { word throws(CommandError) in
        if SnoozeWords.isTime(word, now: context.now, zone: zone) { return false }
        return try !lookup.ids(titled: word).isEmpty
      },
      isReminder: { name throws(CommandError) in try !lookup.rows(beginning: name).isEmpty },
      isTime: { SnoozeWords.isTime($0, now: context.now, zone: zone) })
    let until = try SnoozeWords.until(words, context)
    // Before any is put off: where one is unknown, all stay as they are.
    var ids: [String] = []
    for name in names {
      for id in try lookup.ids(of: name) where !ids.contains(id) { ids.append(id) }
    }
    var answers: [JSONValue] = []
    for id in ids {
      let due = try snooze(id, until, context)
      answers.append(.object(["id": .string(id), "due": .integer(due.seconds)]))
      if !arguments.has(.json) {
        // What was done stays done: without its title it is said all the same.
        let step = (try? context.client().why(id, occurrence: ""))?.last
        try sayWhenItComesBack(due, step, context, name: id)
      }
    }
    if arguments.has(.json) {
      try context.output.json(answers.count == 1 ? answers[0] : .array(answers))
    }
  }

  /// - Parameters:
  ///   - row: says of which event the reminder is; nil where nobody knows.
  ///   - name: what it is called then.
  private static func sayWhenItComesBack(
    _ due: Timestamp, _ row: Row?, _ context: CommandContext, name: String = ""
  ) throws(CommandError) {
    let comesBack = try context.output.comesBack(due)
    let late = try row.map { row throws(CommandError) in try afterEnd(due, of: row, context) } ?? ""
    try context.output.line(
      "Snoozed \(row.map(ReminderWords.title) ?? name): \(comesBack.dropLast())\(late).")
  }

  /// Returns ", after its end, 10:00" of a snooze that goes beyond its event; else "".
  private static func afterEnd(
    _ due: Timestamp, of row: Row, _ context: CommandContext
  ) throws(CommandError) -> String {
    guard isAfterEnd(due, of: row) else { return "" }
    let end = Timestamp(seconds: row.number(.end))
    // A to-do is over in the moment at which it is due.
    let name = row.number(.start) == end.seconds ? "time" : "end"
    return ", after its \(name), \(try context.output.moment(end))"
  }

  private static func isAfterEnd(_ due: Timestamp, of row: Row) -> Bool {
    due.seconds > row.number(.end) && due != .latest && !row.flag(.undated)
  }

  /// - Throws: what the agent refuses; of a reminder that something has ended in words, and of one that is to come with
  ///   what can be done.
  private static func snooze(
    _ id: String, _ until: String, _ context: CommandContext
  ) throws(CommandError) -> Timestamp {
    let client = try context.client()
    do throws(CommandError) {
      return try client.snooze(id, until: until)
    } catch {
      if case .refused(let name, let message) = error, name.hasSuffix(".Conflict") {
        throw .refused(name: name, message: "\(message) (calctl dismiss \(id))")
      }
      guard case .refused(let name, _) = error, name.hasSuffix(".NotFound"),
        let steps = try? client.why(id, occurrence: ""), let step = steps.first,
        let end = try WhyWords.end(steps, calendars: context.calendarNames)
      else { throw error }
      throw .refused(
        name: name,
        message: "the reminder \(id) of \(ReminderWords.title(of: step)) cannot be put off: \(end)")
    }
  }

  private static func snoozeAll(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let until = try SnoozeWords.until(SnoozeWords.apart(arguments.positionals)[...], context)
    let client = try context.client()
    // Whether they come back after their ends is said to people alone.
    let due =
      arguments.has(.json)
      ? [] : try client.pendingReminders().filter { $0.text(.state) == "due" }
    let count = try client.snoozeAll(until: until)
    try sayWhatStays(until, context)
    if arguments.has(.json) { return try context.output.json(["count": .integer(count)]) }
    if count == 0 { return try context.output.line("No reminder was put off.") }
    let ids = Set(due.map { $0.text(.id) })
    // What was done stays done, and is said all the same.
    let snoozed = ((try? client.pendingReminders()) ?? []).filter {
      $0.text(.state) == "snoozed" && ids.contains($0.text(.id))
    }
    let end = snoozed.count == count ? try commonReturn(of: snoozed, context) : ""
    try context.output.line("Put \(ReminderWords.count(count)) off\(end).")
    try sayWhatIsLate(snoozed, context)
  }

  /// Returns ", until Mon 23 Nov 2026, 09:30", of reminders that all come back then; else "".
  private static func commonReturn(
    of rows: [Row], _ context: CommandContext
  ) throws(CommandError) -> String {
    let moments = Set(rows.map { $0.number(.due) })
    guard moments.count == 1, let moment = moments.first else { return "" }
    return ", until \(try context.output.returnMoment(Timestamp(seconds: moment)))"
  }

  /// Says of each of some reminders that were put off beyond the end of their events when it comes back, and when that was.
  private static func sayWhatIsLate(
    _ snoozed: [Row], _ context: CommandContext
  ) throws(CommandError) {
    let late = snoozed.filter { isAfterEnd(Timestamp(seconds: $0.number(.due)), of: $0) }
    for row in late.prefix(mostLate) {
      try sayWhenItComesBack(Timestamp(seconds: row.number(.due)), row, context)
    }
    if late.count > mostLate {
      try context.output.line("\(late.count - mostLate) more come back after their ends.")
    }
  }

  /// Of thousands nobody reads more.
  private static let mostLate = 10

  /// Says of each reminder that was not put off until its event's start, or end, why.
  private static func sayWhatStays(
    _ until: String, _ context: CommandContext
  ) throws(CommandError) {
    guard
      let (key, word): (RowKey, String) = ["start": (.start, "begun"), "end": (.end, "ended")][
        until]
    else { return }
    for row in try context.client().pendingReminders() where row.text(.state) == "due" {
      let instant = Timestamp(seconds: row.number(key))
      let title = row.text(.summary).isEmpty ? "(no title)" : row.text(.summary)
      context.output.warning(
        "\(title) (\(row.text(.id))) stays as it is: it has \(word) already, \(try context.output.moment(instant))"
      )
    }
  }
}

extension ParsedArguments {
  /// Returns whether --all was given; without it there must be a reminder.
  func wantsAll(of command: String) throws(CommandError) -> Bool {
    if has("--all") { return true }
    let first = positional(0)
    guard let first, first.contains(where: { $0 != " " }) else {
      throw .usage(
        "REMINDER is \(first == nil ? "missing" : "empty")", command: command,
        hint: "such as: calctl \(command) 3f9c, or --all")
    }
    return false
  }
}

/// What stands behind snooze: reminders, and until when.
enum SnoozeWords {
  /// Divides them: the first is a reminder, and so is each after it that looks like one, up to the
  /// first that does not.
  ///
  /// "0915" may be the beginning of an ID or a slip for 9:15, and "100d" that of an ID or a length. What
  /// makes sense of all the words is what they mean: reminders that there are, and behind them a time.
  ///
  ///     3f9c 0915        two reminders, where an ID begins with 0915; else it is refused
  ///     3f9c 100d        for so long, where no ID begins with 100d; else it is refused
  ///     3f9c 1d          for a day: nobody writes so little of an ID
  ///     "Pay rent" Tea 1d
  ///
  /// - Parameters:
  ///   - isTitle: whether what waits is called so, of what says no time; asked of what is no whole ID.
  ///   - isReminder: whether the ID of a reminder that waits begins so; asked of what is in doubt.
  ///   - isTime: whether a text says until when.
  /// - Throws: ``CommandError/usage(_:command:hint:)`` where both are possible, and
  ///   ``CommandError/notFound(_:near:)`` where neither is, naming both.
  static func split(
    _ words: [String], isTitle: (String) throws(CommandError) -> Bool,
    isReminder: (String) throws(CommandError) -> Bool, isTime: (String) -> Bool
  ) throws(CommandError) -> (ids: ArraySlice<String>, until: ArraySlice<String>) {
    var sure = min(1, words.endIndex)
    while sure < words.endIndex {
      let isName = try isID(words[sure]) ? true : isTitle(words[sure])
      guard isName else { break }
      sure += 1
    }
    var reached = sure
    var ends: [Int] = []
    let possible = words[sure...].firstIndex { !isHexadecimal($0) } ?? words.endIndex
    for end in sure...possible {
      if end > sure, try !isReminder(words[end - 1]) { break }
      reached = end
      if end == words.endIndex || isTime(text(words[end...])) { ends.append(end) }
    }
    guard let first = ends.first, let last = ends.last else {
      try check(words[reached...].first ?? "")
      return (words[..<reached], words[reached...])
    }
    let doubtful = words[first..<last].filter { $0.count >= shortestInDoubt }
    guard let name = doubtful.first else { return (words[..<first], words[first...]) }
    let time = words[first...].joined(separator: " ")
    throw .usage(
      "\"\(time)\" says until when, and the ID of a reminder begins with \"\(name)\"",
      command: "snooze", hint: "\"until \(time)\" is the time; of the reminder write the whole ID")
  }

  /// Shorter beginnings of an ID are times where they can be: scripts have "1d" and "dec".
  private static let shortestInDoubt = 4

  /// Refuses a number that is neither: the agent knows only of the time.
  private static func check(_ word: String) throws(CommandError) {
    guard word.count >= shortestInDoubt, isHexadecimal(word), word.allSatisfy(\.isNumber) else {
      return
    }
    throw .notFound(
      "\"\(word)\" is neither a time, such as 9:00, nor the beginning of the ID of a reminder that waits "
        + "(calctl reminders lists those)")
  }

  private static func isHexadecimal(_ word: String) -> Bool {
    word.allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// Whether a word is an ID or the beginning of one, and no length ("1d"), month ("dec") or
  /// number ("0900").
  private static func isID(_ word: String) -> Bool {
    guard isHexadecimal(word) else { return false }
    let small = word.lowercased()
    if small.count == 16 { return true }
    return small.contains(where: \.isLetter) && !["dec", "feb"].contains(small)
      && (try? readDuration(small)) == nil
  }

  /// Whether the agent reads a text as the end of a snooze.
  static func isTime(_ text: String, now: Timestamp, zone: ZoneRules) -> Bool {
    let phrases = PhraseContext(now: now, zone: zone)
    return ["start", "end", "unlock"].contains(text) || (try? readDuration(text)) != nil
      || (try? readMoment(CommandContext.later(text, phrases), phrases, isEnd: true)) != nil
  }

  /// Takes "until 14:00" apart that was given as one word, in quotes.
  ///
  /// - Parameter isTime: whether what stands behind "until" says when.
  static func apart(
    _ words: [String], isTime: (String) -> Bool = { _ in true }
  ) -> [String] {
    words.flatMap { word in
      let parts = word.split(separator: " ").map(String.init)
      let rest = QuietWords.withoutLead(parts)
      return parts.count > rest.count && isTime(rest.joined(separator: " ")) ? parts : [word]
    }
  }

  /// Whether all words say until when, so that no reminder is among them.
  static func isUntil(_ words: [String], now: Timestamp, zone: ZoneRules) -> Bool {
    guard let first = words.first, !isID(first) else { return false }
    return isTime(text(words[...]), now: now, zone: zone)
  }

  /// Returns what is behind the reminders, without the word that may stand before it.
  private static func text(_ words: ArraySlice<String>) -> String {
    QuietWords.withoutLead(Array(words)).joined(separator: " ")
  }

  /// Returns until when as the agent reads it: a time that has passed today is that of tomorrow, and a day alone nine
  /// o'clock on it.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for what lies beside the event's start or end.
  static func until(
    _ words: ArraySlice<String>, _ context: CommandContext
  ) throws(CommandError) -> String {
    try QuietWords.check(Array(words), command: "snooze")
    // "" is as the settings say.
    if words.isEmpty { return "" }
    let until = text(words)
    if let place = readReminderPlace(until), !place.offset.isZero {
      let name = place.isFromEnd ? "end" : "start"
      throw .usage(
        "UNTIL: \"\(until)\" lies beside the \(name) of the event, and a reminder is put off to that itself",
        command: "snooze", hint: "\(name), or a time such as 14:50")
    }
    return CommandContext.later(
      until, PhraseContext(now: context.now, zone: try context.zone()))
  }
}

extension CommandError {
  static func tooMany(_ extra: String, command: String) -> CommandError {
    .usage("\"\(extra)\" is one argument too many", command: command, hint: nil)
  }
}
