import CalendarModel
import CivilTime

/// Works out what a bar shows at an instant, and at which later ones that can
/// change.
struct BarComposer {
  let snapshot: SnapshotV1
  let zone: ZoneRules
  let settings: BarSettings
  /// Timed events that run or come, ordered by start.
  let timed: [SnapshotEvent]
  /// All-day events of the snapshot's today.
  let allDay: [SnapshotEvent]

  init(snapshot: SnapshotV1, zone: ZoneRules, settings: BarSettings) {
    self.snapshot = snapshot
    self.zone = zone
    self.settings = settings
    func counts(_ row: SnapshotEvent) -> Bool {
      row.status != .cancelled
        && (settings.calendars.isEmpty || settings.calendars.contains(row.calendar))
    }
    timed = (snapshot.now + snapshot.next).filter { counts($0) && !$0.isAllDay }
    allDay = settings.showsAllDay ? snapshot.today.filter { counts($0) && $0.isAllDay } : []
  }

  /// The event a record is about, and how many others it could be about as well.
  private enum Topic {
    case running(SnapshotEvent, others: Int)
    case upcoming(SnapshotEvent, others: Int)
    case allDay(SnapshotEvent, others: Int)
    case nothing
  }

  func face(at now: Timestamp) -> BarFace {
    let today = zone.reading(at: now).date
    let topic = topic(at: now, today: today)
    let days = allDay.contains { $0.start <= now && now < $0.end }
    var tooltip = dayList(at: now)
    let (text, state, event, others, percentage): (String, BarText.State, SnapshotEvent?, Int, Int?)
    switch topic {
    case .running(let row, let count):
      text = line(row, " · " + timeLeft(of: row, at: now, today: today), others: count)
      (state, event, others, percentage) = (.running, row, count, elapsed(of: row, at: now))
    case .upcoming(let row, let count):
      let wait = row.start.seconds - now.seconds
      let start = zone.reading(at: row.start)
      text = line(row, " " + timeUntil(row, at: now, today: today), others: count)
      state =
        wait <= settings.soonSeconds
        ? .soon
        : wait <= settings.countdownSeconds || start.date == today ? .upcoming : .idle
      (event, others, percentage) = (row, count, nil)
      if start.date != snapshot.date {
        tooltip += "\nNext: " + TimeText.moment(start, today: today) + "  " + title(of: row)
      }
    case .allDay(let row, let count):
      text = line(row, " · all day", others: count)
      (state, event, others, percentage) = (.idle, row, count, nil)
    case .nothing:
      (text, state, event, others, percentage) = ("", .none, nil, 0, nil)
    }
    var classes = [state.rawValue]
    if days { classes.append("all-day") }
    if others > 0 { classes.append("overlap") }
    if event?.status == .tentative { classes.append("tentative") }
    if snapshot.reminders.contains(where: { $0.state == .due }) { classes.append("reminder") }
    return BarFace(
      text: text, tooltip: tooltip, state: state, classes: classes, percentage: percentage)
  }

  /// A running event comes first, then one that begins today or shortly after
  /// midnight, then today's all-day events, then what begins on a later day.
  private func topic(at now: Timestamp, today: CivilDate) -> Topic {
    let running = timed.filter { $0.start <= now && now < $0.end }
    // What began last is what one is in: a meeting during a conference.
    if let row = running.max(by: { $0.start != $1.start ? $0.start < $1.start : $0.end > $1.end }) {
      return .running(row, others: running.count - 1)
    }
    let days = allDay.filter { $0.start <= now && now < $0.end }
    let coming = timed.filter {
      $0.start > now && $0.start.seconds - now.seconds <= settings.lookAheadSeconds
    }
    if let start = coming.map(\.start).min() {
      let first = coming.filter { $0.start == start }
      let isNear =
        start.seconds - now.seconds <= settings.countdownSeconds
        || zone.reading(at: start).date == today
      if isNear || days.isEmpty { return .upcoming(first[0], others: first.count - 1) }
    }
    if let row = days.first { return .allDay(row, others: days.count - 1) }
    return .nothing
  }

