import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct `Descriptor reader` {
  private let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  /// What the completion was told.
  private final class Answer {
    var results: [Result<[UInt8], PlatformError>] = []
    /// Whether the thread has ended.
    var isEnded = false
    var isThere: Bool { !results.isEmpty }
  }

  private func read(
    _ descriptor: FileDescriptor, maximumBytes: Int = 100, patienceMilliseconds: Int = 60_000
  ) -> (DescriptorReader, Answer) {
    let answer = Answer()
    let reader = DescriptorReader(
      owning: fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0), maximumBytes: maximumBytes, on: loop,
      patienceMilliseconds: patienceMilliseconds, ended: { answer.isEnded = true }
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

  @Test func `what a pipe gives is whole, however long it is`() throws {
    let folder = try TemporaryDirectory()
    let (pipe, count) = (folder.file("pipe"), 70_000_000)
    let writer = try Subprocess(
      "sh", ["-c", "mkfifo \(pipe) && echo made && head -c \(count) /dev/zero >\(pipe)"])
    try writer.wait { !$0.output.isEmpty }
    let (_, answer) = read(try FileDescriptor.opening(pipe), maximumBytes: 256 << 20)
    #expect(try loop.run(withinMilliseconds: 60_000) { answer.isThere })
    #expect(try answer.results[0].get().count == count)
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

  @Test func `a terminal is refused, and nothing is taken of what is typed there`() throws {
    let terminal = try PseudoTerminal()
    terminal.type("secret\n")
    let (_, answer) = read(FileDescriptor(owning: dup(terminal.program)))
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isThere })
    #expect(answer.results == [.failure(.terminal)])
    #expect(try terminal.readLine() == "secret\n")
  }

  @Test func `a pipe that two read at once blocks neither the loop nor the one that waits`() throws
  {
    let pipe = try FileDescriptor.pipe()
    let readers = (0..<8).map { _ in read(pipe.reading, patienceMilliseconds: 1000).1 }
    // Each wakes all of them, and one gets it.
    for _ in 0..<50 {
      _ = try SystemCalls.write(pipe.writing.number, [1])
      var rounds = 0
      loop.beforeWaiting { rounds += 1 }
      #expect(try loop.run(withinMilliseconds: 1) { rounds > 0 })
    }
    #expect(
      try loop.run(withinMilliseconds: 30_000) { readers.allSatisfy(\.isThere) },
      "those that wait for what another has read are given up")
    for reader in readers {
      #expect(reader.results == [.failure(.inputStalled(milliseconds: 1000))])
    }
  }

  @Test func `a reader that was cancelled closes its descriptor`() throws {
    let pipe = try FileDescriptor.pipe()
    let (reader, answer) = read(pipe.reading)
    #expect(try loop.run(withinMilliseconds: 20) { answer.isEnded } == false)
    reader.cancel()
    #expect(try loop.run(withinMilliseconds: 10_000) { answer.isEnded })
    #expect(!answer.isThere)
  }
}
