package import CalendarModel
import ICalendar

/// Gives series new UIDs: the changed occurrences of each stay with it, and RELATED-TO among
/// them says the new ones.
package struct ImportCopies {
  private var renamed: [String: String] = [:]

  package init() {}

  /// Takes in series that are to be copied; all of them, before the first is.
  ///
  /// - Parameter newUID: makes one that nothing else has.
  package mutating func take(_ series: [EventSeries], newUID: () -> String) {
    for one in series where renamed[one.uid.text] == nil { renamed[one.uid.text] = newUID() }
  }

  /// Returns the new UID of what was taken in.
  package func uid(of uid: EventUID) -> EventUID { renamed[uid.text].map { EventUID($0) } ?? uid }

  /// Returns a series that was taken in under its new UID.
  package func copy(of series: EventSeries) -> EventSeries {
    guard let uid = renamed[series.uid.text] else { return series }
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
