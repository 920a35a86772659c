package import CalendarModel
package import Messages

/// Decides into which calendar a row is read: the one that it names, unless the caller chose one.
package struct TableCalendars: Sendable {
  /// The calendar for rows that name none.
  let usual: CalendarID
  /// Whether the caller chose it, for all rows.
  private let isGiven: Bool
  private let names: CalendarNames

  package init(usual: CalendarID, isGiven: Bool = true, calendars: [CalendarInfo] = []) {
    self.usual = usual
    self.isGiven = isGiven
    names = CalendarNames(calendars)
  }

  /// The warning about rows for a read-only calendar.
  package static func remark(onReadOnly calendar: CalendarInfo) -> UserText {
    UserText(
      "the calendar \"{name}\" ({id}) is read-only; choose another one",
      ["name": calendar.name, "id": calendar.id.text])
  }

  /// The result for a cell.
  enum Place: Equatable {
    case calendar(CalendarID)
    /// The name is ignored, since the caller chose a calendar.
    case passedBy
    /// No calendar has the name.
    case unknown
    /// This many calendars have the name.
    case ambiguous(Int)
    case readOnly(CalendarInfo)
  }

  /// - Parameter text: The cell; "" names none.
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
