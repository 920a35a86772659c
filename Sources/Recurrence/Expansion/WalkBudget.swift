/// The number of instances that were walked over for one answer, and its limit.
///
/// A rule that fires each second has 86,400 instances a day, and a calendar may have
/// thousands of such rules: what one answer costs is bounded over all of them together.
/// One budget is shared by all walks of an answer, so it is no value.
package final class WalkBudget {
  /// The instances that were walked over, wanted or not, excluded or not.
  package private(set) var steps = 0
  private let most: Int

  /// - Parameter most: how many steps there are.
  package init(most: Int) {
    self.most = most
  }

  /// Whether a step was refused: something may be missing.
  package var isSpent: Bool { steps > most }

  /// Takes a step; false if there is none left.
  package func take() -> Bool {
    if steps <= most { steps += 1 }
    return steps <= most
  }

  /// Takes the steps of a walk that had a budget of its own.
  package func take(_ steps: Int) { self.steps += steps }
}
