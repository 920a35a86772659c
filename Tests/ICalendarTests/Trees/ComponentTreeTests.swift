import ICalendar
import Testing

@Suite struct `Lines compared by what they say` {
  @Test(arguments: [
    ("SUMMARY:Tea", "summary:Tea"), ("SUMMARY:a\\,b", "SUMMARY:a,b"),
    (
      "DTSTART;TZID=\"Europe/Berlin\":20261127T090000", "DTSTART;TZID=Europe/Berlin:20261127T090000"
    ),
    ("DTSTART;VALUE=DATE-TIME:20261127T090000", "DTSTART:20261127T090000"),
    ("ATTENDEE;CN=A;ROLE=CHAIR:mailto:a@b.c", "ATTENDEE;ROLE=CHAIR;cn=A:MAILTO:A@b.c"),
    ("RRULE:FREQ=DAILY;INTERVAL=1;COUNT=3", "RRULE:COUNT=3;FREQ=DAILY"),
    ("DTSTART;TZID=Etc/UTC:20261127T090000", "DTSTART;TZID=Etc/UTC:20261127T090000Z"),
    ("DTSTART;TZID=UTC:20261127T090000", "DTSTART:20261127T090000Z"),
  ])
  func `are equal in another spelling`(one: String, other: String) throws {
    #expect(try #require(PropertyLine(one)) == #require(PropertyLine(other)))
  }

  @Test(arguments: [
    ("SUMMARY:Tea", "SUMMARY:tea"), ("SUMMARY:Tea", "LOCATION:Tea"),
    ("DTSTART;TZID=Europe/Berlin:20261127T090000", "DTSTART:20261127T090000"),
    ("DTSTART;TZID=Europe/Berlin:20261127T090000", "DTSTART:20261127T090000Z"),
    ("RRULE:FREQ=DAILY;INTERVAL=2", "RRULE:FREQ=DAILY"), ("SUMMARY;LANGUAGE=de:x", "SUMMARY:x"),
  ])
  func `differ in what they say`(one: String, other: String) throws {
    #expect(try #require(PropertyLine(one)) != #require(PropertyLine(other)))
  }

  @Test func `a list is split into its values, with the parameters of each`() throws {
    let line = try #require(
      PropertyLine("EXDATE;TZID=Europe/Berlin:20261127T090000,20261128T090000"))
    #expect(
      line.split.map(\.text) == [
        "EXDATE;TZID=Europe/Berlin:20261127T090000", "EXDATE;TZID=Europe/Berlin:20261128T090000",
      ])
    let categories = try #require(PropertyLine("CATEGORIES:a\\,b,c"))
    #expect(categories.split.map(\.value) == ["a\\,b", "c"])
    #expect(try #require(PropertyLine("SUMMARY:a,b")).split.count == 1)
  }

  @Test func `a line gets other parameters`() throws {
    let line = try #require(PropertyLine("ATTENDEE;CN=\"A, B\";X=1:mailto:a@b.c"))
    #expect(line.with(Array(line.parameters.prefix(1))).text == "ATTENDEE;CN=\"A, B\":mailto:a@b.c")
  }

  @Test func `a line without a colon is none`() { #expect(PropertyLine("SUMMARY") == nil) }
}

@Suite struct `A calendar as a tree` {
  static let text = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:1",
    "DESCRIPTION:" + String(repeating: "long ", count: 40), "BEGIN:VALARM", "ACTION:DISPLAY",
    "TRIGGER:-PT5M", "END:VALARM", "END:VEVENT", "END:VCALENDAR",
  ]

  @Test func `it is written as it was read, but folded`() throws {
    let tree = try ComponentTree(calendar: Self.text.joined(separator: "\n"))
    #expect(tree.lines.map(\.text) == ["VERSION:2.0"])
    #expect(tree.children.map(\.name) == ["VEVENT"])
    #expect(tree.children.first?.children.first?.lines.count == 2)
    #expect(tree.text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
    #expect(
      tree.text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init) == Self.text)
  }

  @Test func `the order of lines and components does not count`() throws {
    let event = ["UID:1", "SUMMARY:x"]
    let alarms = ["DISPLAY", "AUDIO"].map { "BEGIN:VALARM\nACTION:\($0)\nEND:VALARM" }
    func tree(_ lines: [String]) throws -> ComponentTree {
      try ComponentTree(
        calendar: (["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR"])
          .joined(separator: "\n"))
    }
    let one = try tree(event + alarms)
    #expect(try one == tree(alarms.reversed() + event.reversed()))
    #expect(try one != tree(event + alarms + alarms))
    #expect(try one != tree(event + [alarms[0]]))
  }

  @Test(arguments: [
    ("", 1, "not-icalendar"), ("<html>", 1, "not-icalendar"),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\n", 4, "unexpected-end"),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", 2, "unexpected-end"),
    (
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR\n", 4,
      "mismatched-end"
    ),
    ("BEGIN:VCALENDAR\nUID:1\nDTSTART:20261127\nEND:VEVENT\nEND:VCALENDAR\n", 3, "missing-begin"),
  ])
  func `a text that loses anything is refused with its line`(
    text: String, line: Int, word: String
  ) throws {
    let error = #expect(throws: CalendarTextError.self) { try ComponentTree(calendar: text) }
    #expect(error?.line == line)
    #expect(error?.word == word)
  }
}
