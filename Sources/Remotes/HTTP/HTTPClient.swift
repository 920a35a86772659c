import CCurl
import Platform
package import Sync

/// Speaks HTTP with the server of a remote, over libcurl, and waits for each answer.
///
/// It follows redirects itself, so that the method and the body stay, and credentials go only
/// where ``RedirectRule`` lets them. Any answer is returned, whatever its status, but for 401 where
/// there is another way to sign in. A failure of the network throws.
///
/// One connection is kept open between requests. Not for use by several threads.
package final class HTTPClient {
  /// The address that was given, where the credentials belong.
  package let home: WebURL
  private let access: RemoteAccess
  private let user: String
  private let secret: String
  private let handle: UnsafeMutableRawPointer
  private var way: SignInWay

  private enum SignInWay { case none, basic, digest, bearer }

  /// - Throws: ``RemoteFailure/Kind/malformed`` if there is no web address in `access`.
  package init(access: RemoteAccess) throws(RemoteFailure) {
    guard ccurl_start() == CURLE_OK, let handle = curl_easy_init() else {
      throw RemoteFailure(.offline, localized("libcurl cannot be used."))
    }
    guard let home = WebURL(address: access.url) else {
      curl_easy_cleanup(handle)
      throw RemoteFailure(.malformed, localized("This is not a web address."))
    }
    self.home = home
    self.access = access
    self.handle = handle
    user = access.user.isEmpty ? home.user : access.user
    secret = access.secret.isEmpty ? home.password : access.secret
    // Without encryption the password is sent only once the server asks for it: it may want a
    // digest of it instead.
    way =
      switch access.signIn {
      case .bearer where !secret.isEmpty: .bearer
      case .password where !user.isEmpty && home.scheme == "https": .basic
      default: .none
      }
  }

  deinit { curl_easy_cleanup(handle) }

  /// Sends a request and returns the answer, after redirects.
  ///
  /// - Parameter receive: gets the body of a successful answer as it comes, which is then not kept;
  ///   false breaks the transfer off, and the answer is returned as far as it came.
  /// - Throws: ``RemoteFailure`` if no whole answer comes, or a redirect is refused.
  package func send(
    _ request: HTTPRequest, receive: ((UnsafeRawBufferPointer) -> Bool)? = nil
  ) throws(RemoteFailure) -> HTTPResponse {
    guard var url = WebURL(request.url) else {
      throw RemoteFailure(.malformed, localized("This is not a web address."))
    }
    for _ in 0...RedirectRule.maximumHops {
      let isTrusted = RedirectRule.mayHaveCredentials(url, of: home)
      var response = try perform(request, url, isTrusted: isTrusted, receive)
      if response.status == 401, isTrusted, let other = otherWay(response) {
        way = other
        response = try perform(request, url, isTrusted: true, receive)
      }
      guard request.followsRedirects,
        let next = try RedirectRule.next(
          after: response.status, location: response.header("location"), from: url)
      else { return response }
      url = next
    }
    throw RemoteFailure(
      .malformed, localized("{host} redirects in a circle.", ["host": url.host]))
  }

  /// What an answer means whose status was not wanted; holds no secret.
  package func failure(of response: HTTPResponse) -> RemoteFailure {
    if response.status == 401, let url = WebURL(response.url),
      !RedirectRule.mayHaveCredentials(url, of: home)
    {
      return RemoteFailure(
        .signIn,
        localized(
          "{home} leads to {host}, which asks for a password. If you trust it, use its address.",
          ["home": home.host, "host": url.host]))
    }
    let failure = response.failure()
    guard secret.count >= 4 else { return failure }
    return RemoteFailure(
      failure.kind, failure.reason.replacing(secret, with: "…"), retryAfter: failure.retryAfter)
  }

  /// How to sign in after a refusal; nil if there is no other way, so that no attempt is repeated.
  private func otherWay(_ response: HTTPResponse) -> SignInWay? {
    guard access.signIn == .password, !user.isEmpty else { return nil }
    let asked = response.headers.all("www-authenticate").map { $0.lowercased() }
    let wantsDigest = asked.contains { $0.hasPrefix("digest") || $0.contains(", digest ") }
    let wantsBasic = asked.contains { $0.hasPrefix("basic") || $0.contains(", basic ") }
    switch way {
    case .none: return wantsDigest ? .digest : wantsBasic ? .basic : nil
    case .basic: return wantsDigest && !wantsBasic ? .digest : nil
    case .digest, .bearer: return nil
    }
  }
}

