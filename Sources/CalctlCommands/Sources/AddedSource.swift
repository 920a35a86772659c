import CalendarBus
import JSON
import Platform

/// What a source that was just added has brought.
enum AddedSource {
  /// "Added cloud: 3 calendars, 120 events and 1 to-do."
  ///
  /// - Parameters:
  ///   - source: its row of List; nil if there is none.
  ///   - calendars: the rows of Calendars.List.
  static func line(_ id: String, _ source: Row?, calendars: [Row]) -> String {
    guard let source else { return localized("Added {source}.", ["source": id]) }
    let own = Set(source.texts(.calendars))
    let rows = calendars.filter { own.contains($0.text(.id)) }
    return localized(
      "Added {source}: {calendars}, {contents}.",
      [
        "source": id,
        "calendars": localized(
          rows.count, one: "{count} calendar", other: "{count} calendars"),
        "contents": KindWords.text { key in rows.reduce(0) { $0 + $1.number(key) } },
      ])
  }
}

extension CommandContext {
  /// Synchronises a source that was just added, and prints what it has brought.
  ///
  /// - Parameters:
  ///   - json: what is printed for programs.
  ///   - synchronise: the first run.
  /// - Throws: why the first run failed; that the source is there all the same is printed then.
  func report(
    added id: String, _ json: JSONValue, asJSON: Bool,
    _ synchronise: () throws(CommandError) -> Void
  ) throws(CommandError) {
    if asJSON { try output.json(json) }
    do throws(CommandError) { try synchronise() } catch {
      writeError(
        localized("Added {source}, but it is not synchronised yet:", ["source": id]) + "\n")
      throw error
    }
    guard !asJSON else { return }
    let client = try client()
    let source = try client.sources().first { $0.text(.id) == id }
    let line = AddedSource.line(id, source, calendars: try client.calendars())
    try output.lines(
      [line] + SourceProblems.rows(among: source.map { [$0] } ?? []).map(SourceProblems.line))
  }
}
