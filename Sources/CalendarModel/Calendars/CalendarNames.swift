/// Finds the calendar that a text names, in tables and in the properties of a VCALENDAR.
///
/// An exact id or name is preferred; otherwise case is ignored. Several calendars may share a name.
package struct CalendarNames: Sendable {
  private var byID: [String: CalendarInfo] = [:]
  private var byName: [String: [CalendarInfo]] = [:]
  /// By name in lower case; then by id or name in lower case.
  private var bySmallName: [String: [CalendarInfo]] = [:]
  private var bySmallWord: [String: [CalendarInfo]] = [:]

  package init(_ calendars: [CalendarInfo]) {
    for calendar in calendars {
      let (id, name) = (calendar.id.text.lowercased(), calendar.name.lowercased())
      byID[calendar.id.text] = calendar
      byName[calendar.name, default: []].append(calendar)
      bySmallName[name, default: []].append(calendar)
      for word in Set([id, name]) { bySmallWord[word, default: []].append(calendar) }
    }
  }

  /// The result of a lookup.
  package enum Match: Equatable {
    case one(CalendarInfo)
    /// No calendar has the name.
    case none
    /// This many calendars have the name.
    case several(Int)

    package var calendar: CalendarInfo? {
      if case .one(let calendar) = self { calendar } else { nil }
    }
  }

  /// Returns the calendar with exactly this id.
  package func calendar(id: String) -> CalendarInfo? { byID[id] }

  /// Looks up a calendar by its name.
  package func named(_ name: String) -> Match {
    only(exact: byName[name], near: bySmallName[name.lowercased()])
  }

  /// Looks up a calendar by its id or, failing that, its name.
  package func called(_ text: String) -> Match {
    if let exact = byID[text] { return .one(exact) }
    return only(exact: byName[text], near: bySmallWord[text.lowercased()])
  }

  private func only(exact: [CalendarInfo]?, near: [CalendarInfo]?) -> Match {
    let (exact, near) = (exact ?? [], near ?? [])
    if exact.count == 1 { return .one(exact[0]) }
    if near.count == 1 { return .one(near[0]) }
    return near.isEmpty ? .none : .several(max(exact.count, near.count))
  }
}
