import Sync

/// A scripted server with one calendar at `/cal/`, and a session with it.
struct ScriptedCalendar {
  let server: FaultServer
  let session: RecordedSession

  init(_ exchanges: [Exchange]) throws {
    server = try FaultServer(exchanges)
    session = RecordedSession(url: server.origin + "/cal/", user: "")
  }

  func changes(_ token: String = "") -> [RemoteAnswer] {
    session.ask(.changes(collection: "/cal/", token: token))
  }

  func fetch(_ names: String...) -> [RemoteAnswer] {
    session.ask(.fetch(collection: "/cal/", hrefs: names.map { "/cal/" + $0 }))
  }

  func put(
    _ text: String = Sample.event("a"), match: String? = nil, scheduleTag: String = ""
  ) -> [RemoteAnswer] {
    session.ask(
      .put(
        collection: "/cal/", href: "/cal/a.ics", text: text, match: match,
        scheduleTag: scheduleTag))
  }

  func delete(match: String) -> RemoteFailure? {
    session.failure(.delete(collection: "/cal/", href: "/cal/a.ics", match: match))
  }

  /// How often it was asked something, such as `PUT /cal/a.ics`.
  func count(_ line: String) -> Int { server.lines.filter { $0 == line }.count }
}

extension Exchange {
  /// The answer to a report of changes.
  static func delta(_ responses: [String], token: String, when: String = "sync-collection")
    -> Exchange
  {
    Exchange(
      on: "REPORT /cal/", when: when, body: Sample.multistatus(responses, token: token))
  }

  /// The answer to a question for items.
  static func multiget(_ responses: [String]) -> Exchange {
    Exchange(
      on: "REPORT /cal/", when: "calendar-multiget", body: Sample.multistatus(responses))
  }

  /// A server without the report of changes.
  static let noDelta = Exchange(on: "REPORT /cal/", when: "sync-collection", status: 501)

  /// The tag of the collection.
  static func tag(_ tag: String) -> Exchange {
    Exchange(
      on: "PROPFIND /cal/", when: "getctag",
      body: Sample.multistatus([
        Sample.found("/cal/", "<s:getctag>\(tag)</s:getctag>")
      ]))
  }

  /// The answer to a listing.
  static func listing(_ responses: [String]) -> Exchange {
    Exchange(
      on: "PROPFIND /cal/", when: "getetag",
      body: Sample.multistatus([Sample.collection("/cal/")] + responses))
  }

  static func get(
    status: Int = 200, etag: String? = nil, scheduleTag: String? = nil, _ text: String = ""
  ) -> Exchange {
    var headers = ["Content-Type": "text/calendar"]
    (headers["ETag"], headers["Schedule-Tag"]) = (etag, scheduleTag)
    return Exchange(on: "GET /cal/a.ics", status: status, headers: headers, body: text)
  }

  static func put(
    status: Int, when: String = "", etag: String? = nil, _ body: String = ""
  ) -> Exchange {
    Exchange(
      on: "PUT /cal/a.ics", when: when, status: status, headers: etag.map { ["ETag": $0] } ?? [:],
      body: body)
  }
}
