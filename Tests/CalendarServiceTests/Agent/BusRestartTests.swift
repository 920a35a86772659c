import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `A bus that goes away` {
  @Test func `the agent ends with its own code, and the next bus starts it with all that was`()
    throws
  {
    let files = try TemporaryDirectory()
    let bus = try PrivateBus()
    let agent = try OtherAgent(on: bus, dataHome: files.path)
    try agent.waitUntilReady()
    let outcome = try Subprocess.run(
      "busctl",
      [
        "--user", "call", Contract.busName.text, Contract.path.text, Contract.events.text,
        "AddSimple", "sssss", "", "Standup", "2026-11-21 09:30", "", "",
      ], environment: bus.environment)
    #expect(outcome.status == .exited(0))
    bus.stop()
    let end = try agent.wait()
    #expect(end.status == .exited(AgentProgram.ExitCode.busGone.rawValue))
    // It may notice first that its system bus, which is the same one, is gone.
    #expect(end.errors.contains("datebookd: the session bus is gone\n"))
    // Its files are closed: the journal is in the database.
    #expect(FileStatus(files.file("datebook/datebook.db-wal")) == nil)
    #expect(FileStatus(bus.directory.file("datebook/snapshot.json")) == nil)

    let service =
      "[D-BUS Service]\nName=\(Contract.busName)\nExec=\(OtherAgent.path)\n"
    let next = try PrivateBus(
      services: [Contract.busName.text + ".service": service],
      environment: [
        "XDG_DATA_HOME": files.path, "XDG_CONFIG_HOME": files.path, "HOME": files.path,
      ])
    let answer = try Subprocess.run(
      "busctl",
      [
        "--user", "--json=short", "call", Contract.busName.text, Contract.path.text,
        Contract.calendar.text, "Agenda", "su", "2026-11-21", "1",
      ], environment: next.environment)
    #expect(answer.status == .exited(0), "\(answer.errors)")
    #expect(answer.output.contains("\"Standup\""))
    let revision = try Subprocess.run(
      "busctl",
      [
        "--user", "get-property", Contract.busName.text, Contract.path.text,
        Contract.calendar.text, "Revision",
      ], environment: next.environment)
    #expect(revision.output == "t 1\n")
    // Whoever keeps services alive is told to start it again, and that this is no failure.
    let unit = String(
      decoding: try #require(
        readFile(testSupportDirectory + "/../../packaging/datebookd.service.in")), as: UTF8.self)
    #expect(unit.contains("\nRestartForceExitStatus=6\n"))
    #expect(unit.contains("\nSuccessExitStatus=6\n"))
  }
}
