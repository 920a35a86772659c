import Testing

@testable import AgentSupport
@testable import CalendarService

@Suite struct `Answers that are awaited` {
  @Test func `are overdue when none comes in time, and not any more with the first`() {
    let laters = Laters()
    var told = 0
    let answers = PendingReplies(
      patienceMilliseconds: 25_000, later: laters.add, onOverdue: { told += 1 })
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
    #expect(laters.milliseconds.allSatisfy { $0 == 25_000 })
  }

  @Test func `of a server that was replaced are not waited for, and are no answers of the other`() {
    let laters = Laters()
    let answers = PendingReplies(
      patienceMilliseconds: 25_000, later: laters.add, onOverdue: {})
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
