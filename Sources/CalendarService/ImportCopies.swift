import CalendarModel
import ICalendar

extension [EventSeries] {
  /// Returns the series under new UIDs: the changed occurrences of each stay with it,
  /// and RELATED-TO among them says the new ones.
  ///
  /// - Parameter newUID: makes one that nothing else has.
  func copied(newUID: () -> String) -> [EventSeries] {
    var renamed: [String: String] = [:]
    for series in self { renamed[series.uid.text] = newUID() }
    return map { series in
      let uid = renamed[series.uid.text] ?? newUID()
      func copy(_ event: Event) -> Event {
        var event = event
        event.uid = EventUID(uid)
        event.component = renamedComponent(event.component, uid: uid, renamed: renamed)
        return event
      }
      return EventSeries(
        calendar: series.calendar, master: series.master.map(copy),
        overrides: series.overrides.map(copy))
    }
  }
}
