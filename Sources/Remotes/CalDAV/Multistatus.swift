import Platform
import Sync

/// The answer to PROPFIND and REPORT, without the responses in it.
struct Multistatus {
  /// Empty if there is none.
  var syncToken = ""
  /// Where it came from, after redirects.
  var url: WebURL
}

/// Reads the answer to PROPFIND and REPORT as it arrives.
///
/// Source: RFC 4918 section 13, RFC 6578 section 6.4.
final class MultistatusReader {
  private var syncToken = ""
  private let each: (DAVResponse) -> Void
  private lazy var stream = XMLStream { [unowned self] element in
    switch element.name {
    case XMLSpace.dav + "response": DAVResponse.read(element).forEach(each)
    case XMLSpace.dav + "sync-token": syncToken = element.text.trimmed
    default: break
    }
  }

  /// - Parameter each: gets the responses in order. They must not be used before
  ///   ``finish(url:)``.
  init(each: @escaping (DAVResponse) -> Void) { self.each = each }

  /// Takes the next octets; false once the document is known to be none.
  func feed(_ octets: UnsafeRawBufferPointer) -> Bool { stream.feed(octets) }

  /// - Throws: as ``XMLStream/finish()``, and for a document of another kind.
  func finish(url: WebURL) throws(RemoteFailure) -> Multistatus {
    try stream.finish()
    guard stream.root == XMLSpace.dav + "multistatus" else {
      throw RemoteFailure(
        .malformed, localized("{host} does not answer as calendar servers do.", ["host": url.host]))
    }
    return Multistatus(syncToken: syncToken, url: url)
  }
}

/// What a multistatus says of one href.
struct DAVResponse: Hashable, Sendable {
  /// As it is written.
  var href: String
  /// The status of the whole; nil if there is one for each property.
  var status: Int?
  /// The properties that were found.
  var properties: [XMLElement] = []
  /// The names of the others, with their status.
  var failed: [String: Int] = [:]
  /// The conditions that were not met, such as `DAV:|valid-sync-token`.
  var error: XMLElement?

  /// A property that was found.
  func property(_ name: String) -> XMLElement? { properties.first { $0.name == name } }

  /// The text of a property; nil if it was not found or is empty.
  func text(_ name: String) -> String? {
    guard let text = property(name)?.text.trimmed, !text.isEmpty else { return nil }
    return text
  }

  /// Reads an element `response`: usually one href, with a common status perhaps many.
  static func read(_ element: XMLElement) -> [DAVResponse] {
    let space = XMLSpace.dav
    var response = DAVResponse(href: "")
    response.status = element.child(space + "status").flatMap { code(in: $0.text) }
    response.error = element.child(space + "error")
    for found in element.children where found.name == space + "propstat" {
      let properties = found.child(space + "prop")?.children ?? []
      // Without a status nothing is known to be wrong with them.
      let status = found.child(space + "status").flatMap { code(in: $0.text) } ?? 200
      if 200..<300 ~= status {
        response.properties += properties
      } else {
        for property in properties { response.failed[property.name] = status }
      }
    }
    return element.children.filter { $0.name == space + "href" }.map {
      var one = response
      one.href = $0.text.trimmed
      return one
    }
  }

  /// The number in a line such as `HTTP/1.1 404 Not Found`.
  private static func code(in line: String) -> Int? {
    line.split(whereSeparator: \.isWhitespace).lazy.compactMap { Int($0) }.first
  }
}
