package import CalendarModel
package import CivilTime

/// A change of many events that is written in parts, between which others are answered. What
/// is new they see when the last part is there; what takes the place of what was there, as
/// each part comes.
///
///     begin  -> add, add, add …  -> change, change …  -> finish      one revision, one step to take back
///                                                     -> discard     as if nothing had been
///
/// A part may be a transaction of its own. Its rows come after all others, and the store
/// passes by what is after a key that ``StagingMark`` keeps. A process that is killed
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
  private(set) var changed: [SeriesName] = []
  /// The step that keeps how that was; nil where there is none.
  private(set) var step: Int64?
  /// What that takes up.
  private(set) var octets: Int64 = 0
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
  /// How many series were added since a part was ended last.
  private var partSize = 0
  private var isOver = false

  /// After so many series a part is ended: others do not wait long for what its end
  /// writes, and the pages of indexes are not written too often. It is as many as write some
  /// ``partPages``: what repeats is in the tree of spans, too, and writes twice as many as what happens once.
  private(set) var partCount = StagedChange.mostOfPart
  private static let mostOfPart = 4000
  private static let leastOfPart = 500
  private static let partPages = 1500
  /// With so many pages in it, some 12 MB, the journal is written back: all of it at once, for
  /// which everybody waits.
  fileprivate static let journalPages = 3000
  /// Where ``settlePart(isLast:)`` is not called, both are done when there is so many times as much.
  private static let patience = 2

  fileprivate init(_ store: EventStore, origin: ChangeOrigin, now: Timestamp) {
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
      store.database.writeBack()
    }
    try part(series.count) { () throws(StoreError) in
      var owner: CalendarRows.Row?
      for one in series {
        if owner?.info.id != one.series.calendar {
          owner = store.calendarRows.owner(one.series.calendar)
          calendars.insert(one.series.calendar)
        }
        guard let owner else { throw StoreError.unknownCalendar(one.series.calendar) }
        touched.touch(try rows.insert(one, in: owner.key, revision: revision))
      }
      try rows.keepLatestThrough()
      try rows.words.finish()
    }
    for one in series {
      names.append(SeriesName(calendar: one.series.calendar, uid: one.series.uid))
    }
    if let added = touched.span { span = span?.union(added) ?? added }
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
    // A journal that was written back begins anew.
    let now = store.database.journalPages
    let pages = now >= before ? now - before : now
    guard pages > 0 else { return }
    let fitting = size * StagedChange.partPages / pages
    partCount = min(max(fitting, StagedChange.leastOfPart), StagedChange.mostOfPart)
  }

  /// Does one of what is due after so many series, which takes as long as to add hundreds: ends the part, or
  /// writes the journal back. Others can be answered between that and the next.
  ///
  /// - Parameter isLast: whether nothing more is added, so that the part ends as it is.
  /// - Returns: whether something was due.
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func settlePart(isLast: Bool = false) throws(StoreError) -> Bool {
    precondition(!isOver, "a change is over when it was finished or discarded")
    if partSize >= (isLast ? 1 : partCount) {
      do throws(StoreError) { try endPart() } catch {
        store.seriesRows.rolledBack()
        throw error
      }
      return true
    }
    return store.settleJournal()
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

  /// Changes events that are there, or were added by this change: a part which everybody sees from now on.
  ///
  /// Each part is durable once the whole change is, but others who ask meanwhile have been told of it
  /// also when this process is killed. So it is ended at once, for which nobody waits on the disk.
  ///
  /// - Parameter body: puts events, of which none is new, and does nothing else. They need not be many: what
  ///   the part takes, everybody waits for.
  /// - Returns: what happened to the events and their reminders; the revision is still the former one.
  /// - Throws: ``StoreError``; then the change can only be discarded.
  package func change(
    _ body: (StoreChange) throws(StoreError) -> Void
  ) throws(StoreError) -> ChangeSet {
    precondition(!isOver, "a change is over when it was finished or discarded")
    let rows = store.seriesRows
    let hidden = rows.shownThrough
    let change = store.makeChange(origin: origin, now: now)
    change.join(step: step, after: hidden)
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
    octets += change.octets
    changed += done.changes.names
    calendars.formUnion(done.changes.calendars)
    if let touched = done.changes.span { span = span?.union(touched) ?? touched }
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
    do throws(StoreError) { while try addToLog() {} } catch { throw wrapping(error) }
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
          try StagingMark(store.database).clear()
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
    if store.settleJournal() { return true }
    if try store.discardStaged(limit: limit, isLate: isLate, tell: tell) { return true }
    store.seriesRows.shownThrough = .max
    store.calendarRows.setStaged([])
    try store.endStaging()
    if store.revision >= revision {
      var changes = ChangeSet(revision: store.revision, origin: origin)
      changes.names = changed
      changes.updated = changed.count
      changes.calendars = Set(changed.map(\.calendar))
      changes.span = span
      tell(changes)
    }
    return false
  }
}

