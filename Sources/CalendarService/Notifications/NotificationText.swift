import CalendarModel
import CivilTime
import Platform
import Widgets

/// The text of a notification: a plain summary, and a body that may be markup.
struct NotificationText: Equatable {
  let summary: String
  let body: String
  /// When the text is out of date; nil for never.
  let changesAt: Timestamp?
  /// What its reminders are about; if they differ, the first one in the order of the cases.
  let subject: ReminderSubject
  /// Whether all events that it is about have begun: no snooze until the start.
  private(set) var hasStarted = false

  /// Makes the text for one reminder.
  ///
  /// - Parameters:
  ///   - markup: whether the server reads markup in bodies ("body-markup"); otherwise the body is
  ///     plain. The summary is never markup.
  ///
  /// Source: Desktop Notifications Specification 1.2, "Markup".
  init(
    _ reminder: Reminder, subject: ReminderSubject = .event, now: Timestamp, zone: ZoneRules,
    markup: Bool
  ) {
    self.subject = subject
    hasStarted = reminder.span.start <= now
    summary = NotificationText.title(reminder, subject)
    func moment(at instant: Timestamp) -> String {
      switch subject {
      case .event: NotificationText.moment(of: reminder, now: instant, zone: zone)
      case .toDo, .startingToDo:
        NotificationText.moment(ofToDo: reminder, subject, now: instant, zone: zone)
      case .undatedToDo: localized("To-do")
      }
    }
    var parts = [moment(at: now)]
    if reminder.isMissed, now.seconds - reminder.due.seconds >= NotificationText.secondsOfLate {
      let (due, today) = (zone.reading(at: reminder.due), zone.reading(at: now).date)
      let time = NotificationText.time(due, today: today)
      // A to-do without a due date was never due itself.
      let isDue = subject != .undatedToDo && subject != .startingToDo
      parts.append(
        isDue
          ? localized("was due {time}", ["time": time])
          : localized("was set for {time}", ["time": time]))
    }
    let place = displayLine(reminder.location)
    if !place.isEmpty { parts.append(place) }
    let text = parts.joined(separator: " · ")
    body = markup ? escapedForMarkup(text) : text
    changesAt = NotificationText.instants(of: reminder, after: now, zone: zone)
      .first { moment(at: $0) != moment(at: now) }
  }

  /// Makes the text for many reminders that came at once, a line for each, sorted by the start of the event.
  ///
  /// Of very many, it names those whose events are not over, and the latest of the others.
  ///
  /// - Parameters:
  ///   - earlier: the reminders that were shown before and are still pending; they are not counted.
  ///   - tooOld: how many more are only in the ledger, as missed.
  ///   - waitedForServer: whether there was no notification server when they were due.
  ///   - subject: returns what a reminder is about; called rarely, since it may need a query.
  init(
    digest reminders: [Reminder], earlier: [Reminder] = [], tooOld: Int,
    waitedForServer: Bool = false, now: Timestamp, zone: ZoneRules, markup: Bool,
    subject: (Reminder) -> ReminderSubject = { _ in .event }
  ) {
    // If nothing is new, all of them are earlier ones.
    let hasNew = !reminders.isEmpty || tooOld > 0
    let (fresh, waiting) = hasNew ? (reminders, earlier) : (earlier, [])
    hasStarted =
      !fresh.contains { $0.span.start > now } && !waiting.contains { $0.span.start > now }
    let count = fresh.count + tooOld
    let isLate =
      hasNew
      && (tooOld > 0
        || fresh.contains {
          $0.isMissed
            || waitedForServer && now.seconds - $0.due.seconds >= NotificationText.secondsOfLate
        })
    summary =
      isLate
      ? localized(
        count, one: "{count} reminder while you were away",
        other: "{count} reminders while you were away")
      : localized(count, one: "{count} reminder", other: "{count} reminders")
    let named = NotificationText.named(of: fresh, at: now, subject).map { ($0, subject($0)) }
    func namedLines(at instant: Timestamp) -> [String] {
      named.map { NotificationText.line(of: $0, $1, now: instant, zone: zone) }
    }
    var lines = namedLines(at: now)
    changesAt = named.flatMap { NotificationText.instants(ofLine: $0.0, after: now, zone: zone) }
      .sorted().first { namedLines(at: $0) != lines }
    let rest = fresh.count - lines.count
    if rest > 0 {
      lines.append(localized(rest, one: "and {count} more", other: "and {count} more"))
    }
    if !waiting.isEmpty {
      let titles = waiting.prefix(NotificationText.mostWaiting).map {
        NotificationText.title($0, subject($0))
      }
      let list = localizedList(titles)
      let more = waiting.count - titles.count
      lines.append(
        more > 0
          ? localized("still pending: {titles} and {count} more", ["titles": list, "count": more])
          : localized("still pending: {titles}", ["titles": list]))
    }
    // Their events may be in the future: a calendar may be set to show no late reminders.
    if tooOld > 0 {
      lines.append(
        localized(
          tooOld, one: "{count} is too old to be shown (calctl reminders --missed)",
          other: "{count} are too old to be shown (calctl reminders --missed)"))
    }
    let text = lines.joined(separator: "\n")
    body = markup ? escapedForMarkup(text) : text
    self.subject = NotificationText.common(of: [reminders, earlier].joined(), subject)
  }

