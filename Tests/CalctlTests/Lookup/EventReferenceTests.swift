import CalendarBus
import CivilTime
import Testing

@testable import CalctlCommands

@Suite struct `IDs of events` {
  @Test(arguments: [
    ("q7k2", ["q7k2|"]),
    ("a@b/20261123T083000Z", ["a@b|20261123T083000Z", "a@b/20261123T083000Z|"]),
    ("a/20261123", ["a|20261123", "a/20261123|"]),
    ("a/20261123T083000", ["a|20261123T083000", "a/20261123T083000|"]),
    ("https://example.org/42", ["https://example.org/42|"]),
    ("a/", ["a/|"]), ("", ["|"]), ("a/2026112", ["a/2026112|"]), ("a/abcdefgh", ["a/abcdefgh|"]),
  ])
  func `an ID is an event, or an event and an occurrence of it`(text: String, expected: [String]) {
    #expect(EventReference(text).readings.map { "\($0.uid)|\($0.occurrence)" } == expected)
  }

  @Test func `the ID of a row works with show and rm`() {
    var row = Row()
    row.set(.uid, "a@b")
    #expect(EventReference(row).text == "a@b")
    row.set(.recurrenceID, "20261123")
    #expect(EventReference(row).text == "a@b/20261123")
    #expect(EventReference(row).readings[0] == ("a@b", "20261123"))
  }

  @Test(arguments: [
    ("Tea@2030-01-08", "Tea|2030-01-08"), ("a@b/2030-01-08", "a@b|2030-01-08"),
    ("Lunch @ Mario@2030-01-08", "Lunch @ Mario|2030-01-08"), ("a@b", nil), ("Lunch @ Mario", nil),
    ("@2030-01-08", nil), ("Tea", nil), ("2030-01-08", nil),
  ])
  func `a day follows the last mark`(text: String, expected: String?) {
    let parts = EventReference(text).onDay { try? CivilDate(text: $0) }
    #expect(parts.map { "\($0.what)|\($0.day)" } == expected)
  }
}
