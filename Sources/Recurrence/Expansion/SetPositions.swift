/// BYSETPOS: picks from the instances of one period.
///
/// Positions count from 1, or from the end if negative. One beyond the period picks nothing.
enum SetPositions {
  /// Sorts positions for the functions below: positive ones, then negative ones, each once.
  static func ordered(_ positions: [Int]) -> [Int] {
    guard positions.count > 1 else { return positions }
    var list = ContiguousArray(positions)
    sortAndUnite(&list)
    return list.filter { $0 > 0 } + list.filter { $0 < 0 }
  }

  /// Calls `body` with the picked indices, ascending and each once.
  ///
  /// - Parameter positions: From ``ordered(_:)``: two ascending runs, which are merged.
  @inline(__always)
  static func forEachIndex(_ positions: [Int], of count: Int, _ body: (Int) -> Void) {
    let split = positions.firstIndex { $0 < 0 } ?? positions.count
    var rising = 0
    var falling = split
    while rising < split || falling < positions.count {
      let low = rising < split ? positions[rising] - 1 : .max
      let high = falling < positions.count ? count + positions[falling] : .max
      let index = min(low, high)
      if low == index { rising += 1 }
      if high == index { falling += 1 }
      if index >= 0, index < count { body(index) }
    }
  }

  /// Appends the picked readings of `days` × `offsets`, ascending.
  ///
  /// The offsets are ascending and shorter than a day.
  static func pick(
    _ positions: [Int], of days: DayBits, offsets: ContiguousArray<Int64>,
    into picked: inout ContiguousArray<Int64>
  ) {
    forEachIndex(positions, of: days.count * offsets.count) { index in
      let day = days.day(at: index / offsets.count)
      picked.append(Int64(day) * 86_400 + offsets[index % offsets.count])
    }
  }

  /// Returns the picked days.
  ///
  /// - Parameter first: The first day of their period.
  static func pick(_ positions: [Int], of days: DayBits, first: Int) -> DayBits {
    var picked = DayBits()
    picked.begin(at: first)
    forEachIndex(positions, of: days.count) { picked.insert(days.day(at: $0)) }
    return picked
  }

  /// Returns how many different ones of `count` are picked.
  static func count(_ positions: [Int], of count: Int) -> Int {
    var picked = 0
    forEachIndex(positions, of: count) { _ in picked += 1 }
    return picked
  }

  /// Returns the picked days of a month, as bits.
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

  /// Returns the picked offsets, the same for every period.
  ///
  /// - Parameter positions: In any order.
  static func pick(_ positions: [Int], of offsets: ContiguousArray<Int64>)
    -> ContiguousArray<Int64>
  {
    guard !positions.isEmpty else { return offsets }
    var picked = ContiguousArray<Int64>()
    forEachIndex(ordered(positions), of: offsets.count) { picked.append(offsets[$0]) }
    return picked
  }
}
