import CalendarBus
import CivilTime
import DBus
import TestSupport
import Testing

/// What an import answered: added, updated, skipped, failed; and line and word of the problems, without
/// the remark on METHOD.
private struct Outcome: Equatable {
  let counts: [Int64]
  let problems: [String]

  init(_ counts: [Int64], _ problems: String...) {
    (self.counts, self.problems) = (counts, problems)
  }

  init(_ values: [Value]) {
    counts = importCounts(values[0])
    problems = (values[1].asArray ?? []).compactMap { row in
      let word = row["problem"]?.asString ?? ""
      return word == "cancellation" ? nil : "\(row["line"]?.asInteger ?? -1) \(word)"
    }
  }
}

extension AgentUnderTest {
  fileprivate func take(
    _ text: String, into calendar: String = "", mode: String = ""
  ) throws -> Outcome {
    Outcome(
      try call(
        Contract.transfer, "ImportText", [.string(text), .string(calendar), .string(mode)]))
  }

  fileprivate func makeWork() throws {
    try createCalendar("Work")
  }

}

extension String {
  fileprivate var cancelling: String {
    replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nMETHOD:CANCEL\r\n")
  }

  /// With METHOD:CANCEL behind all else.
  fileprivate var cancellingLate: String {
    replacing("END:VCALENDAR\r\n", with: "METHOD:CANCEL\r\nEND:VCALENDAR\r\n")
  }

  fileprivate func named(_ name: String) -> String {
    replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nX-WR-CALNAME:\(name)\r\n")
  }

  /// In which line of a text the first component of what is joined to it with METHOD:CANCEL stands.
  fileprivate var lineOfNextCancellation: Int { split(separator: "\r\n").count + 5 }

  /// The lines of the first component with one of these.
  fileprivate func component(with line: String) -> [Substring] {
    for part in split(separator: "BEGIN:VEVENT\r\n") where part.contains(line) {
      return part.split(separator: "\r\n")
    }
    return []
  }
}

@Suite struct `A cancellation that is imported` {
  private let meeting = component(
    "m", "SEQUENCE:1", "SUMMARY:Meeting", "LOCATION:Room Ada", "DESCRIPTION:Bring the plan",
    "DTSTART;TZID=Europe/Berlin:20261201T090000", "DTEND;TZID=Europe/Berlin:20261201T100000",
    "X-KEPT;X-P=1:yes", "ATTENDEE;CN=Ana:mailto:ana@example.org",
    "ATTENDEE;CN=Bob:mailto:bob@example.org", "ORGANIZER:mailto:cy@example.org", "BEGIN:VALARM",
    "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM")
  private let series = component(
    "s", "SEQUENCE:1", "SUMMARY:Daily", "LOCATION:Room Ada",
    "DTSTART;TZID=Europe/Berlin:20261201T090000", "RRULE:FREQ=DAILY;COUNT=4",
    "X-KEPT:yes")
  private let moved = component(
    "s", "SEQUENCE:1", "SUMMARY:Moved", "LOCATION:Room Bo",
    "RECURRENCE-ID;TZID=Europe/Berlin:20261202T090000",
    "DTSTART;TZID=Europe/Berlin:20261202T150000")

  /// With as much of the event as programs send.
  private static let messages = [
    [
      "DTSTART:20261201T080000Z", "SUMMARY:Canceled: Meeting", "STATUS:CANCELLED",
      "TRANSP:TRANSPARENT",
    ], ["DTSTART:20261201T080000Z", "ATTENDEE:mailto:ana@example.org"], [],
  ]

  private func cancellation(_ uid: String, _ sequence: Int, _ lines: String...) -> String {
    component(uid, (["SEQUENCE:\(sequence)"] + lines).joined(separator: "\r\n"))
      .replacing("DTSTAMP:20260101", with: "DTSTAMP:20261120")
  }

