import DBus
import Platform
import Testing

@testable import CalctlCommands

@Suite struct `Errors of calctl` {
  @Test(arguments: [
    ("org.freedesktop.DBus.Error.ServiceUnknown", ExitCode.noAgent, "not installed"),
    ("org.freedesktop.DBus.Error.NoReply", .noAgent, "does not answer"),
    ("org.freedesktop.DBus.Error.Spawn.ChildExited", .noAgent, "could not start datebookd"),
    ("org.freedesktop.DBus.Error.Disconnected", .noAgent, "lost the session bus"),
    ("org.freedesktop.DBus.Error.NoServer", .noAgent, "dbus-run-session"),
    ("org.freedesktop.DBus.Error.InvalidArgs", .failed, "why"),
    ("org.datebook.Calendar1.Error.InvalidTime", .failed, "why"),
    ("org.datebook.Calendar1.Error.StorageFailed", .failed, "why"),
    ("org.datebook.Calendar1.Error.NotFound", .notFound, "why"),
  ])
  func `an error on the bus is one line and an exit code`(
    name: String, code: ExitCode, words: String
  ) throws {
    let error = CommandError(DBusError(try ErrorName(name), "why"))
    #expect(error.exitCode == code)
    #expect(error.message.contains(words))
    #expect(error.message.hasPrefix("calctl: ") && error.message.hasSuffix("\n"))
    #expect(error.message.split(separator: "\n").count == 1)
    #expect(error.notice.map { "calctl: \($0)\n" } == error.message)
  }

  @Test func `a usage error names the command, its hint and its help`() {
    #expect(
      CommandError.usage("x is missing", command: "add", hint: "such as y").message
        == "calctl add: x is missing (such as y)\nTry: calctl add --help\n")
    #expect(
      CommandError.usage("x is missing", command: nil, hint: nil).message
        == "calctl: x is missing\nTry: calctl --help\n")
    #expect(CommandError.usage("x is missing", command: nil, hint: nil).notice == nil)
  }

  @Test func `a reader that left is no error`() {
    #expect(CommandError(writing: .outputClosed).message.isEmpty)
    #expect(CommandError(writing: .outputClosed).exitCode == .success)
    #expect(CommandError(writing: .noHomeDirectory).exitCode == .failed)
  }

  @Test func `text of the caller cannot control the terminal`() {
    let hostile = "\u{1b}[2J\u{9b}x\u{7}\r\n\u{202e}y"
    let errors: [CommandError] = [
      .usage(hostile, command: "add", hint: hostile), .refused(name: "", message: hostile),
      .notFound(hostile, near: [hostile]), .noAgent(hostile), .noFile(hostile), .system(hostile),
    ]
    for error in errors {
      #expect(error.message.allSatisfy { $0 == "\n" || !$0.isTerminalControl }, "\(error)")
      #expect(error.notice?.allSatisfy { !$0.isTerminalControl } ?? true, "\(error)")
    }
    #expect(CommandError.notFound("none", near: ["a", "b"]).message == "calctl: none\n  a\n  b\n")
  }

  @Test func `an argument has its name on the command line`() {
    let names = [(bus: "start", here: "--start"), (bus: "from", here: "FROM")]
    func renamed(_ message: String) -> CommandError {
      CommandError.refused(name: "n", message: message).renamed(names)
    }
    #expect(renamed("start: bad") == .refused(name: "n", message: "--start: bad"))
    #expect(renamed("from is missing") == .refused(name: "n", message: "FROM is missing"))
    #expect(renamed("starting up") == .refused(name: "n", message: "starting up"))
    #expect(CommandError.noAgent("start: x").renamed(names) == .noAgent("start: x"))
  }
}

extension Character {
  /// Whether it controls a terminal, or the direction of text.
  var isTerminalControl: Bool {
    unicodeScalars.contains {
      $0.value < 0x20 || (0x7f...0x9f).contains($0.value) || (0x202a...0x202e).contains($0.value)
        || (0x2028...0x2029).contains($0.value) || (0x2066...0x2069).contains($0.value)
    }
  }
}
