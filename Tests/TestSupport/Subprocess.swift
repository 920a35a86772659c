internal import CLinux
internal import Glibc

/// A program that a test runs, with its output kept.
///
/// Nothing blocks unless asked to: ``descriptor`` becomes readable when there is something to do, and
/// ``pump()`` does it. A test that serves the program from its own thread watches that one
/// descriptor in its loop:
///
///     let busctl = try Subprocess("busctl", ["--user", "list"], environment: bus.environment)
///     try busctl.wait { descriptor in loop.turn(until: descriptor) }
///
/// A program that still runs when the last reference goes is killed.
package final class Subprocess {
  /// Where the program reads from.
  package enum Input {
    /// `/dev/null`.
    case nothing
    /// A pipe that carries these octets and then ends.
    case bytes([UInt8])
    /// The caller's descriptor, which stays the caller's.
    case descriptor(Int32)
  }

  /// How a program ended.
  package enum Status: Equatable, Sendable {
    /// It returned or called exit(3).
    case exited(Int32)
    /// A signal ended it.
    case signalled(Int32)
  }

  /// All that a program that has ended left behind.
  package struct Outcome: Sendable {
    /// How it ended.
    package var status: Status
    /// Its standard output, as text; what is not UTF-8 is replaced.
    package var output: String
    /// Its standard error, likewise.
    package var errors: String
  }

  /// The process id, good until ``status`` is set.
  package let processID: Int32
  /// How it ended; nil while it runs or output is outstanding.
  package private(set) var status: Status?
  /// The octets of its standard output so far.
  package private(set) var output: [UInt8] = []
  /// The octets of its standard error so far.
  package private(set) var errors: [UInt8] = []
  /// Readable when ``pump()`` has something to do: an epoll descriptor over pipes and process.
  package let descriptor: Int32

  private let name: String
  private var pidDescriptor: Int32 = -1
  private var inputPipe: Int32 = -1
  private var outputPipe: Int32 = -1
  private var errorPipe: Int32 = -1
  private var input: [UInt8] = []
  private var inputOffset = 0

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name to be looked up in the test's `PATH`.
  ///   - environment: added to the test's own environment; a nil value takes a name out.
  ///   - inherit: false starts from an empty environment instead.
  ///   - directory: where it runs; nil is the test's own.
  /// - Throws: ``TestSupportError`` when it cannot be started.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    inherit: Bool = true, input: Input = .nothing, directory: String? = nil
  ) throws(TestSupportError) {
    Subprocess.ignoreBrokenPipes
    name = program
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw TestSupportError(call: "epoll_create1", errno) }

    // Both ends close on exec, so that a program which another thread starts does not hold them open.
    let out = try Subprocess.makePipe()
    let err = try Subprocess.makePipe()
    var feed: (read: Int32, write: Int32) = (-1, -1)
    var theirs: Int32
    switch input {
    case .nothing: theirs = open("/dev/null", O_RDONLY | O_CLOEXEC)
    case .descriptor(let given): theirs = fcntl(given, F_DUPFD_CLOEXEC, 3)
    case .bytes(let bytes):
      feed = try Subprocess.makePipe()
      theirs = feed.read
      self.input = bytes
    }
    defer { for end in [out.write, err.write, theirs] { close(end) } }
    outputPipe = out.read
    errorPipe = err.read
    inputPipe = feed.write
    // Only the ends that stay here do not block: the flag is one of the pipe's end, and a program
    // that finds its own output non-blocking may lose some of it.
    for end in [outputPipe, errorPipe, inputPipe] where end >= 0 {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, theirs, 0)
    posix_spawn_file_actions_adddup2(&actions, out.write, 1)
    posix_spawn_file_actions_adddup2(&actions, err.write, 2)

    // The program gets the signals as a shell would hand them on, whatever the test blocks or ignores.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGCHLD] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    var variables = inherit ? Subprocess.ownEnvironment() : [:]
    for (key, value) in environment { variables[key] = value }
    // Swift's Glibc lacks posix_spawn_file_actions_addchdir_np; env(1) knows the way too.
    let words =
      directory.map { ["env", "-C", $0] + [program] + arguments } ?? [program] + arguments
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argv + envp { free(text) } }

    var child: pid_t = 0
    let code = posix_spawnp(&child, words[0], &actions, &attributes, &argv, &envp)
    processID = child
    guard code == 0 else {
      status = .exited(127)
      throw TestSupportError(call: "start \(program)", code)
    }
    ExitCleanup.add(program: child)
    pidDescriptor = pidfd_open(child, 0)
    watch(pidDescriptor, EPOLLIN)
    watch(outputPipe, EPOLLIN)
    watch(errorPipe, EPOLLIN)
    if inputPipe >= 0 { watch(inputPipe, EPOLLOUT) }
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      waitpid(processID, nil, 0)
      ExitCleanup.forget(program: processID)
    }
    for end in [pidDescriptor, inputPipe, outputPipe, errorPipe, descriptor] where end >= 0 {
      close(end)
    }
  }

  /// Runs a program to its end.
  ///
  /// - Throws: ``TestSupportError`` when it cannot be started, or still runs after `timeoutSeconds`.
  package static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    input: Input = .nothing, directory: String? = nil, timeoutSeconds: Int = 60
  ) throws(TestSupportError) -> Outcome {
    let child = try Subprocess(
      program, arguments, environment: environment, input: input, directory: directory)
    return try child.wait(timeoutSeconds: timeoutSeconds)
  }

  /// Moves on without blocking: feeds the input, takes the output, notes the end.
  package func pump() {
    guard status == nil else { return }
    feed()
    Subprocess.drain(&outputPipe, into: &output)
    Subprocess.drain(&errorPipe, into: &errors)
    var code: Int32 = 0
    guard waitpid(processID, &code, WNOHANG) == processID else { return }
    ExitCleanup.forget(program: processID)
    // Once more for what it wrote last. The end of the file is not waited for: a daemon that it left
    // behind may hold the pipe for ever.
    Subprocess.drain(&outputPipe, into: &output)
    Subprocess.drain(&errorPipe, into: &errors)
    close(pidDescriptor)
    pidDescriptor = -1
    status = code & 0x7f == 0 ? .exited((code >> 8) & 0xff) : .signalled(code & 0x7f)
  }

  /// Blocks until the program has ended.
  ///
  /// - Throws: ``TestSupportError`` with what it printed when it still runs after `timeoutSeconds`.
  @discardableResult
  package func wait(timeoutSeconds: Int = 60) throws(TestSupportError) -> Outcome {
    try wait(timeoutSeconds: timeoutSeconds) { $0.status != nil }
    return outcome
  }

  /// Blocks until a condition on what the program printed holds, or it has ended.
  ///
  /// - Throws: ``TestSupportError`` with what it printed when neither comes within `timeoutSeconds`.
  package func wait(
    timeoutSeconds: Int = 60, until condition: (Subprocess) -> Bool
  ) throws(TestSupportError) {
    let end = Subprocess.monotonicMilliseconds() + timeoutSeconds * 1000
    while true {
      pump()
      if status != nil || condition(self) { return }
      let left = end - Subprocess.monotonicMilliseconds()
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // A result of -1 is an interruption (EINTR): look again.
      guard left > 0, poll(&entry, 1, Int32(left)) != 0 else {
        throw TestSupportError(
          "\(name) did not get there in \(timeoutSeconds) s; it printed: \(text(output))\(text(errors))"
        )
      }
    }
  }

  /// Waits for the program's end in a loop of the caller's.
  ///
  /// - Parameter turn: blocks until the descriptor is readable or something of the caller's own was
  ///   done. It may throw to give up.
  @discardableResult
  package func wait(turning turn: (_ descriptor: Int32) throws -> Void) rethrows -> Outcome {
    pump()
    while status == nil {
      try turn(descriptor)
      pump()
    }
    return outcome
  }

  /// Sends a signal, SIGTERM unless said otherwise, to a program that still runs.
  package func terminate(signal: Int32 = SIGTERM) {
    if status == nil { kill(processID, signal) }
  }

  /// What it has printed and how it ended; a program that still runs counts as exit code -1.
  package var outcome: Outcome {
    Outcome(status: status ?? .exited(-1), output: text(output), errors: text(errors))
  }

  // MARK: Helpers

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func watch(_ target: Int32, _ events: EPOLL_EVENTS) {
    var event = epoll_event()
    event.events = events.rawValue
    event.data.fd = target
    epoll_ctl(descriptor, EPOLL_CTL_ADD, target, &event)
  }

  private func feed() {
    guard inputPipe >= 0 else { return }
    while inputOffset < input.count {
      let count = input.withUnsafeBytes {
        write(inputPipe, $0.baseAddress! + inputOffset, input.count - inputOffset)
      }
      if count < 0 && errno == EAGAIN { return }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { break }  // The program closed its input: the rest is not wanted.
      inputOffset += count
    }
    close(inputPipe)
    inputPipe = -1
  }

  /// Reads what is there; closes the pipe at its end, which also takes it out of the epoll set.
  private static func drain(_ pipe: inout Int32, into bytes: inout [UInt8]) {
    guard pipe >= 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(pipe, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count < 0 && errno == EINTR {
        continue
      } else if count < 0 && errno == EAGAIN {
        return
      } else {
        close(pipe)
        pipe = -1
        return
      }
    }
  }

  private static func makePipe() throws(TestSupportError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw TestSupportError(call: "pipe2", errno) }
    return (ends[0], ends[1])
  }

  private static func monotonicMilliseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }

  private static func ownEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let line = String(cString: text)
      if let equals = line.firstIndex(of: "=") {
        variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
      }
      entry += 1
    }
    return variables
  }

  /// Writing to a program that has ended must be an error and not the end of the tests.
  private static let ignoreBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()
}
