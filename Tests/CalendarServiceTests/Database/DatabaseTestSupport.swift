import CalendarBus
import DBus
import TestSupport

@testable import AgentSupport
@testable import CalendarService
@testable import CalendarStore

extension AgentUnderTest {
  /// A stopped agent whose database has so many events, an hour apart from 9:00 on, all with a reminder
  /// ten minutes before, and one page of them that cannot be read.
  static func damaged(events: Int = 300, notifications: Bool = false) throws -> AgentUnderTest {
    let agent = try AgentUnderTest(notifications: notifications)
    try agent.importEvents(events)
    agent.stop()
    let database = try Database(path: agent.databasePath, mode: .existing)
    let row = try Statement(
      "SELECT pageno FROM dbstat WHERE name = 'components' AND pagetype = 'leaf' LIMIT 1 OFFSET 9",
      in: database)
    _ = try row.step()
    let page = row.integer(0)
    row.finalize()
    database.close()
    try overwrite(page: page, of: agent.databasePath)
    return agent
  }

  func importEvents(_ count: Int) throws {
    let events = (0..<count).map { number in
      let minute = 9 * 60 + number * 60
      let (day, hour) = (21 + minute / 1440, minute / 60 % 24)
      // Days past the end of the month are written as such and so are moved on.
      let date = day <= 30 ? "202611\(day)" : "202612\(day - 30 < 10 ? "0" : "")\(day - 30)"
      let time = "\(hour < 10 ? "0" : "")\(hour)0000Z"
      return component(
        "event-\(number)", "DTSTART:\(date)T\(time)", "SUMMARY:Event \(number)",
        "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT10M", "END:VALARM")
    }
    _ = try call(
      Contract.transfer, "ImportText",
      [.string(calendar(events.joined())), .string(""), .string("")])
    try settle()
  }

  /// Every event that can be read.
  func events() throws -> Int {
    try call(Contract.calendars, "List")[0].asArray?.reduce(0) {
      $0 + Int($1["events"]?.asInteger ?? 0)
    } ?? 0
  }

  /// Waits until what can be read of a damaged database answers.
  func waitUntilReadable() throws {
    try wait(for: "what can be read") { agent?.storage.current != nil }
    try settle()
  }

  func backups() throws -> [Value] { try call(Contract.database, "Backups")[0].asArray ?? [] }
}
