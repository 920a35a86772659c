import CLinux
import Glibc

extension SystemCalls {
  /// Starts a thread that nobody waits for. Its signals are blocked as they are here.
  /// pthread_create(3), PTHREAD_CREATE_DETACHED.
  static func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let start = Unmanaged.passRetained(ThreadBody(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { start in
        if let start { Unmanaged<ThreadBody>.fromOpaque(start).takeRetainedValue().run() }
        SystemCalls.releaseThreadMemory()
        return nil
      }, start.toOpaque())
    guard code != 0 else { return }
    start.release()
    throw SystemError(SystemError.Code(rawValue: code), call: "pthread_create", path: nil)
  }
}

extension SystemCalls {
  /// Gives back to the system what a large piece of work has used that a thread had a part in, which may have ended
  /// long since: what others freed of its memory after that is with the end of it.
  package static func releaseMemoryOfThreads() {
    releaseFreeMemory()
    // A new thread has the arena of one that has ended. Where there can be none, all stays as it is.
    try? startThread {}
  }

  /// Gives back what this thread has freed. What a thread allocates comes from an arena of its own, of
  /// which malloc_trim(3) leaves the end alone; freeing so large a piece looks at that. malloc(3).
  fileprivate static func releaseThreadMemory() {
    // More than 64 KiB (FASTBIN_CONSOLIDATION_THRESHOLD), and less than what is mapped by itself.
    let piece = malloc(100_000)
    // Without a look at it the compiler leaves out both calls.
    if malloc_usable_size(piece) > 0 { free(piece) }
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}
