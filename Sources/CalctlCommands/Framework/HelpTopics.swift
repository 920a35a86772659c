import Platform

/// Topics that several commands share, for the help and the manual.
enum HelpTopics {
  /// A topic: a title of one or two words, and a paragraph.
  struct Topic: Equatable, Sendable {
    let title: String
    let text: String
  }

  static let all = [times, durations, reminders, repeats, ids, json]

  static let times = Topic(
    title: localized("Times"),
    text: localized(
      """
      Examples: {examples}. For add and edit, "in 2h" is rounded up to the whole minute. A time \
      without a day is today; for --start of add it is the next such time, today or tomorrow. An \
      hour alone, such as "at 3" or "9 o'clock", is in the afternoon if it is 1 to 6; 7 is refused, \
      since it could be in the morning or in the evening. Times are in the time zone of \
      --time-zone, of the calendar, or else in yours. Put a text with spaces in quotes. Where days \
      are only looked at, there are also {lookedAt}; a week or a \
      month as --from or --to is its first day.
      """,
      [
        "examples": """
        2026-11-21, 2026-11-21 14:00, today, tomorrow 14:00, day after tomorrow, fri 9:30, \
        mon next week, 30 Nov, last friday of december, 21.11.2026, +3d, in 2h, now, noon, \
        half past nine
        """,
        "lookedAt": """
        yesterday, -7d, last fri, next week, last week, week -1, week 50, 2026-W50, \
        this month, december, month +2, weekend
        """,
      ]))

  static let durations = Topic(
    title: localized("Durations"),
    text: localized("Examples: {examples}.", ["examples": "15m, 1h30m, 2d, 1w, PT45M"]))

  static let reminders = Topic(
    title: localized("Reminders"),
    text: localized(
      """
      15m or 1d: this long before the start. -5m: after the start. 9:00 or "half past nine": at \
      this time on the day. "1d 18:00": at this time on the day before. "2026-11-21 14:00": at \
      this time. end, end-5m, end+5m: at, before or after the end. none: no reminder. Give several \
      with one option each or with commas: 15m,5m. Times are on this computer's clock, whatever \
      the time zone of the event. A timed event stores its reminders as durations before its start, \
      and they move with it; in a series such a reminder is an hour off after a clock change. An \
      all-day event begins at midnight, so 9h is 15:00 on the day before; 2d is two days before, at \
      the time of the first default reminder of its calendar for all-day events, or at 9:00. An \
      event without reminders of its own has the defaults of its calendar: show lists them, and \
      calctl calendars edit changes them.
      """))

  static let repeats = Topic(
    title: localized("Repeating"),
    text: localized(
      """
      {words}, days of the week such as {days}, a phrase such as {phrase}, or a recurrence rule of \
      RFC 5545 such as {rule}.
      """,
      [
        "words": localizedList(RepeatWord.allCases.map(\.rawValue)), "days": "mon,wed",
        "phrase": "\"every 2 weeks until 31 Jan\"",
        "rule": "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=10",
      ]))

  static let ids = Topic(
    title: localized("IDs"),
    text: localizedSentences([
      localized(
        """
        Each event has an ID. add and quick print it; today, week, agenda, next, find and conflicts \
        print it with --ids, and todos --ids prints the IDs of to-dos. In scripts use whole IDs.
        """),
      localized(
        """
        Every command that takes an ID also takes its beginning (three characters or more), the \
        title, a part of the title from the beginning of a word on, next (the current or the next \
        event), last (what you added or changed last and still exists; done and todo edit take the \
        last open to-do), and the number in the last list of today, week, agenda, next, find or \
        todos on a terminal. An ID precedes a beginning, then follow titles and then parts of titles; events \
        precede to-dos, and those to come precede those that are over. If several match, you choose \
        one on a terminal; otherwise they are listed, and the exit code is 3. Commands that change \
        or remove an event, of whose title you wrote only a part, or that you named by its title \
        and that is over, show it first and ask; without a terminal they end with exit code 3 \
        unless with --yes.
        """),
      localized(
        """
        ID/OCCURRENCE, such as standup@example.org/20261123T083000Z, is one occurrence of a \
        series. So is ID/DAY or TITLE@DAY, such as "Team standup@fri" or \
        "Team standup@2026-11-23", with a day in the time zone of the event. The ID or the title \
        alone is the whole series. If two calendars have an event with the same ID, write \
        CALENDAR/ID, with the ID or the name of the calendar. why also takes the title of a \
        removed event; snooze and dismiss take the title, or a part of it, of an event with \
        due or snoozed reminders; restore that of a removed event, and TITLE@DAY for an occurrence.
        """),
    ]))

  static let json = Topic(
    title: localized("JSON"),
    text: localized(
      """
      --json prints events as an array of objects with the keys of the session bus, which \
      org.datebook.Calendar1(5) explains: {keys} and more. Keys are lower-case words with hyphens; \
      times are seconds since 1970 in UTC; a key that says nothing is left out. New keys may \
      come, and none changes its meaning. An empty list is [].
      """,
      [
        "keys": """
        uid, recurrence-id, calendar, summary, location, start, end, start-text, end-text, all-day, \
        status, busy
        """
      ]))
}
