import CivilTime

extension Event {
  /// Takes each new value of the master if the override had the old value.
  mutating func inherit(from old: Event, to new: Event) {
    func take<Value: Equatable>(_ field: WritableKeyPath<Event, Value>) {
      if self[keyPath: field] == old[keyPath: field] { self[keyPath: field] = new[keyPath: field] }
    }
    take(\.summary)
    take(\.location)
    take(\.description)
    take(\.url)
    take(\.status)
    take(\.isBusy)
    take(\.classification)
    take(\.color)
    take(\.categories)
    take(\.organizer)
    take(\.attendees)
    // An absolute alarm fires once, for the series.
    if alarms == old.alarms.filter(\.isRelative) {
      alarms = new.alarms.filter(\.isRelative)
    } else {
      take(\.alarms)
    }
  }

  /// Moves an override with its series; ``recurrenceID`` has been changed already.
  ///
  /// It takes the new duration of the series if it had the old one.
  ///
  /// - Parameter id: The RECURRENCE-ID before the move.
  mutating func follow(
    _ move: SeriesMove, named id: EventTime, from old: Event, to new: Event,
    _ context: ZoneContext
  ) throws(ModelError) {
    guard let place = recurrenceID else { return }
    let before = self
    let hasLength = try placed { () throws(CivilTimeError) in
      try Placement.length(of: before.end, from: before.start, context: context)
        == Placement.length(of: old.end, from: old.start, context: context)
    }
    let ownInstant = try placed { () throws(CivilTimeError) in
      try before.start.instant(in: context)
    }
    if start.isDate == old.start.isDate, ownInstant == (try move.oldStart(of: id)) {
      self.start = place
    } else {
      self.start =
        appliesToFuture ? move.shifted(start) : try move.moved(start, from: id, to: place)
    }
    let start = self.start
    end = try placed { () throws(CivilTimeError) in
      hasLength
        ? try new.end.moved(from: new.start, to: start, context: context)
        : try before.end.moved(from: before.start, to: start, context: context)
    }
  }
}
