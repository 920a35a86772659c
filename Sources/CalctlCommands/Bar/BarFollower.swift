import CalendarBus
import CivilTime
import DBus
import Platform
import Widgets

/// `calctl bar --follow`: a record for the bar now and whenever its text changes,
/// by a signal, because time has passed, or by a click.
final class BarFollower: Follower {
  private let format: BarFormat
  private var settings: BarSettings
  private let view: SnapshotView
  private let clock: any WallClock
  private var snapshot: SnapshotV1?
  private var shown: String?
  private var isAgentThere = true
  /// Runs while the agent is away, before the bar is told.
  private var patience: Deadline?

  private let patienceMilliseconds: Int
  private var clicks = BarClicks()
  /// The event that the bar names.
  private var event: BarEvent?
  /// How many events there are to turn to.
  private var choices = 0
  private var clickWatch: DescriptorWatch?
  /// Runs after a record was printed: what is next is a long sleep.
  private var onPrinted: (() -> Void)?
  private let server: ObjectServer

  /// How long a bar waits for an agent that cannot answer before it asks again.
  private static let retryMilliseconds = 60_000

  /// - Parameters:
  ///   - clock: it wakes the follower when the text changes by itself.
  ///   - patienceMilliseconds: how long the agent may be away, as in a restart,
  ///     before the line is marked.
  init(
    _ context: CommandContext, loop: EventLoop, clock: any WallClock, options: BarOptions,
    patienceMilliseconds: Int = 5000
  ) throws(CommandError) {
    format = options.format
    settings = options.settings
    view = options.view
    self.patienceMilliseconds = patienceMilliseconds
    self.clock = clock
    server = ObjectServer(try context.client().connection)
    try super.init(context, loop: loop)
  }

  /// Runs until the reader leaves or the bus does.
  func follow() throws(CommandError) {
    onPrinted = { ProgramText.release() }
    try start()
    try run()
  }

  /// Asks for the first line; what comes after happens in the loop.
  func start() throws(CommandError) {
    try subscribe(Contract.calendar, "SnapshotChanged") { [unowned self] _ in ask() }
    try watchAgent { [unowned self] isThere in agentCameOrLeft(isThere) }
    try listen(BarAction.rule) { [unowned self] message in
      if let action = BarAction(message) { answer(action) }
    }
    try tellOthers()
    clock.wake = { [unowned self] _ in wake() }
    if !format.preamble.isEmpty { try context.output.line(format.preamble) }
    if format.sendsClicks { watchClicks() }
    ask()
  }

  private func wake() {
    show()
    // Of what counts here alone the agent tells nobody when it begins and ends.
    if let snapshot, settings.counted.includesDeclined, snapshot.nextChange <= clock.now { ask() }
  }

  /// When there is something to do though nobody says so.
  private func nextStep(_ snapshot: SnapshotV1, _ record: BarRecord) -> Timestamp? {
    guard settings.counted.includesDeclined, snapshot.nextChange > clock.now else {
      return record.changesAt
    }
    return min(record.changesAt ?? snapshot.nextChange, snapshot.nextChange)
  }

  private func show() {
    attempt { () throws(CommandError) in
      guard let snapshot else { return }
      let record = context.barRecord(
        snapshot, now: clock.now, format: format, settings: settings)
      clock.arm(at: nextStep(snapshot, record))
      choices = record.choices
      event = record.event
      try write(record.text)
    }
  }

  /// Prints a record unless it is what the bar shows.
  private func write(_ record: String) throws(CommandError) {
    if record == shown { return }
    shown = record
    try context.output.line(record + format.closing)
    onPrinted?()
  }

  /// Asks the agent for the snapshot; the bus starts it if need be.
  private func ask() {
    attempt { () throws(CommandError) in
      try asBusError { () throws(DBusError) in
        _ = try client.connection.call(try view.question()) { [unowned self] result in
          answered(result)
        }
      }
    }
  }

  private func answered(_ result: Result<Message, DBusError>) {
    attempt { () throws(CommandError) in
      switch result {
      case .success(let reply):
        let arguments = try asBusError { () throws(DBusError) in try reply.arguments() }
        snapshot = try view.read(arguments.first?.asString ?? "")
        show()
      case .failure(let error):
        let failure = CommandError(error)
        // Without an agent to start, the bar has nothing to wait for.
        if snapshot == nil, case .noAgent = failure { throw failure }
        // One that cannot read its database tells the bar as it tells everybody;
        // that it has left is told by the bus.
        if case .refused = failure { showStale() }
      }
    }
  }

