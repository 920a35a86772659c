import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// A server has what was sent to it, but its answer does not arrive.
@Suite final class `Changes whose answer is lost` {
  private let server: CalendarServer
  private let proxy: FaultProxy
  private let agent: SyncedAgent

  init() throws {
    server = try CalendarServer.with(calendar: "work", .radicale)
    proxy = try FaultProxy(server, percent: 100, faults: ["lost-put"])
    try proxy.setCalm(true)
    agent = try SyncedAgent(server, at: proxy.url)
    try agent.sync()
  }

  /// Sends what was changed, and loses the answer.
  private func loseAnswer() throws {
    try proxy.setCalm(false)
    #expect(throws: (any Error).self) { try agent.sync() }
    try proxy.setCalm(true)
    #expect(proxy.requests.contains { $0.method == "PUT" && $0.fault == "lost-answer" })
  }

  private var items: [String] {
    server.folder.names(in: "data/collection-root/alice/work").filter { $0.hasSuffix(".ics") }
  }

  private func text(of item: String) throws -> String {
    String(
      decoding: try #require(server.folder.read("data/collection-root/alice/work/\(item)")),
      as: UTF8.self)
  }

  @Test func `an event that is removed in the meantime is removed there, too`() throws {
    let calendar = try agent.calendar("work")
    let uid = try agent.add("Review", to: calendar)
    try loseAnswer()
    #expect(items.count == 1)
    try agent.remove(uid)
    #expect(try agent.sync() == ["sent": 1])
    #expect(items.isEmpty)
    #expect(try agent.contents(calendar).isEmpty)
  }

  @Test func `an event that is edited in the meantime is sent again, without a conflict`() throws {
    let calendar = try agent.calendar("work")
    let uid = try agent.add("Review", to: calendar)
    try agent.sync()
    try agent.set(uid, "summary", "First")
    try loseAnswer()
    try agent.set(uid, "summary", "Second")
    #expect(try agent.sync() == ["sent": 1])
    #expect(try agent.contents(calendar) == [uid: ["Second", ""]])
    #expect(try text(of: items[0]).contains("SUMMARY:Second"))
  }

  @Test func `an edit without an answer is known to be there, and can be undone`() throws {
    let calendar = try agent.calendar("work")
    let uid = try agent.add("Review", to: calendar)
    try agent.sync()
    try agent.set(uid, "summary", "First")
    try loseAnswer()
    #expect(try agent.sync().isEmpty)
    _ = try agent.agent.call(Contract.events, "Undo")
    #expect(try agent.sync() == ["sent": 1])
    #expect(try agent.contents(calendar) == [uid: ["Review", ""]])
  }

  // The computer cannot know whether the event is gone with its edit or without it.
  @Test func `an edit without an answer comes back after another computer removed the event`()
    throws
  {
    let calendar = try agent.calendar("work")
    let uid = try agent.add("Review", to: calendar)
    try agent.sync()
    try agent.set(uid, "summary", "First")
    try loseAnswer()
    let other = try SyncedAgent(server)
    try other.sync()
    #expect(try other.contents(other.calendar("work")) == [uid: ["First", ""]])
    try other.remove(uid)
    #expect(try other.sync() == ["sent": 1])
    #expect(items.isEmpty)
    try agent.sync()
    #expect(try agent.contents(calendar) == [uid: ["First", ""]])
    #expect(try text(of: items[0]).contains("SUMMARY:First"))
  }
}
