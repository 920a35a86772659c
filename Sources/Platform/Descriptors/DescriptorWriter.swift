import Glibc

/// Writes to another program's descriptor, on a thread of its own.
///
/// So a slow reader or a file system that does not answer blocks only that thread. At most two
/// chunks are in memory.
package final class DescriptorWriter {
  private struct Piece: Sendable {
    var bytes: [UInt8] = []
    var isLast = false
  }

  private let work: DescriptorWork<Piece, Int>

  /// What a pipe takes without blocking once it reports room: PIPE_BUF.
  private static let pipeBytes = 4096

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - number: A pipe, a socket or a file, which the caller must not use any more; closed before
  ///     the completion, unless that reports a stall. Its flags are not changed, since other
  ///     processes may share them.
  ///   - target: The name of the descriptor in messages.
  ///   - patienceMilliseconds: If nothing can be written for this long, it fails with
  ///     ``PlatformError/outputStalled(milliseconds:)``.
  ///   - next: Appends the next chunk, at most some 100 KB, on the loop's thread; returns false
  ///     after the last. It may append nothing and is then called again.
  ///   - ended: Called when the descriptor is closed, perhaps long after the completion.
  ///   - completion: Called once, from the loop, with the number of bytes; not called after
  ///     ``cancel()``. Fails with ``PlatformError/outputClosed`` if the reader has ended, and with
  ///     ``PlatformError/terminal`` for a terminal.
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
    // Check that it can be written: the reading end of a pipe would never become ready.
    _ = try SystemCalls.write(given, [], path: target)
    // Open the pipe again without blocking, so that it takes exactly as much as there is room for.
    let own = try SystemCalls.openAgainToWrite(given, path: target)
    let number = own?.number ?? given
    let kind = try SystemCalls.status(given, path: target).mode & S_IFMT
    let most = own == nil && (kind == S_IFIFO || kind == S_IFSOCK) ? pipeBytes : Int.max
    defer { withExtendedLifetime(own) {} }
    var written = 0
    side.ask()
    while let piece = side.next() {
      // The next chunk is made while this one is written.
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
