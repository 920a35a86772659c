import CalendarBus
import DBus
import Platform
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// What an import of a text answers: the counts, by calendar as well, and each problem in one line.
  fileprivate func answers(_ text: String, mode: String, isDryRun: Bool) throws -> [String] {
    let path = try files.write(text, to: "text.ics")
    let answer = try beginImport(
      try .opening(path), mode: mode,
      ("dry-run", .boolean(isDryRun)), ("by-calendar", .boolean(true)))
    let values = try finishImport(answer)
    let problems = (values[1].asArray ?? []).map { row in
      // A copy has another uid each time.
      let uid = mode == "copy" ? "" : row["uid"]?.asString ?? ""
      return "\(row["line"]?.asInteger ?? -1):\(row["column"]?.asInteger ?? -1) "
        + "\(row["problem"]?.asString ?? ""): \(row["summary"]?.asString ?? "") (\(uid)): "
        + "\(row["text"]?.asString ?? "") \(row["refused"] == .boolean(true) ? "refused" : "kept")"
    }
    return ["\(values[0])"] + problems
  }
}

/// A text, what is there before it, and the words of some problems that merge has with it.
private struct Case: Sendable, CustomTestStringConvertible {
  let name: String
  let before: [String]
  let text: String
  let words: [String]

  init(_ name: String, before: [String] = [], _ text: String, tells words: String...) {
    (self.name, self.before, self.text, self.words) = (name, before, text, words)
  }

  var testDescription: String { name }
}

/// Others, and so long that a thread reads it.
private let longOthers =
  manyOthers
  + component(
    "long", "DTSTART:20261201T120000Z", "DESCRIPTION:" + String(repeating: "x", count: 65_536))

private func series(_ sequence: Int, _ lines: String...) -> String {
  component(
    "s",
    (["SEQUENCE:\(sequence)", "SUMMARY:Daily"]
      + (lines.isEmpty
        ? ["DTSTART;TZID=Europe/Berlin:20261201T090000", "RRULE:FREQ=DAILY;COUNT=5"] : lines))
      .joined(separator: "\r\n"))
}

private func exception(
  _ sequence: Int, _ id: String = ";TZID=Europe/Berlin:20261202T090000", _ summary: String = "Moved"
) -> String {
  component(
    "s", "SEQUENCE:\(sequence)", "SUMMARY:\(summary)", "RECURRENCE-ID\(id)",
    "DTSTART;TZID=Europe/Berlin:20261202T150000")
}

private func cancellation(_ sequence: Int, _ lines: String...) -> String {
  message(
    "CANCEL",
    component("s", (["SEQUENCE:\(sequence)"] + lines).joined(separator: "\r\n"))
      .replacing("DTSTAMP:20260101", with: "DTSTAMP:20261120"))
}

private let backup = "X-DATEBOOK-CALENDAR:personal\r\n"

