import CalendarBus
import Platform
import Widgets

/// The removal here of a calendar that belongs to a source.
struct SourceCalendarRemoval {
  /// The ID of the source.
  private let source: String
  /// The name of the calendar.
  private let calendar: String

  /// The kinds of sources that are one calendar each.
  private static let single: Set<String> = ["webcal", "radarr", "sonarr", "lidarr"]

  /// nil for a calendar of this computer alone.
  ///
  /// - Parameters:
  ///   - row: its row of Calendars.List.
  ///   - sources: the rows of Sync.List.
  /// - Throws: ``CommandError/system(_:)`` if it is the only calendar that its source has.
  init?(of row: Row, among sources: [Row]) throws(CommandError) {
    guard let found = sources.first(where: { $0.text(.id) == row.text(.source) }) else {
      return nil
    }
    source = found.text(.id)
    calendar = displayLine(row.text(.name))
    guard SourceCalendarRemoval.single.contains(found.text(.kind)) else { return }
    throw .system(
      localized(
        "{calendar} is the calendar of the source {source}; to remove both: {command}",
        [
          "calendar": calendar, "source": source, "command": "calctl sources rm \(source)",
        ]))
  }

  /// What is printed before, with the question at its end.
  var question: String {
    localized(
      """
      {calendar} is synchronised with {source}. If you remove it here, it stays at {source} and is \
      no longer synchronised.
      """, ["calendar": calendar, "source": source]) + "\n"
      + localized(
        "To choose the calendars of {source}: {command}",
        ["source": source, "command": "calctl sources edit \(source) --calendar NAME"]) + "\n"
      + localized(
        "To remove {source}: {command}",
        ["source": source, "command": "calctl sources rm \(source)"]) + "\n"
      + localized("Remove {calendar} here? [y/N] ", ["calendar": calendar])
  }

  /// What is printed after it.
  var message: String {
    localized(
      """
      Removed calendar {calendar} here. It stays at {source} and is no longer synchronised; undo \
      brings it back.
      """, ["calendar": calendar, "source": source])
  }
}

extension CommandContext {
  /// Reads a line of standard input: whether it is a yes.
  func isYes() throws(CommandError) -> Bool {
    try line()?.lowercased().hasPrefix("y") ?? false
  }
}
