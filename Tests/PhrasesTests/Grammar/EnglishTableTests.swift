import CivilTime
import Messages
import Phrases
import TestSupport
import Testing

@Suite struct `The table of English` {
  struct Row: CustomTestStringConvertible, Sendable {
    let line: String
    let expected: String
    let number: Int

    var testDescription: String { "line \(number): \"\(line)\"" }
  }

  private static let rows: [Row] = {
    let octets = readFile(testsDirectory + "/PhrasesTests/Corpus/english.txt") ?? []
    var rows: [Row] = []
    for (index, octets) in octets.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).enumerated() {
      let text = String(decoding: octets, as: UTF8.self)
      let parts = text.split(separator: "\t", maxSplits: 1)
      guard !text.hasPrefix("#"), parts.count == 2 else { continue }
      rows.append(
        Row(line: String(parts[0]), expected: String(parts[1]), number: index + 1))
    }
    return rows
  }()

  private static func described(_ reading: PhraseReading) -> String {
    var fields = [reading.inShort, reading.title]
    if let zone = reading.zone { fields.append("zone \(zone.name)") }
    if !reading.place.isEmpty { fields.append("@\(reading.place)") }
    if !reading.calendar.isEmpty { fields.append("#\(reading.calendar)") }
    fields += reading.reminders.map { "!\($0)" } + reading.remindersToEnd.map { "!end \($0)" }
    fields += reading.reminderTimes.map { "!\($0.text)" } + (reading.isSilent ? ["!none"] : [])
    if !reading.notes.isEmpty { fields.append("note") }
    return fields.joined(separator: "; ")
  }

  @Test(arguments: rows)
  func `a line is read as the table says`(_ row: Row) throws {
    let now = Timestamp(try CivilDateTime(text: "2026-03-11T10:00:00"), offset: .utc)
    let reader = PhraseReader(
      PhraseContext(now: now, zone: .utc), zones: FixedZones.shared)
    var found: String
    do throws(PhraseRefusal) {
      found = Self.described(try reader.event(row.line))
    } catch {
      found = "refused: \(error.reason.english)"
    }
    #expect(found == row.expected)
  }

  @Test func `there are enough lines`() {
    #expect(Self.rows.count >= 300)
  }
}
