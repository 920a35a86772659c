import DBus

// Lists that may be longer than one answer are read page by page.

extension CalendarClient {
  /// The to-dos; completed ones only on request.
  ///
  /// - Parameter calendars: Only these; none means all visible ones.
  package func toDos(
    includesDone: Bool, calendars: [String] = []
  ) throws(Failure) -> [Row] {
    var options = Row()
    if !calendars.isEmpty { options.set(.calendars, calendars) }
    if includesDone { options.set(.completed, true) }
    options.set(.limit, .uint32(UInt32(Contract.maximumRows)))
    return try pages { cursor in
      options.set(.cursor, cursor)
      return (Contract.events, "Todos", [options.value])
    }
  }

  /// Components other than events and to-dos, such as journal entries; also in hidden calendars.
  package func kept() throws(Failure) -> [Row] {
    var options = Row()
    options.set(.others, true)
    return try pages { cursor in
      options.set(.cursor, cursor)
      return (Contract.events, "List", [options.value])
    }
  }

  /// The events that can be restored, the last removed first.
  ///
  /// - Parameter limit: At most this many.
  package func trash(limit: Int = .max) throws(Failure) -> [Row] {
    let rows = try pages(atMost: limit) { cursor in
      (
        Contract.events, "Trash",
        [.uint32(UInt32(min(limit, Contract.maximumRows))), .string(cursor)]
      )
    }
    return Array(rows.prefix(limit))
  }

  /// All reminders that are due or snoozed, the soonest first.
  package func pendingReminders() throws(Failure) -> [Row] {
    try pages { cursor in
      (
        Contract.reminders, "Pending",
        [.uint32(UInt32(Contract.maximumRows)), .string(cursor)]
      )
    }
  }

  /// Returns the rows of all pages, until there are enough.
  ///
  /// - Parameter page: Returns the call for the page at a cursor; "" is the first.
  private func pages(
    atMost limit: Int = .max,
    _ page: (String) -> (InterfaceName, MemberName, [Value])
  ) throws(Failure) -> [Row] {
    var found: [Row] = []
    var cursor = ""
    repeat {
      let (interface, member, arguments) = page(cursor)
      let answer = try call(interface, member, arguments)
      found += (answer.first?.asArray ?? []).map(Row.init)
      cursor = answer.last?.asString ?? ""
    } while !cursor.isEmpty && found.count < limit
    return found
  }
}
