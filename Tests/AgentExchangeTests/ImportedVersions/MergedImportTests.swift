import CalendarBus
import DBus
import TestSupport
import Testing

@testable import AgentSupport

extension AgentUnderTest {
  /// What merging a text answers: added, updated, skipped, failed; and the words of the problems.
  fileprivate func merge(_ text: String) throws -> (counts: [Int64], problems: [String]) {
    let (counts, problems) = try importing(text)
    return (counts, problems.map { $0["problem"]?.asString ?? "" })
  }

  fileprivate func text(_ format: String = "ics") throws -> String {
    try call(Contract.transfer, "ExportText", [.string(format), .string(""), .string("")])[0]
      .asString ?? ""
  }
}

/// A series of three days, of which one file moves the second to 15:00, and a later one does not.
@Suite struct `A newer version of a series without an exception` {
  private func series(_ sequence: Int, changed day: Int) -> String {
    component(
      "s", "SEQUENCE:\(sequence)", "LAST-MODIFIED:202611\(day)T080000Z", "SUMMARY:Daily",
      "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=3")
  }
  private func exception(changed day: Int) -> String {
    component(
      "s", "LAST-MODIFIED:202611\(day)T080000Z", "SUMMARY:Moved", "RECURRENCE-ID:20261202T090000Z",
      "DTSTART:20261202T150000Z")
  }
  private func titles(_ agent: AgentUnderTest) throws -> [String] {
    try agent.summaries(from: "2026-12-01", to: "2026-12-04")
  }

