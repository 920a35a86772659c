import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import JSON
import Platform
import Sync
import Widgets

/// The sources, and when each is synchronised.
final class SourceKeeper {
  var sources: [Source] = []
  let access: SourceAccess
  let bus: BusPublisher
  let keyring: Keyring
  let finder: SecretFinder
  let google: GoogleAccess
  let gnome: GnomeAccounts
  /// The path of datebook-sync.
  let program: String
  let environment: [String: String]
  var runs: [String: SourceRun] = [:]
  /// The sign-ins that are under way, by source.
  var signIns: [String: SignIn] = [:]
  /// Why the last sign-in failed and when, where nobody was waiting for its end.
  var failedSignIns: [String: (failure: RemoteFailure, time: Timestamp)] = [:]
  /// The IDs whose secrets are being removed from the keyring: a new source with such an ID would
  /// lose its own. One is here as often as it waits for the keyring.
  var leaving: [String] = []
  /// Who waits for the end of a run, by source.
  var callers: [String: [SourceCaller]] = [:]
  /// Gets the sources that are stale or wait for a person, whenever they may have changed.
  var onConcerns: (([SnapshotSource]) -> Void)?
  /// Runs when it is time for the next run.
  var alarm: Deadline?
  /// The calendars with reminders that were dismissed just now, and when the first of them was.
  var dismissing: (calendars: Set<CalendarID>, since: Timestamp)?
  /// Runs with what a source needs of its user; nil for nothing any more.
  var onNeed: (_ need: String?, _ source: Source) -> Void = { _, _ in }
  private(set) lazy var folders = FolderFollower(
    loop: access.context.loop, log: access.context.log
  ) { [unowned self] id in
    guard let index = index(of: id), sources[index].state.request(now: now) else { return }
    arm()
  }

  init(
    _ access: SourceAccess, bus: BusPublisher, connection: Connection, program: String,
    environment: [String: String]
  ) {
    self.access = access
    self.bus = bus
    self.program = program
    self.environment = environment
    keyring = Keyring(connection: connection)
    google = GoogleAccess(keyring: keyring)
    gnome = GnomeAccounts(connection: connection)
    finder = SecretFinder(
      loop: access.context.loop, keyring: keyring, environment: environment)
    gnome.onChange = { [unowned self] in gnomeAccountsChange() }
  }

  var now: Timestamp { access.context.clock.now }

  // MARK: Life

  /// Reads the sources of the store, and begins to synchronise them.
  func begin(_ store: EventStore) {
    do throws(StoreError) {
      sources = try store.sources().compactMap { row in
        guard let settings = SourceSettings(kind: row.kind, SourceKeeper.json(row.settings)) else {
          return nil
        }
        let state = SourceKeeper.json(row.state)
        return Source(
          id: row.id, settings: settings,
          state: SourceState(
            intervalSeconds: settings.interval, isPaused: state["paused"]?.boolValue ?? false,
            lastSuccess: state["last-success"]?.integerValue.map(Timestamp.init(seconds:)),
            now: now),
          listed: state["last-listing"]?.integerValue.map(Timestamp.init(seconds:)),
          dismissed: state["dismissed"]?.integerValue.map(Timestamp.init(seconds:)),
          seen: [String: SeenCalendar](state["seen"]))
      }
    } catch {
      access.context.log.error(
        localized("cannot read the sources: {reason}", ["reason": error.text]))
    }
    arm()
  }

  /// Breaks off all runs: the store is being closed.
  func stop() {
    noteDismissed()
    if let alarm { access.context.loop.cancel(alarm) }
    alarm = nil
    for run in runs.values { run.stop() }
    runs = [:]
    for id in signIns.keys.sorted() { endSignIn(id) }
    folders.forgetAll()
    for id in callers.keys.sorted() {
      answerCallers(
        of: id, SourceTally(),
        .failed(RemoteFailure(.busy, localized("the agent closes its database"))))
    }
    sources = []
  }

  /// Events of these calendars were changed here.
  func follow(_ changes: [ChangeSet]) {
    guard !sources.isEmpty else { return }
    let touched = changes.filter { $0.origin != .sync }.reduce(into: Set<CalendarID>()) {
      $0.formUnion($1.calendars)
    }
    guard !touched.isEmpty, let store = access.storage.current else { return }
    for index in sources.indices where sources[index].settings.takesChanges {
      let own = (try? store.collections(of: sources[index].id)) ?? []
      if own.contains(where: { $0.calendar.map(touched.contains) ?? false }) {
        sources[index].state.edit(now: now)
      }
    }
    arm()
  }

  /// The network may have come up, or the machine has woken.
  func networkComesUp() {
    for index in sources.indices { sources[index].state.networkComesUp(now: now) }
    arm()
  }

