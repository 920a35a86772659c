import CalendarModel
import Recurrence

extension EventSeries {
  /// This series with no more of its events than lists of occurrences show and are sifted by.
  ///
  /// What is kept of a month of thousands is kept for long, and the text of a component alone is as
  /// large as all that is shown of it.
  var brief: EventSeries {
    var rules = SharedRules()
    return brief(sharing: &rules)
  }

  /// The same of one among others that are kept.
  ///
  /// - Parameter rules: of the others.
  func brief(sharing rules: inout SharedRules) -> EventSeries {
    var master = master?.brief
    if let own = master?.recurrence.rules { master?.recurrence.rules = rules.one(of: own) }
    return EventSeries(
      calendar: calendar, master: master, overrides: overrides.map(\.brief),
      countedEnds: countedEnds, revision: revision)
  }
}

/// Rules that are equal, in one place: thousands of series recur each week.
struct SharedRules {
  private var known: Set<[RecurrenceRule]> = []

  /// Returns rules that are equal to these, and in memory already if there were such.
  mutating func one(of rules: [RecurrenceRule]) -> [RecurrenceRule] {
    rules.isEmpty ? rules : known.insert(rules).memberAfterInsert
  }
}

extension Event {
  /// It has the same ``joinURL``, and is declined by the same owners.
  fileprivate var brief: Event {
    var event = self
    event.conference = joinURL
    event.description = ""
    if !attendees.contains(where: { $0.participation == "declined" }) { event.attendees = [] }
    event.organizer = nil
    event.alarms = []
    event.component = ""
    return event
  }
}
