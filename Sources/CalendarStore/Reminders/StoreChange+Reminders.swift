import CalendarModel
import CivilTime

// Reminders follow the changes of their events.

extension StoreChange {
  /// Updates the reminders of a series after a change.
  ///
  /// - Pending ones that the series would not raise are closed, or move if their occurrence moved
  ///   slightly.
  /// - The others show the new state of the event.
  /// - Ones that were declined, cancelled or completed are reopened if that was reverted and they
  ///   are not too old.
  /// - Ones that stay silenced move too.
  ///
  /// - Parameters:
  ///   - former: the series before the change; nil only if it has no reminders.
  ///   - hearsAnswers: whether answers from other programs in it are new.
  func endReminders(
    of series: EventSeries, over former: EventSeries?, hearsAnswers: Bool
  ) throws(StoreError) {
    // Computed once for all reminders of the series: there may be thousands of both.
    var passed: ElapsedAlarms?
    let pending = try reminders.pending(of: series.uid, in: series.calendar)
    let silenced = try silenced(of: series.uid, in: series.calendar, series)
    let waiting = pending + silenced
    let names = renamed(waiting)
    beginReminders()
    let outcomes = pending.map { reminder in
      if hearsAnswers, let former, isAnsweredElsewhere(reminder, former, series) {
        PendingOutcome.close(.acknowledged)
      } else {
        outcome(of: reminder, series)
      }
    }
    let leaving = Set(zip(pending, outcomes).filter { $0.1.isGone }.map(\.0.key))
    for (reminder, outcome) in zip(pending, outcomes) {
      switch outcome {
      case .keep(let occurrence): try reword(reminder, occurrence)
      case .close(let state):
        if outcome.isGone,
          let alarm = try alarm(
            of: reminder, series, over: former, like: waiting, leaving: leaving, &passed)
        {
          try takeAlong(reminder, to: alarm, knownAs: names[reminder.id] ?? reminder.id)
        } else {
          try end(reminder, as: state)
        }
      }
    }
    for reminder in silenced {
      switch outcome(of: reminder, series) {
      case let outcome where outcome.isGone:
        if let alarm = try alarm(
          of: reminder, series, over: former, like: waiting, leaving: leaving, &passed)
        {
          try takeAlong(reminder, to: alarm, knownAs: names[reminder.id] ?? reminder.id)
        } else if (try? occurrence(of: reminder, series, context)) != nil {
          // It is to fire again there. A split-off series may still take it over.
          try leave([reminder])
        }
      // It waits for the calendar to be shown.
      case _ where reminder.state == .closed(.calendarHidden): break
      case let outcome: try reopen(reminder, outcome)
      }
    }
  }

  /// Reopens reminders that a change closed, if the series raises them now.
  ///
  /// A snooze continues; the others count as delivered.
  ///
  /// - Parameters:
  ///   - closer: the revision of that change.
  ///   - isGone: whether the series does not exist: then include reminders that later changes
  ///     closed, in case it came back meanwhile and that was undone.
  ///   - other: the calendar that the series was in meanwhile, if another; answers there count.
  ///   - carried: the reminders that move back from there.
  ///   - meanwhile: returns the state of a reminder that continued under another series. A
  ///     dismissed one stays dismissed, and a snooze continues.
  func reopenReminders(
    of series: EventSeries, closedBy closer: UInt64, orSince isGone: Bool,
    meanwhileIn other: CalendarID? = nil, carried: [Reminder] = [],
    meanwhile: (Reminder) -> Reminder? = { _ in nil }
  ) throws(StoreError) {
    let closed = try reminders.closed(
      of: series.uid, in: series.calendar, by: closer, orSince: isGone)
    for var reminder in closed {
      if reminder.state == .closed(.calendarHidden), !isWorthTelling(reminder, in: series) {
        continue
      }
      if let other {
        let there = reminder.moved(to: other).key
        if carried.contains(where: { $0.key == there }) { continue }
        if try isDismissed(there, copy: reminder) { continue }
      }
      let latest = meanwhile(reminder)
      if let latest {
        if latest.state == .acknowledged {
          reminder.state = .acknowledged
          try reminders.record(reminder, at: now)
          continue
        }
        reminder.takeSnooze(of: latest, at: now)
      }
      try reopen(reminder, series)
      if let latest { changes.formerIDs[reminder.id] = latest.id }
    }
  }

