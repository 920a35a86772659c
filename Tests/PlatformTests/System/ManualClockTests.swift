import CivilTime
import TestSupport
import Testing

@Suite struct `Manual clock` {
  private let clock = ManualClock(now: Timestamp(seconds: 100))

  @Test func `each armed instant on the way wakes at its own time`() {
    var told: [Int64] = []
    clock.wake = { reason in
      #expect(reason == .due)
      told.append(clock.now.seconds)
      if clock.now.seconds < 130 { clock.arm(at: clock.now.adding(seconds: 10)) }
    }
    clock.arm(at: Timestamp(seconds: 110))
    #expect(told.isEmpty)
    clock.advance(seconds: 100)
    #expect(told == [110, 120, 130])
    #expect(clock.now == Timestamp(seconds: 200))
    #expect(clock.armed == nil)
  }

  @Test func `a jump is told first, then what has become due`() {
    var told: [WakeReason] = []
    clock.wake = { told.append($0) }
    clock.arm(at: Timestamp(seconds: 110))
    clock.set(to: Timestamp(seconds: 500))
    #expect(told == [.jumped, .due])
    clock.arm(at: Timestamp(seconds: 450))
    clock.set(to: Timestamp(seconds: 400))
    #expect(told == [.jumped, .due, .jumped])
  }

  @Test func `an instant armed in the past wakes when events are delivered`() {
    var count = 0
    clock.wake = { _ in count += 1 }
    clock.arm(at: Timestamp(seconds: 1))
    #expect(count == 0)
    clock.deliver()
    #expect(count == 1)
    #expect(clock.now == Timestamp(seconds: 100))
  }
}
