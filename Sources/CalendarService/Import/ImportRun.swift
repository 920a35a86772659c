import CalendarBus
import CalendarImport
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import ICalendar
import Platform

/// One import under way. It is read and stored in slices, between which others are
/// answered: they see the store as it was until all of it is there.
final class ImportRun {
  private weak var agent: CalendarAgent?
  let request: ImportRequest
  private let answer: (Result<[Value], CallError>) -> Void
  private(set) var source: ImportSource
  let store: EventStore
  /// The zones that the store had before, and what becomes of those of the text.
  private var zonesBefore: [(id: String, component: String)] = []
  var zones = ZoneAdoption(present: [])
  /// nil until the first slice, and in a dry run.
  var staged: StagedChange?
  /// What would be written in a dry run, of what the end of the text is held against.
  private(set) var supposed: DryRunChange
  /// In a dry run: the UIDs of series of which something stands far behind the rest; nil before the end of the text.
  /// Where there are any the text is read twice, so that of what it brings nothing else is to be kept in memory.
  private var scattered: Set<EventUID>?
  /// In a dry run: the zones of the agent and those of the text, which nobody else is to see.
  private let ownZones: AgentZones?
  /// What has come of the text so far; where that is read anew, all of it begins again.
  var reading = Reading()
  /// Those places of ``Reading/takenPlaces`` for which the text has its own, once it was read.
  var contestedPlaces: Set<Place> = []
  /// Whether nothing at all is there, so that nothing need be looked for.
  private(set) var isFirst = false
  /// Whether something was removed, and may be in the text.
  private(set) var hasTrash = false
  /// What that is, once something was looked for in it.
  var trash = KnownTrash.notRead
  /// When it began.
  private(set) var began = Timestamp.earliest
  /// What the calendars that there were then give to events without reminders of their own.
  private var defaults: [CalendarID: DefaultAlarms] = [:]
  /// What those will give that there are not yet. What goes into these is made ready once they are there.
  private var newDefaults: [CalendarID: DefaultAlarms] = [:]
  /// Whether there was more than one calendar at the beginning.
  var hasOthers = false
  private var hasBegun = false
  /// How many series are dealt with in one slice, unless they take too long.
  private var sliceCount = 100
  /// Why it is being taken back, as long as nobody has been told.
  private var failure: CallError?
  private var isDiscarding = false
  /// Why the next slice is the last one; nil as long as it is wanted.
  private var cancellation: CallError?
  /// Whether what was stored is taken out, and the text read anew then.
  private var isClearing = false
  /// So many series are taken out in one slice, unless they take too long.
  private static let discardedAtOnce = 500
  /// Why it could not be taken back so far; nil where that was not tried, or goes on.
  private(set) var obstacle: CallError?
  /// As of ``tellProgress(isAtEnd:)``.
  var toldPercent = -1

  /// An event that comes in, and where it would go.
  struct Place: Hashable {
    let calendar: CalendarID
    let uid: EventUID
  }

  func place(of series: EventSeries) -> Place {
    Place(calendar: series.calendar, uid: series.uid)
  }

  /// How an import gets on.
  enum Progress {
    case goesOn
    /// There is nothing to do until ``whenThereIsMore(_:)`` says so.
    case waits
    /// The call is answered, and nothing is left to do.
    case isOver
  }

  /// Reads the calendars; ``step()`` follows at once, so that nothing else comes in between.
  ///
  /// - Precondition: No change is staged.
  /// - Throws: ``CallError`` for a text that cannot be read at all.
  init(
    _ bytes: [UInt8], _ request: ImportRequest, agent: CalendarAgent,
    _ answer: @escaping (Result<[Value], CallError>) -> Void
  ) throws(CallError) {
    let store = try agent.store()
    self.agent = agent
    self.request = request
    self.answer = answer
    self.store = store
    supposed = DryRunChange(store)
    ownZones = request.isDryRun ? AgentZones(installed: agent.zones) : nil
    source = try ImportSource(bytes, request, agent: agent)
  }

