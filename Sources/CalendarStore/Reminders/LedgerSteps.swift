import CalendarModel
import CivilTime

/// The history of a reminder.
///
/// Columns hold when it last reached each state. When it reaches a state again, the earlier time is
/// appended to `earlier`; so is the end of a reminder that was reopened:
///
///     due 1795250000 ;snoozed 1795250060 1795250660;closed 1795250100 calendar-hidden;
///
/// A step has the state, the instant, and the end of a snooze or the reason of a close. Only the
/// latest ``mostOctets`` are kept.
enum LedgerSteps {
  private static let mostOctets = 4000

  /// SQL for the step of a snoozed row.
  static let snoozed = "'snoozed ' || snoozed_at || ' ' || due || ';'"

  /// Returns SQL that appends steps to `earlier`.
  ///
  /// - Parameter steps: SQL for the text of the steps.
  static func adding(_ steps: String) -> String { "substr(earlier || \(steps), -\(mostOctets))" }

  /// Whether earlier steps may have been cut off.
  static func isCut(_ text: String) -> Bool { text.utf8.count >= mostOctets }

  /// Parses `earlier`; nil if the text is malformed.
  static func read(_ text: String) -> [LedgerEntry.Step]? {
    var steps: [LedgerEntry.Step] = []
    var pieces = text.utf8.split(separator: UInt8(ascii: ";"))[...]
    // The first step may be incomplete.
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

  /// Sorts steps by time; in one second a reminder first becomes due, then is delivered.
  ///
  /// The present state comes last.
  ///
  /// - Parameters:
  ///   - earlier: the result of ``read(_:)``.
  ///   - latest: when it last reached each state.
  ///   - state: the present state.
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
