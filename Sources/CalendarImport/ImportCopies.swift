package import CalendarModel
import ICalendar

/// Gives series new UIDs for copies; overrides keep their series, and RELATED-TO is updated.
package struct ImportCopies {
  private var renamed: [String: String] = [:]

  package init() {}

  /// Assigns new UIDs; call it with all series before copying the first.
  ///
  /// - Parameter newUID: returns a UID that nothing else has.
  package mutating func take(_ series: [EventSeries], newUID: () -> String) {
    for one in series where renamed[one.uid.text] == nil { renamed[one.uid.text] = newUID() }
  }

  /// Returns the new UID of a series, or the same if it has none.
  package func uid(of uid: EventUID) -> EventUID { renamed[uid.text].map { EventUID($0) } ?? uid }

  /// Returns a copy of a series under its new UID.
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