  /// Does a slice of the work.
  func step() -> Progress {
    guard let agent else { return .isOver }
    if isDiscarding { return discardMore(agent) }
    do throws(CallError) {
      if let error = cancellation.take() { throw error }
      if !hasBegun { try begin(agent) }
      if isClearing {
        try clearMore(agent)
        return .goesOn
      }
      if try settlePart() { return .goesOn }
      if try keepSomeWaiting() { return .goesOn }
      if !reading.part.series.isEmpty {
        try dealWithPart(agent)
        return .goesOn
      }
      if try source.prepare() {
        tellProgress()
        return source.mustWait ? .waits : .goesOn
      }
      let began = SystemCalls.monotonicNanoseconds()
      reading.part = (source.next(sliceCount), 0)
      if reading.part.series.isEmpty {
        guard source.isAtEnd else { return source.mustWait ? .waits : .goesOn }
        // What is wrong with the text as a whole is known now.
        _ = try rest(agent)
        isClearing = source.isToBeReadAnew || reading.isContested
        if !isClearing { isClearing = try learnScattered(agent) }
        return isClearing ? .goesOn : try end(agent)
      }
      try dealWithPart(agent)
      let spent = max(1, SystemCalls.monotonicNanoseconds() - began)
      let fitting = Int64(sliceCount) * WorkSlice.nanoseconds / spent
      sliceCount = Int(min(max(fitting, 20), Int64(2 * sliceCount), 500))
      return .goesOn
    } catch {
      return fail(error, agent) ? .goesOn : .isOver
    }
  }

  /// Has all of it taken back in the next slices.
  func giveUp(_ error: CallError) { cancellation = error }

  /// Calls `body` once when there is something to do again.
  func whenThereIsMore(_ body: @escaping () -> Void) { source.whenThereIsMore(body) }

  /// Ends a part of what is written where one is due, which takes about a slice.
  private func settlePart(isLast: Bool = false) throws(CallError) -> Bool {
    guard let staged else { return false }
    return try translated { () throws(StoreError) in try staged.settlePart(isLast: isLast) }
  }

  /// Does a slice of what comes after the last event.
  private func end(_ agent: CalendarAgent) throws(CallError) -> Progress {
    let rest = try rest(agent)
    if try cancelSome(of: rest.cancellations, rest, agent) { return .goesOn }
    if try tellAnswers(rest.answers) { return .goesOn }
    if let staged {
      let goesOn = try translated { () throws(StoreError) in
        try staged.addToLog(limit: ImportRun.loggedAtOnce)
      }
      if goesOn { return .goesOn }
      if try settlePart(isLast: true) { return .goesOn }
    }
    if reading.ending == nil {
      reading.ending = Ending(rest: rest, late: try writable(rest.series, rest.messages, agent))
    }
    if try keepAhead() { return .goesOn }
    if try putPart(agent) { return .goesOn }
    let values = try finish(rest, agent)
    tellProgress(ofEnd: 1)
    answer(.success(values))
    return .isOver
  }

  private func rest(_ agent: CalendarAgent) throws(CallError) -> CalendarReading {
    if let rest = reading.rest { return rest }
    let rest: CalendarReading
    do throws(CalendarTextError) { rest = try source.rest() } catch {
      throw CallError(.parseFailed, "\(error)")
    }
    reading.rest = rest
    reading.counts.failed += UInt32(clamping: rest.skipped)
    try adoptZones(agent)
    return rest
  }

  /// How many names are written to the log in one slice.
  private static let loggedAtOnce = 2000

  /// Looks at what is there. From now on nobody else changes what the import is held
  /// against; one that came before may have.
  private func begin(_ agent: CalendarAgent) throws(CallError) {
    hasBegun = true
    try agent.changes.settle()
    let calendars: [CalendarInfo]
    (zonesBefore, isFirst, calendars, hasTrash) = try translated { () throws(StoreError) in
      (
        try store.customZones(), try store.lastEventKey() == 0, try store.calendars(),
        try store.hasTrash()
      )
    }
    hasOthers = calendars.count > 1
    began = agent.clock.now
    defaults = Dictionary(
      calendars.map { ($0.id, DefaultAlarms($0)) }, uniquingKeysWith: { first, _ in first })
    zones = ZoneAdoption(present: zonesBefore)
    let staged = request.isDryRun ? nil : try stage(agent)
    try source.begin(preparation(staged, agent), on: agent.loop)
  }

  /// What it takes to make series ready; nil where nothing is to be written.
  private func preparation(
    _ staged: StagedChange?, _ agent: CalendarAgent
  ) -> SeriesPreparation? {
    guard let staged else { return nil }
    return SeriesPreparation(
      now: staged.now, localZone: agent.localZone, defaults: defaults, adoption: zones,
      customZones: agent.zones.custom)
  }

  // MARK: A dry run

  /// Where the zones are looked up that a series of the text is in.
  func zonesOfText(_ agent: CalendarAgent) -> AgentZones { ownZones ?? agent.zones }

  func context(_ agent: CalendarAgent) -> ZoneContext {
    ZoneContext(zones: zonesOfText(agent), local: agent.localZone)
  }

  /// Whether something of a series stands far behind it; only of a dry run that is known.
  func isScattered(_ series: EventSeries) -> Bool { scattered?.contains(series.uid) ?? false }

