package import CivilTime

// The face of this target, for its users to build against until the engine is in place.

package struct RecurrenceRule: Hashable, Sendable {
  package var text: String
  package var count: Int?
  package var until: RecurrenceUntil?
  package init(text: some StringProtocol) throws(RecurrenceError) { self.text = String(text) }
}
package enum RecurrenceUntil: Hashable, Sendable {
  case date(CivilDate), local(CivilDateTime), instant(Timestamp)
}
package enum RecurrenceMoment: Hashable, Sendable {
  case date(CivilDate), local(CivilDateTime), instant(Timestamp)
}
package struct RecurrenceError: Error, Equatable, Sendable, CustomStringConvertible {
  package var part: String
  package var position: Int
  package var reason: String
  package var description: String { reason }
}
package struct RecurrenceInstance: Hashable, Sendable {
  package let reading: CivilDateTime
  package let instant: Timestamp
}
package struct RecurrenceSet: Sendable {
  package init(
    start: CivilDateTime, isAllDay: Bool, zone: ZoneRules, rules: [RecurrenceRule],
    exclusionRules: [RecurrenceRule] = [], added: [RecurrenceMoment] = [],
    excluded: [RecurrenceMoment] = []
  ) {}
  package var isBounded: Bool { true }
  package func lastInstance() -> RecurrenceInstance? { nil }
  package func forEachInstance(from: Timestamp, _ body: (RecurrenceInstance) -> Bool) {}
  package func instances(in span: TimeSpan, limit: Int = .max) -> [RecurrenceInstance] { [] }
  package func first(atOrAfter: Timestamp) -> RecurrenceInstance? { nil }
  package func last(before: Timestamp) -> RecurrenceInstance? { nil }
  package func contains(_ instant: Timestamp) -> Bool { false }
}
