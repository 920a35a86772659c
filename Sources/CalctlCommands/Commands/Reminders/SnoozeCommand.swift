import CalendarBus
import CivilTime
import JSON
import Phrases
import Platform

extension CommandSpec {
  static let snooze = CommandSpec(
    name: "snooze",
    arguments: [
      .reminderID,
      ArgumentSpec(
        name: "UNTIL", isRequired: false,
        help: localized(
          """
          a duration, a time, start or end (of the event), or unlock: 5m, fri 9:00 (as in \
          datebook.conf: 10m)
          """),
        repeats: true),
    ],
    options: [.flag("--all", localized("all reminders that are due")), .json],
    summary: localized("show a reminder again later"),
    details: [
      localized(
        """
        A title, or a part of it, stands for all waiting reminders of its event. A dismissed reminder comes back, \
        too. A time without a day is the next one, today or tomorrow; a day alone is 9:00. start \
        and end follow the event when it is edited, unless its reminder is then due again anyway. \
        unlock is the next time that the session is unlocked. A text that can be a time and the \
        beginning of an ID, such as 100d, is refused: write until 100d.
        """)
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
    let phrases = context.phrases(in: try context.zone())
    // A title may begin with "until", too.
    let written = SnoozeWords.apart(arguments.positionals) {
      SnoozeWords.isTime($0, phrases)
    }
    if SnoozeWords.isUntil(written, phrases),
      try lookup.rows(beginning: written[0]).isEmpty, try !lookup.isTitle(written[0])
    {
      throw .usage(
        localized(
          "\"{time}\" is a time; name a reminder, too", ["time": written.joined(separator: " ")]),
        command: "snooze",
        hint: try lookup.hint("snooze", then: written.joined(separator: " ")))
    }
    let (names, words) = try SnoozeWords.split(
      written,
      isTitle: { word throws(CommandError) in
        if SnoozeWords.isTime(word, phrases) { return false }
        return try lookup.isTitle(word)
      },
      isReminder: { name throws(CommandError) in try !lookup.rows(beginning: name).isEmpty },
      isTime: { SnoozeWords.isTime($0, phrases) })
    let until = try SnoozeWords.until(words, context)
    // Look up all first: if one is unknown, none is snoozed.
    var ids: [String] = []
    for name in names {
      for id in try lookup.ids(of: name) where !ids.contains(id) { ids.append(id) }
    }
    var answers: [JSONValue] = []
    for id in ids {
      let due = try snooze(id, until, context)
      answers.append(.object(["id": .string(id), "due": .integer(due.seconds)]))
      if !arguments.has(.json) {
        // Snoozed already: report it even if its title cannot be found.
        let step = (try? context.client().why(id, occurrence: ""))?.last
        try report(due, step, context, id: id)
      }
    }
    if arguments.has(.json) {
      try context.output.json(answers.count == 1 ? answers[0] : .array(answers))
    }
  }

  /// Prints when a snoozed reminder comes back.
  ///
  /// - Parameters:
  ///   - row: The reminder with its event; nil if unknown.
  ///   - id: Printed if `row` is nil.
  private static func report(
    _ due: Timestamp, _ row: Row?, _ context: CommandContext, id: String = ""
  ) throws(CommandError) {
    let title = row.map(ReminderWords.title) ?? id
    if due == .latest {
      return try context.output.line(
        localized("Snoozed {title} until you unlock the session.", ["title": title]))
    }
    let time = try context.output.moment(due)
    guard let row, isAfterEnd(due, of: row) else {
      return try context.output.line(
        localized("Snoozed {title} until {time}.", ["title": title, "time": time]))
    }
    let end = Timestamp(seconds: row.number(.end))
    let endText = try context.output.moment(end)
    // The start and end of a to-do are both its due time.
    try context.output.line(
      row.number(.start) == end.seconds
        ? localized(
          "Snoozed {title} until {time}, after its time ({end}).",
          ["title": title, "time": time, "end": endText])
        : localized(
          "Snoozed {title} until {time}, after its end ({end}).",
          ["title": title, "time": time, "end": endText]))
  }

  private static func isAfterEnd(_ due: Timestamp, of row: Row) -> Bool {
    due.seconds > row.number(.end) && due != .latest && !row.flag(.undated)
  }

  /// Snoozes a reminder.
  ///
  /// - Throws: Errors of the agent; for a future reminder with a hint, and for one that is over
  ///   with the reason.
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
        message: localized(
          "cannot snooze the reminder {id} of {title}: {reason}",
          ["id": id, "title": ReminderWords.title(of: step), "reason": end]))
    }
  }

  private static func snoozeAll(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandError) {
    let until = try SnoozeWords.until(SnoozeWords.apart(arguments.positionals)[...], context)
    let client = try context.client()
    // Only the text output lists reminders that come back after the end of their events.
    let due =
      arguments.has(.json)
      ? [] : try client.pendingReminders().filter { $0.text(.state) == "due" }
    let count = try client.snoozeAll(until: until)
    try warnOfUnchanged(until, context)
    if arguments.has(.json) { return try context.output.json(["count": .integer(count)]) }
    if count == 0 { return try context.output.line(localized("Nothing to snooze.")) }
    let ids = Set(due.map { $0.text(.id) })
    // Snoozed already: report it even if the list cannot be read.
    let snoozed = ((try? client.pendingReminders()) ?? []).filter {
      $0.text(.state) == "snoozed" && ids.contains($0.text(.id))
    }
    try report(
      Int(count), until: snoozed.count == count ? commonDue(of: snoozed) : nil, context)
    try reportLate(snoozed, context)
  }

  /// Prints how many reminders were snoozed.
  ///
  /// - Parameter due: When all of them come back; nil if that differs.
  private static func report(
    _ count: Int, until due: Timestamp?, _ context: CommandContext
  ) throws(CommandError) {
    guard let due else {
      return try context.output.line(
        localized(count, one: "Snoozed {count} reminder.", other: "Snoozed {count} reminders."))
    }
    if due == .latest {
      return try context.output.line(
        localized(
          count, one: "Snoozed {count} reminder until you unlock the session.",
          other: "Snoozed {count} reminders until you unlock the session."))
    }
    try context.output.line(
      localized(
        count, one: "Snoozed {count} reminder until {time}.",
        other: "Snoozed {count} reminders until {time}.",
        ["time": try context.output.moment(due)]))
  }

  /// Returns when reminders come back if all do so at the same time; nil otherwise.
  private static func commonDue(of rows: [Row]) -> Timestamp? {
    let times = Set(rows.map { $0.number(.due) })
    return times.count == 1 ? times.first.map { Timestamp(seconds: $0) } : nil
  }

  /// Prints the reminders that come back after the end of their events.
  private static func reportLate(
    _ snoozed: [Row], _ context: CommandContext
  ) throws(CommandError) {
    let late = snoozed.filter { isAfterEnd(Timestamp(seconds: $0.number(.due)), of: $0) }
    for row in late.prefix(mostLate) {
      try report(Timestamp(seconds: row.number(.due)), row, context)
    }
    if late.count > mostLate {
      try context.output.line(
        localized(
          late.count - mostLate, one: "{count} more comes back after its end.",
          other: "{count} more come back after their ends."))
    }
  }

  /// The most reminders that are listed.
  private static let mostLate = 10

  /// Warns of each reminder whose event's start, or end, is past, so that it was not snoozed.
  private static func warnOfUnchanged(
    _ until: String, _ context: CommandContext
  ) throws(CommandError) {
    guard until == "start" || until == "end" else { return }
    let isStart = until == "start"
    for row in try context.client().pendingReminders() where row.text(.state) == "due" {
      let title = row.text(.summary).isEmpty ? localized("(no title)") : row.text(.summary)
      let time = try context.output.moment(
        Timestamp(seconds: row.number(isStart ? .start : .end)))
      context.output.warning(
        isStart
          ? localized(
            "{title} ({id}) is not snoozed: it has begun already ({time})",
            ["title": title, "id": row.text(.id), "time": time])
          : localized(
            "{title} ({id}) is not snoozed: it has ended already ({time})",
            ["title": title, "id": row.text(.id), "time": time]))
    }
  }
}

