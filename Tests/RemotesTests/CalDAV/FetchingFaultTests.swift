import Sync
import Testing

@testable import Remotes

@Suite struct `Items of careless servers` {
  private let text = Sample.event("a")

  /// DAViCal and sabre leave it out, and Google has said 404 of what was there.
  @Test(arguments: [[], [Sample.status("/cal/a.ics", "404 Not Found")]])
  func `what a server leaves out is asked for alone`(_ responses: [String]) throws {
    let there = try ScriptedCalendar([.multiget(responses), .get(etag: "\"1\"", text)])
    #expect(there.fetch("a.ics").etags == ["/cal/a.ics": "\"1\""])
    for status in [404, 410] {
      let gone = try ScriptedCalendar([.multiget(responses), .get(status: status)])
      #expect(gone.fetch("a.ics").gone == ["/cal/a.ics"])
    }
  }

  @Test(arguments: [500, 403, 405])
  func `an item that cannot be had is neither gone nor a reason to stop`(_ status: Int) throws {
    let calendar = try ScriptedCalendar([
      .multiget([Sample.item("/cal/b.ics", "\"2\"", Sample.event("b"))]), .get(status: status),
    ])
    let answers = calendar.fetch("a.ics", "b.ics")
    #expect(answers.unreadable == ["/cal/a.ics"] && answers.gone == [])
    #expect(answers.etags == ["/cal/b.ics": "\"2\""])
    #expect(answers.failure == nil)
  }

  @Test func `a server that is busy with one is busy with all`() throws {
    let calendar = try ScriptedCalendar([.multiget([]), .get(status: 503)])
    #expect(calendar.fetch("a.ics", "b.ics").failure?.kind == .busy)
  }

  @Test func `a server without the report gives items one by one, as they are`() throws {
    let calendar = try ScriptedCalendar([
      Exchange(on: "REPORT /cal/", status: 501), .get(etag: "W/\"1\"", text),
    ])
    #expect(calendar.fetch("a.ics").etags == ["/cal/a.ics": "W/\"1\""])
    #expect(calendar.server.requests.last?.headers["accept-encoding"] == "identity")
  }

  @Test func `what was not asked for is ignored, and nothing comes twice`() throws {
    let calendar = try ScriptedCalendar([
      .multiget([
        Sample.item("/cal/a.ics", "\"1\"", text), Sample.item("/cal/a.ics", "\"1\"", text),
        Sample.item("/cal/b.ics", "\"2\"", Sample.event("b")),
        Sample.item("/other/c.ics", "\"3\"", Sample.event("c")),
      ])
    ])
    let answers = calendar.fetch("a.ics")
    #expect(answers.count == 2 && answers.etags == ["/cal/a.ics": "\"1\""])
  }

  @Test func `items have the Schedule-Tag of their version`() throws {
    let item = Sample.found(
      "/cal/b.ics",
      """
      <d:getetag>"2"</d:getetag><c:schedule-tag>"s2"</c:schedule-tag>\
      <c:calendar-data>\(Sample.event("b"))</c:calendar-data>
      """)
    let calendar = try ScriptedCalendar([
      .multiget([item]), .get(etag: "\"1\"", scheduleTag: "\"s1\"", text),
    ])
    let tags = calendar.fetch("a.ics", "b.ics").map { answer in
      if case .item(_, _, _, let scheduleTag) = answer { scheduleTag } else { "" }
    }
    #expect(tags == ["\"s1\"", "\"s2\"", ""])
    #expect(calendar.server.requests.first?.body.contains("<c:schedule-tag/>") == true)
  }

  /// Two answers in one: RFC 4791 section 4.1 has one VCALENDAR in an item.
  @Test func `an item that is there twice in its text is not read`() throws {
    for exchanges: [Exchange] in [
      [.multiget([Sample.item("/cal/a.ics", "\"1\"", text + text)]), .get(etag: "\"1\"", text)],
      [.multiget([]), .get(etag: "\"1\"", text)],
    ] {
      #expect(try ScriptedCalendar(exchanges).fetch("a.ics").texts == ["/cal/a.ics": text])
    }
    let calendar = try ScriptedCalendar([.multiget([]), .get(etag: "\"1\"", text + text)])
    #expect(calendar.fetch("a.ics").unreadable == ["/cal/a.ics"])
  }

  /// RFC 5545 section 3.1: names are case-insensitive.
  @Test func `an item in small letters is read`() throws {
    let small = text.replacing("VCALENDAR", with: "vcalendar").replacing("BEGIN", with: "begin")
    let calendar = try ScriptedCalendar([
      .multiget([Sample.item("/cal/a.ics", "\"1\"", small)])
    ])
    #expect(calendar.fetch("a.ics").texts["/cal/a.ics"]?.hasPrefix("begin:vcalendar") == true)
  }

  @Test func `control characters in one item do not spoil the others`() throws {
    let calendar = try ScriptedCalendar([
      .multiget([Sample.item("/cal/a.ics", "\"1\"", Sample.event("a", "T\u{8}ea"))])
    ])
    #expect(calendar.fetch("a.ics").texts["/cal/a.ics"]?.contains("SUMMARY:Tea") == true)
  }

  @Test func `a page for signing in is no item`() throws {
    let page = Exchange(
      on: "GET /cal/a.ics", status: 200, headers: ["Content-Type": "text/html"], body: "<html>")
    let calendar = try ScriptedCalendar([.multiget([]), page])
    #expect(calendar.fetch("a.ics").unreadable == ["/cal/a.ics"])
  }

  @Test func `items are asked for in batches of thirty`() throws {
    let calendar = try ScriptedCalendar([
      .multiget((0..<65).map { Sample.item("/cal/\($0).ics", "\"\($0)\"", Sample.event("\($0)")) })
    ])
    let hrefs = (0..<65).map { "/cal/\($0).ics" }
    let answers = calendar.session.ask(.fetch(collection: "/cal/", hrefs: hrefs))
    #expect(answers.count == 66)
    let counts = calendar.server.requests.map { $0.body.ranges(of: "<d:href>").count }
    #expect(counts == [30, 30, 5])
  }
}
