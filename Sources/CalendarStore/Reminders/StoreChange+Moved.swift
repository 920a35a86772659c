import CalendarModel
import CivilTime

// Reminders whose event has moved so little that they do not fire again.

extension StoreChange {
  /// The farthest move that counts as small, in seconds.
  private static let furthestMove: Int64 = 8 * 86_400
  /// The most past alarms of a series that are checked, the latest ones.
  private static let mostPassed = 20_000

  /// Returns the past alarm that a reminder belongs to now that its occurrence has moved.
  ///
  /// nil if the alarm fires again, is gone, or was delivered already.
  ///
  ///     at 9:00, delivered 8:50    moved at 8:51 to    belongs to
  ///                                9:00:30             8:50:30
  ///                                8:59                8:49
  ///                                9:05                none: it fires at 8:55
  ///
  /// - Parameters:
  ///   - former: the series before the change; nil if it is new. If the whole series has moved, its
  ///     occurrences have names that it did not have before.
  ///   - waiting: all pending and silenced reminders of the series.
  ///   - leaving: the keys of those whose alarms have moved or are gone.
  ///   - passed: the past alarms left for further reminders; nil at first.
  func alarm(
    of reminder: Reminder, _ series: EventSeries, over former: EventSeries?,
    like waiting: [Reminder], leaving: Set<ReminderKey> = [], _ passed: inout ElapsedAlarms?
  ) throws(StoreError) -> OccurrenceAlarm? {
    var alarms = passed ?? passedAlarms(of: series, over: former, like: waiting)
    passed = nil
    defer { passed = alarms }
    if alarms.isEmpty { return nil }
    let isNamedSo: Bool
    do throws(CivilTimeError) {
      isNamedSo = try occurrence(of: reminder, series, context) != nil
    } catch {
      return nil
    }
    return try alarms.take(for: reminder, isNamedSo: isNamedSo) { (alarm) throws(StoreError) in
      try reminders.hasAnother(than: reminder.key, for: alarm, leaving: leaving)
    }
  }

  /// Returns past alarms of unfinished occurrences, which pending reminders may belong to.
  private func passedAlarms(
    of series: EventSeries, over former: EventSeries?, like waiting: [Reminder]
  ) -> ElapsedAlarms {
    // An alarm may be weeks before its occurrence.
    let earliest = waiting.filter { max($0.span.start, $0.span.end) > now }.map(\.key.trigger).min()
    var alarms: [OccurrenceAlarm] = []
    do throws(CivilTimeError) {
      let raised = series.withoutAcknowledgements
      var after =
        series.isRecurring
        ? min(now, earliest ?? now).adding(seconds: -StoreChange.furthestMove) : .earliest
      // An alarm of this second is still to come.
      let last = now.adding(seconds: -1)
      func batch() throws(CivilTimeError) -> AlarmBatch {
        try raised.alarms(
          after: after, through: last, limit: StoreChange.mostPassed,
          defaults: rows.defaults(of: series), context: context)
      }
      var found = try batch()
      // If there are too many, look at the later half, until the batch reaches the end.
      while found.through < last, after < last {
        after = after.adding(seconds: (last.seconds - after.seconds + 1) / 2)
        found = try batch()
        if found.through == last { rows.onLeftBehind?(series, after) }
      }
      alarms = found.alarms.filter { max($0.occurrence.span.start, $0.occurrence.span.end) > now }
    } catch {
      // This error was reported when the present alarms were computed.
    }
    return ElapsedAlarms(alarms) { [context] alarm in
      guard let former else { return true }
      do throws(CivilTimeError) {
        return try former.occurrence(alarm.occurrence.recurrenceID, context: context) == nil
      } catch {
        return false
      }
    }
  }

  /// Moves a reminder to the new key of its alarm.
  ///
  /// Unanswered ones stay so, and a snooze continues; one until the start or end moves with it. If
  /// the event is silenced now, or no longer, the reminder is closed or reopened.
  ///
  /// - Parameter id: see ``goOn(_:as:knownAs:)``.
  func takeAlong(
    _ former: Reminder, to alarm: OccurrenceAlarm, knownAs id: String
  ) throws(StoreError) {
    var left = former
    left.state = .closed(.eventMoved)
    // It has no closing revision: undoing the move moves the pending one back, and must not reopen
    // one that was dismissed meanwhile.
    try reminders.record(left, at: now)
    if former.isPending {
      // Report the reason that counts for clients.
      if let silence = silence(of: alarm.occurrence) { left.state = .closed(silence) }
      noteOver(left)
    }
    try goOn(former, as: alarm, knownAs: id)
  }

