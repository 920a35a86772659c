import ICalendar
import TestSupport
import Testing

@testable import Sync

/// A random item: its properties by name, alarms by their minutes, and overrides by their day.
private struct RandomItem {
  var properties: [String: String] = ["DTSTART": "20261127T090000Z"]
  var categories: Set<String> = []
  var alarms: [Int: Int] = [:]
  var overrides: [Int: Int] = [:]
  var sequence = 0

  private static let names = [
    "SUMMARY", "LOCATION", "DESCRIPTION", "URL", "STATUS", "X-P", "RRULE", "DTSTART",
  ]

  /// Which parts an edit may change, so that two edits can be kept apart.
  mutating func edit(parts: [Int], using random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let part = parts.randomElement(using: &random) ?? 0
      let value = Int.random(in: 1...5, using: &random)
      switch part {
      case 0..<8:
        let name = Self.names[part]
        let isRemoved = name != "DTSTART" && value == 1
        properties[name] = isRemoved ? nil : RandomItem.value(of: name, value)
      case 8, 9:
        let category = "C\(2 * value + part - 8)"
        if categories.remove(category) == nil { categories.insert(category) }
      case 10, 11: alarms[2 * value + part - 10] = Bool.random(using: &random) ? nil : value
      default:
        overrides[10 + 2 * value + part - 12] = Bool.random(using: &random) ? nil : value
      }
    }
    sequence += 1
  }

  private static func value(of name: String, _ value: Int) -> String {
    switch name {
    case "DTSTART": "202611\(10 + value)T090000Z"
    case "RRULE": "FREQ=DAILY;COUNT=\(value)"
    default: "\(name) \(value)"
    }
  }

  var text: String {
    var lines = properties.map { "\($0):\($1)" } + ["SEQUENCE:\(sequence)"]
    if !categories.isEmpty { lines.append("CATEGORIES:" + categories.joined(separator: ",")) }
    lines += alarms.map { alarm("TRIGGER:-PT\($0)M", "DESCRIPTION:\($1)") }
    return calendar(
      lines,
      overrides: overrides.map {
        ["RECURRENCE-ID:202611\($0)T090000Z", "DTSTART:202611\($0)T100000Z", "SUMMARY:o\($1)"]
      })
  }

  /// Parts 0 to 13; the start and the rule are one.
  static let parts = Array(0..<14)
}

@Suite struct `Merges of random items` {
  private static let rounds = TestSupport.rounds(100, long: 2000)

  private func item(_ random: inout SeededGenerator) -> RandomItem {
    var item = RandomItem()
    for _ in 0..<3 { item.edit(parts: RandomItem.parts, using: &random) }
    return item
  }

  @Test func `an edit on one side is the result`() throws {
    var random = SeededGenerator(seed: 30)
    for round in 0..<Self.rounds {
      let base = item(&random)
      var edited = base
      edited.edit(parts: RandomItem.parts, using: &random)
      for merged in [
        try merge(base.text, edited.text, base.text), try merge(base.text, base.text, edited.text),
        try merge(base.text, edited.text, edited.text),
      ] {
        #expect(merged.conflicts == [], "round \(round)")
        #expect(try merged.says(edited.text), "round \(round)")
      }
    }
  }

  @Test func `edits of different parts are both in the result, whichever side made them`() throws {
    var random = SeededGenerator(seed: 31)
    for round in 0..<Self.rounds {
      let base = item(&random)
      var parts = RandomItem.parts.dropLast(8).shuffled(using: &random) + [8, 9, 10, 11, 12, 13]
      // The start and the rule are one part.
      let times = [6, 7]
      parts.removeAll { times.contains($0) }
      let half = parts.count / 2
      let first = Array(parts[..<half]) + times
      let second = Array(parts[half...])
      var (one, other, both) = (base, base, base)
      var replay = random
      one.edit(parts: first, using: &random)
      both.edit(parts: first, using: &replay)
      other.edit(parts: second, using: &random)
      both.edit(parts: second, using: &replay)
      both.sequence = one.sequence
      for merged in [
        try merge(base.text, one.text, other.text), try merge(base.text, other.text, one.text),
      ] {
        #expect(merged.conflicts == [], "round \(round)")
        #expect(try merged.says(both.text), "round \(round)")
      }
    }
  }

  @Test func `nothing that both sides keep is lost, and each line is someone's`() throws {
    var random = SeededGenerator(seed: 32)
    for round in 0..<Self.rounds {
      let base = item(&random)
      var (one, other) = (base, base)
      one.edit(parts: RandomItem.parts, using: &random)
      other.edit(parts: RandomItem.parts, using: &random)
      let (ours, theirs) = (try ItemText(one.text), try ItemText(other.text))
      let merged = try merge(base.text, one.text, other.text).item
      let again = try ItemText(merged.text)
      #expect(again.meaning == merged.meaning, "round \(round)")
      let lines = merged.saidLines
      #expect(lines.isSuperset(of: ours.saidLines.intersection(theirs.saidLines)), "round \(round)")
      #expect(lines.isSubset(of: ours.saidLines.union(theirs.saidLines)), "round \(round)")
    }
  }
}

extension ItemText {
  /// Each line with the component that it is in.
  fileprivate var saidLines: Set<String> {
    Set(
      components.flatMap { component in
        (component.lines.flatMap(\.split).map(\.meaning) + component.children.map { $0.meaning() })
          .map { component.recurrenceID + $0 }
      })
  }
}
