package import CivilTime
package import Recurrence

extension Event {
  /// Returns the rules that give no occurrence: they end too early or name impossible days.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func idleRules(context: ZoneContext) throws(CivilTimeError) -> [RecurrenceRule] {
    guard !recurrence.rules.isEmpty else { return [] }
    // A single rule includes the start even if it does not match. With several rules each has only
    // its matches, so a single rule is doubled.
    var event = self
    event.recurrence = RecurrencePattern(
      rules: recurrence.rules.count == 1 ? recurrence.rules + recurrence.rules : recurrence.rules)
    let set = try Placement(event, context: context)
      .recurrenceSet(context: context, countedEnds: [])
    return zip(recurrence.rules, set.reaches(at: .earliest)).compactMap { rule, reach in
      reach.first == nil ? rule : nil
    }
  }
}
