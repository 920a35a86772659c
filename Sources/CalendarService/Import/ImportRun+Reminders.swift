import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import ICalendar

// What an import tells of reminders that were here.

extension ImportRun {
  /// Counts an event of which reminders that would have rung go with what takes its place, or wait and have nothing to go
  /// along with: somebody may have set them here. Of a table that is told by itself, since it has no columns for them.
  ///
  /// - Parameter exceptions: those that have gone with another part of the series, and may be in what has come.
  /// - Throws: ``StoreError`` of the look at what waits.
  func noteRemindersGone(
    from present: EventSeries?, and exceptions: [Event] = [], in new: EventSeries,
    _ agent: CalendarAgent
  ) throws(StoreError) {
    let context = context(agent)
    guard source.table == nil, let present,
      let gone = present.having(exceptions, context)
        .withAlarms(goneIn: new, ownAddresses: agent.configuration.addresses, context)
    else { return }
    var alarms = gone.alarmsToCome(after: began, context)
    if alarms.isEmpty, let master = new.master,
      defaults(of: new.calendar).alarms(of: master).allSatisfy({ $0.action == .none }),
      try hasWaiting(at: place(of: new))
    {
      alarms = gone.components.flatMap(\.alarms)
    }
    guard !alarms.isEmpty, reading.toldReminders.insert(place(of: new)).inserted else { return }
    reading.notes.count(
      .init(new), gone: Set(alarms.map(Ring.init)).count, isReplaced: request.mode == .replace)
  }

  /// Whether a reminder of what was at a place waited for an answer as that was asked for the first time.
  func hasWaiting(at place: Place) throws(StoreError) -> Bool {
    if let waiting = reading.waiting { return waiting.contains(place) }
    let all = try store.pendingReminders()
    let waiting = Set(all.map { Place(calendar: $0.key.calendar, uid: $0.key.uid) })
    reading.waiting = waiting
    return waiting.contains(place)
  }
}

/// What there is to be heard or seen of an alarm, whatever it is called.
private struct Ring: Hashable {
  let action: Alarm.Action
  let trigger: Alarm.Trigger
  let isOnClock: Bool

  init(_ alarm: Alarm) {
    (action, trigger, isOnClock) = (alarm.action, alarm.trigger, alarm.isOnClock)
  }
}

extension Event {
  /// Returns its alarms that another version of it has not; none where one of them is declined, or that is cancelled,
  /// or a to-do that is done.
  fileprivate func alarms(goneIn new: Event?, ownAddresses: [String]) -> [Alarm] {
    guard !alarms.isEmpty, let new, alarms != new.alarms, !new.isCancelled,
      new.toDo?.isClosed != true,
      ![self, new].contains(where: { $0.isDeclined(by: ownAddresses) })
    else { return [] }
    let kept = Set(new.alarms.map(Ring.init))
    // A snooze was put off, and not set.
    return alarms.filter { $0.snoozeOf == nil && !kept.contains(Ring($0)) }
  }

  fileprivate func having(_ alarms: [Alarm]) -> Event {
    var event = self
    event.alarms = alarms
    return event
  }
}

extension EventSeries {
  /// Returns the series with those of some exceptions, too, that it has not in any spelling.
  fileprivate func having(_ exceptions: [Event], _ context: ZoneContext) -> EventSeries {
    if exceptions.isEmpty { return self }
    return EventSeries(
      calendar: calendar, master: master, overrides: overrides + without(exceptions, context),
      countedEnds: countedEnds)
  }

  /// Returns the series with those of its alarms alone that another version has not for the same event or changed
  /// occurrence; nil where there are none. With an exception that the other has not at all they go unsaid.
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

  /// Returns the alarms that ring after a moment, and of what repeats all if one of them does. In a zone that is not
  /// installed nothing rings.
  fileprivate func alarmsToCome(after moment: Timestamp, _ context: ZoneContext) -> [Alarm] {
    if !isRecurring {
      let all = try? alarms(after: moment, through: .latest, context: context)
      return (all ?? []).map(\.alarm)
    }
    let next = try? nextAlarm(after: moment, context: context)
    return next == nil ? [] : components.flatMap(\.alarms)
  }
}
