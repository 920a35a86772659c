import CalendarBus
import CalendarModel
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import CalendarStore

/// A client that writes as fast as it is answered, eight calls at a time, each to another event, and
/// that knows what has to be in the database whatever happens to the agent.
final class WritingClient {
  /// The version of an event; nil where it was removed.
  typealias Version = Int?

  /// What was answered, by uid.
  private(set) var answered: [String: Version] = [:]
  /// What was asked for and has no answer.
  private(set) var underWay: [String: Version] = [:]
  /// The highest that an answer had.
  private(set) var revision: UInt64 = 0
  /// How many writes were answered.
  private(set) var writes = 0
  /// Refusals, of which there should be none but those of an agent that has died.
  private(set) var faults: [String] = []
  /// Whether it goes on writing.
  var isWriting = false

  private let agent: AgentProcess
  private let connection: Connection
  private var random: SeededGenerator
  private var counter = 0

  init(_ agent: AgentProcess, seed: UInt64) throws {
    self.agent = agent
    random = SeededGenerator(seed: seed)
    connection = try Connection(address: agent.bus.address)
    LoopAttachment.attach(connection, to: agent.loop)
  }

  func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: Writing

  /// Writes until told to stop.
  func begin() throws {
    isWriting = true
    for _ in 0..<8 { try writeNext() }
  }

  private func writeNext() throws {
    let idle = answered.filter { $0.value != nil && underWay[$0.key] == nil }.keys.sorted()
    let kind = number(1...100)
    if idle.isEmpty || (kind <= 40 && idle.count < 60) {
      counter += 1
      try write("write-\(counter)", as: 1)
    } else {
      let uid = idle[number(0...idle.count - 1)]
      let isRemoved = kind > 85
      try write(uid, as: isRemoved ? nil : (answered[uid].flatMap { $0 } ?? 0) + 1)
    }
  }

  private func write(_ uid: String, as version: Version) throws {
    let message: Message
    if let version {
      var fields = WritingClient.fields(uid, version)
      if version == 1 {
        fields += [("uid", uid), ("start", "2027-03-01 09:00"), ("rrule", "FREQ=DAILY;COUNT=20")]
      }
      let row = Value.row(fields.map { ($0.0, .string($0.1)) })
      message = try .call(
        Contract.busName, Contract.path, Contract.events, version == 1 ? "Add" : "Update",
        version == 1 ? [.string(""), row] : [.string(uid), .string(""), .string(""), row])
    } else {
      message = try .call(
        Contract.busName, Contract.path, Contract.events, "Remove",
        [.string(uid), .string(""), .string("")])
    }
    // An agent that was killed stays dead until the test starts it.
    message.startsService = false
    underWay[uid] = version
    try connection.call(message, timeoutMilliseconds: AgentUnderTest.patienceMilliseconds) {
      [unowned self] result in
      switch result {
      case .success(let reply):
        underWay[uid] = .none
        answered[uid] = version
        writes += 1
        let values = try? reply.arguments()
        if case .uint64(let number)? = values?.last?["revision"] ?? values?.last {
          revision = max(revision, number)
        }
        if isWriting { try? writeNext() }
      case .failure(let error):
        isWriting = false
        if ![.noReply, .serviceUnknown, .nameHasNoOwner, .disconnected].contains(error.name) {
          faults.append("\(uid) \(String(describing: version)): \(error)")
        } else {
          lost.insert(uid)
        }
      }
    }
  }

  /// Those whose answer will not come any more.
  private var lost: Set<String> = []

  /// Whether each call was answered or is lost.
  var isIdle: Bool { underWay.keys.allSatisfy(lost.contains) }

  private static func fields(_ uid: String, _ version: Int) -> [(String, String)] {
    [
      ("summary", "\(uid) \(version)"), ("location", "Room \(version)"),
      ("description", String(repeating: "text \(version), ", count: 40 + version % 7 * 60) + "end"),
    ]
  }

  // MARK: What has to be there

  /// Holds a database to what was answered. What was under way is there wholly or not at
  /// all; whichever it is counts as answered from then on.
  ///
  /// - Parameter settles: whether what is found counts from then on.
  func check(_ store: EventStore, settles: Bool, _ place: String) throws {
    #expect(faults == [], "\(place)")
    #expect(store.revision >= revision, "\(place)")
    var present = 0
    for uid in Set(answered.keys).union(underWay.keys).sorted() {
      let event = try store.series(EventUID(uid), in: nil)?.master
      let version = event.flatMap { $0.summary.split(separator: " ").last.flatMap { Int($0) } }
      if let event, let version {
        present += 1
        let fields = WritingClient.fields(uid, version)
        #expect(event.summary == fields[0].1, "\(place)")
        #expect(event.location == fields[1].1, "\(place)")
        #expect(event.description == fields[2].1, "\(place)")
      }
      var allowed: [Version] = [answered[uid] ?? nil]
      if let asked = underWay[uid] { allowed.append(asked) }
      #expect(allowed.contains(version), "\(place): \(uid)")
      if settles { answered[uid] = version }
    }
    let always = TimeSpan(start: .earliest, end: .latest)
    #expect(try store.series(touching: always, calendars: nil).count == present, "\(place)")
    if settles {
      underWay = [:]
      lost = []
      revision = store.revision
    }
    try expectSound(store, place)
  }
}

/// Holds a database to what it must be whatever has happened.
func expectSound(_ store: EventStore, _ place: String) throws {
  for pragma in ["integrity_check", "foreign_key_check"] {
    let row = try store.database.statement(composed: "PRAGMA " + pragma)
    defer { row.reset() }
    while try row.step() { #expect(row.text(0) == "ok", "\(place): \(pragma)") }
  }
  // The steps that can be taken back go with what is there.
  guard store.canUndo else { return }
  let now = Timestamp(seconds: 1_800_000_000)
  let before = try texts(store)
  _ = try store.undo(now: now)
  _ = try store.redo(now: now)
  #expect(try texts(store) == before, "\(place): undo and redo")
}

private func texts(_ store: EventStore) throws -> [String: String] {
  var texts: [String: String] = [:]
  for series in try store.series(
    touching: TimeSpan(start: .earliest, end: .latest), calendars: nil)
  {
    texts[series.uid.text] = series.components.map(\.component).sorted().joined(separator: "\n")
  }
  return texts
}
