import CalendarBus
import CalendarModel
import CalendarStore
import CivilTime
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

@Suite(.longProof) struct `Reminders of an agent that is killed` {
  private static let count = 600
  private static let perSecond = 100

  /// The reminders that the ledger has as due and as nothing else yet: what the next agent tells.
  private func owed(by agent: AgentProcess, in folder: TemporaryDirectory) throws -> Set<String> {
    let store = try openStore(copyFiles(of: agent, to: folder))
    defer { store.close() }
    var owed: Set<String> = []
    for number in 0..<Self.count {
      let entries = try store.ledgerEntries(
        of: EventUID("u\(number)"), in: CalendarID("personal"), recurrenceID: nil, limit: 10)
      #expect(entries.count <= 1, "u\(number)")
      if entries.first?.steps.last?.state == "due" { owed.insert("u\(number)") }
    }
    return owed
  }

  @Test
  func `each is told, and once where no kill fell between what the ledger says of due and of told`()
    throws
  {
    let seed = UInt64(variable("DATEBOOK_SEED")) ?? UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let agent = try AgentProcess()
    let copies = try TemporaryDirectory()
    try agent.start()
    // A hundred in each of six seconds: far enough ahead that all are written before, also where the machine is busy.
    let first = try RealtimeClock(loop: agent.loop).now.adding(seconds: 20)
    let events = (0..<Self.count).map { number in
      component(
        "u\(number)",
        "DTSTART:\(first.adding(seconds: Int64(number / Self.perSecond)).basicText)",
        "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:PT0S\r\nEND:VALARM")
    }
    _ = try agent.call(
      Contract.transfer, "ImportText",
      [.string(calendar(events.joined())), .string(""), .string("")])
    try agent.hearing("ReminderDue") { heard in
      func tellings() -> [String: Int] {
        heard().reduce(into: [:]) { $0[$1[1].asString ?? "", default: 0] += 1 }
      }
      /// How often each may have been told by now.
      var most: [String: Int] = [:]
      var (kills, between) = (0, 0)
      while tellings().count < Self.count {
        let wanted = heard().count + Int.random(in: 1...Self.perSecond, using: &random)
        try agent.wait(for: "reminders") {
          heard().count >= wanted || tellings().count == Self.count
        }
        try agent.kill()
        kills += 1
        let owed = try owed(by: agent, in: copies)
        between += owed.count
        for uid in owed { most[uid, default: 1] += 1 }
        let before = tellings()
        try agent.start()
        try agent.wait(for: "what was being told") {
          let now = tellings()
          return owed.allSatisfy { now[$0, default: 0] > before[$0, default: 0] }
        }
      }
      // Whatever else it would say comes before this answer.
      _ = try agent.property("Revision")
      for (uid, count) in tellings() {
        #expect(count <= most[uid, default: 1], "seed \(seed): \(uid) after \(kills) kills")
      }
      print("killed while ringing: seed \(seed), \(kills) kills, \(between) reminders told again")
    }
    #expect(try agent.terminate().status == .exited(0))
    // All of them wait for an answer, as told.
    #expect(try owed(by: agent, in: copies) == [])
    let store = try openStore(agent.databasePath)
    #expect(try store.pendingReminders().count == Self.count)
    store.close()
  }
}
