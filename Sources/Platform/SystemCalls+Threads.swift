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
        return nil
      }, start.toOpaque())
    guard code != 0 else { return }
    start.release()
    throw SystemError(SystemError.Code(rawValue: code), call: "pthread_create", path: nil)
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}