extension ParsedArguments {
  /// Returns whether --all was given; without it there must be a reminder.
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)``.
  func wantsAll(of command: String) throws(CommandError) -> Bool {
    if has("--all") { return true }
    let first = positional(0)
    guard let first, first.contains(where: { $0 != " " }) else {
      throw .usage(
        first == nil
          ? localized("{argument} is missing", ["argument": "REMINDER"])
          : localized("{argument} is empty", ["argument": "REMINDER"]),
        command: command,
        hint: localized(
          "for example: {first} or {second}",
          ["first": "calctl \(command) 3f9c", "second": "calctl \(command) --all"]))
    }
    return false
  }
}

/// The arguments of snooze: reminders, and an end.
enum SnoozeWords {
  /// Splits the arguments: the first is a reminder, and so are those after it that look like one.
  ///
  /// "0915" may be the beginning of an ID or a mistyped 9:15, and "100d" the beginning of an ID or
  /// a duration. The reading is used in which all words make sense: known reminders, then a time.
  ///
  ///     3f9c 0915        two reminders if an ID begins with 0915; else refused
  ///     3f9c 100d        a duration if no ID begins with 100d; else refused
  ///     3f9c 1d          a day: nobody writes so little of an ID
  ///     "Pay rent" Tea 1d
  ///
  /// - Parameters:
  ///   - isTitle: Returns whether a pending reminder has this title; not called for a whole ID.
  ///   - isReminder: Returns whether the ID of a pending reminder begins so; called only in doubt.
  ///   - isTime: Returns whether a text is a time.
  /// - Throws: ``CommandError/usage(_:command:hint:)`` if both readings are possible;
  ///   ``CommandError/notFound(_:near:)`` if neither is.
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
      localized(
        "\"{time}\" is ambiguous: it is a time, but the ID of a reminder begins with \"{id}\"",
        ["time": time, "id": name]),
      command: "snooze",
      hint: localized(
        "write \"until {time}\" for the time, or the whole ID for the reminder", ["time": time]))
  }

  /// Shorter words are times if they can be: scripts use "1d" and "dec".
  private static let shortestInDoubt = 4

  /// Refuses a number that is neither; the agent's error would only mention a time.
  private static func check(_ word: String) throws(CommandError) {
    guard word.count >= shortestInDoubt, isHexadecimal(word), word.allSatisfy(\.isNumber) else {
      return
    }
    throw .notFound(
      localized(
        """
        "{word}" is neither a time, such as 9:00, nor the beginning of the ID of a waiting \
        reminder (calctl reminders lists them)
        """,
        ["word": word]))
  }

  private static func isHexadecimal(_ word: String) -> Bool {
    word.allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// Returns whether a word is an ID or its beginning.
  ///
  /// Durations ("1d"), months ("dec") and numbers ("0900") are not.
  private static func isID(_ word: String) -> Bool {
    guard isHexadecimal(word) else { return false }
    let small = word.lowercased()
    if small.count == 16 { return true }
    return small.contains(where: \.isLetter) && !["dec", "feb"].contains(small)
      && (try? readDuration(small)) == nil
  }

  /// Returns whether the agent accepts a text as the end of a snooze.
  static func isTime(_ text: String, _ phrases: PhraseReader) -> Bool {
    ["start", "end", "unlock"].contains(text) || (try? readDuration(text)) != nil
      || (try? phrases.moment(text)) != nil
  }

  /// Splits "until 14:00" if it was quoted as one word.
  ///
  /// - Parameter isTime: Returns whether the rest after "until" is a time.
  static func apart(
    _ words: [String], isTime: (String) -> Bool = { _ in true }
  ) -> [String] {
    words.flatMap { word in
      let parts = word.split(separator: " ").map(String.init)
      let rest = QuietWords.withoutLead(parts)
      return parts.count > rest.count && isTime(rest.joined(separator: " ")) ? parts : [word]
    }
  }

  /// Returns whether all words together are a time, so that there is no reminder among them.
  static func isUntil(_ words: [String], _ phrases: PhraseReader) -> Bool {
    guard let first = words.first, !isID(first) else { return false }
    return isTime(text(words[...]), phrases)
  }

  /// Returns the words after the reminders, without "until" or "for".
  private static func text(_ words: ArraySlice<String>) -> String {
    QuietWords.withoutLead(Array(words)).joined(separator: " ")
  }

  /// Returns UNTIL for the agent.
  ///
  /// A time that has passed today is tomorrow's, and a day alone means 9:00 on it.
  ///
  ///
  /// - Throws: ``CommandError/usage(_:command:hint:)`` for an offset from the event's start or end.
  static func until(
    _ words: ArraySlice<String>, _ context: CommandContext
  ) throws(CommandError) -> String {
    try QuietWords.check(Array(words), command: "snooze")
    // "" means the default of the settings.
    if words.isEmpty { return "" }
    let until = text(words)
    let name = ["start", "end"].first(where: until.hasPrefix) ?? ""
    if !name.isEmpty, until != name, (try? readReminder(until)) != nil {
      throw .usage(
        localized(
          "UNTIL: \"{value}\" must be {place} without an offset, or a time",
          ["value": until, "place": name]),
        command: "snooze",
        hint: localized("for example: {first} or {second}", ["first": name, "second": "14:50"]))
    }
    return CommandContext.later(until, context.phrases(in: try context.zone()))
  }
}