  /// Makes an alarm pending in place of a reminder.
  ///
  /// - Parameter id: the reminder's id before the change.
  func goOn(
    _ former: Reminder, as alarm: OccurrenceAlarm, knownAs id: String
  ) throws(StoreError) {
    var reminder = Reminder(alarm)
    reminder.isMissed = former.isMissed
    reminder.takeSnooze(of: former, at: now)
    let silence = silence(of: alarm.occurrence)
    reminder.state =
      if let silence {
        .closed(silence)
      } else if former.isPending {
        former.state
      } else {
        former.isSnoozed(at: now) ? .snoozed : .delivered
      }
    try reminders.record(reminder, at: now, closer: silence == nil ? nil : closer)
    try reminders.reword(reminder)
    if silence == nil { wait(reminder, knownAs: id) } else { changes.formerIDs[reminder.id] = id }
  }
}

extension StoreChange {
  /// Reopens reminders that were closed by a move when their event is back where it was.
  ///
  /// Correcting a wrong move thus loses as little as undoing it. Reminders that are too old stay
  /// closed.
  ///
  /// - Parameters:
  ///   - former: the series before the change.
  ///   - hearsAnswers: see ``endReminders(of:over:hearsAnswers:)``.
  func returnMoved(
    of series: EventSeries, over former: EventSeries, hearsAnswers: Bool
  ) throws(StoreError) {
    let isAllMoved = former.master?.start != series.master?.start
    guard isAllMoved || former.overrides != series.overrides else { return }
    let seconds =
      (former.master?.start.reading.linearSeconds ?? 0)
      - (series.master?.start.reading.linearSeconds ?? 0)
    let away = try reminders.movedAway(of: series.uid, in: series.calendar, by: seconds)
    for reminder in away where isWorthTelling(reminder, in: series) {
      guard let alarm = alarmThere(of: reminder, series),
        wasElsewhere(reminder, former, isAllMoved: isAllMoved),
        try !reminders.hasAnother(than: reminder.key, for: alarm, leaving: [])
      else { continue }
      if hearsAnswers, isAnsweredElsewhere(reminder, former, series) { continue }
      try reopen(reminder, series)
    }
  }

  /// Whether the occurrence of a reminder was at another time before.
  ///
  /// An occurrence that had been split off was not in the series, and its reminders have another
  /// key.
  private func wasElsewhere(
    _ reminder: Reminder, _ former: EventSeries, isAllMoved: Bool
  ) -> Bool {
    do throws(CivilTimeError) {
      let occurrence = try occurrence(of: reminder, former, context)
      return occurrence.map { $0.span.start != reminder.span.start } ?? isAllMoved
    } catch {
      return false
    }
  }

  /// Begins operations on reminders that count as simultaneous, so that ids may be exchanged.
  func beginReminders() {
    reopenedBefore = changes.reopenedReminders.count
  }

  /// Returns the ids before the change of those reminders that it has already renamed.
  func renamed(_ reminders: [Reminder]) -> [String: String] {
    if changes.formerIDs.isEmpty { return [:] }
    return Dictionary(
      reminders.compactMap { one in changes.formerIDs[one.id].map { (one.id, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Records that a reminder is closed; it is then not reported as reopened earlier in the change.
  func noteOver(_ reminder: Reminder) {
    changes.closedReminders.append(reminder)
    if reopenedBefore > 0 { overSince[reminder.id] = reopenedBefore }
  }

  /// Removes reminders that the change reopened and then closed.
  func dropOver() {
    if overSince.isEmpty { return }
    changes.reopenedReminders = zip(0..., changes.reopenedReminders)
      .filter { place, reminder in place >= overSince[reminder.id] ?? 0 }.map(\.1)
  }

  /// Records that a reminder is pending that had another id before.
  func wait(_ reminder: Reminder, knownAs former: String) {
    changes.reopenedReminders.append(reminder)
    changes.formerIDs[reminder.id] = former
  }
}
