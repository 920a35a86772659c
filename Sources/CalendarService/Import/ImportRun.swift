import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import ICalendar
import Messages
import Platform

/// A running import. It reads and stores in batches, between which other calls are answered: they
/// see the store as it was before until all of it is stored.
final class ImportRun {
  let access: TransferAccess
  let request: ImportRequest
  private let answer: (Result<[Value], CallError>) -> Void
  private(set) var source: ImportSource
  let store: EventStore
  /// The zones that the store had before, and the names that those of the text get.
  private var zonesBefore: [(id: String, component: String)] = []
  var zones = ZoneAdoption(present: [])
  /// The staged change; nil until the first batch, and in a dry run.
  var staged: StagedChange?
  /// What a dry run would write, as far as the end of the text may need it.
  private(set) var supposed: DryRunChange
  /// In a dry run: the UIDs of series with a late part; nil before the end of the text. Where there
  /// are any the text is read twice, so that only these are held in memory.
  private var scattered: Set<EventUID>?
  /// In a dry run: the zones of the agent and those of the text, which nobody else sees.
  private let ownZones: AgentZones?
  /// The state of the reading; where the text is read again, it starts from the beginning.
  var reading = Reading()
  /// The places among ``Reading/takenPlaces`` for which the text has its own series.
  var contestedPlaces: Set<Place> = []
  /// Whether the store has no event at all, so that none need be looked up.
  private(set) var isFirst = false
  /// Whether the trash has events, which may be in the text.
  private(set) var hasTrash = false
  /// The content of the trash, once it was needed.
  var trash = KnownTrash.notRead
  /// When it began.
  private(set) var began = Timestamp.earliest
  /// The default reminders of the calendars that existed at the beginning.
  private var defaults: [CalendarID: DefaultAlarms] = [:]
  /// The default reminders of calendars to create. Their series are made ready once they exist.
  private var newDefaults: [CalendarID: DefaultAlarms] = [:]
  /// Whether there was more than one calendar at the beginning.
  var hasOthers = false
  private var hasBegun = false
  /// How many series a batch handles, unless they take too long.
  private var sliceCount = 100
  /// Why it is being taken back, until that is answered.
  private var failure: CallError?
  private var isDiscarding = false
  /// Why the next batch is the last one; nil as long as the import is wanted.
  private var cancellation: CallError?
  /// Whether everything stored is being removed, to read the text again after that.
  private var isClearing = false
  /// How many series are removed in one batch, unless they take too long.
  private static let discardedAtOnce = 500
  /// Why it could not be taken back so far; nil where that was not tried, or continues.
  private(set) var obstacle: CallError?
  /// The percentage that ``reportProgress(ofEnd:)`` reported last.
  var reportedPercent = -1

  /// An incoming event and its calendar.
  struct Place: Hashable {
    let calendar: CalendarID
    let uid: EventUID
  }

  func place(of series: EventSeries) -> Place {
    Place(calendar: series.calendar, uid: series.uid)
  }

  /// Whether an import needs another batch.
  enum Progress {
    case goesOn
    /// There is nothing to do until ``whenThereIsMore(_:)`` calls back.
    case waits
    /// The call is answered, and nothing is left to do.
    case isOver
  }

  /// Reads the calendars; ``step()`` follows at once, so that nothing changes in between.
  ///
  /// - Precondition: No change is staged.
  /// - Throws: ``CallError`` of the kind `parseFailed` for a text that cannot be read at all.
  init(
    _ bytes: [UInt8], _ request: ImportRequest, access: TransferAccess,
    _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    let store = try access.storage.store()
    self.access = access
    self.request = request
    self.answer = answer
    self.store = store
    supposed = DryRunChange(store)
    ownZones = request.isDryRun ? AgentZones(installed: access.context.zones) : nil
    source = try ImportSource(bytes, request, access: access)
  }

