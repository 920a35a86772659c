import CLinux
import Glibc

/// The calls behind ``ChildProcess``.
extension SystemCalls {
  /// Starts a program in its own process group, with default signal handling.
  ///
  /// posix_spawn(3), which does not search PATH and starts no shell.
  ///
  /// - Parameters:
  ///   - environment: All variables, as "NAME=value".
  ///   - input: Its standard input.
  ///   - output: Its standard output.
  ///   - errors: Its standard error; nil for the same as its output.
  /// - Returns: Its process ID, which is also the group's.
  static func start(
    _ path: String, arguments: [String], environment: [String], directory: String, input: Int32,
    output: Int32, errors: Int32? = nil
  ) throws(SystemError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addchdir_np(&actions, directory)
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors ?? output, 2)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ, SIGTERM, SIGINT, SIGHUP, SIGCHLD] {
      sigaddset(&signals, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))

    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SystemError(.init(rawValue: code), call: "start", path: path) }
    return process
  }

  /// Replaces this program by another one, which reads a text; returns only by throwing.
  ///
  /// execve(2).
  package static func become(
    _ path: String, _ arguments: [String], environment: [String: String], input: [UInt8]
  ) throws(SystemError) {
    let file = FileDescriptor(owning: try makeMemoryFile())
    try AtomicFile.writeAll(input, to: file.number)
    try rewind(file.number)
    try check("dup2") { dup2(file.number, 0) }
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    try check("execve", path) { execve(path, &words, &variables) }
  }

  /// Returns a descriptor that is readable once the process has ended. pidfd_open(2).
  static func openProcess(_ process: Int32) throws(SystemError) -> Int32 {
    try check("pidfd_open") { pidfd_open(process, 0) }
  }

  /// Returns how our child process ended; nil while it runs. Frees its ID. waitpid(2), WNOHANG.
  static func endOf(_ process: Int32) throws(SystemError) -> ChildProcess.End? {
    var status: Int32 = 0
    guard try check("waitpid", nil, { waitpid(process, &status, WNOHANG) }) == process else {
      return nil
    }
    return status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
  }

  /// Waits for the end of a process that was killed. waitpid(2).
  static func reap(_ process: Int32) { _ = try? check("waitpid") { waitpid(process, nil, 0) } }

  /// Sends a signal to each process of a group; ignores a group that has ended. kill(2).
  static func send(_ signal: Int32, toGroup group: Int32) { _ = kill(-group, signal) }

  /// Asks a process to read its settings again. kill(2), SIGHUP.
  package static func reload(process: Int32) throws(SystemError) {
    try check("kill") { kill(process, SIGHUP) }
  }

  /// Makes a descriptor non-blocking, not the other end of its pipe. fcntl(2), O_NONBLOCK.
  static func neverWait(_ descriptor: Int32) throws(SystemError) {
    let flags = try check("fcntl") { fcntl(descriptor, F_GETFL) }
    try check("fcntl") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }
}
