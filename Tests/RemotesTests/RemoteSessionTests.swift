import JSON
import Sync
import Testing

@testable import Remotes

@Suite struct `A session with a remote` {
  @Test func `a line that is no request is refused, and the next one is read`() {
    var answers: [RemoteAnswer] = []
    var session = RemoteSession { answers.append($0) }
    for line in ["", "{", "[]", "{\"do\":\"sing\"}", "{\"do\":\"open\",\"kind\":\"ftp\"}"] {
      session.run(line: Array(line.utf8))
    }
    #expect(answers.count == 5)
    #expect(answers.allSatisfy { [$0].failure?.kind == .malformed })
    answers = []
    let access = RemoteAccess(kind: .caldav, url: "example.com")
    session.run(line: JSONWriter.octets(of: RemoteRequest.open(access).json))
    #expect(answers == [.done(nil)])
  }

  @Test func `nothing is done before a remote is named`() {
    var answers: [RemoteAnswer] = []
    var session = RemoteSession { answers.append($0) }
    session.run(.discover)
    #expect(answers.failure?.kind == .malformed)
  }

  @Test func `what is no web address is no remote`() {
    let session = RecordedSession(url: "ftp://example.com/")
    #expect(session.failure(.discover)?.kind == .malformed)
  }
}
