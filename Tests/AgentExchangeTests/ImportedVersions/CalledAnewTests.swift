import CalendarBus
import DBus
import Testing

@testable import AgentSupport

/// What becomes of exceptions as their whole series is cancelled, and called anew after that.
@Suite struct `A series that is called anew`: CancellationSamples {
  /// The days of the series at nine, as its organizer calls it to.
  private func call(_ sequence: Int, _ lines: String...) -> String {
    message(
      "REQUEST",
      series.replacing(
        "SEQUENCE:1", with: (["SEQUENCE:\(sequence)"] + lines).joined(separator: "\r\n")
      ).replacing("DTSTAMP:20260101", with: "DTSTAMP:20261122"))
  }

  private func cancelling(_ sequence: Int, day: Int, _ lines: String...) -> String {
    calendar(cancellation("s", sequence, lines.joined(separator: "\r\n")))
      .cancelling.replacing("DTSTAMP:20261120", with: "DTSTAMP:202611\(day)")
  }

  private let third = "RECURRENCE-ID;TZID=Europe/Berlin:20261203T090000"

  /// Cancelled are the third day by itself, and all of it, once or twice; and how it is called anew.
  @Test(arguments: [[3], [3, 4]], ["STATUS:CONFIRMED", "X-NO:status"])
  func
    `has the exceptions again that went with it, and not those that were cancelled by themselves`(
      sequences: [Int], status: String
    ) throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(series, moved))
    _ = try agent.outcome(of: cancelling(2, day: 10, third))
    for sequence in sequences {
      let all = cancelling(sequence, day: 10 + sequence)
      #expect(try agent.outcome(of: all).counts == [0, 1, 0, 0])
      #expect(try agent.outcome(of: all).counts == [0, 0, 1, 0])
    }
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-05").isEmpty)
    #expect(try agent.outcome(of: call(5, status)).counts == [0, 1, 0, 0])
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2026-12-05") == ["Daily", "Moved", "Daily"])
    let text = try agent.exportedText()
    #expect(text.component(with: third).contains("STATUS:CANCELLED"))
    let own = text.component(with: "RECURRENCE-ID;TZID=Europe/Berlin:20261202T090000")
    #expect(own.contains("SUMMARY:Moved") && !own.contains("STATUS:CANCELLED"), "\(own)")
    // Again it is nothing new, and what has cancelled it before is older.
    #expect(try agent.outcome(of: call(5, status)).counts == [0, 0, 1, 0])
    for sequence in sequences {
      #expect(
        try agent.outcome(of: cancelling(sequence, day: 10 + sequence)).problems == ["5 older"])
    }
    #expect(try agent.exportedText() == text)
  }

  @Test func `is not cancelled in its exceptions by what is older than it`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(series, moved))
    _ = try agent.outcome(of: call(5))
    let before = try agent.exportedText()
    #expect(try agent.outcome(of: cancelling(3, day: 13)).problems == ["5 older"])
    #expect(try agent.exportedText() == before)
    // In one text as well, in which it stands behind what it is called to.
    let text = call(6) + cancelling(4, day: 14)
    #expect(try agent.outcome(of: text).problems.contains { $0.hasSuffix("older") })
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2026-12-05")
        == ["Daily", "Moved", "Daily", "Daily"])
  }

  @Test func `has its exceptions as they come with it`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(series, moved))
    _ = try agent.outcome(of: cancelling(3, day: 13))
    let again = moved.replacing("SEQUENCE:1", with: "SEQUENCE:5")
      .replacing("SUMMARY:Moved", with: "SUMMARY:Moved again")
    _ = try agent.outcome(
      of: call(5).replacing("END:VCALENDAR\r\n", with: again + "END:VCALENDAR\r\n"))
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2026-12-05")
        == ["Daily", "Moved again", "Daily", "Daily"])
  }

  @Test func `that stays cancelled keeps its exceptions so`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(series, moved))
    _ = try agent.outcome(of: cancelling(3, day: 13))
    _ = try agent.outcome(of: call(5, "STATUS:CANCELLED"))
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-05").isEmpty)
  }

  /// Of all days, or of the one that is an exception.
  @Test(arguments: ["", "20261202T080000Z"])
  func `has the exceptions again where something was changed here after its cancellation was sent`(
    changed: String
  ) throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(series, moved))
    _ = try agent.outcome(of: cancelling(2, day: 10, third))
    try agent.update("s", changed, "", ("reminders", .strings(["PT15M"])))
    #expect(try agent.outcome(of: cancelling(3, day: 13)).counts == [0, 1, 0, 0])
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-05").isEmpty)
    _ = try agent.outcome(of: call(5))
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2026-12-05") == ["Daily", "Moved", "Daily"])
  }

  /// Of all days, some of which have reminders of their own; of the one that is an exception; and of one that is none.
  @Test(arguments: ["", "20261202T080000Z", "20261204T080000Z"], ["PT15M", "PT20M"])
  func `has the exceptions again where something was changed here after it was cancelled`(
    changed: String, own: String
  ) throws {
    let agent = try AgentUnderTest()
    let reminding = moved.replacing(
      "END:VEVENT",
      with: "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-\(own)\r\nEND:VALARM\r\nEND:VEVENT")
    _ = try agent.outcome(of: calendar(series, reminding))
    _ = try agent.outcome(of: cancelling(2, day: 10, third))
    #expect(try agent.outcome(of: cancelling(3, day: 13)).counts == [0, 1, 0, 0])
    for reminder in ["PT15M", "PT25M"] {
      try agent.update("s", changed, "", ("reminders", .strings([reminder])))
    }
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-05").isEmpty)
    _ = try agent.outcome(of: call(5))
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2026-12-05") == ["Daily", "Moved", "Daily"])
    #expect(try agent.exportedText().component(with: third).contains("STATUS:CANCELLED"))
  }

  @Test func `has them again where a day of it was removed here after it was cancelled`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(series, moved))
    _ = try agent.outcome(of: cancelling(2, day: 10, third))
    _ = try agent.outcome(of: cancelling(3, day: 13))
    _ = try agent.call(
      Contract.events, "Remove", [.string("s"), .string("20261204T080000Z"), .string("this")])
    _ = try agent.outcome(of: call(5))
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-04") == ["Daily", "Moved"])
  }

  @Test func `has an exception again that was of a later version when replace cancelled it`() throws
  {
    let agent = try AgentUnderTest()
    let newer = moved.replacing("SEQUENCE:1", with: "SEQUENCE:4")
    _ = try agent.outcome(of: calendar(series, newer))
    _ = try agent.outcome(of: cancelling(2, day: 10, third))
    _ = try agent.outcome(of: cancelling(3, day: 13), mode: "replace")
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-05").isEmpty)
    _ = try agent.outcome(of: call(5))
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2026-12-05") == ["Daily", "Moved", "Daily"])
  }

  @Test func `has no day that was cancelled by itself, where the message names that once more`()
    throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.outcome(of: calendar(series, moved))
    _ = try agent.outcome(of: cancelling(2, day: 10, third))
    let both = calendar(cancellation("s", 3, third), cancellation("s", 3)).cancelling
    #expect(try agent.outcome(of: both).counts == [0, 1, 0, 0])
    _ = try agent.outcome(of: call(5))
    #expect(
      try agent.summaries(from: "2026-12-01", to: "2026-12-05") == ["Daily", "Moved", "Daily"])
  }

  @Test(arguments: ["TENTATIVE", "CONFIRMED"])
  func `has the exceptions with the status with which it is called`(status: String) throws {
    let agent = try AgentUnderTest()
    let tentative = moved.replacing("SUMMARY", with: "STATUS:TENTATIVE\r\nSUMMARY")
    _ = try agent.outcome(of: calendar(series, tentative))
    _ = try agent.outcome(of: cancelling(3, day: 13))
    _ = try agent.outcome(of: call(5, "STATUS:\(status)"))
    let event = try agent.event("s", "20261202T080000Z")
    #expect(event["summary"] == .string("Moved"))
    #expect(event["status"] == .string(status.lowercased()))
  }

  @Test func `of to-dos has what was done as done, and else its own status`() throws {
    func series(_ sequence: Int, _ lines: String...) -> String {
      toDo(
        "t", "SEQUENCE:\(sequence)", "SUMMARY:Water", "DTSTART:20261201T090000Z",
        "RRULE:FREQ=DAILY;COUNT=4", lines.joined(separator: "\r\n"))
    }
    func exception(_ day: Int, _ lines: String...) -> String {
      toDo(
        "t", "SEQUENCE:1", "SUMMARY:Day \(day)", "RECURRENCE-ID:2026120\(day)T090000Z",
        "DTSTART:2026120\(day)T100000Z", lines.joined(separator: "\r\n"))
    }
    let agent = try AgentUnderTest()
    let here = calendar(
      series(1, "STATUS:NEEDS-ACTION"), exception(2, "STATUS:NEEDS-ACTION"),
      exception(3, "STATUS:COMPLETED", "COMPLETED:20261120T090000Z"))
    _ = try agent.outcome(of: here)
    let off = calendar(toDo("t", "SEQUENCE:3")).cancelling
    #expect(try agent.outcome(of: off).counts == [0, 1, 0, 0])
    #expect(try agent.texts("t").map { $0.contains("STATUS:CANCELLED") } == [true, true, true])
    _ = try agent.outcome(of: message("REQUEST", series(5, "STATUS:IN-PROCESS")))
    let texts = try agent.texts("t")
    #expect(texts.filter { $0.contains("STATUS:IN-PROCESS") }.count == 2, "\(texts)")
    let done = try #require(texts.first { $0.contains("SUMMARY:Day 3") })
    #expect(done.contains("STATUS:COMPLETED") && done.contains("COMPLETED:20261120T090000Z"))
  }
}