@Suite struct `What a dry run says` {
  private static let later = "RECURRENCE-ID" + third
  private static let third = ";TZID=Europe/Berlin:20261203T090000"
  private static let elsewhere = series(
    2, "DTSTART:20261201T100000Z", "RRULE:FREQ=DAILY;COUNT=5")
  private static let newer = series(
    2, "LAST-MODIFIED:20261110T080000Z", "DTSTART;TZID=Europe/Berlin:20261201T090000",
    "RRULE:FREQ=DAILY;COUNT=5")
  private static let cases = [
    Case("a late exception of a new series", calendar(series(1), manyOthers, exception(1))),
    Case(
      "two spellings of one, one of them late",
      calendar(series(1), exception(2), manyOthers, exception(1, ":20261202T080000Z", "Other")),
      tells: "duplicate-uid"),
    Case(
      "a late exception that is older than the one here",
      before: [calendar(series(1), exception(3))],
      calendar(series(1), manyOthers, exception(2)), tells: "older"),
    Case(
      "a late exception for which the newer series here has none",
      before: [
        calendar(series(2, "DTSTART:20261201T100000Z", "RRULE:FREQ=DAILY;COUNT=5"))
      ],
      calendar(series(1), manyOthers, exception(1)), tells: "no-occurrence"),
    Case(
      "the same of a series that came in parts, of which the first is new",
      before: [calendar(series(1), exception(1))],
      calendar(
        series(2, "DTSTART:20261201T100000Z", "RRULE:FREQ=DAILY;COUNT=5"), manyOthers,
        exception(1, ":20261203T100000Z"), exception(1))),
    Case(
      "a late series that is on other days than its exceptions here",
      before: [calendar(series(1), exception(1))],
      message(
        "REQUEST", exception(2, ":20261205T100000Z"), manyOthers,
        series(2, "DTSTART:20261201T100000Z", "RRULE:FREQ=DAILY;COUNT=5")),
      tells: "exceptions-gone"),
    Case(
      "an answer to what is not here and one to what comes with it",
      calendar(series(1), exception(1)) + message("REPLY", exception(1), component("q")),
      tells: "answer"),
    Case(
      "an answer to what is here", before: [calendar(series(1))], message("REPLY", exception(2)),
      tells: "answer"),
    Case(
      "two versions of a series, of which the newer has no day for an exception",
      calendar(series(1), exception(1), elsewhere), tells: "detached"),
    Case(
      "the same, the newer one late",
      calendar(series(1), exception(1), manyOthers, elsewhere), tells: "detached"),
    Case(
      "the same over what is here", before: [calendar(series(1), exception(2))],
      calendar(series(1), elsewhere), tells: "detached"),
    Case(
      "a newer series without exceptions that are here, of which one is late",
      before: [calendar(series(1), exception(1), exception(1, third, "Third"))],
      calendar(newer, manyOthers, exception(1)), tells: "exceptions-gone"),
    Case(
      "a newer series without an exception that is here",
      before: [calendar(series(1), exception(1))], calendar(newer), tells: "exceptions-gone"),
    Case(
      "a late series that is older than the one here", before: [calendar(series(3))],
      calendar(exception(4), manyOthers, series(2)), tells: "older"),
    Case(
      "what is cancelled by the same text", calendar(series(1)) + cancellation(2),
      tells: "cancellation"),
    Case(
      "what is cancelled by the same text and is here", before: [calendar(series(1))],
      calendar(series(2)) + cancellation(3), tells: "cancellation"),
    Case(
      "what was cancelled by the same text before",
      before: [calendar(series(1), exception(1)) + cancellation(2)],
      calendar(series(1), exception(1)) + cancellation(2)),
    Case(
      "what is cancelled by a text with a part of it late",
      calendar(series(1), manyOthers, exception(1)) + cancellation(2, later),
      tells: "cancellation"),
    Case(
      "what a text with more of it cancels, of the same and of none",
      calendar(longOthers, series(2))
        + cancellation(1) + cancellation(3, later)
        + cancellation(3, "RECURRENCE-ID:20271203T080000Z"),
      tells: "older", "cancellation", "nothing-to-cancel"),
    Case(
      "a late exception in a zone of the file, read with METHOD at its end",
      before: [
        calendar(zoneComponent("Own", "+0500"), series(1, "DTSTART;TZID=Own:20261201T090000"))
      ],
      calendar(
        zoneComponent("Own", "+0100"),
        series(1, "DTSTART;TZID=Own:20261201T090000", "RRULE:FREQ=DAILY;COUNT=5"), longOthers,
        exception(1, ";TZID=Own:20261202T090000"), exception(2, ":20261202T080000Z"),
        "METHOD:PUBLISH\r\n")),
    Case(
      "a backup of what is in another calendar now, with a late exception",
      before: [calendar("X-WR-CALNAME:Work\r\n", series(1))],
      calendar(backup, series(2), manyOthers, exception(1))
        + calendar(
          "X-DATEBOOK-CALENDAR:new\r\nNAME:New\r\n", component("n", "DTSTART:20261201T090000Z")),
      tells: "in-other-calendar"),
    Case(
      "more of a calendar itself than is kept",
      calendar(
        "X-MUCH:" + String(repeating: "x", count: 70_000) + "\r\n", series(1)),
      tells: "too-large"),
  ]

  private static let modes = ["merge", "replace", "skip-existing", "copy"]

  @Test(arguments: cases, modes.prefix(rounds(1, long: 4)))
  private func `is what the import does`(one: Case, mode: String) throws {
    let agent = try AgentUnderTest()
    try agent.createCalendar("Work")
    for text in one.before { _ = try agent.importing(text) }
    let before = try agent.exportedText() + agent.exportedText(of: "work")
    let dry = try agent.answers(one.text, mode: mode, isDryRun: true)
    #expect(try agent.exportedText() + agent.exportedText(of: "work") == before)
    let real = try agent.answers(one.text, mode: mode, isDryRun: false)
    #expect(dry == real)
    guard mode == "merge" else { return }
    for word in one.words {
      #expect(real.contains { $0.contains(" \(word): ") }, "\(word): \(real)")
    }
  }
}
