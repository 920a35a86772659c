import Sync
import Testing

@testable import Remotes

@Suite struct `Listings of careless servers` {
  private func propstat(_ href: String, _ status: Int) -> String {
    """
    <d:response><d:href>\(href)</d:href><d:propstat><d:prop><d:getetag/></d:prop>\
    <d:status>HTTP/1.1 \(status) No</d:status></d:propstat></d:response>
    """
  }

  @Test func `a server without the report of changes is listed, and asked for its tag after that`()
    throws
  {
    let calendar = try ScriptedCalendar([
      .noDelta, .tag("7"), .listing([Sample.listed("/cal/a.ics", "\"1\"")]),
    ])
    let answers = calendar.changes()
    #expect(answers.etags == ["/cal/a.ics": "\"1\""])
    #expect(answers.listing == RemoteListing(isFull: true, token: "tag:7"))
    let asked = calendar.server.lines.count
    #expect(calendar.changes("tag:7") == [.done(RemoteListing(isFull: false, token: "tag:7"))])
    #expect(calendar.server.lines.count == asked + 1)
  }

  @Test func `a tag that changed leads to a full listing, with the tag from before it`() throws {
    let calendar = try ScriptedCalendar([.tag("8"), .tag("9"), .listing([])])
    let listing = calendar.changes("tag:7").listing
    #expect(listing == RemoteListing(isFull: true, token: "tag:8"))
  }

  @Test func `there is no limit in a question, and 507 means that there is more`() throws {
    let calendar = try ScriptedCalendar([
      .delta(
        [Sample.listed("/cal/a.ics", "\"1\""), Sample.status("/cal/", "507 Insufficient Storage")],
        token: "t2", when: "<d:sync-token></d:sync-token>"),
      .delta(
        [Sample.listed("/cal/b.ics", "\"2\""), Sample.status("/cal/a.ics", "404 Not Found")],
        token: "t3", when: "<d:sync-token>t2</d:sync-token>"),
    ])
    let answers = calendar.changes()
    #expect(answers.etags == ["/cal/b.ics": "\"2\""])
    #expect(answers.gone == ["/cal/a.ics"])
    #expect(answers.listing == RemoteListing(isFull: true, token: "sync:t3"))
    #expect(calendar.server.requests.allSatisfy { !$0.body.contains("limit") })
  }

  @Test func `no listing is of some days alone: what lies outside would count as removed`() throws {
    let calendar = try ScriptedCalendar([
      .noDelta, .tag("7"), .listing([Sample.listed("/cal/a.ics", "\"1\"")]),
    ])
    #expect(calendar.changes().listing?.isFull == true)
    let bodies = calendar.server.requests.map(\.body)
    #expect(bodies.count > 2)
    #expect(bodies.allSatisfy { !$0.contains("time-range") && !$0.contains("filter") })
  }

  @Test func `a token that never settles leads to a full listing`() throws {
    let calendar = try ScriptedCalendar([
      .delta([Sample.status("/cal/", "507 Insufficient Storage")], token: "t1"),
      .tag("7"), .listing([Sample.listed("/cal/a.ics", "\"1\"")]),
    ])
    #expect(calendar.changes("sync:t1").listing?.isFull == true)
  }

  @Test(arguments: [400, 403, 404, 409, 412, 415, 500, 501])
  func `any refusal of a token leads to a full listing`(_ status: Int) throws {
    let calendar = try ScriptedCalendar([
      Exchange(on: "REPORT /cal/", status: status), .tag("7"),
      .listing([Sample.listed("/cal/a.ics", "\"1\"")]),
    ])
    let answers = calendar.changes("sync:old")
    #expect(answers.listing?.isFull == true)
    #expect(answers.etags == ["/cal/a.ics": "\"1\""])
  }

  @Test func `a token of another kind is as good as none`() throws {
    let calendar = try ScriptedCalendar([
      .delta([Sample.listed("/cal/a.ics", "\"1\"")], token: "t1")
    ])
    let answers = calendar.changes("http://example.org/sync/7")
    #expect(answers.listing == RemoteListing(isFull: true, token: "sync:t1"))
    #expect(!calendar.server.requests[0].body.contains("example.org"))
  }

  /// Seen of an old sabre: 418 for what was deleted (python-caldav 183).
  @Test func `a status among changes that nobody knows leads to a full listing`() throws {
    let calendar = try ScriptedCalendar([
      .delta([Sample.status("/cal/a.ics", "418 I'm a teapot")], token: "t2"), .tag("7"),
      .listing([]),
    ])
    let answers = calendar.changes("sync:t1")
    #expect(answers == [.done(RemoteListing(isFull: true, token: "tag:7"))])
  }

  /// DAViCal does that with a token that it does not know.
  @Test func `many changes without a deletion are compared with a full listing`() throws {
    let items = (1...25).map { Sample.listed("/cal/\($0).ics", "\"\($0)\"") }
    let calendar = try ScriptedCalendar([.delta(items, token: "t2"), .listing(items)])
    let answers = calendar.changes("sync:t1")
    #expect(answers.etags.count == 25)
    #expect(answers.listing == RemoteListing(isFull: true, token: "sync:t2"))
  }

  @Test(arguments: [500, 403])
  func `an item whose ETag cannot be said is there, and the listing is not full`(_ status: Int)
    throws
  {
    let calendar = try ScriptedCalendar([
      .noDelta, .tag("7"),
      .listing([propstat("/cal/a.ics", status), Sample.listed("/cal/b.ics", "\"2\"")]),
    ])
    let answers = calendar.changes()
    #expect(answers.unreadable == ["/cal/a.ics"])
    #expect(answers.etags == ["/cal/b.ics": "\"2\""])
    #expect(answers.listing == RemoteListing(isFull: false, token: ""))
  }

