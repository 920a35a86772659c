import Glibc
import Platform
import TestSupport
import Testing

@Suite struct `Conversing process` {
  private let loop: EventLoop
  private let folder: TemporaryDirectory

  init() throws {
    loop = try EventLoop()
    folder = try TemporaryDirectory()
  }

  private final class Told {
    var lines: [String] = []
    var ends: [ChildProcess.End] = []
  }

  private func run(_ script: String) throws -> (ConversingProcess, Told) {
    try folder.write("#!/bin/sh\n" + script + "\n", to: "program", mode: 0o700)
    let told = Told()
    let process = try ConversingProcess(
      folder.file("program"), environment: ["PATH": "/usr/bin:/bin"], on: loop,
      onLine: { told.lines.append($0) }, onEnd: { told.ends.append($0) })
    return (process, told)
  }

  @Test func `it is asked and answers, in turn`() throws {
    let (process, told) = try run("while read line; do echo \"<$line>\"; done")
    process.send(Array("one".utf8))
    #expect(try loop.run(withinMilliseconds: 60_000) { told.lines == ["<one>"] })
    process.send(Array("two".utf8))
    #expect(try loop.run(withinMilliseconds: 60_000) { told.lines == ["<one>", "<two>"] })
    #expect(told.ends.isEmpty)
  }

  @Test func `long lines pass in both directions, though pipes are short`() throws {
    let (process, told) = try run("exec cat")
    let long = String(repeating: "x", count: 3_000_000)
    process.send(Array(long.utf8))
    process.send(Array("end".utf8))
    #expect(try loop.run(withinMilliseconds: 60_000) { told.lines.count == 2 })
    #expect(told.lines == [long, "end"])
  }

  @Test func `its last lines are told before its end`() throws {
    let (process, told) = try run("echo one; echo two; exit 3")
    #expect(try loop.run(withinMilliseconds: 60_000) { !told.ends.isEmpty })
    #expect(told.lines == ["one", "two"])
    #expect(told.ends == [.exited(3)])
    // Nobody reads it any more.
    process.send(Array("late".utf8))
  }

  @Test func `one that is cancelled is killed, and tells nothing more`() throws {
    let (process, told) = try run("echo $$; exec sleep 1000")
    #expect(try loop.run(withinMilliseconds: 60_000) { !told.lines.isEmpty })
    let number = try #require(Int32(told.lines[0]))
    process.cancel()
    #expect(kill(number, 0) == -1 && errno == ESRCH)
    #expect(told.ends.isEmpty)
  }
}
