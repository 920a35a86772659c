import TestSupport
import Testing
import Widgets

@testable import CalctlCommands
@testable import CalendarBus

@Suite struct `The progress of a source, on the command line` {
  private func line(_ calendar: String, _ done: Int64, of total: Int64, _ name: String = "Cloud")
    -> String
  {
    SourceProgress.line(
      .init(source: "cloud", calendar: calendar, done: done, total: total), of: name)
  }

  @Test func `names the source and its calendar, with how far it is`() {
    #expect(line("Work", 120, of: 900) == "Cloud: Work, 120 of 900")
    #expect(line("Work", 0, of: 0) == "Cloud: Work")
    #expect(line("", 0, of: 0) == "Cloud: looking for changes")
    #expect(line("", 0, of: 0, "") == "cloud: looking for changes")
  }

  @Test func `has room on a line, whatever the names are`() {
    let long = String(repeating: "Family ", count: 20)
    #expect(line(long, 10_000, of: 10_000, long).columns < 80)
    #expect(!line("Work\u{1B}[2J\nHome", 0, of: 0).contains { "\u{1B}\n".contains($0) })
  }

  @Test func `is shown on a terminal until the end, and nowhere else`() throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("calendars")
    try session.home.makeDirectory("calendars/work")
    _ = try session.output("sources", "add", "vdir", folder, "--name", "Files")
    let terminal = try PseudoTerminal()
    let outcome = try session.startShell(
      "calctl sources sync 2>&0", input: .descriptor(terminal.program)
    ).wait()
    #expect(outcome.output == "Nothing has changed.\n")
    let shown = terminal.takeOutput()
    #expect(shown.contains("Files: work"), "\(shown)")
    #expect(shown.hasSuffix(Progress.clear), "\(shown)")
    #expect(try session.run("sources", "sync").errors == "")
  }
}
