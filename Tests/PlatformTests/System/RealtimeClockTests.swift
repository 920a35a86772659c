import CivilTime
import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct `Realtime clock` {
  private let loop: EventLoop
  private let clock: RealtimeClock

  init() throws {
    loop = try EventLoop()
    clock = try RealtimeClock(loop: loop)
  }

  @Test func `an instant that has passed wakes, but not from inside arm`() throws {
    var reasons: [WakeReason] = []
    clock.wake = { if $0 == .due { reasons.append($0) } }
    clock.arm(at: clock.now.adding(seconds: -100))
    #expect(reasons.isEmpty)
    #expect(try loop.run(withinMilliseconds: 10_000) { !reasons.isEmpty })
  }

  @Test(arguments: [Timestamp.earliest, Timestamp(seconds: 0), Timestamp(seconds: -1)])
  func `an instant before 1970 wakes at once`(_ instant: Timestamp) throws {
    var isDue = false
    clock.wake = { if $0 == .due { isDue = true } }
    clock.arm(at: instant)
    #expect(try loop.run(withinMilliseconds: 10_000) { isDue })
  }

  @Test func `it wakes when the instant has come and not before`() throws {
    let instant = clock.now.adding(seconds: 1)
    var wokeAt: Timestamp?
    clock.wake = { if $0 == .due { wokeAt = clock.now } }
    clock.arm(at: instant)
    #expect(try loop.run(withinMilliseconds: 10_000) { wokeAt != nil })
    #expect(try #require(wokeAt) >= instant)
  }

  @Test(arguments: [Timestamp.latest, nil])
  func `a later instant, or none, takes the place of an earlier one`(_ later: Timestamp?) throws {
    clock.wake = { #expect($0 == .jumped) }
    clock.arm(at: clock.now.adding(seconds: -1))
    clock.arm(at: later)
    #expect(try loop.run(withinMilliseconds: 5) { false } == false)
  }

  // A timer that fires before its instant is set again, and a clock past the year 2262 fires it at
  // once.
  @Test(arguments: ["2026-11-21T09:00:00Z", "2300-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
  func `the timer is set to the instant itself, however far ahead it is`(_ text: String) throws {
    let instant = try Timestamp(text: text)
    #expect(RealtimeClock.timerSeconds(for: instant) == instant.seconds)
  }

  @Test func `with nothing armed the timer is set to the end of time`() {
    #expect(RealtimeClock.timerSeconds(for: nil) == Timestamp.latest.seconds)
  }

  @Test func `a wake may arm again`() throws {
    var count = 0
    clock.wake = {
      guard $0 == .due else { return }
      count += 1
      if count < 3 { clock.arm(at: clock.now) }
    }
    clock.arm(at: clock.now)
    #expect(try loop.run(withinMilliseconds: 10_000) { count == 3 })
    #expect(try loop.run(withinMilliseconds: 5) { count > 3 } == false)
  }

  @Test func `a clock that is gone leaves the loop`() throws {
    var other: RealtimeClock? = try RealtimeClock(loop: loop)
    other?.wake = { _ in Issue.record("it woke") }
    other?.arm(at: clock.now)
    other = nil
    #expect(try loop.run(withinMilliseconds: 2) { false } == false)
  }
}

@Suite struct `Time in suspend` {
  @Test func `it is not negative, and stands still while the machine is awake`() {
    let before = SystemCalls.suspendedNanoseconds()
    #expect(before > -1_000_000)
    #expect(abs(SystemCalls.suspendedNanoseconds() - before) < 50_000_000)
  }
}

/// The clock can be moved only with CAP_SYS_TIME; by a microsecond, so that
/// nobody notices.
@Suite(
  .serialized,
  .enabled(if: ClockNudge.isAllowed, "moving the clock by 1 µs needs CAP_SYS_TIME")
)
struct `Realtime clock that is set` {
  @Test func `a jump wakes although nothing is armed`() throws {
    let loop = try EventLoop()
    let clock = try RealtimeClock(loop: loop)
    var reasons: [WakeReason] = []
    clock.wake = { reasons.append($0) }
    for count in 1...2 {
      #expect(ClockNudge.nudge())
      #expect(try loop.run(withinMilliseconds: 10_000) { reasons.count == count })
    }
    #expect(reasons == [.jumped, .jumped])
  }

  @Test func `a jump after which the machine has slept longer is a resume`() throws {
    let loop = try EventLoop()
    // Since boot; the clocks that it is read from differ by some microseconds.
    var suspended: Int64 = 3_600_000_000_000
    let clock = try RealtimeClock(loop: loop, suspendedNanoseconds: { suspended })
    var reasons: [WakeReason] = []
    clock.wake = { reasons.append($0) }
    for (slept, count) in [(Int64(5_000), 1), (2_000_000_000, 2), (-5_000, 3)] {
      suspended += slept
      #expect(ClockNudge.nudge())
      #expect(try loop.run(withinMilliseconds: 10_000) { reasons.count == count })
    }
    #expect(reasons == [.jumped, .resumed, .jumped])
    suspended += 2_000_000_000
    #expect(ClockNudge.nudge())
    clock.arm(at: nil)
    #expect(try loop.run(withinMilliseconds: 10_000) { reasons.count == 4 })
    #expect(reasons.last == .resumed)
  }

  @Test func `a jump before arm is told, and the instant is armed all the same`() throws {
    let loop = try EventLoop()
    let clock = try RealtimeClock(loop: loop)
    var reasons: [WakeReason] = []
    clock.wake = { reasons.append($0) }
    #expect(ClockNudge.nudge())
    clock.arm(at: clock.now.adding(seconds: -1))
    #expect(reasons.isEmpty)
    #expect(try loop.run(withinMilliseconds: 10_000) { reasons.count == 2 })
    #expect(Set(reasons) == [.jumped, .due])
  }
}
