import Sync
import Testing

@Suite struct `The wait after a failure` {
  private func wait(
    _ kind: RemoteFailure.Kind, failures: Int = 1, jitter: Double = 0, retryAfter: Int64 = 0
  ) -> Int64? {
    RetryDelay.seconds(
      after: RemoteFailure(kind, "", retryAfter: retryAfter), failures: failures, jitter: jitter)
  }

  @Test func `doubles from 30 seconds to an hour`() {
    #expect(
      [0, 1, 2, 3, 7, 8, 9, 1000].map { wait(.offline, failures: $0) }
        == [30, 30, 60, 120, 1920, 3600, 3600, 3600])
  }

  @Test func `is shorter by up to a quarter`() {
    #expect(
      [0, 0.5, 1, 7].map { wait(.offline, failures: 4, jitter: $0) } == [240, 210, 180, 180])
  }

  // Rule 16.
  @Test func `is as long as the server asks, up to an hour`() {
    #expect(wait(.busy, retryAfter: 300) == 300)
    #expect(wait(.busy, retryAfter: 86_400) == 3600)
    #expect(wait(.busy, failures: 5, retryAfter: 10) == 480)
  }

  // Rule 16.
  @Test func `has no end where only the user can help`() {
    for kind in RemoteFailure.Kind.allCases {
      let isEndless = kind == .signIn || kind == .certificate
      #expect((wait(kind, retryAfter: 60) == nil) == isEndless)
    }
  }
}
