import CalendarModel
import CivilTime

/// Where an alarm was, to find it again after its occurrence has moved.
struct AlarmPlace {
  /// When the occurrence begins.
  let start: Timestamp
  /// When the alarm fires.
  let instant: Timestamp
}

extension RandomAccessCollection where Index == Int {
  /// Returns the index of the element nearest to a place; nil if there are no elements.
  ///
  /// The start decides, then the alarm's instant.
  ///
  /// - Parameter place: returns the place of an element; elements are sorted by start.
  /// - Complexity: O(log n), plus the elements with the nearest start.
  func nearest(to wanted: AlarmPlace, _ place: (Element) -> AlarmPlace) -> Int? {
    func start(_ index: Int) -> Timestamp { place(self[index]).start }
    let first = partitioningIndex { place($0).start >= wanted.start }
    func distance(_ index: Int) -> (Int64, Int64) {
      let place = place(self[index])
      return (
        abs(place.start.seconds - wanted.start.seconds),
        abs(place.instant.seconds - wanted.instant.seconds)
      )
    }
    // All elements with the last start before the wanted one, and all with the first one at or
    // after it.
    let before = first > startIndex ? start(first - 1) : nil
    let after = first < endIndex ? start(first) : nil
    let candidates =
      Array((startIndex..<first).reversed().prefix { start($0) == before })
      + Array((first..<endIndex).prefix { start($0) == after })
    return candidates.min { distance($0) < distance($1) }
  }
}
