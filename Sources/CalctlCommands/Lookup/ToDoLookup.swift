import CalendarBus
import Platform

// To-dos, journal entries and similar components have IDs like events, but no occurrences.

extension EventLookup {
  /// Returns the event, to-do or other component with this ID, else the only one that matches.
  ///
  /// Events precede to-dos, except for a whole ID.
  ///
  /// - Parameters:
  ///   - takesFirst: Whether it is the first event if several calendars have the ID.
  ///   - advice: What to do if an occurrence of a to-do is meant; "" for nothing.
  /// - Throws: See ``found(_:)``.
  func any(
    _ reference: EventReference, takesFirst: Bool = false,
    insteadOfOccurrence advice: String = ""
  ) throws(CommandError) -> Found {
    if let found = try takesFirst ? exact(reference) : onlyEvent(reference) { return found }
    if let other = try other(reference) { return other }
    do throws(CommandError) {
      let found = try found(reference)
      // The whole title of a to-do precedes a part of that of an event.
      return found.isByPart ? try other(beginning: reference) ?? found : found
    } catch {
      guard case .notFound(_, near: []) = error else { throw error }
      let (uid, occurrence) = reference.readings[0]
      guard !takesFirst, !occurrence.isEmpty,
        try others().contains(where: { $0.kind == .toDo && $0.uid == uid })
      else {
        if let other = try other(beginning: reference) { return other }
        throw error
      }
      throw .notFound(
        advice.isEmpty
          ? localized(
            "\"{id}\" is a to-do; use its ID without /{occurrence}, which means all of it",
            ["id": uid, "occurrence": occurrence])
          : localized(
            """
            "{id}" is a to-do; use its ID without /{occurrence}, which means all of it; {advice}
            """,
            ["id": uid, "occurrence": occurrence, "advice": advice]))
    }
  }

  /// Returns the only to-do with this ID, this number in the last list, the beginning of the ID, its
  /// title or a part of its title; for "last" the open one that was added or changed last.
  ///
  /// Open ones precede those that are done.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` if there is none, or a list if there are several.
  func toDo(_ reference: EventReference) throws(CommandError) -> Found {
    let text = reference.text
    let all = try others().filter { $0.kind == .toDo }
    if let named = all.first(where: { $0.name == text }) { return named }
    let open = all.filter { !$0.isClosed }
    if text == "last" { return try lastToDo(of: open) }
    if let number = ListNumbers.number(text), !all.contains(where: { $0.uid == text }) {
      let found = try numbered(number)
      guard found.kind == .toDo else {
        throw .notFound(
          localized(
            "number {number} of the last list is no to-do (calctl todos prints their numbers)",
            ["number": text]))
      }
      return found
    }
    var found = EventMatches.among(open.map(\.event), text)
    if found.isEmpty { found = EventMatches.among(all.map(\.event), text) }
    guard !found.isEmpty else {
      throw .notFound(
        localized(
          "no to-do has the ID or the title \"{text}\" (calctl todos lists them)",
          ["text": text]))
    }
    var only = try only(
      found.map { Found(other: $0, .toDo) },
      localized(
        found.count, one: "{count} to-do matches \"{text}\"; choose one by its ID:",
        other: "{count} to-dos match \"{text}\"; choose one by its ID:", ["text": text]),
      list: lines)
    only.isByPart = found.count == 1 && EventMatches.isByPart(only.event, text)
    return only
  }

  /// Returns the to-do or other component with exactly this ID; nil if there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with all, if several calendars have one.
  func other(_ reference: EventReference) throws(CommandError) -> Found? {
    let all = try others()
    var found = all.filter { $0.uid == reference.text }
    if found.isEmpty, reference.text.contains("/") {
      let names = try context.calendarNames()
      found = all.filter { one in
        [one.calendar, names[one.calendar] ?? ""].contains { "\($0)/\(one.uid)" == reference.text }
      }
    }
    guard found.count > 1 else { return found.first }
    return try only(
      found,
      found.allSatisfy { $0.kind == .toDo }
        ? localized(
          "several calendars have a to-do with the ID \"{id}\"; choose one:",
          ["id": reference.text])
        : localized(
          "several calendars have an entry with the ID \"{id}\"; choose one:",
          ["id": reference.text]),
      list: lines)
  }

  /// Returns the to-do or other component with this ID, else the only one that matches.
  ///
  /// A match has an ID that begins with the text, or this title regardless of case. nil if there is
  /// none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  func other(beginning reference: EventReference) throws(CommandError) -> Found? {
    // Nothing has the empty ID.
    if reference.text.isEmpty { return nil }
    if let exact = try other(reference) { return exact }
    let (uid, _) = reference.readings[0]
    let all = try others()
    if let one = all.first(where: { $0.kind == .toDo && $0.uid == uid }) { return one }
    let near = all.filter { EventMatches.isBeginning(reference.text, of: $0.uid) }
    if near.count > 1 {
      return try only(
        near,
        near.allSatisfy { $0.kind == .toDo }
          ? localized(
            near.count,
            one: "\"{prefix}\" is ambiguous; {count} to-do has an ID that begins with it:",
            other: "\"{prefix}\" is ambiguous; {count} to-dos have an ID that begins with it:",
            ["prefix": reference.text])
          : localized(
            near.count,
            one: "\"{prefix}\" is ambiguous; {count} entry has an ID that begins with it:",
            other: "\"{prefix}\" is ambiguous; {count} entries have an ID that begins with it:",
            ["prefix": reference.text]),
        list: lines)
    }
    if let one = near.first { return one }
    let titled = all.filter { $0.event.isCalled(reference.text) }
    guard titled.count > 1 else { return titled.first }
    return try only(
      titled,
      titled.allSatisfy { $0.kind == .toDo }
        ? localized(
          titled.count, one: "{count} to-do is called \"{title}\"; choose one by its ID:",
          other: "{count} to-dos are called \"{title}\"; choose one by its ID:",
          ["title": reference.text])
        : localized(
          titled.count, one: "{count} entry is called \"{title}\"; choose one by its ID:",
          other: "{count} entries are called \"{title}\"; choose one by its ID:",
          ["title": reference.text]),
      list: lines)
  }

  /// Returns lines for the first ten, with the calendar if a UID is not unique.
  private func lines(_ found: [Found]) throws(CommandError) -> [String] {
    let shared = found.map(\.event).sharedUIDs
    var lines: [String] = []
    for one in found.prefix(EventLookup.mostListed) {
      lines.append("\(try line(one))  \(shared.contains(one.uid) ? one.name : one.uid)")
    }
    return lines.withRest(of: found.count)
  }

  /// Returns all to-dos and other components, even in hidden calendars.
  private func others() throws(CommandError) -> [Found] {
    let client = try context.client()
    let calendars = try client.calendars().map { $0.text(.id) }
    let toDos = try client.toDos(includesDone: true, calendars: calendars)
    let kept = try client.kept()
    return toDos.map { Found(other: $0, .toDo) } + kept.map { Found(other: $0, .kept) }
  }
}

extension EventLookup.Found {
  fileprivate init(other row: Row, _ kind: EventLookup.Kind) {
    self.init(
      name: "\(row.text(.calendar))/\(row.text(.uid))", occurrence: "", event: row, kind: kind)
  }

  /// Whether it is a to-do that is done or cancelled.
  var isClosed: Bool { ["completed", "cancelled"].contains(event.text(.status)) }

  /// The name of its kind: "to-do", "journal entry".
  var kindName: String {
    switch kind {
    case .event: localized("event")
    case .toDo: localized("to-do")
    case .kept: KindWords.name(ofKind: event.text(.kind))
    }
  }
}
