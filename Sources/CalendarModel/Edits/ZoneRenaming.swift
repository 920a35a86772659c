extension EventSeries {
  /// Returns the series with other names for its zones; the components' texts are not changed.
  ///
  /// All are renamed at once, so that two names can be swapped.
  ///
  /// - Parameter names: The new names by the old ones.
  package func renamingZones(_ names: [String: String]) -> EventSeries {
    EventSeries(
      calendar: calendar, master: master?.renamingZones(names),
      overrides: overrides.map { $0.renamingZones(names) })
  }
}

extension Event {
  fileprivate func renamingZones(_ names: [String: String]) -> Event {
    func renamed(_ time: EventTime) -> EventTime {
      guard case .zoned(let reading, let old) = time, let new = names[old] else { return time }
      return .zoned(reading, zone: new)
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