  /// What only the user can solve, one a line.
  var problems: [String] {
    sources.compactMap { source in
      switch source.state.phase {
      // Somebody has to allow it first.
      case .needsSignIn, .keyringLocked, .needsConfirmation, .certificateProblem,
        .waiting(_, failure: .forbidden):
        localized(
          "the source {source}: {state}", ["source": source.id, "state": source.text])
      case .idle where !source.reason.isEmpty:
        localized("the source {source}: {state}", ["source": source.id, "state": source.text])
      case .idle, .syncing, .waiting, .paused: nil
      }
    }
  }

  // MARK: Changes

  func index(of id: String) -> Int? { sources.firstIndex { $0.id == id } }

  /// Adds a source.
  ///
  /// - Throws: ``CallError`` of the kinds `busy` and `storageFailed`.
  func add(_ id: String, _ settings: SourceSettings) throws(CallError) {
    let source = Source(
      id: id, settings: settings,
      state: SourceState(intervalSeconds: settings.interval, now: now))
    try store(source)
    sources.append(source)
    tell(id)
    arm()
  }

  /// Changes the settings of a source, or its state by the user's wish.
  ///
  /// - Throws: ``CallError`` of the kinds `busy` and `storageFailed`.
  func update(
    _ id: String, _ body: (inout Source, Timestamp) -> Void
  ) throws(CallError) {
    guard let index = index(of: id) else { return }
    var source = sources[index]
    // A run goes by what was set when it began; those who wait for its end wait for the next.
    if let run = runs.removeValue(forKey: id) {
      run.stop()
      source.state.cancel(now: now)
      source.giveBack(run.dismissed)
      // Also if the rest cannot be stored.
      sources[index] = source
      arm()
    }
    body(&source, now)
    source.discovered = nil
    source.state.intervalSeconds = source.settings.interval
    try store(source)
    sources[index] = source
    onNeed(nil, source)
    if source.state.phase == .paused {
      folders.forget(id)
      answerCallers(
        of: id, SourceTally(), .failed(RemoteFailure(.busy, localized("the source was paused"))))
    }
    tell(id)
    arm()
  }

  /// Removes a source; what becomes of its calendars is the caller's decision.
  ///
  /// - Throws: ``CallError`` of the kinds `busy` and `storageFailed`.
  func remove(
    _ id: String, _ body: (StoreChange) throws(CallError) -> Void
  ) throws(CallError) {
    try access.change { change throws(CallError) in
      try body(change)
      try translated { () throws(StoreError) in try change.remove(source: id) }
    }
    runs.removeValue(forKey: id)?.stop()
    folders.forget(id)
    let source = index(of: id).map { sources.remove(at: $0) }
    if let source {
      onNeed(nil, source)
      forgetSecret(of: source)
    }
    answerCallers(
      of: id, SourceTally(), .failed(RemoteFailure(.gone, localized("the source was removed"))))
    tell(id)
  }

  /// Synchronises a source now, or joins the run that is under way.
  ///
  /// - Parameters:
  ///   - name: whom to send SyncProgress to; nil for nobody.
  ///   - completion: called at its end.
  func synchronise(
    _ id: String, for name: BusName?,
    _ completion: @escaping (SourceTally, SourceRun.End) -> Void
  ) {
    guard let index = index(of: id) else { return }
    sources[index].discovered = nil
    if let failure = takeFailedSignIn(id) { return completion(SourceTally(), .failed(failure)) }
    // After a sign-in there is a run.
    let caller = SourceCaller(name: name, onEnd: completion)
    guard signIns[id] == nil else { return callers[id, default: []].append(caller) }
    // calctl adds a source, which begins to run, and then waits for that run.
    let isInTime = runs[id].map { $0.discovers && !$0.hasAsked } ?? false
    guard isInTime || sources[index].state.request(now: now) else {
      return completion(
        SourceTally(),
        .failed(RemoteFailure(.busy, sources[index].phaseText)))
    }
    callers[id, default: []].append(caller)
    arm()
    // It may join one that is under way.
    if let run = runs[id] { tell(run.progress, of: id, to: [caller]) }
  }

  func keep(_ index: Int) {
    do throws(CallError) { try store(sources[index]) } catch {
      // It is kept with the next run; until then a restart shows an older time.
      access.context.log.warning(error.message)
    }
  }

  private func store(_ source: Source) throws(CallError) {
    let state: JSONValue = [
      "paused": .bool(source.state.phase == .paused),
      "last-success": JSONValue(source.state.lastSuccess?.seconds),
      "last-listing": JSONValue(source.listed?.seconds),
      "seen": source.seen.json,
      // A run that is broken off with the agent has told nothing.
      "dismissed": JSONValue(
        [source.dismissed, runs[source.id]?.dismissed].compactMap { $0?.seconds }.min()),
    ]
    try access.change { change throws(CallError) in
      try translated { () throws(StoreError) in
        try change.put(
          source: SourceRow(
            id: source.id, kind: source.settings.kind.rawValue,
            settings: JSONWriter.text(of: source.settings.json),
            state: JSONWriter.text(of: state)))
      }
    }
  }

  private static func json(_ text: String) -> JSONValue {
    (try? JSONReader.value(of: text, maximumOctets: 1 << 20)) ?? .null
  }
}
