/// Reads a descriptor of somebody else's to its end, on a thread of its own: a slow writer at the
/// other end of a pipe and a file system that does not answer delay nobody.
package final class DescriptorReader {
  private let work: DescriptorWork<Never, [UInt8]>

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - number: A pipe, a socket or a file, which the caller must not touch any more. Its flags,
  ///     which other processes may share, are left alone.
  ///   - maximumBytes: More than this is ``PlatformError/tooLarge(source:maximumBytes:)``.
  ///   - source: What the descriptor is, for messages.
  ///   - patienceMilliseconds: After so long in which nothing came it ends with
  ///     ``PlatformError/inputStalled(milliseconds:)``.
  ///   - ended: Called when the descriptor is closed, which may be long after the completion.
  ///   - completion: Called once from the loop, never from here; not at all after ``cancel()``. A
  ///     terminal is ``PlatformError/terminal``.
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
      // The writing end of a pipe would never become ready.
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

  /// From 8 MiB of a pipe on an array gets room for eight times as much at once: one that doubles would be moved
  /// again and again, and the old and the new take memory meanwhile. What stays empty takes none.
  private static func makeRoom(in bytes: inout [UInt8], atMost most: Int) {
    let (long, growth) = (8 << 20, 8)
    guard bytes.count > long, bytes.capacity < most,
      bytes.capacity < long * growth || bytes.capacity - bytes.count < octetsOfReading
    else { return }
    bytes.reserveCapacity(min(most, max(long * growth, bytes.count * growth)))
  }
}
