extension MonthGrid {
  /// Returns the number of lanes that the grid may have so that ``json`` fits a size.
  ///
  /// A grid with fewer lanes keeps the bars of the other lanes, at their places, and the events of
  /// these bars, so the size of each lane is known. The "more" of days that lose bars is not: it
  /// gets some room.
  ///
  /// - Parameters:
  ///   - most: the most bytes.
  ///   - octets: the bytes of ``json``.
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

  /// Of `,"more":1234567`.
  private static let moreOctets = 16

  /// The bytes of a row, with the comma after it.
  private static func octets(of row: some MemberListing) -> Int { row.octets().count + 1 }
}
