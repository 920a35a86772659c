import CalendarModel
import CivilTime
import Widgets

/// What a notification of a reminder says: a plain summary, and a body that may
/// be markup.
struct NotificationText: Equatable {
  let summary: String
  let body: String
  /// When the words are not true any more; nil where they stay so.
  let changesAt: Timestamp?
  /// What it is of: of several what all of them are, and of those that are to be done what is to be done by
  /// a moment where one of them is.
  let subject: ReminderSubject
  /// Whether it is of one alone that has begun, so that nothing can be put off until it does.
  private(set) var hasStarted = false

  /// - Parameters:
  ///   - markup: whether the server reads markup in bodies ("body-markup");
  ///     without it the body is plain. The summary is never markup.
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
      case .undatedToDo: NotificationText.toDo
      }
    }
    var parts = [moment(at: now)]
    if reminder.isMissed, now.seconds - reminder.due.seconds >= NotificationText.secondsOfLate {
      let (due, today) = (zone.reading(at: reminder.due), zone.reading(at: now).date)
      let day =
        due.date == today
        ? "" : NotificationText.dayName(due.date, today: today).lowercased() + " "
      // What is never due is not said to have been.
      let late = subject == .undatedToDo || subject == .startingToDo ? "was to ring" : "was due"
      parts.append("\(late) \(day)\(due.time.hourAndMinute)")
    }
    let place = displayLine(reminder.location)
    if !place.isEmpty { parts.append(place) }
    let text = parts.joined(separator: " · ")
    body = markup ? escapedForMarkup(text) : text
    changesAt = NotificationText.instants(of: reminder, after: now, zone: zone)
      .first { moment(at: $0) != moment(at: now) }
  }

  /// One notification for many reminders that came at once: a line for each, in the order in which they fell
  /// due, with when that was. Of very many those are named that are not over, and of the others the latest.
  ///
  /// - Parameters:
  ///   - earlier: those that were shown before, and wait on: they are not counted.
  ///   - tooOld: how many more are only in the ledger, as missed.
  ///   - waitedForServer: whether there was none to show them when they fell due.
  ///   - subject: what one is of: what is to be done may be late, and is not over. It may have to be looked up, and
  ///     is asked for no more of them than need be.
  init(
    digest reminders: [Reminder], earlier: [Reminder] = [], tooOld: Int,
    waitedForServer: Bool = false, now: Timestamp, zone: ZoneRules, markup: Bool,
    subject: (Reminder) -> ReminderSubject = { _ in .event }
  ) {
    // Where nothing is new all of it waits.
    let isAnew = !reminders.isEmpty || tooOld > 0
    let (fresh, waiting) = isAnew ? (reminders, earlier) : (earlier, [])
    let count = fresh.count + tooOld
    let isLate =
      isAnew
      && (tooOld > 0
        || fresh.contains {
          $0.isMissed
            || waitedForServer && now.seconds - $0.due.seconds >= NotificationText.secondsOfLate
        })
    summary =
      (count == 1 ? "1 reminder" : "\(count) reminders") + (isLate ? " while you were away" : "")
    let named = NotificationText.named(of: fresh, at: now, subject).map { ($0, subject($0)) }
    func namedLines(at instant: Timestamp) -> [String] {
      named.map { NotificationText.line(of: $0, $1, now: instant, zone: zone) }
    }
    var lines = namedLines(at: now)
    changesAt = named.flatMap { NotificationText.instants(ofLine: $0.0, after: now, zone: zone) }
      .sorted().first { namedLines(at: $0) != lines }
    let rest = fresh.count - lines.count
    if rest > 0 { lines.append("and \(rest) more") }
    if !waiting.isEmpty {
      let titles = waiting.prefix(NotificationText.mostWaiting).map {
        NotificationText.title($0, subject($0))
      }
      let more = waiting.count - titles.count
      lines.append(
        "still waiting: " + titles.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
    }
    // The event itself may be still to come, where its calendar tells of nothing late.
    if tooOld > 0 {
      let head = tooOld == 1 ? "1 is" : "\(tooOld) are"
      lines.append("\(head) too old to be shown (calctl reminders --missed)")
    }
    let text = lines.joined(separator: "\n")
    body = markup ? escapedForMarkup(text) : text
    self.subject = NotificationText.common(of: [reminders, earlier].joined(), subject)
  }

  /// Returns what all of several are, or what the first in the order of the cases is where they differ.
  private static func common(
    of reminders: some Sequence<Reminder>, _ subject: (Reminder) -> ReminderSubject
  ) -> ReminderSubject {
    var subjects: Set<ReminderSubject> = []
    for reminder in reminders {
      let subject = subject(reminder)
      // Of no other it depends then.
      if subject == .event { return .event }
      subjects.insert(subject)
    }
    if subjects.isEmpty { return .event }
    return [.toDo, .startingToDo].first(where: subjects.contains) ?? .undatedToDo
  }

  /// From so long after its moment on a reminder is said to be late.
  private static let secondsOfLate: Int64 = 60
  private static let mostLines = 8
  /// How many titles of those that wait on are named.
  private static let mostWaiting = 3

  private static let toDo = "To-do"

  private static func title(_ reminder: Reminder, _ subject: ReminderSubject) -> String {
    let title = displayLine(reminder.summary)
    if !title.isEmpty { return title }
    return subject.isToDo ? toDo : "Event"
  }

  /// When an event is over: one without a length once it is not now any more.
  private static func end(of reminder: Reminder) -> Timestamp {
    let (start, end) = (reminder.span.start, reminder.span.end)
    return end > start ? end : start.adding(seconds: Nearness.secondsOfNow)
  }

  private static func isOver(_ reminder: Reminder, at now: Timestamp) -> Bool {
    end(of: reminder) <= now
  }

  /// Returns those that a digest has a line for, in the order in which they fell due.
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
      .sorted { ($0.due, $0.summary) < ($1.due, $1.summary) }
  }

  /// "08:45  Standup, 09:00", "08:45  Standup, 09:00 (now)" while it runs,
  /// "yesterday 18:45  Dinner, 19:00 (over)", "09:00  Rent, all day", "08:45  Tax return, due 09:00", "08:45  Paint,
  /// from 09:00", and of what is to be done by no moment "08:45  Read a book".
  private static func line(
    of reminder: Reminder, _ subject: ReminderSubject, now: Timestamp, zone: ZoneRules
  ) -> String {
    let today = zone.reading(at: now).date
    let (due, start) = (zone.reading(at: reminder.due), zone.reading(at: reminder.span.start))
    func day(_ date: CivilDate, unless other: CivilDate) -> String {
      date == other ? "" : dayName(date, today: today).lowercased() + " "
    }
    let head =
      day(due.date, unless: today) + due.time.hourAndMinute + "  " + title(reminder, subject)
    if subject == .undatedToDo { return head }
    let time = reminder.isAllDay ? "all day" : start.time.hourAndMinute
    let state =
      if subject.isToDo {
        ""
      } else if isOver(reminder, at: now) {
        " (over)"
      } else if !reminder.isAllDay, reminder.span.start <= now {
        " (now)"
      } else {
        ""
      }
    let link =
      switch subject {
      case .toDo: ", due "
      case .startingToDo: ", from "
      case .event, .undatedToDo: ", "
      }
    return head + link + day(start.date, unless: due.date) + time + state
  }

  /// Returns when such a line may be another after an instant.
  private static func instants(
    ofLine reminder: Reminder, after now: Timestamp, zone: ZoneRules
  ) -> [Timestamp] {
    let tomorrow = zone.reading(at: now).date.adding(days: 1).map(zone.startOfDay)
    return [tomorrow, reminder.span.start, end(of: reminder)].compactMap(\.self).filter { $0 > now }
  }

  /// What falls due cannot be written down.
  init(ledgerFault reason: String, markup: Bool) {
    summary = "Reminders cannot be told"
    let text =
      "What falls due cannot be written down, and is told once it can be: \(displayLine(reason))"
    body = markup ? escapedForMarkup(text) : text
    changesAt = nil
    subject = .event
  }

  /// The database is damaged, or it is not the one at its path any more.
  init(databaseFault reason: String, markup: Bool) {
    summary = "The calendar cannot be changed"
    let text = displayLine(reason)
    body = markup ? escapedForMarkup(text) : text
    changesAt = nil
    subject = .event
  }

  /// "Within 15 min, 14:00 – 15:00", "Now, …", "Since 14:00, until 15:00", "Tomorrow", …: nothing
  /// that is wrong a minute later, since it stays until somebody has seen it.
  private static func moment(of reminder: Reminder, now: Timestamp, zone: ZoneRules) -> String {
    let (start, end) = (reminder.span.start, reminder.span.end)
    let (from, until) = (zone.reading(at: start), zone.reading(at: end))
    let today = zone.reading(at: now).date
    let day = dayName(from.date, today: today)
    if reminder.isAllDay { return day + ", all day" }
    var times = from.time.hourAndMinute
    if end > start {
      // The next day is meant where a time is not after the one before it.
      let isNear =
        until.date.days(since: from.date) == (until.time <= from.time ? 1 : 0)
      let endDay = isNear ? "" : dayName(until.date, today: today).lowercased() + " "
      times += " – " + endDay + until.time.hourAndMinute
    }
    switch Nearness(of: start, at: now) {
    case .later: return "\(day), \(times)"
    case .within(let minutes): return "Within \(minutes) min, \(times)"
    case .now where !isOver(reminder, at: now): return "Now, \(times)"
    case .past where !isOver(reminder, at: now): break
    case .now, .past:
      return "\(reminder.isMissed ? "Missed" : "Over"): \(day.lowercased()), \(times)"
    }
    func named(_ reading: CivilDateTime) -> String {
      (reading.date == today ? "" : dayName(reading.date, today: today).lowercased() + " ")
        + reading.time.hourAndMinute
    }
    return "Since \(named(from)), until \(named(until))"
  }

  /// When "within" is said anew, in seconds before the start: more often would nag.
  private static let marks: [Int64] = [Nearness.secondsOfNear, 600, 300, 60, 0]
  /// Words that have come just now stay so long.
  private static let leastSeconds: Int64 = 45

  /// The same of what is to be done by a moment, "To-do, due within 15 min, 14:00", or from one on, "To-do, starts
  /// within 15 min, 14:00".
  private static func moment(
    ofToDo reminder: Reminder, _ subject: ReminderSubject, now: Timestamp, zone: ZoneRules
  ) -> String {
    let starts = subject == .startingToDo
    let (ahead, past) = starts ? ("starts", "started") : ("due", "overdue since")
    let moment = zone.reading(at: reminder.span.start)
    let today = zone.reading(at: now).date
    let day = dayName(moment.date, today: today).lowercased()
    if reminder.isAllDay {
      // By when of its day something is due nobody says; it has started when that is over.
      return "\(toDo), \(starts && moment.date < today ? past : ahead) \(day)"
    }
    let time = moment.time.hourAndMinute
    return switch Nearness(of: reminder.span.start, at: now) {
    case .later: "\(toDo), \(ahead) \(day), \(time)"
    case .within(let minutes): "\(toDo), \(ahead) within \(minutes) min, \(time)"
    case .now: "\(toDo), \(ahead) now, \(time)"
    case .past: "\(toDo), \(past) \(day), \(time)"
    }
  }

  /// Returns when the words may be others after an instant, in order.
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

  private static func dayName(_ date: CivilDate, today: CivilDate) -> String {
    switch date.days(since: today) {
    case 0: "Today"
    case 1: "Tomorrow"
    case -1: "Yesterday"
    default: date.description
    }
  }
}

/// How near a moment is, as far as there are words for it.
private enum Nearness {
  case later
  case within(minutes: Int64)
  case now
  case past

  /// So long before a moment it is said to be near.
  static let secondsOfNear: Int64 = 3600
  /// So long after it, it is said to be now.
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

/// Escapes the three characters that markup is made of.
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
