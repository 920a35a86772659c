/// Returns the word most similar to `word`, for "did you mean"; nil if none is similar enough.
package func nearest(_ word: String, among words: [String]) -> String? {
  // A much longer word is not a typing mistake.
  let letters = Array(word.utf8.prefix(64))
  let scored = words.map { ($0, editDistance(letters, Array($0.utf8), countsSwaps: true)) }
  if let best = scored.min(by: { $0.1 < $1.1 }), best.1 <= max(1, letters.count / 3) {
    return best.0
  }
  return words.first { $0.hasPrefix(word) && letters.count > 2 }
}

/// Returns how many letters must be added, removed or changed.
///
/// - Parameter countsSwaps: Whether a letter may also be swapped with the next one, in one step
///   instead of two.
///
/// Source: Levenshtein 1966; with swaps the optimal string alignment distance of Damerau 1964.
func editDistance(_ left: [UInt8], _ right: [UInt8], countsSwaps: Bool) -> Int {
  var before: [Int] = []
  var above = Array(0...right.count)
  for (i, a) in left.enumerated() {
    var row = [i + 1]
    for (j, b) in right.enumerated() {
      var cost = min(above[j + 1] + 1, row[j] + 1, above[j] + (a == b ? 0 : 1))
      if countsSwaps, i > 0, j > 0, a == right[j - 1], b == left[i - 1] {
        cost = min(cost, before[j - 1] + 1)
      }
      row.append(cost)
    }
    (before, above) = (above, row)
  }
  return above[right.count]
}
