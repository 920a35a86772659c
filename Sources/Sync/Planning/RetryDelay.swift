/// How long a source waits after a failed run.
package enum RetryDelay {
  private static let firstSeconds: Int64 = 30
  private static let longestSeconds: Int64 = 3600

  /// Returns the seconds until the next run; nil if only the user can change anything.
  ///
  /// The wait doubles with each failure, from 30 seconds to an hour. A remote that names a time is
  /// left alone for so long, but at most for an hour.
  ///
  /// - Parameters:
  ///   - failures: How many runs failed one after the other, with this one.
  ///   - jitter: A random number from 0 to 1: by up to a quarter the wait is shorter, so that many
  ///     clients do not come back at once.
  package static func seconds(after failure: RemoteFailure, failures: Int, jitter: Double) -> Int64?
  {
    switch failure.kind {
    // A server locks an account after a few wrong passwords.
    case .signIn, .certificate: return nil
    default: break
    }
    let doublings = min(max(failures, 1) - 1, 7)
    let wait = min(firstSeconds << Int64(doublings), longestSeconds)
    let shortened = wait - Int64(Double(wait) / 4 * min(max(jitter, 0), 1))
    return max(shortened, min(failure.retryAfter, longestSeconds))
  }
}
