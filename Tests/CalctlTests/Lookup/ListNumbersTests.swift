import JSON
import Platform
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `Numbers of lists` {
  @Test(arguments: [
    ("3", 3), ("999", 999), ("042", 42), ("0", nil), ("1000", nil), ("", nil), ("-1", nil),
    ("3a", nil), ("٣", nil),
  ])
  func `are at most three digits`(text: String, expected: Int?) {
    #expect(ListNumbers.number(text) == expected)
  }

  @Test func `are those of the last list`() throws {
    let folder = try TemporaryDirectory()
    let numbers = try #require(ListNumbers(ProcessEnvironment(["XDG_RUNTIME_DIR": folder.path])))
    #expect(numbers.name(1) == nil)
    #expect(numbers.store(["work/a", "work/b/20300107"]))
    #expect(numbers.name(2) == "work/b/20300107" && numbers.name(3) == nil)
    #expect(numbers.store((1...1200).map { "home/\($0)" }))
    #expect(numbers.name(999) == "home/999" && numbers.name(1000) == nil)
    #expect(ListNumbers(ProcessEnvironment([:])) == nil)
  }

  @Test func `are printed on a terminal alone, and commands take them`() throws {
    let session = try Session()
    _ = try session.add("Standup", "2030-01-07 9:30", "--repeat", "daily")
    let lunch = try session.add("Lunch", "2030-01-08 12:30")
    let none = try session.run("rm", "3")
    #expect(none.code == 3)
    #expect(
      none.errors
        == "calctl: the last list on a terminal has no number 3 (calctl agenda prints one)\n")
    let terminal = try PseudoTerminal()
    let program = try session.startShell(
      "calctl agenda 2030-01-07 --days 2 >&0", input: .descriptor(terminal.program))
    #expect(try program.wait().code == 0)
    let printed = terminal.takeOutput()
    for line in ["  1  09:30 – 10:30  Standup\n", "  3  12:30 – 13:30  Lunch\n"] {
      #expect(printed.contains(line), "\(printed)")
    }
    let piped = try session.output("agenda", "2030-01-07", "--days", "1")
    #expect(piped.contains("  09:30 – 10:30  Standup\n"), "\(piped)")
    #expect(try session.json("show", "2")["recurrence-id"] == "20300108T083000Z")
    #expect(try session.json("show", "3")["uid"] == .string(lunch))
    #expect(try session.output("rm", "3").hasPrefix("Removed Lunch: "))
    #expect(try session.run("show", "3").code == 3)
    #expect(try session.run("show", "4").code == 3)
  }
}