extension EventStore {
  /// Whether a change is being written in parts: there must be no other then.
  package var isStaging: Bool { isTurning || seriesRows.shownThrough != .max }

  /// Begins a change that is written in parts.
  ///
  /// - Precondition: None is under way.
  /// - Parameters:
  ///   - id: the calendar that events are added to, most of them.
  ///   - now: alarms before it are past.
  ///   - octets: of the text that they come from, after which the memory is measured that the indexes have.
  /// - Throws: ``StoreError/unknownCalendar(_:)`` and what writing brings up.
  package func stage(
    in id: CalendarID, origin: ChangeOrigin, now: Timestamp, octets: Int = .max
  ) throws(StoreError) -> StagedChange {
    precondition(!isStaging, "one change is staged at a time")
    guard calendarRows[id] != nil else { throw StoreError.unknownCalendar(id) }
    database.partFailure = nil
    // A transaction of its own, so that what others share is durable before.
    let last = try database.transaction { () throws(StoreError) in
      let last = try database.integer("SELECT max(key) FROM series")
      try StagingMark(database).write(
        last, calendars: try database.integer("SELECT max(key) FROM calendars"))
      return last
    }
    // The indexes are written at places that come in no order.
    let cache = min(max(octets / 512, DatabaseFile.cacheKiB), EventStore.stagingCacheKiB)
    try database.execute("PRAGMA cache_size = -\(cache)")
    seriesRows.shownThrough = last
    // The end of a part is not to wait for the file as well.
    database.keepsJournal = true
    return StagedChange(self, origin: origin, now: now)
  }

  /// At most; and twice the text.
  private static let stagingCacheKiB = 24_576

  /// Writes what the journal holds into the file, where a staged change has left much there. Its
  /// end did not wait for that: what is in the journal is durable.
  package func tidyJournal() {
    guard !isStaging else { return }
    database.keepsJournal = false
    if database.journalPages >= Database.usualJournalPages { database.writeBack() }
  }

  fileprivate func endStaging() throws(StoreError) {
    try database.execute("PRAGMA cache_size = -\(DatabaseFile.cacheKiB); PRAGMA shrink_memory")
  }

  /// Takes out a part of what a change left that did not come to its end, or puts a part back; false once
  /// nothing is left.
  ///
  /// - Parameters:
  ///   - limit: as of ``StagedChange/discard(limit:isLate:tell:)``, as
  ///   - isLate: is, and
  ///   - tell: but for the end.
  func discardStaged(
    limit: Int = 1000, isLate: () -> Bool = { false }, tell: (ChangeSet) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    let mark = StagingMark(database)
    guard let last = try mark.read() else { return false }
    let step = try undoRows.unfinishedStep()
    let cost = EventStore.takingBackCost
    if let step, try takeBack(step, max(1, limit / cost), isLate, tell) { return true }
    do throws(StoreError) {
      let goesOn = try database.transaction { () throws(StoreError) in
        let keys = try mark.keys(after: last, limit: limit)
        for key in keys {
          try seriesRows.remove(key)
          if isLate() { break }
        }
        try seriesRows.words.finish()
        guard keys.isEmpty else { return true }
        try log.forget(revision + 1)
        try undoRows.dropWaiting()
        try mark.clearUnfinished()
        if let step {
          // Of which everything is as it was.
          try undoRows.delete(step.key)
          try endTakingBack()
        }
        return false
      }
      if goesOn { return true }
      if step != nil { log.committed(revisionTakingBack) }
      try undoRows.lookAhead()
      undoRows.committed()
      return false
    } catch {
      seriesRows.rolledBack()
      log.rolledBack()
      undoRows.rolledBack()
      throw error
    }
  }

