import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// RFC 9074: a reminder that is dismissed on one device is silent on the others.
@Suite struct `Dismissals of synchronised events` {
  private let shared: SharedFolder
  private var agent: AgentUnderTest { shared.agent }

  private let alarm = [
    "BEGIN:VALARM", "UID:alarm-1", "ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:Soon",
    "X-OF-A-PHONE:1", "END:VALARM",
  ]

  init() throws { shared = try SharedFolder() }

  private func write(_ lines: String...) throws {
    try shared.write("a", "Review", (lines + alarm).joined(separator: "\r\n"))
  }

  private func dismiss() throws {
    for row in try agent.pending() {
      _ = try agent.call(Contract.reminders, "Dismiss", [.string(row["id"]?.asString ?? "")])
    }
  }

  /// The lines of the event in the file.
  private var event: [String] {
    let lines = shared.text("a").split(separator: "\r\n").map(String.init)
    return Array(lines.drop { $0 != "BEGIN:VEVENT" })
  }

  private var acknowledged: [String] { event.filter { $0.hasPrefix("ACKNOWLEDGED:") } }

  @Test func `a dismissal here is written there, and nothing else`() throws {
    try write()
    try shared.add()
    let before = event
    try agent.advance(to: "2026-11-23T08:46:00Z")
    try dismiss()
    #expect(try shared.sync()["sent"] == 1)
    #expect(acknowledged == ["ACKNOWLEDGED:20261123T084600Z"])
    let after = shared.text("a")
    #expect(event.filter { !acknowledged.contains($0) } == before)
    // At rest: neither we nor an agent that starts anew writes it again.
    #expect(try shared.sync().isEmpty)
    agent.stop()
    try agent.start()
    #expect(try shared.sync().isEmpty)
    #expect(shared.text("a") == after)
    #expect(try agent.pending().isEmpty)
    // It is no change of the user's.
    #expect(throws: DBusError.self) { try shared.undo() }
    #expect(shared.text("a") == after)
  }

  @Test func `a dismissal that waits for a restart is written then`() throws {
    try write()
    try shared.add()
    try agent.advance(to: "2026-11-23T08:46:00Z")
    _ = try agent.call(Contract.sync, "Pause", [.string("files")])
    try dismiss()
    try agent.settle()
    agent.stop()
    try agent.start()
    #expect(acknowledged.isEmpty)
    _ = try agent.call(Contract.sync, "Resume", [.string("files")])
    try shared.sync()
    #expect(acknowledged == ["ACKNOWLEDGED:20261123T084600Z"])
  }

  @Test func `a dismissal there ends the reminder here, and is not written again`() throws {
    try write()
    try shared.add()
    try agent.advance(to: "2026-11-23T08:46:00Z")
    #expect(try agent.pending().count == 1)
    try shared.replace(
      "TRIGGER:-PT15M", with: "TRIGGER:-PT15M\r\nACKNOWLEDGED:20261123T084530Z", in: "a")
    let theirs = shared.text("a")
    agent.takeSignals()
    #expect(try shared.sync() == ["updated": 1])
    #expect(try agent.pending().isEmpty)
    #expect(agent.signals("ReminderDismissed").count == 1)
    #expect(try shared.sync().isEmpty)
    #expect(shared.text("a") == theirs)
  }

  @Test func `an earlier instant ends nothing`() throws {
    try write()
    try shared.add()
    try agent.advance(to: "2026-11-23T08:46:00Z")
    try shared.replace(
      "TRIGGER:-PT15M", with: "TRIGGER:-PT15M\r\nACKNOWLEDGED:20261123T084459Z", in: "a")
    try shared.sync()
    #expect(try agent.pending().count == 1)
  }

  @Test func `of a series one instant ends all reminders until then`() throws {
    try write("RRULE:FREQ=DAILY")
    try shared.add()
    try agent.advance(to: "2026-11-25T08:46:00Z")
    #expect(try agent.pending().count == 3)
    try shared.replace(
      "TRIGGER:-PT15M", with: "TRIGGER:-PT15M\r\nACKNOWLEDGED:20261124T090000Z", in: "a")
    try shared.sync()
    #expect(try agent.pending().count == 1)
    try dismiss()
    try shared.sync()
    #expect(acknowledged == ["ACKNOWLEDGED:20261125T084600Z"])
    #expect(try shared.sync().isEmpty)
  }

  @Test func `dismissed here and edited there, both are kept without a conflict`() throws {
    try write()
    try shared.add()
    try agent.advance(to: "2026-11-23T08:46:00Z")
    try dismiss()
    try shared.replace("SUMMARY:Review", with: "SUMMARY:Review of the plan", in: "a")
    let counts = try shared.sync()
    #expect(counts["sent"] == 1 && counts["conflicts"] == nil)
    #expect(acknowledged == ["ACKNOWLEDGED:20261123T084600Z"])
    #expect(shared.text("a").contains("SUMMARY:Review of the plan\r\n"))
    #expect(try shared.event("a")["summary"] == .string("Review of the plan"))
  }
}