  @Test func `an exception of a day that was removed here is told, and shown once that is back`()
    throws
  {
    let agent = try AgentUnderTest()
    let daily = component(
      "s", "DTSTART:20261202T090000Z", "RRULE:FREQ=DAILY;COUNT=4", "SUMMARY:Daily")
    _ = try agent.importing(calendar(daily))
    _ = try agent.call(
      Contract.events, "Remove", ["s", "20261203T090000Z", "this"].map(Value.string))
    let outcome = try agent.importTelling(
      calendar(
        component(
          "s", "SEQUENCE:9", "LAST-MODIFIED:20270101T000000Z", "RECURRENCE-ID:20261203T090000Z",
          "DTSTART:20261203T150000Z", "SUMMARY:Moved"),
        component("s", "SEQUENCE:9", "RECURRENCE-ID:20261204T090000Z", "DTSTART:20261204T150000Z")))
    #expect(
      outcome.problems == [
        "0:0 taken-out: 1 changed occurrence is on a day that was removed from the series, and stays "
          + "removed; restore brings it back: 2026-12-03T09:00:00"
      ])
    _ = try agent.call(
      Contract.events, "Update",
      [.string("s"), .string(""), .string(""), .row([("exdate", .strings([]))])])
    #expect(try agent.summaries(from: "2026-12-03", to: "2026-12-04") == ["Moved"])
  }

  @Test func `an exception that is older than it goes`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(calendar(series(1, changed: 10), exception(changed: 11)))
    #expect(try titles(agent) == ["Daily", "Moved", "Daily"])
    #expect(try agent.merge(calendar(series(2, changed: 12))).counts == [0, 1, 0, 0])
    #expect(try titles(agent) == ["Daily", "Daily", "Daily"])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try titles(agent) == ["Daily", "Moved", "Daily"])
  }

  @Test(arguments: ["", "PUBLISH"])
  func `each that goes is told`(method: String) throws {
    let agent = try AgentUnderTest()
    let other = component(
      "s", "LAST-MODIFIED:20261111T080000Z", "SUMMARY:Other", "RECURRENCE-ID:20261203T090000Z",
      "DTSTART:20261203T160000Z")
    _ = try agent.merge(calendar(series(1, changed: 10), exception(changed: 11), other))
    let newer = calendar(series(1, changed: 12), other)
    let outcome = try agent.importTelling(method.isEmpty ? newer : newer.sent(by: method))
    #expect(outcome.counts == [0, 1, 0, 0])
    #expect(
      outcome.problems == [
        "0:0 exceptions-gone: removed 1 changed occurrence that the newer version does not have: "
          + "2026-12-02T09:00:00"
      ])
    #expect(try titles(agent) == ["Daily", "Daily", "Other"])
    let last = try agent.importTelling(calendar(series(2, changed: 13)))
    #expect(last.problems.count == 1)
    #expect(try titles(agent) == ["Daily", "Daily", "Daily"])
  }

  @Test(arguments: [false, true])
  func `with replace each that the file does not have goes, and is told`(isFar: Bool) throws {
    let agent = try AgentUnderTest()
    let third = component(
      "s", "LAST-MODIFIED:20261119T080000Z", "SUMMARY:Third", "RECURRENCE-ID:20261203T090000Z",
      "DTSTART:20261203T160000Z")
    _ = try agent.merge(calendar(series(1, changed: 10), exception(changed: 11), third))
    // It has the other one, in another spelling.
    let kept = exception(changed: 11).replacing(
      ":20261202T090000Z", with: ";TZID=Europe/Berlin:20261202T100000")
    let text = calendar(series(1, changed: 10), isFar ? manyOthers : "", kept)
    let outcome = try agent.importTelling(text, mode: "replace")
    #expect(
      outcome.problems == [
        "0:0 exceptions-gone: removed 1 changed occurrence that the file does not have: "
          + "2026-12-03T09:00:00"
      ])
    #expect(try titles(agent) == ["Daily", "Moved", "Daily"])
    #expect(try agent.importTelling(text, mode: "replace").problems.isEmpty)
    // What speaks of one occurrence alone takes no others.
    #expect(
      try agent.importTelling(calendar(exception(changed: 12)), mode: "replace").problems.isEmpty)
  }

  @Test func `one that was changed later and has no day any more stays, and that is told`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(calendar(series(1, changed: 10), exception(changed: 13)))
    let moved = calendar(series(2, changed: 12).replacing("T090000Z", with: "T100000Z"))
    let outcome = try agent.importTelling(moved)
    #expect(outcome.counts == [0, 1, 0, 0])
    #expect(
      outcome.problems == [
        "0:0 detached: kept 1 changed occurrence although the newer version of the series no longer "
          + "has its day; remove it if you do not want it: 2026-12-02T09:00:00"
      ])
    #expect(try titles(agent) == ["Daily", "Daily", "Moved", "Daily"])
    #expect(try agent.merge(moved).problems.isEmpty)
    // The file's own, of one version alone, is as the file has it.
    let again = calendar(
      series(3, changed: 14).replacing("T090000Z", with: "T110000Z"), exception(changed: 15))
    #expect(try agent.merge(again).problems.isEmpty)
  }

  @Test(arguments: [
    ("CANCELLED", "kept 1 changed occurrence "), ("CONFIRMED", "kept 1001 changed occurrences "),
  ])
  func `of a great many, too, and those that are cancelled do not count`(
    status: String, told: String
  ) throws {
    let agent = try AgentUnderTest()
    let others = (0..<1000).map { number in
      let time = "20261130T\(100_000 + number / 60 * 100 + number % 60)Z"
      return component(
        "s", "LAST-MODIFIED:20261113T080000Z", "STATUS:\(status)", "RECURRENCE-ID:\(time)",
        "DTSTART:\(time)")
    }.joined()
    _ = try agent.merge(calendar(series(1, changed: 10), others, exception(changed: 13)))
    let moved = calendar(series(2, changed: 12).replacing("T090000Z", with: "T100000Z"))
    let outcome = try agent.importTelling(moved)
    #expect(outcome.problems.count == 1 && outcome.problems[0].contains(": \(told)although"))
  }

  @Test(arguments: ["merge", "replace", "copy"], [true, false])
  func `one of an older version in the same text, too`(mode: String, isFar: Bool) throws {
    let agent = try AgentUnderTest()
    let text = calendar(
      series(1, changed: 10), exception(changed: 11), isFar ? manyOthers : "",
      series(2, changed: 12).replacing("T090000Z", with: "T100000Z"))
    let outcome = try agent.importTelling(text, mode: mode)
    #expect(try titles(agent) == ["Daily", "Daily", "Moved", "Daily"])
    let told = outcome.problems.filter { $0.contains("detached") }
    #expect(told.count == 1 && told[0].hasSuffix("2026-12-02T09:00:00"), "\(outcome.problems)")
    let fitting = text.replacing("T100000Z", with: "T090000Z")
    #expect(
      try !AgentUnderTest().importTelling(fitting, mode: mode).problems
        .contains { $0.contains("detached") })
  }

  @Test func `one that the text has far behind is not told to go`() throws {
    let agent = try AgentUnderTest()
    let third = component(
      "s", "LAST-MODIFIED:20261111T080000Z", "SUMMARY:Third", "RECURRENCE-ID:20261203T090000Z",
      "DTSTART:20261203T160000Z")
    _ = try agent.merge(calendar(series(1, changed: 10), exception(changed: 11), third, manyOthers))
    let outcome = try agent.importTelling(
      calendar(series(2, changed: 12), manyOthers, exception(changed: 11)))
    #expect(
      outcome.problems == [
        "0:0 exceptions-gone: removed 1 changed occurrence that the newer version does not have: "
          + "2026-12-03T09:00:00"
      ])
    #expect(try titles(agent) == ["Daily", "Moved", "Daily"])
    let all = calendar(series(3, changed: 13), manyOthers, exception(changed: 11))
    #expect(try agent.merge(all).problems.isEmpty)
  }

  /// A version of the series that is newer, in which the exception that is here cannot be read.
  private static let broken =
    "BEGIN:VEVENT\r\nUID:s\r\nRECURRENCE-ID:20261202T090000Z\r\nDTSTART:2026"
  private static let unread = [
    // A line that breaks off, a lost END, a wrong start, and what breaks off before it has said its UID.
    calendar("<series>", broken).replacing("END:VCALENDAR\r\n", with: ""),
    calendar("<series>", broken),
    calendar(
      "<series>", broken + "\r\nBEGIN:VEVENT\r\nUID:t\r\nDTSTART:20270101\r\nEND:VEVENT\r\n"),
    calendar("<series>", broken + "\r\nEND:VEVENT\r\n"),
    calendar("<series>", "<many>", broken + "\r\nEND:VEVENT\r\n"),
    calendar("<series>", "BEGIN:VEVENT\r\nDTST").replacing("END:VCALENDAR\r\n", with: ""),
    calendar("<series>", "<many>", "BEGIN:VEVENT\r\nDTST"),
    calendar("<series>").replacing("END:VCALENDAR\r\n", with: ""),
    calendar("<series>", "<many>").replacing("END:VCALENDAR\r\n", with: ""),
    calendar("<many>", broken + "\r\nEND:VEVENT\r\n", "<many>", "<series>"),
  ]

  @Test(arguments: unread, ["merge", "replace"])
  func `what cannot be read takes no exception away, and that is told`(text: String, mode: String)
    throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.merge(calendar(series(1, changed: 10), exception(changed: 11)))
    // It is one of several that were joined: the last is whole.
    let text =
      text.replacing("<many>", with: manyOthers).replacing(
        "<series>", with: series(2, changed: 12).replacing("SUMMARY:Daily", with: "SUMMARY:Each"))
      + "\r\n" + calendar()
    let outcome = try agent.importTelling(text, mode: mode)
    #expect(outcome.counts[1] == 1)
    #expect(try titles(agent) == ["Each", "Moved", "Each"])
    let told = outcome.problems.filter { $0.contains("exceptions-") }
    #expect(
      told == [
        "0:0 exceptions-kept: kept 1 changed occurrence that may be in an unreadable part of the file: "
          + "2026-12-02T09:00:00"
      ], "\(outcome.problems)")
  }

  @Test(arguments: ["merge", "replace"], ["RECURRENCE-ID:", "RECURRENCE-ID;TZID=Europe/Berlin:"])
  func `one that has come, far behind its series, does not stay as it was`(
    mode: String, name: String
  ) throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(
      calendar(
        series(1, changed: 10), exception(changed: mode == "merge" ? 11 : 19)))
    var newer = exception(changed: 13).replacing("SUMMARY:Moved", with: "SUMMARY:Moved again")
    if name.contains("TZID") {
      newer = newer.replacing("RECURRENCE-ID:20261202T090000Z", with: name + "20261202T100000")
    }
    let text = calendar(series(2, changed: 20), manyOthers, newer)
    let outcome = try agent.importTelling(
      text.replacing("END:VCALENDAR\r\n", with: "") + calendar(), mode: mode)
    #expect(try titles(agent) == ["Daily", "Moved again", "Daily"], "\(outcome.problems)")
    #expect(!outcome.problems.contains { $0.contains("exceptions-") }, "\(outcome.problems)")
  }

  @Test func `what cannot be read of another series is no doubt about it`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(calendar(series(1, changed: 10), exception(changed: 11)))
    let outcome = try agent.merge(
      calendar(series(2, changed: 12), component("other", "DTSTART:2026")))
    #expect(outcome.problems.contains("exceptions-gone") && outcome.counts == [0, 1, 0, 1])
    #expect(try titles(agent) == ["Daily", "Daily", "Daily"])
  }

  @Test func `one that the text has far before its series stays`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(calendar(series(1, changed: 10)))
    let outcome = try agent.merge(
      calendar(exception(changed: 11), manyOthers, series(2, changed: 12)))
    #expect(outcome.problems.isEmpty)
    #expect(try titles(agent) == ["Daily", "Moved", "Daily"])
  }

  @Test(arguments: [10, 11], [":20261202T090000Z", ";TZID=Europe/Berlin:20261202T100000"])
  func `so it does where it is here already, in whatever spelling and version`(
    day: Int, name: String
  ) throws {
    let agent = try AgentUnderTest()
    let known = exception(changed: 11).replacing(":20261202T090000Z", with: name)
    _ = try agent.merge(calendar(series(1, changed: 10), known))
    let text = calendar(exception(changed: day), manyOthers, series(2, changed: 12))
    #expect(try agent.merge(text).problems == (day == 11 ? [] : ["older"]))
    #expect(try titles(agent) == ["Daily", "Moved", "Daily"])
  }

  @Test func `an older file does not bring it back, and that is told`() throws {
    let agent = try AgentUnderTest()
    let older = calendar(series(1, changed: 10), exception(changed: 11))
    _ = try agent.merge(calendar(series(2, changed: 12)))
    let (counts, problems) = try agent.merge(older)
    #expect(counts == [0, 0, 1, 0])
    #expect(problems == ["no-occurrence"])
    #expect(try titles(agent) == ["Daily", "Daily", "Daily"])
    // One that was changed after the series is an exception to it.
    let later = try agent.merge(calendar(series(1, changed: 10), exception(changed: 13)))
    #expect(later.counts == [0, 1, 0, 0])
    #expect(later.problems == ["older"])
    #expect(try titles(agent) == ["Daily", "Moved", "Daily"])
  }

  @Test func `one that comes alone to replace its occurrence leaves the others`() throws {
    let agent = try AgentUnderTest()
    let other = component(
      "s", "SUMMARY:Other", "RECURRENCE-ID:20261203T090000Z", "DTSTART:20261203T160000Z")
    _ = try agent.merge(calendar(series(1, changed: 12), exception(changed: 13), other))
    let alone = calendar(
      component(
        "s", "LAST-MODIFIED:20261101T080000Z", "SUMMARY:Alone", "RECURRENCE-ID:20261202T090000Z",
        "DTSTART:20261202T170000Z"))
    #expect(try agent.importing(alone, mode: "replace").counts == [0, 1, 0, 0])
    #expect(try titles(agent) == ["Daily", "Alone", "Other"])
  }

  @Test func `one that was changed later stays`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(calendar(series(1, changed: 10), exception(changed: 13)))
    _ = try agent.merge(calendar(series(2, changed: 12)))
    #expect(try titles(agent) == ["Daily", "Moved", "Daily"])
  }

  @Test func `the same series again, without it, takes nothing away`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(calendar(series(1, changed: 10), exception(changed: 9)))
    #expect(try agent.merge(calendar(series(1, changed: 10))).counts == [0, 0, 1, 0])
    #expect(try titles(agent) == ["Daily", "Moved", "Daily"])
  }

  @Test func `a request may be for the series alone`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(calendar(series(1, changed: 10), exception(changed: 11)))
    let request = calendar(series(2, changed: 12)).sent(by: "REQUEST")
    #expect(try agent.merge(request).counts == [0, 1, 0, 0])
    #expect(try titles(agent) == ["Daily", "Moved", "Daily"])
  }
}

