import CivilTime
package import Recurrence

/// The new values of the fields that an edit changes; nil leaves a field as it is.
///
/// The zone and whether the event is all-day are part of ``start``; ``clock`` changes only those.
package struct EventChange: Sendable {
  /// The clock of an event.
  package enum Clock: Hashable, Sendable {
    /// No clock: an all-day event.
    case days
    /// Floating: the local clock wherever one is.
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
  /// `.some(nil)` removes the event's own colour.
  package var color: EventColor??
  package var categories: [String]?
  /// `.some(nil)` removes the organizer.
  package var organizer: Attendee??
  package var attendees: [Attendee]?
  package var alarms: [Alarm]?
  /// What only a to-do has; ignored for anything else.
  package var toDo: ToDo?
  /// When a to-do that does not recur is due; `.some(nil)` means never. Ignored for anything else.
  package var due: EventTime??

  /// The start of the edited occurrence, or of the first one if none is named.
  ///
  /// Without ``end``, the event keeps its duration.
  package var start: EventTime?
  /// The same reading on another clock, if there is no ``start``.
  ///
  /// An all-day event then begins at midnight.
  package var clock: Clock?
  /// The end or the duration of the same occurrence.
  package var end: EventEnd?

  package var rules: [RecurrenceRule]?
  package var exclusionRules: [RecurrenceRule]?
  package var added: [AddedDate]?
  package var excluded: [EventTime]?

  /// Creates a change of nothing.
  package init() {}

  /// Applies the fields that do not concern time.
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
    if let toDo, event.toDo != nil { event.kind = .toDo(toDo) }
    if let due, event.toDo != nil { event.setDue(due) }
  }

  /// Applies the new start and end.
  ///
  /// - Throws: ``ModelError`` for a zone that is not installed, or an end before the start.
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

  /// Returns the new start of an event that began at `old`; nil if it does not change.
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

  /// Whether the change sets a start or end that only one occurrence can have.
  ///
  /// A new clock or duration can apply to many.
  var placesOne: Bool {
    if start != nil { return true }
    if case .time? = end { return true }
    return false
  }

  /// Applies the rules and dates.
  func applyPattern(to pattern: inout RecurrencePattern) {
    if let rules { pattern.rules = rules }
    if let exclusionRules { pattern.exclusionRules = exclusionRules }
    if let added { pattern.added = added }
    if let excluded { pattern.excluded = excluded }
  }

  /// Whether the change would alter a pattern.
  func changes(_ pattern: RecurrencePattern) -> Bool {
    var changed = pattern
    applyPattern(to: &changed)
    return changed != pattern
  }
}

/// Runs `body` and rethrows its error as ``ModelError/time(_:)``.
func placed<Result>(
  _ body: () throws(CivilTimeError) -> Result
) throws(ModelError) -> Result {
  do throws(CivilTimeError) {
    return try body()
  } catch {
    throw .time(error)
  }
}

extension Event {
  /// Sets when a to-do is due: its only time, unless it has a start.
  fileprivate mutating func setDue(_ due: EventTime?) {
    if anchor == .start {
      end = due.map(EventEnd.time) ?? .none
    } else {
      (start, anchor) = due.map { ($0, .due) } ?? (Event.noStart, .none)
      // Nothing is left that they could be before.
      if due == nil { alarms.removeAll(where: \.isRelative) }
    }
  }
}
