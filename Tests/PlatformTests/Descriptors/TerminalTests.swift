import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct `Output to a terminal` {
  private func terminal(_ values: [String: String], descriptor: Int32) -> Terminal {
    Terminal(descriptor: descriptor, environment: ProcessEnvironment(values))
  }

  @Test func `a pipe is no terminal, and COLUMNS says how wide the output is`() throws {
    let pipe = try FileDescriptor.pipe()
    let number = pipe.writing.number
    #expect(!terminal([:], descriptor: number).isTerminal)
    #expect(terminal([:], descriptor: number).columns == nil)
    #expect(terminal(["COLUMNS": "72"], descriptor: number).columns == 72)
    #expect(terminal(["COLUMNS": "wide"], descriptor: number).columns == nil)
    #expect(terminal(["COLUMNS": "-1"], descriptor: number).columns == nil)
    #expect(!terminal(["TERM": "xterm"], descriptor: number).wantsColour)
  }

  @Test func `a terminal tells its own width`() throws {
    // The other side of a pseudoterminal is a terminal too.
    let number = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(number >= 0)
    let owner = FileDescriptor(owning: number)
    var size = winsize(ws_row: 24, ws_col: 91, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(owner.number, UInt(TIOCSWINSZ), &size) == 0)
    #expect(terminal(["COLUMNS": "72"], descriptor: owner.number).columns == 91)
    #expect(terminal([:], descriptor: owner.number).rows == 24)
    #expect(terminal([:], descriptor: owner.number).isTerminal)
  }

  @Test func `colours are for terminals that have them and users who want them`() {
    func wants(_ values: [String: String], _ isTerminal: Bool = true) -> Bool {
      terminal(values, descriptor: 1).wantsColour(isTerminal: isTerminal)
    }
    #expect(wants(["TERM": "xterm-256color"]))
    #expect(wants(["TERM": "xterm", "NO_COLOR": ""]))
    #expect(!wants(["TERM": "xterm", "NO_COLOR": "1"]))
    #expect(!wants(["TERM": "dumb"]))
    #expect(!wants([:]))
    #expect(!wants(["TERM": "xterm"], false))
  }
}

@Suite struct `Standard output` {
  @Test func `text goes out when it is flushed, a line at once`() throws {
    let pipe = try FileDescriptor.pipe()
    let output = StandardOutput(descriptor: pipe.writing.number)
    let loop = try EventLoop()
    var isReadable = false
    _ = try loop.watch(pipe.reading.number, for: .read) { _ in isReadable = true }
    try output.write("a")
    #expect(try loop.run(withinMilliseconds: 1) { isReadable } == false)
    try output.writeLine("b")
    #expect(try loop.run(withinMilliseconds: 10_000) { isReadable })
    var buffer = [UInt8](repeating: 0, count: 10)
    let count = try buffer.withUnsafeMutableBytes {
      try SystemCalls.read(pipe.reading.number, into: $0)
    }
    #expect(buffer[..<count] == Array("ab\n".utf8)[...])
  }

  @Test func `a closed pipe is an error and no death`() throws {
    var pair = Optional(try FileDescriptor.pipe())
    let writing = try #require(pair).writing
    pair = nil
    let output = StandardOutput(descriptor: writing.number)
    #expect(throws: PlatformError.outputClosed) { try output.writeLine("x") }
  }

  @Test func `a full disk is told in words`() throws {
    let full = FileDescriptor(owning: open("/dev/full", O_WRONLY | O_CLOEXEC))
    let output = StandardOutput(descriptor: full.number)
    try output.write("x")
    #expect {
      try output.flush()
    } throws: { "\($0)" == "write standard output: No space left on device" }
  }

  @Test func `a reader that leaves is told once, without anything being written`() throws {
    let loop = try EventLoop()
    var pair = Optional(try FileDescriptor.pipe())
    let writing = try #require(pair).writing
    let output = StandardOutput(descriptor: writing.number)
    var calls = 0
    let watch = try output.whenReaderLeaves(on: loop) { calls += 1 }
    #expect(watch != nil)
    #expect(try loop.run(withinMilliseconds: 1) { calls > 0 } == false)
    pair = nil
    #expect(try loop.run(withinMilliseconds: 10_000) { calls > 0 })
    #expect(try loop.run(withinMilliseconds: 1) { calls > 1 } == false)
  }

  @Test func `a file has no reader that could leave`() throws {
    let folder = try TemporaryDirectory()
    let file = try FileDescriptor.opening(try folder.write("", to: "x"))
    let output = StandardOutput(descriptor: file.number)
    #expect(try output.whenReaderLeaves(on: try EventLoop()) {} == nil)
  }
}
