import CLinux
import Glibc

/// The call behind ``ForegroundProgram``.
extension SystemCalls {
  /// Runs a program to its end, in the group of this process and with its descriptors 0 to 2.
  ///
  /// posix_spawn(3) and waitpid(2), with signals that end a program ignored here meanwhile.
  ///
  /// - Parameter words: All its arguments, the first is its name.
  static func runInForeground(
    _ path: String, _ words: [String]
  ) throws(SystemError) -> ChildProcess.End {
    let ignored = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
    let before = ignored.map { signal($0, SIG_IGN) }
    defer { for (number, action) in zip(ignored, before) { signal(number, action) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE] + ignored { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environmentLines().map { line in
        (line + [0]).withUnsafeBufferPointer { bytes in
          bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.flatMap { strdup($0) } }
        }
      } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, nil, &attributes, &arguments, &variables)
    guard code == 0 else { throw SystemError(.init(rawValue: code), call: "start", path: path) }
    var status: Int32 = 0
    try check("waitpid") { waitpid(process, &status, 0) }
    return status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
  }
}
