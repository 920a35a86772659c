import Glibc
package import Messages

/// A program that runs while the loop continues.
///
/// It reads its input, and its output is reported line by line. At its time-out it is killed, with
/// all processes of its group. It runs without a shell. Processes that it leaves behind when it
/// ends by itself continue, but their output is no longer read.
package final class ChildProcess {
  /// How a program ended.
  package enum End: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Whether it reached its time-out before it ended.
  package private(set) var isOverdue = false

  private let loop: EventLoop
  private let process: Int32
  private let ending: FileDescriptor
  private let output: FileDescriptor
  private let onLine: (String) -> Void
  private var onEnd: ((End) -> Void)?
  private var outputWatch: DescriptorWatch?
  private var endWatch: DescriptorWatch?
  private var deadline: Deadline?
  private var line: [UInt8] = []

  /// The time between SIGTERM and SIGKILL.
  private static let graceMilliseconds = 2000
  /// The longest reported line, in bytes; the rest of it is cut.
  private static let longestLine = 2000

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after its name.
  ///   - environment: All its variables.
  ///   - directory: Its working directory.
  ///   - input: Its standard input, as a file in memory; it need not read it.
  ///   - milliseconds: Its time-out: it and its process group get SIGTERM, and two seconds later
  ///     SIGKILL; nil for none.
  ///   - onLine: Called with each line of its standard output and standard error.
  ///   - onEnd: Called once, from the loop; not called after ``cancel()``.
  /// - Throws: ``SystemError`` with the path if it cannot be started.
  package init(
    _ path: String, arguments: [String] = [], environment: [String: String], directory: String,
    input: [UInt8], milliseconds: Int?, on loop: EventLoop, onLine: @escaping (String) -> Void,
    onEnd: @escaping (End) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.onLine = onLine
    self.onEnd = onEnd
    // A file rather than a pipe: nobody has to feed it, even after ``leave()``.
    let standardInput = FileDescriptor(owning: try SystemCalls.makeMemoryFile())
    try AtomicFile.writeAll(input, to: standardInput.number)
    try SystemCalls.rewind(standardInput.number)
    let standardOutput = try FileDescriptor.pipe()
    output = standardOutput.reading
    try SystemCalls.neverWait(output.number)
    // The descriptors must stay open until the program has them.
    process = try withExtendedLifetime((standardInput, standardOutput)) { () throws(SystemError) in
      try SystemCalls.start(
        path, arguments: arguments,
        environment: environment.map { "\($0.key)=\($0.value)" }.sorted(),
        directory: directory, input: standardInput.number,
        output: standardOutput.writing.number)
    }
    do throws(SystemError) {
      let descriptor = FileDescriptor(owning: try SystemCalls.openProcess(process))
      ending = descriptor
      // The handlers keep this object alive until the program has ended.
      endWatch = try loop.watch(descriptor.number, for: .read) { _ in self.end() }
      outputWatch = try loop.watch(output.number, for: .read) { _ in self.read() }
    } catch {
      SystemCalls.send(SIGKILL, toGroup: process)
      SystemCalls.reap(process)
      throw error
    }
    if let milliseconds {
      deadline = loop.after(milliseconds: milliseconds) { self.overdue() }
    }
  }

  /// Kills it, with its process group.
  package func cancel() {
    guard onEnd != nil else { return }
    onEnd = nil
    SystemCalls.send(SIGKILL, toGroup: process)
    SystemCalls.reap(process)
    release()
  }

  /// Stops listening to it, and lets it run to its end; it has all its input.
  package func leave() {
    guard onEnd != nil else { return }
    onEnd = nil
    release()
  }

  private func overdue() {
    isOverdue = true
    SystemCalls.send(SIGTERM, toGroup: process)
    deadline = loop.after(milliseconds: ChildProcess.graceMilliseconds) {
      SystemCalls.send(SIGKILL, toGroup: self.process)
    }
  }

  private func end() {
    // The descriptor is readable, so the process has ended. If SIGCHLD is ignored, the kernel has
    // already reaped it, and its exit code is unknown.
    let end: End
    do throws(SystemError) {
      guard let known = try SystemCalls.endOf(process) else { return }
      end = known
    } catch {
      end = .exited(-1)
    }
    if isOverdue { SystemCalls.send(SIGKILL, toGroup: process) }
    read()
    if !line.isEmpty { tellLine() }
    release()
    let onEnd = onEnd
    self.onEnd = nil
    onEnd?(end)
  }

  private func release() {
    if let outputWatch { loop.cancel(outputWatch) }
    if let endWatch { loop.cancel(endWatch) }
    if let deadline { loop.cancel(deadline) }
    (outputWatch, endWatch, deadline) = (nil, nil, nil)
  }

  // MARK: Lines

  /// Reads what has arrived, at most 64 KiB, so that much output does not delay other work.
  private func read() {
    var bytes: [UInt8] = []
    do throws(PlatformError) {
      let goesOn = try readSome(
        output.number, into: &bytes, maximumBytes: .max, source: localized("the output of a program"))
      if !goesOn, let outputWatch {
        // All writers have closed it, which epoll would report in each round.
        loop.cancel(outputWatch)
        self.outputWatch = nil
      }
    } catch {
      // EAGAIN: nothing to read now. Our own pipe has no other error.
      return
    }
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        tellLine()
      } else if line.count < ChildProcess.longestLine {
        line.append(byte)
      }
    }
  }

  private func tellLine() {
    onLine(String(decoding: line, as: UTF8.self))
    line.removeAll(keepingCapacity: true)
  }
}

extension ChildProcess.End {
  /// The reason for people.
  package var text: UserText {
    switch self {
    case .exited(let code): UserText("it exited with code {code}", ["code": Int(code)])
    case .signalled(let signal):
      UserText("it was killed by signal {signal}", ["signal": Int(signal)])
    }
  }
}
