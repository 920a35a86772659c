import Sync
import Testing

@testable import Remotes

@Suite struct `What a status means` {
  private func response(
    _ status: Int, _ body: String = "", headers: [String] = []
  ) -> HTTPResponse {
    var all = HTTPHeaders()
    for line in headers { all.add(line: line) }
    return HTTPResponse(
      status: status, headers: all, body: Array(body.utf8),
      url: "https://example.com/x?token=hidden")
  }

  @Test(arguments: [
    (401, RemoteFailure.Kind.signIn), (403, .forbidden), (404, .gone), (410, .gone),
    (409, .conflict), (412, .conflict), (413, .tooLarge), (507, .tooLarge), (400, .refused),
    (405, .refused), (415, .refused), (422, .refused), (423, .busy), (429, .busy), (500, .busy),
    (501, .refused), (502, .busy), (503, .busy), (304, .malformed),
  ])
  func `a status has a kind`(_ status: Int, _ kind: RemoteFailure.Kind) {
    #expect(response(status).failure(now: 0).kind == kind)
  }

  @Test(arguments: [
    "<error><code>quotaExceeded</code></error>", "Rate Limit Exceeded", "userRateLimitExceeded",
  ])
  func `403 with words of a quota passes by itself`(_ body: String) {
    #expect(response(403, body).failure(now: 0).kind == .busy)
  }

  @Test func `a web page is no answer`() {
    let page = response(200, "<html>", headers: ["Content-Type: text/html; charset=utf-8"])
    #expect(page.failure(now: 0).kind == .malformed)
  }

  @Test(
    arguments: [
      ("120", 120), ("Sat, 21 Nov 2026 09:31:00 GMT", 60), ("86400", 3600), ("-5", 0), ("soon", 0),
      ("Sat, 21 Nov 2026 09:00:00 GMT", 0),
    ] as [(String, Int64)])
  func `the time to wait is in seconds or a date, and an hour at most`(
    _ text: String, _ seconds: Int64
  ) {
    // 2026-11-21T09:30:00Z
    let now: Int64 = 1_795_253_400
    let answer = response(503, headers: ["Retry-After: \(text)"])
    #expect(answer.failure(now: now).retryAfter == seconds)
  }

  @Test func `the words of the server are shown without markup, the query of the URL is not`() {
    let body =
      "<?xml version='1.0'?>\n<d:error><s:message>Only\n\u{1B}[31m Fridays</s:message></d:error>"
    let reason = response(403, body).failure(now: 0).reason
    #expect(reason.contains("403 Only [31m Fridays"))
    #expect(!reason.contains("hidden"))
  }

  @Test func `the name of a header may have any case, and the last of several counts`() {
    let answer = response(200, headers: ["ETag: \"1\"", "etag:  \"2\" "])
    #expect(answer.header("Etag") == "\"2\"")
    #expect(answer.headers.all("ETAG") == ["\"1\"", "\"2\""])
  }
}
