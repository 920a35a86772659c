import CalendarModel
import CivilTime
import Recurrence
import TestSupport
import Testing

@testable import ICalendar

/// Reads the only event of a text.
private func event(_ lines: String...) throws -> Event {
  let text = (["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR"])
    .joined(separator: "\r\n")
  let series = try #require(try read(text).series.first)
  return try #require(series.components.first)
}

/// The lines of a written component that are not in the one it came from, and
/// the other way round: "+…" and "-…".
private func changes(_ old: Event, _ new: Event) -> [String] {
  func lines(_ text: String) -> [String] {
    text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
  }
  let (before, after) = (lines(old.component), lines(writeComponent(new)))
  return after.difference(from: before).map { change in
    switch change {
    case .insert(_, let line, _): "+\(line)"
    case .remove(_, let line, _): "-\(line)"
    }
  }.sorted()
}

/// Writes an event and reads it again.
private func again(_ event: Event, zones: any Zones = FixedZones.shared) throws -> Event {
  let text = "BEGIN:VCALENDAR\r\n\(writeComponent(event))END:VCALENDAR\r\n"
  let reading = try readCalendar(
    Array(text.utf8), calendar: CalendarID("tests"), zones: zones)
  // A day among the exceptions of a series with times is told.
  #expect(reading.problems.allSatisfy { $0.word == "type-mismatch" })
  return try #require(reading.series.first?.components.first)
}

private let base = [
  "UID:a@x", "DTSTAMP:20240101T000000Z", "DTSTART;TZID=W. Europe Standard Time:20240105T100000",
  "DTEND;TZID=W. Europe Standard Time:20240105T110000", "SUMMARY;LANGUAGE=de:alt", "X-KEEP;P=1:me",
  "ATTENDEE;CN=Ana;RSVP=TRUE;PARTSTAT=NEEDS-ACTION:mailto:ana@x",
  "ATTENDEE;ROLE=CHAIR:mailto:bob@x",
  "BEGIN:VALARM", "UID:one", "ACTION:DISPLAY", "TRIGGER:-PT5M", "X-IN:1", "END:VALARM",
  "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT10M", "ATTACH:bell.wav", "END:VALARM",
]

@Suite struct `Writing events` {
  @Test(arguments: ["GMT-0500", "\"UTC-05:00\"", "GMT+0000", "Europe/Berlin"])
  func `a zone that is named by its offset is no change`(_ zone: String) throws {
    let event = try event(
      "UID:a", "DTSTART;TZID=\(zone):20240105T100000", "DTEND;TZID=\(zone):20240105T110000")
    #expect(writeComponent(event) == event.component)
    #expect(writeComponent(event, zones: FixedZones.shared) == event.component)
  }

