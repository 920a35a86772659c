import Glibc

/// A program that runs while the loop goes on: it reads its input, its lines are
/// reported, and at its time-out it is killed, with all processes that it started.
///
/// It runs without a shell. Processes that it leaves running when it ends by
/// itself go on, but their output is no longer read.
package final class ChildProcess {
  /// How a program ended.
  package enum End: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Whether its time was over before it ended.
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

  /// How long a program that was told to end (SIGTERM) has until it is killed.
  private static let graceMilliseconds = 2000
  /// A longer line is cut.
  private static let longestLine = 2000

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: what follows its name.
  ///   - environment: all the variables that it has.
  ///   - directory: where it runs.
  ///   - input: what it finds on its standard input, a file in memory. It need not read it.
  ///   - milliseconds: how long it may run: then it gets SIGTERM and two seconds later SIGKILL,
  ///     it and the rest of its process group; nil is for ever.
  ///   - onLine: told of each line of its standard output and standard error.
  ///   - onEnd: called once from the loop, never from here; not after ``cancel()``.
  /// - Throws: ``SystemError`` with the path if it cannot be started.
  package init(
    _ path: String, arguments: [String] = [], environment: [String: String], directory: String,
    input: [UInt8], milliseconds: Int?, on loop: EventLoop, onLine: @escaping (String) -> Void,
    onEnd: @escaping (End) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.onLine = onLine
    self.onEnd = onEnd
    // All of it is there before the program is: a pipe would have to be fed, also by whoever leaves it at once.
    let standardInput = FileDescriptor(owning: try SystemCalls.makeMemoryFile())
    try AtomicFile.writeAll(input, to: standardInput.number)
    try SystemCalls.rewind(standardInput.number)
    let standardOutput = try FileDescriptor.pipe()
    output = standardOutput.reading
    try SystemCalls.neverWait(output.number)
    // Their numbers are used until the program has them.
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
      // The handlers keep this object until the program has ended.
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

  /// Kills it, with all that it started.
  package func cancel() {
    guard onEnd != nil else { return }
    onEnd = nil
    SystemCalls.send(SIGKILL, toGroup: process)
    SystemCalls.reap(process)
    release()
  }

  /// Listens to it no more, and lets it run to its end; it has all of its input.
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
    // It is readable, so the process has ended. Where somebody has made the kernel wait for our
    // children (SIGCHLD ignored), how it ended is not known.
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

  /// Reads what there is, but no more than a pipe holds: a flood has its turn like others.
  private func read() {
    var bytes: [UInt8] = []
    do throws(PlatformError) {
      let goesOn = try readSome(
        output.number, into: &bytes, maximumBytes: .max, source: localized("the output of a program"))
      if !goesOn, let outputWatch {
        // All ends are closed; that would be told in each round.
        loop.cancel(outputWatch)
        self.outputWatch = nil
      }
    } catch {
      // There is nothing to read now (EAGAIN), the only error of a pipe of ours.
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
