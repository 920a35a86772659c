import CalendarModel
import CivilTime

// What becomes of a reminder that waits when its series is changed.

extension StoreChange {
  /// What becomes of a pending reminder when its series is changed.
  enum PendingOutcome {
    /// It goes on waiting, for this occurrence; nil where that cannot be placed.
    case keep(Occurrence?)
    case close(Reminder.State)

    /// Whether its occurrence is elsewhere, or not there any more.
    var isGone: Bool {
      switch self {
      case .close(.closed(.eventMoved)), .close(.closed(.eventRemoved)): true
      case .close, .keep: false
      }
    }
  }

  /// Returns what becomes of a reminder when its series has become this one.
  func outcome(of reminder: Reminder, _ series: EventSeries) -> PendingOutcome {
    let key = reminder.key
    /// Told of, unless its occurrence is not.
    func unlessSilent(_ occurrence: Occurrence) -> PendingOutcome {
      silence(of: occurrence).map { .close(.closed($0)) } ?? .keep(occurrence)
    }
    do throws(CivilTimeError) {
      let context = try rows.contextOfTelling(reminder)
      /// Where an occurrence by those zones is by the ones of now.
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
      // What a default of its calendar has raised was delivered for the occurrence, and the
      // defaults of now, or those of another calendar, do not take that back.
      let placed = try placedNow(occurrence, alarm: key.alarm, wallClockFingerprint: 0)
      guard DefaultAlarms.isDefault(key.alarm), occurrence.event.alarms.isEmpty,
        [placed, occurrence].contains(where: { $0.span.start == reminder.span.start })
      else { return .close(.closed(.eventMoved)) }
      return unlessSilent(placed)
    } catch {
      // What cannot be placed cannot be judged.
      rows.onUnplaced?(series, error)
      return .keep(nil)
    }
  }

  /// Returns the alarm that a series raises at the instant of a reminder, for the same occurrence; nil where it
  /// raises none.
  ///
  /// - Parameter context: the zones by which the reminder has its instant; see
  ///   ``SeriesRows/contextOfTelling(_:)``.
  private func alarm(
    of reminder: Reminder, where series: EventSeries, _ context: ZoneContext
  ) throws(CivilTimeError) -> OccurrenceAlarm? {
    let key = reminder.key
    // What was acknowledged elsewhere may have been put off here since.
    let alarms = try series.withoutAcknowledgements.alarms(
      after: key.trigger.adding(seconds: -1), through: key.trigger,
      defaults: rows.defaults(of: series), context: context)
    // Alarms may have been numbered again; what counts is that one rings then.
    return alarms.first { $0.recurrenceID == key.recurrenceID }
      ?? alarms.first { alarm in
        // One that is told once for an absolute alarm and one of its occurrence.
        key.recurrenceID.isEmpty || alarm.occurrence.recurrenceID?.text == key.recurrenceID
      }
  }

  /// Returns the alarm that a series raises at the instant of a reminder; nil where it raises none, or where that
  /// cannot be said.
  func alarmThere(of reminder: Reminder, _ series: EventSeries) -> OccurrenceAlarm? {
    do throws(CivilTimeError) {
      return try alarm(of: reminder, where: series, rows.contextOfTelling(reminder))
    } catch {
      rows.onUnplaced?(series, error)
      return nil
    }
  }

  /// Returns the alarm of a reminder where new zone data have put it at another instant: its event
  /// has not moved because its clock has.
  ///
  /// - Complexity: a walk over some two days of the series.
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

  /// Why an occurrence is not told of. A refusal comes before a hidden calendar: it is not
  /// over when that is shown.
  func silence(of occurrence: Occurrence) -> Reminder.CloseReason? {
    occurrence.event.isDeclined(by: rows.ownAddresses) ? .declined : rows.silence(of: occurrence)
  }

  /// Whether a change says that a reminder was answered in another program: its alarm is
  /// acknowledged as it was not before, is put off by a snooze that was not there, or was a snooze
  /// that somebody has taken away.
  ///
  /// Only what is new counts. Otherwise each edit of an event would take what was put off here
  /// after another program had acknowledged it; and the text that went out of here, with a snooze
  /// in it, would end that snooze when it comes back.
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
      // One that has passed does not ring here any more.
      return until > self.now && key.trigger <= until
    }
  }

  /// Returns the to-do that a reminder speaks of, as it is now; nil for an event.
  private func toDo(of reminder: Reminder, _ series: EventSeries) -> ToDo? {
    let text = reminder.key.recurrenceID
    let own = series.overrides.first { $0.recurrenceID?.reminderText(context) == text }
    return (own ?? series.master)?.toDo
  }

  /// Returns the occurrence that a reminder speaks of, as its series is now; nil if it has
  /// none such.
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
