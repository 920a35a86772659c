import CivilTime
import TestSupport
import Testing

@testable import AgentSupport

/// The promises of reminders, held against years that go as badly as years can.
@Suite struct `Years of a person's reminders` {
  private static let years = proofSize("DATEBOOK_YEARS", short: 1, long: 100)

  @Test
  func
    `each is told exactly once, whatever the clock, the zone and the agent do, and at least once where the agent died`()
    throws
  {
    let seed = UInt64(variable("DATEBOOK_SEED")) ?? UInt64.random(in: 0...UInt64.max)
    var counts: [String: Int] = [:]
    for number in 0..<Self.years {
      let year = try SimulatedYear(seed: seed &+ UInt64(number))
      try year.live()
      let story = year.diary.story.joined(separator: "\n")
      #expect(
        year.diary.faults == [],
        "DATEBOOK_SEED=\(seed &+ UInt64(number)) DATEBOOK_YEARS=1\n\(story)")
      counts.merge(year.counts, uniquingKeysWith: +)
    }
    #expect(counts["told", default: 0] > 200 * Self.years)
    let words = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("years: seed \(seed), \(Self.years) years, " + words.joined(separator: ", "))
  }
}
