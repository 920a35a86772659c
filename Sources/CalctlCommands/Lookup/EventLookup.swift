import CalendarBus
import CivilTime
import DBus
import Platform

/// Finds an event by its ID, the beginning of its ID, its title, or a part of its title.
struct EventLookup {
  let context: CommandContext

  /// The kind of a found component.
  enum Kind {
    /// A row of Get.
    case event
    /// A row of Todos.
    case toDo
    /// A row of List with "others": a journal entry or similar.
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
    /// Whether nothing but a part of its title was written, and it was not chosen from a list.
    var isByPart = false
    /// Whether it is over, and nothing but its title was written, and it was not chosen from a list.
    var isOver = false

    var uid: String { event.text(.uid) }
    /// The ID of its calendar; another calendar may have the same UID.
    var calendar: String { event.text(.calendar) }

    /// Returns what to write for the whole series in place of an occurrence.
    func hintOfSeries(_ reference: EventReference) -> String {
      let end = "/\(occurrence)"
      return reference.text.hasSuffix(end)
        ? localized("leave out {text}", ["text": end])
        : localized("for all of it: {id}", ["id": uid])
    }
  }

  /// Returns the event with exactly this ID; nil if there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with all, if several calendars have one.
  func onlyEvent(_ reference: EventReference) throws(CommandError) -> Found? {
    guard let found = try exact(reference) else { return nil }
    return try only(
      [found] + others(besides: found),
      localized(
        "several calendars have an event with the ID \"{id}\"; choose one:",
        ["id": reference.text])
    ) { all throws(CommandError) in
      var lines: [String] = []
      for other in all {
        lines.append(
          "\(try line(other))  "
            + EventReference(
              calendar: other.calendar, uid: other.uid, occurrence: other.occurrence
            ).text)
      }
      return lines
    }
  }

  /// Returns the event with this ID, else the only one that the text means; see ``found(_:)``.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  func event(beginning reference: EventReference) throws(CommandError) -> Found {
    if let found = try exact(reference) { return found }
    return try found(reference)
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

  // MARK: Whole IDs

  func exact(_ reference: EventReference) throws(CommandError) -> Found? {
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
  func named(
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
  func inCalendar(
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
