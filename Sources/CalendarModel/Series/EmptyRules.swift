package import CivilTime
package import Recurrence

extension Event {
  /// Returns those of its rules that have no occurrence by themselves: they end before the
  /// start, or name days that there are not.
  ///
  /// - Throws: ``CivilTimeError`` for a zone that is not installed.
  package func idleRules(context: ZoneContext) throws(CivilTimeError) -> [RecurrenceRule] {
    guard !recurrence.rules.isEmpty else { return [] }
    // A single rule has the start, whether or not it matches that; of several each has what it
    // matches alone.
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
