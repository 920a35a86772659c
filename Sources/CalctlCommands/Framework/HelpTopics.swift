/// What holds for several commands, for the help and the manual alike.
enum HelpTopics {
  /// A topic: a title of one or two words, and a paragraph.
  struct Topic: Equatable, Sendable {
    let title: String
    let text: String
  }

  static let all = [moments, lengths, reminders, repeats, ids]

  static let moments = Topic(
    title: "Moments",
    text: """
      2026-11-21, 2026-11-21 14:00, today, tomorrow 14:00, day after tomorrow, fri 9:30, next mon, 30 Nov, \
      last friday of december, 21.11.2026, +3d, in 2h (for add and edit the next whole minute), now, noon, half past nine. A time alone is today's, but of --start of \
      add the next one, today or tomorrow. An hour alone, at 9 or 9 o'clock, is that of the working day from 8 to 12; from 1 to \
      7 it could be either half of the day, and is refused. They are read in the agent's time zone. A text with a space in it \
      needs quotes.
      """)

  static let lengths = Topic(title: "Lengths", text: "15m, 1h30m, 2d, 1w, PT45M.")

  static let reminders = Topic(
    title: "Reminders",
    text: """
      15m and 1d ring so long before the start, -5m after it, 9:00 at that time on the day, "1d 18:00" at \
      that time on the day before, "2026-11-21 14:00" at that moment, end when it ends, end-5m before and \
      end+5m after that; half past nine does as well; none is no reminder at all. The time is of this machine's clock, whatever \
      the zone of the event. A timed event keeps it as a length before its start, with which it moves; of one that repeats \
      it rings an hour off where the clock changes in between. Several stand in an option each or between commas: 15m,5m. An \
      all-day event begins at midnight: for it 9:00 is the plain way, while 9h is 15:00 on the day before. An \
      event without any rings by the defaults of its calendar, which show names and calctl calendars edit \
      changes.
      """)

  static let repeats = Topic(
    title: "Repeating",
    text: """
      \(RepeatWord.allCases.map(\.rawValue).joined(separator: ", ")), days of the week such as mon,wed, or \
      a recurrence rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=TU,TH;COUNT=10.
      """)

  static let ids = Topic(
    title: "IDs",
    text: """
      Each event has an ID, which add and quick print, and today, week, agenda, next, find and conflicts do with --ids. \
      todos --ids prints those of to-dos, for show, rm and move. \
      ID/OCCURRENCE, such as standup@example.org/20261123T083000Z, is one day of an event that \
      repeats; the ID alone is all of it. Where two calendars have an event of the same ID, \
      CALENDAR/ID says which, by the ID or the name of the calendar. \
      Where nothing is changed, as with show and why, the title of one event does as well, or that \
      of a to-do or a journal entry, and with why that of what was removed; snooze and dismiss take that of an event whose reminders wait.
      """)
}