/// Three days at nine in UTC, the second and the third at 15:00; what the organizer sends then.
@Suite struct `A request for a series that is moved` {
  private func series(_ sequence: Int, hour: String, days: Int = 3) -> String {
    component(
      "s", "SEQUENCE:\(sequence)", "SUMMARY:Daily", "ORGANIZER:mailto:ana@example.org",
      "DTSTART:20261201T\(hour)0000Z", "RRULE:FREQ=DAILY;COUNT=\(days)")
  }
  private func exception(_ day: Int, at hour: String = "09", sequence: Int = 1) -> String {
    component(
      "s", "SEQUENCE:\(sequence)", "SUMMARY:Moved \(day)",
      "RECURRENCE-ID:2026120\(day)T\(hour)0000Z", "DTSTART:2026120\(day)T150000Z")
  }
  private func agent() throws -> AgentUnderTest {
    let agent = try AgentUnderTest()
    _ = try agent.merge(
      calendar(series(1, hour: "09"), exception(2), exception(3)).sent(by: "REQUEST"))
    return agent
  }
  private func titles(_ agent: AgentUnderTest) throws -> [String] {
    try agent.summaries(from: "2026-12-01", to: "2026-12-05")
  }

  @Test func `takes the exceptions away that are on none of its days, and that is told`() throws {
    let agent = try agent()
    #expect(try titles(agent) == ["Daily", "Moved 2", "Moved 3"])
    let request = calendar(series(2, hour: "10")).sent(by: "REQUEST")
    let (counts, problems) = try agent.importing(request)
    #expect(counts == [0, 1, 0, 0])
    #expect(try titles(agent) == ["Daily", "Daily", "Daily"])
    let told = problems.filter { $0["problem"]?.asString == "exceptions-gone" }
    #expect(told.count == 1)
    #expect(
      told.first?["text"]?.asString
        == "removed 2 changed occurrences, since the organizer has moved the series to other days or "
        + "times: 2026-12-02T09:00:00, 2026-12-03T09:00:00")
    #expect(told.first?["refused"]?.asBoolean == false)
    _ = try agent.call(Contract.events, "Undo")
    #expect(try titles(agent) == ["Daily", "Moved 2", "Moved 3"])
  }

  @Test func `leaves those of days that it still has, and brings its own`() throws {
    let agent = try agent()
    let request = calendar(series(2, hour: "09", days: 2)).sent(by: "REQUEST")
    #expect(try agent.merge(request).problems.contains("exceptions-gone"))
    #expect(try titles(agent) == ["Daily", "Moved 2"])
    let sentAgain = calendar(series(3, hour: "10"), exception(3, at: "10", sequence: 3))
    #expect(try agent.merge(sentAgain.sent(by: "REQUEST")).counts == [0, 1, 0, 0])
    #expect(try titles(agent) == ["Daily", "Daily", "Moved 3"])
  }

  @Test func `leaves what is newer than it, and all where its SEQUENCE is no higher`() throws {
    let agent = try agent()
    let newer = calendar(exception(3, sequence: 5)).sent(by: "REQUEST")
    _ = try agent.merge(newer)
    #expect(
      try !agent.merge(calendar(series(1, hour: "10")).sent(by: "REQUEST")).problems
        .contains("exceptions-gone"))
    #expect(try titles(agent).filter { $0 != "Daily" } == ["Moved 2", "Moved 3"])
    _ = try agent.merge(calendar(series(2, hour: "11")).sent(by: "REQUEST"))
    #expect(try titles(agent).filter { $0 != "Daily" } == ["Moved 3"])
  }

  @Test func `far behind others in its text goes by the same`() throws {
    let agent = try agent()
    let request = calendar(exception(1, sequence: 1), manyOthers, series(2, hour: "10"))
    #expect(try agent.merge(request.sent(by: "REQUEST")).problems.contains("exceptions-gone"))
    #expect(try titles(agent) == ["Daily", "Daily", "Daily"])
  }
}

