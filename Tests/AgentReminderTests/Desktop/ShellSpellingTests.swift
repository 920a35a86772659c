import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// What a shell can say without thinking: no hyphen in front, and 0 for what is not given.
@Suite struct `Spellings for a shell` {
  @Test func `a reminder after the start need not begin with a hyphen`() throws {
    let agent = try AgentUnderTest()
    let outcome = try agent.busctl(
      "Events.Add",
      [
        "sa{sv}", "", "4", "uid", "s", "tea", "summary", "s", "Tea", "start", "s", "tomorrow 10:00",
        "reminders", "as", "3", "start:-5m", "start:15m", "end:-PT1H",
      ])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let event = try agent.call(Contract.events, "Get", ["tea", ""].map(Value.string))[0]
    #expect(event["reminders"]?.asStrings == ["-PT5M", "PT15M", "end:-PT1H"])
    _ = try agent.busctl(
      "Calendars.Update",
      ["sa{sv}", "personal", "1", "all-day-reminders", "as", "2", "start:-9h", "start:9h"])
    let rows = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    #expect(rows.map { $0["all-day-reminders"]?.asStrings } == [["-PT9H", "PT9H"]])
  }

  @Test func `a limit of 0 is the default, in every method that has one`() throws {
    let agent = try AgentUnderTest()
    try agent.addStandup()
    try agent.importComponents(toDo("todo", "SUMMARY:Water the plants"))
    let zero = Value.row([("limit", .uint32(0))])
    let calls: [(InterfaceName, MemberName, [Value])] = [
      (Contract.calendar, "GetOccurrences", [.string("today"), .string(""), zero]),
      (Contract.calendar, "Search", [.string("standup"), zero]),
      (Contract.calendar, "Find", [.string("standup"), .uint32(0)]),
      (Contract.events, "List", [zero]), (Contract.events, "Todos", [zero]),
      (Contract.events, "History", [.uint32(0)]),
    ]
    for (interface, member, values) in calls {
      let rows = try agent.call(interface, member, values)[0].asArray ?? []
      #expect(!rows.isEmpty, "\(member)")
    }
  }
}
