import CalendarBus
import CalendarModel
import CalendarStore
import Platform
import Reminders
import Widgets

/// The reminders while the store is open: the scheduler, where they are shown, and what changes of events do to them.
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
  /// What reminders were called that go by another name since, until programs are told that they wait.
  var formerNames = ReminderIDAliases()

  /// Runs when the next wake may be another one.
  var onNextWakeChanged: (() -> Void)?
  /// Runs when other reminders are pending.
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

  /// Takes up the reminders of a store that was opened.
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
    // Not as soon as anything is written: a disk that is nearly full takes what is small.
    scheduler.onLookWithoutError = { [unowned self] in presenter.ledgerFault.works() }
    self.scheduler = scheduler
    takeLateTelling(store)
    scheduler.start()
    notifier?.keep { scheduler.pending(id: $0)?.state == .delivered }
    resumeUnlockSnoozes()
  }

  /// What is due and cannot be written down is not told before it can be. So that nobody waits in vain,
  /// that itself is told, once.
  private func failed(_ error: any Error) {
    context.log.error("the reminders: \(error)")
    if let failure = storage.failure { presenter.ledgerFault.fails(failure.message) }
  }

  /// The scheduler, for what a caller asks; it opens the store if that is not open.
  func openScheduler() throws(CallError) -> ReminderScheduler {
    _ = try storage.store()
    guard let scheduler else {
      throw CallError(.storageFailed, "the reminders are not ready yet")
    }
    return scheduler
  }

  // MARK: Changes of events

  /// Lets the reminders of each calendar be told as late as it says.
  func takeLateTelling(_ store: EventStore) {
    guard let scheduler else { return }
    do throws(StoreError) {
      scheduler.missedReminderPolicy = Dictionary(
        try store.calendars().map { ($0.id, $0.missedReminderPolicy) },
        uniquingKeysWith: { first, _ in first })
    } catch {
      context.log.error("how late reminders are to be told is not known: \(error)")
    }
  }

  /// Tells the reminders what became of them in the end.
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
      // What was put off before this agent ran may be among them.
      if all.contains(where: { $0.reopenedReminders.contains { $0.due == Reminder.untilUnlocked } })
      {
        resumeUnlockSnoozes(evenIfUnlocked: true)
      }
    }
  }

  /// Lets notifications on the screen stand for what their reminders are called now that have gone along
  /// with their events: nobody is to hear them anew.
  ///
  /// - Returns: what those are called.
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

  // MARK: What is pending

  /// Returns the first pending reminders that an excerpt has, and how many it has besides.
  ///
  /// - Complexity: for an excerpt that is not the whole, one look at each pending reminder, and at
  ///   each event that has some where it counts whether that takes up time.
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
