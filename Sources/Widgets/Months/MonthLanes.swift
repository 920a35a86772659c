/// Puts bars into lanes: which lies above which on the days of a page.
///
/// Each bar, in the order in which they are given, takes the lowest lane that is
/// free on all its days, and keeps it on all of them. A row break changes
/// nothing: a bar that goes on in the next week is in the same lane there, also
/// where those above it are empty, so that the eye finds it again.
struct MonthLanes {
  /// The days of one bar: columns of the page, from 0 on through all rows.
  typealias Columns = ClosedRange<Int>

  /// For each lane the columns that are taken, a bit each: a page has 42.
  private var taken: [UInt64] = []
  private let limit: Int

  /// - Parameter limit: how many lanes there are.
  init(limit: Int) {
    self.limit = max(limit, 0)
  }

  /// How many lanes have a bar.
  var count: Int { taken.count }

  /// Puts a bar in; nil where no lane is free on all its days.
  ///
  /// - Precondition: `columns` lies in 0...41.
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
