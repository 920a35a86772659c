/// Holds back deletions that look like a fault of the remote: a moved or emptied folder, an answer
/// that was cut off.
package enum DeletionGuard {
  /// What is done with the planned deletions.
  package enum Verdict: Hashable, Sendable {
    case allowed
    /// Nothing is applied until the user says yes to this number of deletions.
    case held(deletions: Int, known: Int)
  }

  /// So many deletions are always carried out.
  private static let alwaysAllowed = 20
  /// So many items may go all at once.
  private static let smallCollection = 5

  /// Decides whether the deletions of a plan are carried out.
  ///
  /// Held are more than 20 deletions that are more than a third of the items, and an empty answer
  /// where more than 5 items are known. Items that were removed here, too, do not count.
  ///
  /// - Parameters:
  ///   - known: The items of the collection that the last synchronisation left.
  ///   - accepted: The number of deletions that the user has said yes to; 0 for none. More than
  ///     that ask again.
  package static func verdict(_ plan: ListingPlan, known: [KnownItem], accepted: Int) -> Verdict {
    let deletions = plan.gone.count { !$0.isRemoved }
    let count = known.count { !$0.isRemoved }
    let isMuch = deletions > alwaysAllowed && deletions * 3 > count
    let isAll = plan.isEmpty && deletions == count && count > smallCollection
    guard isMuch || isAll, deletions > accepted else { return .allowed }
    return .held(deletions: deletions, known: count)
  }
}
