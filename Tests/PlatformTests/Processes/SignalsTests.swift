import Glibc
import Platform
import Testing

@Suite(.serialized) struct `Requests by signal` {
  @Test func `signals come as requests from the loop`() throws {
    let loop = try EventLoop()
    var requests: Set<Signals.Request> = []
    let signals = try Signals(on: loop) { requests.insert($0) }
    // raise(3) reaches this thread alone, which has them blocked.
    for request in Signals.Request.allCases { raise(request.rawValue) }
    #expect(requests.isEmpty)
    #expect(try loop.run(withinMilliseconds: 10_000) { requests.count == 3 })
    withExtendedLifetime(signals) {}
  }

  @Test func `signals are blocked only while it lives`() throws {
    let loop = try EventLoop()
    func isBlocked() -> Bool {
      var set = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &set)
      return sigismember(&set, SIGHUP) == 1
    }
    // Threads of the test runner may have everything blocked.
    var reload = sigset_t()
    var before = sigset_t()
    sigemptyset(&reload)
    sigaddset(&reload, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &reload, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var signals: Signals? = try Signals([.reload], on: loop) { _ in }
    #expect(signals != nil && isBlocked())
    signals = nil
    #expect(!isBlocked())
  }
}
