/// A buffered writer to standard output, or another descriptor.
///
/// It holds what is written until ``flush()``, or until there are 64 KiB.
package final class StandardOutput {
  /// The descriptor, for others who write to it directly.
  package let descriptor: Int32
  private var buffer: [UInt8] = []

  private static let flushThreshold = 65_536

  /// - Parameter descriptor: The caller keeps it, open.
  package init(descriptor: Int32 = 1) {
    self.descriptor = descriptor
    // Without this, writing to a closed pipe would end the process.
    Signals.ignoreBrokenPipe()
  }

  /// Adds text.
  ///
  /// - Throws: See ``flush()``.
  package func write(_ text: String) throws(PlatformError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.flushThreshold { try flush() }
  }

  /// Adds bytes.
  ///
  /// - Throws: See ``flush()``.
  package func write(_ bytes: [UInt8]) throws(PlatformError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.flushThreshold { try flush() }
  }

  /// Adds text and a line break, and flushes, for a program that reads line by line.
  ///
  /// - Throws: See ``flush()``.
  package func writeLine(_ text: String) throws(PlatformError) {
    buffer.append(contentsOf: text.utf8)
    buffer.append(UInt8(ascii: "\n"))
    try flush()
  }

  /// Writes everything to the descriptor, waiting for a slow reader.
  ///
  /// - Throws: ``PlatformError/outputClosed`` if the reader has ended;
  ///   ``PlatformError/system(_:)``, such as for a full disk. What was held is dropped.
  package func flush() throws(PlatformError) {
    let bytes = buffer
    buffer.removeAll(keepingCapacity: true)
    var done = 0
    while done < bytes.count {
      do {
        done += try SystemCalls.write(descriptor, bytes, from: done, path: "standard output")
      } catch  where error.code == .wouldBlock {
        // Another program that shares the terminal or pipe made it non-blocking.
        try waitUntilWritable()
      } catch  where error.code == .brokenPipe {
        throw .outputClosed
      } catch {
        throw .system(error)
      }
    }
  }

  /// Calls `handler` once when the reader of the output ends, even if nothing is written.
  ///
  /// - Returns: The watch, which ends by itself after the call; nil if the output is a file, which
  ///   has no reader.
  /// - Throws: ``PlatformError/system(_:)``.
  package func whenReaderLeaves(
    on loop: EventLoop, _ handler: @escaping () -> Void
  ) throws(PlatformError) -> DescriptorWatch? {
    var watch: DescriptorWatch?
    do {
      watch = try loop.watch(descriptor, for: .hangup) { _ in
        if let own = watch { loop.cancel(own) }
        watch = nil
        handler()
      }
    } catch  where error.code == .notPermitted {
      return nil
    } catch {
      throw .system(error)
    }
    return watch
  }

  private func waitUntilWritable() throws(PlatformError) {
    do {
      try SystemCalls.waitUntilWritable(descriptor)
    } catch {
      throw .system(error)
    }
  }
}
