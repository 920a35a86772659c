import CalendarModel
import CivilTime

// Reminders whose event has moved so little that they do not ring again.

extension StoreChange {
  /// An event that moves by more than that does not move a little.
  private static let furthestMove: Int64 = 8 * 86_400
  /// No more of the alarms of a series that have passed are looked at: of those the latest, since what
  /// waits is mostly of them.
  private static let mostPassed = 20_000

  /// Returns which of the alarms that have passed a reminder is of, now that its occurrence has moved;
  /// nil where that rings again or is gone, or where it was delivered already.
  ///
  ///     at 9:00, rung at 8:50    moved at 8:51 to    is of
  ///                              9:00:30             8:50:30
  ///                              8:59                8:49
  ///                              9:05                none: it rings at 8:55
  ///
  /// - Parameters:
  ///   - former: the series before the change. Where all of it has moved, the occurrences have other
  ///     names than before, and those are none that it had. nil: it is new, and so are all of its names.
  ///   - waiting: all that wait of the series.
  ///   - leaving: those of them whose alarms are at other instants, or gone.
  ///   - passed: the alarms that are left for those of them that follow; nil at first.
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

  /// Returns the alarms that a series would have raised as it is now, of occurrences that are not
  /// over, and that are not told of any more: those that what waits may be of.
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
      // That of this second is still to come.
      let last = now.adding(seconds: -1)
      func batch() throws(CivilTimeError) -> AlarmBatch {
        try raised.alarms(
          after: after, through: last, limit: StoreChange.mostPassed,
          defaults: rows.defaults(of: series), context: context)
      }
      var found = try batch()
      // Each half as long as the one before, to the end of it.
      while found.through < last, after < last {
        after = after.adding(seconds: (last.seconds - after.seconds + 1) / 2)
        found = try batch()
        if found.through == last { rows.onLeftBehind?(series, after) }
      }
      alarms = found.alarms.filter { max($0.occurrence.span.start, $0.occurrence.span.end) > now }
    } catch {
      // It was delivered when the present alarms were searched for.
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

  /// Lets a reminder wait under the name that its alarm has now: what nobody has answered stays so,
  /// and a snooze goes on, one until the start or the end until that of now. What its event is not told of any more,
  /// or again, is closed for that reason, or open again.
  ///
  /// - Parameter id: as of ``goOn(_:as:knownAs:)``.
  func takeAlong(
    _ former: Reminder, to alarm: OccurrenceAlarm, knownAs id: String
  ) throws(StoreError) {
    var left = former
    left.state = .closed(.eventMoved)
    // It names no closer: who takes the move back moves the one that waits then, and what was
    // dismissed meanwhile does not come back.
    try reminders.record(left, at: now)
    if former.isPending {
      // Others are told of what counts for them.
      if let silence = silence(of: alarm.occurrence) { left.state = .closed(silence) }
      noteOver(left)
    }
    try goOn(former, as: alarm, knownAs: id)
  }

  /// Lets an alarm wait in the place of a reminder.
  ///
  /// - Parameter id: by which that was known before the change.
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
  /// Opens the reminders again that waited when their event was moved away, and that are not too old, where it is
  /// back where it was: a move to the wrong day that another one corrects takes away as little as one that is
  /// taken back.
  ///
  /// - Parameters:
  ///   - former: the series before the change.
  ///   - hearsAnswers: as of ``endReminders(of:over:hearsAnswers:)``.
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

  /// Whether the occurrence of a reminder was at another time. That of a part which had been split off was not there
  /// at all, and its reminders wait under another name.
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

  /// Notes that what is done to reminders next counts as done at once: what one of them was called may be the new name
  /// of another.
  func beginReminders() {
    reopenedBefore = changes.reopenedReminders.count
  }

  /// Returns by which identifiers reminders were known before the change, those of them that it has renamed already.
  func renamed(_ reminders: [Reminder]) -> [String: String] {
    if changes.formerIDs.isEmpty { return [:] }
    return Dictionary(
      reminders.compactMap { one in changes.formerIDs[one.id].map { (one.id, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Notes that a reminder does not wait any more. What the change has let wait before is not told to do so.
  func noteOver(_ reminder: Reminder) {
    changes.closedReminders.append(reminder)
    if reopenedBefore > 0 { overSince[reminder.id] = reopenedBefore }
  }

  /// Forgets what the change has let wait and ended after that.
  func dropOver() {
    if overSince.isEmpty { return }
    changes.reopenedReminders = zip(0..., changes.reopenedReminders)
      .filter { place, reminder in place >= overSince[reminder.id] ?? 0 }.map(\.1)
  }

  /// Notes that a reminder waits from now on that was known by another identifier.
  func wait(_ reminder: Reminder, knownAs former: String) {
    changes.reopenedReminders.append(reminder)
    changes.formerIDs[reminder.id] = former
  }
}
