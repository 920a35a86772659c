import Sync
import Testing

@testable import Remotes

@Suite struct `Writing to careless servers` {
  private let text = Sample.event("a")
  private let error = """
    <?xml version="1.0"?><d:error xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
    """

  @Test func `what the server keeps is read back, whatever it said of an ETag`() throws {
    let kept = Sample.event("a", "As the server writes it")
    for etag in ["\"wrong\"", nil] {
      let calendar = try ScriptedCalendar([
        .put(status: 201, etag: etag), .get(etag: "\"2\"", kept),
      ])
      #expect(
        calendar.put(text) == [
          .item(href: "/cal/a.ics", etag: "\"2\"", text: kept), .done(nil),
        ])
      let (put, get) = (calendar.server.requests[0], calendar.server.requests[1])
      #expect(put.headers["if-none-match"] == "*" && put.headers["if-match"] == nil)
      #expect(put.body == text && put.headers["content-type"] == "text/calendar; charset=utf-8")
      #expect(get.headers["accept-encoding"] == "identity")
    }
  }

  @Test func `an edit names the version that it was made from`() throws {
    let calendar = try ScriptedCalendar([.put(status: 204), .get(etag: "\"2\"", text)])
    #expect(calendar.put(match: "\"1\"").failure == nil)
    #expect(calendar.server.requests[0].headers["if-match"] == "\"1\"")
    #expect(calendar.server.requests[0].headers["if-none-match"] == nil)
  }

  /// Source: RFC 6638 section 3.2.10.
  @Test func `an answer of a guest meanwhile is no conflict, and stays`() throws {
    let text = text.replacing(
      "END:VEVENT", with: "ORGANIZER:mailto:ana@example.org\r\nEND:VEVENT")
    let answered = Sample.event("a", "Tea, which Bo accepts")
    let exchanges: [Exchange] = [
      .put(status: 412, when: "\"if-match\""),
      .put(status: 204, when: "\"if-schedule-tag-match\": \"\\\"s1\\\"\""),
      .get(etag: "\"2\"", scheduleTag: "\"s1\"", answered),
    ]
    let calendar = try ScriptedCalendar(exchanges)
    #expect(
      calendar.put(text, match: "\"1\"", scheduleTag: "\"s1\"") == [
        .item(href: "/cal/a.ics", etag: "\"2\"", text: answered, scheduleTag: "\"s1\""),
        .done(nil),
      ])
    #expect(try ScriptedCalendar(exchanges).put(match: "\"1\"").failure?.kind == .conflict)

    // Google knows no other condition than If-Match.
    let server = try FaultServer(exchanges)
    var access = RemoteAccess(kind: .google, url: server.origin + "/cal/")
    (access.secret, access.signIn) = ("token", .bearer)
    let google = try CalDAVRemote(access: access)
    #expect(throws: RemoteFailure.self) {
      try google.put(
        text, at: "/cal/a.ics", of: "/cal/", match: "\"1\"", scheduleTag: "\"s1\""
      ) { _ in }
    }
  }

  @Test func `a lost answer is not followed by a second try`() throws {
    let calendar = try ScriptedCalendar([
      Exchange(on: "PUT /cal/a.ics", isSilent: true),
      Exchange(on: "DELETE /cal/a.ics", isSilent: true),
    ])
    #expect(calendar.put(match: "\"1\"").failure?.kind == .offline)
    #expect(calendar.delete(match: "\"1\"")?.kind == .offline)
    #expect(calendar.server.lines == ["PUT /cal/a.ics", "DELETE /cal/a.ics"])
  }

  @Test func `a new item that cannot be read back is uncertain`() throws {
    for status in [404, 503] {
      let calendar = try ScriptedCalendar([.put(status: 201), .get(status: status)])
      #expect(calendar.put().failure?.kind == .offline)
    }
  }

  struct Refusal: CustomTestStringConvertible {
    var server: String
    var status: Int
    var body: String
    var kind: RemoteFailure.Kind
    var reason: String?
    var testDescription: String { server }
  }

  private static let head = """
    <?xml version="1.0"?><d:error xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" \
    xmlns:s="http://sabredav.org/ns">
    """

  @Test(arguments: [
    Refusal(
      server: "Radicale", status: 409, body: head + "<c:no-uid-conflict/></d:error>",
      kind: .sameUID, reason: ""),
    Refusal(
      server: "Cyrus, which names the item", status: 403,
      body: head
        + "<c:no-uid-conflict><d:href>/cal/b%40c.ics</d:href></c:no-uid-conflict></d:error>",
      kind: .sameUID, reason: "/cal/b%40c.ics"),
    Refusal(
      server: "the older Xandikos", status: 207,
      body: """
        <n:multistatus xmlns:n="DAV:"><n:response><n:href>/cal/a.ics</n:href><n:status>HTTP/1.1 \
        412 Precondition Failed</n:status><n:error><c:no-uid-conflict \
        xmlns:c="urn:ietf:params:xml:ns:caldav"/></n:error></n:response></n:multistatus>
        """, kind: .sameUID, reason: ""),
    Refusal(
      server: "Nextcloud", status: 400,
      body: head + """
        <s:exception>Sabre\\DAV\\Exception\\BadRequest</s:exception><s:message>Calendar object \
        with uid already exists in this calendar collection.</s:message></d:error>
        """, kind: .sameUID, reason: ""),
    Refusal(
      server: "Xandikos, of what it cannot read", status: 412,
      body: head + "<c:valid-calendar-data/></d:error>", kind: .refused),
    Refusal(
      server: "sabre, of what it cannot read", status: 415,
      body: head + "<s:message>no</s:message></d:error>", kind: .refused),
    Refusal(
      server: "one with a limit", status: 403,
      body: head + "<c:max-resource-size/></d:error>", kind: .tooLarge),
    Refusal(server: "one without room", status: 507, body: "", kind: .tooLarge),
    Refusal(server: "one with a small limit", status: 413, body: "", kind: .tooLarge),
    Refusal(
      server: "one that can only be read", status: 403,
      body: head + "<d:need-privileges/></d:error>", kind: .forbidden),
    Refusal(
      server: "Google with too many requests", status: 403, body: "quotaExceeded", kind: .busy),
    Refusal(server: "one without this collection", status: 409, body: "", kind: .gone),
  ])
  func `a refusal is known by its words`(_ each: Refusal) throws {
    let calendar = try ScriptedCalendar([
      .put(status: each.status, each.body),
      Exchange(on: "REPORT /cal/", when: "calendar-query", status: 501),
    ])
    let failure = calendar.put(match: "\"1\"").failure
    #expect(failure?.kind == each.kind)
    if let reason = each.reason { #expect(failure?.reason == reason) }
    #expect(calendar.count("PUT /cal/a.ics") == 1)
  }

  @Test func `a server that knows no such condition is asked first, and then written to`() throws {
    for status in [400, 412, 501] {
      let calendar = try ScriptedCalendar([
        .put(status: status, when: "if-none-match"), .get(status: 404), .get(etag: "\"1\"", text),
        .put(status: 201),
      ])
      #expect(calendar.put().etags == ["/cal/a.ics": "\"1\""])
      let there = try ScriptedCalendar([
        .put(status: status, when: "if-none-match"), .get(etag: "\"1\"", text),
      ])
      #expect(there.put().failure?.kind == .conflict)
      #expect(there.count("PUT /cal/a.ics") == 1)
    }
  }

  /// DAViCal answers 412 to what it cannot read.
  @Test func `a condition that is met, and refused all the same, is a refusal of the text`() throws
  {
    let new = try ScriptedCalendar([.put(status: 412), .get(status: 404)])
    #expect(new.put().failure?.kind == .refused)
    let edit = try ScriptedCalendar([.put(status: 412), .get(etag: "\"1\"", text)])
    #expect(edit.put(match: "\"1\"").failure?.kind == .refused)
    #expect(edit.put(match: "\"0\"").failure?.kind == .conflict)
  }

  @Test(arguments: ["W/\"1\"", ContentTag.of(Sample.event("a"))])
  func `a version that the server cannot compare is compared here`(_ match: String) throws {
    let same = try ScriptedCalendar([.put(status: 204), .get(etag: "W/\"1\"", text)])
    #expect(same.put(match: match).failure == nil)
    #expect(same.server.lines == ["GET /cal/a.ics", "PUT /cal/a.ics", "GET /cal/a.ics"])
    #expect(same.server.requests[1].headers["if-match"] == nil)

    let other = Sample.event("a", "Coffee")
    let changed = try ScriptedCalendar([
      .get(etag: "W/\"2\"", other), Exchange(on: "DELETE /cal/a.ics", status: 204),
    ])
    #expect(changed.put(match: match).failure?.kind == .conflict)
    #expect(changed.delete(match: match)?.kind == .conflict)
    #expect(changed.server.lines == ["GET /cal/a.ics", "GET /cal/a.ics"])

    let gone = try ScriptedCalendar([.get(status: 404)])
    #expect(gone.put(match: match).failure?.kind == .gone)
    #expect(gone.delete(match: match) == nil)
  }

  @Test(arguments: [200, 204, 404, 410])
  func `what is not there any more is deleted`(_ status: Int) throws {
    let calendar = try ScriptedCalendar([Exchange(on: "DELETE /cal/a.ics", status: status)])
    #expect(calendar.delete(match: "\"1\"") == nil)
    #expect(calendar.server.requests[0].headers["if-match"] == "\"1\"")
  }

  /// sabre answers 412 to the condition of what is gone.
  @Test func `a deletion whose condition fails for want of an item is done`() throws {
    let gone = try ScriptedCalendar([
      Exchange(on: "DELETE /cal/a.ics", status: 412), .get(status: 404),
    ])
    #expect(gone.delete(match: "\"1\"") == nil)
    let changed = try ScriptedCalendar([
      Exchange(on: "DELETE /cal/a.ics", status: 412), .get(etag: "\"2\"", text),
    ])
    #expect(changed.delete(match: "\"1\"")?.kind == .conflict)
  }

  @Test func `an item that the server puts elsewhere has the path that it says`() throws {
    let calendar = try ScriptedCalendar([
      Exchange(on: "PUT /cal/a.ics", status: 201, headers: ["Location": "/cal/b.ics"]),
      Exchange(on: "GET /cal/b.ics", status: 200, headers: ["ETag": "\"1\""], body: text),
    ])
    #expect(calendar.put().etags == ["/cal/b.ics": "\"1\""])
  }
}