  @Test func `507 for the collection in a listing means that it is not full`() throws {
    let calendar = try ScriptedCalendar([
      .noDelta, .tag("7"),
      .listing([Sample.status("/cal/", "507 Insufficient Storage")]),
    ])
    #expect(calendar.changes().listing == RemoteListing(isFull: false, token: ""))
  }

  @Test func `what does not belong to the collection is ignored, and the listing is not full`()
    throws
  {
    let calendar = try ScriptedCalendar([
      .noDelta, .tag("7"),
      .listing([
        Sample.listed("/other/a.ics", "\"1\""), Sample.listed("/cal/b.ics", "\"2\""),
        Sample.listed("/cal/b.ics", "\"2\""),
      ]),
    ])
    let answers = calendar.changes()
    #expect(answers.count == 2)
    #expect(answers.etags == ["/cal/b.ics": "\"2\""])
    #expect(answers.listing?.isFull == false)
  }

  @Test func `folders and what is in the way of a proxy do no harm`() throws {
    let calendar = try ScriptedCalendar([
      .noDelta, .tag("7"),
      .listing([
        Sample.found("/cal/sub/", "<d:resourcetype><d:collection/></d:resourcetype>"),
        Sample.listed("http://inside:8080/cal/a%40b.ics", "\"1\""),
      ]),
    ])
    let answers = calendar.changes()
    #expect(answers.etags == ["/cal/a%40b.ics": "\"1\""])
    #expect(answers.listing?.isFull == true)
  }

  @Test func `what is no calendar any more is no empty calendar`() throws {
    let folder = Sample.found("/cal/", "<d:resourcetype><d:collection/></d:resourcetype>")
    let home = folder + Sample.collection("/cal/sub/")
    for own in [folder, home, Sample.listed("/other/", "\"1\"")] {
      let calendar = try ScriptedCalendar([
        .noDelta, .tag("7"),
        Exchange(on: "PROPFIND /cal/", when: "getetag", body: Sample.multistatus([own])),
      ])
      #expect(calendar.changes().failure?.kind == .malformed)
    }
  }

  @Test func `an answer that breaks off lists nothing`() throws {
    let whole = Exchange.delta([Sample.listed("/cal/a.ics", "\"1\"")], token: "t1")
    var short = whole
    short.cut = 200
    var withoutLength = short
    withoutLength.headers = ["Connection": "close"]
    for exchange in [short, withoutLength] {
      let answers = try ScriptedCalendar([exchange]).changes()
      #expect(answers.count == 1)
      #expect(answers.failure?.kind == .offline)
    }
  }

  @Test func `two answers in one list nothing`() throws {
    var twice = Exchange.delta([Sample.listed("/cal/a.ics", "\"1\"")], token: "t1")
    twice.body += twice.body
    let answers = try ScriptedCalendar([twice]).changes()
    #expect(answers.count == 1)
    #expect(answers.failure?.kind == .malformed)
  }

  @Test func `a web page lists nothing`() throws {
    let page = Exchange(
      on: "REPORT /cal/", status: 200, headers: ["Content-Type": "text/html"],
      body: "<!DOCTYPE html><html>Sign in</html>")
    var other = page
    other.on = "PROPFIND /cal/"
    let answers = try ScriptedCalendar([page, other]).changes()
    #expect(answers.count == 1)
    #expect(answers.failure?.kind == .malformed)
  }

  @Test(
    arguments: [
      (429, ["Retry-After": "300"], RemoteFailure.Kind.busy, 300), (503, [:], .busy, 0),
      (401, [:], .signIn, 0),
    ] as [(Int, [String: String], RemoteFailure.Kind, Int64)])
  func `a server that is to be left alone is left alone`(
    _ status: Int, _ headers: [String: String], _ kind: RemoteFailure.Kind, _ seconds: Int64
  ) throws {
    let calendar = try ScriptedCalendar([
      Exchange(on: "REPORT /cal/", status: status, headers: headers)
    ])
    let failure = calendar.changes("sync:t1").failure
    #expect(failure?.kind == kind && failure?.retryAfter == seconds)
    #expect(calendar.server.lines == ["REPORT /cal/"])
  }

  @Test func `a change that cannot be read is asked for again with the old token`() throws {
    let calendar = try ScriptedCalendar([
      .delta([Sample.found("/cal/a.ics", "")], token: "t2"), .multiget([]), .get(status: 403),
    ])
    let answers = calendar.changes("sync:t1")
    #expect(answers.unreadable == ["/cal/a.ics"])
    #expect(answers.listing == RemoteListing(isFull: false, token: "sync:t1"))
  }

  @Test func `an item without an ETag is known by its content`() throws {
    let text = Sample.event("a")
    let item = Sample.found("/cal/a.ics", "<c:calendar-data>\(text)</c:calendar-data>")
    let calendar = try ScriptedCalendar([
      .delta([Sample.found("/cal/a.ics", "")], token: "t1"), .multiget([item]), .get(text),
    ])
    let first = calendar.changes()
    let etag = try #require(first.etags["/cal/a.ics"])
    #expect(etag.hasPrefix("hash:") && first.listing?.isFull == true)
    #expect(calendar.fetch("a.ics").etags == first.etags)
    #expect(ContentTag.of(text) == etag)
    #expect(ContentTag.of(Sample.event("a", "Coffee")) != etag)
  }
}
