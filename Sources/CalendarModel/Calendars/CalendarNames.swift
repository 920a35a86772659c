/// Which calendar a text means: one rule for the cells of tables and for what a VCALENDAR says of
/// itself.
///
/// The one with exactly this id or name, else that of which it is the name but for the case.
/// Where several are called so, nobody knows which is meant.
package struct CalendarNames: Sendable {
  private var byID: [String: CalendarInfo] = [:]
  private var byName: [String: [CalendarInfo]] = [:]
  /// By name in lower case, and by id or name.
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

  /// What a text comes to.
  package enum Match: Equatable {
    case one(CalendarInfo)
    /// Nothing is called so.
    case none
    /// So many are called so.
    case several(Int)

    package var calendar: CalendarInfo? {
      if case .one(let calendar) = self { calendar } else { nil }
    }
  }

  /// Returns the calendar with exactly this id.
  package func calendar(id: String) -> CalendarInfo? { byID[id] }

  /// Returns the calendar with a name.
  package func named(_ name: String) -> Match {
    only(exact: byName[name], near: bySmallName[name.lowercased()])
  }

  /// Returns the calendar of which a text is the id, or else the name.
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