  /// Returns the first subject of some reminders, in the order of the cases.
  private static func common(
    of reminders: some Sequence<Reminder>, _ subject: (Reminder) -> ReminderSubject
  ) -> ReminderSubject {
    var subjects: Set<ReminderSubject> = []
    for reminder in reminders {
      let subject = subject(reminder)
      // It is the first case, so the others do not matter.
      if subject == .event { return .event }
      subjects.insert(subject)
    }
    if subjects.isEmpty { return .event }
    return [.toDo, .startingToDo].first(where: subjects.contains) ?? .undatedToDo
  }

  /// A reminder is late after this many seconds.
  private static let secondsOfLate: Int64 = 60
  private static let mostLines = 8
  /// How many titles of earlier reminders are named.
  private static let mostWaiting = 3

  private static func title(_ reminder: Reminder, _ subject: ReminderSubject) -> String {
    let title = displayLine(reminder.summary)
    if !title.isEmpty { return title }
    return subject.isToDo ? localized("To-do") : localized("Event")
  }

  /// Returns when an event is over; without a duration, as soon as it is no longer "now".
  private static func end(of reminder: Reminder) -> Timestamp {
    let (start, end) = (reminder.span.start, reminder.span.end)
    return end > start ? end : start.adding(seconds: Nearness.secondsOfNow)
  }

  private static func isOver(_ reminder: Reminder, at now: Timestamp) -> Bool {
    end(of: reminder) <= now
  }

  /// Returns the reminders with a line in a digest, by the start of their events.
  private static func named(
    of fresh: [Reminder], at now: Timestamp, _ subject: (Reminder) -> ReminderSubject
  ) -> [Reminder] {
    var ahead: [Reminder] = []
    var past: [Reminder] = []
    for reminder in fresh where ahead.count < mostLines {
      if isOver(reminder, at: now), !subject(reminder).isToDo {
        past.append(reminder)
      } else {
        ahead.append(reminder)
      }
    }
    return (ahead + past.suffix(mostLines - ahead.count))
      .sorted { ($0.span.start, $0.summary) < ($1.span.start, $1.summary) }
  }

  /// Returns a line of a digest, which begins with the time of the event.
  ///
  ///     events   "09:00  Standup", "09:00  Standup (now)", "all day  Rent",
  ///              "yesterday 19:00  Dinner (over)"
  ///     to-dos   "09:00  Tax return (due)", "09:00  Paint (starts)", "Read a book"
  private static func line(
    of reminder: Reminder, _ subject: ReminderSubject, now: Timestamp, zone: ZoneRules
  ) -> String {
    let today = zone.reading(at: now).date
    let name = title(reminder, subject)
    let begin = time(
      zone.reading(at: reminder.span.start), today: today, isAllDay: reminder.isAllDay)
    switch subject {
    case .undatedToDo: return name
    case .toDo: return localized("{start}  {title} (due)", ["start": begin, "title": name])
    case .startingToDo:
      return localized("{start}  {title} (starts)", ["start": begin, "title": name])
    case .event where isOver(reminder, at: now):
      return localized("{start}  {title} (over)", ["start": begin, "title": name])
    case .event where !reminder.isAllDay && reminder.span.start <= now:
      return localized("{start}  {title} (now)", ["start": begin, "title": name])
    case .event: return localized("{start}  {title}", ["start": begin, "title": name])
    }
  }

