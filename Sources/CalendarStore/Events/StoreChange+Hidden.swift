import CalendarModel

// The reminders of calendars that are hidden and shown.

extension StoreChange {
  /// Ends what is pending of a calendar that has been hidden, all in one statement.
  func hideReminders(of calendar: CalendarID) throws(StoreError) {
    beginReminders()
    for var reminder in try reminders.pending(in: calendar) {
      reminder.state = .closed(.calendarHidden)
      noteOver(reminder)
    }
    try reminders.hide(calendar, at: now, closer: closer)
  }

  /// Opens again what was pending when a calendar was hidden, as it is shown: a snooze
  /// that ends later goes on, the others count as told. What has become too old to be
  /// told meanwhile, or what its event would not raise any more, stays closed.
  func showReminders(of calendar: CalendarRows.Row) throws(StoreError) {
    for reminder in try reminders.hidden(in: calendar.info.id) {
      guard let row = try rows.find(reminder.key.uid, in: calendar.key) else { continue }
      let series = try rows.load(row)
      let outcome = self.outcome(of: reminder, series)
      if isWorthTelling(rescheduled(reminder, outcome)) { try reopen(reminder, outcome) }
    }
  }
}
