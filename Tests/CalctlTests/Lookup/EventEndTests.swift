import CalendarBus
import CivilTime
import DBus
import Phrases
import TestSupport
import Testing

@testable import CalctlCommands

/// Saturday, 21 November 2026, 10:20:30 in Berlin.
private var phrases: PhraseReader {
  PhraseReader(
    PhraseContext(now: Timestamp(seconds: 1_795_252_830), zone: FixedZones.shared["Europe/Berlin"]),
    zones: FixedZones.shared, customs: TimeCustoms(usesTwentyFourHours: true))
}

@Suite struct `The value of --end` {
  private func end(
    _ text: String, after start: String, makesAllDay: Bool = false
  ) throws -> EventEnd? {
    EventEnd(text, after: try phrases.start(start), makesAllDay: makesAllDay, phrases)
  }

  @Test(arguments: [
    ("2026-12-05", "2026-12-06"), ("2026-12-03", "2026-12-04"), ("5 Dec", "2026-12-06"),
  ])
  func `the last day of an all-day event is sent as the day after it`(
    text: String, sent: String
  ) throws {
    let end = try #require(try end(text, after: "2026-12-03"))
    #expect(end.text == sent && end.isAllDay && end.doubt == nil && end.question == nil)
  }

  @Test func `with --all-day a time of the end is dropped, as that of the start is`() throws {
    let end = try end("2026-12-05 12:00", after: "2026-12-03 9:00", makesAllDay: true)
    #expect(end?.text == "2026-12-06" && end?.doubt == nil)
  }

  @Test(arguments: [
    ("2d", "2026-12-03"), ("+2d", "2026-12-03"), ("45m", "2026-12-03 9:00"), ("x", "2026-12-03"),
    ("2026-12-05 12:00", "2026-12-03"), ("2026-12-05", "2026-12-03 9:00"),
  ])
  func `durations, and what the agent refuses, are left to it`(text: String, start: String) throws {
    #expect(try end(text, after: start) == nil)
  }

  @Test(arguments: [
    ("2026-12-02", "2026-12-03", "The end, Wed 2 Dec 2026, is before the start, Thu 3 Dec 2026."),
    (
      "2026-12-03 13:00", "2026-12-03 14:00",
      "The end, Thu 3 Dec 2026, 13:00, is before the start, Thu 3 Dec 2026, 14:00."
    ),
  ])
  func `an end before the start is asked about`(
    text: String, start: String, question: String
  ) throws {
    let end = try #require(try end(text, after: start))
    #expect(end.doubt == .beforeStart)
    #expect(end.question?.hasPrefix(question) == true)
    #expect(end.refusal.message.hasPrefix("calctl: --end: "))
  }

  @Test func `exchanged, the start is the end`() throws {
    let day = try #require(try end("2026-12-02", after: "2026-12-03")).exchanged
    #expect(day == ("2026-12-02", "2026-12-04"))
    let time = try #require(try end("2026-12-03 13:00", after: "2026-12-03 14:00")).exchanged
    #expect(time == ("2026-12-03T13:00:00", "2026-12-03T14:00:00"))
  }

  @Test(arguments: [
    ("13:00", 23 as Int64?), ("7:00", 17), ("6:00", nil), ("2:00", nil), ("15:00", nil),
    ("2026-12-04 13:00", nil),
  ])
  func `a time alone that makes the event long is asked about`(text: String, hours: Int64?) throws {
    let end = try end(text, after: "2026-12-03 14:00")
    #expect(end?.doubt == hours.map { .long($0 * 3600) })
  }

  @Test func `an edited event begins where it is, or at its new start`() throws {
    var event = Row()
    event.set(.start, .int64(1_796_284_800))
    var changes = Row()
    func start() -> Moment? { CommandContext.start(of: event, changes, phrases) }
    #expect(start() == .instant(Timestamp(seconds: 1_796_284_800)))
    // The agent puts a part of a start together with the rest of it.
    for part in ["9:00", "2026-12-05"] {
      changes.set(.start, part)
      #expect(start() == nil)
    }
    changes.set(.start, "2026-12-05 9:00")
    #expect(start() == .local(try CivilDateTime(text: "2026-12-05T09:00:00")))
    event.set(.allDay, true)
    event.set(.startText, "2026-12-03")
    changes = Row()
    #expect(start() == .date(try CivilDate(text: "2026-12-03")))
  }
}
