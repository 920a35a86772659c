import CalendarBus
import CivilTime
import DBus

/// Finds the event that somebody means.
struct EventLookup {
  let context: CommandContext

  /// An event that was found, with the key by which the agent knows it.
  struct Found {
    let uid: String
    let occurrence: String
    let event: Row
  }

  /// Returns the event with exactly this ID.
  ///
  /// - Throws: ``CommandError/notFound(_:)``, naming the events whose ID begins so,
  ///   if there are any; and what the agent refuses.
  func event(_ reference: EventReference) throws(CommandError) -> Found {
    if let found = try exact(reference) { return found }
    let near = try beginning(with: reference)
    if near.isEmpty || isWhole(reference, near) { throw unknown(reference) }
    throw .notFound(
      "no event has the ID \"\(reference.text)\", and this wants the whole of it; so begin:",
      near: list(near))
  }

  /// Returns the event with this ID, or the only one whose ID begins with it.
  ///
  /// - Throws: ``CommandError/notFound(_:)``, listing them if there are several.
  func event(beginning reference: EventReference) throws(CommandError) -> Found {
    if let found = try exact(reference) { return found }
    let near = try beginning(with: reference)
    guard let first = near.first, !isWhole(reference, near) else { throw unknown(reference) }
    guard near.count == 1 else {
      throw .notFound("\(near.count) events have an ID that begins so:", near: list(near))
    }
    let occurrence = reference.readings[0].occurrence
    let uid = first.text(.uid)
    let event = try context.client().event(uid, occurrence: occurrence)
    return Found(uid: uid, occurrence: occurrence, event: event)
  }

  private func exact(_ reference: EventReference) throws(CommandError) -> Found? {
    let client = try context.client()
    for (uid, occurrence) in reference.readings {
      do throws(CommandError) {
        let event = try client.event(uid, occurrence: occurrence)
        return Found(uid: uid, occurrence: occurrence, event: event)
      } catch  where error.isNotFound {
        continue
      } catch {
        throw error
      }
    }
    return nil
  }

  /// Days before and after today within which the beginning of an ID is looked
  /// for: what people have seen in a listing. The bus has no question for it.
  private static let days: Int64 = 366
  /// A beginning that fits more is of no help as a list.
  private static let maximumPages = 8

  /// Returns a row for each event whose uid begins so, in the order of time.
  private func beginning(with reference: EventReference) throws(CommandError) -> [Row] {
    let prefix = reference.readings[0].uid
    guard !prefix.isEmpty else { return [] }
    let client = try context.client()
    var options = Row()
    options.set(.fields, [RowKey.uid, .summary, .start, .end].map(\.rawValue))
    options.set(.limit, .uint32(UInt32(Contract.maximumRows)))
    var found: [Row] = []
    var seen: Set<String> = []
    for _ in 0..<EventLookup.maximumPages {
      let page = try client.occurrences(
        from: "@\(context.now.seconds - EventLookup.days * 86_400)",
        to: "@\(context.now.seconds + EventLookup.days * 86_400)", options: options)
      for row in page.rows where row.text(.uid).hasPrefix(prefix) {
        if seen.insert(row.text(.uid)).inserted { found.append(row) }
      }
      if page.next.isEmpty { break }
      options.set(.cursor, page.next)
    }
    return found
  }

  /// Whether the event is there, and only the occurrence is not.
  private func isWhole(_ reference: EventReference, _ near: [Row]) -> Bool {
    near.contains { $0.text(.uid) == reference.readings[0].uid }
  }

  /// The first ten, one a line.
  private func list(_ rows: [Row]) -> [String] {
    let lines = rows.prefix(10).map { "\($0.text(.uid))  \($0.text(.summary))" }
    return rows.count > 10 ? lines + ["and \(rows.count - 10) more"] : lines
  }

  private func unknown(_ reference: EventReference) -> CommandError {
    let (uid, occurrence) = reference.readings[0]
    let what =
      occurrence.isEmpty
      ? "no event has the ID \"\(uid)\"" : "the event \"\(uid)\" has no occurrence \(occurrence)"
    return .notFound("\(what) (calctl agenda --ids shows the IDs)")
  }
}
