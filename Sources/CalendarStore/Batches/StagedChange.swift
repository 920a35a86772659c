package import CalendarModel
package import CivilTime

/// A change of many events in batches, between which other requests are answered.
///
/// Others see added events after the last batch, and changes to existing events after each batch.
///
///     begin  -> add, add …  -> change, change …  -> finish      one revision, one step to undo
///                                                -> discard     as if nothing had happened
///
/// Added rows come after all others, and the store ignores series after the key in
/// ``StagingCheckpoint``. If the process is killed, the next to open the file finds the checkpoint
/// and removes the rows.
///
/// The former state of changed events is stored under a hidden undo step, from which an unfinished
/// change is undone. Clients that saw a batch must learn of that, so a revision then names what was
/// restored.
///
/// Why not one long transaction? The ledger of reminders would wait for it or be lost with it, its
/// own connection would see half of the change, and committing 100,000 events at once would block
/// everybody.
package final class StagedChange {
  private let store: EventStore
  private let origin: ChangeOrigin
  /// Alarms before it are past.
  package let now: Timestamp
  private let context: ZoneContext
  /// The revision of the change once it is finished.
  private let revision: UInt64
  /// The added events.
  private(set) var names: [SeriesName] = []
  /// The calendars of the added events.
  private(set) var calendars: Set<CalendarID> = []
  private(set) var span: TimeSpan?
  /// What was changed of existing events.
  private(set) var changed = BatchSummary()
  /// The step that holds the former states; nil if there are none.
  private(set) var step: Int64?
  /// The images of long events that were stored before their batch.
  private(set) var keptAhead: [SeriesName: Int64] = [:]
  /// The step that holds events waiting for their batch; nil if there are none.
  private var waitingStep: Int64?
  /// The image of the last waiting event that was read.
  private var lastWaiting: Int64 = 0
  /// How many of ``names`` are in the log.
  private var logged = 0
  /// The calendars whose names are all in the log.
  private var isLogged: Set<Int64> = []
  /// The last uid that was logged of the current calendar.
  private var lastLogged = ""
  /// The last added series, and those of its components that are still to be written.
  private var rest: (series: Int64, components: ArraySlice<PreparedComponent>) = (0, [])
  /// The most components written at once; ten thousand would take a tenth of a second.
  private static let componentsAtOnce = 1000
  /// How many series, or components of long ones, were added since the last batch ended.
  private var partSize = 0
  private var isOver = false

  /// The number of series after which a batch is committed, adapted to write ``partPages`` pages.
  ///
  /// Small batches keep waits short, large ones write index pages less often. Recurring series
  /// write twice as many pages as others, since they are in the tree of spans too.
  private(set) var partCount = 4000
  private static let mostOfPart = 12_000
  private static let leastOfPart = 500
  private static let partPages = 5000
  /// The journal is written back from this many pages on, some 20 MB, while everybody waits.
  static let journalPages = 5000
  /// Without calls of ``settlePart(isLast:)``, both limits are multiplied by this.
  private static let patience = 2

  init(_ store: EventStore, origin: ChangeOrigin, now: Timestamp) {
    self.store = store
    self.origin = origin
    self.now = now
    context = store.seriesRows.context
    revision = store.revision + 1
  }

  /// Prepares a series to be added.
  package func prepare(_ series: EventSeries) -> PreparedSeries {
    store.seriesRows.prepared(series, alarmsThrough: now.adding(seconds: -1), context: context)
  }

  /// Adds prepared events, which become durable when the change is finished.
  ///
  /// - Parameter series: their uids are new in their calendars; prepared for the ``now`` of this
  ///   change.
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func add(prepared series: [PreparedSeries]) throws(StoreError) {
    precondition(!isOver, "a change is over when it was finished or discarded")
    let rows = store.seriesRows
    var touched = ChangeSet(revision: revision, origin: origin)
    if store.database.journalPages >= StagedChange.patience * StagedChange.journalPages {
      // An open transaction cannot be written back.
      try endPart()
      store.database.writeBack()
    }
    try writeRest()
    try part(series.count) { () throws(StoreError) in
      var owner: CalendarRows.Row?
      for one in series {
        if owner?.info.id != one.series.calendar {
          owner = store.calendarRows.owner(one.series.calendar)
          calendars.insert(one.series.calendar)
        }
        guard let owner else { throw StoreError.unknownCalendar(one.series.calendar) }
        while !rest.components.isEmpty { try insertSomeOfRest() }
        let key = try rows.insertAlone(one, in: owner.key, revision: revision)
        let some = one.components.prefix(StagedChange.componentsAtOnce)
        try rows.insertComponents(some, key)
        if some.count < one.components.count { rest = (key, one.components[some.endIndex...]) }
        touched.touch(SpanIndex.rounded(one.plan.extent))
      }
      try rows.keepLatestThrough()
      try rows.words.finish()
    }
    for one in series {
      names.append(SeriesName(calendar: one.series.calendar, uid: one.series.uid))
    }
    if let added = touched.span { span = span?.union(added) ?? added }
  }

  private func insertSomeOfRest() throws(StoreError) {
    let some = rest.components.prefix(StagedChange.componentsAtOnce)
    try store.seriesRows.insertComponents(some, rest.series)
    rest.components.removeFirst(some.count)
    // An empty slice would keep the whole array in memory.
    if rest.components.isEmpty { rest.components = [] }
  }

  /// Writes some of the remaining components of the last series; false if there are none.
  private func writeSomeOfRest() throws(StoreError) -> Bool {
    let count = min(rest.components.count, StagedChange.componentsAtOnce)
    if count == 0 { return false }
    try part(count) { () throws(StoreError) in
      try insertSomeOfRest()
      try store.seriesRows.words.finish()
    }
    return true
  }

  private func writeRest() throws(StoreError) {
    while try writeSomeOfRest() {}
  }

  /// Adds a calendar, for events that are added later.
  ///
  /// - Parameter calendar: its id is new, and it is not the default.
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func add(_ calendar: CalendarInfo) throws(StoreError) {
    precondition(!isOver, "a change is over when it was finished or discarded")
    try part(1) { () throws(StoreError) in try store.calendarRows.stage(calendar) }
  }

  /// Writes part of the log after all events were added; false once it is complete.
  ///
  /// The log is written in the order of its key, since in any other each entry would write another
  /// page.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func addToLog(limit: Int = 1000) throws(StoreError) -> Bool {
    guard logged < names.count else { return false }
    let calendars = store.calendarRows.all + store.calendarRows.staged
    guard limit > 0, let calendar = calendars.first(where: { !isLogged.contains($0.key) }) else {
      return false
    }
    var count = 0
    try part(limit) { () throws(StoreError) in
      count = try store.log.append(
        seriesAfter: store.seriesRows.shownThrough, of: calendar, after: lastLogged, limit: limit,
        revision: revision, origin: origin, at: now)
    }
    logged += count
    if count < limit {
      isLogged.insert(calendar.key)
      lastLogged = ""
    } else {
      lastLogged = try store.log.lastAdded(by: revision, to: calendar.info.id)
    }
    return logged < names.count
  }

  private func part(
    _ count: Int, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) {
      try store.database.stagedPart(body)
      partSize += count
      if partSize >= StagedChange.patience * partCount { try endPart() }
    } catch {
      store.seriesRows.rolledBack()
      throw error
    }
  }

  private func endPart() throws(StoreError) {
    let (size, before) = (partSize, store.database.journalPages)
    partSize = 0
    try store.database.endPart()
    // A journal that was written back starts again at its beginning.
    let now = store.database.journalEnd
    let pages = now >= before ? now - before : now
    guard pages > 0 else { return }
    let fitting = size * StagedChange.partPages / pages
    let most = min(StagedChange.mostOfPart, 2 * partCount)
    partCount = min(max(fitting, StagedChange.leastOfPart), most)
  }

  /// Does one pending task, and returns whether there was one.
  ///
  /// It writes components of a long series, ends the batch, or writes the journal. Each takes as
  /// long as adding hundreds of series, so other requests can be answered in between.
  ///
  /// - Parameter isLast: whether nothing more is added, so that an incomplete batch ends too.
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func settlePart(isLast: Bool = false) throws(StoreError) -> Bool {
    precondition(!isOver, "a change is over when it was finished or discarded")
    if try writeSomeOfRest() { return true }
    if partSize >= (isLast ? 1 : partCount) {
      do throws(StoreError) { try endPart() } catch {
        store.seriesRows.rolledBack()
        throw error
      }
      return true
    }
    return try store.settleJournal()
  }

  /// Stores events for a later ``change(_:)`` outside of memory; ``nextWaiting(_:)`` reads them.
  ///
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func keepWaiting(_ series: [EventSeries]) throws(StoreError) {
    precondition(!isOver, "a change is over when it was finished or discarded")
    try part(series.count) { () throws(StoreError) in
      let step: Int64
      if let waitingStep {
        step = waitingStep
      } else {
        step = try store.undoRows.beginWaiting(at: now)
        waitingStep = step
      }
      for one in series { try store.undoRows.keepWaiting(one, step: step) }
    }
  }

  /// Returns the next stored events in their order, at most `limit`; none after the last.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func nextWaiting(_ limit: Int) throws(StoreError) -> [EventSeries] {
    guard let waitingStep else { return [] }
    let images = try store.undoRows.images(ofChanges: waitingStep, after: lastWaiting, limit: limit)
    var series: [EventSeries] = []
    for image in images {
      series.append(try store.seriesRows.series(of: image))
      lastWaiting = image.key
    }
    return series
  }

  /// Stores the image of an event ahead of its replacement, invisibly to others.
  ///
  /// For an event with thousands of overrides this takes a good part of the time.
  ///
  /// - Parameter series: the series that will replace it.
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func keepAhead(of series: EventSeries) throws(StoreError) {
    precondition(!isOver, "a change is over when it was finished or discarded")
    let change = store.makeChange(origin: origin, now: now)
    defer { change.close() }
    change.join(step: step, after: store.seriesRows.shownThrough, keptAhead: keptAhead)
    try part(1) { () throws(StoreError) in
      guard let step = try change.keepAhead(of: series) else { return }
      self.step = step
      keptAhead = change.images
      changed.add(ChangeSet(revision: revision, origin: origin), octets: change.octets)
    }
  }

  /// Changes existing events, or ones added by this change, in a batch that others see at once.
  ///
  /// It is committed at once, since others act on what they saw even if this process is killed; the
  /// commit does not wait for the disk.
  ///
  /// - Parameter body: puts existing events, or moves them, and does nothing else. Keep it short:
  ///   everybody waits for it.
  /// - Returns: what happened to events and reminders; the revision is still the one before.
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func change(
    _ body: (StoreChange) throws(StoreError) -> Void
  ) throws(StoreError) -> ChangeSet {
    precondition(!isOver, "a change is over when it was finished or discarded")
    try writeRest()
    let rows = store.seriesRows
    let hidden = rows.shownThrough
    let change = store.makeChange(origin: origin, now: now)
    change.join(step: step, after: hidden, keptAhead: keptAhead)
    rows.shownThrough = .max
    defer {
      rows.shownThrough = hidden
      change.close()
    }
    var done = (changes: ChangeSet(revision: store.revision, origin: origin), step: step)
    do throws(StoreError) {
      // Added events are a batch of their own.
      try endPart()
      try store.database.stagedPart { () throws(StoreError) in
        try store.calendarRows.showingStaged { () throws(StoreError) in try body(change) }
        done = try change.finishPart()
        try rows.keepLatestThrough()
        try rows.words.finish()
      }
      try endPart()
    } catch {
      rows.rolledBack()
      throw error
    }
    step = done.step
    changed.add(done.changes, octets: change.octets)
    return done.changes
  }

  /// Finishes the change: others now see the added events, and what `body` does.
  ///
  /// - Parameter wrapping: converts a store error to the body's error type.
  /// - Throws: what `body` throws, or a wrapped ``StoreError`` when writing fails; then the only
  ///   thing left is ``discard(limit:isLate:tell:)``.
  package func finish<E: Error>(
    wrapping: (StoreError) -> E, _ body: (StoreChange) throws(E) -> Void
  ) throws(E) -> ChangeSet {
    if let failure = store.database.partFailure { throw wrapping(failure) }
    do throws(StoreError) {
      try writeRest()
      while try addToLog() {}
    } catch { throw wrapping(error) }
    let rows = store.seriesRows
    let hidden = rows.shownThrough
    let calendars = store.calendarRows.staged
    rows.shownThrough = .max
    let changes: ChangeSet
    do throws(E) {
      changes = try store.change(origin: origin, now: now, wrapping: wrapping) {
        (change) throws(E) in
        change.take(self, after: hidden)
        store.calendarRows.setStaged([])
        do throws(StoreError) {
          for calendar in calendars { try change.put(calendar: calendar.info) }
          try store.undoRows.dropWaiting()
          try StagingCheckpoint(store.database).clear()
        } catch {
          throw wrapping(error)
        }
        try body(change)
      }.1
    } catch {
      rows.shownThrough = hidden
      store.calendarRows.setStaged(calendars)
      throw error
    }
    isOver = true
    do throws(StoreError) { try store.endStaging() } catch { throw wrapping(error) }
    return changes
  }

  /// Restores a batch of changed events, or removes a batch of added ones; false when done.
  ///
  /// - Parameters:
  ///   - limit: the most events to remove; restoring one takes several times as long.
  ///   - isLate: called after each event; returns whether to end the batch.
  ///   - tell: called with what was restored; at the end, if there was anything, with all of it and
  ///     its revision.
  /// - Throws: ``StoreError`` when the database cannot be read or written.
  package func discard(
    limit: Int = 1000, isLate: () -> Bool = { false }, tell: (ChangeSet) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    isOver = true
    rest.components = []
    if try store.settleJournal() { return true }
    if try store.discardStaged(limit: limit, isLate: isLate, tell: tell) { return true }
    store.seriesRows.shownThrough = .max
    store.calendarRows.setStaged([])
    try store.endStaging()
    if store.revision >= revision { tell(changed.changes(store.revision, origin: origin)) }
    return false
  }
}
