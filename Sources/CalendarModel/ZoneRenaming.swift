extension EventSeries {
  /// Returns the series with another name for one of its zones; its components'
  /// texts are as they were.
  package func renamingZone(_ old: String, to new: String) -> EventSeries {
    EventSeries(
      calendar: calendar, master: master?.renamingZone(old, to: new),
      overrides: overrides.map { $0.renamingZone(old, to: new) })
  }
}

extension Event {
  fileprivate func renamingZone(_ old: String, to new: String) -> Event {
    func renamed(_ time: EventTime) -> EventTime {
      if case .zoned(let reading, old) = time { .zoned(reading, zone: new) } else { time }
    }
    func renamed(_ end: EventEnd) -> EventEnd {
      if case .time(let time) = end { .time(renamed(time)) } else { end }
    }
    var event = self
    event.start = renamed(start)
    event.end = renamed(end)
    event.recurrenceID = recurrenceID.map(renamed)
    event.recurrence.added = recurrence.added.map {
      AddedDate(start: renamed($0.start), end: renamed($0.end))
    }
    event.recurrence.excluded = recurrence.excluded.map(renamed)
    return event
  }
}
