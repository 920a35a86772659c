import Platform
import TestSupport
import Testing

@Suite struct `Descriptor reader` {
  private let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  /// What the completion was told.
  private final class Answer {
    var results: [Result<[UInt8], PlatformError>] = []
    var isThere: Bool { !results.isEmpty }
  }

  private func read(
    _ descriptor: FileDescriptor, maximumBytes: Int = 100, patienceMilliseconds: Int? = nil
  ) -> (DescriptorReader, Answer) {
    let answer = Answer()
    let reader = DescriptorReader(
      descriptor, maximumBytes: maximumBytes, on: loop, patienceMilliseconds: patienceMilliseconds
    ) { answer.results.append($0) }
    return (reader, answer)
  }

  @Test func `a pipe to which nothing is written for too long ends it`() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    _ = try SystemCalls.write(writing.number, [1, 2, 3])
    let (_, answer) = read(reading, patienceMilliseconds: 20)
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.failure(.inputStalled(milliseconds: 20))])
  }

  @Test func `as long as something comes it goes on, and no deadline is left behind`() throws {
    var pipe = Optional(try FileDescriptor.pipe())
    let patience = 200
    let (_, answer) = read(try #require(pipe).reading, patienceMilliseconds: patience)
    for _ in 0..<3 {
      #expect(try loop.run(withinMilliseconds: patience / 2) { answer.isThere } == false)
      _ = try SystemCalls.write(try #require(pipe).writing.number, [1])
      #expect(try loop.run(withinMilliseconds: 1) { answer.isThere } == false)
    }
    pipe = nil
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.success([1, 1, 1])])
    #expect(try loop.run(withinMilliseconds: patience + 100) { answer.results.count > 1 } == false)
  }

  @Test func `a pipe that is written in pieces gives the whole at its end`() throws {
    var pipe = Optional(try FileDescriptor.pipe())
    let (_, answer) = read(try #require(pipe).reading)
    for piece in ["one ", "two ", "three"] {
      _ = try SystemCalls.write(try #require(pipe).writing.number, Array(piece.utf8))
      #expect(try loop.run(withinMilliseconds: 1) { answer.isThere } == false)
    }
    pipe = nil
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.success(Array("one two three".utf8))])
  }

  // An array that doubles moves half of what there is at once, and others wait for that.
  @Test(arguments: [(9_000_000, 64 << 20), (70_000_000, 256 << 20)])
  func `what a pipe gives beyond 8 MiB is moved once on its way to 64`(
    count: Int, room: Int
  ) throws {
    let folder = try TemporaryDirectory()
    let pipe = folder.file("pipe")
    let writer = try Subprocess(
      "sh", ["-c", "mkfifo \(pipe) && echo made && head -c \(count) /dev/zero >\(pipe)"])
    try writer.wait { !$0.output.isEmpty }
    let maximum = 256 << 20
    let (_, answer) = read(try FileDescriptor.opening(pipe), maximumBytes: maximum)
    #expect(try loop.run(withinMilliseconds: 60_000) { answer.isThere })
    let bytes = try answer.results[0].get()
    #expect(bytes.count == count)
    #expect(bytes.capacity >= room && bytes.capacity < 2 * room)
    #expect(try writer.wait().status == .exited(0))
  }

  @Test func `a regular file is read from the loop, not before`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("hello", to: "x")
    let (_, answer) = read(try FileDescriptor.opening(path))
    #expect(!answer.isThere)
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.success(Array("hello".utf8))])
  }

  @Test func `too much is refused before the end has come`() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    let (_, answer) = read(reading, maximumBytes: 3)
    _ = try SystemCalls.write(writing.number, [1, 2, 3, 4])
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.failure(.tooLarge(source: "the input", maximumBytes: 3))])
  }

  @Test func `a reader that was cancelled tells nothing`() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    let (reader, answer) = read(reading)
    _ = try SystemCalls.write(writing.number, [1])
    reader.cancel()
    #expect(try loop.run(withinMilliseconds: 2) { answer.isThere } == false)
  }

  @Test func `the writing end of a pipe is refused and not waited for`() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    let (_, answer) = read(writing)
    #expect(!answer.isThere)
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(throws: PlatformError.self) { try answer.results[0].get() }
    withExtendedLifetime(reading) {}
  }
}
