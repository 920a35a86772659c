import CalendarBus
import DBus
import JSON
import Platform

/// `calctl on`: runs a program for each signal, one run after the other.
final class SignalRunner: Follower {
  private let request: SignalRequest
  private var memory: SignalMemory
  private var waiting: [JSONValue] = []
  private var process: ChildProcess?

  init(
    _ request: SignalRequest, _ context: CommandContext, loop: EventLoop
  ) throws(CommandError) {
    self.request = request
    memory = try asOutputError { () throws(PlatformError) in
      try SignalMemory(request, context.environment)
    }
    try super.init(context, loop: loop)
  }

  /// Runs until the bus ends.
  ///
  /// - Throws: The reason.
  func start() throws(CommandError) {
    try subscribe(request.interface, request.signal) { [unowned self] message in
      if let signal = SignalWatcher.line(message) { take(signal) }
    }
    // The call starts the agent if it is not running.
    try replay(isFirst: !memory.isOld)
    try watchAgent { [unowned self] isThere in
      guard isThere else { return }
      attempt { () throws(CommandError) in try replay(isFirst: false) }
    }
    try run()
  }

  /// Takes what was missed; at the first run ever all that is there counts as known.
  private func replay(isFirst: Bool) throws(CommandError) {
    let found = try MissedSignals(client: client).found(request, after: memory.last)
    for signal in found {
      if isFirst, let identity = SignalIdentity.text(signal) {
        memory.note(identity)
      } else {
        take(signal)
      }
    }
    try store()
  }

  private func take(_ signal: JSONValue) {
    if let identity = SignalIdentity.text(signal) {
      // A signal may arrive that was found meanwhile.
      let isKnown = memory.has(identity) || waiting.contains { SignalIdentity.text($0) == identity }
      guard !isKnown else { return }
    }
    guard request.matches.allSatisfy({ $0.holds(for: signal) }) else { return }
    waiting.append(signal)
    startNext()
  }

  private func startNext() {
    guard process == nil, let signal = waiting.first else { return }
    let input = JSONWriter.octets(of: signal) + [UInt8(ascii: "\n")]
    attempt { () throws(CommandError) in
      do throws(SystemError) {
        process = try ChildProcess(
          request.program, arguments: request.arguments,
          environment: context.environment.variables, directory: ".", input: input,
          milliseconds: nil, on: loop,
          onLine: { [unowned self] line in
            attempt { () throws(CommandError) in try context.output.line(line) }
          }, onEnd: { [unowned self] in ended(signal, $0) })
      } catch {
        throw .system(
          localized(
            "cannot start {program}: {error}",
            ["program": request.program, "error": error.code.text]))
      }
    }
  }

  private func ended(_ signal: JSONValue, _ end: ChildProcess.End) {
    process = nil
    waiting.removeFirst()
    if end != .exited(0) {
      let reason =
        switch end {
        case .exited(let code):
          localized(
            "{program} exited with code {code}", ["program": request.program, "code": Int(code)])
        case .signalled(let number):
          localized(
            "{program} was killed by signal {signal}",
            ["program": request.program, "signal": Int(number)])
        }
      context.output.warning(reason)
    }
    attempt { () throws(CommandError) in
      if let identity = SignalIdentity.text(signal) {
        memory.note(identity)
        try store()
      }
    }
    startNext()
  }

  private func store() throws(CommandError) {
    try asOutputError { () throws(PlatformError) in try memory.store() }
  }
}