// MARK: One transfer

extension HTTPClient {
  private func perform(
    _ request: HTTPRequest, _ url: WebURL, isTrusted: Bool,
    _ receive: ((UnsafeRawBufferPointer) -> Bool)?
  ) throws(RemoteFailure) -> HTTPResponse {
    let transfer = Transfer(maximumOctets: request.maximumOctets, receive: receive)
    var list: UnsafeMutablePointer<curl_slist>?
    defer { curl_slist_free_all(list) }
    // curl would wait for "100 Continue", and send a type of its own for a body.
    for line in ["Expect:", request.body == nil ? nil : "Content-Type:"].compactMap(\.self) {
      let name = line.dropLast().lowercased()
      if !request.headers.contains(where: { $0.name.lowercased() == name }) {
        list = curl_slist_append(list, line)
      }
    }
    for header in request.headers + (isTrusted ? request.secretHeaders : []) {
      list = curl_slist_append(list, "\(header.name): \(header.value)")
    }
    let isUnclean = hasUnread
    setOptions(request, url)
    ccurl_set_number(handle, CURLOPT_FRESH_CONNECT, isUnclean ? 1 : 0)
    setCredentials(isTrusted ? way : .none)
    ccurl_set_headers(handle, list)
    ccurl_set_receivers(
      handle, Transfer.receiveHeader, Transfer.receiveBody,
      Unmanaged.passUnretained(transfer).toOpaque())
    let body = request.body ?? []
    let code = withExtendedLifetime(transfer) {
      body.withUnsafeBytes { octets in
        if request.body != nil { ccurl_set_body(handle, octets.baseAddress, Int64(octets.count)) }
        ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        return curl_easy_perform(handle)
      }
    }
    if transfer.isTooLarge {
      throw RemoteFailure(
        .tooLarge, localized("The answer of {host} is too large.", ["host": url.host]))
    }
    guard code == CURLE_OK || transfer.isBrokenOff else { throw failure(code, url) }
    return HTTPResponse(
      status: ccurl_status(handle), headers: transfer.headers, body: transfer.body, url: url.text)
  }

  /// Whether something came after the last answer, such as the same answer once more. It would be
  /// taken for the answer to the next request; libcurl only looks at what it reads at once.
  private var hasUnread: Bool {
    let socket = ccurl_socket(handle)
    guard socket >= 0 else { return false }
    return (try? SystemCalls.waitUntilReadable([socket], milliseconds: 0))?.isEmpty == false
  }