  /// Reopens reminders of occurrences that were removed from a series and are back.
  ///
  /// Those that are too old stay closed. Alarms that passed meanwhile are delivered as in
  /// ``tellPassed(of:after:where:)``.
  ///
  /// - Parameters:
  ///   - former: the series before the change.
  ///   - awaySince: when the occurrences were removed, or later; nil if unknown, then nothing is
  ///     done.
  func returnReminders(
    of series: EventSeries, over former: EventSeries, awaySince: Timestamp?
  ) throws(StoreError) {
    guard let awaySince, let old = former.master, let new = series.master, old.start == new.start,
      old.recurrence.excluded != new.recurrence.excluded
        || old.recurrence.rules != new.recurrence.rules
        || old.recurrence.added != new.recurrence.added
    else { return }
    var known: [String: Bool] = [:]
    func isBack(_ name: String) -> Bool {
      if let answer = known[name] { return answer }
      var isBack = false
      do throws(CivilTimeError) {
        isBack = try self.isBack(name, in: series, over: former)
      } catch {
        rows.onUnplaced?(former, error)
      }
      known[name] = isBack
      return isBack
    }
    for reminder in try reminders.removed(of: series.uid, in: series.calendar)
    where isBack(reminder.key.recurrenceID) && isWorthTelling(reminder, in: series) {
      try reopen(reminder, series)
    }
    try tellPassed(of: series, after: awaySince.adding(seconds: -1), where: isBack)
  }

  /// Whether an occurrence of a series did not exist before a change.
  private func isBack(
    _ name: String, in series: EventSeries, over former: EventSeries
  ) throws(CivilTimeError) -> Bool {
    // A reminder without a name is not for an occurrence of a series.
    if name.isEmpty { return false }
    let id = try RecurrenceID(text: name)
    guard try former.occurrence(id, context: context) == nil else { return false }
    if former.isRecurring { return true }
    // The only occurrence had no name, and is the first one now.
    return try series.occurrence(id, context: context)?.span.start
      != former.occurrence(nil, context: context)?.span.start
  }

  /// How far back alarms of a restored occurrence are delivered, in seconds.
  private static let furthestReturn: Int64 = 35 * 86_400
  /// The most batches of alarms that are checked, since everybody waits.
  private static let mostBatches = 10

  /// Takes alarms of restored occurrences that passed while they were gone.
  ///
  /// They enter the ledger as due, and are delivered late or counted as too old. Passed alarms of
  /// other occurrences count as handled even if the ledger lacks them, so the series is not planned
  /// again.
  private func tellPassed(
    of series: EventSeries, after: Timestamp, where isBack: (String) -> Bool
  ) throws(StoreError) {
    var after = max(after, now.adding(seconds: -StoreChange.furthestReturn))
    let last = now.adding(seconds: -1)
    for _ in 0..<StoreChange.mostBatches where after < last {
      let batch: AlarmBatch
      do throws(CivilTimeError) {
        batch = try series.alarms(
          after: after, through: last, limit: 1000, defaults: rows.defaults(of: series),
          context: context)
      } catch {
        return rows.onUnplaced?(series, error) ?? ()
      }
      after = batch.through
      for alarm in batch.alarms where isBack(alarm.recurrenceID) { try tellPassed(alarm) }
    }
  }

  private func tellPassed(_ alarm: OccurrenceAlarm) throws(StoreError) {
    var reminder = Reminder(alarm)
    if let silence = silence(of: alarm.occurrence) { reminder.state = .closed(silence) }
    if try !reminders.isOwnSnooze(alarm),
      try !reminders.knowsElsewhere(alarm, wallClockFingerprint: reminder.wallClockFingerprint),
      try reminders.insertNew(reminder, at: now), reminder.isPending
    {
      changes.reopenedReminders.append(reminder)
    }
  }

  /// Reopens reminders that an unfinished change ended as answered in another program.
  func reopenAnswered(of series: EventSeries, by closer: UInt64) throws(StoreError) {
    for reminder in try reminders.answered(of: series.uid, in: series.calendar, by: closer) {
      try reopen(reminder, series)
    }
  }

  /// Updates a pending reminder from its occurrence.
  ///
  /// A snooze until its start or end moves with that; other alarms are not moved.
  private func reword(_ reminder: Reminder, _ occurrence: Occurrence?) throws(StoreError) {
    guard let occurrence else { return }
    let next = reminder.rescheduled(by: occurrence, at: now)
    if next == reminder { return }
    if next.due != reminder.due { try reminders.record(next, at: now) }
    try reminders.reword(next)
    changes.rewordedReminders.append(next)
  }

