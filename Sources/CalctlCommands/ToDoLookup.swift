import CalendarBus

// To-dos go by their IDs as events do, where something is done with the whole of one.

extension EventLookup {
  /// Returns the event with exactly this ID, else the to-do.
  ///
  /// - Throws: as ``event(_:)``.
  func eventOrToDo(_ reference: EventReference) throws(CommandError) -> Found {
    do throws(CommandError) {
      return try event(reference)
    } catch {
      guard case .notFound = error, let toDo = try toDo(reference) else { throw error }
      return toDo
    }
  }

  /// Returns the to-do with exactly this ID; nil where there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` where two calendars have one, naming both.
  func toDo(_ reference: EventReference) throws(CommandError) -> Found? {
    let client = try context.client()
    // Those of hidden calendars, too, as with events.
    let calendars = try client.calendars()
    let rows = try client.toDos(includesDone: true, calendars: calendars.map { $0.text(.id) })
    var found = rows.filter { $0.text(.uid) == reference.text }
    if found.isEmpty {
      found = rows.filter { row in
        let calendar = calendars.first { $0.text(.id) == row.text(.calendar) }
        return [row.text(.calendar), calendar?.text(.name) ?? ""].contains {
          "\($0)/\(row.text(.uid))" == reference.text
        }
      }
    }
    guard found.count < 2 else {
      throw .notFound(
        "several calendars have a to-do of the ID \"\(reference.text)\": say which:",
        near: found.map { "\($0.text(.calendar))/\($0.text(.uid))  \($0.text(.summary))" })
    }
    return found.first.map { row in
      Found(
        name: "\(row.text(.calendar))/\(row.text(.uid))", occurrence: "", event: row, isToDo: true)
    }
  }
}
