import CalendarBus
import CivilTime
import DBus
import Phrases
import TestSupport
import Testing

@testable import CalctlCommands

/// Saturday, 21 November 2026, 10:20:30 in Berlin.
private var phrases: PhraseReader {
  PhraseReader(
    PhraseContext(now: Timestamp(seconds: 1_795_252_830), zone: FixedZones.shared["Europe/Berlin"]),
    zones: FixedZones.shared, customs: TimeCustoms(usesTwentyFourHours: true))
}

@Suite struct `The times of a change` {
  /// A to-do that is due on Monday, at a time or on the day.
  private func toDo(at time: String?) throws -> Row {
    var row = Row()
    let day = try CivilDate(text: "2026-11-23")
    let zone = FixedZones.shared["Europe/Berlin"]
    guard let time else {
      row.set(.due, .int64(zone.startOfDay(day).seconds))
      row.set(.dueText, "2026-11-23")
      row.set(.allDay, true)
      return row
    }
    let due = zone.instant(of: try CivilDateTime(text: "2026-11-23T\(time)"))
    row.set(.due, .int64(due.seconds))
    row.set(.dueText, "2026-11-23T\(time)+01:00")
    return row
  }

  private func due(_ text: String, of row: Row) throws -> String {
    let read = try EditedTimes.due(text, of: row, phrases, command: "todos")
    guard read.hasPrefix("@"), let seconds = Int64(read.dropFirst()) else { return read }
    return "\(FixedZones.shared["Europe/Berlin"].reading(at: Timestamp(seconds: seconds)))"
  }

  @Test(arguments: [
    ("19:00", "2026-11-23T19:00:00"), ("+1d", "2026-11-24T17:00:00"),
    ("-1d", "2026-11-22T17:00:00"), ("+90m", "2026-11-23T18:30:00"),
    ("+1w 9:00", "2026-11-30T09:00:00"), ("2026-12-01", "2026-12-01"), ("fri 9:00", "fri 9:00"),
    ("", ""), ("+x", "+x"),
  ])
  func `a due time keeps its day, and with a sign it counts from the present one`(
    text: String, expected: String
  ) throws {
    #expect(try due(text, of: toDo(at: "17:00:00")) == expected)
  }

  @Test(arguments: [
    ("19:00", "2026-11-23T19:00:00"), ("+1d", "2026-11-24"), ("-1w", "2026-11-16"),
    ("+1d 9:00", "2026-11-24T09:00:00"),
  ])
  func `a day that is due moves by days, or gets a time`(text: String, expected: String) throws {
    #expect(try due(text, of: toDo(at: nil)) == expected)
    #expect(throws: CommandError.self) { try due("+2h", of: toDo(at: nil)) }
  }

  @Test(arguments: ["19:00", "+1d", "+2h"])
  func `without a due date it counts from now`(text: String) throws {
    #expect(try due(text, of: Row()) == text)
  }

  @Test(arguments: ["19:00", "+1d"])
  func `when the due date is past it counts from now`(text: String) throws {
    var row = Row()
    let past = FixedZones.shared["Europe/Berlin"].instant(
      of: try CivilDateTime(text: "2026-11-02T17:00:00"))
    row.set(.due, .int64(past.seconds))
    row.set(.dueText, .string("2026-11-02T17:00:00+01:00"))
    #expect(try due(text, of: row) == text)
  }

  /// Lunch on Monday at noon.
  private func copied(to start: String) throws -> String? {
    var row = Row()
    let zone = FixedZones.shared["Europe/Berlin"]
    let noon = zone.instant(of: try CivilDateTime(text: "2026-11-23T12:00:00"))
    row.set(.start, .int64(noon.seconds))
    row.set(.end, .int64(noon.seconds + 3600))
    return try CopiedEvent.row(row, isOne: false, start: start, phrases)[.start]?.asString
  }

  @Test func `a weekday of a copy is left to the agent where it may be two days`() throws {
    #expect(try copied(to: "sat") == "sat")
    #expect(try copied(to: "fri") == "2026-11-27T12:00:00")
    #expect(try copied(to: "yesterday") == "2026-11-20T12:00:00")
  }
}
