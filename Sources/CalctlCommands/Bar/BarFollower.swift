import CalendarBus
import CivilTime
import DBus
import Messages
import Platform
import Widgets

/// `calctl bar --follow`: prints a record now and whenever its text changes.
///
/// It changes by a signal of the agent, with time, or by a click.
final class BarFollower: Follower {
  private let format: BarFormat
  private var settings: BarSettings
  private let view: SnapshotView
  private let clock: any WallClock
  private var snapshot: SnapshotV1?
  private var shown: String?
  private var isAgentThere = true
  /// Whether the bar shows that there is no data, and so counts nothing down.
  private var isStale = false
  /// Fires when the agent has been away for so long that the bar shows it.
  private var patience: Deadline?

  private let patienceMilliseconds: Int
  private var clicks = BarClicks()
  /// The event that the bar names.
  private var event: BarEvent?
  /// The reminder that a click snoozes.
  private var reminder: SnapshotReminder?
  /// The number of events that clicks can show.
  private var choices = 0
  private var clickWatch: DescriptorWatch?
  /// Called after a record was printed, before a long sleep.
  private var onPrinted: (() -> Void)?
  private let server: ObjectServer

  /// How long a bar waits before it asks again after the agent has refused.
  private static let retryMilliseconds = 60_000

  /// - Parameters:
  ///   - clock: Wakes the follower when the text changes with time.
  ///   - patienceMilliseconds: How long the agent may be away, for example while it restarts,
  ///     before the line is marked.
  /// - Throws: Errors of the bus and of the output.
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

  /// Runs until the reader of the output or the bus ends.
  ///
  /// - Throws: The reason why it ended.
  func follow() throws(CommandError) {
    onPrinted = { ProgramText.release() }
    try start()
    try run()
  }

  /// Requests the first line; everything else happens in the loop.
  ///
  /// - Throws: Errors of the bus and of the output.
  func start() throws(CommandError) {
    try subscribe(Contract.calendar, "SnapshotChanged") { [unowned self] _ in ask() }
    try listen(BarFollower.stateRule) { [unowned self] message in
      if (try? message.arguments())?.dropFirst().first?["State"] != nil { ask() }
    }
    try watchAgent { [unowned self] isThere in agentCameOrLeft(isThere) }
    try listen(BarAction.rule) { [unowned self] message in
      if let action = BarAction(message) { answer(action) }
    }
    try serveOthers()
    clock.wake = { [unowned self] _ in wake() }
    if !format.preamble.isEmpty { try context.output.line(format.preamble) }
    if format.sendsClicks { watchClicks() }
    ask()
  }

  /// The rule for changes of State: a pause closes the database, but replaces no snapshot.
  private static let stateRule = MatchRule(
    sender: Contract.busName, path: Contract.path, interface: "org.freedesktop.DBus.Properties",
    member: "PropertiesChanged", firstArgument: Contract.calendar.text)

  private func wake() {
    show()
    // The agent's next change ignores declined events, so it sends no signal for them.
    if let snapshot, settings.counted.includesDeclined, snapshot.nextChange <= clock.now { ask() }
  }

  /// Returns the time of the next change that has no signal.
  private func nextStep(_ snapshot: SnapshotV1, _ record: BarRecord) -> Timestamp? {
    guard settings.counted.includesDeclined, snapshot.nextChange > clock.now else {
      return record.changesAt
    }
    return min(record.changesAt ?? snapshot.nextChange, snapshot.nextChange)
  }

  private func show() {
    attempt { () throws(CommandError) in
      guard let snapshot, !isStale else { return }
      let record = context.barRecord(
        snapshot, now: clock.now, format: format, settings: settings)
      clock.arm(at: nextStep(snapshot, record))
      choices = record.choices
      event = record.event
      reminder = record.reminder
      try write(record.text)
    }
  }

  /// Prints a record unless the bar already shows it.
  private func write(_ record: String) throws(CommandError) {
    if record == shown { return }
    shown = record
    try context.output.line(record + format.closing)
    onPrinted?()
  }

