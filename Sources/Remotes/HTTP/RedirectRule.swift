import Platform
import Sync

/// Where an answer leads on, and where credentials may go.
enum RedirectRule {
  /// More hops than these are a loop.
  static let maximumHops = 5

  /// Returns the URL that an answer leads on to; nil if it leads nowhere.
  ///
  /// The method and the body stay as they are, whatever the status.
  ///
  /// - Throws: ``RemoteFailure`` for a URL that is none, and for a step from `https` to `http`.
  static func next(
    after status: Int, location: String?, from url: WebURL
  ) throws(RemoteFailure) -> WebURL? {
    guard [300, 301, 302, 303, 307, 308].contains(status), let location else { return nil }
    guard let next = WebURL(location, relativeTo: url) else {
      throw RemoteFailure(
        .malformed, localized("{host} redirects to no web address.", ["host": url.host]))
    }
    guard next.scheme == "https" || url.scheme == "http" else {
      throw RemoteFailure(
        .certificate,
        localized("{host} redirects to an address without encryption.", ["host": url.host]))
    }
    return next
  }

  /// Whether what was given for one address may be sent to another.
  ///
  /// That is the same server, the same host with encryption, and hosts under its domain with
  /// encryption: iCloud leads from `caldav.icloud.com` to `p23-caldav.icloud.com`.
  static func mayHaveCredentials(_ url: WebURL, of home: WebURL) -> Bool {
    if url.hasOrigin(of: home) { return true }
    guard url.scheme == "https", url.port == 443 || url.port == home.port else { return false }
    if url.host == home.host || url.host.hasSuffix("." + home.host) { return true }
    return home.host.hasSuffix(".icloud.com") && url.host.hasSuffix("-caldav.icloud.com")
  }
}