@Suite struct `What an import leaves as it is` {
  private func meeting(_ sequence: Int, _ lines: String...) -> String {
    component(
      "m", "SEQUENCE:\(sequence)", "SUMMARY:Meeting", "DTSTART:20261201T090000Z",
      lines.joined(separator: "\r\n"))
  }
  private let bob = "ATTENDEE;PARTSTAT=DECLINED:mailto:bob@example.org"

  @Test(
    arguments: ["REPLY", "reply", "COUNTER", "REFRESH", "DECLINECOUNTER"],
    ["merge", "replace", "skip-existing"])
  func `an answer to an invitation is no version of the event`(method: String, mode: String) throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.merge(
      calendar(meeting(1, "ATTENDEE:mailto:ana@example.org", "ATTENDEE:mailto:bob@example.org")))
    let before = try agent.text()
    let ofDay = meeting(1, bob, "RECURRENCE-ID:20261201T090000Z")
    for answer in [meeting(1, bob), ofDay] {
      let (counts, problems) = try agent.importing(calendar(answer).sent(by: method), mode: mode)
      #expect(counts == [0, 0, 1, 0])
      #expect(problems.map { $0["problem"]?.asString } == ["method-ignored", "answer"])
      #expect(problems.allSatisfy { $0["advised"] == nil })
      #expect(try agent.text() == before)
    }
  }

  @Test(arguments: ["merge", "replace", "skip-existing", "copy"])
  func `an answer to what is not there is left out, and told`(mode: String) throws {
    let agent = try AgentUnderTest()
    let answer = calendar(meeting(1, bob), meeting(2, bob)).sent(by: "REPLY")
    let (counts, problems) = try agent.importing(answer, mode: mode)
    #expect(counts == [0, 0, 0, 1])
    let told = try #require(problems.first { $0["problem"]?.asString == "answer" })
    #expect(told["refused"]?.asBoolean == true)
    #expect(told["summary"]?.asString == "Meeting" && told["line"]?.asInteger == 5)
    #expect(try !agent.text().contains("VEVENT"))
  }

  @Test func `an answer to one occurrence beside its series changes nothing of that`() throws {
    let series = component(
      "m", "SUMMARY:Meeting", "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;COUNT=3")
    let answer = meeting(0, bob, "RECURRENCE-ID:20261202T090000Z").replacing("Meeting", with: "No")
    for others in ["", manyOthers] {
      let agent = try AgentUnderTest()
      let outcome = try agent.merge(
        calendar(series, others) + calendar(answer).sent(by: "REPLY"))
      #expect(outcome.counts[2...] == [0, 0])
      #expect(outcome.problems.sorted() == ["answer", "method-ignored"])
      #expect(try !agent.text().contains("SUMMARY:No"))
    }
  }

  @Test func `an answer with a busy time is kept as that`() throws {
    let agent = try AgentUnderTest()
    let busy = "BEGIN:VFREEBUSY\r\nUID:b\r\nFREEBUSY:20261201T090000Z/PT1H\r\nEND:VFREEBUSY\r\n"
    #expect(try agent.merge(calendar(busy).sent(by: "REPLY")).counts == [1, 0, 0, 0])
    #expect(try agent.text().contains("FREEBUSY:20261201T090000Z/PT1H"))
  }

  @Test func `of a long text with several methods each event goes by its own`() throws {
    let agent = try AgentUnderTest()
    let others = (0..<1000).map { component("o\($0)", "DTSTART:20261201T090000Z", "SUMMARY:Other") }
      .joined()
    _ = try agent.merge(calendar(others, meeting(1)))
    let text =
      calendar(others.replacing("Other", with: "Newer"))
      + calendar(meeting(1, bob)).sent(by: "REPLY")
    #expect(try agent.merge(text).counts == [0, 1000, 1, 0])
    #expect(try !agent.text().contains("DECLINED"))
  }

  @Test func `an answer far behind another one is an answer as well`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(calendar(meeting(1, "LOCATION:Here"), manyOthers))
    let before = try agent.text()
    _ = try agent.merge(calendar(meeting(1, bob), manyOthers, meeting(1, bob)).sent(by: "REPLY"))
    #expect(try agent.text() == before)
  }

  @Test func `an answer beside the event in one text counts for nothing`() throws {
    let agent = try AgentUnderTest()
    let answer = calendar(meeting(2, bob)).sent(by: "REPLY")
    _ = try agent.merge(calendar(meeting(1, "LOCATION:Here")) + answer)
    #expect(try agent.text().contains("LOCATION:Here"))
    _ = try agent.merge(answer + calendar(meeting(3, "LOCATION:There")))
    #expect(try agent.text().contains("LOCATION:There"))
  }

  @Test func `an exception far behind its series takes the place of an older one alone`() throws {
    func series(_ day: Int) -> String {
      component(
        "s", "LAST-MODIFIED:202611\(day)T080000Z", "SUMMARY:Daily", "DTSTART:20261201T090000Z",
        "RRULE:FREQ=DAILY;COUNT=3")
    }
    func exception(_ summary: String, _ day: Int) -> String {
      component(
        "s", "LAST-MODIFIED:202611\(day)T080000Z", "SUMMARY:\(summary)",
        "RECURRENCE-ID:20261202T090000Z", "DTSTART:20261202T090000Z")
    }
    for (theirs, title) in [(12, "Mine"), (16, "Theirs")] {
      let agent = try AgentUnderTest()
      _ = try agent.merge(calendar(series(10), exception("Mine", 15)))
      _ = try agent.merge(calendar(series(20), manyOthers, exception("Theirs", theirs)))
      #expect(
        try agent.summaries(from: "2026-12-02").filter { !$0.isEmpty } == [title], "\(theirs)")
    }
  }

  @Test func `an older version is told`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(calendar(meeting(2)))
    let outcome = try agent.merge(calendar(meeting(1)))
    #expect(outcome.counts == [0, 0, 1, 0])
    #expect(outcome.problems == ["older"])
    #expect(try agent.merge(calendar(meeting(2))).problems == [])
  }

  @Test func `its own export is what is there`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.merge(
      calendar(
        component(
          "a", #"DTSTART;TZID="Europe/Berlin":20261201T090000"#, #"SUMMARY:One\; two"#,
          "URL;VALUE=URI:https://example.org", "X-APPLE-RADIUS;VALUE=FLOAT:70.5",
          "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER;VALUE=DURATION:-PT5M",
          "END:VALARM", "SEQUENCE:2"),
        component("b", "DTSTART;VALUE=DATE:20261210T000000", "DTEND;VALUE=DATE:20261212T000000")))
    let before = try agent.text()
    let outcome = try agent.merge(before)
    #expect(outcome.counts == [0, 0, 2, 0])
    #expect(try agent.text() == before)
    let other = try AgentUnderTest()
    _ = try other.merge(before)
    let rows =
      try other.call(
        Contract.calendar, "GetOccurrences",
        [.string("2026-12-10"), .string("2026-12-13"), .row([])])[0].asArray ?? []
    #expect(rows.map { $0["all-day"]?.asBoolean } == [true])
  }
}
