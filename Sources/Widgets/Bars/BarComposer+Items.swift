import CivilTime

extension BarComposer {
  /// What events that count as simultaneous have in common.
  enum Group: Equatable {
    case running
    case beginning(Timestamp)
    case allDay
    /// Is over, but a reminder of it still waits.
    case over
  }

  /// An event that the text can name.
  struct Item {
    let row: SnapshotEvent
    let group: Group
    /// The due reminder because of which it is named.
    var reminder: SnapshotReminder?
    var isReminder: Bool { reminder != nil }
    /// The item without the word for a reminder.
    var unmarked: Item { Item(row: row, group: group) }

    /// Whether it counts as simultaneous with another: "+1".
    func isBeside(_ other: Item) -> Bool {
      if isReminder || other.isReminder { return isReminder == other.isReminder }
      return group == other.group && row.isLong == other.row.isLong
    }
  }

  /// The events that the text names, and one more that must not be missed.
  struct Named {
    var events: [Item]
    /// During a meeting the one that begins soon; with a reminder the running event.
    var companion: Item?
  }

  /// Returns the events in order of importance.
  ///
  /// Those with a due reminder come first, the most urgent before the others. Then come running
  /// events, those that begin today or shortly after midnight, the same of more than 24 hours,
  /// today's all-day events, and those that begin on a later day.
  func items(at now: Timestamp, today: CivilDate) -> [Item] {
    let due = isQuiet(at: now) ? [] : remindersByUrgency(at: now).map { reminderItem($0, at: now) }
    let rows = timed.filter { row in !due.contains { $0.row.isSame(as: row) } }
    let events = NowAndNext(rows, at: now, span: \.span)
    let coming = events.coming.prefix {
      $0.start.seconds - now.seconds <= settings.lookAheadSeconds
    }
    func isNear(_ row: SnapshotEvent) -> Bool {
      row.start.seconds - now.seconds <= settings.countdownSeconds
        || zone.reading(at: row.start).date == today
    }
    let present =
      events.running.map { Item(row: $0, group: .running) }
      + coming.filter(isNear).map { Item(row: $0, group: .beginning($0.start)) }
    let days = allDay.filter { row in
      row.start <= now && now < row.end && !due.contains { $0.row.isSame(as: row) }
    }
    let later = coming.filter { !isNear($0) }
    return due + present.filter { !$0.row.isLong } + present.filter(\.row.isLong)
      + days.map { Item(row: $0, group: .allDay) }
      + later.map { Item(row: $0, group: .beginning($0.start)) }
  }

  /// Returns the reminders that are due, the most urgent first.
  func remindersByUrgency(at now: Timestamp) -> [Reminded] {
    reminded.sorted { $0.reminder.isMoreUrgent(than: $1.reminder, at: now) }
  }

  private func reminderItem(_ reminded: Reminded, at now: Timestamp) -> Item {
    let row = reminded.row
    let group: Group =
      if row.end <= now && row.start <= now {
        .over
      } else if row.start > now {
        .beginning(row.start)
      } else {
        row.isAllDay ? .allDay : .running
      }
    return Item(row: row, group: group, reminder: reminded.reminder)
  }

  /// Returns the items that the text should name.
  func named(of items: [Item], at now: Timestamp) -> Named {
    let skipped = min(settings.skip, max(0, items.count - 1))
    let rest = items.dropFirst(skipped)
    let events = Array(rest.prefix(settings.count))
    let others = rest.dropFirst(settings.count).filter { !$0.isReminder }
    func isSoon(_ item: Item) -> Bool {
      guard case .beginning(let start) = item.group else { return false }
      return start.seconds - now.seconds <= settings.soonSeconds
    }
    guard let last = events.last else { return Named(events: []) }
    if last.isReminder {
      return Named(
        events: events, companion: others.first { $0.group == .running || isSoon($0) })
    }
    return Named(
      events: events, companion: last.group == .running ? others.first(where: isSoon) : nil)
  }
}

extension SnapshotEvent {
  /// Whether it is of the same event, and of the same occurrence.
  fileprivate func isSame(as other: SnapshotEvent) -> Bool {
    uid == other.uid && recurrenceID == other.recurrenceID && calendar == other.calendar
      && start == other.start
  }

  /// The row of a reminder's event, of which the snapshot has no other.
  init(_ reminder: SnapshotReminder) {
    self.init(
      uid: reminder.uid, recurrenceID: reminder.recurrenceID, calendar: reminder.calendar,
      summary: reminder.summary, location: reminder.location, start: reminder.start,
      end: reminder.end, isAllDay: reminder.isAllDay, joinURL: reminder.joinURL)
  }
}

extension SnapshotReminder {
  /// Whether it is a reminder of a row's event.
  func isAbout(_ row: SnapshotEvent) -> Bool {
    uid == row.uid && recurrenceID == row.recurrenceID && calendar == row.calendar
      && start == row.start
  }
}
