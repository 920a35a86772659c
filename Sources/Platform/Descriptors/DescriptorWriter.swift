import Glibc

/// Writes to a descriptor of somebody else's, on a thread of its own: a slow reader at the other
/// end of a pipe and a file system that does not answer delay nobody. No more than two pieces are
/// held.
package final class DescriptorWriter {
  private struct Piece: Sendable {
    var bytes: [UInt8] = []
    var isLast = false
  }

  private let work: DescriptorWork<Piece, Int>

  /// What a pipe that says it has room takes without waiting: PIPE_BUF.
  private static let pipeBytes = 4096

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - number: A pipe, a socket or a file, which the caller must not touch any more; closed
  ///     before the completion, unless that says that it stalls. Its flags, which other processes
  ///     may share, are left alone.
  ///   - target: What the descriptor is, for messages.
  ///   - patienceMilliseconds: After so long in which nothing went out it ends with
  ///     ``PlatformError/outputStalled(milliseconds:)``.
  ///   - next: Adds the next piece to what it is given, some 100 KB at most, on the loop's thread;
  ///     false when that was the last. It may add nothing and be asked again.
  ///   - ended: Called when the descriptor is closed, which may be long after the completion.
  ///   - completion: Called once from the loop, never from here, with the number of bytes; not at
  ///     all after ``cancel()``. ``PlatformError/outputClosed`` says that the reader has gone; a
  ///     terminal is ``PlatformError/terminal``.
  package init(
    owning number: Int32, target: String = "the output", on loop: EventLoop,
    patienceMilliseconds: Int, next: @escaping (inout [UInt8]) -> Bool,
    ended: @escaping () -> Void = {},
    completion: @escaping (Result<Int, PlatformError>) -> Void
  ) {
    Signals.ignoreBrokenPipe()
    work = DescriptorWork(
      owning: number, on: loop, patienceMilliseconds: patienceMilliseconds,
      stalled: .outputStalled(milliseconds: patienceMilliseconds),
      { (number, side) throws(PlatformError) in
        try refuseTerminal(number, path: target)
        do throws(SystemError) {
          return try DescriptorWriter.write(to: number, target: target, &side)
        } catch {
          throw error.code == .brokenPipe ? .outputClosed : .system(error)
        }
      },
      reply: {
        var piece = Piece()
        piece.isLast = !next(&piece.bytes)
        return piece
      }, ended: ended, completion: completion)
  }

  /// Stops writing, and closes the descriptor.
  package func cancel() { work.cancel() }

  private static func write(
    to given: Int32, target: String, _ side: inout DescriptorWork<Piece, Int>.Side
  ) throws(SystemError) -> Int? {
    // The reading end of a pipe would never become ready.
    _ = try SystemCalls.write(given, [], path: target)
    // An open file of our own, so that it takes as much as there is room for, and no more.
    let own = try SystemCalls.openAgainToWrite(given, path: target)
    let number = own?.number ?? given
    let kind = try SystemCalls.status(given, path: target).mode & S_IFMT
    let most = own == nil && (kind == S_IFIFO || kind == S_IFSOCK) ? pipeBytes : Int.max
    defer { withExtendedLifetime(own) {} }
    var written = 0
    side.ask()
    while let piece = side.next() {
      // It is made while this one is written.
      if !piece.isLast { side.ask() }
      var done = 0
      while done < piece.bytes.count {
        guard try side.waits(for: number, .write) else { return nil }
        do throws(SystemError) {
          done += try SystemCalls.write(number, piece.bytes, from: done, most: most, path: target)
        } catch  where error.code == .wouldBlock {
          // Another writer of the same pipe was faster.
          continue
        } catch {
          throw error
        }
        side.step()
      }
      written += done
      if piece.isLast { return written }
    }
    return nil
  }
}
