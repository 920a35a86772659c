import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

/// The only event of a text with these alarms.
private func event(uid: String = "tea", _ lines: String...) throws -> Event {
  let text =
    (["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:\(uid)", "DTSTART:20240105T100000Z", "SUMMARY:Tea"]
    + lines + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\r\n")
  return try #require(try read(text).series.first?.components.first)
}

private func again(_ event: Event) throws -> Event {
  let text = "BEGIN:VCALENDAR\r\n\(writeComponent(event))END:VCALENDAR\r\n"
  return try #require(try read(text).series.first?.components.first)
}

private let bare = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "END:VALARM"]
private let noon = Timestamp(seconds: 1_704_456_000)

private func snooze(of id: String) -> Alarm {
  Alarm(id: "datebook-snooze-1", trigger: .absolute(noon), text: "Tea", snoozeOf: id)
}

// Source: RFC 9074 sections 4, 6 and 7.
@Suite struct `Snoozes in calendar text` {
  @Test func `an alarm that one speaks of gets a name, and keeps its number here`() throws {
    for uid in ["tea", "a, b;c\\d"] {
      var event = try event(
        uid: escapedText(uid), bare[0], bare[1], bare[2], bare[3], "BEGIN:VALARM", "ACTION:AUDIO",
        "TRIGGER:PT0S", "END:VALARM")
      event.alarms[1].acknowledged = noon
      event.alarms.append(snooze(of: "2"))
      let text = writeComponent(event).replacing("\r\n ", with: "")
      let escaped = escapedText(event.uid.text)
      #expect(text.contains("\r\nUID:alarm-2-of-\(escaped)\r\n"))
      #expect(text.contains("\r\nRELATED-TO;RELTYPE=SNOOZE:alarm-2-of-\(escaped)\r\n"))
      #expect(text.contains("\r\nACKNOWLEDGED:20240105T120000Z\r\n"))
      #expect(!text.contains("alarm-1-of"))
      let read = try again(event)
      #expect(read.alarms.map(\.id) == ["1", "2", "datebook-snooze-1"])
      #expect(read.alarms == event.alarms)
    }
  }

  @Test func `one without a text to start from is named the same way`() throws {
    var event = try event(bare[0], bare[1], bare[2], bare[3])
    event.component = ""
    event.alarms[0].text = "Tea"
    event.alarms.append(snooze(of: "1"))
    #expect(try again(event).alarms == event.alarms)
  }

  @Test func `an alarm with a name of its own keeps it`() throws {
    var event = try event(bare[0], "UID:a\\,1", bare[1], bare[2], bare[3])
    let id = event.alarms[0].id
    event.alarms.append(snooze(of: id))
    let text = writeComponent(event)
    #expect(text.contains("RELATED-TO;RELTYPE=SNOOZE:a\\,1\r\n"))
    #expect(try again(event).alarms[1].snoozeOf == id)
  }

  @Test func `a name that is like ours and of another event is a name`() throws {
    for uid in [
      "alarm-1-of-cake", "alarm-0-of-tea", "alarm-01-of-tea", "alarm--of-tea", "alarm-of-tea",
    ] {
      let event = try event(bare[0], "UID:\(uid)", bare[1], bare[2], bare[3])
      #expect(event.alarms.map(\.id) == [uid])
    }
  }

  @Test func `another relation is none, and RELTYPE is read in any case`() throws {
    let event = try event(
      bare[0], "RELATED-TO:x", bare[1], bare[2], bare[3],
      bare[0], "RELATED-TO;RELTYPE=PARENT:x", bare[1], bare[2], bare[3],
      bare[0], "related-to;reltype=snooze:x", bare[1], bare[2], bare[3])
    #expect(event.alarms.map(\.snoozeOf) == [nil, nil, "x"])
  }

  @Test func `a number that is kept gives way to none that is counted`() throws {
    let named = ["BEGIN:VALARM", "UID:alarm-2-of-tea", "TRIGGER:-PT9M", "END:VALARM"]
    let event = try event(
      named[0], named[1], named[2], named[3], bare[0], bare[1], bare[2], bare[3])
    #expect(event.alarms.map(\.id) == ["2", "3"])
    #expect(try again(event).alarms == event.alarms)
  }
}
