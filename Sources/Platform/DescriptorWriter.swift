/// Writes to a descriptor on the event loop, piece by piece, so that a slow reader
/// at the other end of a pipe delays nobody, and no more than a piece is held.
package final class DescriptorWriter {
  private var descriptor: FileDescriptor?
  private let target: String
  private let loop: EventLoop
  private let next: (inout [UInt8]) -> Bool
  private var completion: ((Result<Int, PlatformError>) -> Void)?
  private var watch: DescriptorWatch?
  /// Whether the loop says when there is room; a regular file has it always.
  private var isWatched = false
  /// The most that one call writes.
  private var maximumBytes = DescriptorWriter.pieceBytes

  private var piece: [UInt8] = []
  /// How much of ``piece`` has gone out.
  private var done = 0
  private var written = 0
  private var isLast = false
  private let patienceMilliseconds: Int?
  /// When it ends unless something goes out before.
  private var patience: Deadline?

  /// How much of a file is written before others have their turn.
  private static let pieceBytes = 262_144
  /// What a pipe that says it has room takes without waiting: PIPE_BUF.
  private static let pipeBytes = 4096

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - descriptor: A pipe, a terminal or a file; closed before the completion. Its
  ///     flags, which other processes may share, are left alone.
  ///   - target: What the descriptor is, for messages.
  ///   - patienceMilliseconds: After so long in which nothing went out it ends with
  ///     ``PlatformError/outputStalled(milliseconds:)``; nil waits for ever.
  ///   - next: Adds the next piece to what it is given, some 100 KB at most; false
  ///     when that was the last. It may add nothing and be asked again.
  ///   - completion: Called once from the loop, never from here, with the number of
  ///     bytes; not at all after ``cancel()``. ``PlatformError/outputClosed`` says that
  ///     the reader has gone.
  package init(
    _ descriptor: FileDescriptor, target: String = "the output", on loop: EventLoop,
    patienceMilliseconds: Int? = nil, next: @escaping (inout [UInt8]) -> Bool,
    completion: @escaping (Result<Int, PlatformError>) -> Void
  ) {
    self.descriptor = descriptor
    self.target = target
    self.loop = loop
    self.patienceMilliseconds = patienceMilliseconds
    self.next = next
    self.completion = completion
    Signals.ignoreBrokenPipe()
    do throws(SystemError) {
      // The reading end of a pipe would never become ready.
      _ = try SystemCalls.write(descriptor.number, [], path: target)
      try start(descriptor)
    } catch {
      loop.beforeWaiting { self.finish(.failure(self.failure(error))) }
    }
  }

  /// Stops writing, and closes the descriptor.
  package func cancel() {
    end()
    completion = nil
  }

  private func start(_ given: FileDescriptor) throws(SystemError) {
    // An open file of our own, so that writing never waits.
    let own = try SystemCalls.openAgainToWrite(given.number, path: target)
    if own == nil { maximumBytes = DescriptorWriter.pipeBytes }
    let descriptor = own ?? given
    self.descriptor = descriptor
    do throws(SystemError) {
      // The handler keeps this object until the end is reached.
      watch = try loop.watch(descriptor.number, for: .write) { _ in self.writeOnce() }
      isWatched = true
      beginPatience()
    } catch  where error.code == .notPermitted {
      // A regular file never waits and cannot be watched: a piece a round.
      maximumBytes = DescriptorWriter.pieceBytes
      loop.beforeWaiting { self.writeOnce() }
    }
  }

  private func writeOnce() {
    guard completion != nil, let descriptor else { return }
    do throws(SystemError) {
      if done == piece.count, !isLast {
        piece.removeAll(keepingCapacity: true)
        done = 0
        isLast = !next(&piece)
      }
      if done < piece.count {
        let count = try SystemCalls.write(
          descriptor.number, piece, from: done, most: maximumBytes, path: target)
        done += count
        written += count
        if isWatched, count > 0 { beginPatience() }
      }
    } catch {
      if error.code != .wouldBlock { return finish(.failure(failure(error))) }
    }
    if isLast, done == piece.count { return finish(.success(written)) }
    if !isWatched { loop.beforeWaiting { self.writeOnce() } }
  }

  private func beginPatience() {
    guard let patienceMilliseconds else { return }
    if let patience { loop.cancel(patience) }
    patience = loop.after(milliseconds: patienceMilliseconds) { [weak self] in
      self?.finish(.failure(.outputStalled(milliseconds: patienceMilliseconds)))
    }
  }

  private func failure(_ error: SystemError) -> PlatformError {
    error.code == .brokenPipe ? .outputClosed : .system(error)
  }

  private func finish(_ result: Result<Int, PlatformError>) {
    let completion = completion
    cancel()
    completion?(result)
  }

  private func end() {
    if let watch { loop.cancel(watch) }
    watch = nil
    if let patience { loop.cancel(patience) }
    patience = nil
    piece = []
    descriptor = nil
  }
}
