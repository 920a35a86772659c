import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// What is done here while a server has carried out a change, and its answer is not here yet.
@Suite(.enabled(if: CalendarServer.Kind.available.contains(.radicale)))
final class `Changes while an answer is awaited` {
  private let server: CalendarServer
  private let proxy: FaultProxy
  private let agent: SyncedAgent

  init() throws {
    server = try CalendarServer.with(calendar: "work", .radicale)
    proxy = try FaultProxy(server, percent: 100, faults: ["rewrite"])
    try proxy.setCalm(true)
    agent = try SyncedAgent(server, at: proxy.url)
    try agent.sync()
  }

  private var puts: Int { proxy.requests.count { $0.method == "PUT" } }

  /// Synchronises, and does something once the server has the change.
  private func syncing(_ body: () throws -> Void) throws {
    let before = puts
    try proxy.setHeld(true)
    let answer = try agent.agent.begin(
      .call(Contract.busName, Contract.path, Contract.sync, "SyncNow", [.string("cloud")]))
    for _ in 0..<100_000 {
      if puts > before { break }
      _ = try agent.row()
    }
    #expect(puts == before + 1)
    try body()
    #expect(answer.result == nil)
    try proxy.setHeld(false)
    try agent.agent.wait(for: "the end of the run") { answer.result != nil }
    _ = try answer.values()
  }

  private func undo() throws { _ = try agent.agent.call(Contract.events, "Undo") }

  private var items: [String] {
    server.folder.names(in: "data/collection-root/alice/work").filter { $0.hasSuffix(".ics") }
  }

  @Test func `an edit that is undone is sent as it was before, and is no conflict`() throws {
    let calendar = try agent.calendar("work")
    let uid = try agent.add("Review", to: calendar)
    try agent.sync()
    try agent.set(uid, "summary", "Review of the plan")
    try syncing { try undo() }
    #expect(try agent.contents(calendar) == [uid: ["Review", ""]])
    #expect(try agent.row()["pending"] == .uint32(1))
    #expect(try agent.sync() == ["sent": 1])
    #expect(try agent.contents(calendar) == [uid: ["Review", ""]])
    let item = server.folder.read("data/collection-root/alice/work/\(items[0])") ?? []
    #expect(String(decoding: item, as: UTF8.self).contains("SUMMARY:Review\r\n"))
    #expect(try agent.sync().isEmpty)
  }

  @Test func `an event that is removed is removed there, too, also if the server rewrites it`()
    throws
  {
    let calendar = try agent.calendar("work")
    let uid = try agent.add("Review", to: calendar)
    try proxy.setCalm(false)
    try syncing { try agent.remove(uid) }
    try proxy.setCalm(true)
    #expect(try agent.contents(calendar).isEmpty)
    #expect(try agent.sync() == ["sent": 1])
    #expect(items.isEmpty)
    #expect(try agent.contents(calendar).isEmpty)
  }

  @Test func `an event whose addition is undone is removed there, too`() throws {
    let calendar = try agent.calendar("work")
    _ = try agent.add("Review", to: calendar)
    try syncing { try undo() }
    #expect(items.count == 1)
    #expect(try agent.contents(calendar).isEmpty)
    #expect(try agent.sync() == ["sent": 1])
    #expect(items.isEmpty)
  }
}
