package import CalendarModel
import CivilTime

/// The hand that writes inside ``EventStore/change(origin:now:_:)``, and is
/// good for nothing once that has returned.
///
/// When one of its steps fails, the whole change fails, also if the body catches
/// the error: half a series must not be committed.
package final class StoreChange {
  private let rows: SeriesRows
  private let log: ChangeLog
  private let reminders: ReminderRows
  private let now: Timestamp
  private let context: ZoneContext
  private let revision: UInt64
  private var changes: ChangeSet
  private var touched: [SeriesName: ChangeLog.Change] = [:]
  private var order: [SeriesName] = []
  private var failure: StoreError?
  private var isOver = false

  init(
    rows: SeriesRows, log: ChangeLog, reminders: ReminderRows, origin: ChangeOrigin, now: Timestamp
  ) {
    self.rows = rows
    self.log = log
    self.reminders = reminders
    self.now = now
    context = rows.context
    revision = log.revision + 1
    changes = ChangeSet(revision: log.revision, origin: origin)
  }

  /// Returns a series as it is now, with what this change has done to it.
  ///
  /// - Parameter calendar: nil looks in all, the default one first.
  package func series(_ uid: EventUID, in calendar: CalendarID?) throws(StoreError) -> EventSeries?
  {
    precondition(!isOver, "a change is over when its body has returned")
    return try rows.series(uid, in: calendar)
  }

  /// Writes a series, in place of the one that this calendar has under its uid.
  ///
  /// One that is there word for word already is no change. Alarms before now are
  /// taken as past, but for those of the former series that fell due and have
  /// not been taken yet. Reminders still pending that the new series would not
  /// raise are closed as moved.
  ///
  /// - Throws: ``StoreError/unknownCalendar(_:)`` and what writing brings up.
  package func put(_ series: EventSeries) throws(StoreError) {
    try step { () throws(StoreError) in
      guard let calendar = rows.calendars[series.calendar] else {
        throw StoreError.unknownCalendar(series.calendar)
      }
      let name = SeriesName(calendar: series.calendar, uid: series.uid)
      guard let old = try rows.find(series.uid, in: calendar.key) else {
        // An alarm of this very second is still to come: "start now, ring now".
        changes.touch(
          try rows.insert(
            series, in: calendar.key, revision: revision,
            alarmsThrough: now.adding(seconds: -1), context: context))
        note(.added, name)
        return
      }
      if try rows.load(old).components == series.components { return }
      if let span = try rows.spans.span(of: old.key) { changes.touch(span) }
      changes.touch(
        try rows.update(
          old.key, to: series, revision: revision, alarmsThrough: old.alarmsPast(now),
          context: context))
      note(.updated, name)
      for reminder in try reminders.pending(of: series.uid, in: series.calendar) {
        if let state = stateAfterChange(of: reminder, series) {
          try end(reminder, as: state)
        }
      }
    }
  }

  /// Removes a series and returns whether there was one. Its pending reminders
  /// are closed.
  ///
  /// - Throws: ``StoreError/unknownCalendar(_:)`` and what writing brings up.
  package func remove(_ uid: EventUID, from calendar: CalendarID) throws(StoreError) -> Bool {
    try step { () throws(StoreError) in
      guard let owner = rows.calendars[calendar] else {
        throw StoreError.unknownCalendar(calendar)
      }
      guard let old = try rows.find(uid, in: owner.key) else { return false }
      if let span = try rows.spans.span(of: old.key) { changes.touch(span) }
      try rows.remove(old.key)
      note(.removed, SeriesName(calendar: calendar, uid: uid))
      for reminder in try reminders.pending(of: uid, in: calendar) {
        try end(reminder, as: .closed(.eventRemoved))
      }
      return true
    }
  }

  /// Keeps the VTIMEZONE of a zone that is not installed. It is no change of an
  /// event and does not count as one.
  package func put(zone id: String, component: String) throws(StoreError) {
    try step { () throws(StoreError) in
      let row = try rows.database.statement(
        "INSERT OR REPLACE INTO zones (id, component) VALUES (?1, ?2)")
      row.bind(1, id)
      row.bind(2, component)
      try row.run()
    }
  }

  // MARK: The end

  /// Writes the log and returns what happened; the caller commits.
  func finish() throws(StoreError) -> ChangeSet {
    if let failure { throw failure }
    for name in order {
      guard let change = touched.removeValue(forKey: name) else { continue }
      try log.append(
        change, name.uid, in: name.calendar, revision: revision, origin: changes.origin, at: now)
      changes.uids.append(name.uid)
      changes.calendars.insert(name.calendar)
      switch change {
      case .added: changes.added += 1
      case .updated: changes.updated += 1
      case .removed: changes.removed += 1
      }
    }
    guard !changes.isEmpty else {
      changes.span = nil
      return changes
    }
    try log.write(revision: revision)
    changes.revision = revision
    return changes
  }

  func close() {
    isOver = true
  }

  // MARK: Steps

  private func step<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    precondition(!isOver, "a change is over when its body has returned")
    do throws(StoreError) { return try body() } catch {
      failure = failure ?? error
      throw error
    }
  }

  /// Notes what became of a series, in terms of how it was before the change.
  private func note(_ change: ChangeLog.Change, _ name: SeriesName) {
    switch (touched[name], change) {
    case (nil, _):
      touched[name] = change
      order.append(name)
    case (.added, .removed): touched[name] = nil
    case (.added, _): break
    case (.removed, .added): touched[name] = .updated
    default: touched[name] = change
    }
  }

  private func end(_ reminder: Reminder, as state: Reminder.State) throws(StoreError) {
    var ended = reminder
    ended.state = state
    try reminders.record(ended, at: now)
    changes.closedReminders.append(ended)
  }

  /// Returns the state in which a reminder ends when its series has become this
  /// one; nil if it stands.
  private func stateAfterChange(of reminder: Reminder, _ series: EventSeries) -> Reminder.State? {
    let key = reminder.key
    let isAcknowledged = series.components.contains { event in
      event.alarms.contains { alarm in
        alarm.id == key.alarm && alarm.acknowledged.map { $0 >= key.trigger } ?? false
      }
    }
    if isAcknowledged { return .acknowledged }
    let alarms: [OccurrenceAlarm]
    do throws(CivilTimeError) {
      alarms = try series.alarms(
        after: key.trigger.adding(seconds: -1), through: key.trigger,
        defaults: rows.defaults(of: series), context: context)
    } catch {
      // What cannot be placed cannot be judged.
      rows.onUnplaced?(series, error)
      return nil
    }
    // Alarms may have been numbered anew; what counts is that one rings then.
    return alarms.contains { $0.recurrenceID == key.recurrenceID } ? nil : .closed(.eventMoved)
  }
}
