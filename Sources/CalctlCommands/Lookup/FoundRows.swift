import CalendarBus
import CivilTime
import DBus
import Platform

/// The events of `calctl find`: those from today on by time, then the past ones, the last first.
struct FoundRows {
  let context: CommandContext
  let words: String
  /// How many at most.
  let limit: UInt32

  /// Returns the events, and "" for the end of them.
  ///
  /// - Parameter options: The options of Search, with the range if there is one.
  /// - Throws: Errors of the agent.
  func rows(_ options: Row) throws(CommandError) -> (rows: [Row], next: String) {
    let today = try context.zone().startOfDay(context.today())
    guard options[.from] == nil, options[.to] == nil else {
      let (rows, next) = try search(options)
      return (FoundRows.sorted(rows, today), next)
    }
    var (ahead, past) = (options, options)
    ahead.set(.from, "@\(today.seconds)")
    ahead.set(.order, "start")
    past.set(.to, "@\(today.seconds)")
    var (rows, next) = try firstByTime(ahead)
    let seen = Set(rows.map(FoundRows.name))
    // A series that goes on is found again.
    past.set(.limit, .uint32(min(limit + UInt32(rows.count), UInt32(Contract.maximumRows))))
    let found = try search(past)
    rows += found.rows.filter { !seen.contains(FoundRows.name($0)) }
    if next.isEmpty { next = rows.count > limit ? "more" : found.next }
    return (Array(FoundRows.sorted(rows, today).prefix(Int(limit))), next)
  }

  /// Returns the first by time; of too many to be sorted the best matches.
  private func firstByTime(_ options: Row) throws(CommandError) -> (rows: [Row], next: String) {
    do throws(CommandError) { return try search(options) } catch  where error.isTooMuch {
      var unsorted = options
      unsorted.set(.order, "relevance")
      return try search(unsorted)
    } catch {
      throw error
    }
  }

  private func search(_ options: Row) throws(CommandError) -> (rows: [Row], next: String) {
    try context.client().search(words, options: options)
  }

  private static func name(_ row: Row) -> [String] { [row.text(.calendar), row.text(.uid)] }

  /// Returns the events that end after an instant by their start, then the others backwards.
  static func sorted(_ rows: [Row], _ today: Timestamp) -> [Row] {
    func isAhead(_ row: Row) -> Bool {
      max(row.number(.end), row.number(.start) + 1) > today.seconds
    }
    let ahead = rows.filter(isAhead).enumerated().sorted {
      ($0.element.number(.start), $0.offset) < ($1.element.number(.start), $1.offset)
    }
    let past = rows.filter { !isAhead($0) }.enumerated().sorted {
      ($1.element.number(.start), $0.offset) < ($0.element.number(.start), $1.offset)
    }
    return (ahead + past).map(\.element)
  }
}