  private func sample() throws -> Event {
    let text = (["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + base + ["END:VEVENT", "END:VCALENDAR"])
      .joined(separator: "\r\n")
    let series = try #require(try read(text).series.first)
    return try #require(series.master)
  }

  @Test func `an event that was not changed is written as it came`() throws {
    let old = try sample()
    #expect(changes(old, old) == [])
    #expect(writeComponent(old) == old.component)
  }

  @Test func `a changed field changes its lines alone`() throws {
    let old = try sample()
    func edited(_ edit: (inout Event) throws -> Void) rethrows -> [String] {
      var new = old
      try edit(&new)
      return changes(old, new)
    }
    #expect(
      edited { $0.summary = "neu, anders" } == [
        "+SUMMARY:neu\\, anders", "-SUMMARY;LANGUAGE=de:alt",
      ])
    #expect(edited { $0.summary = "" } == ["-SUMMARY;LANGUAGE=de:alt"])
    #expect(edited { $0.location = "room" } == ["+LOCATION:room"])
    #expect(edited { $0.status = .cancelled } == ["+STATUS:CANCELLED"])
    #expect(edited { $0.isBusy = false } == ["+TRANSP:TRANSPARENT"])
    #expect(edited { $0.classification = .private } == ["+CLASS:PRIVATE"])
    #expect(edited { $0.sequence = 2 } == ["+SEQUENCE:2"])
    #expect(edited { $0.categories = ["a,b", "c"] } == ["+CATEGORIES:a\\,b,c"])
    #expect(edited { $0.url = "https://x/a,b" } == ["+URL:https://x/a,b"])
    #expect(
      try edited { $0.recurrence.rules = [try RecurrenceRule(text: "FREQ=DAILY;COUNT=2")] }
        == ["+RRULE:FREQ=DAILY;COUNT=2"])
    #expect(
      edited { $0.recurrence.excluded = [.date(CivilDate(dayNumber: 20_000)!)] }
        == ["+EXDATE;VALUE=DATE:20241004"])
    #expect(edited { $0.color = EventColor(red: 255, green: 0, blue: 0) } == ["+COLOR:red"])
    #expect(
      edited { $0.color = EventColor(red: 254, green: 0, blue: 0) }
        == ["+COLOR:red", "+X-DATEBOOK-COLOR:#fe0000"])
    #expect(edited { $0.uid = EventUID("copy") } == ["+UID:copy", "-UID:a@x"])
    #expect(
      edited { $0.lastModified = Timestamp(seconds: 0) } == [
        "+DTSTAMP:19700101T000000Z", "+LAST-MODIFIED:19700101T000000Z", "-DTSTAMP:20240101T000000Z",
      ])
  }

  @Test func `a time is rewritten only if it or its zone changed`() throws {
    let old = try sample()
    var new = old
    let reading = try CivilDateTime(text: "20240105T100000")
    new.start = .zoned(reading, zone: "Europe/Berlin")
    #expect(changes(old, new) == [])
    new.start = .zoned(reading, zone: "Asia/Tokyo")
    #expect(
      changes(old, new) == [
        "+DTSTART;TZID=Asia/Tokyo:20240105T100000",
        "-DTSTART;TZID=W. Europe Standard Time:20240105T100000",
      ])
    new.start = .floating(reading)
    #expect(changes(old, new).first == "+DTSTART:20240105T100000")
    new.start = .date(reading.date)
    #expect(changes(old, new).first == "+DTSTART;VALUE=DATE:20240105")
    new.start = old.start
    new.end = .duration(CalendarDuration(seconds: 1800))
    #expect(
      changes(old, new) == [
        "+DURATION:PT30M", "-DTEND;TZID=W. Europe Standard Time:20240105T110000",
      ])
  }

  @Test func `a zone that is not installed stays in the text as it came`() throws {
    let old = try event(
      "UID:a", "DTSTAMP:20240101T000000Z", "DTSTART;TZID=Europe/Nowhere:20240105T100000")
    #expect(writeComponent(old, zones: FixedZones.shared) == old.component)
    var new = old
    new.start = .zoned(old.start.reading, zone: "Asia/Tokyo")
    #expect(writeComponent(new, zones: FixedZones.shared).contains("TZID=Asia/Tokyo:"))
  }

  @Test func `an attendee who answers keeps the other parameters`() throws {
    let old = try sample()
    var new = old
    new.attendees[0].participation = "accepted"
    #expect(
      changes(old, new) == [
        "+ATTENDEE;RSVP=TRUE;CN=Ana;PARTSTAT=ACCEPTED:mailto:ana@x",
        "-ATTENDEE;CN=Ana;RSVP=TRUE;PARTSTAT=NEEDS-ACTION:mailto:ana@x",
      ])
    new.attendees = [old.attendees[1]]
    #expect(
      changes(old, new) == ["-ATTENDEE;CN=Ana;RSVP=TRUE;PARTSTAT=NEEDS-ACTION:mailto:ana@x"])
  }

  @Test func `an alarm that changes keeps what is not known of it`() throws {
    let old = try sample()
    var new = old
    new.alarms[0].acknowledged = Timestamp(seconds: 0)
    #expect(changes(old, new) == ["+ACKNOWLEDGED:19700101T000000Z"])
    new = old
    new.alarms[1].trigger = .fromEnd(.zero)
    #expect(changes(old, new) == ["+TRIGGER;RELATED=END:PT0S", "-TRIGGER:-PT10M"])
    new = old
    new.alarms.remove(at: 1)
    #expect(
      changes(old, new) == [
        "-ACTION:AUDIO", "-ATTACH:bell.wav", "-BEGIN:VALARM", "-END:VALARM", "-TRIGGER:-PT10M",
      ])
    new = old
    new.alarms.append(Alarm(id: "new", trigger: .absolute(Timestamp(seconds: 0))))
    #expect(
      changes(old, new) == [
        "+ACTION:DISPLAY", "+BEGIN:VALARM", "+DESCRIPTION:alt", "+END:VALARM",
        "+TRIGGER;VALUE=DATE-TIME:19700101T000000Z", "+UID:new",
      ])
  }

  @Test func `a new event is written whole and read as the same`() throws {
    var event = Event(
      uid: EventUID("new"),
      start: .zoned(try CivilDateTime(text: "20240105T100000"), zone: "Europe/Berlin"),
      end: .duration(CalendarDuration(days: 1, seconds: 90)), summary: "a;b\nc")
    event.recurrence = RecurrencePattern(
      rules: [try RecurrenceRule(text: "FREQ=WEEKLY;COUNT=3")],
      added: [
        AddedDate(
          start: .utc(Timestamp(seconds: 1_704_967_200)),
          end: .duration(CalendarDuration(seconds: 60))),
        AddedDate(start: .floating(try CivilDateTime(text: "20240109T100000"))),
      ],
      excluded: [.date(try CivilDate(text: "20240112"))])
    event.location = "here"
    event.description = String(repeating: "漢字 😀, ", count: 30)
    event.url = "https://example.com/;,"
    event.status = .tentative
    event.isBusy = false
    event.classification = .confidential
    event.color = EventColor(red: 1, green: 2, blue: 3)
    event.categories = ["x", "y, z"]
    event.organizer = Attendee(address: "mailto:o@x", name: "O \"Q\": R")
    event.attendees = [Attendee(address: "mailto:p@x", name: "P^", participation: "declined")]
    event.alarms = [
      Alarm(
        id: "1", trigger: .fromStart(CalendarDuration(days: -1)), repeatCount: 2,
        repeatInterval: CalendarDuration(seconds: 300), text: "soon",
        acknowledged: Timestamp(seconds: 1)),
      Alarm(id: "abc", action: .email, trigger: .fromEnd(.zero), text: "mail"),
    ]
    event.sequence = 4
    event.created = Timestamp(seconds: 1_700_000_000)
    event.lastModified = Timestamp(seconds: 1_700_000_001)
    var read = try again(event)
    #expect(writeComponent(event) == read.component)
    read.component = ""
    #expect(read == event)
  }

  @Test func `an override is written with the instance that it stands for`() throws {
    var event = Event(uid: EventUID("o"), start: .date(try CivilDate(text: "20240105")))
    event.recurrenceID = .date(try CivilDate(text: "20240104"))
    event.appliesToFuture = true
    #expect(
      writeComponent(event).contains("RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20240104\r\n"))
    #expect(try again(event).recurrenceID == event.recurrenceID)
  }

  @Test func `text cannot break out of its line`() throws {
    var event = Event(uid: EventUID("u\r\nX:1"), start: .date(try CivilDate(text: "20240105")))
    event.summary = "a\r\nEND:VEVENT\r\nBEGIN:VEVENT"
    event.url = "https://x\r\nX-EVIL:1"
    event.attendees = [Attendee(address: "mailto:a\r\nX-EVIL:1", name: "n\r\nX-EVIL:1\"")]
    let text = writeComponent(event)
    #expect(!text.contains("\r\nX-EVIL"))
    #expect(try again(event).summary == "a\nEND:VEVENT\nBEGIN:VEVENT")
  }

  @Test func `a component that cannot be read is written anew`() throws {
    var event = Event(uid: EventUID("u"), start: .date(try CivilDate(text: "20240105")))
    event.component = "BEGIN:VTODO\r\nEND:VTODO\r\n"
    #expect(writeComponent(event).hasPrefix("BEGIN:VEVENT\r\nUID:u\r\n"))
  }

  // MARK: To-dos

  private func toDo(_ lines: String...) throws -> Event {
    let text = (["BEGIN:VCALENDAR", "BEGIN:VTODO"] + lines + ["END:VTODO", "END:VCALENDAR"])
      .joined(separator: "\r\n")
    let series = try #require(try read(text).series.first)
    return try #require(series.components.first)
  }

  @Test func `a to-do without text is written anew, and read as the same`() throws {
    var event = Event(
      uid: EventUID("t"), start: .date(try CivilDate(text: "20240105")), summary: "Rent")
    event.kind = .toDo(
      ToDo(
        status: .inProcess, completed: Timestamp(seconds: 1_704_456_000), percentComplete: 50,
        priority: 1))
    event.lastModified = Timestamp(seconds: 0)
    for anchor in [Event.Anchor.start, .due, .none] {
      event.anchor = anchor
      event.end = anchor == .start ? .time(.date(try CivilDate(text: "20240107"))) : .none
      if anchor == .none { event.start = Event.noStart }
      let text = writeComponent(event)
      var found = try again(event)
      #expect(found.component == text)
      found.component = ""
      #expect(found == event, "\(text)")
    }
    #expect(
      writeComponent(event)
        == """
        BEGIN:VTODO
        UID:t
        DTSTAMP:19700101T000000Z
        SUMMARY:Rent
        STATUS:IN-PROCESS
        COMPLETED:20240105T120000Z
        PERCENT-COMPLETE:50
        PRIORITY:1
        LAST-MODIFIED:19700101T000000Z
        END:VTODO

        """.replacing("\n", with: "\r\n"))
  }

  @Test func `of a to-do that changed only the lines that say so change`() throws {
    let old = try toDo(
      "UID:a", "DTSTAMP:20240101T000000Z", "DTSTART:20240105T100000Z", "DUE:20240106T100000Z",
      "X-KEEP:1")
    #expect(changes(old, old) == [])
    var done = old
    done.kind = .toDo(
      ToDo(status: .completed, completed: Timestamp(seconds: 0), percentComplete: 100))
    #expect(
      changes(old, done) == [
        "+COMPLETED:19700101T000000Z", "+PERCENT-COMPLETE:100", "+STATUS:COMPLETED",
      ])
    var later = old
    later.end = .time(.utc(try Timestamp(text: "20240107T100000Z")))
    #expect(changes(old, later) == ["+DUE:20240107T100000Z", "-DUE:20240106T100000Z"])
    later.end = .duration(CalendarDuration(days: 1))
    #expect(changes(old, later) == ["+DURATION:P1D", "-DUE:20240106T100000Z"])
    #expect(try again(later).end == later.end)
    var reset = done
    reset.component = writeComponent(done)
    reset.kind = .toDo(ToDo())
    #expect(
      changes(reset, reset) == [
        "+PERCENT-COMPLETE:0", "+STATUS:NEEDS-ACTION", "-COMPLETED:19700101T000000Z",
        "-PERCENT-COMPLETE:100", "-STATUS:COMPLETED",
      ])
  }

  @Test(arguments: 1...200)
  func `whatever a to-do becomes is read from what is written over it`(seed: UInt64) throws {
    var random = RandomToDos(generator: SeededGenerator(seed: seed))
    var before = try random.toDo()
    before = try again(before)
    var after = try random.toDo()
    after.component = before.component
    let text = writeComponent(after)
    var found = try again(after)
    #expect(found.component == text, "seed \(seed)")
    found.component = after.component
    #expect(found == after, "seed \(seed): \(text)")
  }

  @Test func `a to-do that is given another due date keeps the property that says it`() throws {
    let old = try toDo("UID:a", "DTSTAMP:20240101T000000Z", "DUE;VALUE=DATE:20240105", "X-KEEP:1")
    var later = old
    later.start = .date(try CivilDate(text: "20240108"))
    #expect(changes(old, later) == ["+DUE;VALUE=DATE:20240108", "-DUE;VALUE=DATE:20240105"])
    later.anchor = .none
    later.start = Event.noStart
    #expect(changes(old, later) == ["-DUE;VALUE=DATE:20240105"])
  }

  @Test func `an alarm at a local time stays as it came`() throws {
    let old = try event(
      "UID:a", "DTSTAMP:20240101T000000Z", "DTSTART;TZID=Asia/Tokyo:20240105T100000",
      "BEGIN:VALARM", "TRIGGER;VALUE=DATE-TIME:20240105T080000", "END:VALARM")
    #expect(old.alarms.first?.trigger == .absolute(try Timestamp(text: "20240104T230000Z")))
    #expect(changes(old, old) == [])
  }
}

