package import CalendarModel

extension StoreChange {
  /// Puts a series into another calendar, with its reminders: one that is snoozed stays so,
  /// and one that was delivered stays pending, each under the name that it has there. What was dismissed before it was due does not ring
  /// there either.
  ///
  /// - Throws: ``StoreError/unknownCalendar(_:)`` and what writing brings up.
  /// - Precondition: the other calendar has no series of that uid.
  package func move(_ series: EventSeries, to calendar: CalendarID) throws(StoreError) {
    try step { () throws(StoreError) in
      // Those of a hidden calendar wait for it to be shown, or for the event to leave it.
      let hidden = try reminders.hidden(of: series.uid, in: series.calendar)
      let pending = try reminders.pending(of: series.uid, in: series.calendar) + hidden
      let names = renamed(pending)
      let taken = try reminders.takenAhead(of: series.uid, in: series.calendar, after: now)
      let moved = EventSeries(
        calendar: calendar, master: series.master, overrides: series.overrides,
        countedEnds: series.countedEnds)
      _ = try remove(series.uid, from: series.calendar)
      try put(moved)
      try leave(hidden)
      try carry(pending, to: moved, names: names)
      for reminder in taken {
        _ = try reminders.insertNew(reminder.moved(to: calendar), at: now)
      }
    }
  }
}
