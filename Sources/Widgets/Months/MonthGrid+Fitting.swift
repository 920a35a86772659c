extension MonthGrid {
  /// Returns how many of its lanes there may be so that ``json`` is no longer than it may be.
  ///
  /// A grid with fewer lanes has the bars of those that are left, at their places, and the events of
  /// these bars: what each lane takes up is known. What days say of bars that they lose is not, and gets its room.
  ///
  /// - Parameters:
  ///   - most: how many octets are allowed.
  ///   - octets: how many ``json`` has.
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

  /// With the comma that parts it from the next.
  private static func octets(of row: some MemberListing) -> Int { row.octets().count + 1 }
}
