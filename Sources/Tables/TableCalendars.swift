package import CalendarModel
package import Messages

/// Where the rows of a table go: into the calendar that the column "calendar" names, by its
/// id or its name, unless the caller asked for one.
package struct TableCalendars: Sendable {
  /// Where all goes that names no calendar.
  let usual: CalendarID
  /// Whether the caller asked for it: then all goes there.
  private let isGiven: Bool
  private let names: CalendarNames

  package init(usual: CalendarID, isGiven: Bool = true, calendars: [CalendarInfo] = []) {
    self.usual = usual
    self.isGiven = isGiven
    names = CalendarNames(calendars)
  }

  /// What an import tells of what would go into a calendar that takes no events.
  package static func remark(onReadOnly calendar: CalendarInfo) -> UserText {
    UserText(
      "the calendar \"{name}\" ({id}) is read-only; choose another one",
      ["name": calendar.name, "id": calendar.id.text])
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
    case readOnly(CalendarInfo)
  }

  /// - Parameter text: the cell; "" names none.
  func place(of text: String) -> Place {
    if text.isEmpty { return .calendar(usual) }
    let match = names.called(text)
    if match.calendar?.id == usual { return .calendar(usual) }
    if isGiven { return .passedBy }
    return switch match {
    case .one(let found): found.isReadOnly ? .readOnly(found) : .calendar(found.id)
    case .none: .unknown
    case .several(let count): .ambiguous(count)
    }
  }
}
