import CalendarModel
import CivilTime

/// The key that finds an alarm of an occurrence after the occurrence has moved.
struct AlarmPlace {
  /// When the occurrence begins.
  let start: Timestamp
  /// When the alarm goes off.
  let instant: Timestamp
}

extension RandomAccessCollection where Index == Int {
  /// Returns the index of what is nearest to a place, by the distance of the starts and of those of one
  /// start by that of the instants; nil of nothing.
  ///
  /// - Parameter place: of an element; they are in the order of starts.
  /// - Complexity: O(log n), and as many as have one start.
  func nearest(to wanted: AlarmPlace, _ place: (Element) -> AlarmPlace) -> Int? {
    func start(_ index: Int) -> Timestamp { place(self[index]).start }
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if start(middle) < wanted.start { low = middle + 1 } else { high = middle }
    }
    func distance(_ index: Int) -> (Int64, Int64) {
      let place = place(self[index])
      return (
        abs(place.start.seconds - wanted.start.seconds),
        abs(place.instant.seconds - wanted.instant.seconds)
      )
    }
    // All of the last start before, and all of the first one from there on.
    let before = low > startIndex ? start(low - 1) : nil
    let after = low < endIndex ? start(low) : nil
    let candidates =
      Array((startIndex..<low).reversed().prefix { start($0) == before })
      + Array((low..<endIndex).prefix { start($0) == after })
    return candidates.min { distance($0) < distance($1) }
  }
}
