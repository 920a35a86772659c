import CalendarStore
import CivilTime
import Platform
import Reminders

/// Arms the clock for the agent's next wake-up, and then does all the work that is due.
final class AgentClock {
  let context: AgentContext
  let storage: Storage
  let cache: AgendaCache
  let bus: BusPublisher
  let quiet: QuietKeeper
  let reminders: ReminderService
  let snapshot: SnapshotUpdater
  let backups: BackupKeeper
  let sweeper: StoreSweeper
  /// When to try again to open the store, so that reminders are delivered without a call.
  private var opening = RetryPace()
  /// The day of the last tick.
  lazy var localDay = context.today
  /// Whether the machine goes to sleep, as logind has reported, and has not resumed yet.
  var isAsleep = false
  /// Wrong clocks and zones of the last minutes.
  var timeCorrections: TimeCorrections
  /// The last resume that was reported.
  var reportedResume: ReportedResume?

  /// Runs when another day has begun.
  var onNewDay: ((EventStore) -> Void)?

  init(
    _ context: AgentContext, storage: Storage, cache: AgendaCache, bus: BusPublisher,
    quiet: QuietKeeper, reminders: ReminderService, snapshot: SnapshotUpdater,
    backups: BackupKeeper, sweeper: StoreSweeper
  ) {
    self.context = context
    self.storage = storage
    self.cache = cache
    self.bus = bus
    self.quiet = quiet
    self.reminders = reminders
    self.snapshot = snapshot
    self.backups = backups
    self.sweeper = sweeper
    timeCorrections = TimeCorrections(now: context.clock.now, uptime: context.clock.uptimeSeconds)
  }

  /// Applies the time zone and quiet time of a store that was opened, before its reminders begin.
  func begin(_ store: EventStore) {
    resumeZone(store)
    loadQuiet(store)
    rescheduleIfZonesDiffer(store)
    rescheduleIfClockIsBehind(store)
    localDay = context.today
  }

  /// Opens the store.
  ///
  /// An agent without a store keeps running, answers calls with the reason, and tries again.
  func open() {
    opening.begin()
    opening.hasFailed = (try? storage.store()) == nil
    opening.end(at: context.clock.now)
    if opening.hasFailed { snapshot.remove() }
    arm()
  }

  var nextWake: Timestamp? {
    [
      reminders.scheduler?.nextWake, snapshot.nextChange, snapshot.nextTelling, quiet.nextChange,
      reminders.notifier?.nextUpdate, isOpeningAwaited ? opening.instant : nil,
    ].compactMap(\.self).min()
  }

  func arm() { context.clock.arm(at: nextWake) }

  /// Whether the agent should try to open the store without a call.
  private var isOpeningAwaited: Bool { storage.current == nil && storage.hold == nil }

  /// Does the work that is due by now.
  func lookAtClock(_ reason: WakeReason) {
    if isOpeningAwaited, opening.instant.map({ $0 <= context.clock.now || reason != .due }) ?? false
    {
      open()
    }
    tellClockChange(reason)
    tellQuietChange()
    if reason != .due {
      let mistaken = timeCorrections.clockWasSet(
        now: context.clock.now, uptime: context.clock.uptimeSeconds)
      if let store = storage.current { rescheduleIfClockIsBehind(store, mistaken: mistaken) }
    }
    reminders.scheduler?.look()
    reminders.notifier?.update(at: context.clock.now) { [unowned self] reminder, markup in
      reminders.notificationText(of: reminder, markup: markup)
    } rewordDigest: {
      reminders.presenter.rewordDigest($0)
    }
    let isComingMore = reminders.scheduler?.hasMore ?? false
    let isShownStale = snapshot.nextChange.map { $0 <= context.clock.now } ?? true
    if isComingMore, reason == .due, !isShownStale {
      // More reminders follow at once: a new file for each batch would keep callers waiting.
      arm()
    } else {
      refresh()
    }
  }

  func refresh() {
    // Without a store there is nothing to show.
    if storage.current != nil { snapshot.refresh() }
  }
}
