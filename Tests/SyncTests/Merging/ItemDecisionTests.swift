import Messages
import Testing

@testable import Sync

@Suite struct `What is done with an item` {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var base: String?
    var etag: String? = "1"
    var local = LocalItem.unchanged
    var remote = RemoteItem.unchanged
    let action: ItemDecision.Action
    var report: ItemDecision.Report?

    init(
      _ description: String, base: String? = nil, etag: String? = "1", _ local: LocalItem,
      _ remote: RemoteItem, _ action: ItemDecision.Action, _ report: ItemDecision.Report? = nil
    ) {
      testDescription = description
      (self.base, self.etag, self.local, self.remote) = (base, etag, local, remote)
      (self.action, self.report) = (action, report)
    }
  }

  private static let (a, b, c) = (event("a"), event("b"), event("c"))
  /// The same as `a` in other words.
  private static let rewritten = event("a", "DTSTAMP:20261127T000000Z").replacing(
    "PRODID:-//Example//EN\r\n", with: "")
  private static let stamped = event("a", "SEQUENCE:1")

  @Test(arguments: [
    Case("nothing happened", .unchanged, .unchanged, .nothing),
    Case("the server changed it", .unchanged, .changed(b, etag: "2"), .store(b)),
    Case("the server has a new one", etag: nil, .absent, .changed(b, etag: "2"), .store(b)),
    Case("the server's text is only stored", .unchanged, .changed("x", etag: "2"), .store("x")),
    Case("deleted on the server", .unchanged, .gone, .remove),
    Case("deleted on both sides", .removed, .gone, .forget),
    Case("deleted here", .removed, .unchanged, .delete(match: "1")),
    Case("created and deleted here", etag: nil, .removed, .unchanged, .forget),
    Case("created here", etag: nil, .edited(a), .unchanged, .push(a, match: nil)),
    // Rule 5: the ETag is that of the version that the edit was made from.
    Case("edited here", base: a, .edited(b), .unchanged, .push(b, match: "1")),
    // Rule 8.
    Case(
      "edited here, deleted there", base: a, .edited(b), .gone, .push(b, match: nil),
      .createdAgain),
    Case(
      "deleted here, edited there", base: a, .removed, .changed(b, etag: "2"), .store(b),
      .deletionDropped),
    Case(
      "deleted here without a base, edited there", .removed, .changed(b, etag: "2"), .store(b),
      .deletionDropped),
    Case(
      "deleted here, rewritten there", base: a, .removed, .changed(stamped, etag: "2"),
      .delete(match: "2")),
    Case(
      "edited here, rewritten there", base: a, .edited(b), .changed(rewritten, etag: "2"),
      .push(b, match: "2")),
    Case(
      "edited back here, edited there", base: a, .edited(rewritten), .changed(b, etag: "2"),
      .store(b)),
    Case("edited alike", base: a, .edited(b), .changed(b, etag: "2"), .store(b)),
    Case("created alike", etag: nil, .edited(rewritten), .changed(a, etag: "2"), .store(a)),
    Case(
      "edited differently", base: a, .edited(b), .changed(c, etag: "2"), .store(c),
      .conflict(properties: ["SUMMARY"], winner: .remote, losing: b)),
  ])
  func `depends on what both sides did`(test: Case) throws {
    let decision = try decide(
      base: test.base, etag: test.etag, local: test.local, remote: test.remote)
    #expect(decision.action == test.action)
    #expect(decision.report == test.report)
  }

  @Test func `different properties are merged, and pushed over the version that was merged`() throws
  {
    let decision = try decide(
      base: event("a"), etag: "1", local: .edited(event("b")),
      remote: .changed(event("a", "URL:z"), etag: "2"))
    guard case .storeAndPush(let text, match: "2") = decision.action else {
      Issue.record("\(decision.action)")
      return
    }
    #expect(try ItemText(text).meaning == ItemText(event("b", "URL:z")).meaning)
    #expect(decision.report == nil)
  }

  @Test func `the later edit wins, and the server's version is the losing one`() throws {
    let remote = event("c", "LAST-MODIFIED:20261127T100000Z")
    let local = event("b", "LAST-MODIFIED:20261127T110000Z")
    let decision = try decide(
      base: event("a"), etag: "1", local: .edited(local), remote: .changed(remote, etag: "2"))
    #expect(
      decision.report == .conflict(properties: ["SUMMARY"], winner: .local, losing: remote))
    guard case .storeAndPush(let text, match: "2") = decision.action else {
      Issue.record("\(decision.action)")
      return
    }
    #expect(try ItemText(text).meaning == ItemText(local).meaning)
  }

  @Test(arguments: [
    (
      event("a"), event("b"), "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n",
      UnreadableItem.Version.remote, 2
    ),
    (event("a"), "", event("b"), .local, 1), ("x", event("a"), event("b"), .base, 1),
  ])
  func `a text that must be merged but cannot be read is refused with its line`(
    base: String, local: String, remote: String, version: UnreadableItem.Version, line: Int
  ) throws {
    let error = #expect(throws: UnreadableItem.self) {
      try decide(base: base, etag: "1", local: .edited(local), remote: .changed(remote, etag: "2"))
    }
    #expect(error?.version == version)
    #expect(error?.line == line)
    #expect(error?.text.english.contains("line \(line) of") == true)
  }

  @Test func `a report says which event, and what was changed`() {
    let report = ItemDecision.Report.conflict(
      properties: ["DTSTART", "X-P"], winner: .local, losing: "")
    #expect(
      report.text(title: "Tea").english == """
        "Tea" was changed here and on the server (time, X-P). Your edit was later and is kept; the \
        server's version is in the trash.
        """)
    #expect(
      ItemDecision.Report.createdAgain.text(title: "Tea").english
        == "\"Tea\" was deleted on the server but edited here. It is created there again.")
  }
}

@Suite struct `What a server keeps of a text` {
  private static let sent = event(
    "Tea, or coffee", "DESCRIPTION:" + String(repeating: "x", count: 90))

  @Test(arguments: [
    sent,
    calendar([
      "DESCRIPTION:" + String(repeating: "x", count: 70) + "\r\n "
        + String(repeating: "x", count: 20),
      "dtstamp:20261127T000000Z", "summary:Tea\\, or coffee",
      "DTEND;VALUE=DATE-TIME:20261127T100000Z",
      "DTSTART:20261127T090000Z",
    ]).replacing("PRODID:-//Example//EN", with: "PRODID:-//Other//EN\r\nCALSCALE:GREGORIAN"),
  ])
  func `is what was sent, however it is written`(kept: String) throws {
    #expect(try afterPut(sent: Self.sent, kept: kept) == .asSent)
  }

  @Test(arguments: ["LOCATION:x", "SEQUENCE:1", alarm("TRIGGER:-PT5M")])
  func `is another version if it says something else`(line: String) throws {
    #expect(try afterPut(sent: event("a"), kept: event("a", line)) == .changed)
  }

  @Test func `a page in place of it is refused`() {
    #expect(throws: UnreadableItem.self) { try afterPut(sent: event("a"), kept: "<html>") }
  }
}