  /// Reopens a closed reminder if the series would raise it, or lets it wait if it is silenced.
  func reopen(_ reminder: Reminder, _ series: EventSeries) throws(StoreError) {
    try reopen(reminder, outcome(of: reminder, series))
  }

  func reopen(_ reminder: Reminder, _ outcome: PendingOutcome) throws(StoreError) {
    var next = reminder
    switch outcome {
    case .keep:
      next = rescheduled(reminder, outcome)
      try reminders.record(next, at: now)
      try reminders.reword(next)
      changes.reopenedReminders.append(next)
    case .close(.closed(let reason)) where reason.isSilence && reminder.state != .closed(reason):
      next.state = .closed(reason)
      try reminders.record(next, at: now, closer: closer)
    default: break
    }
  }

  /// Returns a reminder updated to its present occurrence; unchanged if it is to be closed.
  func rescheduled(_ reminder: Reminder, _ outcome: PendingOutcome) -> Reminder {
    var next = reminder
    if case .keep(let occurrence?) = outcome {
      next = reminder.rescheduled(by: occurrence, at: now)
    }
    // If its time has passed only in the new place, it returns at once.
    if !reminder.isPending {
      next.state =
        reminder.isPutOff(at: now) || next.isPutOff(at: now) ? .snoozed : .delivered
    }
    return next
  }

  /// Returns the silenced reminders of a series that are not too old.
  ///
  /// Those that stayed closed when their calendar was shown are left out.
  ///
  /// - Parameter series: its present state; nil if it is gone.
  private func silenced(
    of uid: EventUID, in calendar: CalendarID, _ series: EventSeries?
  ) throws(StoreError) -> [Reminder] {
    let isShown = [rows.calendars.all, calendarsBefore ?? []].allSatisfy { calendars in
      calendars.first { $0.info.id == calendar }?.info.isVisible ?? true
    }
    return try reminders.silenced(of: uid, in: calendar).filter { reminder in
      !(isShown && reminder.state == .closed(.calendarHidden))
        && (series.map { isWorthTelling(reminder, in: $0) } ?? isWorthTelling(reminder))
    }
  }

  /// Whether a closed reminder is not too old, at the present time of its occurrence.
  func isWorthTelling(_ reminder: Reminder, in series: EventSeries) -> Bool {
    isWorthTelling(rescheduled(reminder, outcome(of: reminder, series)))
  }

  func isWorthTelling(_ reminder: Reminder) -> Bool {
    let limit = rows.calendars[reminder.key.calendar]?.info.missedReminderPolicy ?? .usual
    return limit.deadline(of: reminder) >= now
  }

  /// Closes the reminders of a removed series, so that restoring it reopens them.
  ///
  /// In a hidden calendar this includes those that wait for it to be shown.
  func endReminders(ofRemoved uid: EventUID, in calendar: CalendarInfo) throws(StoreError) {
    beginReminders()
    for reminder in try reminders.pending(of: uid, in: calendar.id) {
      try end(reminder, as: .closed(.eventRemoved))
    }
    if calendar.isVisible { return }
    for reminder in try reminders.hidden(of: uid, in: calendar.id) {
      try reminders.record(reminder, at: now, closer: closer)
    }
  }

  /// Closes silenced reminders that wait under another key now.
  ///
  /// Their series left a hidden calendar, or was split off.
  func leave(_ silenced: [Reminder]) throws(StoreError) {
    for var reminder in silenced {
      reminder.state = .closed(.eventMoved)
      try reminders.record(reminder, at: now, closer: closer)
    }
  }

  /// Moves pending reminders to a series in another calendar or under another uid.
  ///
  /// A snooze continues. In a hidden calendar they wait until it is shown. A reminder that was
  /// dismissed there, and not snoozed here since, stays dismissed. One from a hidden calendar that
  /// is too old is not moved.
  ///
  /// - Parameters:
  ///   - names: ids before the change, of reminders that it has already renamed.
  ///   - isPart: whether the series was split off from another, and may have moved slightly.
  /// - Returns: the reminders that were moved, pending or silenced.
  @discardableResult
  func carry(
    _ pending: [Reminder], to series: EventSeries, names: [String: String] = [:],
    isPart: Bool = false
  ) throws(StoreError) -> [Reminder] {
    var passed: ElapsedAlarms?
    var gone: [Reminder] = []
    for former in pending {
      let id = names[former.id] ?? former.id
      var reminder = former.moved(to: series.calendar, as: series.uid)
      let outcome = self.outcome(of: reminder, series)
      let placed = rescheduled(reminder, outcome)
      if !reminder.isPending, !isWorthTelling(placed) { continue }
      if try isDismissed(reminder.key, copy: former) { continue }
      reminder = placed
      switch outcome {
      case .keep:
        try reminders.record(reminder, at: now)
        try reminders.reword(reminder)
        wait(reminder, knownAs: id)
      case .close(.closed(let reason)) where reason.isSilence:
        reminder.state = .closed(reason)
        try reminders.record(reminder, at: now, closer: closer)
        changes.formerIDs[reminder.id] = id
      case let outcome where isPart && outcome.isGone:
        guard let alarm = try alarm(of: reminder, series, over: nil, like: pending, &passed) else {
          continue
        }
        try goOn(reminder, as: alarm, knownAs: id)
      default: continue
      }
      gone.append(former)
    }
    return gone
  }

