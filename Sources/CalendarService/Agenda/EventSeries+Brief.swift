import CalendarModel
import Recurrence

extension EventSeries {
  /// This series with only the properties that lists of occurrences show and filter by.
  ///
  /// It saves memory in the cache: the text of a component alone is as large as all these.
  var brief: EventSeries {
    var rules = SharedRules()
    return brief(sharing: &rules)
  }

  /// Returns the same as ``brief``, sharing recurrence rules with other series.
  ///
  /// - Parameter rules: the rules of the other series.
  func brief(sharing rules: inout SharedRules) -> EventSeries {
    var master = master?.brief
    if let own = master?.recurrence.rules { master?.recurrence.rules = rules.one(of: own) }
    return EventSeries(
      calendar: calendar, master: master, overrides: overrides.map(\.brief),
      countedEnds: countedEnds, revision: revision)
  }
}

/// Shares the memory of equal recurrence rules: thousands of series may recur each week.
struct SharedRules {
  private var known: Set<[RecurrenceRule]> = []

  /// Returns equal rules that are in memory already, or else these.
  mutating func one(of rules: [RecurrenceRule]) -> [RecurrenceRule] {
    rules.isEmpty ? rules : known.insert(rules).memberAfterInsert
  }
}

extension Event {
  /// A copy without the properties that lists do not need.
  ///
  /// ``joinURL``, ``release`` and declining stay the same.
  fileprivate var brief: Event {
    var event = self
    event.conference = joinURL
    event.description = ""
    if !attendees.contains(where: { $0.participation == "declined" }) { event.attendees = [] }
    event.organizer = nil
    event.alarms = []
    event.component = releaseText
    return event
  }
}
