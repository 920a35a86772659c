import CalendarBus
import CivilTime
import DBus
import Platform

/// Finds an event by its ID, the beginning of its ID, or its title.
struct EventLookup {
  let context: CommandContext

  /// The kind of a found component.
  enum Kind {
    /// A row of Get.
    case event
    /// A row of Todos.
    case toDo
    /// A row of Kept: a journal entry or similar.
    case kept
  }

  /// An event that was found.
  struct Found {
    /// Its name for methods of the agent that take one text: "UID" or "CALENDAR/UID".
    let name: String
    /// The occurrence; "" for the whole series.
    let occurrence: String
    let event: Row
    var kind = Kind.event

    var uid: String { event.text(.uid) }
    /// The ID of its calendar; another calendar may have the same UID.
    var calendar: String { event.text(.calendar) }
  }

  /// Returns the event with exactly this ID.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)``, with the events whose ID begins with it or whose
  ///   title it is, or with all events if several calendars have it; errors of the agent.
  func event(_ reference: EventReference) throws(CommandError) -> Found {
    if let found = try onlyEvent(reference) { return found }
    let near = try beginning(with: reference)
    if isWhole(near) { throw unknown(reference) }
    if near.rows.isEmpty {
      let titled = try titled(reference.text)
      if titled.isEmpty { throw unknown(reference) }
      throw .notFound(
        localized(
          titled.count,
          one: "expected an event ID; \"{title}\" is the title of this event:",
          other: "expected an event ID; \"{title}\" is the title of these events:",
          ["title": reference.text]),
        near: try list(titled: titled))
    }
    throw .notFound(
      localized(
        "expected a whole event ID; \"{prefix}\" is the beginning of:",
        ["prefix": reference.text]),
      near: try list(near.rows))
  }

  /// Returns the event with exactly this ID; nil if there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with all, if several calendars have one.
  func onlyEvent(_ reference: EventReference) throws(CommandError) -> Found? {
    guard let found = try exact(reference) else { return nil }
    let others = try others(besides: found)
    if others.isEmpty { return found }
    throw .notFound(
      localized(
        "several calendars have an event with the ID \"{id}\"; choose one:",
        ["id": reference.text]),
      near: ([found] + others).map { other in
        EventReference(calendar: other.calendar, uid: other.uid, occurrence: other.occurrence).text
          + "  " + other.event.text(.summary)
      })
  }

