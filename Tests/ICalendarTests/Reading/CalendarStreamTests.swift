import CalendarModel
import CivilTime
import TestSupport
import Testing

@testable import ICalendar

@Suite struct `Reading a calendar part by part` {
  private func event(_ uid: String, _ lines: String...) -> String {
    "BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTART:20261121T090000Z\r\n"
      + lines.map { $0 + "\r\n" }.joined() + "END:VEVENT\r\n"
  }

  private func text(_ events: [String]) -> [UInt8] {
    Array(
      ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + events.joined() + "END:VCALENDAR\r\n").utf8)
  }

  private func stream(_ text: [UInt8]) throws -> CalendarStream {
    try CalendarStream(text, calendar: CalendarID("tests"), zones: FixedZones.shared)
  }

  @Test func `it gives the same series in the same order`() throws {
    var events = (0..<300).map { event("u\($0)", "SUMMARY:\($0)") }
    events.insert(
      event("u7", "RECURRENCE-ID:20261121T090000Z", "SUMMARY:changed"), at: 12)
    events.insert("BEGIN:VEVENT\r\nUID:bad\r\nEND:VEVENT\r\n", at: 200)
    let text = text(events)
    let whole = try readCalendar(text, calendar: CalendarID("tests"), zones: FixedZones.shared)
    var stream = try stream(text)
    var series: [EventSeries] = []
    while true {
      let some = stream.next(50)
      if some.isEmpty { break }
      series += some
    }
    #expect(series.map(\.components) == whole.series.map(\.components))
    let rest = try stream.rest()
    #expect(rest.series.isEmpty && stream.late.isEmpty)
    #expect(rest.skipped == 1 && rest.problems.map(\.word) == whole.problems.map(\.word))
  }

  @Test func `what belongs to a series of long before comes at the end and joins it`() throws {
    var events = (0..<300).map { event("u\($0)", "SUMMARY:\($0)", "DTSTAMP:20260102T000000Z") }
    events.append(event("u3", "RECURRENCE-ID:20261121T090000Z", "SUMMARY:changed"))
    events.append(event("u4", "SUMMARY:older", "DTSTAMP:20260101T000000Z"))
    events.append(event("u5", "SUMMARY:newer", "DTSTAMP:20260103T000000Z"))
    let text = text(events)
    let whole = try readCalendar(text, calendar: CalendarID("tests"), zones: FixedZones.shared)
    var stream = try stream(text)
    var series: [EventSeries] = []
    while true {
      let some = stream.next(50)
      if some.isEmpty { break }
      series += some
    }
    let late = try stream.rest().series
    #expect(late.map(\.uid.text) == ["u3", "u5"])
    for one in late {
      let place = try #require(series.firstIndex { $0.uid == one.uid })
      series[place] = series[place].joined(by: one)
    }
    #expect(series.map(\.components) == whole.series.map(\.components))
  }

  /// Components of few UIDs in any order: versions, exceptions, others of the UID, and broken ones.
  private func randomText(_ random: inout SeededGenerator) -> [UInt8] {
    func one(_ texts: String...) -> String { texts.randomElement(using: &random) ?? "" }
    let components = (0..<Int.random(in: 1...40, using: &random)).map { _ in
      let kind = one("VEVENT", "VEVENT", "VEVENT", "VEVENT", "VTODO")
      let lines = [
        "UID:u\(Int.random(in: 0..<8, using: &random))",
        one(
          "DTSTART:20261121T090000Z", "DTSTART:20261121T090000Z", "DTSTART:20261122T090000Z",
          "DTSTART:soon"),
        one("", "", "RECURRENCE-ID:20261121T090000Z", "RECURRENCE-ID:20261122T090000Z"),
        one("RRULE:FREQ=DAILY;COUNT=3", ""), one("", "SEQUENCE:1", "SEQUENCE:2"),
        one(
          "", "DTSTAMP:20260101T000000Z", "DTSTAMP:20260102T000000Z", "DTSTAMP:20260102T000000",
          "DTSTAMP:20260101", "DTSTAMP:20260101T000000Z:20260109T000000Z"),
        one("", "LAST-MODIFIED:20260101T000000Z"), "SUMMARY:\(one("A", "A", "B"))",
      ].filter { !$0.isEmpty }
      return (["BEGIN:\(kind)"] + lines + ["END:\(kind)", ""]).joined(separator: "\r\n")
    }
    return text(components)
  }

  @Test func `in pieces of any length it gives what it does at once`() throws {
    for seed in 0..<UInt64(rounds(80, long: 400)) {
      var random = SeededGenerator(seed: seed)
      let text = randomText(&random)
      let whole = try readCalendar(text, calendar: CalendarID("tests"), zones: FixedZones.shared)
      var stream = try CalendarStream(
        text, calendar: CalendarID("tests"), zones: FixedZones.shared,
        heldBack: .random(in: 0...4, using: &random))
      var series: [EventSeries] = []
      while !stream.isAtEnd { series += stream.next(.random(in: 1...5, using: &random)) }
      let rest = try stream.rest()
      for late in rest.series {
        let place = try #require(series.firstIndex { $0.uid == late.uid }, "seed \(seed)")
        series[place] = series[place].joined(by: late)
      }
      #expect(
        series.map(\.components) == whole.series.map(\.components),
        "seed \(seed): \(String(decoding: text, as: UTF8.self))")
      #expect(rest.skipped == whole.skipped, "seed \(seed)")
      #expect(rest.problems.map(\.line) == whole.problems.map(\.line), "seed \(seed)")
    }
  }

  @Test func `of long series few are read at once, and few are held back`() throws {
    let long = String(repeating: "x", count: 100_000)
    var stream = try stream(text((0..<100).map { event("u\($0)", "DESCRIPTION:\(long)") }))
    var (offset, handedOver) = (0, 0)
    while !stream.isAtEnd {
      handedOver += stream.next(100).count
      // A quarter of a megabyte, and the rest of a series.
      #expect(stream.offset - offset < 400_000)
      offset = stream.offset
      #expect(handedOver >= offset / 100_100 - 7)
    }
    #expect(handedOver == 100)
  }

  @Test(arguments: [0, 300])
  func `of exceptions that are too many the first are kept, and that is told`(between: Int) throws {
    var limits = ReadLimits()
    limits.maximumExceptions = 3
    let exceptions = (1...5).map {
      event("a", "RECURRENCE-ID:2026011\($0)T090000Z")
    }
    // Far behind, too.
    let others = (0..<between).map { event("o\($0)") }
    let text = text([event("a", "RRULE:FREQ=DAILY")] + others + exceptions)
    var stream = try CalendarStream(
      text, calendar: CalendarID("tests"), zones: FixedZones.shared, limits: limits)
    var series: [EventSeries] = []
    while !stream.isAtEnd { series += stream.next(10) }
    let rest = try stream.rest()
    let kept = (series + rest.series).filter { $0.uid.text == "a" }.flatMap(\.overrides)
    #expect(kept.count == 3)
    #expect(rest.skipped == 2)
    #expect(rest.problems.filter { $0.word == "too-many-exceptions" }.count == 1)
  }

  @Test func `a text whose zone was named behind its times is read with that from the beginning`()
    throws
  {
    let text = text([
      event("a").replacing("090000Z", with: "090000"), "X-WR-TIMEZONE:Europe/Berlin\r\n",
    ])
    var first = try stream(text)
    #expect(first.next(10).first?.master?.start.zoneName == nil)
    var second = try CalendarStream(
      text, calendar: CalendarID("tests"), zones: FixedZones.shared,
      known: first.late)
    #expect(second.next(10).first?.master?.start.zoneName == "Europe/Berlin")
    #expect(second.late.isEmpty)
  }

  @Test func `a zone that is named behind events is told at the end`() throws {
    var stream = try stream(
      text([event("a"), "X-WR-TIMEZONE:Europe/Berlin\r\n"]))
    #expect(stream.next(10).count == 1)
    #expect(stream.isAtEnd && stream.next(10).isEmpty)
    #expect(stream.late == [1: LateProperties(zone: "Europe/Berlin")])
  }

  @Test func `a text without a calendar is refused at its end`() throws {
    var stream = try stream(Array("<html>".utf8))
    #expect(stream.next(10).isEmpty)
    #expect(throws: CalendarTextError.self) { try stream.rest() }
  }
}