  /// Does a batch of the work.
  func step() -> Progress {
    if isDiscarding { return discardMore() }
    do throws(CallError) {
      if let error = cancellation.take() { throw error }
      if !hasBegun { try begin() }
      if isClearing {
        try clearMore()
        return .goesOn
      }
      if try settlePart() { return .goesOn }
      if try keepSomeWaiting() { return .goesOn }
      if !reading.part.series.isEmpty {
        try handlePart()
        return .goesOn
      }
      if try source.prepare() {
        reportProgress()
        return source.mustWait ? .waits : .goesOn
      }
      let began = SystemCalls.monotonicNanoseconds()
      reading.part = (source.next(sliceCount), 0)
      if reading.part.series.isEmpty {
        guard source.isAtEnd else { return source.mustWait ? .waits : .goesOn }
        // Errors of the text as a whole are known now.
        _ = try rest()
        isClearing = source.isToBeReadAnew || reading.isContested
        if !isClearing { isClearing = try learnScattered() }
        return isClearing ? .goesOn : try end()
      }
      try handlePart()
      let spent = max(1, SystemCalls.monotonicNanoseconds() - began)
      let fitting = Int64(sliceCount) * WorkSlice.nanoseconds / spent
      sliceCount = Int(min(max(fitting, 20), Int64(2 * sliceCount), 500))
      return .goesOn
    } catch {
      return fail(error) ? .goesOn : .isOver
    }
  }

  /// Takes the import back in the next batches.
  func giveUp(_ error: CallError) { cancellation = error }

  /// Calls `body` once when there is something to do again.
  func whenThereIsMore(_ body: @escaping () -> Void) { source.whenThereIsMore(body) }

  /// Ends a part of the staged change where one is due, which takes about a batch.
  private func settlePart(isLast: Bool = false) throws(CallError) -> Bool {
    guard let staged else { return false }
    return try translated { () throws(StoreError) in try staged.settlePart(isLast: isLast) }
  }

  /// Does a batch of the work after the last event.
  private func end() throws(CallError) -> Progress {
    let rest = try rest()
    if try cancelSome(of: rest.cancellations, rest) { return .goesOn }
    if try reportAnswers(rest.answers) { return .goesOn }
    if let staged {
      let goesOn = try translated { () throws(StoreError) in
        try staged.addToLog(limit: ImportRun.loggedAtOnce)
      }
      if goesOn { return .goesOn }
      if try settlePart(isLast: true) { return .goesOn }
    }
    if reading.ending == nil {
      reading.ending = Ending(rest: rest, late: try writable(rest.series, rest.messages))
    }
    if try keepAhead() { return .goesOn }
    if try putPart() { return .goesOn }
    let values = try finish(rest)
    reportProgress(ofEnd: 1)
    answer(.success(values))
    return .isOver
  }

  private func rest() throws(CallError) -> CalendarReading {
    if let rest = reading.rest { return rest }
    let rest: CalendarReading
    do throws(CalendarTextError) { rest = try source.rest() } catch {
      throw CallError(error)
    }
    reading.rest = rest
    reading.counts.failed += UInt32(clamping: rest.skipped)
    try adoptZones()
    return rest
  }

  /// How many names are written to the undo log in one batch.
  private static let loggedAtOnce = 2000

  /// Reads the state of the store. From now on nobody else changes it; an earlier import may have.
  private func begin() throws(CallError) {
    hasBegun = true
    try access.changes.settle()
    let calendars: [CalendarInfo]
    (zonesBefore, isFirst, calendars, hasTrash) = try translated { () throws(StoreError) in
        (
        try store.customZones(), try store.lastEventKey() == 0, try store.calendars(),
        try store.hasTrash()
      )
    }
    hasOthers = calendars.count > 1
    began = access.context.clock.now
    defaults = Dictionary(
      calendars.map { ($0.id, DefaultAlarms($0)) }, uniquingKeysWith: { first, _ in first })
    zones = ZoneAdoption(present: zonesBefore)
    let staged = request.isDryRun ? nil : try stage()
    try source.begin(preparation(staged), on: access.context.loop)
  }

  /// What is needed to make series ready for the store; nil where nothing is written.
  private func preparation(_ staged: StagedChange?) -> SeriesPreparation? {
    guard let staged else { return nil }
    return SeriesPreparation(
      now: staged.now, localZone: access.context.localZone, defaults: defaults, adoption: zones,
      customZones: access.context.zones.custom)
  }

  // MARK: A dry run

  /// The zones of the agent and the text.
  var zonesOfText: AgentZones { ownZones ?? access.context.zones }

  var zoneContext: ZoneContext {
    ZoneContext(zones: zonesOfText, local: access.context.localZone)
  }

  /// Whether a series has a late part; this is known in a dry run alone.
  func isScattered(_ series: EventSeries) -> Bool { scattered?.contains(series.uid) ?? false }

  /// Finds in a dry run, once, the series with late parts, and those that the same text cancels.
  ///
  /// - Returns: whether the text must be read again, now that it is known which series to hold in
  ///   memory.
  private func learnScattered() throws(CallError) -> Bool {
    guard request.isDryRun, scattered == nil else { return false }
    let rest = try rest()
    let cancelled = rest.cancellations.filter { !$0.calendarsOfText.isEmpty }
    let all = Set(rest.series.map(\.uid) + cancelled.map { source.renamed($0.uid) })
    scattered = all
    return !all.isEmpty
  }

