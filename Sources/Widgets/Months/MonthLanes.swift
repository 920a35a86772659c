/// Puts bars into lanes, which decide what is above what on the days of a page.
///
/// Each bar, in the given order, takes the lowest lane that is free on all its days. A bar that
/// continues in the next row keeps its lane there, even if the lanes above are empty, so that the
/// eye finds it again.
struct MonthLanes {
  /// The days of one bar: columns of the page, counted through all rows from 0.
  typealias Columns = ClosedRange<Int>

  /// The taken columns of each lane, one bit each: a page has 42.
  private var taken: [UInt64] = []
  private let limit: Int

  /// - Parameter limit: The most lanes.
  init(limit: Int) {
    self.limit = max(limit, 0)
  }

  /// How many lanes have bars.
  var count: Int { taken.count }

  /// Places a bar and returns its lane; nil if no lane is free on all its days.
  ///
  /// - Precondition: `columns` is within 0...41.
  mutating func place(_ columns: Columns) -> Int? {
    let length = UInt64(columns.count)
    let mask = (((1 as UInt64) << length) - 1) << UInt64(columns.lowerBound)
    for (lane, bits) in taken.enumerated() where bits & mask == 0 {
      taken[lane] = bits | mask
      return lane
    }
    guard taken.count < limit else { return nil }
    taken.append(mask)
    return taken.count - 1
  }
}
