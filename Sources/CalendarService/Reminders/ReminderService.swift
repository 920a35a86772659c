import CalendarBus
import CalendarModel
import CalendarStore
import Messages
import Platform
import Reminders
import Widgets

/// Connects the scheduler of reminders with the store, the notifications and changes of events.
final class ReminderService {
  let context: AgentContext
  let storage: Storage
  let bus: BusPublisher
  let quiet: QuietKeeper
  let hooks: HookRunner
  let notifier: DesktopNotifier?
  let opener: AddressOpener
  let loginWatch: LoginWatch
  let longWork: LongWork
  /// nil until there is a store.
  var scheduler: ReminderScheduler?
  private(set) lazy var presenter = ReminderPresenter(self)
  /// Former IDs of reminders, until the new ones are announced.
  var formerNames = ReminderIDAliases()

  /// Runs when the time of the next wake-up may have changed.
  var onNextWakeChanged: (() -> Void)?
  /// Runs when somebody has dismissed a reminder here.
  var onDismissed: ((Reminder) -> Void)?
  /// Runs when the pending reminders have changed.
  var onPendingChanged: (() -> Void)?

  init(
    _ context: AgentContext, storage: Storage, bus: BusPublisher, quiet: QuietKeeper,
    hooks: HookRunner, notifier: DesktopNotifier?, opener: AddressOpener, loginWatch: LoginWatch,
    longWork: LongWork
  ) {
    self.context = context
    self.storage = storage
    self.bus = bus
    self.quiet = quiet
    self.hooks = hooks
    self.notifier = notifier
    self.opener = opener
    self.loginWatch = loginWatch
    self.longWork = longWork
  }

  /// Starts the reminders of a store that was opened.
  func begin(_ store: EventStore) {
    let scheduler = ReminderScheduler(
      clock: context.clock, ledger: StoreLedger(store, in: storage), sink: presenter,
      stopwatch: SystemCalls.monotonicNanoseconds)
    scheduler.onNextWakeChanged = { [unowned self] _ in onNextWakeChanged?() }
    scheduler.quietEnd = { [unowned self] in quiet.end(at: $0) }
    scheduler.wasQuiet = { [unowned self] in quiet.wasQuiet(at: $0) }
    scheduler.isOnScreen = { [unowned self] in notifier?.subject(of: $0) != nil }
    scheduler.isOnScreenAlone = { [unowned self] in
      notifier?.subject(of: $0.id) == $0.notificationSubject
    }
    scheduler.onError = { [unowned self] in failed($0) }
    // A single successful write is not enough: a nearly full disk has room for a small one.
    scheduler.onLookWithoutError = { [unowned self] in presenter.ledgerFault.works() }
    self.scheduler = scheduler
    readMissedReminderPolicies(store)
    scheduler.start()
    notifier?.keep { scheduler.pending(id: $0)?.state == .delivered }
    resumeUnlockSnoozes()
  }

  /// Reports once that due reminders cannot be stored, and so are not delivered.
  private func failed(_ error: any Error) {
    context.log.error(localized("reminders: {reason}", ["reason": UserText(error)]))
    if let failure = storage.failure { presenter.ledgerFault.fails(failure.message) }
  }

  /// Returns the scheduler for a call, and opens the store if it is not open.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  func openScheduler() throws(CallError) -> ReminderScheduler {
    _ = try storage.store()
    guard let scheduler else {
      throw CallError(.storageFailed, localized("the reminders are not ready yet; try again soon"))
    }
    return scheduler
  }

  // MARK: Changes of events

  /// Reads how late the reminders of each calendar may be shown.
  func readMissedReminderPolicies(_ store: EventStore) {
    guard let scheduler else { return }
    do throws(StoreError) {
      scheduler.missedReminderPolicy = Dictionary(
        try store.calendars().map { ($0.id, $0.missedReminderPolicy) },
        uniquingKeysWith: { first, _ in first })
    } catch {
      context.log.error(
        localized("cannot read how late reminders may be shown: {reason}", ["reason": error.text]))
    }
  }

  /// Updates the reminders after changes of events.
  func follow(_ all: [ChangeSet]) {
    guard let scheduler else { return }
    formerNames.follow(all)
    var renamed: Set<String> = []
    scheduler.follow(all.map(\.reminderChanges)) {
      renamed = rename(all)
      return renamed
    } tell: { gone, returned in
      for id in renamed where scheduler.pending(id: id) == nil { notifier?.withdraw(id) }
      formerNames.forgetDue(all, by: scheduler)
      tellClosed(gone[...], scheduler)
      tellReturned(returned, scheduler)
      // Snoozes from before this agent ran may be among them.
      if all.contains(where: { $0.reopenedReminders.contains { $0.due == Reminder.untilUnlocked } })
      {
        resumeUnlockSnoozes(evenIfUnlocked: true)
      }
    }
  }

  /// Gives notifications on the screen the new IDs of reminders that moved with their events.
  ///
  /// So they are not shown again with a sound.
  ///
  /// - Returns: the new IDs.
  private func rename(_ all: [ChangeSet]) -> Set<String> {
    guard let notifier else { return [] }
    var renamed: Set<String> = []
    for changes in all where !changes.formerIDs.isEmpty {
      var names: [String: NotificationBoard.Name] = [:]
      for reminder in changes.reopenedReminders where reminder.state == .delivered {
        guard let former = changes.formerIDs[reminder.id] else { continue }
        names[former] = NotificationBoard.Name(
          reminder: reminder.id, subject: reminder.notificationSubject)
      }
      let found = notifier.rename(names)
      renamed.subtract(names.filter { found.contains($0.value.reminder) }.keys)
      renamed.formUnion(found)
    }
    return renamed
  }

  // MARK: Pending reminders

  /// Returns the first pending reminders that a filter admits, and how many more there are.
  ///
  /// - Throws: ``CallError`` of the kind `storageFailed`.
  /// - Complexity: for a filter that does not admit everything, one step for each pending reminder;
  ///   below the privacy level `titles` also for each event with reminders.
  func pendingReminders(
    of excerpt: CalendarFilter, _ reader: AgendaReader
  ) throws(CallError) -> (first: [Reminder], more: Int) {
    guard let scheduler, excerpt.privacy != .nothing else { return ([], 0) }
    let most = SnapshotBuilder.mostReminders
    guard !excerpt.isWhole else {
      let first = scheduler.pending(limit: most)
      return (first, max(0, scheduler.pendingCount - first.count))
    }
    var (first, more): ([Reminder], Int) = ([], 0)
    var admitted = PrivacyFilter(reader, excerpt.privacy)
    for reminder in scheduler.pending where excerpt.admits(reminder.key.calendar) {
      if excerpt.privacy != .titles {
        guard try admitted.admits(reminder.key) else { continue }
      }
      if first.count < most { first.append(reminder) } else { more += 1 }
    }
    return (first, more)
  }
}

extension ChangeSet {
  var reminderChanges: ReminderChanges {
    ReminderChanges(
      closed: closedReminders, reworded: rewordedReminders, reopened: reopenedReminders,
      formerIDs: formerIDs)
  }
}
