import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

/// Two agents and a vdirsyncer with khal that change the same calendar of a server at random, the
/// agents over connections that fail.
final class Convergence {
  let seed: UInt64
  private var random: SeededGenerator
  private let server: CalendarServer
  let proxies: [FaultProxy]
  let agents: [SyncedAgent]
  private(set) var calendars: [String] = []
  let folder: SyncedFolder
  private(set) var ledger = EditLedger()
  private(set) var offline: Set<Int> = []
  private var now = Timestamp(seconds: 1_795_248_000)
  private(set) var counts: [String: Int] = [:]
  /// What happened, in its order; the UID is empty where it is about no event.
  private(set) var trace: [(uid: String, line: String)] = []

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let server = try CalendarServer.with(calendar: "work", .radicale)
    self.server = server
    proxies = try (0..<2).map { try FaultProxy(server, seed: seed &+ $0) }
    agents = try proxies.map { try SyncedAgent(server, at: $0.url) }
    folder = try SyncedFolder(server, calendar: "work")
    for agent in agents { try settle(agent) }
    calendars = try agents.map { try $0.calendar("work") }
  }

  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private func count(_ what: String) { counts[what, default: 0] += 1 }

  private func note(_ edit: EditLedger.Edit) {
    ledger.note(edit)
    trace.append(
      (edit.place.uid, "\(edit), shown: \(edit.view.sorted()), waiting: \(edit.waiting)"))
  }

  /// Notes what the agents have asked the server since the last time.
  private func noteRequests(_ step: Int) {
    for (index, proxy) in proxies.enumerated() {
      for request in proxy.takeRequests() where request.path.hasSuffix(".ics") {
        let item = request.path.split(separator: "/").last.map { String($0.dropLast(4)) } ?? ""
        let line =
          "step \(step), computer \(index): \(request.method) \(request.status) \(request.fault)"
        trace.append((item, line))
      }
    }
  }

  // MARK: Time

  private func tick(minutes: Int64) throws {
    now = now.adding(seconds: minutes * 60)
    for agent in agents { try agent.agent.advance(to: now.description) }
  }

  /// Synchronises until that succeeds.
  func settle(_ agent: SyncedAgent) throws {
    var failure: DBusError?
    for _ in 0..<40 {
      do {
        try agent.sync()
        return
      } catch let error as DBusError {
        failure = error
        try tick(minutes: 61)
      }
    }
    throw TestSupportError("it does not synchronise: \(String(describing: failure))")
  }

  // MARK: Steps

  func step(_ step: Int) throws {
    try tick(minutes: 7)
    defer { noteRequests(step) }
    switch number(1...100) {
    case ...60: try edit(step, number(0...1))
    case ...84:
      let index = number(0...1)
      let isDone = try attempt { try agents[index].sync() }
      count(isDone ? "syncs" : "failed syncs")
      trace.append(("", "step \(step), computer \(index): \(isDone ? "sync" : "failed sync")"))
    case ...87:
      let index = number(0...1)
      let isOver = offline.remove(index) != nil
      if !isOver { offline.insert(index) }
      try proxies[index].setOffline(!isOver)
      count("spells")
      trace.append(("", "step \(step), computer \(index): \(isOver ? "online" : "offline")"))
    case ...89:
      let index = number(0...1)
      agents[index].agent.stop()
      try agents[index].agent.start()
      count("restarts")
    case ...95: try editFile(step)
    default:
      try folder.sync()
      count("vdirsyncer")
      trace.append(("", "step \(step): vdirsyncer"))
    }
  }

  /// Whether it was not refused.
  func attempt(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return true
    } catch is DBusError {
      return false
    }
  }

  private func edit(_ step: Int, _ index: Int) throws {
    let agent = agents[index].agent
    let rows = try self.rows(index)
    let kind = rows.isEmpty ? 0 : number(0...(rows.count > 150 ? 120 : 99))
    guard kind >= 25 else { return try add(step, index) }
    let row = rows[number(0...rows.count - 1)]
    let uid = row["uid"]?.asString ?? ""
    // Of a series one occurrence, or all of it.
    let isOccurrence = row["recurring"] == .boolean(true) && number(0...2) > 0
    let occurrence = isOccurrence ? row["recurrence-id"]?.asString ?? "" : ""
    let target = [uid, occurrence, isOccurrence ? "this" : "all"].map(Value.string)
    // What its overrides have instead is not shown otherwise.
    guard let master = try agents[index].master(uid) else { return }
    let waiting = Set(
      try agents.indices.filter { try agents[$0].hasUnsentChange(of: uid, in: calendars[$0]) })
    var place = EditLedger.Place(uid: uid, occurrence: occurrence)
    var value: String?
    let isDone = try attempt {
      switch kind {
      case ...49:
        (place.property, value) = ("summary", "Title \(step).")
        try set(agent, target, "summary", "Title \(step).")
      case ...69:
        (place.property, value) = ("location", "Room \(step).")
        try set(agent, target, "location", "Room \(step).")
      case ...84:
        // A series keeps its days: its overrides would go with them.
        guard row["recurring"] != .boolean(true) || isOccurrence else { return }
        (place.property, value) = ("start-text", start(step))
        _ = try agent.call(Contract.events, "Reschedule", target + [.string(start(step))])
      default:
        _ = try agent.call(Contract.events, "Remove", target)
      }
    }
    guard isDone, value != nil || kind > 84 else { return }
    let occurrences = rows.filter { $0["uid"]?.asString == uid }
    let view = Set(
      (occurrences + [master]).flatMap { row in Self.properties.map { Self.text(row, $0) } }
        + occurrences.compactMap { $0["recurrence-id"]?.asString })
    // Without its only occurrence the event is gone.
    if value == nil, occurrences.count == 1 { place.occurrence = "" }
    count(value == nil ? "removals" : place.property)
    note(
      EditLedger.Edit(
        step: step, machine: index, place: place, value: value, view: view, waiting: waiting))
  }

  private func set(
    _ agent: AgentUnderTest, _ target: [Value], _ field: String, _ text: String
  ) throws {
    _ = try agent.call(
      Contract.events, "SetField", target + [.string(field), .variant(.string(text))])
  }

  private func add(_ step: Int, _ index: Int) throws {
    var pairs: [(String, Value)] = [
      ("summary", .string("Event \(step).")), ("start", .string(start(step))),
    ]
    if number(0...2) == 0 { pairs.append(("rrule", .string("FREQ=DAILY;COUNT=4"))) }
    let answer = try agents[index].agent.call(
      Contract.events, "Add", [.string(calendars[index]), .row(pairs)])
    let place = EditLedger.Place(uid: answer[0].asString ?? "", property: "summary")
    note(EditLedger.Edit(step: step, machine: index, place: place, value: "Event \(step)."))
    count("additions")
  }

  private func editFile(_ step: Int) throws {
    let items = folder.items
    let kind = items.isEmpty ? 0 : number(0...5)
    count("files")
    guard kind > 0 else { return try folder.add("Khal \(step).", at: start(step)) }
    let item = items[number(0...items.count - 1)]
    let lines = folder.lines(item)
    guard let line = lines.first(where: { $0.hasPrefix("UID:") }) else { return }
    let uid = String(line.dropFirst(4))
    let view = Set(
      lines.compactMap { $0.split(separator: ":").last.map(String.init) } + Self.starts(in: lines))
    if kind == 5 {
      try folder.remove(item)
      note(
        EditLedger.Edit(
          step: step, machine: 2, place: EditLedger.Place(uid: uid), value: nil, view: view))
    } else if lines.count(where: { $0 == "BEGIN:VEVENT" }) == 1 {
      try folder.set(item, summary: "File \(step).", modified: now.basicText)
      note(
        EditLedger.Edit(
          step: step, machine: 2, place: EditLedger.Place(uid: uid, property: "summary"),
          value: "File \(step).", view: view))
    }
  }

  /// A start of a step's own, of an event that ends on the same day.
  private func start(_ step: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minute = step / 7 % 1320
    return "2026-11-\(23 + step % 7) \(two(minute / 60)):\(two(minute % 60))"
  }
}
