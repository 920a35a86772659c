extension RandomAccessCollection where Index == Int {
  /// Returns the first index whose element, like all after it, satisfies a condition.
  ///
  /// - Returns: The end index if no element does.
  /// - Complexity: O(log n).
  @inlinable
  package func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
