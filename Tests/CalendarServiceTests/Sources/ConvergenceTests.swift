import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

/// Two agents and a vdirsyncer with khal that change the same calendar of a server at random, the
/// agents over connections that fail.
private final class Convergence {
  let seed: UInt64
  private var random: SeededGenerator
  private let server: CalendarServer
  private let proxies: [FaultProxy]
  let agents: [SyncedAgent]
  private var calendars: [String] = []
  private let folder: SyncedFolder
  private var ledger = EditLedger()
  private var offline: Set<Int> = []
  private var now = Timestamp(seconds: 1_795_248_000)
  private(set) var counts: [String: Int] = [:]

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

  // MARK: Time

  private func tick(minutes: Int64) throws {
    now = now.adding(seconds: minutes * 60)
    for agent in agents { try agent.agent.advance(to: now.description) }
  }

  /// Synchronises until that succeeds.
  private func settle(_ agent: SyncedAgent) throws {
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
    switch number(1...100) {
    case ...60: try edit(step, number(0...1))
    case ...84:
      let index = number(0...1)
      let isDone = try attempt { try agents[index].sync() }
      count(isDone ? "syncs" : "failed syncs")
    case ...87:
      let index = number(0...1)
      let isOver = offline.remove(index) != nil
      if !isOver { offline.insert(index) }
      try proxies[index].setOffline(!isOver)
      count("spells")
    case ...89:
      let index = number(0...1)
      agents[index].agent.stop()
      try agents[index].agent.start()
      count("restarts")
    case ...95: try editFile(step)
    default:
      try folder.sync()
      count("vdirsyncer")
    }
  }

  /// Whether it was not refused.
  private func attempt(_ body: () throws -> Void) throws -> Bool {
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
    let view = Set(
      rows.filter { $0["uid"]?.asString == uid }.flatMap { row in
        Self.properties.map { Self.text(row, $0) } + [row["recurrence-id"]?.asString ?? ""]
      }.filter { !$0.isEmpty })
    // Without its only occurrence the event is gone.
    if value == nil, rows.count(where: { $0["uid"]?.asString == uid }) == 1 {
      place.occurrence = ""
    }
    count(value == nil ? "removals" : place.property)
    let pending = try agents.indices.filter { try agents[$0].row()["pending"] != .uint32(0) }
    ledger.note(
      EditLedger.Edit(
        step: step, machine: index, place: place, value: value, view: view, pending: Set(pending)))
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
    ledger.note(EditLedger.Edit(step: step, machine: index, place: place, value: "Event \(step)."))
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
    let view = Set(lines.compactMap { $0.split(separator: ":").last.map(String.init) })
    if kind == 5 {
      try folder.remove(item)
      ledger.note(
        EditLedger.Edit(
          step: step, machine: 2, place: EditLedger.Place(uid: uid), value: nil, view: view))
    } else if lines.count(where: { $0 == "BEGIN:VEVENT" }) == 1 {
      try folder.set(item, summary: "File \(step).", modified: now.basicText)
      ledger.note(
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

  // MARK: The end

  private static let properties = ["summary", "location", "start-text"]

  private func rows(_ index: Int) throws -> [Value] {
    try agents[index].rows(calendars[index], from: SyncedFolder.start, to: SyncedFolder.days)
  }

  /// A property of a row, as an edit has it.
  private static func text(_ row: Value, _ property: String) -> String {
    let text = row[property]?.asString ?? ""
    guard property == "start-text" else { return text }
    return String(text.prefix(16)).replacing("T", with: " ")
  }

  /// Without faults all have the same.
  func end() throws {
    for (index, proxy) in proxies.enumerated() {
      try proxy.setCalm(true)
      if offline.contains(index) { try proxy.setOffline(false) }
    }
    for _ in 0..<2 {
      for agent in agents { try settle(agent) }
      try folder.sync()
    }
    for agent in agents { try settle(agent) }
    for agent in agents { #expect(try agent.sync() == [:], "seed \(seed)") }

    let rows = try self.rows(0)
    let texts = rows.map { row in
      ["uid", "recurrence-id"].map { row[$0]?.asString ?? "" }
        + Self.properties.map { Self.text(row, $0) }
    }
    let others = try self.rows(1).map { row in
      ["uid", "recurrence-id"].map { row[$0]?.asString ?? "" }
        + Self.properties.map { Self.text(row, $0) }
    }
    #expect(!texts.isEmpty)
    #expect(texts == others, "seed \(seed)")
    let shown = texts.map { "\($0[4])|\($0[2])|\($0[3])" }.sorted()
    #expect(try folder.shown() == shown, "seed \(seed)")
    // Of both sides' edits vdirsyncer loses one.
    let masters = try self.masters()
    let losses = ledger.losses(
      of: [0, 1], standing: { standing($0, rows, masters) }, trash: try trash())
    #expect(losses == [], "seed \(seed)")
  }

  /// The events that are there. A series is, also if its occurrences were removed one after the other.
  private func masters() throws -> [String: Value] {
    var masters: [String: Value] = [:]
    for uid in Set(ledger.edits.map(\.place.uid)) {
      _ = try attempt {
        masters[uid] = try agents[0].agent.call(
          Contract.events, "Get", [.string(uid), .string("")])[0]
      }
    }
    return masters
  }

  private func standing(
    _ place: EditLedger.Place, _ rows: [Value], _ masters: [String: Value]
  ) -> String? {
    let event = rows.filter { $0["uid"]?.asString == place.uid }
    guard !place.occurrence.isEmpty else {
      return masters[place.uid].map { place.property.isEmpty ? "" : Self.text($0, place.property) }
    }
    return event.first { $0["recurrence-id"]?.asString == place.occurrence }
      .map { place.property.isEmpty ? "" : Self.text($0, place.property) }
  }

  /// All that can be taken out of the trash of both.
  private func trash() throws -> String {
    var text = ""
    for agent in agents.map(\.agent) {
      let rows =
        try agent.call(Contract.events, "Trash", [.uint32(5000), .string("")])[0].asArray ?? []
      for row in rows {
        let uid = row["uid"] ?? .string("")
        guard try attempt({ _ = try agent.call(Contract.events, "Restore", [uid]) }) else {
          continue
        }
        text +=
          try agent.call(
            Contract.transfer, "ExportText", [.string("ics"), .string(""), uid])[0].asString ?? ""
      }
    }
    // Starts as the edits have them.
    let starts = text.split(separator: "\r\n").filter { $0.hasPrefix("DTSTART;") }
      .compactMap { $0.split(separator: ":").last.flatMap { try? CivilDateTime(text: String($0)) } }
    return text + starts.map { "\($0.date) \($0.time)" }.joined(separator: "\n")
  }
}

@Suite struct `Three computers` {
  @Test(
    .enabled(if: InstalledProgram.isExpected("vdirsyncer") && InstalledProgram.isExpected("khal")))
  func `hold the same in the end, whatever they did and whatever failed, and no edit is lost`()
    throws
  {
    let seed = UInt64(variable("DATEBOOK_SEED")) ?? UInt64.random(in: 0...UInt64.max)
    let convergence = try Convergence(seed: seed)
    for step in 0..<proofSize("DATEBOOK_EDITS", short: 60, long: 400) {
      try convergence.step(step)
    }
    try convergence.end()
    let counts = convergence.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print("convergence: seed \(seed), \(counts.joined(separator: ", "))")
  }
}
