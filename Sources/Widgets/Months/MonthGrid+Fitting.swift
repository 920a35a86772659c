extension MonthGrid {
  /// Returns the number of lanes with which ``json`` fits a size.
  ///
  /// A grid with fewer lanes keeps the bars of the other lanes and their events, so the size of
  /// each lane is known. The size of "more" on days that lose bars is estimated.
  ///
  /// - Parameters:
  ///   - most: The most bytes.
  ///   - octets: The bytes of ``json`` now.
  package func lanes(within most: Int, of octets: Int) -> Int {
    guard octets > most else { return lanes }
    var sizes = [Int](repeating: 0, count: lanes)
    var laneOfEvent = [Int?](repeating: nil, count: events.count)
    for bar in days.lazy.flatMap(\.bars) {
      sizes[bar.lane] += MonthGrid.octets(of: bar)
      laneOfEvent[bar.event] = bar.lane
    }
    for (event, lane) in zip(events, laneOfEvent) {
      if let lane { sizes[lane] += MonthGrid.octets(of: event) }
    }
    var (left, total) = (lanes, octets + days.count * MonthGrid.moreOctets)
    while left > 0, total > most {
      left -= 1
      total -= sizes[left]
    }
    return left
  }

  /// The size of `,"more":1234567`.
  private static let moreOctets = 16

  /// Returns the bytes of a row, with the comma after it.
  private static func octets(of row: some MemberListing) -> Int { row.octets().count + 1 }
}
