// The first file of Reminders.
