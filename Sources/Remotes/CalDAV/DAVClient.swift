import Platform
import Sync

/// Sends the requests of WebDAV.
final class DAVClient {
  let http: HTTPClient

  init(access: RemoteAccess) throws(RemoteFailure) { http = try HTTPClient(access: access) }

  /// Asks for properties; the responses go to `each`.
  ///
  /// - Throws: ``RemoteFailure`` unless a whole multistatus comes; `each` got nothing of use then.
  @discardableResult
  func propfind(
    _ url: WebURL, depth: Int, _ names: [String], each: @escaping (DAVResponse) -> Void
  ) throws(RemoteFailure) -> Multistatus {
    let body = "<d:propfind \(DAVBody.spaces)>\(DAVBody.properties(names))</d:propfind>"
    let request = self.request("PROPFIND", url, depth: depth, body)
    let (response, reader) = try multistatus(request, each)
    guard response.status == 207 else { throw http.failure(of: response) }
    return try reader.finish(url: WebURL(response.url) ?? url)
  }

  /// Sends a report; nil if the server does not do it.
  ///
  /// - Throws: ``RemoteFailure`` if the server has to be left alone or did not answer.
  func report(
    _ url: WebURL, depth: Int = 0, _ body: String, each: @escaping (DAVResponse) -> Void
  ) throws(RemoteFailure) -> Multistatus? {
    let (response, reader) = try multistatus(request("REPORT", url, depth: depth, body), each)
    if response.status == 207 { return try reader.finish(url: WebURL(response.url) ?? url) }
    let failure = http.failure(of: response)
    // Xandikos 0.2.8 answers 500 to a token that it does not know.
    let isForAll = failure.kind == .signIn || (failure.kind == .busy && response.status != 500)
    if isForAll { throw failure }
    return nil
  }

  /// Asks for one item as it is.
  func get(_ url: WebURL) throws(RemoteFailure) -> HTTPResponse {
    var request = HTTPRequest("GET", url.text)
    request.headers = [("Accept", "text/calendar"), ("Accept-Encoding", "identity")]
    return try http.send(request)
  }

  /// Sends a request that changes something.
  func change(
    _ method: String, _ url: WebURL, _ headers: [(name: String, value: String)] = [],
    type: String = "application/xml; charset=utf-8", body: String? = nil
  ) throws(RemoteFailure) -> HTTPResponse {
    var request = HTTPRequest(method, url.text)
    request.headers = headers
    if let body {
      request.headers.append(("Content-Type", type))
      request.body = Array(body.utf8)
    }
    return try http.send(request)
  }

  private func request(
    _ method: String, _ url: WebURL, depth: Int, _ body: String
  ) -> HTTPRequest {
    var request = HTTPRequest(method, url.text)
    request.headers = [
      ("Depth", "\(depth)"), ("Content-Type", "application/xml; charset=utf-8"),
      ("Accept", "application/xml, text/xml"),
    ]
    request.body = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\(body)".utf8)
    // A listing of a million items; it is read as it comes.
    request.maximumOctets = 512 << 20
    return request
  }

  private func multistatus(
    _ request: HTTPRequest, _ each: @escaping (DAVResponse) -> Void
  ) throws(RemoteFailure) -> (HTTPResponse, MultistatusReader) {
    let reader = MultistatusReader(each: each)
    return (try http.send(request) { reader.feed($0) }, reader)
  }
}

/// The bodies of requests.
enum DAVBody {
  static let spaces = """
    xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:a="http://apple.com/ns/ical/" \
    xmlns:s="http://calendarserver.org/ns/"
    """

  /// The element `prop` with these names, such as `d:getetag`.
  static func properties(_ names: [String]) -> String {
    "<d:prop>\(names.map { "<\($0)/>" }.joined())</d:prop>"
  }

  /// Asks for changes since a token. There is never a limit: Xandikos would drop the rest for good.
  ///
  /// Source: RFC 6578 section 3.2.
  static func syncCollection(_ token: String) -> String {
    """
    <d:sync-collection \(spaces)><d:sync-token>\(token.xmlEscaped)</d:sync-token>\
    <d:sync-level>1</d:sync-level>\(properties(["d:getetag"]))</d:sync-collection>
    """
  }

  /// Asks for the texts of some items.
  ///
  /// Source: RFC 4791 section 7.9, RFC 6638 section 9.3.
  static func multiget(_ hrefs: [String]) -> String {
    """
    <c:calendar-multiget \(spaces)>\(properties(["d:getetag", "c:schedule-tag", "c:calendar-data"]))\
    \(hrefs.map { "<d:href>\($0.xmlEscaped)</d:href>" }.joined())</c:calendar-multiget>
    """
  }

  /// Asks which items have a UID.
  ///
  /// Source: RFC 4791 section 7.8.6.
  static func query(uid: String, component: String) -> String {
    """
    <c:calendar-query \(spaces)>\(properties(["d:getetag"]))<c:filter>\
    <c:comp-filter name="VCALENDAR"><c:comp-filter name="\(component)"><c:prop-filter name="UID">\
    <c:text-match collation="i;octet">\(uid.xmlEscaped)</c:text-match>\
    </c:prop-filter></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>
    """
  }

  /// Creates a calendar.
  static func makeCalendar(name: String, color: String) -> String {
    let colored = color.isEmpty ? "" : "<a:calendar-color>\(color.xmlEscaped)</a:calendar-color>"
    return """
      <c:mkcalendar \(spaces)><d:set><d:prop><d:displayname>\(name.xmlEscaped)</d:displayname>\
      \(colored)</d:prop></d:set></c:mkcalendar>
      """
  }
}
