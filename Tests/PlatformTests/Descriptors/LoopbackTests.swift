import Testing

@testable import Platform

@Suite struct `A request to a server on 127.0.0.1` {
  /// Sends a request in another thread, while the listener of this one answers it.
  private func outcome(
    of path: String, answered status: String
  ) throws -> (LoopbackRequest.Outcome?, target: String?) {
    let listener = try LoopbackListener()
    let address = "http://127.0.0.1:\(listener.port)\(path)"
    let loop = try EventLoop()
    var outcome: LoopbackRequest.Outcome?
    let worker = try WorkerThread<Int, LoopbackRequest.Outcome?>(
      on: loop, { $0.tell(try? LoopbackRequest.send(address)) }
    ) { outcome = $0 }
    let target: String? = try listener.wait(milliseconds: 20_000) { target in
      (LoopbackListener.Reply(status: status, text: "Hello"), target)
    }
    #expect(try loop.run(withinMilliseconds: 20_000) { outcome != nil })
    worker.end()
    return (outcome, target)
  }

  @Test func `what the server takes is accepted`() throws {
    let (outcome, target) = try outcome(of: "/?code=1&state=2", answered: "200 OK")
    #expect(outcome == .accepted)
    #expect(target == "/?code=1&state=2")
  }

  @Test func `what the server does not know is refused`() throws {
    let (outcome, target) = try outcome(of: "?code=1", answered: "403 Forbidden")
    #expect(outcome == .refused)
    #expect(target == "/?code=1")
  }

  @Test(arguments: ["https://127.0.0.1:80/", "http://127.0.0.1/", "http://127.0.0.1:0/", ""])
  func `another address is sent to nobody`(address: String) throws {
    #expect(try LoopbackRequest.send(address) == .notLoopback)
  }
}
