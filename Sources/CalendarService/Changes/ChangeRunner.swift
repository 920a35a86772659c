import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform

/// Runs changes of the store, and announces them.
final class ChangeRunner {
  let context: AgentContext
  let storage: Storage
  let connection: Connection
  let agenda: AgendaSource
  let bus: BusPublisher
  let announcer: ChangeAnnouncer
  let reminders: ReminderService
  let snapshot: SnapshotUpdater
  let staging: StagingState
  let sweeper: StoreSweeper
  /// Runs when changes were announced.
  var onTold: (([ChangeSet]) -> Void)?
  /// Changes that are not durable yet, and not announced.
  var unsettled = UnsettledChanges()

  init(
    _ context: AgentContext, storage: Storage, connection: Connection, agenda: AgendaSource,
    bus: BusPublisher, announcer: ChangeAnnouncer, reminders: ReminderService,
    snapshot: SnapshotUpdater, staging: StagingState, sweeper: StoreSweeper
  ) {
    self.context = context
    self.storage = storage
    self.connection = connection
    self.agenda = agenda
    self.bus = bus
    self.announcer = announcer
    self.reminders = reminders
    self.snapshot = snapshot
    self.staging = staging
    self.sweeper = sweeper
  }

  /// Makes a change in one transaction, and announces it.
  ///
  /// - Throws: ``CallError`` of `body`, or of the kinds `busy` and `storageFailed`.
  func change(
    origin: ChangeOrigin, _ body: (StoreChange) throws(CallError) -> Void
  ) throws(CallError) -> ChangeSet {
    try change { store throws(CallError) in
      try store.change(origin: origin, now: context.clock.now, wrapping: CallError.init, body).1
    }
  }

  /// Runs a function that makes a change in one transaction, and announces it.
  ///
  /// - Parameter staged: whether it ends a change that was stored in batches, during which all
  ///   other changes are refused.
  /// - Throws: ``CallError`` of `body`, or of the kinds `busy` and `storageFailed`.
  func change(
    staged: Bool = false, _ body: (EventStore) throws(CallError) -> ChangeSet
  ) throws(CallError) -> ChangeSet {
    try settle()
    let store = try storage.store()
    if staged { try storage.requireWritable() } else { try refuseWhileStaging(store) }
    let couldBe = (store.canUndo, store.canRedo)
    // Even a failing change may have found that every step to undo conflicts.
    defer { bus.tellSteps(store, before: couldBe) }
    let changes: ChangeSet
    do throws(CallError) { changes = try body(store) } catch {
      storage.couldNotWrite(error)
      throw error
    }
    if !changes.isEmpty {
      storage.wrote()
      agenda.mend(changes)
      tell(changes)
      sweeper.clearAway(store)
    }
    return changes
  }

  /// Refuses a change while the database is on hold, or another change is in progress.
  ///
  /// A rollback that has failed before is tried again.
  ///
  /// - Throws: ``CallError`` of the kind `busy`; if the store cannot be written, its failure, which
  ///   may prevent the end of the other change.
  func refuseWhileStaging(_ store: EventStore) throws(CallError) {
    try storage.requireWritable()
    guard !store.isStaging else {
      staging.resume()
      throw storage.failure
        ?? CallError(
          .busy,
          localized("an import or a change of many events is being stored; try again soon"))
    }
  }

  /// Updates queries and reminders after a batch of a longer change.
  ///
  /// Its events are announced at the end.
  func tookPart(_ changes: ChangeSet) {
    agenda.mend(changes)
    reminders.follow([changes])
  }

  /// The result of rolling back a batch of a longer change.
  enum TakingBack {
    case goesOn
    case isOver
    /// It failed; the next requested change tries it again, as does the next start.
    case fails(CallError)
  }

  /// Rolls back a batch of a longer change.
  ///
  /// - Parameters:
  ///   - failing: the start of the log line for a failure.
  ///   - discard: see ``StagedChange/discard(limit:isLate:tell:)``.
  func takeBackSome(
    _ failing: String,
    _ discard: (_ isLate: () -> Bool, _ tell: (ChangeSet) -> Void) throws(StoreError) -> Bool
  ) -> TakingBack {
    var putBack: ChangeSet?
    do throws(StoreError) {
      if try discard(WorkSlice().isOver, { putBack = $0 }) {
        if let putBack {
          storage.tookBack()
          tookPart(putBack)
        }
        return .goesOn
      }
    } catch {
      let failure = CallError(error)
      // Logged once, since each call tries it again.
      if failure != storage.obstacle {
        context.log.error("\(failing): \(localized(error.text))")
      }
      storage.couldNotTakeBack(failure)
      return .fails(failure)
    }
    storage.tookBack()
    if let putBack {
      agenda.mend(putBack)
      tell(putBack)
    }
    return .isOver
  }

  func tell(_ changes: ChangeSet) { tell([changes]) }

  /// Announces changes that became durable together, in their order.
  func tell(_ all: [ChangeSet]) {
    if all.contains(where: \.touchesCalendars), let store = storage.current {
      reminders.readMissedReminderPolicies(store)
    }
    for changes in all {
      if changes.touchesCalendars { tellCalendars(changes) }
      if changes.names.isEmpty { bus.changed(["Revision"]) } else { announcer.announce(changes) }
    }
    reminders.follow(all)
    snapshot.refreshSoon()
    onTold?(all)
  }

  /// Announces added, changed and removed calendars.
  func tellCalendars(_ changes: ChangeSet) {
    // Earlier changes are announced first.
    announcer.flush()
    bus.emit(
      Contract.calendarsTable, "CalendarsChanged",
      [
        .uint64(changes.revision), .strings(changes.addedCalendars.map(\.text)),
        .strings(changes.changedCalendars.map(\.text)),
        .strings(changes.removedCalendars.map(\.text)),
      ])
  }
}