  private func setOptions(_ request: HTTPRequest, _ url: WebURL) {
    ccurl_set_number(handle, CURLOPT_HTTPGET, 1)
    ccurl_set_number(handle, CURLOPT_NOBODY, request.method == "HEAD" ? 1 : 0)
    ccurl_set_text(handle, CURLOPT_URL, url.text)
    ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    ccurl_set_text(handle, CURLOPT_USERAGENT, "Datebook")
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
    ccurl_set_number(handle, CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    ccurl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    ccurl_set_number(handle, CURLOPT_MAXCONNECTS, 1)
    ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT, 15)
    ccurl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 10)
    ccurl_set_number(handle, CURLOPT_LOW_SPEED_TIME, 30)
    ccurl_set_number(handle, CURLOPT_TIMEOUT, 120)
    // An item is asked for as it is, since some servers change the ETag of what they compress.
    let isAsIs = request.headers.contains { $0.name.lowercased() == "accept-encoding" }
    ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, isAsIs ? nil : "")
    if !access.authorities.isEmpty {
      // The system's stay trusted: libcurl has them from its folder, CAPATH, too.
      ccurl_set_text(handle, CURLOPT_CAINFO, access.authorities)
    }
    if !access.pinnedKey.isEmpty {
      ccurl_set_text(handle, CURLOPT_PINNEDPUBLICKEY, access.pinnedKey)
    }
  }

  private func setCredentials(_ way: SignInWay) {
    let isPassword = way == .basic || way == .digest
    ccurl_set_text(handle, CURLOPT_USERNAME, isPassword ? user : nil)
    ccurl_set_text(handle, CURLOPT_PASSWORD, isPassword ? secret : nil)
    ccurl_set_text(handle, CURLOPT_XOAUTH2_BEARER, way == .bearer ? secret : nil)
    let kind =
      switch way {
      case .none: 0
      case .basic: ccurl_auth_basic()
      case .digest: ccurl_auth_digest()
      case .bearer: ccurl_auth_bearer()
      }
    ccurl_set_number(handle, CURLOPT_HTTPAUTH, kind)
  }

  private func failure(_ code: CURLcode, _ url: WebURL) -> RemoteFailure {
    let reason = reason(code)
    return switch code {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ISSUER_ERROR:
      RemoteFailure(
        .certificate,
        localized(
          "The certificate of {host} is not trusted: {reason}",
          ["host": url.host, "reason": reason]))
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_WEIRD_SERVER_REPLY,
      CURLE_BAD_CONTENT_ENCODING:
      RemoteFailure(
        .malformed,
        localized(
          "{host} does not answer as web servers do: {reason}",
          ["host": url.host, "reason": reason]))
    case CURLE_SSL_CONNECT_ERROR:
      RemoteFailure(
        .offline,
        localized(
          """
          {host} has no encrypted connection (TLS) on port {port}: {reason}. If the server is \
          without encryption, give its address with http:// and the port.
          """, ["host": url.host, "port": String(url.port), "reason": reason]))
    default:
      RemoteFailure(
        .offline,
        localized("{host} cannot be reached: {reason}", ["host": url.host, "reason": reason]))
    }
  }

  /// What went wrong: the usual reasons in the user's language, others in the words of libcurl,
  /// which has them in English only.
  private func reason(_ code: CURLcode) -> String {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: localized("its name has no address, or there is no network")
    case CURLE_COULDNT_CONNECT: localized("it accepts no connection")
    case CURLE_OPERATION_TIMEDOUT: localized("it did not answer in time")
    default: String(cString: curl_easy_strerror(code))
    }
  }
}

/// What arrives of one answer.
private final class Transfer {
  var headers = HTTPHeaders()
  var body: [UInt8] = []
  var isTooLarge = false
  var isBrokenOff = false
  private var isSuccess = false
  private var octets = 0
  private let maximumOctets: Int
  private let receive: ((UnsafeRawBufferPointer) -> Bool)?

  init(maximumOctets: Int, receive: ((UnsafeRawBufferPointer) -> Bool)?) {
    self.maximumOctets = maximumOctets
    self.receive = receive
  }

  static let receiveHeader: ccurl_receiver = { octets, size, count, context in
    guard let octets, let context else { return 0 }
    let line = String(
      decoding: UnsafeRawBufferPointer(start: octets, count: size * count), as: UTF8.self)
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().add(line: line)
    return size * count
  }

  static let receiveBody: ccurl_receiver = { octets, size, count, context in
    guard let context else { return 0 }
    let buffer = UnsafeRawBufferPointer(start: octets, count: size * count)
    let isWanted = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().add(buffer)
    return isWanted ? size * count : 0
  }

  private func add(line: String) {
    guard line.hasPrefix("HTTP/") else { return headers.add(line: line) }
    // Each answer has its own headers, such as after "100 Continue" and the challenge for a digest.
    headers = HTTPHeaders()
    body = []
    octets = 0
    isSuccess = line.split(separator: " ").dropFirst().first?.first == "2"
  }

  private func add(_ buffer: UnsafeRawBufferPointer) -> Bool {
    octets += buffer.count
    isTooLarge = octets > maximumOctets
    guard !isTooLarge else { return false }
    guard isSuccess, let receive else {
      body += buffer
      return true
    }
    isBrokenOff = !receive(buffer)
    return !isBrokenOff
  }
}