  /// Returns a time within a sentence: "09:00", "tomorrow 09:00", "all day", "tomorrow all day".
  ///
  /// - Parameter other: the day that is not named; nil means today.
  private static func time(
    _ reading: CivilDateTime, today: CivilDate, unless other: CivilDate? = nil,
    isAllDay: Bool = false
  ) -> String {
    let time = isAllDay ? localized("all day") : TimeText.current.clock(reading.time)
    if reading.date == other ?? today { return time }
    return localized(
      "{day} {time}", ["day": dayInSentence(reading.date, today: today), "time": time])
  }

  /// Returns the instants after `now` at which a line of a digest may change.
  private static func instants(
    ofLine reminder: Reminder, after now: Timestamp, zone: ZoneRules
  ) -> [Timestamp] {
    let tomorrow = zone.reading(at: now).date.adding(days: 1).map(zone.startOfDay)
    return [tomorrow, reminder.span.start, end(of: reminder)].compactMap(\.self).filter { $0 > now }
  }

  /// Makes the text for reminders that cannot be stored.
  init(ledgerFault reason: String, markup: Bool) {
    summary = localized("Reminders are paused")
    let text = localized(
      "The database cannot be written, so reminders wait until it can be: {reason}",
      ["reason": displayLine(reason)])
    body = markup ? escapedForMarkup(text) : text
    changesAt = nil
    subject = .event
  }

  /// Makes the text for a database that is damaged, or no longer the file at its path.
  init(databaseFault reason: String, markup: Bool) {
    summary = localized("The calendar cannot be changed")
    let text = displayLine(reason)
    body = markup ? escapedForMarkup(text) : text
    changesAt = nil
    subject = .event
  }

  /// Makes the text for a source that is not synchronised before its user does something.
  init(source name: String, needs need: String, markup: Bool) {
    summary = localized("{source} is not synchronised", ["source": displayLine(name)])
    let text = displayLine(need)
    body = markup ? escapedForMarkup(text) : text
    changesAt = nil
    subject = .event
  }

  /// Returns when an event is: "in 15 min · 14:00–15:00", "Since 14:00, until 15:00", ….
  ///
  /// The times say it exactly, since "in 15 min" is updated at the marks only.
  private static func moment(of reminder: Reminder, now: Timestamp, zone: ZoneRules) -> String {
    let (start, end) = (reminder.span.start, reminder.span.end)
    let (from, until) = (zone.reading(at: start), zone.reading(at: end))
    let today = zone.reading(at: now).date
    let day = dayAtStart(from.date, today: today)
    if reminder.isAllDay { return localized("{day}, all day", ["day": day]) }
    var times = TimeText.current.clock(from.time)
    if end > start {
      // An end with an earlier time than the start is on the next day, which need not be named.
      let isNear =
        until.date.days(since: from.date) == (until.time <= from.time ? 1 : 0)
      let last = time(until, today: today, unless: isNear ? until.date : .earliest)
      times =
        isNear
        ? localized("{start}–{end}", ["start": times, "end": last])
        : localized("{start} – {end}", ["start": times, "end": last])
    }
    switch Nearness(of: start, at: now) {
    case .later: return localized("{day}, {times}", ["day": day, "times": times])
    case .within(let minutes):
      return localized(
        "in {minutes} min · {times}", ["minutes": Int(minutes), "times": times])
    case .now where !isOver(reminder, at: now):
      return localized("now · {times}", ["times": times])
    case .past where !isOver(reminder, at: now):
      return localized(
        "Since {start}, until {end}",
        ["start": time(from, today: today), "end": time(until, today: today)])
    case .now, .past:
      let day = dayInSentence(from.date, today: today)
      return reminder.isMissed
        ? localized("Missed: {day}, {times}", ["day": day, "times": times])
        : localized("Over: {day}, {times}", ["day": day, "times": times])
    }
  }