  /// Returns the event with this ID, else the only one whose ID begins with it, or with this title.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  func event(beginning reference: EventReference) throws(CommandError) -> Found {
    if let found = try exact(reference) { return found }
    let near = try beginning(with: reference)
    if near.rows.isEmpty, let found = try event(titled: reference.text) { return found }
    guard let first = near.rows.first, !isWhole(near) else { throw unknown(reference) }
    guard near.rows.count == 1 else {
      throw .notFound(
        localized(
          near.rows.count,
          one: "\"{prefix}\" is ambiguous; {count} event has an ID that begins with it:",
          other: "\"{prefix}\" is ambiguous; {count} events have an ID that begins with it:",
          ["prefix": reference.text]),
        near: try list(near.rows))
    }
    let (uid, calendar) = (first.text(.uid), first.text(.calendar))
    let event = try context.client().event(uid, occurrence: near.occurrence, in: calendar)
    return Found(name: "\(calendar)/\(uid)", occurrence: near.occurrence, event: event)
  }

  /// Returns the events with the same ID in other calendars, if the ID named no calendar.
  ///
  /// - Throws: Errors of the agent.
  func others(besides found: Found) throws(CommandError) -> [Found] {
    guard found.name == found.uid else { return [] }
    let client = try context.client()
    var others: [Found] = []
    for row in try client.calendars() where row.text(.id) != found.calendar {
      let calendar = row.text(.id)
      let event = try named(found.uid, occurrence: found.occurrence, in: calendar)
      guard let event else { continue }
      others.append(
        Found(name: "\(calendar)/\(found.uid)", occurrence: found.occurrence, event: event))
    }
    return others
  }

  /// Returns the UIDs of rows that several calendars have, even if the rows are of one calendar.
  ///
  /// - Throws: Errors of the agent.
  func shared(among rows: [Row]) throws(CommandError) -> Set<String> {
    let client = try context.client()
    let calendars = try client.calendars().filter { $0.number(.events) > 0 }
    guard calendars.count > 1 else { return [] }
    var shared = rows.sharedUIDs
    let uids = Set(rows.map { $0.text(.uid) })
    let calls = Int64((uids.count - shared.count) * (calendars.count - 1))
    let events = calendars.reduce(0) { $0 + $1.number(.events) }
    guard calls * EventLookup.namesPerCall < events else {
      return try client.eventNames(in: []).filter { uids.contains($0.text(.uid)) }.sharedUIDs
    }
    for row in rows where !shared.contains(row.text(.uid)) {
      for calendar in calendars where calendar.text(.id) != row.text(.calendar) {
        let other = try named(row.text(.uid), occurrence: "", in: calendar.text(.id))
        guard other != nil else { continue }
        shared.insert(row.text(.uid))
        break
      }
    }
    return shared
  }

  /// One call for an event takes about as long as reading this many names.
  private static let namesPerCall: Int64 = 50

  // MARK: Titles

  /// The most series whose own title is read because their next occurrence has another one.
  private static let mostOtherwiseTitled = 50

  /// Returns the only event with a title; nil if there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  private func event(titled text: String) throws(CommandError) -> Found? {
    let rows = try titled(text)
    guard let row = rows.first else { return nil }
    guard rows.count == 1 else {
      throw .notFound(
        localized(
          rows.count, one: "{count} event is called \"{title}\"; choose one by its ID:",
          other: "{count} events are called \"{title}\"; choose one by its ID:", ["title": text]),
        near: try list(titled: rows))
    }
    let (uid, calendar) = (row.text(.uid), row.text(.calendar))
    var occurrence = ""
    var event = try context.client().event(uid, occurrence: "", in: calendar)
    // The row may be an occurrence with a title of its own.
    if !event.isCalled(text) {
      occurrence = row.text(.recurrenceID)
      event = try context.client().event(uid, occurrence: occurrence, in: calendar)
    }
    return Found(name: "\(calendar)/\(uid)", occurrence: occurrence, event: event)
  }

  /// Returns the future events with a title, regardless of case and calendar, else the past ones.
  ///
  /// Each has its next or its last occurrence.
  private func titled(_ text: String) throws(CommandError) -> [Row] {
    guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return [] }
    let client = try context.client()
    var options = Row()
    options.set(.calendars, try client.calendars().map { $0.text(.id) })
    options.set(.limit, .uint32(UInt32(Contract.maximumRows)))
    options.set(.includeCancelled, true)
    options.set(.includeDeclined, true)
    let found: [Row]
    do throws(CommandError) {
      // A quote would end the phrase; a space separates words just as well.
      let phrase = text.map { $0 == "\"" ? " " : String($0) }.joined()
      found = try client.search("summary:\"\(phrase)\"", options: options).rows
    } catch  where error.isTooMuch {
      // The search refuses a text of this size.
      return []
    } catch {
      throw error
    }
    var named = found.filter { $0.isCalled(text) }
    // The search found the next occurrence; the title of its series may differ.
    let others = found.filter { $0.flag(.recurring) && !$0.isCalled(text) }
    for var row in others.prefix(EventLookup.mostOtherwiseTitled) {
      let (uid, calendar) = (row.text(.uid), row.text(.calendar))
      guard let series = try self.named(uid, occurrence: "", in: calendar),
        series.isCalled(text)
      else { continue }
      row.set(.summary, series.text(.summary))
      named.append(row)
    }
    let ahead = named.filter { $0.number(.end) > context.now.seconds }
    return ahead.isEmpty ? named : ahead
  }

  /// Returns lines for the first ten with their times, and with their calendars if these differ.
  private func list(titled rows: [Row]) throws(CommandError) -> [String] {
    let names = try context.calendarNames()
    let isOneCalendar = Set(rows.map { $0.text(.calendar) }).count == 1
    let shared = rows.sharedUIDs
    var lines: [String] = []
    for row in rows.prefix(10) {
      let name = EventReference(row, withCalendar: shared.contains(row.text(.uid))).seriesText
      let calendar = row.text(.calendar)
      lines.append(
        "\(name)  \(row.text(.summary)): \(try context.output.when(row))"
          + (isOneCalendar ? "" : " (\(names[calendar] ?? calendar))"))
    }
    return lines.withRest(of: rows.count)
  }

  // MARK: Whole IDs

  private func exact(_ reference: EventReference) throws(CommandError) -> Found? {
    let client = try context.client()
    for (name, occurrence) in reference.readings {
      let event = try known { () throws(CommandError) in
        try client.event(name, occurrence: occurrence)
      }
      if let event { return Found(name: name, occurrence: occurrence, event: event) }
    }
    guard let (calendar, rest) = try inCalendar(reference) else { return nil }
    for (uid, occurrence) in rest.readings where !uid.isEmpty {
      let event = try known { () throws(CommandError) in
        try client.event(uid, occurrence: occurrence, in: calendar)
      }
      if let event {
        return Found(name: "\(calendar)/\(uid)", occurrence: occurrence, event: event)
      }
    }
    return nil
  }

  /// Returns an event; nil if there is none.
  private func known(
    _ read: () throws(CommandError) -> Row
  ) throws(CommandError) -> Row? {
    do throws(CommandError) {
      return try read()
    } catch  where error.isNotFound {
      return nil
    } catch {
      throw error
    }
  }

  /// Returns an event; nil if there is none.
  ///
  /// An event whose time zone is not installed has only its UID and its calendar.
  private func named(
    _ uid: String, occurrence: String, in calendar: String
  ) throws(CommandError) -> Row? {
    do throws(CommandError) {
      return try known { () throws(CommandError) in
        try context.client().event(uid, occurrence: occurrence, in: calendar)
      }
    } catch  where error.isUnplaced {
      var row = Row()
      row.set(.uid, uid)
      row.set(.calendar, calendar)
      return row
    } catch {
      throw error
    }
  }

  /// Splits "Office/standup" if there is a calendar called Office; nil otherwise.
  ///
  /// The name may contain slashes itself.
  private func inCalendar(
    _ reference: EventReference
  ) throws(CommandError) -> (calendar: String, rest: EventReference)? {
    guard reference.text.contains("/") else { return nil }
    let rows = try context.client().calendars()
    for slash in reference.text.indices where reference.text[slash] == "/" {
      let found = CalendarLookup.matches(String(reference.text[..<slash]), among: rows)
      let rest = String(reference.text[reference.text.index(after: slash)...])
      if found.count > 1 {
        throw .notFound(
          localized(
            "several calendars are called \"{name}\"; choose one by its ID:",
            ["name": String(reference.text[..<slash])]),
          near: found.map { "\($0.text(.id))/\(rest)  \($0.text(.name))" })
      }
      if let calendar = found.first { return (calendar.text(.id), EventReference(rest)) }
    }
    return nil
  }

  // MARK: Beginnings of IDs

  /// The events whose UID begins with a text.
  private struct Near {
    let uid: String
    let occurrence: String
    /// Rows with the keys "uid" and "calendar".
    let rows: [Row]
  }

  /// Searches all events, past and future, even in hidden calendars.
  private func beginning(with reference: EventReference) throws(CommandError) -> Near {
    let parts = try inCalendar(reference)
    let (uid, occurrence) = reference.readings[0]
    guard !uid.isEmpty else { return Near(uid: uid, occurrence: occurrence, rows: []) }
    let all = try context.client().eventNames(in: [])
    let rows = all.filter { $0.text(.uid).hasPrefix(uid) }
    guard rows.isEmpty, let (calendar, rest) = parts, !rest.readings[0].uid.isEmpty else {
      return Near(uid: uid, occurrence: occurrence, rows: rows)
    }
    let (part, day) = rest.readings[0]
    return Near(
      uid: part, occurrence: day,
      rows: all.filter { $0.text(.calendar) == calendar && $0.text(.uid).hasPrefix(part) })
  }

  /// Returns whether an event has exactly this UID, so that only the occurrence is missing.
  private func isWhole(_ near: Near) -> Bool {
    near.rows.contains { $0.text(.uid) == near.uid }
  }

  /// Returns lines for the first ten with their titles; with the calendar if a UID is not unique.
  private func list(_ rows: [Row]) throws(CommandError) -> [String] {
    let shared = rows.sharedUIDs
    var lines: [String] = []
    for row in rows.prefix(10) {
      let event = try named(row.text(.uid), occurrence: "", in: row.text(.calendar))
      let name = EventReference(row, withCalendar: shared.contains(row.text(.uid))).text
      lines.append("\(name)  \(event?.text(.summary) ?? "")")
    }
    return lines.withRest(of: rows.count)
  }

  private func unknown(_ reference: EventReference) -> CommandError {
    let (uid, occurrence) = reference.readings[0]
    return .notFound(
      occurrence.isEmpty
        ? localized("no event has the ID \"{id}\" (calctl agenda --ids shows the IDs)", ["id": uid])
        : localized(
          "the event \"{id}\" has no occurrence {occurrence} (calctl agenda --ids shows the IDs)",
          ["id": uid, "occurrence": occurrence]))
  }
}

extension [Row] {
  /// The UIDs that are in rows of several calendars.
  var sharedUIDs: Set<String> {
    var calendars: [String: String] = [:]
    var shared: Set<String> = []
    for row in self {
      let (uid, calendar) = (row.text(.uid), row.text(.calendar))
      if calendars[uid] == nil {
        calendars[uid] = calendar
      } else if calendars[uid] != calendar {
        shared.insert(uid)
      }
    }
    return shared
  }
}
