import CalendarModel
import TestSupport
import Testing

@testable import ICalendar

/// Texts whose lines are broken or joined.
@Suite struct `Broken lines` {
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

  @Test(arguments: ["END:VEVENTBEGIN:VEVENT", "END:VEVENT BEGIN:VEVENT"])
  func `an END with the next BEGIN in its line loses both events, and is told by its line`(
    line: String
  ) throws {
    #expect(
      try told(begin, "A", line, "B", end, begin, "C", end)
        == Told([""], skipped: 1, "refused 6:1 A mismatched-end: VEVENT: \(line) ends nothing here")
    )
  }

  @Test func `an event whose BEGIN stands at the end of a value loses what it stands in`() throws {
    #expect(
      try told(begin, "A", "SUMMARY:Tea BEGIN:VEVENT", "B", end, begin, "C", end)
        == Told(
          [""], skipped: 1,
          "refused 7:5 A duplicate-property: UID: it appears twice: an END and a BEGIN before it are missing"
        ))
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

  @Test func `an event that lost its BEGIN in the calendar itself counts as left out`() throws {
    for line in ["X-FOO:y BEGIN:VEVENT", "X-FOO:y"] {
      #expect(
        try told(begin, "A", end, line, "B", "SUMMARY:Lost", end, begin, "C", end)
          == Told(
            ["", ""], skipped: 1, lost(line: 10),
            "refused 12:1  mismatched-end: END:VEVENT has no BEGIN"))
    }
    // Of an END alone nothing is known to be lost.
    #expect(
      try told(begin, "A", end, end)
        == Told([""], "refused 7:1  mismatched-end: END:VEVENT has no BEGIN"))
  }

  private func lost(line: Int) -> String {
    "refused \(line):1  missing-begin: DTSTART is outside of an event: the BEGIN is missing, and the event is left out"
  }

  @Test
  func `an event in whose BEGIN is a slip of the pen counts as left out, and ends at its END`()
    throws
  {
    #expect(
      try told(
        begin, "A", end, "BEGIN:VEVNT", "B", end, "C", end, begin, "D", end, "BEGIN:X-FOO", end,
        "END:X-FOO")
        == Told(
          ["", ""], skipped: 2,
          "refused 11:1 B mismatched-end: VEVNT: END:VEVENT ends nothing here",
          lost(line: 14), "refused 15:1  mismatched-end: END:VEVENT has no BEGIN",
          "refused 22:1  mismatched-end: X-FOO: END:VEVENT ends nothing here",
          "refused 23:1  mismatched-end: END:X-FOO has no BEGIN"))
  }

  @Test func `so does one with an alarm, whose BEGIN is another`() throws {
    #expect(
      try told(
        begin, "A", end, "B", "SUMMARY:Lost", "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT5M",
        "END:VALARM", end, begin, "C", end)
        == Told(
          ["", ""], skipped: 1, lost(line: 9),
          "refused 15:1  mismatched-end: END:VEVENT has no BEGIN"))
  }

  @Test func `a calendar with a DTSTAMP of its own has lost nothing`() throws {
    #expect(
      try told("DTSTAMP:20260101T000000Z", begin, "A", end, "DTSTAMP:20260101T000000Z")
        == Told([""]))
    // RFC 7986 gives it a UID as well.
    #expect(
      try told("UID:feed", "SUMMARY:All", "DTSTAMP:20260101T000000Z", begin, "A", end)
        == Told([""]))
  }

  @Test func `what stands behind a calendar, and begins with a blank, is none of it`() throws {
    let reading = try read(
      "BEGIN:VCALENDAR\n\(begin)\nUID:A\nDTSTAMP:20260101T000000Z\nDTSTART:20261201T090000Z\n\(end)\n"
        + "END:VCALENDAR\n\n see the attachment\n")
    #expect(reading.problems.map(\.word) == ["text-outside"] && reading.skipped == 0)
  }

  @Test func `a calendar in one line is left out where the event before it has lost its END, too`()
    throws
  {
    let reading = try read(
      "BEGIN:VCALENDAR\r\n\(begin)\r\nUID:A\r\nDTSTART:20261201T090000Z\r\n"
        + "BEGIN:VCALENDARVERSION:2.0BEGIN:VEVENTUID:bEND:VEVENTEND:VCALENDAR\r\n")
    #expect(
      reading.problems.filter { $0.severity == .refused }.map(\.word)
        == ["mismatched-end", "no-line-ends"])
    #expect(reading.skipped == 2 && reading.series.isEmpty)
  }

  @Test func `so does one that lost its BEGIN and its END, whatever stands behind it`() throws {
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
          == Told(summaries, skipped: 1, lost(line: 9)))
    }
  }

  @Test(arguments: ["", " "])
  func `a calendar in one line is left out among others, and told in few words`(blank: String)
    throws
  {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//e//e//EN", begin, "UID:A",
      "DTSTART:20261201T090000Z", "SUMMARY:" + String(repeating: "Tea ", count: 50), end,
      "END:VCALENDAR",
    ]
    let one = lines.joined(separator: blank)
    let text = lines.joined(separator: "\r\n").replacing("UID:A", with: "UID:B")
    for (before, after, line) in [(text + "\r\n", "", 10), ("", "\r\n" + text, 1)] {
      let reading = try read(before + one + after)
      #expect(reading.series.map(\.uid.text) == ["B"] && reading.skipped == 1)
      #expect(
        reading.problems.map { "\($0.severity) \($0.line) \($0.word): \($0.text)" } == [
          "refused \(line) no-line-ends: \(one.prefix(60))…: the line breaks are lost: the calendar is in one "
            + "line with its BEGIN, and cannot be read"
        ])
    }
  }

  @Test func `alone it is no calendar, however long`() throws {
    let head = "BEGIN:VCALENDARVERSION:2.0PRODID:-//e//e//ENBEGIN:VEVENTUID:ASUMMARY:"
    for count in [1, 2 << 20] {
      let text = head + String(repeating: "x", count: count) + "END:VEVENTEND:VCALENDAR\r\n"
      let error = #expect(throws: CalendarTextError.self) { try read(text) }
      #expect(
        error?.word == "not-icalendar"
          && error?.description.contains("the line breaks are lost") == true,
        "\(error.debugDescription)")
    }
  }

  @Test func `what a message quotes of the name of a component is cut`() throws {
    let name = String(repeating: "X", count: 500)
    let long = try told("BEGIN:\(name)", "A", begin, "A", end)
    #expect(long.problems.count == 1 && long.problems[0].utf8.count < 200, "\(long)")
    let ending = try told(begin, "A", "END:\(name)", end)
    #expect(ending.problems.count == 1 && ending.problems[0].utf8.count < 200, "\(ending)")
  }

  /// A calendar with folds in its texts and in a UID.
  private let folds = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//e//e//EN", begin, "UID:a-rather-lo", " ng-one@e",
    "DTSTAMP:20260101T000000Z", "DTSTART:20261201T090000Z", "SUMMARY:Te", " a", "DESCRIPTION:One",
    "  two",
    end, begin, "BAD", "UID:b", "DTSTAMP:20260101T000000Z", "DTSTART:20261201T090000Z", end,
    "END:VCALENDAR", "",
  ]
  private static let begin = "BEGIN:VEVENT"
  private static let end = "END:VEVENT"

  @Test(arguments: [("\r\r\n", 1), ("\n\n", 2), ("\r\n\r\n", 2), ("\r\n \r\n", 2)])
  func
    `doubled line ends change nothing of what is read, and are told once where they are empty lines`(
      end: String, step: Int
    ) throws
  {
    let (good, doubled) = (
      try read(folds.joined(separator: "\r\n")), try read(folds.joined(separator: end))
    )
    #expect(good.series.map(\.uid.text) == ["a-rather-long-one@e", "b"])
    #expect(
      good.series[0].master?.summary == "Tea" && good.series[0].master?.description == "One two")
    #expect(doubled.series.map(\.master) == good.series.map(\.master))
    let syntax = doubled.problems.map { "\($0.line) \($0.word): \($0.text)" }
    let bad = "bad-syntax: VEVENT: the line is not a content line; it is ignored"
    let empty = "bad-syntax: there are empty lines within folded lines; they are ignored"
    #expect(
      syntax == ["\(14 * step + 1) \(bad)"]
        + (step == 1 || end.contains(" ") ? [] : ["10 \(empty)"]))
  }

  @Test
  func
    `no stray line changes a UID, and the rest of a long one that lost its fold is joined to it`()
    throws
  {
    let long = String(repeating: "0123456789", count: 8)
    func uid(_ lines: String...) throws -> (uid: String?, told: String?) {
      let lines = [begin] + lines + ["DTSTAMP:20260101T000000Z", "DTSTART:20261201T090000Z", end]
      let reading = try read("BEGIN:VCALENDAR\n\(lines.joined(separator: "\n"))\nEND:VCALENDAR\n")
      return (reading.series.first?.uid.text, reading.problems.first?.text)
    }
    let short = try uid("UID:a", "and more of something else")
    #expect(short.uid == "a")
    #expect(short.told == "VEVENT: the line is not a content line; it is ignored")
    let rest = try uid("UID:" + long, "abc")
    #expect(rest.uid == long + "abc")
    #expect(rest.told == "UID: the line is not a content line; it was joined to the one before it")
    // One that was folded has all of it, what stands behind it, and behind that, is something else.
    let folded = try uid("UID:" + long.prefix(70), " " + long.suffix(10), "and more", long, "abc")
    #expect(folded.uid == long)
    #expect(folded.told == "VEVENT: the line is not a content line; it is ignored")
    let twice = try uid("UID:" + long, long, "abc", "def")
    #expect(twice.uid == long + long + "abc")
  }

  @Test func `what begins with the rest of a line in its name counts as left out`() throws {
    let reading = try told("BEGIN:VEVENT UID:a", "A", end, begin, "B", end)
    #expect(reading.summaries == [""] && reading.skipped == 1, "\(reading)")
  }
}
