import CalendarBus
import CalendarModel
import DBus
import Sync
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// A calendar that was deleted at its source, and is still chosen.
@Suite struct `A calendar that its source does not have any more` {
  private let shared: SharedFolder
  private var agent: AgentUnderTest { shared.agent }

  init() throws {
    shared = try SharedFolder()
    try agent.files.makeDirectory("calendars/home")
    try shared.add()
  }

  private func isReadOnly() throws -> Value? {
    let rows = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    return rows.first { $0["id"] == .string("home") }?["read-only"]
  }

  private func edit(_ key: String, _ value: Bool) throws {
    _ = try agent.call(
      Contract.calendars, "Update", [.string("home"), .row([(key, .boolean(value))])])
  }

  private func addHere() throws {
    _ = try agent.call(
      Contract.events, "Add",
      [
        .string("home"),
        .row([("summary", .string("Tea")), ("start", .string("2026-11-23 10:00"))]),
      ])
  }

  @Test func `is read-only until it is there again, and keeps what was not sent`() throws {
    try addHere()
    try agent.files.rename("calendars/home", to: "elsewhere")
    try shared.sync()
    #expect(try isReadOnly() == .boolean(true))
    #expect(try shared.row()["pending"] == .uint32(1))
    let problems = try agent.property("Problems").asStrings ?? []
    #expect(problems.contains { $0.contains("the folder of home is not there any more") })
    let refusal = try #require(throws: DBusError.self) { try addHere() }
    #expect(refusal.name.text == CallError.Kind.readOnly.rawValue)
    // Also over a restart.
    agent.stop()
    try agent.start()
    try agent.files.rename("elsewhere", to: "calendars/home")
    #expect(try shared.sync() == ["sent": 1])
    #expect(try isReadOnly() == .boolean(false))
    #expect(try shared.row()["reason"] == .string(""))
  }

  @Test func `stays read-only if the user has made it so`() throws {
    try edit("read-only", true)
    try agent.files.rename("calendars/home", to: "elsewhere")
    try shared.sync()
    try agent.files.rename("elsewhere", to: "calendars/home")
    try shared.sync()
    #expect(try isReadOnly() == .boolean(true))
  }

  @Test func `stays writable where new events go, and that is said`() throws {
    try edit("default", true)
    try agent.files.rename("calendars/home", to: "elsewhere")
    try shared.sync()
    #expect(try isReadOnly() == .boolean(false))
    let reason = try shared.row()["reason"]?.asString ?? ""
    #expect(reason.contains("calctl calendars default ID"), "\(reason)")
  }

  @Test(arguments: [(true, false), (false, true)])
  func `follows the rights at the source, unless the user has chosen`(
    before: Bool, after: Bool
  ) throws {
    var collection = RemoteCollection(href: "/work/")
    (collection.name, collection.isWritable) = ("Work", before)
    let seen = SeenCalendar(collection)
    #expect(SeenCalendar(seen.json) == seen)
    collection.isWritable = after
    let settings = try SourceSettings(kind: "vdir", url: "/calendars", options: Row())
    var calendar = CalendarInfo(id: CalendarID("work"), name: "Work", color: EventColor.palette[0])
    calendar.isReadOnly = !before
    #expect(seen.updating(calendar, to: collection, settings).isReadOnly == !after)
    calendar.isReadOnly = before
    #expect(seen.updating(calendar, to: collection, settings) == calendar)
    (calendar.isReadOnly, calendar.isDefault) = (false, true)
    #expect(seen.updating(calendar, to: collection, settings) == calendar)
  }
}
