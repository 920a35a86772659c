import TestSupport
import Testing
import Widgets

@testable import CalctlCommands

@Suite struct `Completions` {
  /// What is offered without a bus at the end of these words.
  private func offers(_ words: String...) throws -> [String] {
    let outcome = try runOffline(["--complete"] + words)
    #expect(outcome.code == .success && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func `every command and option is offered`() throws {
    #expect(
      try offers("") == CommandTable.commands.map(\.name) + HelpText.overviewOptions.map(\.name))
    for command in CommandTable.commands {
      #expect(try offers(command.name, "--") == command.allOptions.map(\.name))
    }
    #expect(try offers("help", "to") == ["today", "tomorrow", "todos"])
    #expect(try offers("sn") == ["snooze", "snapshot"])
  }

  @Test func `a value is completed by its words and not by options`() throws {
    #expect(try offers("add", "x", "--repeat", "week") == ["weekdays", "weekly"])
    #expect(try offers("rm", "x", "--scope", "") == ["this", "this-and-future", "all"])
    #expect(try offers("import", "x", "--mode", "=", "r") == ["replace"])
    #expect(try offers("bar", "--format", "") == BarFormat.all.map(\.name))
    #expect(try offers("import", "") == [], "files are what shells complete by themselves")
  }

  @Test func `days and signals are offered where they belong`() throws {
    #expect(try offers("add", "x", "--start", "t") == ["today", "tomorrow", "tuesday", "thursday"])
    #expect(try offers("agenda", "tom") == ["tomorrow"])
    #expect(try offers("on", "ReminderD") == ["ReminderDue", "ReminderDismissed"])
    #expect(try offers("show", "n") == ["next"], "without an agent")
  }
}

/// Each shell with its script in packaging/completions.
@Suite struct `Completions in shells` {
  private static let folder = checkoutDirectory + "/packaging/completions"

  /// How a shell is asked for its offers at the end of the line "calctl WORDS", one a line.
  struct Shell: CustomStringConvertible, Sendable {
    let name: String
    let arguments: @Sendable (_ words: [String], _ script: String) -> [String]

    var description: String { name }
  }

  private static func quoted(_ words: [String]) -> String {
    words.map { "'\($0)'" }.joined(separator: " ")
  }

  static let shells = [
    Shell(name: "bash") { words, script in
      [
        "--norc", "-c",
        """
        . '\(script)'
        COMP_WORDS=(calctl \(quoted(words))) COMP_CWORD=\(words.count)
        _calctl
        printf '%s\\n' "${COMPREPLY[@]}"
        """,
      ]
    },
    Shell(name: "zsh") { words, script in
      [
        "-f", "-c",
        """
        compadd() { print -rl -- "${offered[@]}" }
        _files() { print files }
        asked() { . '\(script)' }
        words=(calctl \(quoted(words))) CURRENT=\(words.count + 1)
        asked
        """,
      ]
    },
    Shell(name: "fish") { words, script in
      let line = (["calctl"] + words).joined(separator: " ")
      return [
        "--no-config", "-c",
        "source '\(script)'; complete -C '\(line)' | string replace -r '\\t.*' ''; or true",
      ]
    },
  ]

  /// Returns a text as a word of sh(1).
  private static func word(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private func offers(_ shell: Shell, _ session: Session, _ words: String...) throws -> [String] {
    let arguments = shell.arguments(words, "\(Self.folder)/calctl.\(shell.name)")
    let line = arguments.map(Self.word)
    let bin = directory(ofFile: Session.program("calctl"))
    let outcome = try session.shell(
      "PATH='\(bin)':$PATH exec \(shell.name) \(line.joined(separator: " "))")
    guard outcome.code == 0, outcome.errors.isEmpty else { throw TestSupportError(outcome.errors) }
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: shells)
  func `commands, options, calendars, titles, IDs and days are offered`(shell: Shell) throws {
    let session = try Session()
    _ = try session.output("calendars", "add", "Work")
    let id = try session.add("Dentist", "tomorrow 9:00")
    #expect(try offers(shell, session, "snap") == ["snapshot"])
    #expect(try offers(shell, session, "rm", "--sc") == ["--scope"])
    #expect(try offers(shell, session, "today", "--calendar", "w") == ["work"])
    #expect(try offers(shell, session, "show", "Dent") == ["Dentist"])
    #expect(try offers(shell, session, "show", String(id.prefix(12))) == [id])
    #expect(try offers(shell, session, "agenda", "tom") == ["tomorrow"])
  }

  /// The title of an invitation may be written for the shell that completes it.
  @Test(arguments: ["\"", "'", ""])
  func `bash takes a completed title as text`(quote: String) throws {
    let title = #"Lunch $(echo bad) `echo bad` "x" \ it's; echo bad"#
    let session = try Session()
    _ = try session.add(title, "tomorrow 9:00")
    let script = """
      . '\(Self.folder)/calctl.bash'
      COMP_WORDS=(calctl show "$1"Lunch) COMP_CWORD=2
      _calctl
      eval "printf '%s\\n' $1${COMPREPLY[0]}$1"
      """
    let line = ["--norc", "-c", script, "bash", quote].map(Self.word).joined(separator: " ")
    let bin = directory(ofFile: Session.program("calctl"))
    let outcome = try session.shell("PATH='\(bin)':$PATH exec bash \(line)")
    #expect(outcome.output == title + "\n", "\(outcome.errors)")
  }
}
