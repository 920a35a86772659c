import CalendarBus
import Platform
import Widgets

/// How far sources are, in the line that a terminal shows until they are synchronised.
enum SourceProgress {
  /// So that the line has room on a terminal of 80 columns.
  private static let nameCharacters = 30

  /// "Nextcloud: Work, 120 of 900".
  ///
  /// - Parameter name: of the source.
  static func line(_ progress: CalendarClient<CommandError>.SyncProgress, of name: String) -> String
  {
    let source = short(name.isEmpty ? progress.source : name)
    guard !progress.calendar.isEmpty else {
      return localized("{source}: looking for changes", ["source": source])
    }
    let calendar = short(progress.calendar)
    guard progress.total > 0 else {
      return localized("{source}: {calendar}", ["source": source, "calendar": calendar])
    }
    return localized(
      "{source}: {calendar}, {number} of {count}",
      [
        "source": source, "calendar": calendar, "number": Int(progress.done),
        "count": Int(progress.total),
      ])
  }

  private static func short(_ name: String) -> String {
    shortened(displayLine(name), toCharacters: nameCharacters)
  }
}

extension CommandContext {
  /// Synchronises a source, or all for "", and shows on a terminal how far it is.
  ///
  /// - Returns: the counts of SyncNow.
  func synchronise(_ id: String) throws(CommandError) -> [(name: String, count: Int64)] {
    let client = try client()
    guard showsProgress else { return try client.synchronise(id) }
    let names = Dictionary(
      try client.sources().map { ($0.text(.id), $0.text(.name)) }, uniquingKeysWith: { $1 })
    defer { writeError(Progress.clear) }
    return try client.synchronise(id) { [writeError] progress in
      writeError(
        Progress.clear + SourceProgress.line(progress, of: names[progress.source] ?? ""))
    }
  }
}
