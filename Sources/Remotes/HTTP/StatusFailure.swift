import CCurl
import Platform
import Sync

extension HTTPResponse {
  /// What a status means that was not wanted.
  ///
  /// It reads the body only for its words: a protocol that says more in it looks there first.
  ///
  /// - Parameter now: the present in seconds since 1970, for a date in `Retry-After`.
  func failure(now: Int64 = SystemCalls.realtimeSeconds()) -> RemoteFailure {
    let host = WebURL(url)?.host ?? ""
    let said = excerpt.isEmpty ? "\(status)" : "\(status) \(excerpt)"
    func say(_ kind: RemoteFailure.Kind, _ reason: String) -> RemoteFailure {
      RemoteFailure(kind, reason, retryAfter: kind == .busy ? retryAfter(now: now) : 0)
    }
    switch status {
    case 200..<300 where isWebPage:
      return say(
        .malformed,
        localized("{host} answered with a web page, such as one for signing in.", ["host": host]))
    case 401:
      return say(.signIn, localized("{host} refuses the user or the password.", ["host": host]))
    case 403 where words.contains("accessnotconfigured") || words.contains("service_disabled"):
      return say(
        .forbidden,
        localized(
          """
          The client's project may not use the calendar yet: enable the "Google Calendar API" and \
          the "CalDAV API" at console.cloud.google.com/apis/library, and wait a few minutes.
          """))
    case 403 where hasQuotaWords, 408, 423, 425, 429, 500, 502...504, 506, 508..<600:
      return say(.busy, localized("{host} is busy: {answer}", ["host": host, "answer": said]))
    case 402, 403, 451:
      return say(
        .forbidden,
        localized("{host} does not allow that: {answer}", ["host": host, "answer": said]))
    case 404, 410:
      return say(
        .gone, localized("{host} has nothing there: {answer}", ["host": host, "answer": said]))
    case 409, 412:
      return say(
        .conflict,
        localized("{host} has another version: {answer}", ["host": host, "answer": said]))
    case 413, 507:
      return say(
        .tooLarge,
        localized("{host} has no room for that: {answer}", ["host": host, "answer": said]))
    case 400..<500, 501, 505:
      return say(
        .refused, localized("{host} does not take that: {answer}", ["host": host, "answer": said]))
    default:
      return say(
        .malformed,
        localized("{host} does not answer as it should: {answer}", ["host": host, "answer": said]))
    }
  }

  /// Seconds to wait, at most an hour; 0 if the server does not say.
  ///
  /// Source: RFC 9110 section 10.2.3.
  func retryAfter(now: Int64) -> Int64 {
    guard let text = header("retry-after") else { return 0 }
    let seconds = Int64(text) ?? Int64(curl_getdate(text, nil)) - now
    return min(max(seconds, 0), 3600)
  }

  /// Google refuses with 403 when a quota is used up, which ends by itself.
  ///
  /// Not the quota of RFC 4331, which is space.
  private var hasQuotaWords: Bool {
    words.contains("quotaexceeded") || words.contains("ratelimit")
      || words.contains("rate limit") || words.contains("quota exceeded")
  }

  /// A short body in lower case, for words in it that mean something.
  private var words: String {
    body.count <= 16_384 ? String(decoding: body, as: UTF8.self).lowercased() : ""
  }

  /// The first words of a short body, without markup; empty for a web page.
  var excerpt: String {
    guard !isWebPage, body.count <= 16_384 else { return "" }
    var words = ""
    var isMarkup = false
    for character in String(decoding: body, as: UTF8.self) {
      switch character {
      case "<": isMarkup = true
      case ">" where isMarkup:
        isMarkup = false
        words += " "
      case _ where isMarkup: break
      case _ where character.isWhitespace: words += " "
      default: words.append(character)
      }
    }
    let isControl: (Unicode.Scalar) -> Bool = { $0.properties.generalCategory == .control }
    let line = words.split(separator: " ").joined(separator: " ")
    return String(
      String.UnicodeScalarView(line.unicodeScalars.filter { !isControl($0) }).prefix(160))
  }
}
