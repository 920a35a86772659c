import CalendarModel
import CivilTime

// What becomes of a pending reminder when its series changes.

extension StoreChange {
  /// The effect of a change on a pending reminder.
  enum PendingOutcome {
    /// It stays pending, for this occurrence; nil if the occurrence cannot be placed.
    case keep(Occurrence?)
    case close(Reminder.State)

    /// Whether its occurrence has moved or was removed.
    var isGone: Bool {
      switch self {
      case .close(.closed(.eventMoved)), .close(.closed(.eventRemoved)): true
      case .close, .keep: false
      }
    }
  }

  /// Returns what becomes of a reminder now that its series is this one.
  func outcome(of reminder: Reminder, _ series: EventSeries) -> PendingOutcome {
    let key = reminder.key
    /// Keeps the reminder, unless its occurrence is silent.
    func unlessSilent(_ occurrence: Occurrence) -> PendingOutcome {
      silence(of: occurrence).map { .close(.closed($0)) } ?? .keep(occurrence)
    }
    do throws(CivilTimeError) {
      let context = try rows.contextOfTelling(reminder)
      /// Returns an occurrence in the former zone as it is in the present one.
      func placedNow(
        _ occurrence: Occurrence, alarm: String, wallClockFingerprint: Int64
      ) throws(CivilTimeError) -> Occurrence {
        guard context.local.name != self.context.local.name else { return occurrence }
        return try rows.occurrence(
          of: series, alarm: alarm, wallClockFingerprint: wallClockFingerprint, near: key.trigger,
          occurrence.recurrenceID)
          ?? occurrence
      }
      if let alarm = try alarm(of: reminder, where: series, context) {
        return try unlessSilent(
          placedNow(alarm.occurrence, alarm: alarm.alarm.id, wallClockFingerprint: alarm.wallClockFingerprint))
      }
      if let alarm = try alarmMovedByZones(reminder, series) {
        return unlessSilent(alarm.occurrence)
      }
      if let toDo = toDo(of: reminder, series), toDo.isClosed { return .close(.closed(.completed)) }
      guard let occurrence = try occurrence(of: reminder, series, context) else {
        let isTakenOut =
          try key.recurrenceID.isEmpty
          ? false : series.isTakenOut(RecurrenceID(text: key.recurrenceID), context: context)
        return .close(.closed(isTakenOut ? .eventRemoved : .eventMoved))
      }
      if occurrence.event.status == .cancelled { return .close(.closed(.cancelled)) }
      // A reminder from a calendar's default alarm was delivered for the occurrence; other
      // defaults, or those of another calendar, do not revoke it.
      let placed = try placedNow(occurrence, alarm: key.alarm, wallClockFingerprint: 0)
      guard DefaultAlarms.isDefault(key.alarm), occurrence.event.alarms.isEmpty,
        [placed, occurrence].contains(where: { $0.span.start == reminder.span.start })
      else { return .close(.closed(.eventMoved)) }
      return unlessSilent(placed)
    } catch {
      // An occurrence that cannot be placed cannot be judged.
      rows.onUnplaced?(series, error)
      return .keep(nil)
    }
  }

  /// Returns the alarm of a series at the instant of a reminder, for the same occurrence; else nil.
  ///
  /// - Parameter context: the zones in which the reminder has its instant; see
  ///   ``SeriesRows/contextOfTelling(_:)``.
  private func alarm(
    of reminder: Reminder, where series: EventSeries, _ context: ZoneContext
  ) throws(CivilTimeError) -> OccurrenceAlarm? {
    let key = reminder.key
    // An alarm that was acknowledged elsewhere may have been snoozed here since.
    let alarms = try series.withoutAcknowledgements.alarms(
      after: key.trigger.adding(seconds: -1), through: key.trigger,
      defaults: rows.defaults(of: series), context: context)
    // Alarms may have new ids; what counts is that one fires at that instant.
    return alarms.first { $0.recurrenceID == key.recurrenceID }
      ?? alarms.first { alarm in
        // One side is for an absolute alarm, delivered once; the other is for its occurrence.
        key.recurrenceID.isEmpty || alarm.occurrence.recurrenceID?.text == key.recurrenceID
      }
  }

