import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `A source that is added on a terminal` {
  private let session: Session
  private let terminal: PseudoTerminal

  init() throws {
    session = try Session()
    terminal = try PseudoTerminal()
  }

  /// Types an answer once something is asked: what is typed before a password is asked for is lost.
  private func answer(_ question: String, _ text: String, _ program: Subprocess) throws {
    try program.wait { String(decoding: $0.errors, as: UTF8.self).hasSuffix(question) }
    terminal.type(text + "\n")
  }

  @Test func `is asked for its folder`() throws {
    let folder = try session.home.makeDirectory("calendars")
    try session.home.makeDirectory("calendars/work")
    let program = try session.start(
      "sources", "add", "vdir", "--name", "Files", input: .descriptor(terminal.program))
    try answer("Folder: ", folder, program)
    let outcome = try program.wait()
    #expect(outcome.output == "Added files: 1 calendar, 0 events.\n", "\(outcome.errors)")
    #expect(outcome.errors == "Folder: ")
  }

  @Test func `is asked for its user and password, unless they are given`() throws {
    let program = try session.start(
      "sources", "add", "caldav", "--check", input: .descriptor(terminal.program))
    try answer("URL, host or e-mail address: ", "http://127.0.0.1:1/", program)
    try answer("User: ", "ana", program)
    try answer("Password: ", "hunter2", program)
    let outcome = try program.wait()
    #expect(outcome.code != 0 && !outcome.errors.contains("hunter2"))
    let other = try session.start(
      "sources", "add", "radarr", "--check", "--token-command", "echo key",
      input: .descriptor(terminal.program))
    try answer("URL: ", "http://127.0.0.1:1/", other)
    #expect(try !other.wait().errors.contains("API key: "))
  }

  @Test func `is refused without an answer, and without a terminal`() throws {
    let program = try session.start(
      "sources", "add", "webcal", input: .descriptor(terminal.program))
    try answer("URL: ", "", program)
    #expect(try program.wait().code == ExitCode.usage.rawValue)
    #expect(try session.run("sources", "add", "webcal").code == ExitCode.usage.rawValue)
  }
}
