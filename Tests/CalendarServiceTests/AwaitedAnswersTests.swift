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
    answers.answered(by: answers.server)
    #expect(laters.bodies.count == 1)
    laters.run()
    #expect(answers.isOverdue && told == 1)
    answers.answered(by: answers.server)
    #expect(!answers.isOverdue)
    // Two that were asked, and have been answered: nothing wakes the agent any more.
    answers.answered(by: answers.server)
    #expect(laters.bodies.isEmpty)
    answers.asked()
    laters.run()
    #expect(answers.isOverdue && told == 2)
  }

  @Test func `of a server that was replaced are not waited for, and are no answers of the other`() {
    let laters = Laters()
    let answers = AwaitedAnswers(
      patienceMilliseconds: 25_000, later: { laters.add($1) }, onOverdue: {})
    let first = answers.server
    answers.asked()
    laters.run()
    answers.serverChanged()
    #expect(!answers.isOverdue && !answers.areAwaited && laters.bodies.isEmpty)
    answers.asked()
    answers.answered(by: answers.server)
    #expect(!answers.areAwaited && laters.bodies.isEmpty)
    // The other hangs as well, and the first one answers after all.
    answers.asked()
    laters.run()
    answers.answered(by: first)
    #expect(answers.isOverdue && answers.areAwaited)
  }
}
