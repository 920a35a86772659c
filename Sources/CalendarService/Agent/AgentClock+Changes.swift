import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Messages
import Platform
import Reminders

// Handles changes of the clock and the time zone since the alarms were scheduled.

extension AgentClock {
  /// Reschedules the alarms if the clock was set back, perhaps while no agent ran.
  ///
  /// The store has the latest handled time. Alarms that counted as past are in the future again.
  ///
  /// - Parameter mistaken: when the clock was wrong for a short time; nil if it was not.
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

  /// Reschedules the alarms if they were scheduled with another zone or other zone data.
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
    context.log.notice(localized(early.remark))
    let shown = scheduler.takeBack(early.pending, missed: early.missed)
    reminders.presenter.uncount(tooOld: shown)
  }

  /// Continues in the zone that the reminders were scheduled with, if the machine names none.
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

  /// Handles logind's signal that the machine goes to sleep or has resumed.
  ///
  /// A resume that the clock has reported before is only another tick.
  func sleepChanged(isAsleep: Bool) {
    let isNew = self.isAsleep && !isAsleep && !isResumeReported(to: .logind)
    self.isAsleep = isAsleep
    if !isAsleep { lookAtClock(isNew ? .resumed : .due) }
  }

  /// Handles a wake-up of the clock, at the armed instant or because of a jump.
  ///
  /// A resume that logind has reported before is only another tick.
  func clockWoke(_ reason: WakeReason) {
    let isReported = reason == .resumed && isResumeReported(to: .clock)
    lookAtClock(isReported ? .due : reason)
  }

  /// Returns whether the other source has already reported the resume that this one reports.
  ///
  /// Both report it within seconds, in either order: even logind's signal that the machine goes to
  /// sleep may arrive only after the resume.
  private func isResumeReported(to witness: ReportedResume.Witness) -> Bool {
    let now = context.clock.now
    if let reported = reportedResume, reported.witness != witness,
      abs(now.seconds - reported.instant.seconds) <= ReportedResume.maximumDistanceSeconds
    {
      reportedResume = nil
      return true
    }
    reportedResume = ReportedResume(witness: witness, instant: now)
    return false
  }

  // MARK: Announcing changes of the clock

  /// Announces that the clock was set, the machine has resumed, or another day has begun.
  ///
  /// The agent does not wake at midnight for this signal alone.
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

/// A report that the machine has resumed.
struct ReportedResume {
  /// The source of a report.
  enum Witness {
    case clock, logind
  }

  let witness: Witness
  let instant: Timestamp

  /// The most seconds between two reports of one resume; the clock may be set between them.
  static let maximumDistanceSeconds: Int64 = 10
}

extension EarlyReminders {
  /// What is done about them, for the log.
  var remark: UserText {
    UserText(
      "the clock or the time zone was wrong: {early}, {missed}; they are scheduled again",
      [
        "early": UserText(
          pending.count, one: "{count} reminder was delivered too early",
          other: "{count} reminders were delivered too early"),
        "missed": UserText(
          missed, one: "{count} was wrongly missed", other: "{count} were wrongly missed"),
      ])
  }
}