/// To-dos of every form, the same for the same seed.
private struct RandomToDos {
  var generator: SeededGenerator

  mutating func toDo() throws -> Event {
    let day = try CivilDate(text: "2024010\(Int.random(in: 1...5, using: &generator))")
    let isDay = Bool.random(using: &generator)
    func time(_ days: Int) -> EventTime {
      let day = day.adding(days: days) ?? day
      return isDay ? .date(day) : .zoned(CivilDateTime(day, .midnight), zone: "Europe/Berlin")
    }
    var event = Event(uid: EventUID("t"), start: time(0), summary: "Rent")
    event.anchor = [.start, .due, .none].randomElement(using: &generator) ?? .start
    switch (event.anchor, Int.random(in: 0...2, using: &generator)) {
    case (.start, 0): event.end = .time(time(3))
    case (.start, 1): event.end = .duration(CalendarDuration(days: 2))
    case (.none, _): event.start = Event.noStart
    default: break
    }
    event.kind = .toDo(
      ToDo(
        status: ToDo.Status.allCases.randomElement(using: &generator) ?? .needsAction,
        completed: Bool.random(using: &generator) ? Timestamp(seconds: 1_704_456_000) : nil,
        percentComplete: Int.random(in: 0...100, using: &generator),
        priority: Int.random(in: 0...9, using: &generator)))
    return event
  }
}
