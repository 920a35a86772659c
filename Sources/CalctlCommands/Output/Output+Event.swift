import CalendarBus
import CivilTime
import DBus
import Platform
import Recurrence
import Widgets

/// Details of one event, and lists of reminders.
extension Output {
  /// Prints everything about an event, one field for each line, and its description below.
  ///
  /// - Parameters:
  ///   - calendar: Its row of Calendars.List; nil if the calendar does not exist any more.
  ///   - others: The other calendars with an event of the same ID, for people.
  ///   - zone: Its time zone; nil for a floating event.
  /// - Throws: Errors of the agent and of the output.
  func event(
    _ row: Row, in calendar: Row? = nil, others: [String] = [], zone: ZoneRules? = nil
  ) throws(CommandError) {
    let fields =
      try fields(of: row, in: calendar, zone) + [
        (localized("also in"), list(others)), (localized("id"), EventReference(row).text),
      ]
    try fieldLines(of: row, fields)
  }

  /// Prints the title of a row, the fields that are not empty, and the description.
  ///
  /// - Throws: Errors of the output.
  func fieldLines(
    of row: Row, _ fields: [(label: String, value: String)]
  ) throws(CommandError) {
    var text = [heading(Output.title(row.text(.summary)))]
    let width = fields.reduce(10) { max($0, $1.label.columns) }
    for (label, value) in fields where !value.isEmpty {
      text.append("  " + label.padding(to: width) + "  " + displayLine(value))
    }
    try lines(text + description(of: row))
  }

  /// Returns "Work (work)"; only the ID if the calendar is missing or the name is the same.
  static func name(of calendar: Row?, _ id: String) -> String {
    let name = calendar?.text(.name) ?? ""
    return name.isEmpty || name == id ? id : name.with(remark: id)
  }

