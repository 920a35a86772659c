package import CalendarModel

/// Series that were read together, in parts that each take a few milliseconds to write: that goes
/// with their number, and with their length where they have long texts or many dates.
package struct SeriesParts {
  private let series: [EventSeries]
  private var place = 0
  private let octets: Int

  /// So many series are a part at most.
  package static let mostSeries = 100
  /// So many octets of components are a part, or one series that has more.
  package static let mostOctets = 131_072

  package init(_ series: [EventSeries] = [], octets: Int = SeriesParts.mostOctets) {
    (self.series, self.octets) = (series, octets)
  }

  package var isAtEnd: Bool { place == series.count }

  /// Returns the next part; nil at the end.
  package mutating func next(atMost count: Int = SeriesParts.mostSeries) -> ArraySlice<EventSeries>?
  {
    let begin = place
    var room = octets
    while place < series.count, place - begin < count, room > 0 {
      let length = series[place].componentOctets
      // One that does not fit any more begins the next part.
      if place > begin, length > room { break }
      room -= length
      place += 1
    }
    return place > begin ? series[begin..<place] : nil
  }
}

extension EventSeries {
  /// How long its components are.
  package var componentOctets: Int {
    overrides.reduce(master?.component.utf8.count ?? 0) { $0 + $1.component.utf8.count }
  }
}
