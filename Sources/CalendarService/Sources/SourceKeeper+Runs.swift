import CalendarBus
import CalendarStore
import CivilTime
import DBus
import Platform
import Sync

/// Someone who waits for the end of a run.
struct SourceCaller {
  /// Whom to send SyncProgress to; nil for nobody.
  let name: BusName?
  let onEnd: (SourceTally, SourceRun.End) -> Void
}

/// Runs of sources: when each begins, and what its end means.
extension SourceKeeper {
  /// The most runs at a time.
  private static let mostRuns = 2
  private static let keyringMilliseconds = 60_000
  private static let discoverySeconds: Int64 = 86_400
  private static let listingSeconds: Int64 = 7 * 86_400
  /// The longest wait of a timer, which does not count the time that the machine sleeps.
  private static let longestSeconds: Int64 = 60

  /// Begins the runs that are due, and sets the timer for the next one.
  func arm() {
    if let alarm { access.context.loop.cancel(alarm) }
    alarm = nil
    for source in sources where runs.count < SourceKeeper.mostRuns {
      if let next = source.state.nextRun(now: now), next <= now { begin(source.id) }
    }
    let next = sources.compactMap { $0.state.nextRun(now: now) }.min()
    guard let next, runs.count < SourceKeeper.mostRuns else { return }
    let wait = min(max(next.seconds - now.seconds, 1), SourceKeeper.longestSeconds)
    alarm = access.context.loop.after(milliseconds: Int(wait) * 1000) { [unowned self] in arm() }
  }

  private func begin(_ id: String) {
    guard let index = index(of: id), runs[id] == nil else { return }
    let conversation: RemoteConversation
    do throws(SystemError) {
      conversation = try RemoteConversation(
        program: program, environment: environment, loop: access.context.loop)
    } catch {
      sources[index].state.begin()
      return fail(id, RemoteFailure(.offline, localized(error.text)))
    }
    let run = SourceRun(
      id, sources[index].settings, access, conversation,
      accepted: sources[index].state.acceptedDeletions, discovers: discovers(index),
      relists: relists(index)
    ) { [unowned self] run, end in ended(run, end) }
    run.onProgress = { [unowned self] progress in
      tell(progress, of: id, to: callers[id] ?? [])
    }
    run.seen = sources[index].seen
    run.dismissed = sources[index].dismissed
    sources[index].dismissed = nil
    runs[id] = run
    sources[index].state.begin()
    failedSignIns[id] = nil
    tell(id)
    findSecret(run.settings, id: id) { [weak self, weak run] result in
      guard let self, let run, !run.isOver else { return }
      switch result {
      case .success(let secret): begin(run, secret: secret)
      case .failure(.locked):
        run.stop()
        runs[id] = nil
        if let index = self.index(of: id) {
          sources[index].giveBack(run.dismissed)
          sources[index].reason = ""
          sources[index].state.lockKeyring()
        }
        lookAtKeyringLater(id)
        finish(id, SourceTally(), .failed(SecretFinder.Failure.locked.remote))
      case .failure(let failure): run.end(.failed(failure.remote))
      }
    }
  }

  /// Whether a source is asked which calendars it has: once a day, and when something may be new.
  ///
  /// Web calendars and media servers have one each, always.
  private func discovers(_ index: Int) -> Bool {
    let source = sources[index]
    let isKnown =
      (try? SourceCalendars(source.id, source.settings, access).known().isEmpty) == false
    guard isKnown else { return true }
    switch source.settings.kind {
    case .caldav, .google, .vdir:
      return source.discovered.map { now >= $0.adding(seconds: SourceKeeper.discoverySeconds) }
        ?? true
    case .webcal, .radarr, .sonarr, .lidarr: return false
    }
  }

  /// Whether a source is asked for all that it has: once a week, because a server may forget a
  /// change, or not know our token and not say so.
  private func relists(_ index: Int) -> Bool {
    sources[index].listed.map { now >= $0.adding(seconds: SourceKeeper.listingSeconds) } ?? true
  }

