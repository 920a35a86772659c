import CalendarModel
import CivilTime
import TestSupport
import Testing

@Suite struct `The length of an event that gets another start` {
  struct Move: CustomTestStringConvertible {
    let name: String
    let start: String
    let end: String
    let to: String
    let newEnd: String
    var testDescription: String { name }
  }

  static let moves = [
    Move(
      name: "a fixed end keeps the exact length", start: "20260327T230000 Europe/Berlin",
      end: "20260328T050000 Europe/Berlin", to: "20260328T230000 Europe/Berlin",
      newEnd: "20260329T060000 Europe/Berlin"),
    Move(
      name: "an end on another clock stays on it", start: "20260601T090000 Europe/Berlin",
      end: "20260601T110000 America/New_York", to: "20260602T090000 Europe/Berlin",
      newEnd: "20260602T110000 America/New_York"),
    Move(
      name: "another zone takes the end along", start: "20260601T090000 Europe/Berlin",
      end: "20260601T100000 Europe/Berlin", to: "20260601T090000 America/New_York",
      newEnd: "20260601T100000 America/New_York"),
    Move(
      name: "days stay days", start: "20260601", end: "20260604", to: "20260611",
      newEnd: "20260614"),
    Move(
      name: "a time over midnight turns into two days", start: "20260601T230000 Europe/Berlin",
      end: "20260602T010000 Europe/Berlin", to: "20260605", newEnd: "20260607"),
    Move(
      name: "an end at midnight does not touch the day", start: "20260601T230000 Europe/Berlin",
      end: "20260602T000000 Europe/Berlin", to: "20260605", newEnd: "20260606"),
    Move(
      name: "a moment turns into a day", start: "20260601T230000 Europe/Berlin", end: "",
      to: "20260605", newEnd: "20260606"),
    Move(
      name: "a day turns into an hour", start: "20260601", end: "",
      to: "20260601T090000 Europe/Berlin", newEnd: "20260601T100000 Europe/Berlin"),
    Move(
      name: "days end on the last of them", start: "20260601", end: "20260604",
      to: "20260601T090000 Europe/Berlin", newEnd: "20260603T100000 Europe/Berlin"),
  ]

  @Test(arguments: moves) func `it stays`(_ move: Move) throws {
    let edit = try EventSeries(Event(move.start, move.end)).edited(.all) {
      $0.start = try EventTime(move.to)
    }
    #expect(edit.series?.master?.end == .time(try EventTime(move.newEnd)))
  }
}