  /// Learns in a dry run, once, what stands far behind the rest of its series, or is cancelled in the same text.
  ///
  /// - Returns: whether the text is to be read anew, now that it is known what is to be kept of it.
  private func learnScattered(_ agent: CalendarAgent) throws(CallError) -> Bool {
    guard request.isDryRun, scattered == nil else { return false }
    let rest = try rest(agent)
    let cancelled = rest.cancellations.filter { !$0.calendarsOfText.isEmpty }
    let all = Set(rest.series.map(\.uid) + cancelled.map { source.renamed($0.uid) })
    scattered = all
    return !all.isEmpty
  }

  /// What a calendar gives to events without reminders of their own.
  func defaults(of calendar: CalendarID) -> DefaultAlarms {
    if let known = defaults[calendar] ?? newDefaults[calendar] { return known }
    guard let new = source.places.new(calendar) else { return .none }
    let alarms = DefaultAlarms(new)
    newDefaults[calendar] = alarms
    return alarms
  }

  // MARK: What is made first

  /// Stores the calendars that have come up since and that there are not.
  func make(_ agent: CalendarAgent) throws(CallError) {
    while reading.madeCount < source.places.made.count {
      let calendar = source.places.made[reading.madeCount].calendar
      let change = try stage(agent)
      try translated { () throws(StoreError) in try change.add(calendar) }
      reading.madeCount += 1
    }
  }

  private func stage(_ agent: CalendarAgent) throws(CallError) -> StagedChange {
    if let staged { return staged }
    let now = agent.clock.now
    let change = try translated { () throws(StoreError) in
      try store.stage(in: request.calendar, origin: .import, now: now, octets: source.octets)
    }
    staged = change
    return change
  }

  /// Adds the zones that have come up since: events are placed with them.
  func adoptZones(_ agent: CalendarAgent) throws(CallError) {
    let all = source.customZones
    guard all.count > reading.knownZones else { return }
    for zone in all[reading.knownZones...] {
      let name = zones.take(zone)
      zonesOfText(agent).add(zone.rules, named: name)
    }
    reading.knownZones = all.count
  }

  // MARK: The end

  private func finish(
    _ rest: CalendarReading, _ agent: CalendarAgent
  ) throws(CallError) -> [Value] {
    try noteProperties(of: rest.heads)
    noteTable()
    if request.isDryRun {
      supposed.made = source.places.made.map(\.calendar)
      try translated { () throws(StoreError) in
        try putRest(supposed, agent)
        try keepProperties(of: rest.heads, supposed)
      }
    } else {
      let change = try stage(agent)
      try make(agent)
      _ = try agent.changes.change(staged: true) { _ throws(CallError) in
        try change.finish(wrapping: CallError.init) { (change) throws(CallError) in
          try translated { () throws(StoreError) in
            try putRest(change, agent)
            try keepProperties(of: rest.heads, change)
          }
        }
      }
      staged = nil
    }
    noteReplaced()
    let told = reading.notes.all
    let problems =
      (told.refused + told.counted + rest.problems + calendarNotes + told.tolerated)
      .bounded(to: ImportNotes.maximumProblems)
    return [
      reading.counts.value(byCalendar: request.countsCalendars),
      Row.array(problems.map(Row.init(problem:))),
    ]
  }

  /// Takes out some of what was stored, and begins again with the text once that is all.
  private func clearMore(_ agent: CalendarAgent) throws(CallError) {
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
    for (id, _) in zones.adopted { zonesOfText(agent).remove(named: id) }
    zones = ZoneAdoption(present: zonesBefore)
    let next = request.isDryRun ? nil : try stage(agent)
    let preparation = preparation(next, agent)
    try source.readAnew(preparation, on: agent.loop)
  }

  // MARK: Failure

  private func fail(_ error: CallError, _ agent: CalendarAgent) -> Bool {
    agent.storage.couldNotWrite(error)
    failure = error
    isDiscarding = staged != nil
    if !isDiscarding { tellFailure(agent) }
    return isDiscarding
  }

  /// Answers, once nothing of it is to be seen any more.
  private func tellFailure(_ agent: CalendarAgent) {
    guard let error = failure.take() else { return }
    for (id, _) in zones.adopted { zonesOfText(agent).remove(named: id) }
    answer(.failure(error))
  }

  private func discardMore(_ agent: CalendarAgent) -> Progress {
    let taken = agent.changes.takeBackSome("the rest of an import could not be taken out") {
      (isLate, tell) throws(StoreError) in
      try staged?.discard(limit: ImportRun.discardedAtOnce, isLate: isLate, tell: tell) ?? false
    }
    obstacle = nil
    switch taken {
    case .goesOn: return .goesOn
    case .isOver:
      agent.sweeper.clearAway(store)
      tellFailure(agent)
      return .isOver
    case .fails(let failure):
      tellFailure(agent)
      obstacle = failure
      return .waits
    }
  }
}
