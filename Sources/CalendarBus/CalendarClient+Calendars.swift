import DBus

/// Calls that name the calendar of an event, for a UID that is in two calendars, and free time.
extension CalendarClient {
  /// Returns an event with the keys of Get.
  ///
  /// - Parameter calendar: The ID of the event's calendar.
  package func event(
    _ uid: String, occurrence: String, in calendar: String
  ) throws(Failure) -> Row {
    try event("\(calendar)/\(uid)", occurrence: occurrence)
  }

  /// The identities of all events, also in hidden calendars.
  ///
  /// The rows have the keys "uid", "calendar" and "revision".
  ///
  /// - Parameter calendars: Only these; none means all.
  package func eventNames(in calendars: [String]) throws(Failure) -> [Row] {
    var options = Row()
    if !calendars.isEmpty { options.set(.calendars, calendars) }
    var found: [Row] = []
    while true {
      let answer = try call(Contract.events, "List", [options.value])
      found += (answer.first?.asArray ?? []).map(Row.init)
      let next = answer.last?.asString ?? ""
      if next.isEmpty { return found }
      options.set(.cursor, next)
    }
  }

  /// The events that were changed after a revision, and the present one.
  ///
  /// - Returns: `isComplete` is false if they are not known.
  package func changes(
    since revision: UInt64
  ) throws(Failure) -> (revision: Int64, isComplete: Bool, rows: [Row]) {
    let answer = try call(Contract.calendar, "ChangesSince", [.uint64(revision)])
    guard answer.count == 3 else { return (0, false, []) }
    return (
      answer[0].asInteger ?? 0, answer[1] == .boolean(true),
      (answer[2].asArray ?? []).map(Row.init)
    )
  }

  /// The free times within the working hours, as pairs of seconds since 1970 UTC.
  ///
  /// - Parameter minutes: The shortest duration of a slot.
  package func freeSlots(
    from: String, to: String, minutes: UInt32
  ) throws(Failure) -> [(start: Int64, end: Int64)] {
    let answer = try call(
      Contract.calendar, "FreeSlots", [.string(from), .string(to), .uint32(minutes)])
    return (answer.first?.asArray ?? []).compactMap { slot in
      guard case .structure(let ends) = slot, let start = ends.first?.asInteger,
        let end = ends.last?.asInteger
      else { return nil }
      return (start, end)
    }
  }

  /// Pairs of busy occurrences that overlap, with the keys of Conflicts.
  package func conflicts(from: String, to: String) throws(Failure) -> [Row] {
    try rows(Contract.calendar, "Conflicts", [.string(from), .string(to)])
  }
}
