import CalendarModel
import CivilTime

// The reminders of an event go where it goes.

extension StoreChange {
  /// Ends the pending reminders of a series that it would not raise as it is now, lets the others
  /// say what their event says now, takes those along whose occurrence has moved so little that they do
  /// not ring again, and opens those again that a refusal, a cancellation or a completion had ended, where
  /// it is undone and they are not too old by then. Those that such an end or a hidden calendar keeps
  /// closed go along as well.
  ///
  /// - Parameters:
  ///   - former: the series before the change; nil only where nothing of it waits.
  ///   - hearsAnswers: whether what it says of answers given in other programs is new.
  func endReminders(
    of series: EventSeries, over former: EventSeries?, hearsAnswers: Bool
  ) throws(StoreError) {
    // Of all the reminders of the series at once: there may be thousands of both.
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
          // It is to ring again there, told or not; that of a part that is split off is taken over yet.
          try leave([reminder])
        }
      // That waits for the calendar.
      case _ where reminder.state == .closed(.calendarHidden): break
      case let outcome: try reopen(reminder, outcome)
      }
    }
  }

  /// Opens the reminders again that a change closed, where the series raises them as
  /// it is now: a snooze goes on, the others count as told.
  ///
  /// - Parameters:
  ///   - closer: the revision of that change.
  ///   - isGone: whether the series is nowhere: what came back meanwhile, and was taken away again by an undo, was
  ///     closed by that.
  ///   - other: the calendar that the series was in meanwhile, if it was in another: what
  ///     became of a reminder there counts.
  ///   - carried: those that come from there.
  ///   - meanwhile: what has become of one that went on under the name of another series. It takes
  ///     that over: what was dismissed is, and a snooze goes on.
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

  /// Opens the reminders again of occurrences that had been taken out of a series and are in it now, but for those
  /// that are too old; and lets what fell due meanwhile be told, as ``tellPassed(of:after:where:)`` does.
  ///
  /// - Parameters:
  ///   - former: the series before the change.
  ///   - awaySince: when they went, or later; nil where that is not known: then nothing is told.
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

  /// Whether an occurrence of a series was none before a change.
  private func isBack(
    _ name: String, in series: EventSeries, over former: EventSeries
  ) throws(CivilTimeError) -> Bool {
    // What has no name is no occurrence of a series.
    if name.isEmpty { return false }
    let id = try RecurrenceID(text: name)
    guard try former.occurrence(id, context: context) == nil else { return false }
    if former.isRecurring { return true }
    // The only occurrence had none, and is the first one now.
    return try series.occurrence(id, context: context)?.span.start
      != former.occurrence(nil, context: context)?.span.start
  }

  /// What an occurrence that comes back would have rung before that is too old.
  private static let furthestReturn: Int64 = 35 * 86_400
  /// How many batches of alarms are looked at for it: everybody waits meanwhile.
  private static let mostBatches = 10

  /// Takes what fell due of occurrences while they were away: the ledger has it as due, and it is delivered late, as
  /// what was missed is, or counted with what is too old by now.
  ///
  /// What passed of the others is dealt with, also what the ledger does not know: so these are not planned again.
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

  /// Opens the reminders again that a change has ended, which did not come to its end: what it said of answers
  /// in other programs counts for nothing.
  func reopenAnswered(of series: EventSeries, by closer: UInt64) throws(StoreError) {
    for reminder in try reminders.answered(of: series.uid, in: series.calendar, by: closer) {
      try reopen(reminder, series)
    }
  }

  /// Lets a reminder that goes on waiting say what its occurrence says now. A snooze until the start or the end of that
  /// goes along: that an event is longer moves no alarm, nor does an absolute one go with its event.
  private func reword(_ reminder: Reminder, _ occurrence: Occurrence?) throws(StoreError) {
    guard let occurrence else { return }
    let next = reminder.rescheduled(by: occurrence, at: now)
    if next == reminder { return }
    if next.due != reminder.due { try reminders.record(next, at: now) }
    try reminders.reword(next)
    changes.rewordedReminders.append(next)
  }

  /// Opens a reminder that was closed. Where the series would raise it but for its
  /// calendar, for a refusal or the like, it waits for that to end.
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

  /// Returns a reminder as it waits where its occurrence is by now; one that ends stays where that was.
  func rescheduled(_ reminder: Reminder, _ outcome: PendingOutcome) -> Reminder {
    var next = reminder
    if case .keep(let occurrence?) = outcome {
      next = reminder.rescheduled(by: occurrence, at: now)
    }
    // One that has passed there, and not where it was, comes back at once.
    if !reminder.isPending {
      next.state =
        reminder.isPutOff(at: now) || next.isPutOff(at: now) ? .snoozed : .delivered
    }
    return next
  }

  /// Returns those of a series that a refusal, a hidden calendar or the like keeps closed, and that are
  /// not too old. What did not come back as its calendar was shown, does not come back any more.
  ///
  /// - Parameter series: as it is now; nil where it is gone.
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

  /// Whether a reminder that was closed is not too old where its occurrence is by now: zones may have been changed
  /// meanwhile.
  func isWorthTelling(_ reminder: Reminder, in series: EventSeries) -> Bool {
    isWorthTelling(rescheduled(reminder, outcome(of: reminder, series)))
  }

  func isWorthTelling(_ reminder: Reminder) -> Bool {
    let limit = rows.calendars[reminder.key.calendar]?.info.missedReminderPolicy ?? .usual
    return limit.deadline(of: reminder) >= now
  }

  /// Ends the reminders of a series that is removed, whose coming back opens them again: also those that its
  /// hidden calendar keeps closed, which that may show before.
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

  /// Closes what was kept closed, and waits under another name now: of a series that went out of a
  /// hidden calendar, or of a part that was split off.
  func leave(_ silenced: [Reminder]) throws(StoreError) {
    for var reminder in silenced {
      reminder.state = .closed(.eventMoved)
      try reminders.record(reminder, at: now, closer: closer)
    }
  }

  /// Carries reminders over that were pending when a series went to another calendar: a snooze goes
  /// on, under the name that it has there. In a hidden calendar they wait until it is shown. What
  /// was dismissed there before, and not put off here since, stays so, and what waited in a hidden
  /// calendar and has become too old stays behind.
  ///
  /// - Parameters:
  ///   - names: by which of them were known before the change, if it has renamed some.
  ///   - isPart: whether it was a part of another series before, and has moved a little.
  /// - Returns: those of them that wait there, or are kept closed there.
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

  /// Lets what this change has closed of a series wait under the name of one that was a part of it, and
  /// what is kept closed and the series has no more.
  ///
  /// What it has closed names it: who takes it back opens that again.
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

  /// Whether the ledger has a reminder as dismissed, and its copy in another calendar has not been
  /// put off since.
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
  /// Whether the event is where it was, and only told no more.
  var isSilence: Bool {
    switch self {
    case .calendarHidden, .declined, .cancelled, .completed: true
    case .eventRemoved, .eventMoved, .missed: false
    }
  }

  /// Whether a reminder may be closed for it that was never told.
  var canComeUntold: Bool {
    switch self {
    case .missed, .calendarHidden, .declined: true
    case .eventRemoved, .eventMoved, .cancelled, .completed: false
    }
  }

  /// A list of SQL of those for which something holds.
  static func list(_ holds: (Reminder.CloseReason) -> Bool) -> String {
    "(" + allCases.filter(holds).map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
  }
}

extension Reminder {
  /// When it is due as one that is closed: a snooze until its very trigger, by a clock that was set back, is a
  /// second longer then, since at that it would have rung.
  var dueWhenClosed: Timestamp {
    state == .snoozed && due == key.trigger ? due.adding(seconds: 1) : due
  }

  /// Whether one that was closed is to come back as a snooze: what rang lies ahead as well where the clock
  /// has been set back.
  func isPutOff(at now: Timestamp) -> Bool { due > now && due != key.trigger }

  /// - Parameter uid: of the series that it is of there; nil: the same.
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
