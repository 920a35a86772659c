import CalendarBus
import DBus
import Platform

/// A command that keeps running and waits for signals of the agent, without polling.
///
/// It ends when the reader of its output or the bus ends.
class Follower {
  let context: CommandContext
  let loop: EventLoop
  let client: CalendarClient<CommandError>
  private var failure: CommandError?
  private var isOver = false
  // Subscriptions end when they are released.
  private var subscriptions: [Subscription] = []
  private var readerWatch: DescriptorWatch?

  init(_ context: CommandContext, loop: EventLoop) throws(CommandError) {
    self.context = context
    self.loop = loop
    client = try context.client()
    LoopAttachment.attach(client.connection, to: loop)
    client.connection.onDisconnect = { [unowned self] in
      fail(CommandError(DBusError(.disconnected, localized("the bus closed the connection"))))
    }
    readerWatch = try asOutputError { () throws(PlatformError) in
      try context.standardOutput.whenReaderLeaves(on: loop) { [unowned self] in
        fail(.closedOutput)
      }
    }
  }

  /// Calls `handler` with each matching signal of the agent.
  ///
  /// - Throws: Errors of the bus.
  func subscribe(
    _ interface: InterfaceName? = nil, _ member: MemberName? = nil,
    _ handler: @escaping (Message) -> Void
  ) throws(CommandError) {
    let rule = MatchRule(
      sender: Contract.busName, path: Contract.path, interface: interface, member: member)
    try listen(rule, handler)
  }

  /// Calls `handler` with each signal that matches a rule, from any sender.
  ///
  /// - Throws: Errors of the bus.
  func listen(
    _ rule: MatchRule, _ handler: @escaping (Message) -> Void
  ) throws(CommandError) {
    try asBusError { () throws(DBusError) in
      subscriptions.append(try client.connection.subscribe(rule, handler))
    }
  }

  /// Calls `handler` each time the agent appears on the bus or leaves it.
  ///
  /// - Throws: Errors of the bus.
  func watchAgent(_ handler: @escaping (_ isThere: Bool) -> Void) throws(CommandError) {
    try asBusError { () throws(DBusError) in
      subscriptions.append(
        try client.connection.watchOwner(of: Contract.busName) { handler($0 != nil) })
    }
  }

  /// Runs until something ends it.
  ///
  /// - Throws: The reason; ``CommandError/closedOutput`` if the reader of the output has ended.
  func run() throws(CommandError) {
    try asSystemError { () throws(SystemError) in try loop.run { isOver } }
    if let failure { throw failure }
  }

  /// Runs the body of a handler; an error ends the run.
  func attempt(_ body: () throws(CommandError) -> Void) {
    do throws(CommandError) {
      try body()
    } catch {
      fail(error)
    }
  }

  /// Ends the run with an error; only the first error counts.
  func fail(_ error: CommandError) {
    if failure == nil { failure = error }
    isOver = true
    loop.stop()
  }
}

extension EventLoop {
  /// Makes a loop for a command that keeps running.
  static func forCommand() throws(CommandError) -> EventLoop {
    try asSystemError { () throws(SystemError) in try EventLoop() }
  }
}
