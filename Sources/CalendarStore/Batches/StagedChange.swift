package import CalendarModel
package import CivilTime

/// A change of many events that is written in batches, between which others are answered. They
/// see new events after the last batch, and changes to existing events after each batch.
///
///     begin  -> add, add, add …  -> change, change …  -> finish      one revision, one step to undo
///                                                     -> discard     as if nothing had been
///
/// A part may be a transaction of its own. Its rows come after all others, and the store
/// passes by what is after a key that ``StagingCheckpoint`` keeps. A process that is killed
/// leaves that mark, and whoever opens the file next takes the rows out again.
///
/// What was there before is kept as of every change that can be taken back, under a step that nobody
/// comes upon before the end. Where the end does not come, it is put back from there. Who has seen a
/// part must get to know of that: there is a revision then all the same, which names what was put back.
///
/// Why not one transaction that is left open meanwhile? The ledger of reminders would
/// wait for it, or be lost with it; its own connection would see half of the change;
/// and what 100,000 events leave in the journal keeps everybody waiting at its end.
package final class StagedChange {
  private let store: EventStore
  private let origin: ChangeOrigin
  /// Alarms before it are past.
  package let now: Timestamp
  private let context: ZoneContext
  /// Of the change, once it is finished.
  private let revision: UInt64
  /// What has been added.
  private(set) var names: [SeriesName] = []
  /// The calendars of what has been added.
  private(set) var calendars: Set<CalendarID> = []
  private(set) var span: TimeSpan?
  /// What was changed that was there before.
  private(set) var changed = BatchSummary()
  /// The step that keeps how that was; nil where there is none.
  private(set) var step: Int64?
  /// What it has kept of long events before their parts.
  private(set) var keptAhead: [SeriesName: Int64] = [:]
  /// What holds the events that wait for their part; nil where there are none.
  private var waitingStep: Int64?
  /// The image of the last of them that was read.
  private var lastWaiting: Int64 = 0
  /// How many of ``names`` the log names.
  private var logged = 0
  /// The calendars of which it names all.
  private var isLogged: Set<Int64> = []
  /// The last one of the calendar that is being logged.
  private var lastLogged = ""
  /// Of the series that was added last, and its components that are to be written yet.
  private var rest: (series: Int64, components: ArraySlice<PreparedComponent>) = (0, [])
  /// So many components of one are written at once: of ten thousand exceptions all would take a tenth of a second.
  private static let componentsAtOnce = 1000
  /// How many series, and components of long ones, were added since a part was ended last.
  private var partSize = 0
  private var isOver = false

  /// After so many series a part is ended: others do not wait long for what its end
  /// writes, and the pages of indexes are not written too often: of a hundred thousand series each part comes
  /// upon nearly all of those. It is as many as write some ``partPages``: what repeats is in the tree of spans, too, and writes
  /// twice as many as what happens once.
  private(set) var partCount = 4000
  private static let mostOfPart = 12_000
  private static let leastOfPart = 500
  private static let partPages = 5000
  /// With so many pages in it, some 20 MB, the journal is written back: all of it at once, for
  /// which everybody waits.
  static let journalPages = 5000
  /// Where ``settlePart(isLast:)`` is not called, both are done when there is so many times as much.
  private static let patience = 2

  init(_ store: EventStore, origin: ChangeOrigin, now: Timestamp) {
    self.store = store
    self.origin = origin
    self.now = now
    context = store.seriesRows.context
    revision = store.revision + 1
  }

  /// Adds events. They are durable together with the end.
  ///
  /// - Parameter series: Their calendars have none of these uids; nor were they added before.
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func add(_ series: [EventSeries]) throws(StoreError) {
    try add(prepared: series.map(prepare))
  }

  /// Makes a series ready to be added.
  package func prepare(_ series: EventSeries) -> PreparedSeries {
    store.seriesRows.prepared(series, alarmsThrough: now.adding(seconds: -1), context: context)
  }

  /// Adds events that were made ready.
  ///
  /// - Parameter series: as of ``add(_:)``; prepared for the ``now`` of this change.
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func add(prepared series: [PreparedSeries]) throws(StoreError) {
    precondition(!isOver, "a change is over when it was finished or discarded")
    let rows = store.seriesRows
    var touched = ChangeSet(revision: revision, origin: origin)
    if store.database.journalPages >= StagedChange.patience * StagedChange.journalPages {
      // What is being written cannot be written back.
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
        touched.touch(one.plan.extent)
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
    // An empty slice would keep all of them in memory.
    if rest.components.isEmpty { rest.components = [] }
  }

  /// Writes some of what is left of the series that was added last; false where nothing was.
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

  /// Adds a calendar, for events that are added after it.
  ///
  /// - Parameter calendar: none has its id; it is not the default one.
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func add(_ calendar: CalendarInfo) throws(StoreError) {
    precondition(!isOver, "a change is over when it was finished or discarded")
    try part(1) { () throws(StoreError) in try store.calendarRows.stage(calendar) }
  }

  /// Writes a part of the log, after everything was added; false once all of it is there.
  /// It goes in the order of its key: in that of the events each of them would write
  /// another page.
  ///
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
    // A journal that was written back begins again.
    let now = store.database.journalEnd
    let pages = now >= before ? now - before : now
    guard pages > 0 else { return }
    let fitting = size * StagedChange.partPages / pages
    let most = min(StagedChange.mostOfPart, 2 * partCount)
    partCount = min(max(fitting, StagedChange.leastOfPart), most)
  }

  /// Does one of what is due after so many series, which takes as long as to add hundreds: writes more of a long one,
  /// ends the part, or writes the journal back. Others can be answered between that and the next.
  ///
  /// - Parameter isLast: whether nothing more is added, so that the part ends as it is.
  /// - Returns: whether something was due.
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

  /// Keeps events for ``change(_:)`` that are to be read before it by ``nextWaiting(_:)``: so many need not be in memory
  /// meanwhile.
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

  /// Returns the next ones that were kept, in their order, at most so many; none after the last.
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

  /// Keeps how an event is that ``change(_:)`` or the end will put another in the place of: of one with thousands of
  /// exceptions that takes a good part of the time. Nobody sees anything of it.
  ///
  /// - Parameter series: what is going to be put.
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

  /// Changes events that are there, or were added by this change: a part which everybody sees from now on.
  ///
  /// Each part is durable once the whole change is, but others who ask meanwhile have been told of it
  /// also when this process is killed. So it is ended at once, for which nobody waits on the disk.
  ///
  /// - Parameter body: puts events, of which none is new, or moves them, and does nothing else. They need not
  ///   be many: what the part takes, everybody waits for.
  /// - Returns: what happened to the events and their reminders; the revision is still the former one.
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
      // What was added is a part of its own.
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

  /// Ends the change: everybody sees what was added, and what `body` does.
  ///
  /// - Parameter wrapping: Makes an error of the body's kind of one of the store's.
  /// - Throws: What `body` throws, or what writing brings up; then ``discard(limit:)`` is
  ///   what is left to do.
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

  /// Puts back a part of what was changed, or takes out a part of what was added; false once nothing is left.
  ///
  /// - Parameters:
  ///   - limit: The most events that are taken out; to put one back takes several times as long.
  ///   - isLate: says after each of them whether it is to be the last of the part.
  ///   - tell: Is called with what was put back; and at the end, if there was something, with all of that and the
  ///     revision which tells of it.
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
