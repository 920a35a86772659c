/// A calendar with one event, in Berlin.
let lunchCalendar = """
  BEGIN:VCALENDAR\r
  VERSION:2.0\r
  PRODID:-//t//t//EN\r
  BEGIN:VEVENT\r
  UID:lunch\r
  DTSTART;TZID=Europe/Berlin:20300107T123000\r
  SUMMARY:Lunch\r
  END:VEVENT\r
  END:VCALENDAR\r

  """
