import CalendarBus
import DBus
import Testing

@testable import CalctlCommands

@Suite struct `The calendars of a source, on the command line` {
  private func row(_ href: String, _ name: String) -> Row {
    var row = Row()
    row.set(.href, href)
    row.set(.name, name)
    return row
  }

  @Test func `they are chosen by name or path, in the order of the source`() throws {
    let found = [row("/a/", "Work"), row("/b/", "Home"), row("/c/", "Work")]
    let hrefs = try CommandSpec.hrefs(of: ["/b/", "Work"], among: found, at: "cloud")
    #expect(hrefs == ["/a/", "/b/", "/c/"])
    #expect(throws: CommandError.self) {
      try CommandSpec.hrefs(of: ["Work", "Garden"], among: found, at: "cloud")
    }
  }

  @Test func `events with guests that wait are told with the command that sends them`() {
    var row = Row()
    row.set(.id, "cloud")
    row.set(.guestsWaiting, .uint32(0))
    #expect(CommandSpec.guestsLine(row) == nil)
    row.set(.guestsWaiting, .uint32(1))
    #expect(
      CommandSpec.guestsLine(row)
        == "1 event has guests, to whom the server may write, and waits; to send it: "
        + "calctl sources edit cloud --guests send")
    row.set(.guestsWaiting, .uint32(3))
    #expect(CommandSpec.guestsLine(row)?.hasPrefix("3 events have guests") == true)
  }
}
