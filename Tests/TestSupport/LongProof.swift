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

/// The size of a proof that has one: what a variable of the environment says, otherwise the long one
/// among the long proofs, and the short one without them.
package func proofSize(_ variable: String, short: Int, long: Int) -> Int {
  getenv(variable).flatMap { Int(String(cString: $0)) } ?? (runsLongProofs ? long : short)
}
