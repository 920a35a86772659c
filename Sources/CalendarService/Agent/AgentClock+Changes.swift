import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import Reminders

// Handles changes of the clock and the time zone since the alarms were scheduled.

extension AgentClock {
  /// Reschedules the alarms where the clock was ahead of now when the store was last written: it
  /// was set back since, perhaps while no agent ran. Alarms that counted as past are in the future
  /// again.
  ///
  /// - Parameter mistaken: when the clock was wrong for a short time; nil when it was not.
  func rescheduleIfClockIsBehind(_ store: EventStore, mistaken: ClosedRange<Timestamp>? = nil) {
    let now = context.clock.now
    do throws(StoreError) {
      let latest = try store.latestAlarmInstant()
      guard latest > now || mistaken != nil else { return }
      if latest > now {
        context.log.warning(
          localized(
            """
            the clock was ahead: reminders were handled up to {latest}, but it is {now}; they are \
            scheduled again
            """, ["latest": "\(latest)", "now": "\(now)"]))
      }
      takeBack(
        try storage.noting { () throws(StoreError) in
          try store.replanAlarms(after: now, mistaken: mistaken)
        }.early)
    } catch {
      logFailedPlanning(error)
    }
  }

  private func logFailedPlanning(_ error: StoreError) {
    context.log.error(
      localized("cannot reschedule the reminders: {reason}", ["reason": error.text]))
  }

  /// Reschedules the alarms where they were scheduled with another zone or other zone data: changed
  /// while no agent ran, or never stored.
  func rescheduleIfZonesDiffer(_ store: EventStore) {
    let current = context.zoneFollower.planned
    do throws(StoreError) {
      let planned = try store.plannedZone()
      guard planned != current else { return }
      var isDataNew = true
      if let planned {
        isDataNew = context.zoneFollower.planned(in: planned.name) != planned
        context.log.notice(
          isDataNew
            ? localized("the time zone data has changed; the reminders are scheduled again")
            : localized(
              "the time zone was {former} and is {zone} now; the reminders are scheduled again",
              ["former": planned.name, "zone": current.name]))
      }
      _ = try storage.noting { () throws(StoreError) in
        try store.replanAlarms(
          after: context.clock.now, by: current, isDataNew: isDataNew)
      }
    } catch {
      logFailedPlanning(error)
    }
  }

  /// Withdraws reminders that were delivered only because of a wrong clock or zone.
  private func takeBack(_ early: EarlyReminders) {
    guard !early.isEmpty, let scheduler = reminders.scheduler else { return }
    context.log.notice(
      localized(
        """
        the clock or the time zone was wrong: {early} reminders were delivered too early, {missed} \
        were wrongly missed; they are scheduled again
        """, ["early": early.pending.count, "missed": early.missed]))
    let shown = scheduler.takeBack(early.pending, missed: early.missed)
    reminders.presenter.uncount(tooOld: shown)
  }

  /// Continues in the zone that the reminders were scheduled with where the machine names none.
  func resumeZone(_ store: EventStore) {
    do throws(StoreError) {
      guard let planned = try store.plannedZone(), context.zoneFollower.resume(from: planned.name)
      else {
        return
      }
      cache.forget()
      bus.changed(["TimeZone"])
    } catch {
      context.log.error(
        localized(
          "cannot read the time zone of the scheduled reminders: {reason}",
          ["reason": error.text]))
    }
  }

  func zoneChanged(_ change: ZoneFollower.Change) {
    cache.forget()
    let mistaken = timeCorrections.zoneChanged(
      from: change.former, to: context.localZone, now: context.clock.now,
      uptime: context.clock.uptimeSeconds)
    var replanned = Replanned(events: 0, reminders: [])
    if let store = storage.current {
      do throws(StoreError) {
        replanned = try storage.noting { () throws(StoreError) in
          try store.replanAlarms(
            after: context.clock.now, by: context.zoneFollower.planned, isDataNew: change.isDataNew,
            mistaken: mistaken)
        }
      } catch {
        logFailedPlanning(error)
      }
    }
    takeBack(replanned.early)
    localDay = context.today
    tellQuietChange()
    reminders.scheduler?.zonesChanged(replanned.reminders)
    if change.isRenamed { bus.changed(["TimeZone"]) }
    var details = Row()
    details.set(.reminders, .uint32(UInt32(clamping: replanned.events)))
    tellClockChanged("time-zone", details)
    refresh()
  }

  /// The machine goes to sleep, or is back, as logind has it. Where the clock has told of the
  /// second before, this is only one more look at it.
  func sleepChanged(isAsleep: Bool) {
    let isUntold = self.isAsleep && !isAsleep && !isResumeTold(to: .logind)
    self.isAsleep = isAsleep
    if !isAsleep { lookAtClock(isUntold ? .resumed : .due) }
  }

  /// The armed instant came, or the clock has jumped; so it may have heard of a resume that logind
  /// has told before, and then this is only one more look at it.
  func clockWoke(_ reason: WakeReason) {
    let isTold = reason == .resumed && isResumeTold(to: .clock)
    lookAtClock(isTold ? .due : reason)
  }

  /// Whether the other of the two has told of the resume that one tells of now. Both have word of
  /// it in the same moment, in whatever order: logind's word that the machine goes to sleep, too,
  /// may be read only when it is back.
  private func isResumeTold(to witness: ToldResume.Witness) -> Bool {
    let now = context.clock.now
    if let told = toldResume, told.witness != witness,
      abs(now.seconds - told.instant.seconds) <= ToldResume.momentSeconds
    {
      toldResume = nil
      return true
    }
    toldResume = ToldResume(witness: witness, instant: now)
    return false
  }

  // MARK: The clock, told to others

  /// The clock was set, the machine came back, or another day has begun. Whatever shows days wakes
  /// at midnight; a wake for the signal alone there is none.
  func tellClockChange(_ reason: WakeReason) {
    let isNewDay = localDay != context.today
    localDay = context.today
    if isNewDay, let store = storage.current {
      sweeper.passTime(store)
      onNewDay?(store)
      backups.takeSoon()
    }
    switch reason {
    case .resumed:
      isAsleep = false
      tellClockChanged("resume")
    case .jumped: tellClockChanged("clock-set")
    case .due: if isNewDay { tellClockChanged("day") }
    }
  }

  private func tellClockChanged(_ reason: String, _ details: Row = Row()) {
    bus.emit(Contract.calendarTable, "ClockChanged", [.string(reason), details.value])
  }
}

/// That the machine was told to be back.
struct ToldResume {
  enum Witness {
    case clock, logind
  }

  let witness: Witness
  let instant: Timestamp

  /// How far apart, in seconds, the words of two witnesses of one resume are at most; the clock may
  /// be set by some between them.
  static let momentSeconds: Int64 = 10
}
