// The first file of ICalendar.