  /// The revision that tells of a change which did not come to its end. It is not the one which that change
  /// would have been: who has read an event meanwhile was told it as the event's, and is to hear that it
  /// changed since.
  var revisionTakingBack: UInt64 { revision + 2 }

  /// To put an event back takes so many times as long as to take one out.
  private static let takingBackCost = 5

  /// Puts some events back as they were before a change that does not come to its end; false where there are none
  /// left.
  private func takeBack(
    _ step: (key: Int64, time: Timestamp), _ limit: Int, _ isLate: () -> Bool,
    _ tell: (ChangeSet) -> Void
  ) throws(StoreError) -> Bool {
    // As it was when the change began.
    let change = makeChange(origin: .import, now: step.time, revision: revisionTakingBack)
    defer { change.close() }
    do throws(StoreError) {
      let changes = try database.transaction { () throws(StoreError) in
        let changes = try change.takeBackPart(of: step.key, limit: limit, isLate)
        try seriesRows.keepLatestThrough()
        try seriesRows.words.finish()
        return changes
      }
      guard let changes else { return false }
      tell(changes)
      return true
    } catch {
      seriesRows.rolledBack()
      throw error
    }
  }

  /// Writes the revision that tells of what was put back, and returns of how many events that is; none where nothing
  /// was.
  @discardableResult
  func endTakingBack() throws(StoreError) -> Int {
    // The log has their names already.
    let events = try log.count(of: revisionTakingBack)
    guard events > 0 else { return 0 }
    if try log.write(revision: revisionTakingBack, events: events) { undoRows.nextGarbage = true }
    return events
  }

  /// Writes the journal back where it is long, and returns whether it was: that takes as long as a part.
  func settleJournal() -> Bool {
    guard database.journalPages >= StagedChange.journalPages else { return false }
    database.writeBack()
    return true
  }

  /// - Parameter revision: nil is the next one.
  func makeChange(
    origin: ChangeOrigin, now: Timestamp, revision: UInt64? = nil
  ) -> StoreChange {
    StoreChange(
      rows: seriesRows, undo: undoRows, log: log, reminders: ledger, origin: origin, now: now,
      revision: revision ?? log.revision + 1)
  }
}

/// The key of the last series before those that are staged, in `meta`.
struct StagingMark {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Returns the key; nil where nothing is staged.
  func read() throws(StoreError) -> Int64? {
    let row = try database.statement("SELECT value FROM meta WHERE name = 'staged_after'")
    defer { row.reset() }
    return try row.step() ? row.integer(0) : nil
  }

  /// - Parameter calendars: The key of the last calendar before those that are staged.
  func write(_ last: Int64, calendars: Int64) throws(StoreError) {
    let row = try database.statement(
      """
      INSERT OR REPLACE INTO meta (name, value)
      VALUES ('staged_after', ?1), ('staged_calendars_after', ?2)
      """)
    row.bind(1, last)
    row.bind(2, calendars)
    try row.run()
  }

  func clear() throws(StoreError) {
    try database.statement(
      "DELETE FROM meta WHERE name IN ('staged_after', 'staged_calendars_after')"
    ).run()
  }

  /// Forgets the calendars that never came to be, and the mark.
  func clearUnfinished() throws(StoreError) {
    // Without its mark, as an older version leaves it, nothing compares.
    try database.statement(
      """
      DELETE FROM calendars
      WHERE key > (SELECT value FROM meta WHERE name = 'staged_calendars_after')
      """
    ).run()
    try clear()
  }

  /// The last of the series that are staged, in the order of their keys.
  func keys(after last: Int64, limit: Int) throws(StoreError) -> [Int64] {
    let row = try database.statement(
      "SELECT key FROM series WHERE key > ?1 ORDER BY key DESC LIMIT ?2")
    row.bind(1, last)
    row.bind(2, Int64(limit))
    defer { row.reset() }
    var keys: [Int64] = []
    while try row.step() { keys.append(row.integer(0)) }
    return keys.reversed()
  }
}
