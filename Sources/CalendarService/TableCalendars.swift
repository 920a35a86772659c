import CalendarModel

/// Where the rows of a table go: into the calendar that the column "calendar" names, by its
/// id or its name, unless the caller asked for one.
struct TableCalendars {
  /// Where all goes that names no calendar.
  let usual: CalendarID
  /// Whether the caller asked for it: then all goes there.
  var isGiven = true
  var calendars: [CalendarInfo] = []

  /// What a cell comes to.
  enum Place: Equatable {
    case calendar(CalendarID)
    /// What it names does not count: all goes where the caller asked for.
    case passedBy
    /// Nothing is called so, or several are.
    case unknown
    case readOnly(CalendarID)
  }

  /// - Parameter text: the cell; "" names none.
  func place(of text: String) -> Place {
    if text.isEmpty { return .calendar(usual) }
    let word = text.lowercased()
    let named =
      calendars.filter { $0.id.text == text }.prefix(1) + calendars.filter { $0.name == text }
      + calendars.filter { $0.name.lowercased() == word || $0.id.text.lowercased() == word }
    let isExact = named.first.map { $0.id.text == text } ?? false
    // Two calendars may have one name, of which nobody knows which is meant.
    let isClear = isExact || Set(named.filter { $0.name == named.first?.name }.map(\.id)).count == 1
    guard let found = named.first, isClear else { return isGiven ? .passedBy : .unknown }
    if found.id == usual { return .calendar(usual) }
    if isGiven { return .passedBy }
    return found.isReadOnly ? .readOnly(found.id) : .calendar(found.id)
  }
}
