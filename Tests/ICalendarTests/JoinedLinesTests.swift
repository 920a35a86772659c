import CalendarModel
import TestSupport
import Testing

@testable import ICalendar

/// Texts in which a BEGIN or an END stands in the line of something else.
@Suite struct `A BEGIN or an END in another line` {
  private struct Told: Equatable {
    let summaries: [String]
    let skipped: Int
    let problems: [String]

    init(_ summaries: [String], skipped: Int = 0, _ problems: String...) {
      (self.summaries, self.skipped, self.problems) = (summaries, skipped, problems)
    }

    init(_ reading: CalendarReading) {
      summaries = reading.series.map { $0.master?.summary ?? "" }
      skipped = reading.skipped
      problems = reading.problems.map {
        "\($0.severity) \($0.line):\($0.column) \($0.uid) \($0.word): \($0.text)"
      }
    }
  }

  /// - Parameter lines: of a VCALENDAR; one letter stands for what makes an event of that UID.
  private func told(_ lines: String...) throws -> Told {
    let text = lines.flatMap { line in
      line.count == 1
        ? ["UID:\(line)", "DTSTAMP:20260101T000000Z", "DTSTART:20261201T090000Z"] : [line]
    }
    return Told(
      try read((["BEGIN:VCALENDAR"] + text + ["END:VCALENDAR", ""]).joined(separator: "\r\n")))
  }

  private let begin = "BEGIN:VEVENT"
  private let end = "END:VEVENT"

  private func own(_ place: String, _ before: String, _ text: String, uid: String = "") -> String {
    "tolerated \(place) \(uid) bad-syntax: \(before): \(text) stands in the same line; it is read as one of its own"
  }

  @Test(arguments: ["SUMMARY:Tea BEGIN:VEVENT", "SUMMARY:TeaBegin:vEvent "])
  func `an event whose BEGIN stands at the end of a value is read, and that is told`(line: String)
    throws
  {
    let column = line.contains(" B") ? 13 : 12
    #expect(
      try told(begin, "A", line, "B", "SUMMARY:Second", end, begin, "C", end)
        == Told(
          ["Tea", "Second", ""],
          own("6:\(column)", "SUMMARY", line.suffix(12) == begin ? begin : "Begin:vEvent", uid: "A")
        ))
  }

  @Test func `each of several such is`() throws {
    #expect(
      try told(
        begin, "A", "SUMMARY:One BEGIN:VEVENT", "B", "SUMMARY:Two", "LOCATION:Here BEGIN:VEVENT",
        "SUMMARY:Three", "C", end)
        == Told(
          ["One", "Two", "Three"], own("6:13", "SUMMARY", begin, uid: "A"),
          own("11:15", "LOCATION", begin, uid: "B")))
  }

  @Test func `a value that only says so is a value`() throws {
    #expect(
      try told(begin, "A", "SUMMARY:Write BEGIN:VEVENT", "LOCATION:Here", end, begin, "B", end)
        == Told(["Write BEGIN:VEVENT", ""]))
    // Alarms have UIDs, too.
    #expect(
      try told(
        begin, "A", "SUMMARY:Write BEGIN:VEVENT", "BEGIN:VALARM", "UID:x", "ACTION:AUDIO",
        "TRIGGER:-PT5M", "END:VALARM", end) == Told(["Write BEGIN:VEVENT"]))
  }

  @Test(arguments: ["END:VEVENTBEGIN:VEVENT", "END:VEVENT BEGIN:VEVENT"])
  func `an END with the next BEGIN is both`(line: String) throws {
    #expect(
      try told(begin, "A", line, "B", end, begin, "C", end)
        == Told(["", "", ""], own("6:\(line.count - 11)", end, begin)))
  }

  @Test func `so it is with those of calendars and alarms, one after the other`() throws {
    #expect(
      try told(
        begin, "A", "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT5M",
        "END:VALARMEND:VEVENTEND:VCALENDARBEGIN:VCALENDARBEGIN:VEVENT", "B", end)
        == Told(
          ["", ""], own("9:11", "END:VALARM", "END:VEVENTEND:VCALENDARBEGIN:VCALENDARBEGIN:VEVENT"),
          own("9:11", end, "END:VCALENDARBEGIN:VCALENDARBEGIN:VEVENT"),
          own("9:14", "END:VCALENDAR", "BEGIN:VCALENDARBEGIN:VEVENT"),
          own("9:16", "BEGIN:VCALENDAR", begin)))
  }

  @Test func `an event that lost its BEGIN in the calendar itself counts as left out`() throws {
    let text = "END:VEVENT has no BEGIN: what it ends, of which line 9 is, is left out"
    for line in ["X-FOO:y BEGIN:VEVENT", "X-FOO:y"] {
      #expect(
        try told(begin, "A", end, line, "B", "SUMMARY:Lost", end, begin, "C", end)
          == Told(["", ""], skipped: 1, "refused 12:1 B mismatched-end: \(text)"))
    }
    // Of an END alone nothing is known to be lost.
    #expect(
      try told(begin, "A", end, end)
        == Told([""], "refused 7:1  mismatched-end: END:VEVENT has no BEGIN"))
  }

  @Test func `so does one with an alarm, whose BEGIN is another`() throws {
    let text = "END:VEVENT has no BEGIN: what it ends, of which line 8 is, is left out"
    #expect(
      try told(
        begin, "A", end, "B", "SUMMARY:Lost", "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT5M",
        "END:VALARM", end, begin, "C", end)
        == Told(["", ""], skipped: 1, "refused 15:1 B mismatched-end: \(text)"))
  }

  @Test func `so does one that lost its BEGIN and its END, whatever stands behind it`() throws {
    let problem =
      "refused 8:1 B mismatched-end: what this line is of has lost its BEGIN and its END: it is left out"
    let behind: [(lines: [String], summaries: [String])] = [
      ([begin, "UID:C", "DTSTART:20261201T090000Z", "SUMMARY:Third", end], ["", "Third"]),
      ([], [""]),
      (
        [
          "END:VCALENDAR", "BEGIN:VCALENDAR", begin, "UID:C", "DTSTART:20261201T090000Z",
          "SUMMARY:Third", end,
        ], ["", "Third"]
      ),
    ]
    for (lines, summaries) in behind {
      #expect(
        try told(begin, "A", end, "B", lines.joined(separator: "\r\n"), "X-FOO:y")
          == Told(summaries, skipped: 1, problem))
    }
  }

  @Test func `what begins with the rest of a line in its name counts as left out`() throws {
    let reading = try told("BEGIN:VEVENT UID:a", "A", end, begin, "B", end)
    #expect(reading.summaries == [""] && reading.skipped == 1, "\(reading)")
  }
}
