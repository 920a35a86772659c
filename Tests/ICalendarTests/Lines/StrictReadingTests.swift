import CalendarModel
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `What strict programs refuse` {
  private static let head = ["UID:a", "DTSTAMP:20240101T000000Z", "DTSTART:20240105T100000Z"]

  /// A component of some lines, of which those of an alarm begin with a blank.
  private static func component(_ kind: String, _ lines: [String]) -> String {
    var text = ["BEGIN:\(kind)"] + head + lines.filter { !$0.hasPrefix(" ") }
    let alarm = lines.filter { $0.hasPrefix(" ") }.map { String($0.dropFirst()) }
    if !alarm.isEmpty { text += ["BEGIN:VALARM"] + alarm + ["END:VALARM"] }
    return (text + ["END:\(kind)"]).joined(separator: "\r\n") + "\r\n"
  }

  private func faults(_ components: String...) -> [StrictFault] {
    var reading = StrictReading()
    for var text in components { text.withUTF8 { reading.look(at: $0) } }
    return reading.faults
  }

  private func told(_ kind: String, _ lines: [String]) -> [String] {
    faults(Self.component(kind, lines)).map(\.text)
  }

  private static let display = [" ACTION:DISPLAY", " DESCRIPTION:x"]

  struct Case {
    let lines: [String]
    let text: String

    init(_ lines: [String], _ text: String) { (self.lines, self.text) = (lines, text) }
  }

  @Test(arguments: [
    Case([" TRIGGER:soon"] + display, #"TRIGGER "soon" is no length and no time"#),
    Case([" TRIGGER:-P15M"] + display, #"TRIGGER "-P15M" is no length and no time"#),
    Case([" TRIGGER:PT"] + display, #"TRIGGER "PT" is no length and no time"#),
    Case([" TRIGGER:PT5M", " ACTION:DISPLAY"], "VALARM: it has no DESCRIPTION"),
    Case(
      [" TRIGGER:PT5M", " action:email", " DESCRIPTION:x"],
      "VALARM: one that is sent has no SUMMARY"
    ),
    Case([" TRIGGER:PT5M"], "VALARM: it has no ACTION"),
    Case(display, "VALARM: it has no TRIGGER"),
    Case(
      [" TRIGGER:PT5M", " REPEAT:2"] + display, "VALARM: of REPEAT and DURATION it has but one"),
    Case(["PRIORITY:high"], #"PRIORITY "high" is no number from 0 to 9"#),
    Case(["PRIORITY:99"], #"PRIORITY "99" is no number from 0 to 9"#),
    Case(["SEQUENCE:-3"], #"SEQUENCE "-3" is no number from 0 to 2147483647"#),
    Case(["STATUS:BUSY"], #"STATUS "BUSY" is no status of its component"#),
    Case(
      ["EXDATE:20240106T100000Z,20240230T100000Z"],
      #"EXDATE "20240106T100000Z,20240230T100000Z" is no day and no time that there is"#
    ),
    Case(
      ["RDATE;VALUE=PERIOD:20240109T090000Z/"],
      #"RDATE "20240109T090000Z/" is no day, no time and no period that there is"#
    ),
    Case(["CREATED:yesterday"], #"CREATED "yesterday" is no day and no time that there is"#),
    Case(["RRULE:FREQ=FORTNIGHTLY"], #"RRULE "FREQ=FORTNIGHTLY" is no rule that can be read"#),
    Case(["DURATION:long"], #"DURATION "long" is no length"#),
    Case(["SUMMARY:one", "SUMMARY:two"], "SUMMARY: it stands there twice"),
    Case(["GEO:1;2", "geo:1;2"], "GEO: it stands there twice"),
    Case(
      ["DTEND;VALUE=DATE:20240106"], "DTSTART: of start and end one is a day and one has a time"),
    Case(["DTEND:20240105T110000Z", "DURATION:PT1H"], "DURATION: it stands beside an end"),
    Case(
      [#"ATTENDEE;X-A="b:c";CN=Doe, Jane:mailto:j@example.org"#],
      "ATTENDEE: a comma in CN stands in no quotes"),
    Case(
      [#"ATTENDEE;CN="Bob, the \"builder\"";X-A=0:mailto:b@example.org"#],
      "ATTENDEE: a quote stands in the quotes of a parameter"),
    Case(["DTEND:"], #"DTEND "" is no day and no time that there is"#),
  ])
  func `a value of no form, and an alarm that lacks something, are told`(
    one: Case
  ) {
    #expect(told("VEVENT", one.lines) == [one.text])
  }

  @Test(
    arguments: [
      ("VEVENT", [" TRIGGER;RELATED=END:-P1DT2H30M", " REPEAT:2", " DURATION:PT5M"] + display),
      ("VEVENT", [" TRIGGER;VALUE=DATE-TIME:20240105T090000Z", " ACTION:AUDIO"]),
      ("VEVENT", ["STATUS:tentative", "SEQUENCE:2147483647", "PRIORITY:9", "DURATION:P2W"]),
      ("VTODO", ["STATUS:NEEDS-ACTION", "PERCENT-COMPLETE:100", "COMPLETED:20240229T235960Z"]),
      ("VJOURNAL", ["STATUS:FINAL", "DESCRIPTION:one", "DESCRIPTION:two"]),
      (
        "VEVENT",
        [
          #"ATTENDEE;MEMBER="mailto:a@b","mailto:c@d";CN="Doe, Jane":mailto:j@example.org"#,
          "ATTENDEE;CN=Ann:mailto:a@example.org", #"ORGANIZER;CN="C:\";X-A=b:mailto:c@d"#,
          "DTEND:20240105T110000Z", " DURATION:PT5M",
          " TRIGGER:PT1M", " REPEAT:2",
        ] + display
      ),
      ("VEVENT", ["EXDATE;VALUE=DATE:20240106,20240107", #"RDATE;X-A="a:b":20240108T100000"#]),
      ("VEVENT", ["RDATE;VALUE=PERIOD:20240109T090000Z/PT1H,20240110T090000Z/20240110T100000Z"]),
      ("VEVENT", ["RRULE:FREQ=WEEKLY;BYDAY=MO,TU;COUNT=3", "EXRULE:FREQ=WEEKLY;BYDAY=TU"]),
      // What other components have is theirs.
      ("VAVAILABILITY", ["STATUS:WHAT"]),
      ("VEVENT", ["X-PRIORITY:high", "DESCRIPTION:TRIGGER:soon"]),
    ] as [(String, [String])])
  func `what is as the standard has it is not told`(kind: String, lines: [String]) {
    #expect(told(kind, lines) == [])
  }

  @Test func `lines that are folded are read whole`() {
    let dates = (1...20).map { "202401\($0 < 10 ? "0" : "")\($0)T100000Z" }.joined(separator: ",")
    var folded: [UInt8] = []
    appendFolded("EXDATE:" + dates, to: &folded)
    let line = String(decoding: folded.dropLast(2), as: UTF8.self)
    #expect(line.contains("\r\n "))
    #expect(told("VEVENT", [line]) == [])
    let bad = line.replacing("20240120", with: "20240140")
    #expect(told("VEVENT", [bad]).first?.hasPrefix("EXDATE \"20240101T100000Z,") == true)
  }

  @Test(arguments: [
    (#"ORGANIZER;CN="C:\"# + "\"\r\n ;X-A=b:mailto:c@d", true),
    (#"ORGANIZER;CN="C:\"# + "\r\n \";X-A=b:mailto:c@d", true),
    (#"ORGANIZER;CN="A \"# + "\"\r\n B\":mailto:c@d", false),
    (#"ORGANIZER;CN="A \"# + "\r\n \"B\":mailto:c@d", false),
  ])
  func `a quote is looked at across a fold`(line: String, isFine: Bool) {
    #expect(
      told("VEVENT", [line])
        == (isFine ? [] : ["ORGANIZER: a quote stands in the quotes of a parameter"]))
  }

  @Test func `each kind is told once, with the first component and how many there are`() {
    let bad = Self.component("VEVENT", ["SUMMARY:Tea", "PRIORITY:high"])
    let found = faults(bad, bad.replacing("UID:a", with: "UID:b").replacing("high", with: "low"))
    #expect(found.map(\.uid) == ["a"] && found.map(\.summary) == ["Tea"])
    #expect(found.map(\.count) == [2])
  }
}
