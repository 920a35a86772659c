import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar

// Reminders that an import removes.

extension ImportRun {
  /// Counts an event that loses future reminders with its new version, or reminders that wait for
  /// an answer: somebody may have set them here. Not for a table, which has no columns for
  /// reminders and a problem of its own about that.
  ///
  /// - Parameter exceptions: overrides that another part of the series has removed, and that the
  ///   new version may have.
  /// - Throws: ``StoreError`` from reading the pending reminders.
  func noteRemindersGone(
    from present: EventSeries?, and exceptions: [Event] = [], in new: EventSeries,
    
  ) throws(StoreError) {
    let context = zoneContext
    guard source.table == nil, let present,
      let gone = present.having(exceptions, context)
        .withAlarms(goneIn: new, ownAddresses: access.context.configuration.addresses, context)
    else { return }
    var alarms = gone.futureAlarms(after: began, context)
    if alarms.isEmpty, let master = new.master,
      defaults(of: new.calendar).alarms(of: master).allSatisfy({ $0.action == .none }),
      try hasWaiting(at: place(of: new))
    {
      alarms = gone.components.flatMap(\.alarms)
    }
    guard !alarms.isEmpty, reading.reportedReminders.insert(place(of: new)).inserted else { return }
    reading.notes.count(
      .init(new), gone: Set(alarms.map(Ring.init)).count, isReplaced: request.mode == .replace)
  }

  /// Whether a reminder of an event waited for an answer when this was first asked.
  ///
  /// - Throws: ``StoreError`` from reading the pending reminders.
  func hasWaiting(at place: Place) throws(StoreError) -> Bool {
    if let waiting = reading.waiting { return waiting.contains(place) }
    let all = try store.pendingReminders()
    let waiting = Set(all.map { Place(calendar: $0.key.calendar, uid: $0.key.uid) })
    reading.waiting = waiting
    return waiting.contains(place)
  }
}

/// What people notice of an alarm, whatever its UID.
private struct Ring: Hashable {
  let action: Alarm.Action
  let trigger: Alarm.Trigger
  let isOnClock: Bool

  init(_ alarm: Alarm) {
    (action, trigger, isOnClock) = (alarm.action, alarm.trigger, alarm.isOnClock)
  }
}

extension Event {
  /// Returns the alarms that another version of the event does not have; none where either version
  /// is declined, or the other one is cancelled or a finished to-do.
  fileprivate func alarms(goneIn new: Event?, ownAddresses: [String]) -> [Alarm] {
    guard !alarms.isEmpty, let new, alarms != new.alarms, !new.isCancelled,
      new.toDo?.isClosed != true,
      ![self, new].contains(where: { $0.isDeclined(by: ownAddresses) })
    else { return [] }
    let kept = Set(new.alarms.map(Ring.init))
    // Nobody has set a snooze as a reminder.
    return alarms.filter { $0.snoozeOf == nil && !kept.contains(Ring($0)) }
  }

  fileprivate func having(_ alarms: [Alarm]) -> Event {
    var event = self
    event.alarms = alarms
    return event
  }
}

extension EventSeries {
  /// Returns the series with the given overrides that it does not have in any spelling.
  fileprivate func having(_ exceptions: [Event], _ context: ZoneContext) -> EventSeries {
    if exceptions.isEmpty { return self }
    return EventSeries(
      calendar: calendar, master: master, overrides: overrides + without(exceptions, context),
      countedEnds: countedEnds)
  }

  /// Returns the series with only those alarms that another version does not have for the same
  /// event or override; nil where there are none. An override that the other version lacks
  /// altogether is ignored.
  fileprivate func withAlarms(
    goneIn new: EventSeries, ownAddresses: [String], _ context: ZoneContext
  ) -> EventSeries? {
    let ofMaster = master?.alarms(goneIn: new.master, ownAddresses: ownAddresses) ?? []
    var ofOverrides = overrides.map { _ in [Alarm]() }
    if overrides.contains(where: { !$0.alarms.isEmpty }) {
      let instances = ReplacedInstances(of: master, context: context)
      let theirs = Dictionary(
        new.overrides.map { (instances.instance(of: $0), $0) }, uniquingKeysWith: { one, _ in one })
      ofOverrides = overrides.map {
        $0.alarms(goneIn: theirs[instances.instance(of: $0)], ownAddresses: ownAddresses)
      }
    }
    guard !ofMaster.isEmpty || ofOverrides.contains(where: { !$0.isEmpty }) else { return nil }
    return EventSeries(
      calendar: calendar, master: master?.having(ofMaster),
      overrides: zip(overrides, ofOverrides).map { $0.having($1) }, countedEnds: countedEnds)
  }

  /// Returns the alarms that fire after an instant; for a series, all alarms if any of them does.
  /// In a zone that is not installed nothing fires.
  fileprivate func futureAlarms(after instant: Timestamp, _ context: ZoneContext) -> [Alarm] {
    if !isRecurring {
      let all = try? alarms(after: instant, through: .latest, context: context)
      return (all ?? []).map(\.alarm)
    }
    let next = try? nextAlarm(after: instant, context: context)
    return next == nil ? [] : components.flatMap(\.alarms)
  }
}
