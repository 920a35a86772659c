import CalendarBus
import CivilTime
import DBus
import Phrases
import Platform
import Widgets

// An event that is not named by its whole ID.

extension EventLookup {
  /// Returns the only event that a text means; the first of these that exists:
  ///
  /// 1. the event, or the occurrence, of "TITLE@DAY" or "ID/DAY", in the zone of the event;
  /// 2. the event with this number in the last list, which has at most three digits; the next
  ///    event, or the one that was changed last, for the words "next" and "last";
  /// 3. the event with this whole ID, or this title;
  /// 4. the event whose ID begins with it;
  /// 5. the event with this part in its title.
  ///
  /// Events in the future precede those in the past for titles.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  func found(_ reference: EventReference) throws(CommandError) -> Found {
    let onDay = try onDay(reference)
    if let found = onDay?.found { return found }
    if let number = ListNumbers.number(reference.text) { return try numbered(number) }
    switch reference.text {
    case "next": return try next()
    case "last": return try last()
    default: break
    }
    let near = try beginning(with: reference)
    if isWhole(near) { throw unknown(reference) }
    if let found = try event(titled: reference.text) { return found }
    if !near.rows.isEmpty {
      let row = try only(
        near.rows,
        localized(
          near.rows.count,
          one: "\"{prefix}\" is ambiguous; {count} event has an ID that begins with it:",
          other: "\"{prefix}\" is ambiguous; {count} events have an ID that begins with it:",
          ["prefix": reference.text])
      ) { rows throws(CommandError) in try list(rows) }
      var found = try found(row, near.occurrence)
      // Imported IDs are words, too: "standup@example.org".
      found.isByPart = found.event.mentions(reference.text)
      return found
    }
    if let found = try event(mentioning: reference.text) { return found }
    guard let onDay else { throw unknown(reference, titles: titlesSoon()) }
    throw .notFound(
      localized(
        "no event on {day} has the ID or the title \"{title}\"",
        ["day": TimeText.current.shortDate(onDay.day), "title": onDay.what]))
  }

  /// Returns the event of a row, as a whole or one occurrence of it.
  func found(_ row: Row, _ occurrence: String) throws(CommandError) -> Found {
    let (uid, calendar) = (row.text(.uid), row.text(.calendar))
    let event = try context.client().event(uid, occurrence: occurrence, in: calendar)
    return Found(name: "\(calendar)/\(uid)", occurrence: occurrence, event: event)
  }

  // MARK: Numbers and words

  func numbered(_ number: Int) throws(CommandError) -> Found {
    guard let name = ListNumbers(context.environment)?.name(number) else {
      throw .notFound(
        localized(
          "the last list on a terminal has no number {number} (calctl agenda prints one)",
          ["number": "\(number)"]))
    }
    let reference = EventReference(name)
    if let event = try exact(reference) { return event }
    guard let other = try other(reference) else {
      throw .notFound(
        localized(
          "number {number} of the last list is gone already: it was removed or moved",
          ["number": "\(number)"]))
    }
    return other
  }

  private func next() throws(CommandError) -> Found {
    guard let row = try AgendaRows(context: context).next(1, ListFilter()).first else {
      throw .notFound(localized("There is no next event."))
    }
    return try found(row, row.text(.recurrenceID))
  }

  /// The steps of what the user added or changed.
  private static let ownSteps: Set<String> = ["add", "update", "move", "restore"]
  /// How many steps of the history are searched for an event that is still there.
  private static let mostSteps: UInt32 = 100

  /// Returns the event, to-do or other component that the user added or changed last; what was
  /// only imported is not meant.
  private func last() throws(CommandError) -> Found {
    for step in try steps() {
      guard step.number(.events) == 1, let uid = step.texts(.uids).first else {
        throw .notFound(
          localized(
            "the last change was of several events: {change}", ["change": step.text(.label)]))
      }
      let reference = EventReference(calendar: "", uid: uid, occurrence: "")
      if let found = try onlyEvent(reference) { return found }
      if let found = try other(reference) { return found }
    }
    throw .notFound(localized("no event was added or changed yet"))
  }

  /// Returns the to-do among open ones that the user added or changed last.
  func lastToDo(of open: [Found]) throws(CommandError) -> Found {
    for step in try steps() where step.number(.events) == 1 {
      let found = open.filter { $0.uid == step.texts(.uids).first }
      guard let one = found.first else { continue }
      let reference = EventReference(calendar: "", uid: one.uid, occurrence: "")
      return found.count == 1 ? one : try other(reference) ?? one
    }
    throw .notFound(localized("no open to-do was added or changed yet"))
  }

  /// Returns the last steps of the user's that were not undone, the newest first.
  private func steps() throws(CommandError) -> [Row] {
    try context.client().history(limit: EventLookup.mostSteps).filter {
      !$0.flag(.undone) && EventLookup.ownSteps.contains($0.text(.action))
    }
  }

  // MARK: Days

  /// The meaning of "TITLE@DAY" or "ID/DAY".
  private struct OnDay {
    let what: String
    let day: CivilDate
    /// nil if no event on that day has this ID or title.
    let found: Found?
  }

  /// Returns nil for a text without a day.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  private func onDay(_ reference: EventReference) throws(CommandError) -> OnDay? {
    guard reference.text.contains(where: { $0 == "@" || $0 == "/" }) else { return nil }
    let phrases = context.phrases(in: try context.zone())
    let parts = reference.onDay { text in
      if case .date(let day)? = try? phrases.moment(text, takesPast: true) { day } else { nil }
    }
    guard let (written, day) = parts else { return nil }
    var what = written
    let all = try rows(on: day)
    var rows = EventMatches.among(all, what)
    if rows.isEmpty, let (calendar, rest) = try inCalendar(EventReference(what)) {
      rows = EventMatches.among(all.filter { $0.text(.calendar) == calendar }, rest.text)
      if !rows.isEmpty { what = rest.text }
    }
    if rows.isEmpty { return OnDay(what: what, day: day, found: nil) }
    let row = try only(
      rows,
      localized(
        rows.count, one: "{count} event on {day} matches \"{title}\"; choose one by its ID:",
        other: "{count} events on {day} match \"{title}\"; choose one by its ID:",
        ["day": TimeText.current.shortDate(day), "title": what])
    ) { rows throws(CommandError) in
      try list(titled: rows) { $0.text }
    }
    var found = try found(row, row.text(.recurrenceID))
    found.isByPart = rows.count == 1 && EventMatches.isByPart(row, what)
    return OnDay(what: what, day: day, found: found)
  }

  /// Returns the events and occurrences that begin on a day, each in its own zone.
  private func rows(on day: CivilDate) throws(CommandError) -> [Row] {
    let client = try context.client()
    let start = ZoneRules.utc.startOfDay(day).seconds
    // A zone is at most 14 hours from UTC.
    let (before, after) = (start - 14 * 3600, start + (24 + 14) * 3600)
    var options = try allCalendars()
    var found: [Row] = []
    while true {
      let page = try client.occurrences(from: "@\(before)", to: "@\(after)", options: options)
      // A row that counts several occurrences names none of them.
      found += page.rows.filter {
        $0[.count] == nil && $0.text(.startText).hasPrefix(day.description)
      }
      if page.next.isEmpty { return found }
      options.set(.cursor, page.next)
    }
  }

  /// Returns the options for events of all calendars, also of hidden ones, and of any status.
  func allCalendars() throws(CommandError) -> Row {
    var options = Row()
    options.set(.calendars, try context.client().calendars().map { $0.text(.id) })
    options.set(.limit, .uint32(UInt32(Contract.maximumRows)))
    options.set(.includeCancelled, true)
    options.set(.includeDeclined, true)
    return options
  }
}
