package import CivilTime

/// What a source is doing, and when it runs next.
///
/// Each event is a function that changes the value; nothing happens by itself. One run is under way
/// at a time.
package struct SourceState: Hashable, Sendable {
  package private(set) var phase: Phase
  /// The seconds between two runs; 0 for none by itself.
  package var intervalSeconds: Int64
  /// How many runs failed one after the other.
  package private(set) var failures = 0
  /// When a run last ended well; nil if none has.
  package private(set) var lastSuccess: Timestamp?
  /// The number of deletions that the user has said yes to; see ``DeletionGuard``.
  package private(set) var acceptedDeletions = 0
  /// When an idle source runs next; nil for never by itself.
  private var due: Timestamp?
  /// Whether something was edited here during a run.
  private var isEdited = false

  /// The states of a source.
  package enum Phase: Hashable, Sendable {
    case idle
    case syncing
    /// The last run failed in this way; the next is at this time.
    case waiting(until: Timestamp, failure: RemoteFailure.Kind)
    case needsSignIn
    /// The desktop's keyring is locked or not there yet.
    case keyringLocked
    /// So many of the known items would be deleted here, and that waits for a yes.
    case needsConfirmation(deletions: Int, known: Int)
    /// The certificate or key of the server is not trusted.
    case certificateProblem
    /// By the user.
    case paused

    /// The name for programs.
    package var name: String {
      switch self {
      case .idle: "idle"
      case .syncing: "syncing"
      case .waiting: "waiting"
      case .needsSignIn: "sign-in"
      case .keyringLocked: "locked"
      case .needsConfirmation: "confirm"
      case .certificateProblem: "certificate"
      case .paused: "paused"
      }
    }
  }

  /// The seconds from an edit here to the run that pushes it, so that several edits are one run.
  private static let editSeconds: Int64 = 2
  /// How old the last run must be for the network's coming up to start another.
  private static let freshSeconds: Int64 = 60

  /// A source that runs at once, or is paused.
  package init(
    intervalSeconds: Int64, isPaused: Bool = false, lastSuccess: Timestamp? = nil, now: Timestamp
  ) {
    self.intervalSeconds = intervalSeconds
    self.lastSuccess = lastSuccess
    phase = isPaused ? .paused : .idle
    due = now
  }

  /// When the next run begins; nil if something else must happen first.
  ///
  /// Never before `now`, and no later than the longest wait from now: the clock may have been set
  /// back.
  package func nextRun(now: Timestamp) -> Timestamp? {
    switch phase {
    case .idle:
      due.map { max(now, min($0, now.adding(seconds: max(intervalSeconds, 3600)))) }
    case .waiting(let until, _): max(now, min(until, now.adding(seconds: 3600)))
    default: nil
    }
  }
}

// MARK: Runs

extension SourceState {
  /// A run begins. It pushes what was edited until now.
  package mutating func begin() {
    phase = .syncing
    isEdited = false
  }

  /// The run ended well. Its deletions are carried out, and further ones ask again.
  package mutating func succeed(now: Timestamp) {
    failures = 0
    acceptedDeletions = 0
    lastSuccess = now
    guard phase == .syncing else { return }
    phase = .idle
    due = intervalSeconds > 0 ? now.adding(seconds: intervalSeconds) : nil
    if isEdited { hurry(now.adding(seconds: SourceState.editSeconds)) }
  }

  /// The run failed.
  ///
  /// - Parameter jitter: See ``RetryDelay``.
  package mutating func fail(_ failure: RemoteFailure, now: Timestamp, jitter: Double) {
    failures += 1
    guard phase == .syncing else { return }
    if let wait = RetryDelay.seconds(after: failure, failures: failures, jitter: jitter) {
      phase = .waiting(until: now.adding(seconds: wait), failure: failure.kind)
    } else {
      phase = failure.kind == .certificate ? .certificateProblem : .needsSignIn
    }
  }

  /// The run did not begin: the secret cannot be read now.
  package mutating func lockKeyring() {
    if phase == .syncing { phase = .keyringLocked }
  }

  /// The run was broken off by ``DeletionGuard``.
  package mutating func hold(deletions: Int, known: Int) {
    if phase == .syncing { phase = .needsConfirmation(deletions: deletions, known: known) }
  }

  /// The run was broken off by us; a paused source stays so.
  package mutating func cancel(now: Timestamp) {
    if phase == .syncing { run(now) }
  }
}

// MARK: Other events

extension SourceState {
  /// The user says yes to the deletions that ``Phase/needsConfirmation(deletions:known:)`` counts.
  package mutating func accept(now: Timestamp) {
    guard case .needsConfirmation(let deletions, _) = phase else { return }
    acceptedDeletions = deletions
    run(now)
  }

  /// The user pauses the source; a run that is under way is to be broken off.
  package mutating func pause() { phase = .paused }

  package mutating func resume(now: Timestamp) {
    if phase == .paused { run(now) }
  }

  /// The user asks for a run now.
  ///
  /// - Returns: Whether there will be one. Not if the source is paused, or if the remote has asked
  ///   to be left alone.
  package mutating func request(now: Timestamp) -> Bool {
    switch phase {
    case .paused: return false
    // The timer for that may be late: it does not count the time that the machine sleeps.
    case .waiting(let until, failure: .busy) where now < until: return false
    // What was changed there since the run began may be missing in it.
    case .syncing: isEdited = true
    default: run(now)
    }
    return true
  }

  /// The user has signed in again, or changed how the source is reached.
  package mutating func changeAccess(now: Timestamp) {
    switch phase {
    case .paused, .syncing: break
    default:
      failures = 0
      run(now)
    }
  }

  package mutating func unlockKeyring(now: Timestamp) {
    if phase == .keyringLocked { run(now) }
  }

  package mutating func networkComesUp(now: Timestamp) {
    switch phase {
    // A page for signing in to the network has another certificate.
    case .waiting(_, failure: .offline), .certificateProblem:
      failures = 0
      run(now)
    case .idle:
      let isFresh = lastSuccess.map { now < $0.adding(seconds: SourceState.freshSeconds) } ?? false
      if !isFresh { hurry(now) }
    default: break
    }
  }

  /// Something was edited here that is to be pushed. In other states it waits for the next run.
  package mutating func edit(now: Timestamp) {
    switch phase {
    case .idle: hurry(now.adding(seconds: SourceState.editSeconds))
    case .syncing: isEdited = true
    default: break
    }
  }

  private mutating func run(_ now: Timestamp) {
    phase = .idle
    due = now
  }

  /// Lets an idle source run at a time, if it would run later or never.
  private mutating func hurry(_ time: Timestamp) {
    due = due.map { min($0, time) } ?? time
  }
}
