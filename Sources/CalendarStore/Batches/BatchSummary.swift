import CalendarModel
import CivilTime

/// What the batches of a long change have done to existing events.
struct BatchSummary {
  private(set) var names: [SeriesName] = []
  private(set) var calendars: Set<CalendarID> = []
  /// Where their occurrences lie and lay.
  private(set) var span: TimeSpan?
  /// What the images take up that they keep.
  private(set) var octets: Int64 = 0

  mutating func add(_ part: ChangeSet, octets: Int64 = 0) {
    names += part.names
    calendars.formUnion(part.calendars)
    if let touched = part.span { span = span?.union(touched) ?? touched }
    self.octets += octets
  }

  /// Puts all of it into what a change does.
  func add(to changes: inout ChangeSet) {
    changes.names += names
    changes.updated += names.count
    changes.calendars.formUnion(calendars)
    if let span { changes.span = changes.span?.union(span) ?? span }
  }

  /// All of it, with the revision that tells of it.
  func changes(_ revision: UInt64, origin: ChangeOrigin) -> ChangeSet {
    var changes = ChangeSet(revision: revision, origin: origin)
    add(to: &changes)
    return changes
  }
}
