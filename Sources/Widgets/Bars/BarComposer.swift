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

  init(snapshot: SnapshotV1, zone: ZoneRules, times: TimeText, settings: BarSettings) {
    self.snapshot = snapshot
    self.zone = zone
    self.times = times
    self.settings = settings
    func counts(_ row: SnapshotEvent) -> Bool { settings.counted.contains(row, zone: zone) }
    timed = (snapshot.now + snapshot.next).filter { !$0.isAllDay && counts($0) }
    allDay = settings.showsAllDay ? snapshot.today.filter { counts($0) && $0.isAllDay } : []
  }

  /// What events that count as simultaneous have in common.
  enum Group: Equatable {
    case running
    case beginning(Timestamp)
    case allDay
  }

  /// An event that the text can name.
  struct Item {
    let row: SnapshotEvent
    let group: Group
  }

  func text(at now: Timestamp) -> BarText {
    let today = zone.reading(at: now).date
    let items = items(at: now, today: today)
    let named = named(of: items)
    let (text, others) = line(named, of: items, at: now)
    let tooltip = dayList(at: now)
    guard let first = named.first else {
      return BarText(
        text: "", short: "", tooltip: tooltip, joinLabel: joinLabel, state: .none,
        classes: classes(.none, of: nil, at: now, others: 0), percentage: nil,
        scheme: snapshot.scheme, event: nil, others: 0, choices: 0)
    }
    let event = event(first, at: now)
    return BarText(
      text: text,
      short: piece(
        first, others: others, at: now,
        width: min(settings.maximumColumns, BarText.shortColumns)),
      tooltip: tooltip + followUp(first, today: today), joinLabel: joinLabel, state: event.state,
      classes: classes(event.state, of: first.row, at: now, others: others),
      percentage: first.group == .running ? elapsed(of: first.row, at: now) : nil,
      scheme: snapshot.scheme, event: event,
      others: others, choices: items.count)
  }

  private var joinLabel: String { language.string(UserText("Join")) }

  private func classes(
    _ state: BarText.State, of row: SnapshotEvent?, at now: Timestamp, others: Int
  ) -> [String] {
    var classes = [state.rawValue]
    if allDay.contains(where: { $0.start <= now && now < $0.end }) { classes.append("all-day") }
    if others > 0 { classes.append("overlap") }
    if row?.status == .tentative { classes.append("tentative") }
    if row?.isDeclined ?? false { classes.append("declined") }
    if snapshot.reminders.contains(where: { $0.state == .due }) { classes.append("reminder") }
    if !snapshot.sources.isEmpty { classes.append("source-problem") }
    return classes
  }

  /// Returns the events in order of importance.
  ///
  /// Running events come first, then those that begin today or shortly after midnight, then today's
  /// all-day events, then those that begin on a later day.
  func items(at now: Timestamp, today: CivilDate) -> [Item] {
    let events = NowAndNext(timed, at: now, span: \.span)
    let coming = events.coming.prefix {
      $0.start.seconds - now.seconds <= settings.lookAheadSeconds
    }
    let near = coming.prefix {
      $0.start.seconds - now.seconds <= settings.countdownSeconds
        || zone.reading(at: $0.start).date == today
    }
    let days = allDay.filter { $0.start <= now && now < $0.end }
    func beginning(_ row: SnapshotEvent) -> Item { Item(row: row, group: .beginning(row.start)) }
    return events.running.map { Item(row: $0, group: .running) } + near.map(beginning)
      + days.map { Item(row: $0, group: .allDay) } + coming.dropFirst(near.count).map(beginning)
  }

  /// Returns the items that the text should name.
  func named(of items: [Item]) -> [Item] {
    let skipped = min(settings.skip, max(0, items.count - 1))
    return Array(items.dropFirst(skipped).prefix(settings.count))
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
    case .allDay: return .idle
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
