import CLinux
import Glibc

/// Signals as events of the loop, so that no code runs inside a signal handler.
///
/// The signals are blocked while this object lives, and in programs started meanwhile. Create it
/// before anything starts a thread.
///
/// Source: signalfd(2).
package final class Signals {
  /// A request to the process, by its signal.
  package enum Request: Int32, CaseIterable, Sendable {
    /// SIGTERM: the service manager, or kill(1).
    case terminate = 15
    /// SIGINT: Ctrl-C.
    case interrupt = 2
    /// SIGHUP: read the settings again; or the terminal was closed.
    case reload = 1
  }

  private let descriptor: FileDescriptor
  private let loop: EventLoop
  private let blockedBefore: sigset_t
  private var watch: DescriptorWatch?

  /// Calls `handler` from the loop for each of these signals.
  ///
  /// - Throws: ``SystemError`` if there are too many descriptors.
  package init(
    _ requests: [Request] = Request.allCases, on loop: EventLoop,
    handler: @escaping (Request) -> Void
  ) throws(SystemError) {
    self.loop = loop
    var set = sigset_t()
    sigemptyset(&set)
    for request in requests { sigaddset(&set, request.rawValue) }
    descriptor = FileDescriptor(owning: try SystemCalls.makeSignals(set))
    blockedBefore = try SystemCalls.blockSignals(SIG_BLOCK, set)
    let number = descriptor.number
    watch = try loop.watch(number, for: .read) { _ in
      while let request = Self.next(number) { handler(request) }
    }
  }

  deinit {
    if let watch { loop.cancel(watch) }
    // Restoring a set that the kernel gave cannot fail.
    _ = try? SystemCalls.blockSignals(SIG_SETMASK, blockedBefore)
  }

  /// Makes writing to a closed pipe fail with EPIPE instead of ending the process.
  package static func ignoreBrokenPipe() {
    SystemCalls.ignoreBrokenPipe()
  }

  /// Makes writing beyond the limit on file size fail with EFBIG instead of ending the process.
  package static func ignoreFileSizeLimit() {
    SystemCalls.ignoreFileSizeLimit()
  }

  /// Returns the next waiting signal; nil if there is none.
  private static func next(_ descriptor: Int32) -> Request? {
    var information = signalfd_siginfo()
    let count = try? withUnsafeMutableBytes(of: &information) { (buffer) throws(SystemError) in
      try SystemCalls.read(descriptor, into: buffer)
    }
    guard count == MemoryLayout<signalfd_siginfo>.size else { return nil }
    return Request(rawValue: Int32(bitPattern: information.ssi_signo))
  }
}