  /// When "in 15 min" is updated, in seconds before the start; more often would annoy.
  private static let marks: [Int64] = [Nearness.secondsOfNear, 600, 300, 60, 0]
  /// The least time between two updates.
  private static let leastSeconds: Int64 = 45

  /// Returns when a to-do is due or starts: "To-do, due within 15 min, 14:00".
  private static func moment(
    ofToDo reminder: Reminder, _ subject: ReminderSubject, now: Timestamp, zone: ZoneRules
  ) -> String {
    let starts = subject == .startingToDo
    let moment = zone.reading(at: reminder.span.start)
    let today = zone.reading(at: now).date
    let day = dayInSentence(moment.date, today: today)
    if reminder.isAllDay {
      // A due date has no time of day; a to-do with a start date has started a day later.
      if !starts { return localized("To-do, due {day}", ["day": day]) }
      return moment.date < today
        ? localized("To-do, started {day}", ["day": day])
        : localized("To-do, starts {day}", ["day": day])
    }
    let time = TimeText.current.clock(moment.time)
    switch Nearness(of: reminder.span.start, at: now) {
    case .later:
      return starts
        ? localized("To-do, starts {day}, {time}", ["day": day, "time": time])
        : localized("To-do, due {day}, {time}", ["day": day, "time": time])
    case .within(let minutes):
      return starts
        ? localized(
          "To-do, starts within {minutes} min, {time}", ["minutes": Int(minutes), "time": time])
        : localized(
          "To-do, due within {minutes} min, {time}", ["minutes": Int(minutes), "time": time])
    case .now:
      return starts
        ? localized("To-do, starts now, {time}", ["time": time])
        : localized("To-do, due now, {time}", ["time": time])
    case .past:
      return starts
        ? localized("To-do, started {day}, {time}", ["day": day, "time": time])
        : localized("To-do, overdue since {day}, {time}", ["day": day, "time": time])
    }
  }

  /// Returns the instants after `now` at which the text may change, in order.
  private static func instants(
    of reminder: Reminder, after now: Timestamp, zone: ZoneRules
  ) -> [Timestamp] {
    let start = reminder.span.start
    let tomorrow = zone.reading(at: now).date.adding(days: 1)
    var instants = tomorrow.map { [zone.startOfDay($0)] } ?? []
    if !reminder.isAllDay {
      let soon = now.adding(seconds: leastSeconds)
      instants += marks.map { start.adding(seconds: -$0) }.filter { $0 >= soon || $0 == start }
      instants.append(NotificationText.end(of: reminder))
    }
    return instants.filter { $0 > now }.sorted()
  }

  /// Returns a day at the start of a text.
  private static func dayAtStart(_ date: CivilDate, today: CivilDate) -> String {
    switch date.days(since: today) {
    case 0: localized("Today")
    case 1: localized("Tomorrow")
    case -1: localized("Yesterday")
    default: TimeText.current.shortDate(date)
    }
  }

  /// Returns a day within a sentence.
  private static func dayInSentence(_ date: CivilDate, today: CivilDate) -> String {
    switch date.days(since: today) {
    case 0: localized("today")
    case 1: localized("tomorrow")
    case -1: localized("yesterday")
    default: TimeText.current.shortDate(date)
    }
  }
}

/// How near a time is, in the steps that texts name.
private enum Nearness {
  case later
  case within(minutes: Int64)
  case now
  case past

  /// How long before it a time is near.
  static let secondsOfNear: Int64 = 3600
  /// How long after it a time counts as now.
  static let secondsOfNow: Int64 = 60

  init(of moment: Timestamp, at now: Timestamp) {
    let seconds = moment.seconds - now.seconds
    self =
      if seconds > Nearness.secondsOfNear {
        .later
      } else if seconds >= 30 {
        .within(minutes: (seconds + 59) / 60)
      } else if seconds > -Nearness.secondsOfNow {
        .now
      } else {
        .past
      }
  }
}

/// Escapes the three characters with a meaning in markup.
func escapedForMarkup(_ text: String) -> String {
  var escaped = ""
  for character in text.unicodeScalars {
    switch character {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    default: escaped.unicodeScalars.append(character)
    }
  }
  return escaped
}
