import CalendarModel
import CivilTime
import Messages

/// Composes the text of a bar at an instant, and finds the instants at which it can change.
struct BarComposer {
  let snapshot: SnapshotV1
  let zone: ZoneRules
  let times: TimeText
  let settings: BarSettings
  var language: Language { times.language }
  /// Timed events that are running or coming, ordered by start.
  let timed: [SnapshotEvent]
  /// Today's all-day events in the snapshot.
  let allDay: [SnapshotEvent]
  /// The reminders that are due, with the rows of their events.
  let reminded: [Reminded]

  typealias Reminded = (reminder: SnapshotReminder, row: SnapshotEvent)

  init(snapshot: SnapshotV1, zone: ZoneRules, times: TimeText, settings: BarSettings) {
    self.snapshot = snapshot
    self.zone = zone
    self.times = times
    self.settings = settings
    func counts(_ row: SnapshotEvent) -> Bool { settings.counted.contains(row, zone: zone) }
    timed = (snapshot.now + snapshot.next).filter { !$0.isAllDay && counts($0) }
    allDay = settings.showsAllDay ? snapshot.today.filter { counts($0) && $0.isAllDay } : []
    let rows = snapshot.now + snapshot.next + snapshot.today
    reminded = snapshot.reminders.filter { $0.state == .due }.map { reminder in
      (reminder, rows.first(where: reminder.isAbout) ?? SnapshotEvent(reminder))
    }
  }

  func text(at now: Timestamp) -> BarText {
    let today = zone.reading(at: now).date
    let items = items(at: now, today: today)
    let named = named(of: items, at: now)
    let sign = sign(at: now)
    let tooltip = tooltip(at: now, next: named.events.first)
    let reminder = named.events.first?.reminder ?? remindersByUrgency(at: now).first?.reminder
    guard let first = named.events.first else {
      return BarText(
        text: displayLine(sign), short: displayLine(sign), tooltip: tooltip, joinLabel: joinLabel,
        state: .none, classes: classes(.none, of: nil, at: now, others: 0), percentage: nil,
        scheme: snapshot.scheme, event: nil, reminder: reminder, others: 0, choices: 0)
    }
    let width = settings.maximumColumns - sign.columns
    let (text, others) = line(named, of: items, at: now, width: width)
    let event = event(first, at: now)
    return BarText(
      text: sign + text,
      short: sign
        + piece(
          first, others: others, at: now, width: min(width, BarText.shortColumns - sign.columns)),
      tooltip: tooltip, joinLabel: joinLabel, state: event.state,
      classes: classes(event.state, of: first, at: now, others: others),
      percentage: first.group == .running ? elapsed(of: first.row, at: now) : nil,
      scheme: snapshot.scheme, event: event, reminder: reminder,
      others: others, choices: items.count)
  }

  private var joinLabel: String { language.string(UserText("Join")) }

  /// Whether notifications are held back.
  func isQuiet(at now: Timestamp) -> Bool { snapshot.quietUntil.map { now < $0 } ?? false }

  /// What the text begins with in quiet time, if the bar has room for more than that.
  private func sign(at now: Timestamp) -> String {
    isQuiet(at: now) && settings.maximumColumns >= 8 ? "☾ " : ""
  }

  private func classes(
    _ state: BarText.State, of item: Item?, at now: Timestamp, others: Int
  ) -> [String] {
    var classes = [state.rawValue]
    if allDay.contains(where: { $0.start <= now && now < $0.end }) { classes.append("all-day") }
    if others > 0, item?.isReminder == false { classes.append("overlap") }
    if item?.row.status == .tentative { classes.append("tentative") }
    if item?.row.isDeclined ?? false { classes.append("declined") }
    if isQuiet(at: now) {
      classes.append("quiet")
    } else if !reminded.isEmpty {
      classes.append("reminder")
    }
    if !snapshot.sources.isEmpty { classes.append("source-problem") }
    return classes
  }

  // MARK: Events

  func event(_ item: Item, at now: Timestamp) -> BarEvent {
    let row = item.row
    let today = zone.reading(at: now).date
    let (start, end) = (zone.reading(at: row.start), zone.reading(at: row.end))
    // Scripts read these fields, so their clock does not depend on the locale.
    let fields = times.withTwentyFourHours
    let name = snapshot.calendars.first { $0.id == row.calendar }?.name ?? row.calendar
    return BarEvent(
      summary: title(of: row), countdown: countdown(item, at: now, today: today),
      startText: row.isAllDay ? "" : fields.moment(start, today: today),
      endText: row.isAllDay ? "" : fields.moment(end, today: today),
      location: displayLine(row.location), calendar: displayLine(name),
      state: state(of: item, at: now, today: today), start: row.start, end: row.end,
      isAllDay: row.isAllDay, color: row.color?.text ?? "", uid: row.uid,
      recurrenceID: row.recurrenceID, url: link(row.url), joinURL: link(row.joinURL))
  }

  func title(of row: SnapshotEvent) -> String {
    displayTitle(row.summary, uid: row.uid, calendar: row.calendar, times: row.count, language)
  }

  private func state(of item: Item, at now: Timestamp, today: CivilDate) -> BarText.State {
    switch item.group {
    case .running: return .running
    case .allDay, .over: return .idle
    case .beginning(let start):
      let wait = start.seconds - now.seconds
      if wait <= settings.soonSeconds { return .soon }
      return wait <= settings.countdownSeconds || zone.reading(at: start).date == today
        ? .upcoming : .idle
    }
  }

  private func countdown(_ item: Item, at now: Timestamp, today: CivilDate) -> String {
    switch item.group {
    case .allDay: language.string(UserText("all day"))
    case .running: timeLeft(of: item.row, at: now, today: today)
    case .over: times.moment(zone.reading(at: item.row.start), today: today)
    case .beginning: timeUntil(item.row, at: now, today: today)
    }
  }

  /// "12 min left", "until 17:00", "until Mon 17:00".
  private func timeLeft(of row: SnapshotEvent, at now: Timestamp, today: CivilDate) -> String {
    let left = row.end.seconds - now.seconds
    if left <= settings.countdownSeconds {
      return language.string(
        UserText("{duration} left", ["duration": times.length(minutes: minutes(left))]))
    }
    return language.string(
      UserText("until {when}", ["when": times.moment(zone.reading(at: row.end), today: today)]))
  }

  /// "in 12 min", "at 17:00", "tomorrow 09:00", "Mon 09:00".
  private func timeUntil(_ row: SnapshotEvent, at now: Timestamp, today: CivilDate) -> String {
    let wait = row.start.seconds - now.seconds
    if wait <= settings.countdownSeconds {
      return language.string(
        UserText("in {duration}", ["duration": times.length(minutes: minutes(wait))]))
    }
    let start = zone.reading(at: row.start)
    let text = times.moment(start, today: today)
    return start.date == today ? language.string(UserText("at {time}", ["time": text])) : text
  }

  /// Returns minutes, rounded up, so that the last one is "1 min" until its end.
  func minutes(_ seconds: Int64) -> Int64 { (seconds + 59) / 60 }

  /// Returns how much of an event is over, in percent.
  ///
  /// It steps with the minutes of the countdown, and by 5 without one.
  func elapsed(of row: SnapshotEvent, at now: Timestamp) -> Int {
    let length = row.end.seconds - row.start.seconds
    let left = row.end.seconds - now.seconds
    if left <= settings.countdownSeconds {
      return Int(max(0, length - minutes(left) * 60) * 100 / length)
    }
    return Int((length - left) * 20 / length) * 5
  }
}