  /// Returns an empty line and the lines of a description; nothing without a description.
  func description(of row: Row) -> [String] {
    var text: [String] = []
    let description = textWithoutHTML(row.text(.description))
    if !description.isEmpty {
      text.append("")
      for line in description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        text.append(line.isEmpty ? "" : "  " + displayLine(String(line)))
      }
    }
    return text
  }

  /// Returns the fields in order; those with "" are not printed.
  private func fields(
    of row: Row, in calendar: Row?, _ eventZone: ZoneRules?
  ) throws(CommandError) -> [(label: String, value: String)] {
    let status = row.text(.status)
    // Neither takes up time or has reminders.
    let (isDeclined, isCancelled) = (row.flag(.declined), status == "cancelled")
    return [
      (localized("when"), try when(row)),
      (localized("zone"), try elsewhere(row)),
      (localized("where"), row.text(.location)),
      (
        localized("status"),
        list(
          ((status == "confirmed" ? [] : [status]) + (isDeclined ? ["declined"] : []))
            .map(BusWords.text))
      ),
      (localized("url"), row.text(.url)),
      (localized("join"), row.text(.joinURL)),
      (localized("repeats"), try repeats(row)),
      (localized("also on"), list(try dates(.rdate, of: row, eventZone).map(\.words))),
      (
        localized("not on"),
        list(
          try dates(.exdate, of: row, eventZone).map {
            $0.words.with(remark: RemovedOccurrence.name(of: $0.text, eventZone))
          })
      ),
      (
        localized("changed"),
        row.flag(.appliesToFuture)
          ? localized("together with the following ones (RANGE=THISANDFUTURE)")
          : try overrides(of: row)
      ),
      (
        localized("reminders"),
        isCancelled || isDeclined ? "" : try reminders(of: row, in: calendar)
      ),
      (
        localized("shows as"),
        row.flag(.busy) && !isCancelled && !isDeclined ? localized("busy") : localized("free")
      ),
      (
        localized("class"),
        row.text(.classification) == "public" ? "" : BusWords.text(row.text(.classification))
      ),
      (localized("tags"), list(row.texts(.categories))),
      (localized("by"), row[.organizer].map { person(Row($0)) } ?? ""),
      (localized("with"), list(people(row))),
      (localized("calendar"), Output.name(of: calendar, row.text(.calendar))),
    ]
  }

  /// The most overrides that are listed.
  private static let mostOverrides = 5

  /// Returns the coming overrides: "Fri 4 Dec 2026, 09:00 (20261204T090000Z) is cancelled".
  private func overrides(of row: Row) throws(CommandError) -> String {
    let rows = (row[.exceptions]?.asArray ?? []).map(Row.init)
    var words: [String] = []
    for one in rows.prefix(Output.mostOverrides) {
      let id = one.text(.recurrenceID)
      guard let place = try when(ofOccurrence: id) else { continue }
      let (now, isRange) = (try when(one), one.flag(.appliesToFuture))
      let text =
        if one.text(.status) == "cancelled" {
          isRange
            ? localized(
              "{occurrence} ({id}) and the following ones are cancelled",
              ["occurrence": place, "id": id])
            : localized("{occurrence} ({id}) is cancelled", ["occurrence": place, "id": id])
        } else if now.hasPrefix(place) {
          isRange
            ? localized(
              "{occurrence} ({id}) and the following ones have changes of their own",
              ["occurrence": place, "id": id])
            : localized(
              "{occurrence} ({id}) has changes of its own", ["occurrence": place, "id": id])
        } else {
          isRange
            ? localized(
              "{occurrence} ({id}) is now {when}, and the following ones moved with it",
              ["occurrence": place, "id": id, "when": now])
            : localized(
              "{occurrence} ({id}) is now {when}", ["occurrence": place, "id": id, "when": now])
        }
      words.append(text)
    }
    return localizedClauses(words.withRest(of: Int(row.number(.exceptionCount))))
  }

  /// Returns the dates under a key: a day, or "Wed 2 Dec 2026, 09:30" in the printed zone.
  ///
  /// - Parameter eventZone: The zone of local times among them; nil for a floating event.
  private func dates(
    _ key: RowKey, of row: Row, _ eventZone: ZoneRules?
  ) throws(CommandError) -> [(text: String, words: String)] {
    let zone = try zone()
    return row.texts(key).map { text in
      if let day = try? CivilDate(text: text) { return (text, TimeText.current.shortDate(day)) }
      let written = try? CivilDateTime(text: text)
      let instant =
        text.hasSuffix("Z")
        ? try? Timestamp(text: text) : written.flatMap { eventZone?.instant(of: $0) }
      guard let reading = instant.map(zone.reading) ?? written else { return (text, text) }
      return (text, TimeText.current.shortDate(reading))
    }
  }

  /// Returns the reminders of an event: "15 min before".
  ///
  /// Without its own, the calendar's: "15 min before (default of Work)".
  private func reminders(of row: Row, in calendar: Row?) throws(CommandError) -> String {
    let own = try ownReminders(of: row) { reminder throws(CommandError) in
      try reminderText(reminder, of: row)
    }
    if !own.isEmpty { return own }
    guard let calendar else { return "" }
    let defaults = ReminderWords.defaults(of: calendar, allDay: row.flag(.allDay))
    return defaults.isEmpty
      ? ""
      : localized(
        "{reminders} (default of {calendar})",
        ["reminders": list(defaults), "calendar": calendar.text(.name)])
  }

  /// Returns the event's or to-do's own reminders; "" without any.
  ///
  /// - Parameter text: Converts a reminder of the bus to words.
  /// - Throws: Errors of `text`.
  func ownReminders(
    of row: Row, _ text: (_ reminder: String) throws(CommandError) -> String
  ) throws(CommandError) -> String {
    let (own, repeats) = (row.texts(.reminders), row.texts(.reminderRepeats))
    var words: [String] = []
    for (index, reminder) in own.enumerated() {
      // "none" counts only if it is alone.
      if reminder == "none", own.contains(where: { $0 != "none" }) { continue }
      words.append(
        ReminderWords.repeated(
          try text(reminder), repeats.indices.contains(index) ? repeats[index] : ""))
    }
    return list(words)
  }

  /// Returns when a reminder of an event or to-do is due; an absolute one in the printed zone.
  ///
  /// - Throws: Errors of the agent.
  func reminderText(_ reminder: String, of row: Row) throws(CommandError) -> String {
    if let instant = try? Timestamp(text: reminder) { return try moment(instant, beside: row) }
    return row.flag(.allDay) ? ReminderWords.allDayText(reminder) : ReminderWords.text(reminder)
  }

  private func list(_ texts: [String]) -> String { localizedList(texts) }

  /// Returns the rules in words: "every day", "every day, but not every Friday (EXRULE)".
  ///
  /// - Throws: Errors of the agent.
  func repeats(_ row: Row) throws(CommandError) -> String {
    let (rules, exceptions) = (list(try rules(.rrule, of: row)), list(try rules(.exrule, of: row)))
    if exceptions.isEmpty { return rules }
    // Without rules and dates there is only the start, which EXRULE cannot exclude.
    guard !rules.isEmpty || !row.texts(.rdate).isEmpty else {
      return localized("no; its EXRULE ({rules}) has no effect", ["rules": exceptions])
    }
    return rules.isEmpty
      ? localized("not {exceptions} (EXRULE)", ["exceptions": exceptions])
      : localized(
        "{rules}, but not {exceptions} (EXRULE)", ["rules": rules, "exceptions": exceptions])
  }

  /// Returns rules in words: "every week on Monday"; an invalid rule is unchanged.
  private func rules(_ key: RowKey, of row: Row) throws(CommandError) -> [String] {
    let zone = try zone()
    return row.text(key).split(whereSeparator: \.isNewline).map { line in
      guard var rule = try? RecurrenceRule(text: line) else { return String(line) }
      guard let until = rule.until else { return rule.words(in: MessageCatalogue.language) }
      rule.until = nil
      let start = zone.reading(at: Timestamp(seconds: row.number(.start)))
      return localized(
        "{rule}, until {time}",
        [
          "rule": rule.words(in: MessageCatalogue.language),
          "time": untilText(until, startingAt: start.time, zone),
        ])
    }
  }

  /// Returns the end of a rule: its last day, or a local time without seconds.
  private func untilText(
    _ until: RecurrenceUntil, startingAt start: TimeOfDay, _ zone: ZoneRules
  ) -> String {
    let reading: CivilDateTime
    switch until {
    case .date(let date): return TimeText.current.shortDate(date)
    case .local(let local): reading = local
    case .instant(let instant): reading = zone.reading(at: instant)
    }
    // The last second of a day is how iCalendar says "until that day"; some programs write the
    // midnight after it, when no occurrence begins.
    if reading.time.secondOfDay == 86_399 { return TimeText.current.shortDate(reading.date) }
    if reading.time == .midnight, start != .midnight, let last = reading.date.adding(days: -1) {
      return TimeText.current.shortDate(last)
    }
    return TimeText.current.shortDate(reading)
  }

  /// Returns the zone of an event if it is not the agent's, with the local times if they differ.
  ///
  /// "America/New_York, there Mon 23 Nov 2026, 09:00 – 10:00".
  private func elsewhere(_ row: Row) throws(CommandError) -> String {
    let (name, own) = (row.text(.timeZone), try zone())
    if name.isEmpty || name == own.name { return "" }
    guard
      let (start, startOffset) = OffsetTime.parts(row.text(.startText)),
      let (end, endOffset) = OffsetTime.parts(row.text(.endText))
    else { return name }
    let isSame =
      own.offset(at: Timestamp(seconds: row.number(.start))).description == startOffset
      && own.offset(at: Timestamp(seconds: row.number(.end))).description == endOffset
    if isSame { return name }
    var when = TimeText.current.shortDate(start)
    if row.number(.start) != row.number(.end) {
      let time = TimeText.current.clock(end.time)
      when +=
        " – " + (end.date == start.date ? time : TimeText.current.shortDate(end.date, at: time))
    }
    return localized("{zone}, there {when}", ["zone": name, "when": when])
  }

  private func people(_ row: Row) -> [String] {
    (row[.attendees]?.asArray ?? []).map(Row.init).map(person)
  }

  /// Returns the name, or else the address, with the answer: "Bob (accepted)".
  private func person(_ row: Row) -> String {
    let name = row.text(.name)
    let answer = row.text(.participation)
    return (name.isEmpty ? address(row.text(.address)) : name)
      .with(remark: answer.isEmpty || answer == "needs-action" ? "" : BusWords.text(answer))
  }

  /// Returns "ana@example.org" for "mailto:ana@example.org".
  private func address(_ uri: String) -> String {
    let scheme = "mailto:"
    return uri.lowercased().hasPrefix(scheme) ? String(uri.dropFirst(scheme.count)) : uri
  }

  /// Prints reminders, one for each line: ID, event and time, state, and calendar if several.
  ///
  /// - Parameter names: The names of the calendars by their IDs.
  /// - Throws: Errors of the agent and of the output.
  func reminders(_ rows: [Row], calendars names: [String: String]) throws(CommandError) {
    // A test reminder has no calendar.
    let hasSeveral = Set(rows.map { $0.text(.calendar) }).subtracting([""]).count > 1
    var text: [String] = []
    for row in rows {
      let due = Timestamp(seconds: row.number(.due))
      let state =
        switch row.text(.state) {
        case "snoozed" where due == .latest: localized("snoozed until you unlock the session")
        case "snoozed": localized("snoozed until {time}", ["time": try moment(due)])
        case "closed": localized("was due {time}", ["time": try moment(due)])
        default: localized("since {time}", ["time": try moment(due)])
        }
      let about =
        row.flag(.undated)
        ? displayLine(row.text(.summary))
        : displayLine(row.text(.summary)).with(text: try when(row))
      let calendar = names[row.text(.calendar)] ?? row.text(.calendar)
      var remarks = [state]
      if hasSeveral, !calendar.isEmpty {
        remarks.append(localized("in {calendar}", ["calendar": displayLine(calendar)]))
      }
      if row.flag(.quiet) { remarks.append(ReminderWords.heldBack) }
      text.append("\(displayLine(row.text(.id)))  \(about.with(remark: list(remarks)))")
    }
    try lines(text)
  }
}

/// A time of the bus: "2026-11-21T09:30:00-05:00".
private enum OffsetTime {
  /// Returns the local time and the offset, "+00:00" for "Z"; nil for any other text.
  static func parts(_ text: String) -> (reading: CivilDateTime, offset: String)? {
    let isUTC = text.hasSuffix("Z")
    let tail = isUTC ? 1 : 6
    guard text.utf8.count > tail, let reading = try? CivilDateTime(text: text.dropLast(tail)) else {
      return nil
    }
    return (reading, isUTC ? UTCOffset.utc.description : String(text.suffix(tail)))
  }
}
