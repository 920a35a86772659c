import Glibc

/// A program that is asked and answers in lines, while the loop continues.
///
/// It reads lines from its standard input and writes lines to its standard output; what it writes
/// to its standard error is ours. It runs without a shell, in a process group of its own, and is
/// killed with this object.
package final class ConversingProcess {
  private let loop: EventLoop
  private let process: Int32
  private let ending: FileDescriptor
  private let input: FileDescriptor
  private let output: FileDescriptor
  private let onLine: (String) -> Void
  private var onEnd: ((ChildProcess.End) -> Void)?
  private var inputWatch: DescriptorWatch?
  private var outputWatch: DescriptorWatch?
  private var endWatch: DescriptorWatch?
  private var unread: [UInt8] = []
  private var unwritten: [UInt8] = []

  /// The longest line that is read; a program that writes a longer one is killed.
  private static let longestLine = 64 << 20

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after its name.
  ///   - environment: All its variables.
  ///   - onLine: Called with each line of its standard output.
  ///   - onEnd: Called once, from the loop, after the last line; not called after ``cancel()``.
  /// - Throws: ``SystemError`` with the path if it cannot be started.
  package init(
    _ path: String, arguments: [String] = [], environment: [String: String], on loop: EventLoop,
    onLine: @escaping (String) -> Void, onEnd: @escaping (ChildProcess.End) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.onLine = onLine
    self.onEnd = onEnd
    Signals.ignoreBrokenPipe()
    let (standardInput, standardOutput) = (try FileDescriptor.pipe(), try FileDescriptor.pipe())
    (input, output) = (standardInput.writing, standardOutput.reading)
    try SystemCalls.neverWait(input.number)
    try SystemCalls.neverWait(output.number)
    // The descriptors must stay open until the program has them.
    process = try withExtendedLifetime((standardInput, standardOutput)) { () throws(SystemError) in
      try SystemCalls.start(
        path, arguments: arguments, environment: environment.map { "\($0.key)=\($0.value)" }.sorted(),
        directory: "/", input: standardInput.reading.number,
        output: standardOutput.writing.number, errors: 2)
    }
    do throws(SystemError) {
      ending = FileDescriptor(owning: try SystemCalls.openProcess(process))
      endWatch = try loop.watch(ending.number, for: .read) { [unowned self] _ in end() }
      outputWatch = try loop.watch(output.number, for: .read) { [unowned self] _ in read() }
    } catch {
      SystemCalls.send(SIGKILL, toGroup: process)
      SystemCalls.reap(process)
      throw error
    }
  }

  deinit { cancel() }

  /// Sends a line; it is kept until the program reads it.
  package func send(_ line: [UInt8]) {
    unwritten += line
    unwritten.append(UInt8(ascii: "\n"))
    write()
  }

  /// Kills it.
  package func cancel() {
    guard onEnd != nil else { return }
    onEnd = nil
    SystemCalls.send(SIGKILL, toGroup: process)
    SystemCalls.reap(process)
    release()
  }

  private func write() {
    do throws(SystemError) {
      var written = 0
      defer { unwritten.removeFirst(written) }
      while written < unwritten.count {
        written += try SystemCalls.write(
          input.number, unwritten, from: written, most: .max, path: localized("a program"))
      }
    } catch  where error.code == .wouldBlock {
      if inputWatch == nil {
        inputWatch = try? loop.watch(input.number, for: .write) { [unowned self] _ in write() }
      }
      return
    } catch {
      // It has ended, which is reported.
      unwritten = []
    }
    if let inputWatch { loop.cancel(inputWatch) }
    inputWatch = nil
  }

  private func read() {
    let known = unread.count
    var isOver = false
    do throws(PlatformError) {
      isOver = !(try readSome(
        output.number, into: &unread, maximumBytes: ConversingProcess.longestLine,
        source: localized("the output of a program")))
    } catch .system(let error) where error.code == .wouldBlock {
      return
    } catch {
      SystemCalls.send(SIGKILL, toGroup: process)
      isOver = true
    }
    if isOver, let outputWatch {
      loop.cancel(outputWatch)
      self.outputWatch = nil
    }
    tellLines(from: known)
  }

  private func tellLines(from known: Int) {
    var (start, place) = (0, known)
    while let end = unread[place...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: unread[start..<end], as: UTF8.self)
      (start, place) = (end + 1, end + 1)
      guard onEnd != nil else { return }
      onLine(line)
    }
    unread.removeFirst(start)
  }

  private func end() {
    let end: ChildProcess.End
    do throws(SystemError) {
      guard let known = try SystemCalls.endOf(process) else { return }
      end = known
    } catch {
      end = .exited(-1)
    }
    while outputWatch != nil, onEnd != nil { read() }
    release()
    let onEnd = onEnd
    self.onEnd = nil
    onEnd?(end)
  }

  private func release() {
    for watch in [inputWatch, outputWatch, endWatch].compactMap({ $0 }) { loop.cancel(watch) }
    (inputWatch, outputWatch, endWatch) = (nil, nil, nil)
  }
}
