import Testing

@testable import CalctlCommands

/// The command line as a whole, without a bus.
@Suite struct `The command line` {
  @Test func `without a command the overview goes to standard error`() throws {
    let outcome = try runOffline([])
    #expect(outcome == (.usage, "", HelpText.overview))
  }

  @Test(arguments: [["--help"], ["-h"], ["help"]])
  func `help needs no bus`(arguments: [String]) throws {
    #expect(try runOffline(arguments) == (.success, HelpText.overview, ""))
  }

  @Test func `each command has its help in three ways`() throws {
    for command in CommandTable.commands {
      let help = HelpText.command(command)
      #expect(try runOffline([command.name, "--help"]) == (.success, help, ""))
      #expect(try runOffline([command.name, "-h"]) == (.success, help, ""))
      #expect(try runOffline(["help", command.name]) == (.success, help, ""))
    }
  }

  @Test func `the version and the manual need no bus`() throws {
    let version = try runOffline(["--version"])
    #expect(version.code == .success && version.text.hasPrefix("calctl "))
    #expect(try runOffline(["--man"]) == (.success, ManualPage.text, ""))
  }

  @Test(arguments: [
    ("tody", "did you mean today?"), ("agneda", "did you mean agenda?"), ("list", "agenda?"),
    ("delete", "rm?"), ("create", "add?"), ("--json", "options go after the command"),
    ("xyzzy", "unknown command \"xyzzy\"\n"), ("", "unknown command \"\""),
  ])
  func `an unknown command is refused, with the one that was meant`(
    name: String, words: String
  ) throws {
    let outcome = try runOffline([name])
    #expect(outcome.code == .usage)
    #expect(outcome.text.isEmpty)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("\nTry: calctl --help\n"))
  }

  @Test func `help about an unknown command is refused`() throws {
    #expect(try runOffline(["help", "tody"]).code == .usage)
  }

  @Test func `without a bus every command has an error of one line with advice`() throws {
    for line in [
      ["today"], ["agenda"], ["next"], ["add", "x", "--start", "today"], ["show", "x"],
      ["rm", "x"],
      ["import", "-"], ["reminders"], ["snooze", "x"], ["dismiss", "x"], ["snapshot"], ["bar"],
      ["bar", "--follow"], ["watch"], ["status"],
    ] {
      let outcome = try runOffline(line)
      #expect(outcome.code == .noAgent, "\(line)")
      #expect(outcome.errors.contains("dbus-run-session"), "\(line): \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(line): \(outcome.errors)")
    }
  }

  @Test(arguments: [
    ["add", "x", "--end", "1h"], ["agenda", "--days", "0"], ["next", "--count", "101"],
    ["bar", "--format", "dzen"],
  ])
  func `a wrong command line is refused before the bus is asked`(
    line: [String]
  ) throws {
    let outcome = try runOffline(line)
    #expect(outcome.code == .usage, "\(outcome.errors)")
  }

  @Test func `the other names of commands lead to commands`() {
    for name in ["new", "remove", "ls", "view", "monitor", "load", "alarms"] {
      let suggestion = CommandTable.suggestion(for: name)
      #expect(suggestion.flatMap(CommandTable.command) != nil, "\(name)")
    }
  }

  @Test func `names of commands and options differ`() {
    let names = CommandTable.commands.map(\.name)
    #expect(names.map { CommandTable.command(named: $0)?.name } == names)
    #expect(Set(names).count == names.count)
    for command in CommandTable.commands {
      let options = command.allOptions.map(\.name)
      #expect(Set(options).count == options.count && options.allSatisfy { $0.hasPrefix("--") })
      // Optional ones are last.
      let required = command.arguments.map(\.isRequired)
      #expect(required == required.sorted { $0 && !$1 })
    }
  }
}
