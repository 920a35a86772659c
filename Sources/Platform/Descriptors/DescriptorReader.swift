/// Reads another program's descriptor to its end, on a thread of its own.
///
/// So a slow writer or a file system that does not answer blocks only that thread.
package final class DescriptorReader {
  private let work: DescriptorWork<Never, [UInt8]>

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - number: A pipe, a socket or a file, which the caller must not use any more. Its flags are
  ///     not changed, since other processes may share them.
  ///   - maximumBytes: More bytes fail with ``PlatformError/tooLarge(source:maximumBytes:)``.
  ///   - source: The name of the descriptor in messages.
  ///   - patienceMilliseconds: If nothing arrives for this long, it fails with
  ///     ``PlatformError/inputStalled(milliseconds:)``.
  ///   - ended: Called when the descriptor is closed, perhaps long after the completion.
  ///   - completion: Called once, from the loop; not called after ``cancel()``. A terminal fails
  ///     with ``PlatformError/terminal``.
  package init(
    owning number: Int32, maximumBytes: Int, source: String = localized("the input"), on loop: EventLoop,
    patienceMilliseconds: Int, ended: @escaping () -> Void = {},
    completion: @escaping (Result<[UInt8], PlatformError>) -> Void
  ) {
    work = DescriptorWork(
      owning: number, on: loop, patienceMilliseconds: patienceMilliseconds,
      stalled: .inputStalled(milliseconds: patienceMilliseconds),
      { (number, side) throws(PlatformError) in
        try DescriptorReader.read(number, maximumBytes: maximumBytes, source: source, &side)
      }, reply: { preconditionFailure("a reader asks for nothing") }, ended: ended,
      completion: completion)
  }

  /// Stops reading.
  package func cancel() { work.cancel() }

  private static func read(
    _ number: Int32, maximumBytes: Int, source: String,
    _ side: inout DescriptorWork<Never, [UInt8]>.Side
  ) throws(PlatformError) -> [UInt8]? {
    try refuseTerminal(number, path: source)
    try asPlatformError { () throws(SystemError) in
      // Check that it can be read: the writing end of a pipe would never become ready.
      _ = try SystemCalls.read(
        number, into: UnsafeMutableRawBufferPointer(start: nil, count: 0), path: source)
    }
    var bytes: [UInt8] = []
    let length = SystemCalls.octetsLeft(number)
    bytes.reserveCapacity(min(length ?? 0, maximumBytes) + 1)
    while true {
      do throws(PlatformError) {
        let isWanted = try asPlatformError { () throws(SystemError) in
          try side.waits(for: number, .read)
        }
        guard isWanted else { return nil }
        let goesOn = try readSome(number, into: &bytes, maximumBytes: maximumBytes, source: source)
        guard goesOn else { return bytes }
      } catch .system(let error) where error.code == .wouldBlock {
        // Another reader of the same pipe was faster.
        continue
      } catch {
        throw error
      }
      side.step()
      if length == nil { makeRoom(in: &bytes, atMost: maximumBytes + octetsOfReading) }
    }
  }

  /// Grows the buffer in large steps once more than 8 MiB have come from a pipe.
  ///
  /// Doubling would move the content often, with the old and the new copy in memory. The unused
  /// part takes no memory.
  private static func makeRoom(in bytes: inout [UInt8], atMost most: Int) {
    let (long, growth) = (8 << 20, 8)
    guard bytes.count > long, bytes.capacity < most,
      bytes.capacity < long * growth || bytes.capacity - bytes.count < octetsOfReading
    else { return }
    bytes.reserveCapacity(min(most, max(long * growth, bytes.count * growth)))
  }
}
