import CCurl

/// A URL of the scheme `http` or `https`, taken apart by libcurl itself.
///
/// So what is compared here is what the request goes to. The C function is `curl_url_set`.
package struct WebURL: Hashable, Sendable {
  /// The whole, without user, password and fragment.
  package let text: String
  package let scheme: String
  package let host: String
  package let port: Int
  /// As it is written, with its percent signs; begins with a slash.
  package let path: String
  package let query: String?
  /// What stood before the `@` of the host, decoded; empty for nothing.
  let user: String
  let password: String

  /// Reads a URL, or a reference relative to one; nil if it is none, or has another scheme.
  package init?(_ reference: String, relativeTo base: WebURL? = nil) {
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    let flags = UInt32(CURLU_URLENCODE)
    for text in [base?.text, reference].compactMap(\.self)
    where curl_url_set(handle, CURLUPART_URL, text, flags) != CURLUE_OK { return nil }
    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else {
        return nil
      }
      defer { curl_free(text) }
      return String(cString: text)
    }
    user = part(CURLUPART_USER, CURLU_URLDECODE) ?? ""
    password = part(CURLUPART_PASSWORD, CURLU_URLDECODE) ?? ""
    for secret in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
      curl_url_set(handle, secret, nil, 0)
    }
    guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
      let host = part(CURLUPART_HOST)?.lowercased(), !host.isEmpty,
      let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) }),
      let text = part(CURLUPART_URL)
    else { return nil }
    self.text = text
    self.scheme = scheme
    self.host = host
    self.port = port
    path = part(CURLUPART_PATH) ?? "/"
    query = part(CURLUPART_QUERY)
  }

  /// Reads what people type: a URL, a host or an e-mail address, whose domain is meant.
  package init?(address: String) {
    let text = address.trimmed
    if text.contains("://") {
      self.init(text)
    } else if let at = text.lastIndex(of: "@"), !text.contains("/") {
      self.init("https://" + text[text.index(after: at)...])
    } else {
      self.init("https://" + text)
    }
  }

  /// For messages: without the query, which may be a secret.
  package var display: String { "\(origin)\(path)" }

  /// Scheme, host and port, such as `https://example.com`.
  package var origin: String {
    let usual = scheme == "https" ? 443 : 80
    return port == usual ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }

  /// Whether both are of the same server.
  package func hasOrigin(of other: WebURL) -> Bool { origin == other.origin }
}
