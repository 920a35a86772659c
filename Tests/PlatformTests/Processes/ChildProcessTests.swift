import Glibc
import Platform
import TestSupport
import Testing

@Suite struct `Child process` {
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

  private func run(
    _ script: String, input: String = "", milliseconds: Int = 60_000
  ) throws -> (ChildProcess, Told) {
    try folder.write("#!/bin/sh\n" + script + "\n", to: "program", mode: 0o700)
    let told = Told()
    let process = try ChildProcess(
      folder.file("program"), environment: ["PATH": "/usr/bin:/bin", "TITLE": "a; echo b"],
      directory: folder.path, input: Array(input.utf8), milliseconds: milliseconds, on: loop,
      onLine: { told.lines.append($0) }, onEnd: { told.ends.append($0) })
    return (process, told)
  }

  private func end(_ told: Told) throws {
    #expect(try loop.run(withinMilliseconds: 60_000) { !told.ends.isEmpty })
  }

  @Test func `it gets its input and its environment, and its lines are told`() throws {
    let (_, told) = try run("cat; echo \"$TITLE\" >&2; pwd", input: "one\ntwo")
    try end(told)
    #expect(told.lines == ["one", "twoa; echo b", folder.path])
    #expect(told.ends == [.exited(0)])
  }

  @Test func `an end by exit code and by signal is told as what it is`() throws {
    let (_, first) = try run("exit 3")
    try end(first)
    #expect(first.ends == [.exited(3)])
    let (_, second) = try run("kill -KILL $$")
    try end(second)
    #expect(second.ends == [.signalled(SIGKILL)])
  }

  @Test func `one that does not read much input ends well`() throws {
    let (_, told) = try run("exit 0", input: String(repeating: "x", count: 1_000_000))
    try end(told)
    #expect(told.ends == [.exited(0)])
  }

  @Test func `one that does not stop is ended, with what it has started`() throws {
    let (process, told) = try run("sleep 1000 & echo $!; wait", milliseconds: 300)
    try end(told)
    #expect(process.isOverdue)
    #expect(told.ends == [.signalled(SIGTERM)])
    let sleeper = try #require(told.lines.first.flatMap { Int32($0) })
    // Gone, or a zombie that nobody has waited for.
    let isGone = try loop.run(withinMilliseconds: 60_000) {
      state(of: sleeper).map { $0 == "Z" } ?? true
    }
    #expect(isGone)
  }

  @Test func `one that does not listen to SIGTERM is killed`() throws {
    let (_, told) = try run(
      "trap '' TERM; echo ready; while :; do sleep 1000; done", milliseconds: 300)
    try end(told)
    #expect(told.ends == [.signalled(SIGKILL)])
  }

  @Test func `a cancelled one is killed, and nothing is told`() throws {
    let (process, told) = try run("echo $$; sleep 1000")
    #expect(try loop.run(withinMilliseconds: 60_000) { !told.lines.isEmpty })
    process.cancel()
    let number = try #require(told.lines.first.flatMap { Int32($0) })
    #expect(state(of: number) == nil)
    #expect(told.ends.isEmpty)
  }

  @Test func `a daemon that it leaves behind holds nobody up`() throws {
    let (_, told) = try run("sleep 5 & exit 0")
    try end(told)
    #expect(told.ends == [.exited(0)])
  }

  @Test func `a file that is no program is refused by its path`() throws {
    try folder.write("\u{0}\u{1}", to: "program", mode: 0o700)
    #expect(
      throws: SystemError(.init(rawValue: ENOEXEC), call: "start", path: folder.file("program"))
    ) {
      _ = try ChildProcess(
        folder.file("program"), environment: [:], directory: folder.path, input: [],
        milliseconds: 1000, on: loop, onLine: { _ in }, onEnd: { _ in })
    }
  }

  /// The letter of proc_pid_stat(5); nil for a process that there is not.
  private func state(of process: Int32) -> Character? {
    guard let bytes = try? readFile("/proc/\(process)/stat", maximumBytes: 10_000) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.lastIndex(of: ")").map { text[text.index($0, offsetBy: 2)] }
  }
}
