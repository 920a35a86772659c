import CalendarBus
import DBus
import Glibc
import Platform
import TestSupport
import Testing

@testable import AgentSupport

/// An agent in a process of its own with a calendar of a server, all of whose requests are known.
private final class MortalSync {
  let agent: AgentProcess
  private let server: CalendarServer
  private let proxy: FaultProxy
  private var random: SeededGenerator
  private var calendar = ""
  /// The title of each event that was answered; nil: it was removed.
  private var titles: [String: String?] = [:]
  private var counter = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    server = try CalendarServer.with(calendar: "work", .radicale)
    proxy = try FaultProxy(server, seed: seed, percent: 50, faults: ["delay"])
    agent = try AgentProcess()
    try agent.start()
    _ = try agent.call(
      Contract.sync, "Add",
      [
        .string("caldav"), .string(proxy.url),
        .row([
          ("name", .string("Cloud")), ("user", .string("alice")),
          ("password-command", .strings(["/bin/echo", "secret"])),
        ]),
      ])
    try synchronise()
    let rows = try agent.call(Contract.sync, "List")[0].asArray ?? []
    calendar = try #require(rows.first?["calendars"]?.asStrings?.first)
  }

  func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  func edit() throws {
    counter += 1
    let uids = titles.filter { $0.value != nil }.keys.sorted()
    let kind = uids.isEmpty ? 0 : number(0...9)
    if kind < 5 {
      let answer = try agent.call(
        Contract.events, "Add",
        [
          .string(calendar),
          .row([
            ("summary", .string("Title \(counter)")), ("start", .string("2026-11-23 10:00")),
          ]),
        ])
      titles[answer[0].asString ?? ""] = "Title \(counter)"
    } else {
      let uid = uids[number(0...uids.count - 1)]
      let target = [uid, "", ""].map(Value.string)
      if kind < 8 {
        _ = try agent.call(
          Contract.events, "SetField",
          target + [.string("summary"), .variant(.string("Title \(counter)"))])
        titles[uid] = "Title \(counter)"
      } else {
        _ = try agent.call(Contract.events, "Remove", target)
        titles[uid] = .some(nil)
      }
    }
  }

  /// Begins to synchronise, and kills the agent or its helper somewhere.
  ///
  /// - Returns: whether it was in the middle.
  func kill(helper isHelper: Bool) throws -> Bool {
    var isAnswered = false
    let message = try Message.call(
      Contract.busName, Contract.path, Contract.sync, "SyncNow", [.string("cloud")])
    try agent.connection.call(
      message, timeoutMilliseconds: AgentUnderTest.patienceMilliseconds
    ) { _ in isAnswered = true }
    var isOver = false
    agent.loop.after(milliseconds: number(0...500)) { isOver = true }
    try agent.wait(for: "the moment") { isOver }
    let isMiddle = !isAnswered
    if isHelper {
      for process in helpers() { Glibc.kill(process, SIGKILL) }
    } else {
      try agent.kill()
      try agent.start()
    }
    try agent.wait(for: "the answer") { isAnswered }
    return isMiddle
  }

  /// The processes that the agent has started for a run.
  private func helpers() -> [Int32] {
    guard let agent = agent.process?.processID, let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let process = Int32(name), let stat = readFile("/proc/\(process)/stat") else {
        continue
      }
      // Such as "4711 (datebook-sync) S 4700 …", with the parent last.
      let words = String(decoding: stat, as: UTF8.self).split(separator: " ")
      if words.count > 3, words[1] == "(datebook-sync)", Int32(words[3]) == agent {
        found.append(process)
      }
    }
    return found
  }

  /// Synchronises until that succeeds.
  func synchronise() throws {
    var failure: DBusError?
    for _ in 0..<10 {
      do {
        // The second sends what came during the first.
        for _ in 0..<2 { _ = try agent.call(Contract.sync, "SyncNow", [.string("cloud")]) }
        return
      } catch let error as DBusError {
        failure = error
      }
    }
    throw TestSupportError("it does not synchronise: \(String(describing: failure))")
  }

  func check(_ place: String) throws {
    try synchronise()
    let expected = titles.compactMapValues { $0 }
    let rows =
      try agent.call(
        Contract.calendar, "GetOccurrences",
        [.string("2026-11-23"), .string(""), .row([("limit", .uint32(5000))])])[0].asArray ?? []
    let here = rows.map { "\($0["uid"]?.asString ?? "") \($0["summary"]?.asString ?? "")" }
    #expect(here.sorted() == expected.map { "\($0.key) \($0.value)" }.sorted(), "\(place)")

    let folder = "data/collection-root/alice/work"
    let items = server.folder.names(in: folder).filter { $0.hasSuffix(".ics") }
    let there = items.map { item in
      let lines = String(decoding: server.folder.read("\(folder)/\(item)") ?? [], as: UTF8.self)
        .split(whereSeparator: \.isNewline)
      func text(_ name: String) -> Substring {
        lines.first { $0.hasPrefix(name + ":") }?.dropFirst(name.count + 1) ?? ""
      }
      return "\(text("UID")) \(text("SUMMARY"))"
    }
    #expect(there.sorted() == here.sorted(), "\(place)")

    let puts = proxy.requests.filter { $0.method == "PUT" && 200..<300 ~= $0.status }
    let repeated = Dictionary(grouping: puts) { $0.path + $0.body }.filter { $0.value.count > 1 }
    #expect(repeated.isEmpty, "\(place)")
    #expect(!puts.isEmpty, "\(place)")
  }
}

@Suite struct `Runs that are killed` {
  @Test func `lose nothing, double nothing and push nothing twice`() throws {
    let seed = UInt64(variable("DATEBOOK_SEED")) ?? UInt64.random(in: 0...UInt64.max)
    let sync = try MortalSync(seed: seed)
    var middle = 0
    let kills = proofSize("DATEBOOK_KILLS", short: 10, long: 200)
    for kill in 1...kills {
      for _ in 0...sync.number(0...2) { try sync.edit() }
      if try sync.kill(helper: kill.isMultiple(of: 2)) { middle += 1 }
      if kill.isMultiple(of: 5) { try sync.check("seed \(seed), kill \(kill)") }
    }
    try sync.check("seed \(seed)")
    #expect(middle > 0, "seed \(seed)")
    print("killed runs: seed \(seed), \(kills) kills, \(middle) of them in the middle of a run")
  }
}
