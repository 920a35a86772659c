/// What is asked of a web server.
package struct HTTPRequest: Sendable {
  package var method: String
  /// An absolute URL of the scheme `http` or `https`; what is signed in with does not belong here.
  package var url: String
  package var headers: [(name: String, value: String)] = []
  /// Headers that hold a secret, such as an API key: sent only where the credentials may go.
  package var secretHeaders: [(name: String, value: String)] = []
  package var body: [UInt8]?
  /// An answer with a longer body, decoded, fails with ``RemoteFailure/Kind/tooLarge``.
  package var maximumOctets = 64 << 20
  /// Whether an answer that leads to another address is followed there.
  package var followsRedirects = true

  package init(_ method: String = "GET", _ url: String) {
    self.method = method
    self.url = url
  }
}

/// What a web server answered, whatever its status.
package struct HTTPResponse: Sendable {
  package let status: Int
  package let headers: HTTPHeaders
  /// Decoded; empty where it was handed on as it came.
  package let body: [UInt8]
  /// The URL that answered, after redirects.
  package let url: String

  package var isSuccess: Bool { (200..<300).contains(status) }

  /// The value of a header, whatever the case of its name; nil if there is none.
  package func header(_ name: String) -> String? { headers[name] }

  /// Whether the body says that it is a web page, as a page for signing in is.
  package var isWebPage: Bool {
    guard let type = header("content-type")?.lowercased() else { return false }
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
  }
}

/// The headers of an answer.
package struct HTTPHeaders: Hashable, Sendable {
  private var lines: [(name: String, value: String)] = []

  package init() {}

  /// The value of the last header of this name; nil if there is none.
  package subscript(name: String) -> String? { all(name).last }

  /// The values of all headers of this name, in order.
  package func all(_ name: String) -> [String] {
    let wanted = name.lowercased()
    return lines.filter { $0.name == wanted }.map(\.value)
  }

  /// Adds a line such as `ETag: "1"`; other lines are ignored.
  mutating func add(line: String) {
    guard let colon = line.firstIndex(of: ":") else { return }
    lines.append(
      (
        line[..<colon].lowercased(),
        String(line[line.index(after: colon)...]).trimmed
      ))
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.lines.elementsEqual(right.lines, by: ==)
  }

  package func hash(into hasher: inout Hasher) {
    for line in lines {
      hasher.combine(line.name)
      hasher.combine(line.value)
    }
  }
}

extension String {
  /// Without white space at both ends.
  var trimmed: String {
    let isSpace: (Character) -> Bool = { $0.isWhitespace }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(self[first...last])
  }
}
