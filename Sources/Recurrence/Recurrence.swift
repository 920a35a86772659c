// The first file of Recurrence.
