import CalendarModel
import CivilTime

/// What the batches of a long change have done to existing events, so far.
struct BatchSummary {
  private(set) var names: [SeriesName] = []
  private(set) var calendars: Set<CalendarID> = []
  /// A span that contains their occurrences, before and after.
  private(set) var span: TimeSpan?
  /// The size of their images in bytes.
  private(set) var octets: Int64 = 0

  mutating func add(_ part: ChangeSet, octets: Int64 = 0) {
    names += part.names
    calendars.formUnion(part.calendars)
    if let touched = part.span { span = span?.union(touched) ?? touched }
    self.octets += octets
  }

  /// Adds everything to a change set.
  func add(to changes: inout ChangeSet) {
    changes.names += names
    changes.updated += names.count
    changes.calendars.formUnion(calendars)
    if let span { changes.span = changes.span?.union(span) ?? span }
  }

  /// Returns a change set with everything, under the given revision.
  func changes(_ revision: UInt64, origin: ChangeOrigin) -> ChangeSet {
    var changes = ChangeSet(revision: revision, origin: origin)
    add(to: &changes)
    return changes
  }
}