  @Test(arguments: messages)
  func `it marks the event, which keeps all else`(lines: [String]) throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(meeting))
    let before = try agent.exportedText()
    let message = calendar(
      cancellation("m", 2, lines.joined(separator: "\r\n"))
    ).cancelling
    #expect(try agent.take(message) == Outcome([0, 1, 0, 0]))
    let after = try agent.exportedText()
    let gone = Set(before.split(separator: "\r\n")).subtracting(after.split(separator: "\r\n"))
    let new = Set(after.split(separator: "\r\n")).subtracting(before.split(separator: "\r\n"))
    #expect(gone == ["SEQUENCE:1", "DTSTAMP:20260101T000000Z"])
    #expect(
      new == [
        "SEQUENCE:2", "DTSTAMP:20261120T000000Z", "LAST-MODIFIED:20261120T000000Z",
        "STATUS:CANCELLED",
      ])
    // Once more it says nothing new; and the invitation of before brings it not back.
    #expect(try agent.take(message) == Outcome([0, 0, 1, 0]))
    #expect(try agent.take(calendar(meeting)) == Outcome([0, 0, 1, 0], "0 older"))
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText() == before)
  }

  @Test func `one of an occurrence leaves the others, and what that one is`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(series, moved))
    let message = calendar(
      cancellation("s", 2, "RECURRENCE-ID;TZID=Europe/Berlin:20261203T090000"),
      cancellation("s", 2, "RECURRENCE-ID:20261202T080000Z", "DTSTART:20261202T080000Z")
    ).cancelling
    #expect(try agent.take(message) == Outcome([0, 1, 0, 0]))
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-05") == ["Daily", "Daily"])
    let text = try agent.exportedText()
    let own = text.component(with: "RECURRENCE-ID;TZID=Europe/Berlin:20261203T090000")
    #expect(own.contains("DTSTART;TZID=Europe/Berlin:20261203T090000"))
    for line in ["SUMMARY:Daily", "LOCATION:Room Ada", "X-KEPT:yes", "STATUS:CANCELLED"] {
      #expect(own.contains(Substring(line)), "\(own)")
    }
    let other = text.component(with: "RECURRENCE-ID;TZID=Europe/Berlin:20261202T090000")
    for line in ["SUMMARY:Moved", "LOCATION:Room Bo", "STATUS:CANCELLED", "SEQUENCE:2"] {
      #expect(other.contains(Substring(line)), "\(other)")
    }
    #expect(!text.component(with: "RRULE:").contains("STATUS:CANCELLED"))
    #expect(try agent.take(message) == Outcome([0, 0, 1, 0]))
  }

  @Test func `of what is not here nothing comes, and that is told with the line`() throws {
    let agent = try AgentUnderTest()
    let message = calendar(cancellation("m", 2)).cancelling
    #expect(try agent.take(message) == Outcome([0, 0, 0, 0], "5 nothing-to-cancel"))
    _ = try agent.take(calendar(series))
    let before = try agent.exportedText()
    #expect(try agent.take(message) == Outcome([0, 0, 0, 0], "5 nothing-to-cancel"))
    let occurrence = calendar(cancellation("s", 2, "RECURRENCE-ID:20271202T080000Z")).cancelling
    #expect(try agent.take(occurrence) == Outcome([0, 0, 1, 0], "5 nothing-to-cancel"))
    #expect(try agent.exportedText() == before)
  }

  @Test(
    arguments: [
      "", "UID:\r\n", "UID:m\r\nRECURRENCE-ID:soon\r\n",
      "UID:" + String(repeating: "m", count: 1025) + "\r\n",
    ])
  func `what does not say what it is of is refused`(lines: String) throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(meeting))
    let before = try agent.exportedText()
    let message = calendar("BEGIN:VEVENT\r\n\(lines)SEQUENCE:9\r\nEND:VEVENT\r\n").cancelling
    #expect(try agent.take(message).counts == [0, 0, 0, 1])
    #expect(try agent.exportedText() == before)
  }

  /// The meeting as its organizer sends it for the first time, and after a move.
  private func invitation(_ sequence: Int, _ start: String) -> String {
    component(
      "i", "SEQUENCE:\(sequence)", "SUMMARY:Invitation", "DTSTART:\(start)",
      "ORGANIZER;CN=Cy:MAILTO:Cy@Example.org", "ATTENDEE:mailto:ana@example.org")
  }

  private func request(_ sequence: Int, _ start: String) -> String {
    calendar(invitation(sequence, start))
      .replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nMETHOD:REQUEST\r\n")
  }

  /// Source: RFC 5546 section 2.1.4.
  @Test(arguments: [[], ["ana@example.org"]])
  func `it and an update come over what an attendee changed, who does not raise SEQUENCE`(
    addresses: [String]
  ) throws {
    let agent = try AgentUnderTest(addresses: addresses)
    _ = try agent.take(request(0, "20261201T090000Z"))
    for hour in ["10", "11"] {
      try agent.update("i", "", "", ("start", .string("2026-12-01T\(hour):00:00Z")))
    }
    #expect(try agent.event("i")["sequence"] == .uint32(0))
    #expect(try agent.texts("i")[0].contains("LAST-MODIFIED:2026112"))
    // The same invitation again is older than the change.
    #expect(try agent.take(request(0, "20261201T090000Z")).counts == [0, 0, 1, 0])
    #expect(try agent.texts("i")[0].contains("DTSTART:20261201T110000Z"))

    #expect(try agent.take(request(1, "20261202T090000Z")).counts == [0, 1, 0, 0])
    #expect(try agent.texts("i")[0].contains("DTSTART:20261202T090000Z"))
    for hour in ["10", "11"] {
      try agent.update("i", "", "", ("start", .string("2026-12-02T\(hour):00:00Z")))
    }
    let message = calendar(cancellation("i", 2)).cancelling
    #expect(try agent.take(message) == Outcome([0, 1, 0, 0]))
    #expect(try agent.texts("i")[0].contains("STATUS:CANCELLED"))
  }

  /// Source: RFC 5546 section 2.1.4.
  @Test func `occurrences of another's series are changed, ended and taken out without SEQUENCE`()
    throws
  {
    let agent = try AgentUnderTest(addresses: ["ana@example.org"])
    let daily = invitation(3, "20261201T090000Z\r\nRRULE:FREQ=DAILY;COUNT=9")
    _ = try agent.take(calendar(daily))
    let noon = ("start", Value.string("12:00"))
    try agent.update("i", "20261202T090000Z", "this", noon)
    let right = try agent.update("i", "20261207T090000Z", "this-and-future", noon)
    for (day, scope) in [("03", "this"), ("05", "this-and-future")] {
      _ = try agent.call(
        Contract.events, "Remove", ["i", "202612\(day)T090000Z", scope].map(Value.string))
    }
    #expect(try agent.texts("i").count == 2)
    for text in try agent.texts("i") { #expect(text.contains("SEQUENCE:3\r\n"), "\(text)") }
    #expect(try agent.event(right)["sequence"] == .uint32(0))
  }

  @Test func `who organizes an event raises its SEQUENCE, whatever the case of the address`() throws
  {
    let agent = try AgentUnderTest(addresses: ["cy@example.org"])
    _ = try agent.take(request(4, "20261201T090000Z"))
    try agent.update("i", "", "", ("start", .string("2026-12-01T10:00:00Z")))
    #expect(try agent.event("i")["sequence"] == .uint32(5))
  }

  @Test func `an older one changes nothing but with replace, and none does with the other modes`()
    throws
  {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(meeting))
    let before = try agent.exportedText()
    let older = calendar(cancellation("m", 0)).cancelling
    #expect(try agent.take(older) == Outcome([0, 0, 1, 0], "5 older"))
    let newer = calendar(cancellation("m", 2)).cancelling
    #expect(try agent.take(newer, mode: "skip-existing") == Outcome([0, 0, 1, 0]))
    #expect(
      try agent.take(newer, mode: "copy") == Outcome([0, 0, 0, 0], "5 nothing-to-cancel"))
    #expect(try agent.exportedText() == before)
    #expect(try agent.take(older, mode: "replace") == Outcome([0, 1, 0, 0]))
    #expect(try agent.exportedText().contains("STATUS:CANCELLED"))
  }

  /// So many that what stands behind them is read long after what stands before.
  private let others = (0..<300).map { component("o\($0)", "DTSTART:20261201T090000Z") }.joined()

  @Test(arguments: [false, true], [false, true])
  func `in one text with the event it counts, wherever it stands`(
    isFar: Bool, isFirst: Bool
  ) throws {
    let agent = try AgentUnderTest()
    let message = calendar(cancellation("m", 2)).cancelling
    let between = isFar ? calendar(others) : ""
    let text =
      isFirst ? message + between + calendar(meeting) : calendar(meeting) + between + message
    #expect(try agent.take(text).counts == [isFar ? 301 : 1, 0, 0, 0])
    let event = try agent.exportedText().component(with: "UID:m")
    #expect(event.contains("STATUS:CANCELLED") && event.contains("SUMMARY:Meeting"))
    // Of copies as well.
    #expect(try agent.take(text, mode: "copy").counts[0] == (isFar ? 301 : 1))
    let count = try agent.exportedText().split(separator: "STATUS:CANCELLED").count - 1
    #expect(count == 2)
  }

  @Test func `an event that was called to anew in the same text is on`() throws {
    let agent = try AgentUnderTest()
    let again = calendar(meeting.replacing("SEQUENCE:1", with: "SEQUENCE:3"))
    let message = calendar(cancellation("m", 2)).cancelling
    let line = again.lineOfNextCancellation
    #expect(try agent.take(again + message) == Outcome([1, 0, 0, 0], "\(line) older"))
    #expect(try !agent.exportedText().contains("STATUS:CANCELLED"))
  }

  @Test func `of what comes in by the same text and has no such occurrence that is told`() throws {
    let agent = try AgentUnderTest()
    let text = calendar(series)
    let message = calendar(
      cancellation("s", 2, "RECURRENCE-ID:20271202T080000Z"),
      cancellation("s", 2, "RECURRENCE-ID:20261202T080000Z")
    ).cancelling
    let line = text.lineOfNextCancellation
    #expect(
      try agent.take(text + message) == Outcome([1, 0, 0, 0], "\(line) nothing-to-cancel"))
    #expect(try agent.summaries(from: "2026-12-01", to: "2026-12-05").count == 3)
  }

  @Test func `what is here, and comes in again with its cancellation, counts as changed`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(meeting))
    let text = calendar(meeting) + calendar(cancellation("m", 2)).cancelling
    #expect(try agent.take(text) == Outcome([0, 1, 0, 0]))
    #expect(try agent.exportedText().contains("STATUS:CANCELLED"))
  }

  @Test(arguments: ["", "RECURRENCE-ID:20261203T080000Z"])
  func `a text with an event and its cancellation says nothing new the second time`(id: String)
    throws
  {
    let agent = try AgentUnderTest()
    let message = calendar(id.isEmpty ? cancellation("s", 2) : cancellation("s", 2, id)).cancelling
    let text = calendar(series, moved) + message
    #expect(try agent.take(text) == Outcome([1, 0, 0, 0]))
    let before = try agent.exportedText()
    #expect(try agent.take(text) == Outcome([0, 0, 1, 0]))
    #expect(try agent.exportedText() == before)
    // Where it was changed since, that is newer.
    let newer = (series + moved).replacing("SEQUENCE:1", with: "SEQUENCE:3")
    _ = try agent.take(calendar(newer.replacing("Daily", with: "Every day")), mode: "replace")
    let line = calendar(series, moved).lineOfNextCancellation
    #expect(try agent.take(text).problems.contains("\(line) older"))
  }

  @Test func `one of the same version as the event changes nothing the second time`() throws {
    let agent = try AgentUnderTest()
    let same = cancellation("m", 1).replacing("DTSTAMP:20261120", with: "DTSTAMP:20260101")
    let text = calendar(meeting) + calendar(same).cancelling
    #expect(try agent.take(text) == Outcome([1, 0, 0, 0]))
    let before = try agent.exportedText()
    #expect(before.contains("STATUS:CANCELLED"))
    #expect(try agent.take(text) == Outcome([0, 0, 1, 0]))
    #expect(try agent.exportedText() == before)
  }

  @Test(arguments: [false, true])
  func `METHOD may stand behind the events`(isLong: Bool) throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(meeting))
    let message = calendar(cancellation("m", 2, "SUMMARY:Canceled", "DTSTART:20261201T080000Z"))
    let text = (isLong ? calendar(others) : "") + message.cancellingLate
    #expect(try agent.take(text) == Outcome([isLong ? 300 : 0, 1, 0, 0]))
    let event = try agent.exportedText().component(with: "UID:m")
    #expect(event.contains("STATUS:CANCELLED") && event.contains("SUMMARY:Meeting"))
  }

  @Test func `an answer whose METHOD stands behind it leaves the event as it is`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(meeting))
    let before = try agent.exportedText()
    let answer = calendar(cancellation("m", 2, "SUMMARY:Accepted", "DTSTART:20261201T080000Z"))
      .replacing("END:VCALENDAR", with: "METHOD:REPLY\r\nEND:VCALENDAR")
    #expect(try agent.take(answer).counts == [0, 0, 1, 0])
    #expect(try agent.exportedText() == before)
  }

  @Test(arguments: [false, true])
  func `it finds the event that the text has for another calendar, as that has it`(isHere: Bool)
    throws
  {
    let agent = try AgentUnderTest()
    try agent.makeWork()
    if isHere { _ = try agent.take(calendar(meeting), into: "work") }
    let newer = meeting.replacing("SEQUENCE:1", with: "SEQUENCE:2")
      .replacing("SUMMARY:Meeting", with: "SUMMARY:Review")
    let message = calendar(cancellation("m", 3)).cancelling
    let counts: [Int64] = isHere ? [0, 1, 0, 0] : [1, 0, 0, 0]
    #expect(try agent.take(calendar(newer).named("Work") + message) == Outcome(counts))
    let event = try agent.exportedText(of: "work").component(with: "UID:m")
    #expect(event.contains("STATUS:CANCELLED") && event.contains("SUMMARY:Review"), "\(event)")
    #expect(try agent.exportedText(of: "personal").component(with: "UID:m").isEmpty)
  }

  private func zone(_ offset: String) -> String {
    """
    BEGIN:VTIMEZONE\r
    TZID:Customized Time Zone\r
    BEGIN:STANDARD\r
    DTSTART:19700101T000000\r
    TZOFFSETFROM:\(offset)\r
    TZOFFSETTO:\(offset)\r
    END:STANDARD\r
    END:VTIMEZONE\r

    """
  }

  // Read by a thread, and twice: what a zone is called there is not what it is called here.
  @Test func `zones by other names and zones that are named late place it as well`() throws {
    let agent = try AgentUnderTest()
    func daily(_ uid: String, _ start: String) -> String {
      component(uid, "DTSTART\(start)", "RRULE:FREQ=DAILY;COUNT=3")
    }
    let custom = ";TZID=Customized Time Zone:"
    let late = "X-WR-TIMEZONE:America/New_York\r\n"
    let long = component(
      "long", "DTSTART:20261201T120000Z", "DESCRIPTION:" + String(repeating: "x", count: 65_536))
    let text =
      calendar(zone("+0100"), daily("a", custom + "20261201T120000"))
      + calendar(
        zone("+0500"), daily("b", custom + "20261201T120000"), daily("f", ":20261201T120000"), late)
      + calendar(others, long)
      + calendar(
        zone("+0500"), cancellation("b", 1, "RECURRENCE-ID\(custom)20261202T120000"),
        cancellation("f", 1, "RECURRENCE-ID:20261202T120000"), "METHOD:CANCEL\r\n", late)
      // That zone has no noon at that instant.
      + calendar(zone("+0500"), cancellation("a", 1, "RECURRENCE-ID\(custom)20261202T120000"))
      .cancelling
    #expect(text.utf8.count > 65_536)
    for counts in [[304, 0, 0, 0], [0, 0, 304, 0]] as [[Int64]] {
      let outcome = try agent.take(text)
      #expect(outcome.counts == counts)
      #expect(outcome.problems.filter { $0.hasSuffix("nothing-to-cancel") }.count == 1)
      #expect(!outcome.problems.contains { $0.hasSuffix("older") })
      let all = try agent.exportedText()
      #expect(all.split(separator: "STATUS:CANCELLED").count == 3)
      let own = all.component(with: "RECURRENCE-ID;TZID=Customized Time Zone (2):20261202T120000")
      #expect(own.contains("UID:b") && own.contains("STATUS:CANCELLED"))
      let floating = all.component(with: "RECURRENCE-ID;TZID=America/New_York:20261202T120000")
      #expect(floating.contains("UID:f") && floating.contains("STATUS:CANCELLED"))
    }
  }

  @Test func `it finds the event in another calendar, if that can be written`() throws {
    let agent = try AgentUnderTest()
    try agent.makeWork()
    _ = try agent.take(calendar(meeting), into: "work")
    let message = calendar(cancellation("m", 2)).cancelling
    #expect(
      try agent.take(message, into: "personal") == Outcome([0, 0, 0, 0], "5 nothing-to-cancel"))
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("work"), .row([("read-only", .boolean(true))])])
    #expect(try agent.take(message) == Outcome([0, 0, 0, 1], "0 read-only-calendar"))
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("work"), .row([("read-only", .boolean(false))])])
    #expect(try agent.take(message) == Outcome([0, 1, 0, 0]))
    #expect(try agent.exportedText(of: "work").contains("STATUS:CANCELLED"))
  }

  @Test func `every calendar that has the event has it cancelled`() throws {
    let agent = try AgentUnderTest()
    try agent.makeWork()
    _ = try agent.take(calendar(meeting), into: "work")
    _ = try agent.take(calendar(meeting), into: "personal")
    let before = try agent.exportedText()
    let message = calendar(cancellation("m", 2)).cancelling
    func cancelled() throws -> [String] {
      try ["personal", "work"].filter {
        try agent.exportedText(of: $0).contains("STATUS:CANCELLED")
      }
    }
    #expect(try agent.take(message) == Outcome([0, 2, 0, 0]))
    #expect(try cancelled() == ["personal", "work"])
    #expect(try agent.take(message) == Outcome([0, 0, 2, 0]))
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.exportedText() == before)
    // A calendar that is named is the one that is meant.
    #expect(try agent.take(message.named("Work")) == Outcome([0, 1, 0, 0]))
    #expect(try cancelled() == ["work"])
    _ = try agent.call(Contract.events, "Undo")
    #expect(try agent.take(message, into: "personal") == Outcome([0, 1, 0, 0]))
    #expect(try cancelled() == ["personal"])
    // What cannot be written keeps the other from nothing.
    _ = try agent.call(Contract.events, "Undo")
    _ = try agent.call(
      Contract.calendars, "Update",
      [.string("work"), .row([("read-only", .boolean(true))])])
    #expect(try agent.take(message) == Outcome([0, 1, 0, 0]))
    #expect(try cancelled() == ["personal"])
  }

  @Test func `jCal has it, too, and its place is that of the text`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(meeting))
    let event = #"["vevent",[["uid",{},"text","UID"],["sequence",{},"integer",2]],[]]"#
    let text = """
      ["vcalendar",[["version",{},"text","2.0"],["method",{},"text","CANCEL"]],[
      \(event.replacing("UID", with: "m")),
      \(event.replacing("UID", with: "n"))]]
      """
    #expect(try agent.take(text) == Outcome([0, 1, 0, 0], "3 nothing-to-cancel"))
    #expect(try agent.exportedText().contains("STATUS:CANCELLED"))
  }

  @Test func `of many occurrences the series counts once`() throws {
    let agent = try AgentUnderTest()
    _ = try agent.take(calendar(series.replacing("COUNT=4", with: "COUNT=300")))
    let days = try agent.summaries(from: "2026-12-01", to: "2027-12-01").count
    #expect(days == 300)
    let start = try #require(try? CivilDate(text: "20261201"))
    let all = (0..<250).map { day in
      let date = start.adding(days: day)?.basicText ?? ""
      return cancellation("s", 2, "RECURRENCE-ID;TZID=Europe/Berlin:\(date)T090000")
    }.joined()
    #expect(try agent.take(calendar(all).cancelling) == Outcome([0, 1, 0, 0]))
    #expect(try agent.summaries(from: "2026-12-01", to: "2027-12-01").count == 50)
  }
}
