/// Reads a descriptor to its end on the event loop, piece by piece, so that a
/// slow writer at the other end of a pipe delays nobody.
package final class DescriptorReader {
  private let descriptor: FileDescriptor
  private let maximumBytes: Int
  private let source: String
  private let loop: EventLoop
  private var bytes: [UInt8] = []
  private var watch: DescriptorWatch?
  private let patienceMilliseconds: Int?
  /// When it ends unless something comes before.
  private var patience: Deadline?
  private var completion: ((Result<[UInt8], PlatformError>) -> Void)?

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - descriptor: A pipe, a socket or a file. Its flags, which other processes
  ///     may share, are left alone.
  ///   - maximumBytes: More than this is ``PlatformError/tooLarge(source:maximumBytes:)``.
  ///   - source: What the descriptor is, for messages.
  ///   - patienceMilliseconds: After so long in which nothing came it ends with
  ///     ``PlatformError/inputStalled(milliseconds:)``; nil waits for ever.
  ///   - completion: Called once from the loop, never from here; not at all after
  ///     ``cancel()``.
  package init(
    _ descriptor: FileDescriptor, maximumBytes: Int, source: String = "the input",
    on loop: EventLoop, patienceMilliseconds: Int? = nil,
    completion: @escaping (Result<[UInt8], PlatformError>) -> Void
  ) {
    self.descriptor = descriptor
    self.maximumBytes = maximumBytes
    self.source = source
    self.loop = loop
    self.patienceMilliseconds = patienceMilliseconds
    self.completion = completion
    do {
      // The writing end of a pipe would never become ready.
      _ = try SystemCalls.read(
        descriptor.number, into: UnsafeMutableRawBufferPointer(start: nil, count: 0), path: source)
    } catch {
      loop.beforeWaiting { self.finish(.failure(.system(error))) }
      return
    }
    do {
      // The handler keeps this object until the end is reached.
      watch = try loop.watch(descriptor.number, for: .read) { _ in self.readOnce() }
      beginPatience()
    } catch {
      // A regular file never waits and cannot be watched. It is held once, and not twice or
      // thrice while it grows.
      let rest = SystemCalls.octetsLeft(descriptor.number) ?? 0
      bytes.reserveCapacity(min(rest, maximumBytes) + 1)
      loop.beforeWaiting { self.readPart() }
    }
  }

  /// Stops reading.
  package func cancel() {
    if let watch { loop.cancel(watch) }
    watch = nil
    if let patience { loop.cancel(patience) }
    patience = nil
    completion = nil
  }

  private func readOnce() {
    do {
      let goesOn = try readSome(
        descriptor.number, into: &bytes, maximumBytes: maximumBytes, source: source)
      guard goesOn else { return finish(.success(bytes)) }
      makeRoom()
      beginPatience()
    } catch .system(let error) where error.code == .wouldBlock {
      return
    } catch {
      finish(.failure(error))
    }
  }

  /// From so many octets on a pipe gets room for eight times as many, and then for eight times those, or all that it may
  /// give; what stays empty takes no memory. An array that doubles would move 128 MiB in one turn of the loop, which is
  /// 60 ms of a processor, and of a quarter of a gigabyte that nobody has the system may have none to give.
  private static let longOctets = 8 << 20
  private static let growth = 8

  private func makeRoom() {
    let most = maximumBytes + octetsOfReading
    let longRoom = DescriptorReader.longOctets * DescriptorReader.growth
    guard bytes.count > DescriptorReader.longOctets, bytes.capacity < most,
      bytes.capacity < longRoom || bytes.capacity - bytes.count < octetsOfReading
    else { return }
    bytes.reserveCapacity(min(most, max(longRoom, bytes.count * DescriptorReader.growth)))
  }

  private func beginPatience() {
    guard let patienceMilliseconds else { return }
    if let patience { loop.cancel(patience) }
    patience = loop.after(milliseconds: patienceMilliseconds) { [weak self] in
      self?.finish(.failure(.inputStalled(milliseconds: patienceMilliseconds)))
    }
  }

  /// Reads the next part of a regular file, some 4 MiB: others are served in between.
  private func readPart() {
    guard completion != nil else { return }
    do {
      for _ in 0..<64 {
        let goesOn = try readSome(
          descriptor.number, into: &bytes, maximumBytes: maximumBytes, source: source)
        guard goesOn else { return finish(.success(bytes)) }
      }
      loop.beforeWaiting { self.readPart() }
    } catch {
      finish(.failure(error))
    }
  }

  private func finish(_ result: Result<[UInt8], PlatformError>) {
    let completion = completion
    cancel()
    bytes = []
    completion?(result)
  }
}
