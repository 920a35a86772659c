internal import Glibc
import CalendarModel
import CivilTime
import JSON
import TestSupport
import Testing

@testable import ICalendar

private let folder = getenv("DATEBOOK_CONFORMANCE").map { String(cString: $0) }

/// Those in which two alarms of one occurrence are at one instant, and told once.
private let toldOnce: Set = ["alarm-basic-21", "alarm-dst-14"]

@Suite struct `Conformance alarms` {
  @Test(.enabled(if: folder != nil))
  func `each event and to-do has the trigger instants that the data says`() throws {
    let zones = InstalledZones()
    let path = try #require(folder) + "/alarms.jsonl"
    let text = try #require(readFile(path))
    for line in text.split(separator: 0x0A) {
      let entry = try JSONReader.value(of: Array(line), maximumOctets: 1 << 20)
      let id = entry["id"]?.stringValue ?? ""
      var expected = (entry["expected"]?.arrayValue ?? []).compactMap(\.stringValue)
      if toldOnce.contains(id) {
        expected = expected.enumerated().filter { $0 == 0 || expected[$0 - 1] != $1 }.map(\.element)
      }
      let window = try (entry["window"]?.arrayValue ?? []).compactMap(\.stringValue)
        .map { try Timestamp(text: $0) }
      let local = try zones.rules(named: try #require(entry["local_zone"]?.stringValue))
      let reading = try readCalendar(
        Array((entry["ics"]?.stringValue ?? "").utf8), calendar: CalendarID("tests"), zones: zones)
      let context = ZoneContext(zones: zones.with(reading.customZones), local: local)
      var found: [Timestamp] = []
      for series in reading.series {
        found += try series.alarms(
          after: window[0].adding(seconds: -1), through: window[1].adding(seconds: -1),
          context: context
        ).map(\.instant)
      }
      #expect(found.sorted().map(\.basicText) == expected, "\(id)")
    }
  }
}
