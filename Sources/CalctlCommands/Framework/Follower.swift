import CalendarBus
import DBus
import Platform

/// A command that keeps running: it waits for signals of the agent, and ends when its reader or the
/// bus leaves. Nothing is polled.
class Follower {
  let context: CommandContext
  let loop: EventLoop
  let client: CalendarClient<CommandError>
  private var failure: CommandError?
  private var isOver = false
  // They end when they are released.
  private var subscriptions: [Subscription] = []
  private var readerWatch: DescriptorWatch?

  init(_ context: CommandContext, loop: EventLoop) throws(CommandError) {
    self.context = context
    self.loop = loop
    client = try context.client()
    LoopAttachment.attach(client.connection, to: loop)
    client.connection.onDisconnect = { [unowned self] in
      fail(CommandError(DBusError(.disconnected, "the bus closed the connection")))
    }
    readerWatch = try asOutputError { () throws(PlatformError) in
      try context.standardOutput.whenReaderLeaves(on: loop) { [unowned self] in
        fail(.closedOutput)
      }
    }
  }

  /// Calls `handler` with each signal of the agent that the rule asks for.
  func subscribe(
    _ interface: InterfaceName? = nil, _ member: MemberName? = nil,
    _ handler: @escaping (Message) -> Void
  ) throws(CommandError) {
    let rule = MatchRule(
      sender: Contract.busName, path: Contract.path, interface: interface, member: member)
    try listen(rule, handler)
  }

  /// Calls `handler` with each signal that a rule asks for, whoever sends it.
  func listen(
    _ rule: MatchRule, _ handler: @escaping (Message) -> Void
  ) throws(CommandError) {
    try asBusError { () throws(DBusError) in
      subscriptions.append(try client.connection.subscribe(rule, handler))
    }
  }

  /// Calls `handler` each time the agent comes to the bus or leaves it.
  func watchAgent(_ handler: @escaping (_ isThere: Bool) -> Void) throws(CommandError) {
    try asBusError { () throws(DBusError) in
      subscriptions.append(
        try client.connection.watchOwner(of: Contract.busName) { handler($0 != nil) })
    }
  }

  /// Runs until something ends it.
  ///
  /// - Throws: why it ended; ``CommandError/closedOutput`` where the reader left.
  func run() throws(CommandError) {
    try asSystemError { () throws(SystemError) in try loop.run { isOver } }
    if let failure { throw failure }
  }

  /// Runs the body of a handler; its error ends the run.
  func attempt(_ body: () throws(CommandError) -> Void) {
    do throws(CommandError) {
      try body()
    } catch {
      fail(error)
    }
  }

  /// Ends the run with an error, the first one if there are several.
  func fail(_ error: CommandError) {
    if failure == nil { failure = error }
    isOver = true
    loop.stop()
  }
}

extension EventLoop {
  /// A loop for a command that keeps running.
  static func forCommand() throws(CommandError) -> EventLoop {
    try asSystemError { () throws(SystemError) in try EventLoop() }
  }
}