  // MARK: Words

  func title(of row: SnapshotEvent) -> String {
    let line = displayLine(row.summary)
    return line.isEmpty ? "(no title)" : line
  }

  /// Returns title, time and "+1", in at most the characters there are. The
  /// title gives way, since the time is what one looks for; a bar too narrow for
  /// one letter of the title and the time gets what fits of both.
  private func line(_ row: SnapshotEvent, _ time: String, others: Int) -> String {
    let tail = time + (others > 0 ? " +\(others)" : "")
    let room = settings.maximumCharacters - tail.count
    if room < 2 {
      return shortened(title(of: row) + tail, toCharacters: settings.maximumCharacters)
    }
    return shortened(title(of: row), toCharacters: room) + tail
  }

  /// "12 min left", "until 17:00", "until Mon 17:00".
  private func timeLeft(of row: SnapshotEvent, at now: Timestamp, today: CivilDate) -> String {
    let left = row.end.seconds - now.seconds
    if left <= settings.countdownSeconds {
      return TimeText.length(minutes: minutes(left)) + " left"
    }
    return "until " + TimeText.moment(zone.reading(at: row.end), today: today)
  }

  /// "in 12 min", "at 17:00", "tomorrow 09:00", "Mon 09:00".
  private func timeUntil(_ row: SnapshotEvent, at now: Timestamp, today: CivilDate) -> String {
    let wait = row.start.seconds - now.seconds
    if wait <= settings.countdownSeconds { return "in " + TimeText.length(minutes: minutes(wait)) }
    let start = zone.reading(at: row.start)
    let text = TimeText.moment(start, today: today)
    return start.date == today ? "at " + text : text
  }

  /// Begun minutes count, so that the last one is "1 min" up to its end.
  private func minutes(_ seconds: Int64) -> Int64 { (seconds + 59) / 60 }

  /// The share of an event that is over, in percent. It steps with the minutes of
  /// the countdown, and by five where there is none.
  private func elapsed(of row: SnapshotEvent, at now: Timestamp) -> Int {
    let length = row.end.seconds - row.start.seconds
    let left = row.end.seconds - now.seconds
    if left <= settings.countdownSeconds {
      return Int(max(0, length - minutes(left) * 60) * 100 / length)
    }
    return Int((length - left) * 20 / length) * 5
  }

  // MARK: Steps

  /// Returns the first instant after `now` at which the face can differ; nil if
  /// none comes.
  func nextStep(after now: Timestamp) -> Timestamp? {
    var next: Timestamp?
    func consider(_ instant: Timestamp) {
      if instant > now { next = min(next ?? instant, instant) }
    }
    for row in timed {
      consider(row.start)
      consider(row.end)
      for seconds in [settings.soonSeconds, settings.countdownSeconds, settings.lookAheadSeconds] {
        consider(row.start.adding(seconds: -seconds))
      }
      consider(row.end.adding(seconds: -settings.countdownSeconds))
    }
    for row in allDay {
      consider(row.start)
      consider(row.end)
    }
    // "tomorrow" becomes "today".
    if timed.contains(where: { $0.end > now || $0.start > now }) {
      consider(zone.nextDateOrOffset(after: now))
    }
    switch topic(at: now, today: zone.reading(at: now).date) {
    case .running(let row, _):
      let (left, length) = (row.end.seconds - now.seconds, row.end.seconds - row.start.seconds)
      if left <= settings.countdownSeconds {
        consider(row.end.adding(seconds: -60 * (minutes(left) - 1)))
      } else {
        let twentieth = (length - left) * 20 / length + 1
        consider(row.start.adding(seconds: (twentieth * length + 19) / 20))
      }
    case .upcoming(let row, _):
      let wait = row.start.seconds - now.seconds
      if wait <= settings.countdownSeconds {
        consider(row.start.adding(seconds: -60 * (minutes(wait) - 1)))
      }
    case .allDay, .nothing: break
    }
    return next
  }
}
