import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import ICalendar

/// The line with the parts of its rule in one order: each program has its own. That a week begins
/// on Monday some say and some do not.
private func inOrder(_ line: some StringProtocol) -> String {
  guard let bar = line.lastIndex(of: "|") else { return String(line) }
  let parts = line[line.index(after: bar)...].split(separator: ";").filter {
    $0 != "WKST=MO" && $0 != "INTERVAL=1"
  }
  return line[...bar] + parts.sorted().joined(separator: ";")
}

/// The events of every kind that other programs should find as we do.
private func sample() -> String {
  let zones = [
    "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Europe/Dublin",
    "America/Sao_Paulo", "Asia/Tokyo", "Pacific/Auckland", "Africa/Cairo", "Atlantic/Azores",
  ]
  var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
  func add(_ uid: String, _ lines: String...) {
    text +=
      (["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20240101T000000Z"] + lines + ["END:VEVENT"])
      .joined(separator: "\r\n") + "\r\n"
  }
  for (index, zone) in zones.enumerated() {
    for year in [1996, 2007, 2024, 2031] {
      add(
        "\(zone)-\(year)@example.com", "DTSTART;TZID=\(zone):\(year)0\(index % 9 + 1)15T100000",
        "DTEND;TZID=\(zone):\(year)0\(index % 9 + 1)15T113000", "SUMMARY:\(zone)")
    }
  }
  add(
    "day@x", "DTSTART;VALUE=DATE:20240105", "DTEND;VALUE=DATE:20240107", "SUMMARY:a\\, b\\; c\\\\ d"
  )
  add("utc@x", "DTSTART:20240105T100000Z", "DTEND:20240105T110000Z", "SUMMARY:one\\ntwo")
  add("floats@x", "DTSTART:20240105T100000", "SUMMARY:Grüße 漢字 😀")
  add(
    "long@x", "DTSTART:20240105T100000Z",
    "SUMMARY:" + String(repeating: "漢😀ä=x", count: 60))
  add(
    "weekly@x", "DTSTART;TZID=Europe/Berlin:20240105T100000",
    "RRULE:FREQ=WEEKLY;COUNT=9;BYDAY=MO,FR")
  add("until@x", "DTSTART:20240105T100000Z", "RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=20240301T100000Z")
  add("last@x", "DTSTART;VALUE=DATE:20240131", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1")
  return text + "END:VCALENDAR\r\n"
}

@Suite struct `What other programs find in our exports` {
  /// The same, from our own reading of the text that was imported, with the installed zones.
  private func expected(_ reading: CalendarReading, _ zones: InstalledZones) throws -> [String] {
    func when(_ time: EventTime) throws -> String {
      switch time {
      case .date(let date): return date.basicText
      case .floating(let reading): return reading.basicText
      case .utc(let instant): return instant.basicText
      case .zoned(let reading, let zone):
        return try zones.rules(named: zone).instant(of: reading).basicText
      }
    }
    return try reading.series.flatMap(\.components).map { event in
      var end = ""
      if case .time(let time) = event.end { end = try when(time) }
      let title = event.summary.replacing("\n", with: "\\n")
      let rule = event.recurrence.rules.first?.text ?? ""
      return inOrder(
        "\(event.uid)|\(try when(event.start))|\(end)|\(title)|\(rule)")
    }
  }

  private func compare(_ oracle: OracleProgram) throws {
    let zones = InstalledZones()
    let reading = try readCalendar(
      Array(sample().utf8), calendar: CalendarID("tests"), zones: zones)
    #expect(reading.problems.isEmpty)
    let text = written(reading.series, zones: zones)
    let found = try oracle.answer(text).map(inOrder)
    let expected = try expected(reading, zones)
    #expect(found.count == expected.count)
    for (one, other) in zip(found, expected) { #expect(one == other) }
  }

  @Test(.enabled(if: EventOracle.libical.canRun, "\(EventOracle.libical.reason)"))
  func `libical finds the same events, at the same instants, with the same titles and rules`()
    throws
  {
    try compare(EventOracle.libical)
  }

  @Test(.enabled(if: EventOracle.icalendar.canRun, "\(EventOracle.icalendar.reason)"))
  func
    `the icalendar package finds the same events, at the same instants, with the same titles and rules`()
    throws
  {
    try compare(EventOracle.icalendar)
  }

  @Test(.enabled(if: EventOracle.ical.canRun, "\(EventOracle.ical.reason)"))
  func
    `the ical package finds the same events, at the same instants, with the same titles and rules`()
    throws
  {
    try compare(EventOracle.ical)
  }
}

@Suite struct `Zones that are written` {
  private static let names = [
    "Europe/Berlin", "Europe/Dublin", "Europe/London", "Europe/Istanbul", "Europe/Moscow",
    "America/New_York", "America/Sao_Paulo", "America/Caracas", "America/Santiago", "America/Nuuk",
    "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tehran", "Asia/Jerusalem", "Asia/Gaza",
    "Asia/Pyongyang",
    "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham", "Africa/Casablanca", "Africa/Cairo",
    "Africa/Windhoek", "Antarctica/Troll",
  ]

  // Zoneinfo is what everybody else reads the TZID by.
  @Test(arguments: names)
  func `a VTIMEZONE has the offsets of zoneinfo for all the years it is needed`(
    _ name: String
  ) throws {
    guard let rules = try? InstalledZones().rules(named: name) else { return }
    for (first, last) in [(1970, 1971), (1985, 2035), (2007, 2007), (2024, 2024), (2020, 2045)] {
      let span = TimeSpan(
        start: try Timestamp(text: "\(first)-01-01T00:00:00Z"),
        end: try Timestamp(text: "\(last)-12-31T00:00:00Z"))
      let lines = zoneLines(id: name, rules: rules, needed: span)
      let again = try readZone(lines.joined(separator: "\r\n") + "\r\n")
      // What changes, changes at the end of a span of one or of the other.
      for one in [rules, again] {
        var instant = span.start
        while instant < span.end {
          let end = one.span(at: instant).end
          for seconds in [instant.seconds, min(end, span.end.seconds) - 1] {
            let moment = Timestamp(seconds: seconds)
            let (found, expected) = (again.offset(at: moment), rules.offset(at: moment))
            #expect(found == expected, "\(name) at \(moment), for \(first) to \(last)")
          }
          instant = Timestamp(seconds: min(end, span.end.seconds))
        }
      }
    }
  }
}
