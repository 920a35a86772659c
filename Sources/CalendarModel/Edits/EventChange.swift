import CivilTime
package import Recurrence

/// The new values of the fields that an edit changes; a field that is nil stays as it is.
///
/// The zone and whether the event lasts days are part of ``start``; ``clock``
/// changes them alone.
package struct EventChange: Sendable {
  /// Whose clock an event is on.
  package enum Clock: Hashable, Sendable {
    /// Whole days.
    case days
    /// Whatever clock hangs on the wall.
    case floating
    /// The clock of a zone, by its IANA name.
    case zone(String)
  }

  package var summary: String?
  package var location: String?
  package var description: String?
  package var url: String?
  package var status: Event.Status?
  package var isBusy: Bool?
  package var classification: Event.Classification?
  /// `.some(nil)` takes the event's own colour away.
  package var color: EventColor??
  package var categories: [String]?
  /// `.some(nil)` takes the organizer away.
  package var organizer: Attendee??
  package var attendees: [Attendee]?
  package var alarms: [Alarm]?

  /// The start of the occurrence that is edited, or of the first one where none is
  /// named. Without ``end`` the event keeps its length.
  package var start: EventTime?
  /// Used where there is no ``start``: the same reading on another clock. An
  /// event of days begins at midnight then.
  package var clock: Clock?
  /// The end of the same occurrence, or its length.
  package var end: EventEnd?

  package var rules: [RecurrenceRule]?
  package var exclusionRules: [RecurrenceRule]?
  package var added: [AddedDate]?
  package var excluded: [EventTime]?

  /// A change of nothing.
  package init() {}

  /// Gives the event the fields that have nothing to do with time.
  func applyTexts(to event: inout Event) {
    if let summary { event.summary = summary }
    if let location { event.location = location }
    if let description { event.description = description }
    if let url { event.url = url }
    if let status { event.status = status }
    if let isBusy { event.isBusy = isBusy }
    if let classification { event.classification = classification }
    if let color { event.color = color }
    if let categories { event.categories = categories }
    if let organizer { event.organizer = organizer }
    if let attendees { event.attendees = attendees }
    if let alarms { event.alarms = alarms }
  }

  /// Gives the event its new start and end.
  func applyTimes(to event: inout Event, context: ZoneContext) throws(ModelError) {
    let old = event.start
    if let start = newStart(from: old) {
      event.start = start
      event.end = try placed { () throws(CivilTimeError) in
        try event.end.moved(from: old, to: start, context: context)
      }
    }
    if let end { event.end = end }
    try event.checkOrder(context)
  }

  /// The start for an event that began at `old`; nil if it stays.
  func newStart(from old: EventTime) -> EventTime? {
    if let start { return start }
    switch clock {
    case nil: return nil
    case .days: return .date(old.reading.date)
    case .floating: return .floating(old.reading)
    case .zone("UTC"): return .utc(Timestamp(old.reading, offset: .utc))
    case .zone(let name): return .zoned(old.reading, zone: name)
    }
  }

  /// Whether it says of one occurrence when it begins or ends; another clock or length can be
  /// that of many.
  var placesOne: Bool {
    if start != nil { return true }
    if case .time? = end { return true }
    return false
  }

  /// Gives the pattern the rules and dates of the change.
  func applyPattern(to pattern: inout RecurrencePattern) {
    if let rules { pattern.rules = rules }
    if let exclusionRules { pattern.exclusionRules = exclusionRules }
    if let added { pattern.added = added }
    if let excluded { pattern.excluded = excluded }
  }

  /// Whether a pattern would be another one afterwards.
  func changes(_ pattern: RecurrencePattern) -> Bool {
    var changed = pattern
    applyPattern(to: &changed)
    return changed != pattern
  }
}

/// Does what can fail for a zone that is not installed.
func placed<Result>(
  _ body: () throws(CivilTimeError) -> Result
) throws(ModelError) -> Result {
  do throws(CivilTimeError) {
    return try body()
  } catch {
    throw .time(error)
  }
}
