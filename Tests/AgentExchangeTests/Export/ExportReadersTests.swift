import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport
@testable import CalendarService

/// What the agent exports once two calendars have been filled, edited and rung.
private func lived() throws -> String {
  let agent = try AgentUnderTest()
  try agent.createCalendar("Work, and more", "#12ab34")
  let text = calendar(
    component(
      "daily", "DTSTART;TZID=Europe/Berlin:20261121T090000", "DURATION:PT1H", "SUMMARY:Daily",
      "RRULE:FREQ=DAILY;COUNT=5", "EXDATE;TZID=Europe/Berlin:20261123T090000", "X-KEPT;X-P=1:yes",
      "BEGIN:VALARM", "UID:a1", "ACTION:DISPLAY", "DESCRIPTION:Soon", "TRIGGER:-PT10M", "END:VALARM"
    ),
    component(
      "daily", "RECURRENCE-ID;TZID=Europe/Berlin:20261122T090000",
      "DTSTART;TZID=Europe/Berlin:20261122T140000", "DURATION:PT1H", "SUMMARY:Later"),
    component("trip", "DTSTART;VALUE=DATE:20261124", "DTEND;VALUE=DATE:20261126", "SUMMARY:Trip"),
    toDo("task", "DUE;VALUE=DATE:20261130", "SUMMARY:Task"))
  _ = try agent.call(
    Contract.transfer, "ImportText",
    [
      .string(
        text.replacing(
          "VERSION:2.0\r\n", with: "VERSION:2.0\r\nX-WR-CALDESC:All of it\r\n")), .string(""),
      .string(""),
    ])
  _ = try agent.add(
    ("summary", .string("Grüße, 漢字; \\ \"all\" of it")), ("start", .string("2026-11-21 12:00")),
    ("end", .string("45m")), ("location", .string("Café")), ("reminders", .strings(["15m"])))
  _ = try agent.call(
    Contract.events, "Add",
    [
      .string("work-and-more"),
      .row([
        ("summary", .string("Tea")), ("start", .string("2026-11-21 16:00")),
        ("reminders", .strings(["5h"])),
      ]),
    ])
  // One occurrence is moved, and one removed.
  _ = try agent.call(
    Contract.events, "Update",
    [
      .string("daily"), .string("20261124T080000Z"), .string("this"),
      .row([("start", .string("2026-11-24 11:00"))]),
    ])
  // The first reminder is put off, and the others are answered.
  try agent.advance(to: "2026-11-21T11:00:00Z")
  for (place, row) in try agent.pending().enumerated() {
    let id = row["id"] ?? .string("")
    if place == 0 {
      _ = try agent.call(Contract.reminders, "Snooze", [id, .string("10m")])
    } else {
      _ = try agent.call(Contract.reminders, "Dismiss", [id])
    }
  }
  return try agent.backup()
}

@Suite struct `What other programs find in what the agent exports` {
  /// The start of each event, in the order of the file.
  private static let starts = [
    "20261121T080000Z Daily", "20261122T130000Z Later", "20261124T100000Z Daily",
    "20261124 Trip", "20261121T110000Z Grüße, 漢字; \\ \"all\" of it", "20261121T150000Z Tea",
  ]

  private func compare(_ oracle: OracleProgram) throws {
    let text = try lived()
    for part in [
      "NAME:Work\\, and more\r\n", "COLOR:", "X-APPLE-CALENDAR-COLOR:#12AB34", "ACKNOWLEDGED:",
      "RELATED-TO;RELTYPE=SNOOZE:", "X-WR-CALDESC:All of it\r\n", "EXDATE;", "BEGIN:VTODO\r\n",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    let found = try oracle.answer(Array(text.utf8)).map { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
      return "\(fields[1]) \(fields[3])"
    }
    #expect(found.sorted() == Self.starts.sorted(), "\(text)")
  }

  @Test(.enabled(if: EventOracle.libical.canRun, "\(EventOracle.libical.reason)"))
  func `libical finds each event where it is, and nothing wrong`() throws {
    try compare(EventOracle.libical)
  }

  @Test(.enabled(if: EventOracle.icalendar.canRun, "\(EventOracle.icalendar.reason)"))
  func `the icalendar package finds each event where it is, and nothing wrong`() throws {
    try compare(EventOracle.icalendar)
  }

  @Test(.enabled(if: EventOracle.ical.canRun, "\(EventOracle.ical.reason)"))
  func `the ical package finds each event where it is, and nothing wrong`() throws {
    try compare(EventOracle.ical)
  }
}
