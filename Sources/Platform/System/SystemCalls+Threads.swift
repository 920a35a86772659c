import CLinux
import Glibc

extension SystemCalls {
  /// Starts a detached thread with the same blocked signals. pthread_create(3).
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
  /// Returns memory to the system after a large piece of work in which a thread had a part.
  ///
  /// Memory of a thread that other threads freed after its end is still in its arena.
  package static func releaseMemoryOfThreads() {
    releaseFreeMemory()
    // A new thread reuses the arena of one that has ended. If none can start, nothing changes.
    try? startThread {}
  }

  /// Returns the memory that this thread has freed to the system.
  ///
  /// malloc_trim(3) does not shrink the arena of a thread at its end; freeing a large block does.
  /// malloc(3).
  fileprivate static func releaseThreadMemory() {
    // Above FASTBIN_CONSOLIDATION_THRESHOLD, 64 KiB, and below the size that is mapped separately.
    let piece = malloc(100_000)
    // Without a use of the block the compiler removes both calls.
    if malloc_usable_size(piece) > 0 { free(piece) }
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}