  /// Requests the snapshot; the bus starts the agent if it is not running.
  private func ask() {
    attempt { () throws(CommandError) in
      try asBusError { () throws(DBusError) in
        _ = try client.connection.call(try view.call()) { [unowned self] result in
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
        isStale = false
        show()
      case .failure(let error):
        let failure = CommandError(error)
        // If no agent can be started, there is nothing to wait for.
        if snapshot == nil, case .noAgent = failure { throw failure }
        // The agent refuses if it cannot read its database. When it ends, the bus sends a signal.
        if case .refused = failure { showStale() }
      }
    }
  }

  /// Shows that there is no data, and asks again later: a repaired disk sends no signal.
  private func showStale() {
    printStale()
    if let patience { loop.cancel(patience) }
    patience = loop.after(milliseconds: BarFollower.retryMilliseconds) { [unowned self] in
      patience = nil
      ask()
    }
  }

  private func printStale() {
    isStale = true
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

  /// Shows that the record may be outdated; asking again starts the agent.
  private func markStale() {
    printStale()
    ask()
  }
}

// MARK: Clicks

extension BarFollower {
  /// Serves the commands of clicks, which need to know the shown event.
  ///
  /// Only the first of several bars answers while it runs; clicks change all bars in the same way.
  private func serveOthers() throws(CommandError) {
    let interface = BoundInterface(Contract.barTable)
    interface.on("Passed") { [unowned self] _ in .reply([.uint32(UInt32(settings.skip))]) }
    server.register(Contract.barPath, [interface])
    try asBusError { () throws(DBusError) in
      // 0: wait for the name in its queue.
      _ = try client.connection.call(
        .call(
          .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
          [.string(Contract.barName.text), .uint32(0)])
      ) { [unowned self] result in
        if case .failure(let error) = result {
          context.output.warning(
            localized(
              "clicks may act on another event than this bar shows: {error}",
              ["error": error.text]))
        }
      }
    }
  }

  /// Reads clicks, unless the input is a file, which cannot be watched.
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
      // The bar has closed its end, but still shows records.
      if let clickWatch { loop.cancel(clickWatch) }
      clickWatch = nil
      return
    }
    for click in clicks.take(buffer[..<count]) { answer(click) }
  }

  private func answer(_ action: BarAction) {
    switch action {
    case .snooze: return snooze()
    case .open, .join: return open(action)
    case .week:
      return warnOfFailure { () throws(CommandError) in
        try context.showWeek(on: loop) {}
      }
    case .first: settings.skip = 0
    case .next: settings.skip = min(settings.skip + 1, max(0, choices - 1))
    case .previous: settings.skip = max(0, settings.skip - 1)
    }
    show()
  }

  /// Snoozes the due reminder that is shown, if any.
  private func snooze() {
    guard let reminder else { return }
    attempt { () throws(CommandError) in
      try asBusError { () throws(DBusError) in
        let message = try Message.snooze(reminder.id, until: "")
        _ = try client.connection.call(message) { [unowned self] result in
          // Only a warning in the bar's log: the command continues.
          if case .failure(let error) = result {
            context.output.warning(
              localized("the reminder was not snoozed: {error}", ["error": error.text]))
          }
        }
      }
    }
  }

  /// Opens an address of the shown event; a notification says if it has none.
  private func open(_ action: BarAction) {
    guard let event else { return }
    let address = action.address(of: event)
    warnOfFailure { () throws(CommandError) in
      if !address.isEmpty { return try context.open(address, on: loop) {} }
      try asBusError { () throws(DBusError) in
        let notice = try CommandContext.notification(
          action.missing(event), milliseconds: CommandContext.clickMilliseconds)
        _ = try client.connection.call(notice) { _ in }
      }
    }
  }

  /// Only a message in the bar's log: the command continues.
  private func warnOfFailure(_ body: () throws(CommandError) -> Void) {
    do throws(CommandError) {
      try body()
    } catch {
      context.output.warning(error)
    }
  }
}

extension SnapshotV1 {
  /// Reads a snapshot from the agent.
  ///
  /// - Throws: ``CommandError/system(_:)`` if the text is not a snapshot of this schema.
  init(reading text: String) throws(CommandError) {
    do throws(SnapshotError) {
      self = try SnapshotV1(json: text)
    } catch {
      throw .system(
        localized("the agent's snapshot cannot be read: {error}", ["error": UserText(error)]))
    }
  }
}

extension CommandContext {
  /// Returns the record of a bar at an instant.
  func barRecord(
    _ snapshot: SnapshotV1, now: Timestamp, format: BarFormat, settings: BarSettings
  ) -> BarRecord {
    BarRecord(
      format, snapshot: snapshot, now: now, zone: zone(named: snapshot.timeZone),
      times: TimeText.current, settings: settings)
  }
}
