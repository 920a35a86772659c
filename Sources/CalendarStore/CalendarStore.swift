// The first file of CalendarStore.
