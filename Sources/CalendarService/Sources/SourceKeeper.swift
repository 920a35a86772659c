import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import JSON
import Platform
import Sync

/// The sources, and when each is synchronised.
final class SourceKeeper {
  /// A source in memory.
  struct Source {
    let id: String
    var settings: SourceSettings
    var state: SourceState
    /// What the source said when its last run failed.
    var reason = ""
    /// When it was last asked which calendars it has; nil: it is to be asked.
    var discovered: Timestamp?
    /// When it last listed all that it has; nil: it is to be asked for that.
    var listed: Timestamp?
  }

  var sources: [Source] = []
  let access: SourceAccess
  let bus: BusPublisher
  let keyring: Keyring
  let finder: SecretFinder
  /// The path of datebook-sync.
  let program: String
  let environment: [String: String]
  var runs: [String: SourceRun] = [:]
  /// Who waits for the end of a run, by source.
  var callers: [String: [(SourceTally, SourceRun.End) -> Void]] = [:]
  /// Runs when it is time for the next run.
  var alarm: Deadline?
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
    finder = SecretFinder(
      loop: access.context.loop, keyring: keyring, environment: environment)
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
          listed: state["last-listing"]?.integerValue.map(Timestamp.init(seconds:)))
      }
    } catch {
      access.context.log.error(
        localized("cannot read the sources: {reason}", ["reason": error.text]))
    }
    arm()
  }

  /// Breaks off all runs: the store is being closed.
  func stop() {
    if let alarm { access.context.loop.cancel(alarm) }
    alarm = nil
    for run in runs.values { run.stop() }
    runs = [:]
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
      case .needsSignIn, .keyringLocked, .needsConfirmation, .certificateProblem:
        localized(
          "the source {source}: {state}",
          ["source": source.id, "state": source.state.phase.text])
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
    }
    body(&source, now)
    source.discovered = nil
    source.state.intervalSeconds = source.settings.interval
    try store(source)
    sources[index] = source
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
    sources.removeAll { $0.id == id }
    keyring.remove(id)
    answerCallers(
      of: id, SourceTally(), .failed(RemoteFailure(.gone, localized("the source was removed"))))
    tell(id)
  }

  /// Synchronises a source now, or joins the run that is under way.
  ///
  /// - Parameter completion: called at its end.
  func synchronise(
    _ id: String, _ completion: @escaping (SourceTally, SourceRun.End) -> Void
  ) {
    guard let index = index(of: id) else { return }
    sources[index].discovered = nil
    guard sources[index].state.request(now: now) else {
      return completion(
        SourceTally(),
        .failed(RemoteFailure(.busy, localized(sources[index].state.phase.text))))
    }
    callers[id, default: []].append(completion)
    arm()
  }

  /// Asks a source that is not kept.
  ///
  /// - Parameter completion: gets its collections, or why it has none.
  func check(
    _ settings: SourceSettings, secret: String,
    _ completion: @escaping (Result<[RemoteCollection], RemoteFailure>) -> Void
  ) {
    let conversation: RemoteConversation
    do throws(SystemError) {
      conversation = try RemoteConversation(
        program: program, environment: environment, loop: access.context.loop)
    } catch {
      return completion(.failure(RemoteFailure(.offline, localized(error.text))))
    }
    var found: [RemoteCollection] = []
    finder.find(settings, id: "") { [access] result in
      let known: String
      switch result {
      case .success(let text): known = secret.isEmpty ? text : secret
      case .failure(let failure):
        conversation.stop()
        return completion(.failure(failure.remote))
      }
      let place = settings.access(secret: known, today: access.context.today)
      conversation.ask(
        .open(place),
        onEnd: { result in
          guard case .failure(let failure) = result else { return }
          access.context.whenIdle { conversation.stop() }
          completion(.failure(failure))
        })
      conversation.ask(
        .discover,
        onAnswer: { if case .collection(let collection) = $0 { found.append(collection) } },
        onEnd: { result in
          access.context.whenIdle { conversation.stop() }
          completion(result.map { _ in found })
        })
    }
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
