import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Phrases
import Platform
import Reminders

/// The agent's store: who reads it, who changes it, and what follows from a change.
extension CalendarAgent {
  func store() throws(CallError) -> EventStore { try storage.store() }

  var revision: UInt64 { storage.current?.revision ?? 0 }

  func storeOpened(_ store: EventStore) {
    store.onMustSettle = { [connection] in connection.settleHeld() }
    store.onUnplaced = { [unowned self] in tellBadSeries($0, $1) }
    store.onLeftBehind = { [log] in
      log.warning(
        "reminders of the event \($0.uid) that rang before \($1) did not go along with it: too many rang "
          + "since")
    }
    resumeZone(store)
    loadQuiet(store)
    planAnewIfZonesDiffer(store)
    planAnewIfClockIsBehind(store)
    localDay = today
    resumeRunning(store)
    reminders.begin(store)
    passTime(store)
    startDay(store)
    backups.takeSoon()
    snapshot.refreshSoon()
    if let unfinished = store.unfinished {
      InterruptedBatchJob(unfinished, of: store, agent: self).begin()
    }
  }

  func failureChanged(_ failure: CallError?) {
    if let failure {
      log.error(failure.message)
    } else {
      staging.resume()
    }
    changed(["State", "StateReason"])
    // The store is there again: whoever asked meanwhile was told 0.
    if failure == nil, revision > 0 { changed(["Revision"]) }
  }

  /// Makes a change in one transaction, and tells everybody of it.
  func change(
    origin: ChangeOrigin, _ body: (StoreChange) throws(CallError) -> Void
  ) throws(CallError) -> ChangeSet {
    try change { store throws(CallError) in
      try store.change(origin: origin, now: clock.now, wrapping: CallError.init, body).1
    }
  }

  /// Runs what makes a change in one transaction, and tells everybody of it.
  ///
  /// - Parameter staged: whether it is the end of one that was stored in parts; all others
  ///   are refused as long as there is one.
  func change(
    staged: Bool = false, _ body: (EventStore) throws(CallError) -> ChangeSet
  ) throws(CallError) -> ChangeSet {
    try settle()
    let store = try storage.store()
    if staged { try storage.requireWritable() } else { try refuseWhileStaging(store) }
    let couldBe = (store.canUndo, store.canRedo)
    // One that fails may have found that there is nothing to undo but what conflicts.
    defer { tellSteps(store, before: couldBe) }
    let changes: ChangeSet
    do throws(CallError) { changes = try body(store) } catch {
      storage.couldNotWrite(error)
      throw error
    }
    if !changes.isEmpty {
      storage.wrote()
      mendCache(changes)
      tell(changes)
      clearAway(store)
    }
    return changes
  }

  /// Refuses a change of a calendar that is not to be changed, and while another one is stored or taken back in parts. One that could not be taken back before is
  /// tried again.
  ///
  /// - Throws: ``CallError`` of the kind `busy`; where the store takes nothing, what is wrong with it, since the change
  ///   may not end before that is mended.
  func refuseWhileStaging(_ store: EventStore) throws(CallError) {
    try storage.requireWritable()
    guard !store.isStaging else {
      staging.resume()
      throw storage.failure
        ?? CallError(
          .busy, "an import, or a change of many events, is being stored: call again in a moment")
    }
  }

  /// Takes note of a part of a longer change: questions are answered by it from now on, and reminders go by it. Of its
  /// events everybody is told at the end.
  func tookPart(_ changes: ChangeSet) {
    mendCache(changes)
    reminders.follow([changes])
  }

  /// How it went to take back a part of a longer change.
  enum TakingBack {
    case goesOn
    case isOver
    /// The next change that is asked for has it tried again, as does the next start.
    case fails(CallError)
  }

  /// Takes back some of a longer change, for about a slice, and tells of that.
  ///
  /// - Parameters:
  ///   - failing: what is logged where that cannot be written.
  ///   - discard: as of ``StagedChange/discard(limit:isLate:tell:)``.
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
      // Each call has it tried again.
      if failure != storage.obstacle { log.error("\(failing): \(error)") }
      storage.couldNotTakeBack(failure)
      return .fails(failure)
    }
    storage.tookBack()
    if let putBack {
      mendCache(putBack)
      tell(putBack)
    }
    return .isOver
  }

  func mendCache(_ changes: ChangeSet) {
    do {
      let reader = try reader()
      try reader.mend(changes)
    } catch {
      // The next question reads the store, and says what is wrong with it.
      cache.forget()
    }
  }

  func tell(_ changes: ChangeSet) { tell([changes]) }

  /// Tells everybody of changes that have become durable together, in their order.
  func tell(_ all: [ChangeSet]) {
    if all.contains(where: \.touchesCalendars), let store = storage.current {
      reminders.takeLateTelling(store)
    }
    for changes in all {
      if changes.touchesCalendars { tellCalendars(changes) }
      if changes.names.isEmpty { changed(["Revision"]) } else { announcer.announce(changes) }
    }
    reminders.follow(all)
    snapshot.refreshSoon()
  }

  // MARK: What the objects ask for

  /// - Parameter isCall: whether somebody waits for an answer. A call tries whether the store can be
  ///   written again where it could not; what the agent looks at by itself does not, since what little
  ///   it tries may find room where the change that was refused did not.
  func reader(isCall: Bool = true) throws(CallError) -> AgendaReader {
    let store: EventStore
    if !isCall, let current = storage.current {
      store = current
    } else {
      store = try storage.store()
    }
    let calendars = try translated { () throws(StoreError) in try store.calendars() }
    return AgendaReader(
      store: store, calendars: calendars, zones: zoneContext, cache: cache
    ) { [unowned self] in tellBadSeries($0, $1) }
  }

  private func tellBadSeries(_ series: EventSeries, _ error: CivilTimeError) {
    guard badSeries.insert(series.uid).inserted else { return }
    log.warning("the event \(series.uid) cannot be placed: \(error)")
  }
}
