import DBus

// Lists that may be longer than an answer: they are read page by page.

extension CalendarClient {
  /// The to-dos, those that are done only if they are wanted.
  ///
  /// - Parameter calendars: only those of these; none means all that are shown.
  package func toDos(
    includesDone: Bool, calendars: [String] = []
  ) throws(Failure) -> [Row] {
    var options = Row()
    if !calendars.isEmpty { options.set(.calendars, calendars) }
    if includesDone { options.set(.completed, true) }
    options.set(.limit, .uint32(UInt32(Contract.maximumRows)))
    return try pages { cursor in
      options.set(.cursor, cursor)
      return (Contract.events, "TodosPage", [options.value])
    }
  }

  /// What is neither an event nor a to-do, such as journal entries, in hidden calendars too.
  package func kept() throws(Failure) -> [Row] {
    var options = Row()
    return try pages { cursor in
      options.set(.cursor, cursor)
      return (Contract.events, "Kept", [options.value])
    }
  }

  /// The events that can be restored, those removed last first.
  ///
  /// - Parameter limit: the latest so many.
  package func trash(limit: Int = .max) throws(Failure) -> [Row] {
    let rows = try pages(atMost: limit) { cursor in
      (
        Contract.events, "TrashPage",
        [.uint32(UInt32(min(limit, Contract.maximumRows))), .string(cursor)]
      )
    }
    return Array(rows.prefix(limit))
  }

  /// All that are due or snoozed, the soonest first.
  package func pendingReminders() throws(Failure) -> [Row] {
    try pages { cursor in
      (
        Contract.reminders, "PendingPage",
        [.uint32(UInt32(Contract.maximumRows)), .string(cursor)]
      )
    }
  }

  /// The rows of all pages of an answer, until there are enough.
  ///
  /// - Parameter page: what asks for the page after a cursor; "" is the first.
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
