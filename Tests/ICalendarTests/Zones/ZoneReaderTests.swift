import CivilTime
import TestSupport
import Testing

@testable import ICalendar

private func zone(_ lines: String...) -> String {
  (["BEGIN:VTIMEZONE", "TZID:Test"] + lines + ["END:VTIMEZONE"]).joined(separator: "\r\n")
}

private func hours(_ rules: ZoneRules, _ instant: String) throws -> Double {
  Double(rules.offset(at: try Timestamp(text: instant)).seconds) / 3600
}

@Suite struct `Zones of a file` {
  // As Microsoft writes Central Europe: from the year 1601 on.
  @Test func `yearly rules hold from 1970 to 2100`() throws {
    let rules = try readZone(
      zone(
        "BEGIN:STANDARD", "DTSTART:16010101T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
        "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10", "END:STANDARD", "BEGIN:DAYLIGHT",
        "DTSTART:16010101T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
        "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT"))
    #expect(rules.name == "Test")
    let berlin = FixedZones.shared["Europe/Berlin"]
    for year in [1997, 2007, 2024, 2050, 2099] {
      for month in 1...12 {
        let day = try #require(CivilDate(year: year, month: month, day: 28))
        for hour in [0, 1, 2, 12] {
          let instant = Timestamp(seconds: Int64(day.dayNumber) * 86_400 + Int64(hour) * 3600)
          #expect(rules.offset(at: instant) == berlin.offset(at: instant), "\(instant)")
        }
      }
    }
  }

  @Test func `eras follow each other by DTSTART, UNTIL and RDATE`() throws {
    let rules = try readZone(
      zone(
        "BEGIN:STANDARD", "DTSTART:20000101T000000", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0100",
        "END:STANDARD", "BEGIN:DAYLIGHT", "DTSTART:20010601T000000", "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0200", "RRULE:FREQ=YEARLY;UNTIL=20030531T230000Z", "END:DAYLIGHT",
        "BEGIN:STANDARD", "DTSTART:20010901T000000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
        "RDATE:20010901T000000,20020901T000000", "RDATE:20030901T000000", "END:STANDARD"))
    #expect(try hours(rules, "19990101T000000Z") == 0)
    #expect(try hours(rules, "20000601T000000Z") == 1)
    #expect(try hours(rules, "20010701T000000Z") == 2)
    #expect(try hours(rules, "20011001T000000Z") == 1)
    #expect(try hours(rules, "20030531T230000Z") == 2)
    #expect(try hours(rules, "20040701T000000Z") == 1)
  }

  @Test(arguments: [
    ("", "not a whole VTIMEZONE"), ("BEGIN:VEVENT\r\nEND:VEVENT\r\n", "not a whole VTIMEZONE"),
    (zone(), "neither STANDARD nor DAYLIGHT"),
    (zone("BEGIN:STANDARD", "DTSTART:19700101T000000", "END:STANDARD"), "needs DTSTART"),
    (
      zone(
        "BEGIN:STANDARD", "DTSTART:1970", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0100", "END:STANDARD"),
      "DTSTART"
    ),
    (
      zone(
        "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:0", "TZOFFSETTO:+0100",
        "END:STANDARD"), "TZOFFSETFROM"
    ),
    (
      zone(
        "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0100",
        "RRULE:FREQ=NEVER", "END:STANDARD"), "RRULE"
    ),
    (
      zone(
        "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0100",
        "RRULE:FREQ=SECONDLY", "END:STANDARD"), "more than 2000 changes"
    ),
  ])
  func `a zone that says too little or too much is refused`(_ text: String, _ reason: String) {
    let error = #expect(throws: CalendarTextError.self) { try readZone(text) }
    #expect(error?.word == "bad-zone")
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }
}

@Suite struct `Writing zones` {
  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "Africa/Casablanca",
    "America/St_Johns", "Europe/Dublin", "Asia/Kolkata", "America/Sao_Paulo", "Pacific/Apia",
    "America/Santiago", "Asia/Gaza",
  ])
  func `a zone that was written is read as the same`(_ name: String) throws {
    let rules = FixedZones.shared[name]
    let needed = TimeSpan(
      start: try Timestamp(text: "20090101T000000Z"), end: try Timestamp(text: "20301231T000000Z"))
    let lines = zoneLines(id: name, rules: rules, needed: needed)
    let read = try readZone(lines.joined(separator: "\r\n") + "\r\n")
    var instant = needed.start
    while instant < needed.end {
      #expect(read.offset(at: instant) == rules.offset(at: instant), "\(name) \(instant)")
      instant = instant.adding(seconds: 6 * 3600)
    }
    if name == "Europe/Berlin" {
      #expect(
        lines == [
          "BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:STANDARD", "DTSTART:20090101T000000",
          "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "BEGIN:DAYLIGHT",
          "DTSTART:20090329T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
          "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT", "BEGIN:STANDARD",
          "DTSTART:20091025T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
          "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "END:VTIMEZONE",
        ])
    }
  }
}
