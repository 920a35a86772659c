import CalendarBus
import Platform

// To-dos, journal entries and the like go by their IDs as events do, as a whole.

extension EventLookup {
  /// Returns the event with exactly this ID, else what else there is.
  ///
  /// - Parameter advice: what else can be done where one occurrence of a to-do is meant; "" for nothing.
  /// - Throws: as ``event(_:)``.
  func any(
    _ reference: EventReference, insteadOfOccurrence advice: String = ""
  ) throws(CommandError) -> Found {
    do throws(CommandError) {
      return try event(reference)
    } catch {
      guard case .notFound = error else { throw error }
      if let other = try other(reference) { return other }
      let (uid, occurrence) = reference.readings[0]
      guard !occurrence.isEmpty, try others().contains(where: { $0.kind == .toDo && $0.uid == uid })
      else { throw error }
      throw .notFound(
        advice.isEmpty
          ? localized(
            "\"{id}\" is a to-do; use its ID without /{occurrence}, which means all of it",
            ["id": uid, "occurrence": occurrence])
          : localized(
            "\"{id}\" is a to-do; use its ID without /{occurrence}, which means all of it; {advice}",
            ["id": uid, "occurrence": occurrence, "advice": advice]))
    }
  }

  /// Returns what is no event and has exactly this ID; nil where there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` where two calendars have one, naming both.
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
    throw .notFound(
      found.allSatisfy { $0.kind == .toDo }
        ? localized(
          "several calendars have a to-do with the ID \"{id}\"; choose one:",
          ["id": reference.text])
        : localized(
          "several calendars have an entry with the ID \"{id}\"; choose one:",
          ["id": reference.text]),
      near: EventLookup.list(found))
  }

  /// Returns what is no event and has this ID, or the only one whose ID begins with it, or else the only one of
  /// that title, whatever the case; nil where there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)``, listing them if there are several.
  func other(beginning reference: EventReference) throws(CommandError) -> Found? {
    // Nothing has the empty ID.
    if reference.text.isEmpty { return nil }
    if let exact = try other(reference) { return exact }
    let (uid, _) = reference.readings[0]
    let all = try others()
    if let one = all.first(where: { $0.kind == .toDo && $0.uid == uid }) { return one }
    let near = all.filter { $0.uid.hasPrefix(reference.text) }
    if !near.isEmpty { return try only(near, "have an ID that begins so:") }
    return try only(
      all.filter { $0.event.isCalled(reference.text) },
      "are called \"\(reference.text)\": say which by its ID:")
  }

  /// Returns the one that fits; nil where none does.
  ///
  /// - Parameter fit: how they fit, of several.
  /// - Throws: ``CommandError/notFound(_:near:)``, listing the first ten, if there are several.
  private func only(_ found: [Found], _ fit: String) throws(CommandError) -> Found? {
    guard found.count > 1 else { return found.first }
    let what = found.allSatisfy { $0.kind == .toDo } ? "to-dos" : "to-dos and journal entries"
    let shared = found.map(\.event).sharedUIDs
    let lines = found.prefix(10).map {
      "\(shared.contains($0.uid) ? $0.name : $0.uid)  \($0.event.text(.summary))"
    }
    throw .notFound(
      "\(found.count) \(what) \(fit)",
      near: found.count > 10 ? lines + ["and \(found.count - 10) more"] : lines)
  }

  /// All to-dos, and all that is kept besides: of hidden calendars, too, as with events.
  private func others() throws(CommandError) -> [Found] {
    let client = try context.client()
    let calendars = try client.calendars().map { $0.text(.id) }
    let toDos = try client.toDos(includesDone: true, calendars: calendars)
    let kept = try client.kept()
    return toDos.map { Found(other: $0, .toDo) } + kept.map { Found(other: $0, .kept) }
  }

  private static func list(_ found: [Found]) -> [String] {
    found.map { "\($0.name)  \($0.event.text(.summary))" }
  }
}

extension EventLookup.Found {
  fileprivate init(other row: Row, _ kind: EventLookup.Kind) {
    self.init(
      name: "\(row.text(.calendar))/\(row.text(.uid))", occurrence: "", event: row, kind: kind)
  }

  /// What it is called: "to-do", "journal entry".
  var kindName: String {
    switch kind {
    case .event: "event"
    case .toDo: "to-do"
    case .kept: KindWords.name(ofKind: event.text(.kind))
    }
  }
}
