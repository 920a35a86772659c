import TestSupport
import Testing
import Widgets

@testable import CalctlCommands

@Suite struct `Completions in bash` {
  /// What bash offers at the end of these words.
  private func offers(_ words: String...) throws -> [String] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(Completions.bash)
      COMP_WORDS=(calctl \(list)) COMP_CWORD=\(words.count)
      _calctl
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try Subprocess.run("bash", ["--norc", "-c", script])
    guard outcome.code == 0, outcome.errors.isEmpty else { throw TestSupportError(outcome.errors) }
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test func `the script in packaging is that of the table of commands`() throws {
    let tests = testsDirectory
    let file = try #require(
      readFile(directory(ofFile: tests) + "/packaging/completions/calctl.bash"))
    #expect(
      String(decoding: file, as: UTF8.self) == Completions.bash,
      "print it again: calctl --completions > packaging/completions/calctl.bash")
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
    #expect(try offers("import", "x", "--mode", "r") == ["replace"])
    #expect(try offers("bar", "--format", "") == BarFormat.all.map(\.name))
    #expect(try offers("add", "x", "--start", "") == [])
    #expect(try offers("import", "") == [], "files are what bash completes by itself")
  }
}
