import CalendarModel

// Reminders of calendars that are hidden or shown.

extension StoreChange {
  /// Closes the pending reminders of a calendar that was hidden, in one statement.
  func hideReminders(of calendar: CalendarID) throws(StoreError) {
    beginReminders()
    for var reminder in try reminders.pending(in: calendar) {
      reminder.state = .closed(.calendarHidden)
      noteOver(reminder)
    }
    try reminders.hide(calendar, at: now, closer: closer)
  }

  /// Reopens the reminders that were pending when a calendar was hidden.
  ///
  /// A snooze that ends later continues; others count as delivered. Those that are too old, or that
  /// their events would no longer raise, stay closed.
  func showReminders(of calendar: CalendarRows.Row) throws(StoreError) {
    for reminder in try reminders.hidden(in: calendar.info.id) {
      guard let row = try rows.find(reminder.key.uid, in: calendar.key) else { continue }
      let series = try rows.load(row)
      let outcome = self.outcome(of: reminder, series)
      if isWorthTelling(rescheduled(reminder, outcome)) { try reopen(reminder, outcome) }
    }
  }
}
