/// A limit on the instances walked for one answer.
///
/// A rule that fires each second has 86,400 instances a day, and a calendar may have thousands of
/// such rules. All walks of an answer share one budget, so it is a class.
package final class WalkBudget {
  /// The instances walked so far, including unwanted and excluded ones.
  package private(set) var steps = 0
  private let most: Int

  /// - Parameter most: The number of steps allowed.
  package init(most: Int) {
    self.most = most
  }

  /// Whether a step was refused, so that something may be missing.
  package var isSpent: Bool { steps > most }

  /// Takes a step; false if none is left.
  package func take() -> Bool {
    if steps <= most { steps += 1 }
    return steps <= most
  }

  /// Adds the steps of a walk that had its own budget.
  package func take(_ steps: Int) { self.steps += steps }
}
