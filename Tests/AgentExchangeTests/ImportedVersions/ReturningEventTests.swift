import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

/// Events that were removed here, and that a file brings again.
@Suite struct `What was removed and comes in again` {
  private let text = calendar(
    component(
      "a", "SUMMARY:Lunch", "DTSTART:20261201T090000Z", "LAST-MODIFIED:20261101T080000Z"))

  private func told(_ text: String) -> [String] { ["0:0 was-removed: it was removed on " + text] }

  private func remove(_ agent: AgentUnderTest) throws {
    _ = try agent.call(Contract.events, "Remove", ["a", "", "all"].map(Value.string))
  }

  @Test(arguments: ["", "replace", "skip-existing"])
  func `is told, with the day on which that was here`(mode: String) throws {
    let agent = try AgentUnderTest()
    #expect(try agent.importTelling(text, mode: mode).problems.isEmpty)
    // In Berlin it is half past midnight.
    try agent.advance(to: "2026-11-21T23:30:00Z")
    try remove(agent)
    let path = try agent.files.write(text, to: "a.ics")
    let dry = try agent.finishImport(
      agent.beginImport(try .opening(path), mode: mode, ("dry-run", .boolean(true))))
    #expect(ImportAnswer(dry).problems == ["0 was-removed kept"])
    let outcome = try agent.importTelling(text, mode: mode)
    #expect(outcome.counts == [1, 0, 0, 0])
    #expect(
      outcome.problems
        == told(
          "2026-11-22 and is added again; remove it once more, or undo the whole import")
    )
    // A copy is another event, and what is there was not removed.
    for mode in ["copy", mode] {
      #expect(try agent.importTelling(text, mode: mode).problems.isEmpty)
    }
  }

  @Test func `is told to be the older version, which gives way to the one of the trash as it says`()
    throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.importing(text)
    _ = try agent.call(
      Contract.events, "Update",
      [.string("a"), .string(""), .string("all"), .row([("summary", .string("Lunch with Ana"))])])
    try remove(agent)
    #expect(
      try agent.importTelling(text).problems
        == told(
          "2026-11-21 in a newer version than the file has, and is added as in the file; for the "
            + "newer version, undo the import and restore the event"))
    let days = ("2026-12-01", "2026-12-02")
    #expect(try agent.summaries(from: days.0, to: days.1) == ["Lunch"])
    _ = try agent.call(Contract.events, "Undo", [])
    _ = try agent.call(Contract.events, "Restore", [.string("a")])
    #expect(try agent.summaries(from: days.0, to: days.1) == ["Lunch with Ana"])
  }

  @Test func `is told of a changed occurrence that the file has not`() throws {
    let agent = try AgentUnderTest()
    let series = calendar(
      component(
        "a", "SUMMARY:Daily", "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=3",
        "LAST-MODIFIED:20261101T080000Z"))
    _ = try agent.importing(series)
    _ = try agent.call(
      Contract.events, "Update",
      [
        .string("a"), .string("20261202T090000Z"), .string("this"),
        .row([("summary", .string("Late"))]),
      ])
    try remove(agent)
    let problems = try agent.importTelling(series).problems
    #expect(problems.count == 1 && problems[0].contains("in a newer version than the file has"))
  }

  @Test(arguments: [1, 3, 12])
  func `is told once for all events, and once for those of which the trash has newer versions`(
    newer: Int
  ) throws {
    let agent = try AgentUnderTest()
    let text = calendar(
      (0..<300).map {
        component(
          "e\($0)", "SUMMARY:E\($0)", "DTSTART:20261201T090000Z", "LAST-MODIFIED:20261101T080000Z")
      }.joined())
    func names(_ events: Range<Int>) -> String {
      events.map { "\"E\($0)\" (e\($0))" }.joined(separator: ", ")
    }
    try agent.createCalendar("Work")
    _ = try agent.importTelling(text, into: "work")
    for number in 20..<(20 + newer) {
      _ = try agent.call(
        Contract.events, "Update",
        [
          .string("e\(number)"), .string(""), .string("all"),
          .row([("location", .string("Here"))]),
        ])
    }
    // One goes by itself, all others with their calendar on the next day.
    _ = try agent.call(Contract.events, "Remove", ["e5", "", "all"].map(Value.string))
    try agent.advance(to: "2026-11-22T09:00:00Z")
    _ = try agent.call(Contract.calendars, "Remove", ["work", "with-events"].map(Value.string))
    try agent.createCalendar("Work")
    let ofNewer =
      switch newer {
      case 1:
        "it was removed on 2026-11-22 in a newer version than the file has, and is added as in the "
          + "file; for the newer version, undo the import and restore the event"
      case 3:
        "3 of them were removed in a newer version than the file has, and are added as in the file; "
          + "for the newer versions, undo the import and restore the events: \(names(20..<23))"
      default:
        "at least 10 of them were removed in a newer version than the file has, and are added as in "
          + "the file; for the newer versions, undo the import and restore the events: "
          + names(20..<30)
      }
    #expect(
      try agent.importTelling(text, into: "work").problems == [
        "0:0 was-removed: 300 events were removed between 2026-11-21 and 2026-11-22 and are added again; "
          + "remove them once more, or undo the whole import: \(names(0..<10)) and 290 more",
        "0:0 was-removed: " + ofNewer,
      ])
  }
}
