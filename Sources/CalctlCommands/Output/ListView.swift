import CalendarBus
import CalendarModel
import Platform
import Widgets

/// What a list shows besides times and titles.
struct ListView {
  /// A calendar as lists show it.
  struct Calendar {
    /// Cut to the columns of a list.
    let name: String
    let wholeName: String
    let color: EventColor?
  }

  /// The calendars by their IDs.
  private var calendars: [String: Calendar] = [:]
  /// Whether each row names its calendar, because there are several.
  private(set) var namesCalendars = false
  /// The columns of the calendars' names.
  private(set) var nameColumns = 0
  /// Whether the ID of each follows on its own line.
  var showsIDs = false
  /// Rows that are not in the list, but may be in conflict with those.
  var unlisted: [Row] = []

  /// The most columns of a calendar's name.
  private static let mostColumns = 16

  init(showsIDs: Bool = false) { self.showsIDs = showsIDs }

  /// - Parameters:
  ///   - rows: The rows of Calendars.List.
  ///   - chosen: The IDs of the calendars of the list; none means all that are visible.
  init(calendars rows: [Row], chosen: [String], showsIDs: Bool = false) {
    self.showsIDs = showsIDs
    for row in rows {
      let written = displayLine(row.text(.name))
      let name = written.isEmpty ? row.text(.id) : written
      calendars[row.text(.id)] = Calendar(
        name: shortened(name, toColumns: ListView.mostColumns), wholeName: name,
        color: EventColor(text: row.text(.color)))
    }
    let listed = rows.filter {
      chosen.isEmpty ? $0.flag(.visible) : chosen.contains($0.text(.id))
    }.map { $0.text(.id) }
    namesCalendars = Set(listed).count > 1
    if namesCalendars { nameColumns = listed.map { name(of: $0).columns }.max() ?? 0 }
  }

  /// Returns the name of a calendar, cut for a list; its ID if it does not exist any more.
  func name(of id: String) -> String { calendars[id]?.name ?? displayLine(id) }

  /// Returns the name of a calendar as it is; its ID if it does not exist any more.
  func wholeName(of id: String) -> String { calendars[id]?.wholeName ?? displayLine(id) }

  /// Returns the color of a calendar.
  func color(of id: String) -> EventColor? { calendars[id]?.color }

  /// The columns of the mark and the name, with the spaces after each.
  func columns(wantsColor: Bool) -> Int {
    namesCalendars ? (nameColumns > 0 ? nameColumns + 2 : 0) + (wantsColor ? 2 : 0) : 0
  }

  /// Returns a view without the names of calendars if they leave too little room for titles.
  ///
  /// - Parameter columns: Those of the line after its times; nil for any number.
  func fitting(_ columns: Int?, wantsColor: Bool) -> ListView {
    guard let columns, columns - self.columns(wantsColor: wantsColor) < LineRoom.leastTitle else {
      return self
    }
    var view = self
    view.nameColumns = 0
    return view
  }
}
