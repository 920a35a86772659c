import CalendarBus
import CalendarStore
import DBus

/// What a run did.
struct SourceTally: Equatable {
  var added = 0
  var updated = 0
  var removed = 0
  /// Changes that were made here and are there now, too.
  var sent = 0
  /// Events that both sides had changed in ways that cannot both be.
  var conflicts = 0
  /// Items that could not be read here, or that the source refused.
  var failed = 0
  /// What the last of these is; empty if there is none.
  var trouble = ""

  /// Notes something that failed.
  mutating func fail(_ reason: String) {
    failed += 1
    trouble = reason
  }

  mutating func note(_ changes: ChangeSet) {
    added += changes.added
    updated += changes.updated
    removed += changes.removed
  }

  mutating func add(_ other: SourceTally) {
    added += other.added
    updated += other.updated
    removed += other.removed
    sent += other.sent
    conflicts += other.conflicts
    failed += other.failed
    if !other.trouble.isEmpty { trouble = other.trouble }
  }

  /// As counts of the contract, a{su}.
  var value: Value {
    let counts = [
      ("added", added), ("updated", updated), ("removed", removed), ("sent", sent),
      ("conflicts", conflicts), ("failed", failed),
    ]
    return .dictionary(
      key: "s", value: "u",
      counts.map {
        Value.DictionaryEntry(key: .string($0.0), value: .uint32(UInt32(clamping: $0.1)))
      })
  }
}
