import CalendarModel

extension EventSeries {
  /// This series with no more of its events than lists of occurrences show and are sifted by.
  ///
  /// What is kept of a month of thousands is kept for long, and the text of a component alone is as
  /// large as all that is shown of it.
  var brief: EventSeries {
    EventSeries(
      calendar: calendar, master: master?.brief, overrides: overrides.map(\.brief),
      countedEnds: countedEnds, revision: revision)
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
