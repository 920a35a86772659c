import CalendarModel
import CivilTime

/// The steps of a reminder's life.
///
/// When it came into each state last is in a column of its own; when it came into a state
/// again, the time before is added to `earlier`, and so is each end after which it went on:
///
///     due 1795250000 ;snoozed 1795250060 1795250660;closed 1795250100 calendar-hidden;
///
/// That is the state, the instant, and what only that state has: when a snooze ends, or
/// why it was closed. The latest ``mostOctets`` are kept.
enum LedgerSteps {
  private static let mostOctets = 4000

  /// SQL for the step of a row that was put off.
  static let snoozed = "'snoozed ' || snoozed_at || ' ' || due || ';'"

  /// SQL for what a row has in `earlier` with more steps.
  ///
  /// - Parameter steps: SQL for their text.
  static func adding(_ steps: String) -> String { "substr(earlier || \(steps), -\(mostOctets))" }

  /// Whether there may have been others before the first of them.
  static func isCut(_ text: String) -> Bool { text.utf8.count >= mostOctets }

  /// Reads them; nil for text that was not written here.
  static func read(_ text: String) -> [LedgerEntry.Step]? {
    var steps: [LedgerEntry.Step] = []
    var pieces = text.utf8.split(separator: UInt8(ascii: ";"))[...]
    // The first one may be cut off.
    if isCut(text) { pieces = pieces.dropFirst() }
    for piece in pieces {
      let fields = piece.split(
        separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, let state = String(fields[0]), let text = String(fields[1]),
        let at = Int64(text), let rest = String(fields[2])
      else { return nil }
      steps.append(
        LedgerEntry.Step(
          state: state, at: Timestamp(seconds: at),
          due: state == "snoozed" ? Int64(rest).map(Timestamp.init(seconds:)) : nil,
          reason: state == "closed" ? rest : ""))
    }
    return steps
  }

  /// By their instants; those of one second as life goes: a reminder falls due, is told, and
  /// then the rest follows, up to the state that it is in.
  ///
  /// - Parameters:
  ///   - earlier: as ``read(_:)`` has them.
  ///   - latest: when it came into each state last.
  ///   - state: the one that it is in.
  static func inOrder(
    earlier: [LedgerEntry.Step], latest: [LedgerEntry.Step], state: String
  ) -> [LedgerEntry.Step] {
    var ordered: [LedgerEntry.Step] = []
    for instant in Set((earlier + latest).map(\.at)).sorted() {
      var steps = (earlier + latest.filter { $0.state != state }).filter { $0.at == instant }
      if let due = steps.firstIndex(where: { $0.state == "due" }) {
        ordered.append(steps.remove(at: due))
        if let told = steps.firstIndex(where: { $0.state == "delivered" }) {
          ordered.append(steps.remove(at: told))
        }
      }
      ordered += steps + latest.filter { $0.state == state && $0.at == instant }
    }
    return ordered
  }
}
