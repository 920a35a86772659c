// The first file of CalendarService.