  /// Returns the alarm of a series at the instant of a reminder; nil if none, or not computable.
  func alarmThere(of reminder: Reminder, _ series: EventSeries) -> OccurrenceAlarm? {
    do throws(CivilTimeError) {
      return try alarm(of: reminder, where: series, rows.contextOfTelling(reminder))
    } catch {
      rows.onUnplaced?(series, error)
      return nil
    }
  }

  /// Returns the alarm of a reminder that new zone data moved to another instant.
  ///
  /// The event has not moved if only its clock has.
  ///
  /// - Complexity: expands about two days of the series.
  private func alarmMovedByZones(
    _ reminder: Reminder, _ series: EventSeries
  ) throws(CivilTimeError) -> OccurrenceAlarm? {
    guard reminder.wallClockFingerprint != 0 else { return nil }
    let trigger = reminder.key.trigger
    return try series.withoutAcknowledgements.alarms(
      after: trigger.adding(seconds: -ZoneChangeDeduplicator.furthestSeconds),
      through: trigger.adding(seconds: ZoneChangeDeduplicator.furthestSeconds),
      defaults: rows.defaults(of: series), context: context
    ).first { $0.wallClockFingerprint == reminder.wallClockFingerprint && $0.alarm.id == reminder.key.alarm }
  }

  /// Returns why an occurrence's reminders are not delivered; nil if they are.
  ///
  /// A declined invitation comes before a hidden calendar: it stays silent when that is shown.
  func silence(of occurrence: Occurrence) -> Reminder.CloseReason? {
    occurrence.event.isDeclined(by: rows.ownAddresses) ? .declined : rows.silence(of: occurrence)
  }

  /// Whether a change shows that a reminder was answered in another program.
  ///
  /// That is if its alarm is newly acknowledged, has a new snooze, or was a snooze that is gone.
  /// Only what is new counts: otherwise any edit would close reminders that were snoozed here
  /// later, and an exported snooze of ours would end itself when it comes back.
  func isAnsweredElsewhere(
    _ reminder: Reminder, _ former: EventSeries, _ series: EventSeries
  ) -> Bool {
    let key = reminder.key
    func acknowledged(_ id: String, in series: EventSeries) -> Timestamp {
      series.alarms(named: id).compactMap(\.acknowledged).max() ?? .earliest
    }
    let snooze = Alarm.snoozeID(of: reminder.id)
    if reminder.snoozes > 0, !series.alarms(named: snooze).isEmpty {
      return acknowledged(snooze, in: series) >= reminder.due
    }
    let now = acknowledged(key.alarm, in: series)
    if now >= key.trigger, now > acknowledged(key.alarm, in: former) { return true }
    let wasSnooze = former.alarms(named: key.alarm).contains { $0.snoozeOf != nil }
    if wasSnooze, series.alarms(named: key.alarm).isEmpty { return true }
    let known = Set(former.components.flatMap(\.alarms).map(\.id))
    return series.components.flatMap(\.alarms).contains { alarm in
      guard alarm.snoozeOf == key.alarm, !known.contains(alarm.id),
        case .absolute(let until) = alarm.trigger
      else { return false }
      // A snooze that has ended does not fire here any more.
      return until > self.now && key.trigger <= until
    }
  }

  /// Returns the present to-do that a reminder is about; nil for an event.
  private func toDo(of reminder: Reminder, _ series: EventSeries) -> ToDo? {
    let text = reminder.key.recurrenceID
    let own = series.overrides.first { $0.recurrenceID?.reminderText(context) == text }
    return (own ?? series.master)?.toDo
  }

  /// Returns the present occurrence that a reminder is about; nil if there is none.
  func occurrence(
    of reminder: Reminder, _ series: EventSeries, _ context: ZoneContext
  ) throws(CivilTimeError) -> Occurrence? {
    let text = reminder.key.recurrenceID
    return try series.occurrence(
      text.isEmpty ? nil : RecurrenceID(text: text), context: context)
  }
}

extension EventSeries {
  fileprivate func alarms(named id: String) -> [Alarm] {
    components.flatMap { $0.alarms.filter { $0.id == id } }
  }
}
