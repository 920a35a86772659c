import CalendarImport
import CalendarModel
import CivilTime
import ICalendar
import Messages
import TestSupport
import Testing

/// Series as a file has them.
enum Text {
  static var context: ZoneContext { ZoneContext(zones: FixedZones.shared, local: .utc) }

  /// - Parameter events: the lines of each VEVENT but for its UID, which is "a".
  static func series(_ events: [String]...) throws -> EventSeries {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN"]
    for event in events {
      lines += ["BEGIN:VEVENT", "UID:a", "DTSTAMP:20261121T000000Z"] + event + ["END:VEVENT"]
    }
    let text = (lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    let reading = try readCalendar(
      Array(text.utf8), calendar: CalendarID("work"), zones: FixedZones.shared)
    return try #require(reading.series.first)
  }
}

@Suite struct `What an import does with a series` {
  private let start = "DTSTART:20270104T090000Z"

  @Test(arguments: [
    (ImportMode.merge, 1, "update"), (.merge, -1, "keep"), (.merge, 0, "skip"),
    (.replace, 1, "update"), (.replace, -1, "update"), (.replace, 0, "skip"),
    (.skipExisting, 1, "skip"), (.skipExisting, -1, "skip"), (.copy, 0, "add"),
  ])
  func `depends on the mode and on which is newer`(
    mode: ImportMode, versions: Int, expected: String
  ) throws {
    let present = try Text.series([start, "SUMMARY:Tea", "SEQUENCE:1"])
    let incoming =
      versions == 0
      ? present : try Text.series([start, "SUMMARY:Coffee", "SEQUENCE:\(1 + versions)"])
    let step = mode.step(incoming: incoming, present: present, nil, Text.context)
    let steps: [String: ImportStep] = [
      "update": .update(incoming), "keep": .keep, "skip": .skip, "add": .add(incoming),
    ]
    #expect(step == steps[expected])
    #expect(mode.step(incoming: incoming, present: nil, nil, Text.context) == .add(incoming))
  }

  @Test func `an override in a zone that is UTC by another name is the same as in UTC`() throws {
    let incoming = try Text.series(
      [start, "RRULE:FREQ=DAILY", "SUMMARY:Tea"],
      ["RECURRENCE-ID:20270105T090000Z", "DTSTART:20270105T100000Z", "SUMMARY:Tea"])
    var override = incoming.overrides[0]
    let time = try #require(override.recurrenceID)
    override.recurrenceID = .zoned(time.reading, zone: "Etc/UTC")
    let present = EventSeries(
      calendar: incoming.calendar, master: incoming.master, overrides: [override])
    for mode in [ImportMode.merge, .replace] {
      #expect(mode.step(incoming: incoming, present: present, nil, Text.context) == .skip)
    }
  }

  @Test func `merge takes the newer of each changed occurrence`() throws {
    let master = [start, "RRULE:FREQ=DAILY", "SUMMARY:Tea", "SEQUENCE:1"]
    func override(_ title: String, _ sequence: Int) -> [String] {
      [
        "RECURRENCE-ID:20270105T090000Z", "DTSTART:20270105T100000Z", "SUMMARY:\(title)",
        "SEQUENCE:\(sequence)",
      ]
    }
    let present = try Text.series(master, override("Here", 2))
    for (sequence, title) in [(1, "Here"), (3, "There")] {
      let incoming = try Text.series(master, override("There", sequence))
      let step = ImportMode.merge.step(incoming: incoming, present: present, nil, Text.context)
      #expect(step == (title == "Here" ? .keep : .update(incoming)))
    }
  }

  @Test func `a rule that cannot be read does not take the place of one`() throws {
    let present = try Text.series([start, "RRULE:FREQ=DAILY", "SEQUENCE:1"])
    let incoming = try Text.series([start, "RRULE:FREQ=SOMETIMES", "SEQUENCE:2"])
    for mode in [ImportMode.merge, .replace] {
      guard
        case .refuse(let reason) = mode.step(
          incoming: incoming, present: present, nil, Text.context)
      else {
        Issue.record("\(mode) takes it")
        continue
      }
      #expect(reason.english.contains("its RRULE cannot be read"))
    }
  }
}

@Suite struct `Copies of an import` {
  @Test func `all components get the new UID, in their text, too`() throws {
    let series = try Text.series(
      ["DTSTART:20270104T090000Z", "RRULE:FREQ=DAILY"],
      ["RECURRENCE-ID:20270105T090000Z", "DTSTART:20270105T100000Z"])
    var copies = ImportCopies()
    copies.take([series]) { "new" }
    let copy = copies.copy(of: series)
    #expect(copy.components.map(\.uid.text) == ["new", "new"])
    #expect(copy.components.allSatisfy { $0.component.contains("UID:new\r\n") })
    #expect(copies.uid(of: EventUID("a")).text == "new")
    #expect(copies.uid(of: EventUID("b")).text == "b")
  }
}

@Suite struct `What an import says of events as a whole` {
  private func event(_ number: Int) -> ImportNotes.Called {
    var called = ImportNotes.Called(EventUID("e\(number)"))
    called.title = "Tea \(number)"
    return called
  }

  @Test func `of one event it has its words, of many their number and the first ten names`() {
    var notes = ImportNotes()
    notes.count(event(1), passed: 2, isAll: true, repeats: false)
    #expect(notes.all.counted.map(\.text) == ["2 of its reminders have passed, and will not ring"])
    #expect(notes.all.counted.map(\.uid) == ["e1"])
    for number in 2...12 { notes.count(event(number), passed: 1, isAll: true, repeats: true) }
    let text = notes.all.counted[0].text
    #expect(text.hasPrefix("12 future events have reminders that have passed"))
    #expect(text.hasSuffix("\"Tea 10\" (e10) and 2 more"))
  }

  @Test func `what was taken back is not said, and what is read-only is said once`() throws {
    var notes = ImportNotes()
    let first = notes.note(event(1), "older", "is older")
    let number = try #require(first)
    notes.note(event(2), "older", "is older")
    notes.unsay(number)
    #expect(notes.all.tolerated.map(\.uid) == ["e2"])
    for number in 1...2 { notes.refuse(event(number), of: CalendarID("w"), "w is read-only") }
    #expect(
      notes.all.refused.map(\.text) == [
        "2 new or changed events: w is read-only: \"Tea 1\" (e1), \"Tea 2\" (e2)"
      ])
  }
}
