package import CalendarModel

extension StoreChange {
  /// Moves a series to another calendar, with its reminders.
  ///
  /// Snoozed and delivered reminders keep their state, under new ids. A reminder that was dismissed
  /// before it was due does not fire in the new calendar either.
  /// - Throws: ``StoreError/unknownCalendar(_:)``, or another ``StoreError`` when writing fails.
  /// - Precondition: The other calendar has no series with that uid.
  package func move(_ series: EventSeries, to calendar: CalendarID) throws(StoreError) {
    try step { () throws(StoreError) in
      // Reminders of a hidden calendar wait until it is shown, or until the event leaves it.
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
