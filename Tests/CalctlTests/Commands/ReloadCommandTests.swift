import JSON
import TestSupport
import Testing

@testable import CalctlCommands

@Suite struct `calctl reload` {
  @Test func `the agent reads the settings again, and has the calendar as before`() throws {
    let session = try Session()
    let before = try session.add("Lunch", "2030-01-07 12:30")
    #expect(try session.json("calendars")[0]?["reminders"] == nil)
    try session.home.write("[reminders]\ndefault = 20m\n", to: "config/datebook/datebook.conf")
    #expect(try session.output("reload") == "The agent has read the settings again.\n")
    #expect(try session.json("show", before)["summary"] == "Lunch")
    _ = try session.output("calendars", "add", "Work")
    let rows = try session.json("calendars").arrayValue ?? []
    #expect(rows.last?["reminders"] == ["PT20M"])
  }

  @Test func `a line that is not understood is named, with the nearest setting`() throws {
    let session = try Session()
    _ = try session.output("today")
    try session.home.write("[reminders]\ndefalt = 20m\n", to: "config/datebook/datebook.conf")
    let outcome = try session.run("reload")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("did you mean \"default\"?"), "\(outcome.output)")
  }

  @Test func `without an agent there is nothing to do`() throws {
    let session = try Session(hasAgent: false)
    #expect(try session.output("reload").hasPrefix("The agent is not running"))
  }
}
