import CalendarBus
import CivilTime
import DBus
import Platform
import Widgets

/// `calctl bar --follow`: a line for the bar now and whenever its text changes,
/// by a signal or because time has passed.
final class BarFollower: Follower {
  private let format: BarFormat
  private let clock: any WallClock
  private var snapshot: SnapshotV1?
  private var shown: String?
  private var isAgentThere = true
  /// Runs while the agent is away, before the bar is told.
  private var patience: Deadline?

  /// How long the agent may be away, as in a restart, before the line is marked.
  private static let patienceMilliseconds = 5000

  init(
    _ context: CommandContext, loop: EventLoop, clock: any WallClock, format: BarFormat
  ) throws(CommandError) {
    self.format = format
    self.clock = clock
    try super.init(context, loop: loop)
  }

  func follow() throws(CommandError) {
    try subscribe(Contract.calendar, "SnapshotChanged") { [unowned self] _ in ask() }
    try watchAgent { [unowned self] isThere in agentCameOrLeft(isThere) }
    clock.wake = { [unowned self] _ in show() }
    snapshot = try SnapshotV1(reading: try client.snapshot())
    show()
    try run()
  }

  private func show() {
    attempt { () throws(CommandError) in
      guard let snapshot else { return }
      let text = try context.barText(snapshot, now: clock.now)
      clock.arm(at: text.changesAt)
      let line = format.line(text)
      if line == shown { return }
      shown = line
      try context.output.line(line)
    }
  }

  private func ask() {
    attempt { () throws(CommandError) in
      try asCommandError { () throws(DBusError) in
        let message = try Message.call(
          Contract.busName, Contract.path, Contract.calendar, "Snapshot")
        try client.connection.call(message) { [unowned self] result in answered(result) }
      }
    }
  }

  private func answered(_ result: Result<Message, DBusError>) {
    attempt { () throws(CommandError) in
      // An agent that leaves before it answers is told of by the bus.
      guard case .success(let reply) = result else { return }
      let arguments = try asCommandError { () throws(DBusError) in try reply.arguments() }
      snapshot = try SnapshotV1(reading: arguments.first?.asString ?? "")
      show()
    }
  }

  private func agentCameOrLeft(_ isThere: Bool) {
    if let patience { loop.cancel(patience) }
    patience = nil
    if isThere {
      if !isAgentThere { ask() }
    } else {
      patience = loop.after(milliseconds: BarFollower.patienceMilliseconds) { [unowned self] in
        markStale()
      }
    }
    isAgentThere = isThere
  }

  /// Says that what is shown may be old; asking the agent starts it again.
  private func markStale() {
    attempt { () throws(CommandError) in
      let line = format.staleLine
      if line != shown {
        shown = line
        try context.output.line(line)
      }
    }
    ask()
  }
}

extension SnapshotV1 {
  /// Reads what the agent sent.
  init(reading text: String) throws(CommandError) {
    do throws(SnapshotError) {
      self = try SnapshotV1(json: text)
    } catch {
      throw .refused(name: "", message: "the agent's snapshot cannot be read: \(error)")
    }
  }
}

extension CommandContext {
  /// What a bar says at an instant.
  func barText(_ snapshot: SnapshotV1, now: Timestamp) throws(CommandError) -> BarText {
    BarText(snapshot: snapshot, now: now, zone: zone(named: snapshot.timeZone))
  }
}
