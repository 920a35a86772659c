import Testing

@testable import CalendarService

@Suite struct `Answers that are awaited` {
  /// What is to be done later, until it is.
  private final class Laters {
    private(set) var bodies: [Int: () -> Void] = [:]
    private var last = 0

    func add(_ body: @escaping () -> Void) -> (() -> Void) {
      last += 1
      let number = last
      bodies[number] = body
      return { self.bodies[number] = nil }
    }

    func run() {
      let all = bodies.values
      bodies = [:]
      for body in all { body() }
    }
  }

  @Test func `are overdue when none comes in time, and not any more with the first`() {
    let laters = Laters()
    var told = 0
    let answers = AwaitedAnswers(
      patienceMilliseconds: 25_000,
      later: { milliseconds, body in
        #expect(milliseconds == 25_000)
        return laters.add(body)
      }, onOverdue: { told += 1 })
    for _ in 0..<3 { answers.asked() }
    #expect(laters.bodies.count == 1)
    // One that answers some of many is slow, and no more.
    answers.answered()
    #expect(laters.bodies.count == 1)
    laters.run()
    #expect(answers.isOverdue && told == 1)
    answers.answered()
    #expect(!answers.isOverdue)
    // Two that were asked, and have been answered: nothing wakes the agent any more.
    answers.answered()
    #expect(laters.bodies.isEmpty)
    answers.asked()
    laters.run()
    #expect(answers.isOverdue && told == 2)
  }
}
