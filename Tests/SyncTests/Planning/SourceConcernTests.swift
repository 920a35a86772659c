import CivilTime
import Sync
import Testing

@Suite struct `What a person should know of a source` {
  private func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

  /// A source that worked at 0, and during whose next run something happened.
  private func source(
    every interval: Int64 = 900, lastSuccess: Int64? = 0, _ change: (inout SourceState) -> Void
  ) -> SourceState {
    var state = SourceState(
      intervalSeconds: interval, lastSuccess: lastSuccess.map { at($0) }, now: at(0))
    state.begin()
    change(&state)
    return state
  }

  private func failed(
    _ kind: RemoteFailure.Kind, every interval: Int64 = 900, lastSuccess: Int64? = 0
  ) -> SourceState {
    source(every: interval, lastSuccess: lastSuccess) {
      $0.fail(RemoteFailure(kind, ""), now: at(10), jitter: 0)
    }
  }

  @Test func `nothing, if it works, waits for its time, runs or is paused`() {
    #expect(source { $0.succeed(now: at(10)) }.concern(now: at(1_000_000)) == nil)
    #expect(source { _ in }.concern(now: at(1_000_000)) == nil)
    #expect(source { $0.pause() }.concern(now: at(1_000_000)) == nil)
  }

  @Test func `what it waits for, if only a person can help`() {
    #expect(failed(.signIn).concern(now: at(10)) == .signIn)
    #expect(failed(.certificate).concern(now: at(10)) == .certificate)
    #expect(source { $0.lockKeyring() }.concern(now: at(10)) == .locked)
    #expect(source { $0.hold(deletions: 30, known: 40) }.concern(now: at(10)) == .confirm)
  }

  @Test func `that it is stale, if it has failed for a day`() {
    #expect(failed(.offline).concern(now: at(86_399)) == nil)
    #expect(failed(.offline).concern(now: at(86_400)) == .stale)
  }

  @Test func `that it is stale, if a rare one has failed for three of its intervals`() {
    #expect(failed(.offline, every: 86_400).concern(now: at(3 * 86_400 - 1)) == nil)
    #expect(failed(.offline, every: 86_400).concern(now: at(3 * 86_400)) == .stale)
  }

  @Test func `that it is stale, if it has never worked`() {
    #expect(failed(.offline, lastSuccess: nil).concern(now: at(10)) == .stale)
  }
}
