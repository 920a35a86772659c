import JSON
import Sync
import Testing

@testable import Remotes

@Suite struct `Discovery on careless servers` {
  private static let principal =
    "<d:current-user-principal><d:href>/principal/</d:href></d:current-user-principal>"
  private static let homeSet = "<c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set>"

  /// A home with one calendar.
  private static let home = Exchange(
    on: "PROPFIND /home/",
    body: Sample.multistatus([
      Sample.found("/home/", "<d:resourcetype><d:collection/></d:resourcetype>"),
      Sample.collection("/home/a/", "<d:displayname>A</d:displayname>"),
    ]))
  private static let principalPage = Exchange(
    on: "PROPFIND /principal/", body: Sample.multistatus([Sample.found("/principal/", homeSet)]))

  private func hrefs(_ server: FaultServer, _ path: String = "/") -> [String] {
    RecordedSession(url: server.origin + path, user: "").collections().map(\.href)
  }

  /// OpenCloud.
  @Test func `a server may answer only at its well known address, with a redirect`() throws {
    let server = try FaultServer([
      Exchange(on: "PROPFIND /", status: 405),
      Exchange(
        on: "PROPFIND /.well-known/caldav", status: 301, headers: ["Location": "/dav/"]),
      Exchange(
        on: "PROPFIND /dav/", when: "current-user-principal",
        body: Sample.multistatus([Sample.found("/dav/", Self.principal)])),
      Self.principalPage, Self.home,
    ])
    #expect(hrefs(server) == ["/home/a/"])
  }

  /// Synology.
  @Test func `a server may answer the well known address in place, with the home on it`() throws {
    let server = try FaultServer([
      Exchange(
        on: "PROPFIND /.well-known/caldav",
        body: Sample.multistatus([Sample.found("/.well-known/caldav", Self.homeSet)])),
      Self.home,
    ])
    #expect(hrefs(server) == ["/home/a/"])
  }

  @Test func `without any of this the address is the home`() throws {
    let missing = Exchange(on: "PROPFIND /.well-known/caldav", status: 404)
    let root = Exchange(on: "PROPFIND /", status: 404)
    let server = try FaultServer([missing, root, Self.home])
    #expect(hrefs(server, "/home/") == ["/home/a/"])
  }

  @Test func `a calendar that was given is listed besides those of the home`() throws {
    let shared = Exchange(
      on: "PROPFIND /shared/",
      body: Sample.multistatus([Sample.collection("/shared/", Self.principal)]))
    let server = try FaultServer([shared, Self.principalPage, Self.home])
    #expect(hrefs(server, "/shared/") == ["/shared/", "/home/a/"])
  }

  @Test func `a server after a proxy does not know its name`() throws {
    let home =
      "<c:calendar-home-set><d:href>http://inside:8080/home/</d:href></c:calendar-home-set>"
    let server = try FaultServer([
      Exchange(
        on: "PROPFIND /.well-known/caldav", body: Sample.multistatus([Sample.found("/", home)])),
      Self.home,
    ])
    #expect(hrefs(server) == ["/home/a/"])
  }

  @Test func `name, color, components and rights are those of the server`() throws {
    let properties = """
      <d:displayname>Chess</d:displayname><a:calendar-color xmlns:a="http://apple.com/ns/ical/">\
      #AA5500FF</a:calendar-color><s:getctag>7</s:getctag><c:supported-calendar-component-set>\
      <c:comp name="VEVENT"/><c:comp name="VTODO"/></c:supported-calendar-component-set>\
      <d:current-user-privilege-set><d:privilege><d:read/></d:privilege>\
      </d:current-user-privilege-set>
      """
    let server = try FaultServer([
      Exchange(on: "PROPFIND /", status: 404),
      Exchange(on: "PROPFIND /.well-known/caldav", status: 404),
      Exchange(
        on: "PROPFIND /chess/", body: Sample.multistatus([Sample.collection("/chess/", properties)])
      ),
    ])
    var wanted = RemoteCollection(href: "/chess/")
    wanted.name = "Chess"
    wanted.color = "#aa5500"
    wanted.components = ["VEVENT", "VTODO"]
    wanted.isWritable = false
    wanted.tag = "7"
    let session = RecordedSession(url: server.origin + "/chess/", user: "")
    #expect(session.collections() == [wanted])
    #expect(
      session.failure(.createCollection(name: "X", color: ""))?.kind == .forbidden)
  }

  @Test func `a server without calendars is no empty account`() throws {
    let server = try FaultServer([
      Exchange(
        on: "PROPFIND /", status: 200, headers: ["Content-Type": "text/html"], body: "<html/>"),
      Exchange(on: "PROPFIND /.well-known/caldav", status: 404),
    ])
    let failure = RecordedSession(url: server.origin, user: "").failure(.discover)
    #expect(failure?.kind == .gone || failure?.kind == .malformed)
  }

  @Test func `another server that asks for the password is named`() throws {
    let other = try FaultServer([Exchange(on: "PROPFIND /dav/", status: 401)])
    let server = try FaultServer([
      Exchange(
        on: "PROPFIND /.well-known/caldav", status: 301,
        headers: ["Location": other.origin + "/dav/"])
    ])
    let failure = RecordedSession(url: server.origin).failure(.discover)
    #expect(failure?.kind == .signIn)
    #expect(failure?.reason.contains("leads to 127.0.0.1") == true)
    #expect(other.requests.allSatisfy { $0.headers["authorization"] == nil })
  }

  /// Xandikos has answered 400 to a calendar that it created, and 207 to one that it did not.
  @Test func `whether a calendar was created is what the server shows after that`() throws {
    let known = Exchange(
      on: "PROPFIND /.well-known/caldav",
      body: Sample.multistatus([Sample.found("/", Self.homeSet)]))
    let created = try FaultServer([
      known, Self.home, Exchange(on: "MKCALENDAR /home/new-one/", status: 400),
      Exchange(
        on: "PROPFIND /home/new-one/",
        body: Sample.multistatus([Sample.collection("/home/new-one/")])),
    ])
    let request = RemoteRequest.createCollection(name: "New: one", color: "")
    let answers = RecordedSession(url: created.origin, user: "").ask(request)
    #expect(answers.first?.json["href"]?.stringValue == "/home/new-one/")

    let refused = try FaultServer([
      known, Self.home,
      Exchange(
        on: "MKCALENDAR /home/new-one/",
        body: Sample.multistatus([Sample.status("/home/new-one/", "403 Forbidden")])),
      Exchange(on: "PROPFIND /home/new-one/", status: 404),
    ])
    let failure = RecordedSession(url: refused.origin, user: "").failure(request)
    #expect(failure?.kind == .forbidden)
  }
}
