import CivilTime
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `Zones that a component names` {
  private func ids(_ lines: [String]) -> [String] {
    var use = ZoneUse()
    var text = (["BEGIN:VEVENT"] + lines + ["END:VEVENT"]).joined(separator: "\r\n") + "\r\n"
    text.withUTF8 { use.note($0, lying: .always) }
    return use.ids
  }

  @Test(arguments: [
    ("DTSTART;TZID=Europe/Berlin:20260101T090000", ["Europe/Berlin"]),
    ("DTSTART;tzid=Europe/Berlin;VALUE=DATE-TIME:20260101T090000", ["Europe/Berlin"]),
    ("DTSTART;VALUE=DATE-TIME;TZID=Europe/Berlin:20260101T090000", ["Europe/Berlin"]),
    (#"DTSTART;TZID="(GMT+01:00) Paris; Rome":20260101T090000"#, ["(GMT+01:00) Paris; Rome"]),
    ("DTSTART;TZID=W. Europe Standard Time:20260101T090000", ["W. Europe Standard Time"]),
    ("DTSTART;TZID= Europe/Berlin :20260101T090000", ["Europe/Berlin"]),
    ("DTSTART;TZID=tzone://Microsoft/Utc:20240705T100000", ["tzone://Microsoft/Utc"]),
    (#"ATTENDEE;CN="TZID=Mars";ROLE=CHAIR:mailto:a@example.org"#, []),
    (#"ATTENDEE;CN="a \" b;TZID=Mars":mailto:a@example.org"#, []),
    ("DTSTART;VALUE=DATE:20260101", []),
    ("DESCRIPTION:a;TZID=Mars:b", []),
    ("DTSTART;TZIDX=Mars:20260101T090000", []),
    ("DTSTART;TZID:20260101T090000", [""]),
  ])
  func `one line`(_ line: String, _ expected: [String]) {
    #expect(ids([line]) == expected)
  }

  @Test func `lines are found by the octets after their breaks, wherever these lie`() {
    var random = SeededGenerator(seed: 545)
    for _ in 0..<500 {
      let zones = (0..<Int.random(in: 1...6, using: &random)).map { "Zone/\($0)" }
      let lines = zones.map { zone in
        let filler = String(repeating: "x", count: .random(in: 0...20, using: &random))
        return "X-A:\(filler)\r\n \(filler)\r\nDTSTART;TZID=\(zone):20260101T090000"
      }
      #expect(ids(lines) == zones)
    }
  }

  /// What is read of a line in its place, without a copy, beside what is read of it unfolded: one
  /// that is folded behind its end, and so says the same.
  @Test func `a line says the same with a fold and without`() {
    var random = SeededGenerator(seed: 6868)
    let pieces = [
      ";", ":", "=", "\"", "\\", " ", "//", "TZID", "tzid", "Mars", "Europe/Berlin", "VALUE",
      "DATE", ",", "^'",
    ]
    for _ in 0..<20_000 {
      let line =
        "DTSTART;"
        + (0..<Int.random(in: 1...9, using: &random)).map { _ in
          pieces.randomElement(using: &random)!
        }
        .joined()
      #expect(ids([line]) == ids([line + "\r\n "]), "\(line)")
    }
  }
}