  /// The default reminders of a calendar.
  func defaults(of calendar: CalendarID) -> DefaultAlarms {
    if let known = defaults[calendar] ?? newDefaults[calendar] { return known }
    guard let new = source.places.new(calendar) else { return .none }
    let alarms = DefaultAlarms(new)
    newDefaults[calendar] = alarms
    return alarms
  }

  // MARK: Calendars and zones

  /// Stores the new calendars that the text has named so far.
  func make() throws(CallError) {
    while reading.madeCount < source.places.made.count {
      let calendar = source.places.made[reading.madeCount].calendar
      let change = try stage()
      try translated { () throws(StoreError) in try change.add(calendar) }
      reading.madeCount += 1
    }
  }

  private func stage() throws(CallError) -> StagedChange {
    if let staged { return staged }
    let now = access.context.clock.now
    let change = try translated { () throws(StoreError) in
      try store.stage(in: request.calendar, origin: .import, now: now, octets: source.octets)
    }
    staged = change
    return change
  }

  /// Adds the zones that the text has defined so far: events are placed with them.
  func adoptZones() throws(CallError) {
    let all = source.customZones
    guard all.count > reading.knownZones else { return }
    for zone in all[reading.knownZones...] {
      let name = zones.take(zone)
      zonesOfText.add(zone.rules, named: name)
    }
    reading.knownZones = all.count
  }

  // MARK: The end

  private func finish(_ rest: CalendarReading) throws(CallError) -> [Value] {
    try noteProperties(of: rest.heads)
    noteTable()
    if request.isDryRun {
      supposed.made = source.places.made.map(\.calendar)
      try translated { () throws(StoreError) in
        try putRest(supposed)
        try keepProperties(of: rest.heads, supposed)
      }
    } else {
      let change = try stage()
      try make()
      _ = try access.changes.change(staged: true) { _ throws(CallError) in
        try change.finish(wrapping: CallError.init) { (change) throws(CallError) in
          try translated { () throws(StoreError) in
            try putRest(change)
            try keepProperties(of: rest.heads, change)
          }
        }
      }
      staged = nil
    }
    noteReplaced()
    let notes = reading.notes.all
    let problems =
      (notes.refused + notes.counted + rest.problems + calendarNotes + notes.tolerated)
      .bounded(to: ImportNotes.maximumProblems)
    return [
      reading.counts.value(byCalendar: request.countsCalendars),
      Row.array(problems.map(Row.init(problem:))),
    ]
  }

  /// Removes some of what was stored, and reads the text again once all of it is removed.
  private func clearMore() throws(CallError) {
    if let staged {
      let goesOn = try translated { () throws(StoreError) in
        try staged.discard(limit: ImportRun.discardedAtOnce, isLate: WorkSlice().isOver)
      }
      if goesOn { return }
    }
    isClearing = false
    staged = nil
    reading = Reading()
    supposed = DryRunChange(store)
    for (id, _) in zones.adopted { zonesOfText.remove(named: id) }
    zones = ZoneAdoption(present: zonesBefore)
    let next = request.isDryRun ? nil : try stage()
    let preparation = preparation(next)
    try source.readAnew(preparation, on: access.context.loop)
  }

  // MARK: Failure

  private func fail(_ error: CallError) -> Bool {
    access.storage.couldNotWrite(error)
    failure = error
    isDiscarding = staged != nil
    if !isDiscarding { reportFailure() }
    return isDiscarding
  }

  /// Answers with the failure, once nothing of the import is visible any more.
  private func reportFailure() {
    guard let error = failure.take() else { return }
    for (id, _) in zones.adopted { zonesOfText.remove(named: id) }
    answer(.failure(error))
  }

  private func discardMore() -> Progress {
    let taken = access.changes.takeBackSome(
      localized("an incomplete import could not be rolled back")
    ) {
      (isLate, tell) throws(StoreError) in
      try staged?.discard(limit: ImportRun.discardedAtOnce, isLate: isLate, tell: tell) ?? false
    }
    obstacle = nil
    switch taken {
    case .goesOn: return .goesOn
    case .isOver:
      access.sweeper.clearAway(store)
      reportFailure()
      return .isOver
    case .fails(let failure):
      reportFailure()
      obstacle = failure
      return .waits
    }
  }
}
