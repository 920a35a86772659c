import CivilTime
import Messages
import Sync
import Testing

@Suite struct `The state of a source` {
  private func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

  private func source(_ change: (inout SourceState) -> Void = { _ in }) -> SourceState {
    var state = SourceState(intervalSeconds: 900, now: at(0))
    change(&state)
    return state
  }

  /// A source whose run has failed at 10.
  private func failed(_ kind: RemoteFailure.Kind, retryAfter: Int64 = 0) -> SourceState {
    source {
      $0.begin()
      $0.fail(RemoteFailure(kind, "", retryAfter: retryAfter), now: at(10), jitter: 0)
    }
  }

  private func synced(at seconds: Int64) -> SourceState {
    source {
      $0.begin()
      $0.succeed(now: at(seconds))
    }
  }

  private func next(_ state: SourceState, now: Int64) -> Int64? {
    state.nextRun(now: at(now))?.seconds
  }

  @Test func `runs at the start, and then at each interval`() {
    #expect(next(source(), now: 0) == 0)
    let state = synced(at: 10)
    #expect(state.phase == .idle)
    #expect(state.lastSuccess == at(10))
    #expect(next(state, now: 10) == 910)
    #expect(next(state, now: 5000) == 5000)
  }

  @Test func `runs only when asked without an interval`() {
    var state = SourceState(intervalSeconds: 0, now: at(0))
    state.begin()
    #expect(next(state, now: 1) == nil)
    state.succeed(now: at(1))
    #expect(next(state, now: 1) == nil)
    let runs = state.request(now: at(5))
    #expect(runs)
    #expect(next(state, now: 5) == 5)
  }

  @Test func `does not wait for ever after the clock was set back`() {
    #expect(next(synced(at: 1_000_000), now: 10) == 3610)
    var state = source()
    state.begin()
    state.fail(RemoteFailure(.offline, ""), now: at(1_000_000), jitter: 0)
    #expect(next(state, now: 10) == 3610)
  }

  @Test func `waits longer after each failure, and no more after a success`() {
    var state = failed(.offline)
    #expect(state.phase == .waiting(until: at(40), failure: .offline))
    #expect(next(state, now: 10) == 40)
    state.begin()
    state.fail(RemoteFailure(.malformed, ""), now: at(40), jitter: 0)
    #expect(next(state, now: 40) == 100)
    state.begin()
    state.succeed(now: at(100))
    state.begin()
    state.fail(RemoteFailure(.offline, ""), now: at(1000), jitter: 0)
    #expect(next(state, now: 1000) == 1030)
  }

  @Test(arguments: [
    (RemoteFailure.Kind.signIn, SourceState.Phase.needsSignIn), (.certificate, .certificateProblem),
  ])
  func `waits for the user where only he can help`(
    kind: RemoteFailure.Kind, phase: SourceState.Phase
  ) {
    var state = failed(kind)
    #expect(state.phase == phase)
    #expect(next(state, now: 100_000) == nil)
    state.edit(now: at(20))
    #expect(next(state, now: 100_000) == nil)
    state.changeAccess(now: at(30))
    #expect(next(state, now: 30) == 30)
  }

  @Test func `looks at a certificate again in another network, and not at a password`() {
    var certificate = failed(.certificate)
    certificate.networkComesUp(now: at(20))
    #expect(next(certificate, now: 20) == 20)
    var password = failed(.signIn)
    password.networkComesUp(now: at(20))
    #expect(next(password, now: 100_000) == nil)
  }

  // A locked keyring is no failed sign-in.
  @Test func `waits for the keyring`() {
    var state = source {
      $0.begin()
      $0.lockKeyring()
    }
    #expect(state.phase == .keyringLocked)
    #expect(next(state, now: 100_000) == nil)
    state.unlockKeyring(now: at(50))
    #expect(next(state, now: 50) == 50)
    #expect(state.failures == 0)
    var other = failed(.signIn)
    other.unlockKeyring(now: at(50))
    #expect(other.phase == .needsSignIn)
  }

  @Test func `waits for a yes to deletions, which holds for one run that ends well`() {
    var state = source {
      $0.begin()
      $0.hold(deletions: 30, known: 31)
    }
    #expect(state.phase == .needsConfirmation(deletions: 30, known: 31))
    #expect(next(state, now: 100_000) == nil)
    state.accept(now: at(60))
    #expect(next(state, now: 60) == 60)
    #expect(state.acceptedDeletions == 30)
    state.begin()
    state.fail(RemoteFailure(.offline, ""), now: at(61), jitter: 0)
    #expect(state.acceptedDeletions == 30)
    state.begin()
    state.succeed(now: at(100))
    #expect(state.acceptedDeletions == 0)
  }

