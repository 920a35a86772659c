import CalendarBus
import DBus
import JSON
import TestSupport
import Testing
import Widgets

@testable import CalctlCommands

@Suite struct `calctl watch` {
  @Test func `each signal is a line of JSON, with the names of the bus`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    let id = try session.add("Lunch", "2030-01-07 12:30")
    let line = try #require(try watch.lines(1).first { $0.contains("EventsChanged") })
    let signal = try JSONReader.value(of: line, maximumOctets: 1 << 20)
    #expect(signal["signal"] == "EventsChanged")
    #expect(signal["revision"] == 1)
    #expect(signal["uids"] == [.string(id)])
    #expect(signal["calendars"] == ["personal"])
    // The keys of the closing dictionary stand among the rest.
    #expect(signal["origin"] == "local")
    #expect(signal["details"] == nil)
  }

  @Test func `its keys are spelled with hyphens, like all others`() throws {
    let arguments: [Value] =
      ["tea", "20300107", "Tea"].map(Value.string) + [.int64(1), .int64(2), .row([])]
    let line = try SignalWatcher.line(
      .signal(Contract.path, Contract.calendar, "EventStarted", arguments))
    #expect(line?["recurrence-id"] == "20300107")
    #expect(line?["recurrence_id"] == nil)
  }

  @Test func `it ends when its reader does, at once and without an error`() throws {
    let session = try Session()
    let pipeline = try session.startShell("calctl watch | head -n 1")
    try session.waitForAgent()
    _ = try session.add("Lunch", "2030-01-07 12:30")
    let outcome = try pipeline.wait()
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.split(separator: "\n").count == 1)
  }

  @Test func `it ends without a signal, too, when nobody reads`() throws {
    let session = try Session()
    // The exit code of calctl itself, on standard error.
    let pipeline = try session.startShell("{ calctl watch; echo \"code $?\" >&2; } | true")
    #expect(try pipeline.wait().errors == "code 0\n")
  }

  @Test func `the help names every signal there is`() throws {
    let help = HelpText.command(.watch)
    for signal in Contract.broadcasts {
      #expect(help.contains(signal.name.text), "\(signal.name.text)")
    }
    #expect(help.contains("EventStarted") && help.contains("CalendarsChanged"))
    for mode in MonthMode.allCases { #expect(HelpText.command(.month).contains(mode.rawValue)) }
  }

  @Test func `it ends with the bus, and says so`() throws {
    let session = try Session()
    let watch = try session.start("watch")
    try session.waitForAgent()
    session.bus.stop()
    let outcome = try watch.wait()
    #expect(outcome.code == ExitCode.noAgent.rawValue)
    #expect(outcome.errors.hasPrefix("calctl: lost the session bus"), "\(outcome.errors)")
  }
}
