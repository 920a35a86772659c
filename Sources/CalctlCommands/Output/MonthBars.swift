import CivilTime
import Platform
import Widgets

/// The bars of one row of a page, for a terminal that is wide enough for titles.
struct MonthBars {
  /// A bar: an event on some days of the row.
  struct Bar: Equatable {
    /// The place of its event in the grid.
    let event: Int
    /// The columns of the row, 0 to 6.
    let columns: ClosedRange<Int>
    let comesFromBefore: Bool
    let goesOn: Bool
  }

  /// The bars of each lane, from the left.
  private(set) var lanes: [[Bar]] = []
  /// How many events of each day have no bar.
  private(set) var more = [Int](repeating: 0, count: 7)

  /// The most lanes.
  static let most = 4
  /// The least columns of a terminal with bars: ten for a day, and the week numbers.
  static let leastColumns = 80

  /// Returns the columns of a day; nil if there is no room for bars.
  static func width(in columns: Int?, indent: Int) -> Int? {
    guard let columns, columns >= leastColumns else { return nil }
    return min(24, (columns - indent) / 7)
  }

  /// - Parameters:
  ///   - row: The days of the row.
  ///   - frequent: The places of events without a bar.
  init(_ row: [MonthDay], without frequent: Set<Int>, isShown: (MonthDay) -> Bool) {
    var ends: [Int: (first: Int, last: Int)] = [:]
    for (column, day) in row.enumerated() where isShown(day) {
      more[column] = day.more
      for bar in day.bars where !frequent.contains(bar.event) {
        ends[bar.event] = (ends[bar.event]?.first ?? column, column)
      }
    }
    func part(_ event: Int, _ column: Int) -> MonthBar.Part {
      row[column].bars.first { $0.event == event }?.part ?? .single
    }
    // The events of a grid are in the order in which they take lanes.
    for (event, columns) in ends.sorted(by: { $0.key < $1.key }) {
      let bar = Bar(
        event: event, columns: columns.first...columns.last,
        comesFromBefore: [.middle, .end].contains(part(event, columns.first)),
        goesOn: [.middle, .start].contains(part(event, columns.last)))
      let free = lanes.indices.first { lane in
        !lanes[lane].contains { $0.columns.overlaps(bar.columns) }
      }
      if let free {
        lanes[free].append(bar)
      } else if lanes.count < MonthBars.most {
        lanes.append([bar])
      } else {
        for column in bar.columns { more[column] += 1 }
      }
    }
    for lane in lanes.indices { lanes[lane].sort { $0.columns.lowerBound < $1.columns.lowerBound } }
  }
}

extension MonthGrid {
  /// The events of series that are on more than two days of most weeks, so that a mark for each
  /// would mark nothing: their places.
  ///
  /// - Parameter isShown: Whether a day is printed.
  func frequentEvents(_ isShown: (MonthDay) -> Bool) -> Set<Int> {
    let shown = days.filter(isShown)
    let weeks = (shown.count + 6) / 7
    var places: [[String]: Set<Int>] = [:]
    for bar in shown.flatMap(\.bars) {
      let event = events[bar.event]
      if event.uid.isEmpty { continue }
      places[[event.calendar, event.uid], default: []].insert(bar.event)
    }
    return places.values.filter { $0.count > 2 * weeks }.reduce(into: []) { $0.formUnion($1) }
  }
}