  /// Nobody says that a keyring was unlocked, or has come.
  private func lookAtKeyringLater(_ id: String) {
    access.context.loop.after(milliseconds: SourceKeeper.keyringMilliseconds) { [weak self] in
      guard let self, let index = index(of: id) else { return }
      sources[index].state.unlockKeyring(now: now)
      arm()
    }
  }

  private func ended(_ run: SourceRun, _ end: SourceRun.End) {
    // The run that ends is still at work.
    access.context.whenIdle { withExtendedLifetime(run) {} }
    runs[run.id] = nil
    guard let index = index(of: run.id) else { return }
    sources[index].reason = ""
    sources[index].seen = run.seen
    let isAllSent = if case .succeeded = end { !run.hasUntoldDismissals } else { false }
    if !isAllSent { sources[index].giveBack(run.dismissed) }
    switch end {
    case .succeeded(let refresh):
      // A feed may ask to be left alone for longer than the user wants.
      sources[index].state.intervalSeconds = max(run.settings.interval, min(refresh, 86_400))
      sources[index].state.succeed(now: now)
      google.succeeded(run.id)
      // One that is missing may come back.
      if run.discovers { sources[index].discovered = run.missesCalendar ? nil : now }
      if run.relists { sources[index].listed = now }
      sources[index].reason = run.tally.trouble
      // A calendar may have moved.
      if run.tally.failed > 0 { sources[index].discovered = nil }
      followFolders(of: run.id, run.settings)
    case .held(let deletions, let known):
      sources[index].state.hold(deletions: deletions, known: known)
    case .failed(let failure):
      if beginsAgain(run, failure, index) { return }
      return fail(run.id, failure, run.tally)
    }
    finish(run.id, run.tally, end)
  }

  private func followFolders(of id: String, _ settings: SourceSettings) {
    guard settings.kind == .vdir, let store = access.storage.current,
      let collections = try? store.collections(of: id)
    else { return }
    let names = collections.filter { $0.calendar != nil }.map(\.href)
    folders.follow(id, [settings.url] + names.filter { $0 != "." }.map { "\(settings.url)/\($0)" })
  }

  private func fail(_ id: String, _ failure: RemoteFailure, _ tally: SourceTally = SourceTally()) {
    guard let index = index(of: id) else { return }
    sources[index].reason = failure.reason
    sources[index].discovered = nil
    sources[index].state.fail(failure, now: now, jitter: Double.random(in: 0...1))
    access.context.log.warning(
      localized(
        "cannot synchronise {source}: {reason}", ["source": id, "reason": failure.reason]))
    finish(id, tally, .failed(failure))
  }

  private func finish(_ id: String, _ tally: SourceTally, _ end: SourceRun.End) {
    guard let index = index(of: id) else { return }
    keep(index)
    tellNeed(of: sources[index])
    bus.emit(
      Contract.syncTable, "SyncFinished",
      [.string(id), .string(sources[index].state.phase.name), tally.value])
    tell(id)
    answerCallers(of: id, tally, end)
    arm()
  }

  func answerCallers(of id: String, _ tally: SourceTally, _ end: SourceRun.End) {
    for caller in callers.removeValue(forKey: id) ?? [] { caller.onEnd(tally, end) }
  }

  /// Sends how far a run is to those who wait for its end.
  func tell(_ progress: SourceProgress, of id: String, to callers: [SourceCaller]) {
    for name in callers.compactMap(\.name) {
      bus.emit(Contract.syncTable, "SyncProgress", progress.arguments(of: id), to: name)
    }
  }

  /// Announces that the row of a source differs.
  func tell(_ id: String) {
    bus.emit(Contract.syncTable, "SourcesChanged", [.strings([id])])
    noteConcern(of: id)
  }
}
