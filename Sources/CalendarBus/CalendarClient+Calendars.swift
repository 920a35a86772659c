import DBus

/// Calls that say in which calendar an event is, for a uid that is in two, and questions
/// of the time that is left.
extension CalendarClient {
  /// - Parameter calendar: the id of the one that it is in.
  package func event(
    _ uid: String, occurrence: String, in calendar: String
  ) throws(Failure) -> Row {
    let answer = try call(
      Contract.events, "GetFrom", [.string(uid), .string(occurrence), .string(calendar)])
    return Row(answer.first ?? .row([]))
  }

  /// - Parameter calendar: the id of the one that it is in.
  package func remove(
    _ uid: String, occurrence: String, scope: String, from calendar: String
  ) throws(Failure) -> Int64 {
    try call(
      Contract.events, "RemoveFrom",
      [.string(uid), .string(occurrence), .string(scope), .string(calendar)]
    ).first?.asInteger ?? 0
  }

  /// - Parameter calendar: the id of the one from which it was removed; "" is any.
  package func restore(_ uid: String, from calendar: String) throws(Failure) -> Int64 {
    try call(Contract.events, "RestoreFrom", [.string(uid), .string(calendar)])
      .first?.asInteger ?? 0
  }

  /// The names of all events, those of hidden calendars too: rows with the keys "uid",
  /// "calendar" and "revision".
  ///
  /// - Parameter calendars: only these; none means all.
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

  /// The free times within the working hours, as pairs of seconds since 1970 UTC.
  ///
  /// - Parameter minutes: the least length of one.
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
