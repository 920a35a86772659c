import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// A web calendar, downloaded by datebook-sync.
@Suite struct `A web calendar` {
  private let agent: AgentUnderTest
  private let server: FeedServer

  init() throws {
    agent = try AgentUnderTest()
    server = try FeedServer(Self.feed("a", ["Tea", "Talk", "Walk"]))
    _ = try agent.call(
      Contract.sync, "Add",
      [.string("webcal"), .string(server.url), .row([("name", .string("Feed"))])])
    try sync()
  }

  /// Events with the UIDs "prefix1", "prefix2" and so on.
  private static func feed(_ prefix: String, _ titles: [String]) -> String {
    let events = titles.enumerated().map { place, title in
      component(
        "\(prefix)\(place + 1)", "DTSTART:20261123T1\(title.count)0000Z", "SUMMARY:\(title)")
    }
    return calendar(events.joined())
  }

  /// Synchronises, and returns how many events were added and removed.
  @discardableResult
  private func sync() throws -> [Int64] {
    let answer = try agent.call(Contract.sync, "SyncNow", [.string("feed")])
    guard case .dictionary(_, _, let entries) = answer[0] else { return [] }
    return ["added", "removed"].map { name in
      entries.first { $0.key == .string(name) }?.value.asInteger ?? 0
    }
  }

  /// The UID of each event by its title.
  private func uids() throws -> [String: String] {
    let rows =
      try agent.call(
        Contract.calendar, "Agenda", [.string("2026-11-23"), .uint32(1)])[0].asArray ?? []
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0["summary"]?.asString ?? "", $0["uid"]?.asString ?? "") })
  }

  @Test func `its events stay the same ones when all of their UIDs change`() throws {
    let before = try uids()
    #expect(before == ["Tea": "a1", "Talk": "a2", "Walk": "a3"])
    for prefix in ["b", "c", "d"] {
      try server.set(Self.feed(prefix, ["Walk", "Tea", "Talk"]))
      #expect(try sync() == [0, 0])
      #expect(try uids() == before)
    }
  }

  @Test func `it is left alone for as long as it asks`() throws {
    func interval() throws -> Int64? {
      let row = try #require(try agent.call(Contract.sync, "List")[0].asArray?.first)
      guard let next = row["next-run"]?.asInteger, let last = row["last-success"]?.asInteger else {
        return nil
      }
      return next - last
    }
    try sync()
    #expect(try interval() == 3600)
    try server.set(
      Self.feed("a", ["Tea", "Talk", "Walk"]).replacing(
        "VERSION:2.0\r\n", with: "VERSION:2.0\r\nREFRESH-INTERVAL;VALUE=DURATION:PT12H\r\n"))
    try sync()
    #expect(try interval() == 12 * 3600)
  }

  @Test func `it has no default reminders`() throws {
    let rows = try agent.call(Contract.calendars, "List")[0].asArray ?? []
    let row = try #require(rows.first { $0["source"] == .string("feed") })
    #expect(row["reminders"] == nil && row["all-day-reminders"] == nil)
  }

  @Test func `so do those of a long one`() throws {
    let titles = (1...250).map { "Event \($0)" }
    try server.set(Self.feed("long", titles))
    #expect(try sync()[0] == 250)
    try server.set(Self.feed("other", titles.reversed()))
    #expect(try sync() == [0, 0])
  }

  @Test func `what is new and gone among changed UIDs is added and removed`() throws {
    let before = try uids()
    try server.set(Self.feed("b", ["Tea", "Talk", "Dinner"]))
    #expect(try sync() == [1, 1])
    let after = try uids()
    #expect(after["Tea"] == before["Tea"] && after["Talk"] == before["Talk"])
    #expect(after["Walk"] == nil && after["Dinner"] != nil)
    try server.set(Self.feed("c", ["Dinner", "Tea", "Talk"]))
    #expect(try sync() == [0, 0])
    #expect(try uids() == after)
  }
}
