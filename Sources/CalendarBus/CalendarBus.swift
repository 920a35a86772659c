// The first file of CalendarBus.
