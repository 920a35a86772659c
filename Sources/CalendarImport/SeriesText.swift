package import CalendarModel
package import CivilTime
import ICalendar

extension EventSeries {
  /// Returns the series with rewritten text of each new or changed component.
  ///
  /// Properties, parameters and alarms that the model does not know are kept from the former text.
  ///
  /// - Parameter old: the series before the edit.
  package func written(over old: EventSeries, zones: any Zones) -> EventSeries {
    var writing = SeriesWriting(self, over: old, zones: zones)
    while writing.writeSome(.max) {}
    return writing.series
  }
}

/// Rewrites the text of a series in batches; see ``EventSeries/written(over:zones:)``.
package struct SeriesWriting {
  private let new: EventSeries
  private let before: [EventTime?: Event]
  private let zones: any Zones
  private var master: Event?
  private var overrides: [Event] = []

  package init(_ new: EventSeries, over old: EventSeries, zones: any Zones) {
    (self.new, self.zones) = (new, zones)
    before = Dictionary(
      old.components.map { ($0.recurrenceID, $0) }, uniquingKeysWith: { first, _ in first })
    master = new.master.map(written)
  }

  /// Rewrites some components; false once all are done.
  package mutating func writeSome(_ count: Int) -> Bool {
    overrides += new.overrides[overrides.count...].prefix(count).map(written)
    return overrides.count < new.overrides.count
  }

  /// The result, once all components are done.
  package var series: EventSeries {
    EventSeries(
      calendar: new.calendar, master: master, overrides: overrides, countedEnds: new.countedEnds)
  }

  private func written(_ event: Event) -> Event {
    if event == before[event.recurrenceID], !event.component.isEmpty { return event }
    var event = event
    event.component = writeComponent(event, zones: zones)
    return event.withAlarmsNamed(zones: zones)
  }
}

extension Event {
  /// Renews the ids of alarms without a UID, which depend on their position in the text.
  fileprivate func withAlarmsNamed(zones: any Zones) -> Event {
    guard !alarms.isEmpty else { return self }
    let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + component + "END:VCALENDAR\r\n"
    guard
      let reading = try? readCalendar(
        Array(text.utf8), calendar: CalendarID(""), zones: zones),
      let read = reading.series.first?.components.first, read.alarms.count == alarms.count
    else { return self }
    var event = self
    for (index, alarm) in read.alarms.enumerated() { event.alarms[index].id = alarm.id }
    return event
  }
}
