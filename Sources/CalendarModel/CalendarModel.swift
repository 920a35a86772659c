// The first file of CalendarModel.