  @Test func `a yes without a question is none`() {
    var state = synced(at: 10)
    state.accept(now: at(20))
    #expect(state == synced(at: 10))
  }

  @Test func `a paused source does nothing until it is resumed`() {
    var state = synced(at: 10)
    state.begin()
    state.pause()
    state.succeed(now: at(20))
    state.edit(now: at(20))
    state.networkComesUp(now: at(20))
    state.changeAccess(now: at(20))
    let runs = state.request(now: at(20))
    #expect(!runs)
    #expect(state.phase == .paused)
    #expect(next(state, now: 100_000) == nil)
    state.resume(now: at(30))
    #expect(next(state, now: 30) == 30)
    #expect(SourceState(intervalSeconds: 900, isPaused: true, now: at(0)).phase == .paused)
  }

  @Test func `resuming does not disturb a source that is not paused`() {
    var state = failed(.signIn)
    state.resume(now: at(20))
    #expect(state.phase == .needsSignIn)
  }

  @Test func `pushes an edit after two seconds`() {
    var state = synced(at: 10)
    state.edit(now: at(20))
    #expect(next(state, now: 20) == 22)
    state.edit(now: at(21))
    #expect(next(state, now: 21) == 22)
  }

  @Test func `pushes an edit made during a run after it`() {
    var state = source()
    state.begin()
    state.edit(now: at(5))
    state.succeed(now: at(10))
    #expect(next(state, now: 10) == 12)
    state.begin()
    state.succeed(now: at(20))
    #expect(next(state, now: 20) == 920)
  }

  // Rule 16.
  @Test func `leaves a server alone that asks for it, also for an edit or the network`() {
    var state = failed(.busy, retryAfter: 300)
    state.edit(now: at(20))
    state.networkComesUp(now: at(20))
    let runs = state.request(now: at(20))
    #expect(!runs)
    #expect(next(state, now: 20) == 310)
  }

  @Test func `a request runs once the time is over that a server asked for`() {
    var state = failed(.busy, retryAfter: 300)
    #expect(next(state, now: 310) == 310)
    let runs = state.request(now: at(310))
    #expect(runs)
    #expect(state.phase == .idle)
  }

  @Test func `runs when the network comes up, unless it has just run`() {
    var state = failed(.offline)
    state.networkComesUp(now: at(12))
    #expect(next(state, now: 12) == 12)
    #expect(state.failures == 0)
    state = synced(at: 10)
    state.networkComesUp(now: at(69))
    #expect(next(state, now: 69) == 910)
    state.networkComesUp(now: at(70))
    #expect(next(state, now: 70) == 70)
  }

  @Test func `a request runs at once, or again after a run`() {
    var state = failed(.offline)
    var runs = state.request(now: at(15))
    #expect(runs)
    #expect(next(state, now: 15) == 15)
    state.begin()
    runs = state.request(now: at(16))
    #expect(runs)
    #expect(state.phase == .syncing)
    state.succeed(now: at(17))
    #expect(next(state, now: 17) == 19)
  }

  @Test func `a run that was broken off is done again`() {
    var state = source()
    state.begin()
    state.cancel(now: at(5))
    #expect(next(state, now: 5) == 5)
  }

  @Test func `has a name for programs and a sentence for people`() {
    let phases: [SourceState.Phase] = [
      .idle, .syncing, .waiting(until: at(0), failure: .busy), .needsSignIn, .keyringLocked,
      .needsConfirmation(deletions: 30, known: 31), .certificateProblem, .paused,
    ]
    #expect(
      phases.map(\.name) == [
        "idle", "syncing", "waiting", "sign-in", "locked", "confirm", "certificate", "paused",
      ])
    #expect(Set(phases.map { $0.text(of: .caldav) }).count == phases.count)
    #expect(
      phases[5].text(of: .caldav).english.hasPrefix("30 of 31 events are gone on the server."))
  }

  @Test func `a folder is not called a server`() {
    let failures: [RemoteFailure.Kind] = [
      .local, .busy, .offline, .gone, .forbidden, .refused, .malformed, .conflict, .sameUID,
      .tooLarge,
    ]
    let phases =
      failures.map { SourceState.Phase.waiting(until: at(0), failure: $0) } + [
        .needsConfirmation(deletions: 30, known: 31)
      ]
    for text in phases.map({ $0.text(of: .vdir).english }) {
      #expect(!text.contains("server"))
    }
  }
}