  /// Moves reminders of a series to one that was split off from it.
  ///
  /// These are the ones that this change closed, and silenced ones whose occurrences moved. The
  /// closed ones record this change, so that undoing it reopens them.
  func carry(partOf former: EventUID, to part: EventSeries) throws(StoreError) {
    let closed = changes.closedReminders.filter {
      $0.key.uid == former && $0.key.calendar == part.calendar
        && [.closed(.eventMoved), .closed(.eventRemoved)].contains($0.state)
    }
    let pending = closed.map { reminder in
      var reminder = reminder
      reminder.state = reminder.isPutOff(at: now) ? .snoozed : .delivered
      return reminder
    }
    let rest = try rows.series(former, in: part.calendar)
    let silenced = try silenced(of: former, in: part.calendar, rest).filter { reminder in
      rest.map { outcome(of: reminder, $0).isGone } ?? true
    }
    let gone = try carry(pending + silenced, to: part, isPart: true)
    try leave(gone.filter { !$0.isPending })
  }

  /// Whether a reminder was dismissed, and its copy in another calendar was not snoozed since.
  private func isDismissed(
    _ key: ReminderKey, copy: Reminder
  ) throws(StoreError) -> Bool {
    guard let known = try reminders.reminder(key), known.state == .acknowledged else {
      return false
    }
    return copy.state != .snoozed && copy.snoozes <= known.snoozes
  }

  func end(_ reminder: Reminder, as state: Reminder.State) throws(StoreError) {
    var ended = reminder
    ended.state = state
    ended.due = reminder.dueWhenClosed
    try reminders.record(ended, at: now, closer: closer)
    noteOver(ended)
  }
}

extension Reminder.CloseReason {
  /// Whether the event still exists, but is silent.
  var isSilence: Bool {
    switch self {
    case .calendarHidden, .declined, .cancelled, .completed: true
    case .eventRemoved, .eventMoved, .missed: false
    }
  }

  /// Whether a reminder can be closed for this reason without delivery.
  var canComeUntold: Bool {
    switch self {
    case .missed, .calendarHidden, .declined: true
    case .eventRemoved, .eventMoved, .cancelled, .completed: false
    }
  }

  /// Returns an SQL list of the reasons for which a condition holds.
  static func list(_ holds: (Reminder.CloseReason) -> Bool) -> String {
    "(" + allCases.filter(holds).map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
  }
}

extension Reminder {
  /// Returns when it is due once it is closed.
  ///
  /// With a clock that was set back, a snooze may end exactly at the trigger; it is made a second
  /// longer, since otherwise it would not count as a snooze.
  var dueWhenClosed: Timestamp {
    state == .snoozed && due == key.trigger ? due.adding(seconds: 1) : due
  }

  /// Whether a closed reminder returns as a snooze.
  ///
  /// A due time equal to the trigger is no snooze, even if it is ahead because the clock was set
  /// back.
  func isPutOff(at now: Timestamp) -> Bool { due > now && due != key.trigger }

  /// Returns the same reminder in another calendar.
  ///
  /// - Parameter uid: the uid of its series there; nil for the same.
  func moved(to calendar: CalendarID, as uid: EventUID? = nil) -> Reminder {
    Reminder(
      key: ReminderKey(
        calendar: calendar, uid: uid ?? key.uid, recurrenceID: key.recurrenceID, alarm: key.alarm,
        trigger: key.trigger),
      summary: summary, location: location, joinURL: joinURL, span: span, isAllDay: isAllDay,
      isPrivate: isPrivate, state: state, due: due, snoozes: snoozes, isMissed: isMissed,
      zone: zone, wallClockFingerprint: wallClockFingerprint)
  }
}
