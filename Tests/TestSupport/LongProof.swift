internal import Glibc
package import Testing

/// Whether the long proofs are to run and the others in full: `packaging/test --long` sets
/// `DATEBOOK_LONG`.
package let runsLongProofs = getenv("DATEBOOK_LONG") != nil

extension Trait where Self == ConditionTrait {
  /// Leaves a test out unless the long proofs are to run.
  package static var longProof: Self {
    .enabled(if: runsLongProofs, "a long proof: packaging/test --long")
  }
}

/// How often a random check is repeated: many times among the long proofs, else a few.
package func rounds(_ few: Int, long: Int) -> Int { runsLongProofs ? long : few }

/// The size of a proof that a variable of the environment sets; without it as ``rounds(_:long:)``.
package func proofSize(_ variable: String, short: Int, long: Int) -> Int {
  getenv(variable).flatMap { Int(String(cString: $0)) } ?? rounds(short, long: long)
}
