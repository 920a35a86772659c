import CalendarModel

/// Where the rows of a table go: into the calendar that the column "calendar" names, by its
/// id or its name, unless the caller asked for one.
struct TableCalendars {
  /// Where all goes that names no calendar.
  let usual: CalendarID
  /// Whether the caller asked for it: then all goes there.
  private let isGiven: Bool
  private var byID: [String: CalendarInfo] = [:]
  private var byName: [String: [CalendarInfo]] = [:]
  /// By id and name in lower case.
  private var bySmall: [String: [CalendarInfo]] = [:]

  init(usual: CalendarID, isGiven: Bool = true, calendars: [CalendarInfo] = []) {
    self.usual = usual
    self.isGiven = isGiven
    for calendar in calendars {
      byID[calendar.id.text] = calendar
      byName[calendar.name, default: []].append(calendar)
      for word in Set([calendar.id.text.lowercased(), calendar.name.lowercased()]) {
        bySmall[word, default: []].append(calendar)
      }
    }
  }

  /// What a cell comes to.
  enum Place: Equatable {
    case calendar(CalendarID)
    /// What it names does not count: all goes where the caller asked for.
    case passedBy
    /// Nothing is called so.
    case unknown
    /// So many are called so.
    case ambiguous(Int)
    case readOnly(CalendarID)
  }

  /// - Parameter text: the cell; "" names none.
  func place(of text: String) -> Place {
    if text.isEmpty { return .calendar(usual) }
    guard let found = calendar(text) else {
      if isGiven { return .passedBy }
      let count = max(byName[text]?.count ?? 0, bySmall[text.lowercased()]?.count ?? 0)
      return count > 1 ? .ambiguous(count) : .unknown
    }
    if found.id == usual { return .calendar(usual) }
    if isGiven { return .passedBy }
    return found.isReadOnly ? .readOnly(found.id) : .calendar(found.id)
  }

  /// The one with exactly this id, else exactly this name, else that whose id or name it is but
  /// for the case; nil where that is none, or are several, of which nobody knows which is meant.
  private func calendar(_ text: String) -> CalendarInfo? {
    if let exact = byID[text] { return exact }
    if let exact = byName[text], exact.count == 1 { return exact[0] }
    guard let near = bySmall[text.lowercased()], near.count == 1 else { return nil }
    return near[0]
  }
}
