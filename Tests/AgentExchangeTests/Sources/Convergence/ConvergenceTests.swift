import TestSupport
import Testing

@testable import AgentSupport

@Suite struct `Three computers` {
  @Test(
    .enabled(if: InstalledProgram.isExpected("vdirsyncer") && InstalledProgram.isExpected("khal")))
  func `hold the same in the end, whatever they did and whatever failed, and no edit is lost`()
    throws
  {
    let seed = UInt64(variable("DATEBOOK_SEED")) ?? UInt64.random(in: 0...UInt64.max)
    let convergence = try Convergence(seed: seed)
    for step in 0..<proofSize("DATEBOOK_EDITS", short: 60, long: 400) {
      try convergence.step(step)
    }
    try convergence.end()
    let counts = convergence.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print("convergence: seed \(seed), \(counts.joined(separator: ", "))")
  }
}
