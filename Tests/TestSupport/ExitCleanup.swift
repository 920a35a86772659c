internal import Glibc
internal import Synchronization

/// Ends the programs and removes the folders that are still there when the tests end, or there again:
/// what a static property holds is never released.
enum ExitCleanup {
  private struct Remains {
    var programs: Set<pid_t> = []
    var folders: Set<String> = []
  }

  private static let remains = Mutex(Remains())
  private static let atExit: Void = { _ = atexit { ExitCleanup.run() } }()

  static func add(program: pid_t) {
    atExit
    remains.withLock { _ = $0.programs.insert(program) }
  }

  static func forget(program: pid_t) {
    remains.withLock { _ = $0.programs.remove(program) }
  }

  static func add(folder: String) {
    atExit
    remains.withLock { _ = $0.folders.insert(folder) }
  }

  private static func run() {
    let left = remains.withLock { $0 }
    for program in left.programs {
      kill(program, SIGKILL)
      waitpid(program, nil, 0)
    }
    for folder in left.folders { TemporaryDirectory.remove(folder) }
  }
}
