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

  @Test func `one that cannot be read by itself loses what it stands in`() throws {
    // There would be another component in the text that is kept.
    let octets =
      "BEGIN:VCALENDAR\r\nBEGIN:X-A BEGIN:X-B\u{1}:b\r\nX-C:1\r\nEND:X-A BEGIN:X-B\u{1}:b\r\n"
    let reading = try read(
      octets + "\(begin)\r\nUID:a\r\nDTSTART:20261201T090000Z\r\n\(end)\r\nEND:VCALENDAR\r\n")
    #expect(reading.series.map(\.uid.text) == ["a"])
    #expect(
      reading.problems.filter { $0.severity == .refused }.map(\.text).first
        == "X-A BEGIN:X-B:B: a BEGIN or END stands in a line of another that cannot be read by itself"
    )
  }

  @Test func `one behind a value that only says so is`() throws {
    #expect(
      try told(
        begin, "X-NOTE:as in BEGIN:VTODO", "A", "SUMMARY:Tea BEGIN:VEVENT", "B", "SUMMARY:Second",
        end)
        == Told(["Tea", "Second"], own("7:13", "SUMMARY", begin, uid: "A")))
  }

  @Test func `one whose BEGIN stands at the end of a broken value is read, too, or left out`()
    throws
  {
    #expect(
      try told(begin, "A", "SUMMARY:Tea", "'BEGIN:VEVENT", "B", "SUMMARY:Second", end).summaries
        == ["Tea\n'", "Second"])
    // What is joined to that is no more the end.
    #expect(
      try told(begin, "A", "SUMMARY:Tea", "'BEGIN:VEVENT", "and so on", "LOCATION:Here", end)
        .summaries == ["Tea\n'BEGIN:VEVENT\nand so on"])
    // A BEGIN that is folded, so that it cannot be read by itself.
    let broken = try told(begin, "A", "SUMMARY:Tea BEGIN:VE\r\n VENT", "B", end, begin, "C", end)
    #expect(broken.summaries == [""] && broken.skipped == 1, "\(broken)")
  }

  @Test func `what is wrong behind such a BEGIN is told once, of the event whose it is`() throws {
    #expect(
      try told(
        begin, "A", "SUMMARY:Tea BEGIN:VEVENT", "LOCATION:a\u{1}b", "and so on", "B", end)
        == Told(
          ["Tea", ""], own("6:13", "SUMMARY", begin, uid: "A"),
          "tolerated 7:11 B control-character: LOCATION: control characters were left out",
          "tolerated 8:1 B bad-syntax: LOCATION: the line is no content line; it was joined to the one before"
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

  @Test
  func `an event in whose BEGIN is a slip of the pen counts as left out, and ends at its END`()
    throws
  {
    let lost = "END:VEVENT has no BEGIN: what it ends, of which line 13 is, is left out"
    #expect(
      try told(
        begin, "A", end, "BEGIN:VEVNT", "B", end, "C", end, begin, "D", end, "BEGIN:X-FOO", end,
        "END:X-FOO")
        == Told(
          ["", ""], skipped: 2,
          "refused 11:1 B mismatched-end: VEVNT: END:VEVENT ends nothing here",
          "refused 15:1 C mismatched-end: \(lost)",
          "refused 22:1  mismatched-end: X-FOO: END:VEVENT ends nothing here",
          "refused 23:1  mismatched-end: END:X-FOO has no BEGIN"))
  }

  @Test func `so does one with an alarm, whose BEGIN is another`() throws {
    let text = "END:VEVENT has no BEGIN: what it ends, of which line 8 is, is left out"
    #expect(
      try told(
        begin, "A", end, "B", "SUMMARY:Lost", "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT5M",
        "END:VALARM", end, begin, "C", end)
        == Told(["", ""], skipped: 1, "refused 15:1 B mismatched-end: \(text)"))
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

  @Test func `a calendar that begins twice in its first line lacks an END there`() throws {
    let reading = try read("BEGIN:VCALENDAR BEGIN:VCALENDAR\nEND:VCALENDAR\n")
    #expect(reading.problems.map(\.word).contains("unexpected-end"))
    #expect(reading.problems.allSatisfy { $0.line == 1 })
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
          "refused \(line) no-line-ends: \(one.prefix(60))…: the calendar goes on in the line of its BEGIN: "
            + "the line ends of the text are lost, and nothing of it can be read"
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
          && error?.text.contains("the line ends of the text are lost") == true,
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
    let bad = "bad-syntax: VEVENT: the line is no content line; it is passed by"
    let empty = "bad-syntax: empty lines stand within lines that are folded; they are passed by"
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
    #expect(short.told == "VEVENT: the line is no content line; it is passed by")
    let rest = try uid("UID:" + long, "abc")
    #expect(rest.uid == long + "abc")
    #expect(rest.told == "UID: the line is no content line; it was joined to the one before")
    // One that was folded has all of it, what stands behind it, and behind that, is something else.
    let folded = try uid("UID:" + long.prefix(70), " " + long.suffix(10), "and more", long, "abc")
    #expect(folded.uid == long)
    #expect(folded.told == "VEVENT: the line is no content line; it is passed by")
    let twice = try uid("UID:" + long, long, "abc", "def")
    #expect(twice.uid == long + long + "abc")
  }

  @Test func `what begins with the rest of a line in its name counts as left out`() throws {
    let reading = try told("BEGIN:VEVENT UID:a", "A", end, begin, "B", end)
    #expect(reading.summaries == [""] && reading.skipped == 1, "\(reading)")
  }
}
