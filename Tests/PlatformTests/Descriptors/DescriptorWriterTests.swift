import Glibc
import Platform
import TestSupport
import Testing

@Suite struct `Descriptor writer` {
  private let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  /// What the completion was told, and how many pieces were asked for.
  private final class Answer {
    var results: [Result<Int, PlatformError>] = []
    var pieces = 0
    /// Whether the thread has ended.
    var isEnded = false
    var isThere: Bool { !results.isEmpty }
  }

  /// Writes pieces of so many bytes.
  private func write(
    _ pieces: [Int], to descriptor: Platform.FileDescriptor, patienceMilliseconds: Int = 60_000
  ) -> (DescriptorWriter, Answer) {
    let answer = Answer()
    let writer = DescriptorWriter(
      owning: fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0), on: loop,
      patienceMilliseconds: patienceMilliseconds,
      next: { bytes in
        let count = answer.pieces < pieces.count ? pieces[answer.pieces] : 0
        bytes += [UInt8](repeating: UInt8(ascii: "a") + UInt8(answer.pieces % 26), count: count)
        answer.pieces += 1
        return answer.pieces < pieces.count
      },
      ended: { answer.isEnded = true }, completion: { answer.results.append($0) })
    return (writer, answer)
  }

  @Test func `a file gets all pieces, from the loop and not before`() throws {
    let folder = try TemporaryDirectory()
    let number = open(folder.file("x"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let (_, answer) = write([3, 0, 2, 1_000_000], to: Platform.FileDescriptor(owning: number))
    #expect(!answer.isThere && answer.pieces == 0)
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.success(1_000_005)])
    #expect(folder.read("x")?.count == 1_000_005)
    #expect(folder.read("x")?.prefix(6) == Array("aaaccd".utf8)[...])
  }

  @Test func `a pipe that nobody reads yet holds up nobody, and no more is made than fits`() throws
  {
    let pipe = try Platform.FileDescriptor.pipe()
    let (_, answer) = write([Int](repeating: 65_536, count: 40), to: pipe.writing)
    var rounds = 0
    loop.beforeWaiting { rounds += 1 }
    #expect(try loop.run(withinMilliseconds: 50) { answer.isThere } == false)
    #expect(rounds == 1)
    // What the pipe holds, and the piece that waits.
    #expect(answer.pieces <= 3)
    var total = 0
    let watch = try loop.watch(pipe.reading.number, for: .read) { _ in
      var buffer = [UInt8](repeating: 0, count: 100_000)
      total += Glibc.read(pipe.reading.number, &buffer, buffer.count)
    }
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere && total == 40 * 65_536 })
    loop.cancel(watch)
    #expect(answer.results == [.success(40 * 65_536)])
  }

  @Test func `a pipe from which nothing is read for too long ends it`() throws {
    let pipe = try Platform.FileDescriptor.pipe()
    let (_, answer) = write(
      [Int](repeating: 65_536, count: 40), to: pipe.writing, patienceMilliseconds: 20)
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.failure(.outputStalled(milliseconds: 20))])
  }

  @Test func `as long as something is read it goes on, and no deadline is left behind`() throws {
    let pipe = try Platform.FileDescriptor.pipe()
    let patience = 300
    let (_, answer) = write(
      [Int](repeating: 65_536, count: 40), to: pipe.writing, patienceMilliseconds: patience)
    var total = 0
    let watch = try loop.watch(pipe.reading.number, for: .read) { _ in
      var buffer = [UInt8](repeating: 0, count: 4096)
      total += max(0, read(pipe.reading.number, &buffer, buffer.count))
    }
    #expect(try loop.run(withinMilliseconds: 60_000) { answer.isThere })
    loop.cancel(watch)
    #expect(answer.results == [.success(40 * 65_536)])
    // The end that was read is not there twice.
    #expect(try loop.run(withinMilliseconds: patience + 100) { answer.results.count > 1 } == false)
  }

  @Test func `the flags of a pipe that others share stay as they are`() throws {
    let pipe = try Platform.FileDescriptor.pipe()
    let before = fcntl(pipe.writing.number, F_GETFL)
    let (_, answer) = write([10], to: pipe.writing)
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(fcntl(pipe.writing.number, F_GETFL) == before)
  }

  @Test func `a socket is written to`() throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let reading = Platform.FileDescriptor(owning: ends[0])
    let (_, answer) = write([500_000], to: Platform.FileDescriptor(owning: ends[1]))
    var total = 0
    let watch = try loop.watch(reading.number, for: .read) { _ in
      var buffer = [UInt8](repeating: 0, count: 100_000)
      total += max(0, Glibc.read(reading.number, &buffer, buffer.count))
    }
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere && total == 500_000 })
    loop.cancel(watch)
    #expect(answer.results == [.success(500_000)])
  }

  @Test func `a reader that goes away ends it`() throws {
    let pipe = try Platform.FileDescriptor.pipe()
    let (_, answer) = write([Int](repeating: 65_536, count: 40), to: pipe.writing)
    #expect(try loop.run(withinMilliseconds: 20) { answer.isThere } == false)
    closeReading(pipe.reading)
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.failure(.outputClosed)])
  }

  @Test func `a pipe without a reader is told`() throws {
    let pipe = try Platform.FileDescriptor.pipe()
    closeReading(pipe.reading)
    let (_, answer) = write([10], to: pipe.writing)
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.failure(.outputClosed)])
  }

  @Test func `a full disk, and what cannot be written, are told`() throws {
    for (path, flags, code) in [
      ("/dev/full", O_WRONLY, SystemError.Code(rawValue: ENOSPC)),
      ("/dev/null", O_RDONLY, .badDescriptor),
    ] {
      let (_, answer) = write([10], to: Platform.FileDescriptor(owning: open(path, flags)))
      #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
      guard case .failure(.system(let error)) = answer.results.first else {
        Issue.record("\(path): \(answer.results)")
        continue
      }
      #expect(error.code == code)
    }
    let pipe = try Platform.FileDescriptor.pipe()
    let (_, answer) = write([10], to: pipe.reading)
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    guard case .failure(.system(let error)) = answer.results.first else {
      Issue.record("\(answer.results)")
      return
    }
    #expect(error.code == .badDescriptor)
  }

  @Test func `a writer that was cancelled tells nothing, and closes`() throws {
    var pipe = Optional(try Platform.FileDescriptor.pipe())
    let reading = try #require(pipe).reading
    let (writer, answer) = write(
      [Int](repeating: 65_536, count: 40), to: try #require(pipe).writing)
    pipe = nil
    // It waits for room.
    #expect(try loop.run(withinMilliseconds: 20) { answer.isThere } == false)
    writer.cancel()
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isEnded })
    #expect(answer.results.isEmpty)
    var (buffer, count) = ([UInt8](repeating: 0, count: 100_000), 0)
    repeat { count = Glibc.read(reading.number, &buffer, buffer.count) } while count > 0
    #expect(count == 0, "the end of what was written")
  }

  @Test func `a terminal is refused`() throws {
    let terminal = try PseudoTerminal()
    let (_, answer) = write(
      [10], to: Platform.FileDescriptor(owning: dup(terminal.program)))
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.failure(.terminal)])
  }

  /// Closes an end whose object still holds the number.
  private func closeReading(_ descriptor: Platform.FileDescriptor) {
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    _ = dup2(null, descriptor.number)
    close(null)
  }
}
