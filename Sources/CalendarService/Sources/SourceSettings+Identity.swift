import Platform
import Sync

/// Whether two settings are of the same source.
extension SourceSettings {
  /// Whether both would synchronise the same calendars as the same user.
  ///
  /// Without a user, whoever has the token is asked as; who that is at Google is not known before the
  /// sign-in.
  func isSameSource(as other: SourceSettings) -> Bool {
    guard kind == other.kind, place == other.place, user == other.user else { return false }
    guard user.isEmpty else { return true }
    return !signsInWithBrowser && tokenCommand == other.tokenCommand
      && gnomeAccount == other.gnomeAccount
  }

  /// The address or path in a form in which the same places are equal.
  private var place: String {
    kind == .vdir ? SystemCalls.realPath(url) ?? url : SourceSettings.normalised(url)
  }

  /// Returns an address with its scheme, in lower case up to its path, and without its usual port,
  /// its fragment and slashes at its end.
  ///
  ///     Cloud.Example.org        -> https://cloud.example.org
  ///     webcal://example.org/a   -> https://example.org/a
  ///     https://example.org:443/ -> https://example.org
  ///
  /// Source: RFC 3986 section 6.2.
  static func normalised(_ url: String) -> String {
    let text = url.prefix { $0 != "#" }.filter { !$0.isWhitespace }
    let end = text.firstRange(of: "://")
    var scheme = end.map { text[..<$0.lowerBound].lowercased() } ?? "https"
    if scheme == "webcal" || scheme == "webcals" { scheme = "https" }
    let rest = end.map { text[$0.upperBound...] } ?? text[...]
    var authority = rest.prefix { !"/?".contains($0) }.lowercased()
    let usualPort = scheme == "https" ? ":443" : ":80"
    if authority.hasSuffix(usualPort) { authority.removeLast(usualPort.count) }
    let tail = rest.drop { !"/?".contains($0) }
    var path = tail.prefix { $0 != "?" }
    while path.last == "/" { path.removeLast() }
    return "\(scheme)://\(authority)\(path)\(tail.drop { $0 != "?" })"
  }
}
