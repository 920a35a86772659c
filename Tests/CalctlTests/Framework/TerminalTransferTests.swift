import Glibc
import Platform
import TestSupport
import Testing

@testable import CalctlCommands

/// Waits until everything that was written to a pipe or terminal has been read.
private func waitUntilRead(_ descriptor: Int32) throws {
  var left: Int32 = 1
  let end = time(nil) + 60
  while ioctl(descriptor, UInt(FIONREAD), &left) == 0, left > 0 {
    guard time(nil) < end else { throw TestSupportError("nobody reads") }
    sched_yield()
  }
}

@Suite(.timeLimit(.minutes(2)))
struct `Imports and exports that are interrupted, or at a terminal` {
  @Test func `import - reads what is typed at a terminal, to its end`() throws {
    let session = try Session()
    let terminal = try PseudoTerminal()
    let program = try session.start("import", "-", input: .descriptor(terminal.program))
    terminal.type(lunchCalendar + "\u{4}")
    let outcome = try program.wait()
    #expect(outcome.output == "Imported standard input into Personal: 1 added\n")
    #expect(outcome.code == 0 && outcome.errors == "")
  }

  @Test func `import - takes nothing more from a terminal once it was interrupted`() throws {
    let session = try Session()
    _ = try session.output("calendars")
    let terminal = try PseudoTerminal()
    terminal.type("BEGIN:VCALENDAR\n")
    try terminal.waitForLine()
    let program = try session.start("import", "-", input: .descriptor(terminal.program))
    try waitUntilRead(terminal.program)
    program.terminate(signal: SIGINT)
    #expect(try program.wait().status == .signalled(SIGINT))
    terminal.type("secret\n")
    // Whoever else reads has had the time to.
    _ = try session.output("calendars")
    #expect(try terminal.readLine() == "secret\n")
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func `an import that is interrupted, of which a part has come, is given up whole`(signal: Int32)
    throws
  {
    let session = try Session()
    _ = try session.output("calendars")
    let pipe = try FileDescriptor.pipe()
    let program = try session.start(
      "import", "-", input: .descriptor(pipe.reading.number))
    let whole = Array(lunchCalendar.utf8)
    #expect(write(pipe.writing.number, whole, whole.count) == whole.count)
    try waitUntilRead(pipe.reading.number)
    program.terminate(signal: signal)
    #expect(try program.wait().status == .signalled(signal))
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    _ = dup2(null, pipe.reading.number)
    close(null)
    var entry = pollfd(fd: pipe.writing.number, events: 0, revents: 0)
    #expect(poll(&entry, 1, 60_000) == 1, "the agent closes the pipe")
    #expect(try session.output("agenda", "2030-03-07", "--days=1").contains("Lunch") == false)
  }

  @Test func `export writes to a terminal`() throws {
    let session = try Session()
    _ = try session.add("Lunch", "2030-01-07 12:30")
    let terminal = try PseudoTerminal()
    let outcome = try session.startShell(
      "calctl export >&0", input: .descriptor(terminal.program)
    ).wait()
    #expect(outcome.code == 0 && outcome.errors == "")
    #expect(terminal.takeOutput() == (try session.output("export")))
  }
}
