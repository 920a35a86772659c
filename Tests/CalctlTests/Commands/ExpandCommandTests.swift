import Testing

@testable import CalctlCommands

@Suite struct `calctl expand` {
  /// Facts of RFC 5545 section 3.8.5.3 and of tzdata.
  @Test(arguments: [
    (
      [
        "--dtstart", "19970902T090000", "--tzid", "America/New_York", "--rrule",
        "FREQ=DAILY;COUNT=3",
      ],
      "19970902T090000\n19970903T090000\n19970904T090000\n"
    ),
    (
      [
        "--dtstart", "20261121", "--rrule", "FREQ=YEARLY", "--from", "2030-01-01", "--to",
        "2032-11-21",
      ],
      "20301121\n20311121\n"
    ),
    // 02:30 does not exist in Berlin on 2026-03-29.
    (
      [
        "--dtstart", "20260328T023000", "--tzid", "Europe/Berlin", "--rrule", "FREQ=DAILY",
        "--limit", "2",
      ],
      "20260328T023000\n20260329T033000\n"
    ),
    (
      [
        "--dtstart", "20260101T120000Z", "--rrule", "FREQ=DAILY;COUNT=4", "--exdate",
        "20260102T120000Z,20260103T120000Z", "--rdate", "20260201T000000Z",
      ],
      "20260101T120000Z\n20260104T120000Z\n20260201T000000Z\n"
    ),
    (
      ["--dtstart", "20261121T093000", "--all-day", "--rrule", "FREQ=WEEKLY;COUNT=1"], "20261121\n"
    ),
  ])
  func `occurrences are in the form of the start`(options: [String], expected: String) throws {
    #expect(try runOffline(["expand"] + options) == (.success, expected, ""))
  }

  @Test func `ten are printed by default`() throws {
    let outcome = try runOffline(["expand", "--dtstart", "20260101", "--rrule", "FREQ=DAILY"])
    #expect(outcome.text.split(separator: "\n").count == 10)
  }

  @Test func `a rule is printed in words`() throws {
    let outcome = try runOffline([
      "expand", "--dtstart", "20261208T190000", "--rrule", "FREQ=MONTHLY;BYDAY=2TU;COUNT=10",
      "--limit", "1", "--explain",
    ])
    #expect(outcome.text == "every second Tuesday of the month, 10 times\n20261208T190000\n")
  }

  @Test func `as JSON it is one object`() throws {
    let outcome = try runOffline([
      "expand", "--dtstart", "20260101", "--rrule", "FREQ=DAILY;COUNT=2", "--json",
    ])
    #expect(outcome.text == #"{"occurrences":["20260101","20260102"]}"# + "\n")
  }

  @Test(arguments: [
    ([], "--dtstart is missing"),
    (["--dtstart", "20260230"], "has the days 1 to 28, not 30"),
    (["--dtstart", "20260101T090000", "--tzid", "Europe/Nowhere"], "Europe/Nowhere"),
    (["--dtstart", "20260101", "--rrule", "FREQ=YERLY"], "FREQ, at byte 5"),
    (["--dtstart", "20260101", "--exdate", "soon"], "exdate"),
    (["--dtstart", "20260101", "--limit", "many"], "--limit: \"many\" must be a number"),
    (["--dtstart", "20260101", "--limit", "0"], "limit: 0 must be a number from 1 to 1000000"),
    (["--dtstart", "20260101", "--from", "2026-01-01"], "or both --from and --to"),
    (["--dtstart", "tomorrow"], "dtstart: \"tomorrow\" is neither a date like 20261121"),
    (
      ["--dtstart", "20260101", "--from", "2026-02-01", "--to", "2026-01-01"],
      "the window ends (2026-01-01T00:00:00) before it begins"
    ),
    (
      ["--dtstart", "20260101", "--rrule", "FREQ=WEEKLY;BYDAY=MONDAY"],
      "\"MONDAY\" must be one of MO"
    ),
  ])
  func `faults are refused`(options: [String], words: String) throws {
    let outcome = try runOffline(["expand"] + options)
    #expect(outcome.code == .usage && outcome.text.isEmpty)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func `a rule that a strict reader would refuse is expanded with a warning`() throws {
    let outcome = try runOffline([
      "expand", "--dtstart", "20260101T090000Z", "--rrule", "FREQ=DAILY;UNTIL=20260102",
    ])
    #expect(outcome.code == .success)
    #expect(outcome.text == "20260101T090000Z\n20260102T090000Z\n")
    #expect(
      outcome.errors
        == "calctl: recurrence rule: UNTIL, at byte 11: it is a date, but the start is a time; "
        + "that day is included\n")
  }

  @Test func `a rule that matches nothing is named`() throws {
    let outcome = try runOffline([
      "expand", "--dtstart", "20260101", "--rrule", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    ])
    #expect(outcome.text == "20260101\n")
    #expect(
      outcome.errors
        == "calctl: FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 matches no date; the start is the only "
        + "occurrence\n")
  }

  @Test(arguments: [
    (#"{"dtstart":"20260101","limit":"2"}"#, "limit must be a whole number"),
    (#"{"dtstart":"20260101","window":["20260101"]}"#, "window must be a list of two times"),
    (#"{"dtstart":"20260101","rrule":[1]}"#, "rrule must be a text or a list of texts"),
    (#"{"dtstart":"20260101","allday":1}"#, "allday must be true or false"),
    (#"{"dtstart":20260101}"#, "dtstart must be a text"), ("[1]", "the line is not a JSON object"),
  ])
  func `a malformed case of a batch is refused`(line: String, words: String) throws {
    let outcome = try runOffline(["expand", "--batch"], input: line + "\n")
    #expect(outcome.text.contains(#""kind":"bad-request""#) && outcome.text.contains(words))
  }

  @Test func `a batch has one line of answer for each line`() throws {
    let cases = """
      {"id":"a","dtstart":"20240101T090000","tzid":"Europe/Berlin","rrule":["FREQ=DAILY"],"limit":2}
      {"id":2,"dtstart":"20240101","rrule":["FREQ=DAILY"],"window":["20240110","20240112"]}
      {"id":"bad","dtstart":"20240101","rrule":["FREQ=DAILY;BYDAY=XX"]}
      no JSON

      {"id":"empty"}
      """
    let outcome = try runOffline(["expand", "--batch"], input: cases)
    let lines = outcome.text.split(separator: "\n").map(String.init)
    try #require(lines.count == 5)
    #expect(lines[0] == #"{"id":"a","occurrences":["20240101T090000","20240102T090000"]}"#)
    #expect(lines[1] == #"{"id":2,"occurrences":["20240110","20240111"]}"#)
    #expect(lines[2].contains(#""id":"bad","error":{"kind":"bad-weekday""#))
    #expect(lines[2].hasSuffix(#""position":17}}"#))
    #expect(lines[3].hasPrefix(#"{"id":null,"error":{"kind":"bad-request""#))
    #expect(lines[4].hasPrefix(#"{"id":"empty","error":{"kind":"bad-request""#))
  }
}
