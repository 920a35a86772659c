import CalendarBus
import DBus
import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `Removing a calendar of a source` {
  private func sources(_ kind: String) -> [Row] {
    [Row(.row([("id", .string("cloud")), ("kind", .string(kind))]))]
  }

  private func calendar(of source: String) -> Row {
    Row(
      .row([
        ("id", .string("work")), ("name", .string("Work")), ("source", .string(source)),
      ]))
  }

  @Test(arguments: ["caldav", "google", "vdir"])
  func `it says before and after that the copy there stays`(kind: String) throws {
    let removal = try #require(
      try SourceCalendarRemoval(of: calendar(of: "cloud"), among: sources(kind)))
    #expect(
      removal.question == """
        Work is synchronised with cloud. If you remove it here, it stays at cloud and is no longer \
        synchronised.
        To choose the calendars of cloud: calctl sources edit cloud --calendar NAME
        To remove cloud: calctl sources rm cloud
        Remove Work here? [y/N]\u{20}
        """)
    #expect(
      removal.message == """
        Removed calendar Work here. It stays at cloud and is no longer synchronised; undo brings \
        it back.
        """)
  }

  @Test(arguments: ["webcal", "radarr", "sonarr", "lidarr"])
  func `the only one of a source is removed with the source`(kind: String) throws {
    let error = #expect(throws: CommandError.self) {
      try SourceCalendarRemoval(of: calendar(of: "cloud"), among: sources(kind))
    }
    #expect(error?.exitCode == .failed)
    #expect(error?.message.contains("calctl sources rm cloud") == true)
  }

  @Test func `a calendar of this computer is removed as ever`() throws {
    let removal = try SourceCalendarRemoval(of: calendar(of: "local"), among: sources("caldav"))
    #expect(removal == nil)
  }

  @Test(arguments: [("y\n", true), ("n\n", false), ("\n", false)])
  func `on a terminal it is asked first, and the folder keeps its file`(
    answer: String, isRemoved: Bool
  ) throws {
    let session = try Session()
    let folder = try session.home.makeDirectory("calendars")
    try session.home.makeDirectory("calendars/work")
    try session.home.write(lunchCalendar, to: "calendars/work/lunch.ics")
    _ = try session.output("sources", "add", "vdir", folder, "--name", "Files")
    #expect(try session.output("calendars").contains("  source files  work\n"))
    #expect(try session.json("calendars")[1]?["source"] == "files")
    let terminal = try PseudoTerminal()
    let program = try session.start(
      "calendars", "rm", "work", "--with-events", input: .descriptor(terminal.program))
    terminal.type(answer)
    let outcome = try program.wait()
    #expect(outcome.code == 0)
    #expect(outcome.errors.hasSuffix("Remove work here? [y/N] "), "\(outcome.errors)")
    #expect((outcome.output == "Nothing was removed.\n") == !isRemoved, "\(outcome.output)")
    _ = try session.output("sources", "sync")
    #expect(try session.json("calendars").arrayValue?.count == (isRemoved ? 1 : 2))
    #expect(session.home.names(in: "calendars/work") == ["lunch.ics"])
  }
}
