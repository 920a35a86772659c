import CalendarBus
import CivilTime
import DBus
import Platform

// A title, or a part of a title.

extension EventLookup {
  /// The most series whose own title is read because their next occurrence has another one.
  private static let mostOtherwiseTitled = 50

  /// Returns the only event with a title; nil if there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  func event(titled text: String) throws(CommandError) -> Found? {
    let rows = FoundRows.sorted(try titled(text), context.now)
    if rows.isEmpty { return nil }
    let row = try only(
      rows,
      localized(
        rows.count, one: "{count} event is called \"{title}\"; choose one by its ID:",
        other: "{count} events are called \"{title}\"; choose one by its ID:", ["title": text])
    ) { rows throws(CommandError) in try list(titled: rows) }
    var found = try found(row) { $0.isCalled(text) }
    found.isOver = rows.count == 1 && isOver(row)
    return found
  }

  /// Returns the only event with a text in its title; nil if there is none.
  ///
  /// - Throws: ``CommandError/notFound(_:near:)`` with a list if there are several.
  func event(mentioning text: String) throws(CommandError) -> Found? {
    guard EventMatches.isPart(text) else { return nil }
    // Without its second quote, the phrase may end with the beginning of a word.
    let rows = try search("summary:\"\(EventLookup.spaced(text))").filter { $0.mentions(text) }
    if rows.isEmpty { return nil }
    let near = FoundRows.sorted(ahead(rows), context.now)
    let row = try only(
      near,
      localized(
        near.count, one: "{count} event has \"{title}\" in its title; choose one by its ID:",
        other: "{count} events have \"{title}\" in their titles; choose one by its ID:",
        ["title": text])
    ) { rows throws(CommandError) in try list(titled: rows) }
    var found = try found(row) { $0.mentions(text) }
    found.isByPart = near.count == 1
    return found
  }

  /// Returns the series of a row, or only the occurrence if the title is its own.
  private func found(
    _ row: Row, ifTitled isMeant: (Row) -> Bool
  ) throws(CommandError) -> Found {
    let series = try found(row, "")
    return isMeant(series.event) ? series : try found(row, row.text(.recurrenceID))
  }

  /// Returns the future events with a title, regardless of case and calendar, else the past ones.
  ///
  /// Each has its next or its last occurrence.
  private func titled(_ text: String) throws(CommandError) -> [Row] {
    guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return [] }
    let found = try search("summary:\"\(EventLookup.spaced(text))\"")
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
    return ahead(named)
  }

  /// Returns the events that a query finds, in any calendar; none if it is too long.
  private func search(_ query: String) throws(CommandError) -> [Row] {
    do throws(CommandError) {
      return try context.client().search(query, options: allCalendars()).rows
    } catch  where error.isTooMuch {
      return []
    } catch {
      throw error
    }
  }

  /// Returns the events that are not over; all of them if all are over.
  private func ahead(_ rows: [Row]) -> [Row] {
    let ahead = rows.filter { !isOver($0) }
    return ahead.isEmpty ? rows : ahead
  }

  private func isOver(_ row: Row) -> Bool { row.number(.end) <= context.now.seconds }

  /// A quote would end the phrase; a space separates words just as well.
  private static func spaced(_ text: String) -> String {
    text.map { $0 == "\"" ? " " : String($0) }.joined()
  }

  /// Returns lines for the first ten with their times, and with their calendars if these differ.
  ///
  /// - Parameter name: Returns the part of a reference that is printed.
  func list(
    titled rows: [Row], name: (EventReference) -> String = \.seriesText
  ) throws(CommandError) -> [String] {
    let names = try context.calendarNames()
    let isOneCalendar = Set(rows.map { $0.text(.calendar) }).count == 1
    let shared = rows.sharedUIDs
    var lines: [String] = []
    for row in rows.prefix(EventLookup.mostListed) {
      let name = name(EventReference(row, withCalendar: shared.contains(row.text(.uid))))
      let calendar = row.text(.calendar)
      lines.append(
        Output.title(row.text(.summary)).with(text: try context.output.when(row))
          .with(remark: isOneCalendar ? "" : names[calendar] ?? calendar) + "  \(name)")
    }
    return lines.withRest(of: rows.count)
  }
}
