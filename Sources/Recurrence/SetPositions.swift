/// BYSETPOS: picking from the instances of one period.
enum SetPositions {
  /// Returns the picked ones of `days` × `offsets` in ascending order; both are
  /// ascending, and the offsets shorter than a day.
  ///
  /// - Parameter positions: From 1, or from the end if negative. One that the
  ///   period does not have picks nothing.
  static func pick(
    _ positions: [Int], days: ContiguousArray<Int>, offsets: ContiguousArray<Int64>,
    into picked: inout ContiguousArray<Int64>
  ) {
    let count = days.count * offsets.count
    for position in positions {
      let index = position > 0 ? position - 1 : count + position
      guard index >= 0, index < count else { continue }
      picked.append(Int64(days[index / offsets.count]) * 86_400 + offsets[index % offsets.count])
    }
    sortAndUnite(&picked)
  }

  /// Returns how many different ones are picked of so many.
  static func count(_ positions: [Int], of count: Int) -> Int {
    var indexes: Set<Int> = []
    for position in positions {
      let index = position > 0 ? position - 1 : count + position
      if index >= 0, index < count { indexes.insert(index) }
    }
    return indexes.count
  }

  /// Returns the picked ones of the days of a month, as bits.
  static func pick(_ positions: [Int], of days: UInt32) -> UInt32 {
    let count = days.nonzeroBitCount
    var picked: UInt32 = 0
    for position in positions {
      let index = position > 0 ? position - 1 : count + position
      guard index >= 0, index < count else { continue }
      var rest = days
      for _ in 0..<index { rest &= rest &- 1 }
      picked |= rest & (0 &- rest)
    }
    return picked
  }

  /// Returns the picked ones of a list that every period has alike.
  static func pick(_ positions: [Int], of offsets: ContiguousArray<Int64>)
    -> ContiguousArray<Int64>
  {
    guard !positions.isEmpty else { return offsets }
    var picked = ContiguousArray<Int64>()
    pick(positions, days: [0], offsets: offsets, into: &picked)
    return picked
  }
}