  /// Says that nothing can be shown, and asks again after a while: whoever mends a
  /// disk does not tell the bus.
  private func showStale() {
    printStale()
    if let patience { loop.cancel(patience) }
    patience = loop.after(milliseconds: BarFollower.retryMilliseconds) { [unowned self] in
      patience = nil
      ask()
    }
  }

  private func printStale() {
    let stale = BarText.stale(in: MessageCatalogue.language)
    attempt { () throws(CommandError) in try write(format.record(stale)) }
  }

  private func agentCameOrLeft(_ isThere: Bool) {
    if let patience { loop.cancel(patience) }
    patience = nil
    if isThere {
      if !isAgentThere, snapshot != nil { ask() }
    } else {
      patience = loop.after(milliseconds: patienceMilliseconds) { [unowned self] in
        markStale()
      }
    }
    isAgentThere = isThere
  }

  /// Says that what is shown may be old; asking the agent starts it again.
  private func markStale() {
    printStale()
    ask()
  }
}

// MARK: Clicks

extension BarFollower {
  /// Answers commands that are started by a click and have to know what is shown. Of several bars
  /// the first does, as long as it is there; clicks turn all of them alike.
  private func tellOthers() throws(CommandError) {
    let interface = BoundInterface(Contract.barTable)
    interface.on("Passed") { [unowned self] _ in .reply([.uint32(UInt32(settings.skip))]) }
    server.register(Contract.barPath, [interface])
    try asBusError { () throws(DBusError) in
      // 0: it waits in line.
      _ = try client.connection.call(
        .call(
          .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
          [.string(Contract.barName.text), .uint32(0)])
      ) { [unowned self] result in
        if case .failure(let error) = result {
          context.output.warning("clicks do not know which event this bar shows: \(error.message)")
        }
      }
    }
  }

  /// Where the input is none that can be waited for, nobody clicks.
  private func watchClicks() {
    let input = context.standardInput
    clickWatch = try? loop.watch(input, for: .read) { [unowned self] _ in readClicks(input) }
  }

  private func readClicks(_ input: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { buffer in
      (try? SystemCalls.read(input, into: buffer)) ?? 0
    }
    guard count > 0 else {
      // The bar has closed it; it goes on showing what is printed.
      if let clickWatch { loop.cancel(clickWatch) }
      clickWatch = nil
      return
    }
    for click in clicks.take(buffer[..<count]) { answer(click) }
  }

  private func answer(_ action: BarAction) {
    switch action {
    case .snooze: return snooze()
    case .open, .join: return open(action.address(of: event))
    case .first: settings.skip = 0
    case .next: settings.skip = min(settings.skip + 1, max(0, choices - 1))
    case .previous: settings.skip = max(0, settings.skip - 1)
    }
    show()
  }

  /// Puts the reminder off that is due first; where none is, there is nothing to do.
  private func snooze() {
    guard let reminder = snapshot?.dueReminder else { return }
    attempt { () throws(CommandError) in
      try asBusError { () throws(DBusError) in
        let message = try Message.snooze(reminder.id, until: "")
        _ = try client.connection.call(message) { [unowned self] result in
          // The bar goes on; its log has why it rings on.
          if case .failure(let error) = result {
            context.output.warning("the reminder was not put off: \(error.message)")
          }
        }
      }
    }
  }

  private func open(_ address: String) {
    if address.isEmpty { return }
    do throws(CommandError) {
      try context.open(address, on: loop) {}
    } catch {
      // The bar goes on; its log has why nothing was opened.
      context.output.warning(error.message)
    }
  }
}

extension SnapshotV1 {
  /// Reads what the agent sent.
  ///
  /// - Throws: ``CommandError/system(_:)`` for what is no snapshot of this schema.
  init(reading text: String) throws(CommandError) {
    do throws(SnapshotError) {
      self = try SnapshotV1(json: text)
    } catch {
      throw .system("the agent's snapshot cannot be read: \(error)")
    }
  }
}

extension CommandContext {
  /// What is printed for a bar at an instant.
  func barRecord(
    _ snapshot: SnapshotV1, now: Timestamp, format: BarFormat, settings: BarSettings
  ) -> BarRecord {
    BarRecord(
      format, snapshot: snapshot, now: now, zone: zone(named: snapshot.timeZone),
      language: MessageCatalogue.language, settings: settings)
  }
}
