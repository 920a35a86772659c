import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension Convergence {
  static let properties = ["summary", "location", "start-text"]

  func rows(_ index: Int) throws -> [Value] {
    try agents[index].rows(calendars[index], from: SyncedFolder.start, to: SyncedFolder.days)
  }

  /// A property of a row, as an edit has it.
  static func text(_ row: Value, _ property: String) -> String {
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
    #expect(losses.isEmpty, "seed \(seed)\(report(losses))")
  }

  /// Each edit with all that happened to its event, and when the computers synchronised from then on.
  private func report(_ losses: [EditLedger.Edit]) -> String {
    losses.map { lost in
      "\n\(lost), of:\n"
        + trace.drop { $0.uid != lost.place.uid }
        .filter { ["", lost.place.uid].contains($0.uid) }.map { "  \($0.line)\n" }.joined()
    }.joined()
  }

  /// The events that are there. A series is, also if its occurrences were removed one after the other.
  private func masters() throws -> [String: Value] {
    var masters: [String: Value] = [:]
    for uid in Set(ledger.edits.map(\.place.uid)) {
      masters[uid] = try agents[0].master(uid)
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
    return ([text] + Self.starts(in: text.split(separator: "\r\n"))).joined(separator: "\n")
  }

  /// The starts in lines of iCalendar, as edits have them.
  static func starts(in lines: [Substring]) -> [String] {
    lines.filter { $0.hasPrefix("DTSTART;") }
      .compactMap { $0.split(separator: ":").last.flatMap { try? CivilDateTime(text: String($0)) } }
      .map { String("\($0.date) \($0.time)".prefix(16)) }
  }
}
