import Testing

@testable import DBus

@Suite struct `The pace of callers in a hurry` {
  @Test func `where nobody else calls nobody rests`() {
    var pace = ClientRateLimit()
    pace.handledHurried(from: 0, until: 5000)
    pace.endTurn(at: 5000, settling: 0)
    #expect(pace.permits(at: 5000) { false })
  }

  //  another's call   their calls   sent        read                 rest over
  //  0                0–400         400–1000    1000                 4000
  @Test func `they rest three times as long as they took, until their answers were read`() {
    var pace = ClientRateLimit()
    pace.handledOther(":1.1", at: 0)
    #expect(pace.permits(at: 0) { false })
    pace.handledHurried(from: 0, until: 300)
    #expect(pace.permits(at: 300) { false })
    pace.handledHurried(from: 300, until: 320)
    pace.endTurn(at: 400, settling: 0)
    #expect(!pace.permits(at: 500) { false })
    // 300, the least that a call counts for, and 600 until all was read.
    #expect(!pace.permits(at: 1000) { true })
    #expect(pace.rest(at: 1000) == 3000)
    #expect(!pace.permits(at: 3999) { true })
    #expect(pace.permits(at: 4000) { true })
  }

  @Test func `they have so much of one turn and no more`() {
    var pace = ClientRateLimit()
    pace.handledOther(":1.1", at: 0)
    pace.handledHurried(from: 0, until: 999)
    #expect(pace.permits(at: 999) { true })
    pace.handledHurried(from: 999, until: 1000)
    #expect(!pace.permits(at: 1099) { true })
  }

  @Test func `the longest rest is a second, and ends when the others are quiet`() {
    var pace = ClientRateLimit()
    pace.handledOther(":1.1", at: 0)
    pace.handledHurried(from: 0, until: 40_000)
    pace.endTurn(at: 40_000, settling: 900_000)
    #expect(!pace.permits(at: 40_000) { true })
    #expect(pace.rest(at: 40_000) == 1_000_000)
    #expect(pace.permits(at: 50_000) { true })
  }

  //  another's call   their calls   none of the others calls   another's call   read          rest over
  //  0                0–2000                                   10 s             10 s + 1000   10 s + 10,000
  @Test func `they do not rest for the time in which nobody else called`() {
    var pace = ClientRateLimit()
    pace.handledOther(":1.1", at: 0)
    pace.handledHurried(from: 0, until: 2000)
    pace.endTurn(at: 2000, settling: 0)
    #expect(pace.permits(at: 10_000_000) { false })
    pace.handledOther(":1.1", at: 10_000_000)
    #expect(!pace.permits(at: 10_000_000) { false })
    #expect(!pace.permits(at: 10_001_000) { true })
    #expect(pace.rest(at: 10_001_000) == 9000)
    #expect(pace.permits(at: 10_010_000) { true })
  }

  @Test func `they rest at once for what they did before another called`() {
    var pace = ClientRateLimit()
    pace.handledHurried(from: 0, until: 2000)
    pace.endTurn(at: 2000, settling: 0)
    pace.handledOther(":1.1", at: 10_000_000)
    #expect(!pace.permits(at: 10_000_000) { true })
    #expect(pace.rest(at: 10_000_000) == 6000)
  }

  @Test func `who calls alone does not rest for its own earlier calls`() {
    var pace = ClientRateLimit()
    pace.handledOther(":1.2", at: 50_000)
    pace.handledOther(":1.1", at: 60_000)
    pace.handledOther(":1.1", at: 61_000)
    pace.hurries(":1.1")
    pace.handledHurried(from: 90_000, until: 92_000)
    pace.endTurn(at: 92_000, settling: 0)
    #expect(!pace.permits(at: 99_000) { true })
    #expect(pace.permits(at: 100_000) { true })
  }

  @Test func `refusals go a thousand a second, some at once`() {
    var pace = ClientRateLimit()
    _ = pace.refusalsDue(at: 1_000_000, waiting: 100)
    #expect(pace.refusalsDue(at: 1_000_900, waiting: 100) == 0)
    #expect(pace.refusalsDue(at: 1_005_000, waiting: 100) == 5)
    #expect(pace.refusalsDue(at: 1_005_500, waiting: 100) == 0)
    #expect(pace.refusalsDue(at: 9_000_000, waiting: 100) == 64)
    // Thirty thousand are to be gone within 15 s.
    #expect(pace.refusalsDue(at: 9_005_000, waiting: 30_000) == 10)
    // And so are more, though we look once in 9 ms or later.
    #expect(pace.refusalsDue(at: 9_014_000, waiting: 120_000) == 72)
    #expect(pace.refusalsDue(at: 10_000_000, waiting: 120_000) == 128)
    #expect(
      pace.refusalsDue(at: 11_000_000, waiting: CallQueue.maximumRefused)
        == ClientRateLimit.mostRefusals)
    #expect(!ClientRateLimit.isTooLate(1_000_000, at: 25_900_000))
    #expect(ClientRateLimit.isTooLate(1_000_000, at: 26_000_000))
  }
}
