package import CalendarModel

/// Splits series into batches that each take a few milliseconds to write.
///
/// That time depends on their number, and on the length of texts and lists of dates.
package struct SeriesParts {
  private let series: [EventSeries]
  private var place = 0
  private let octets: Int

  /// The most series of a batch.
  package static let mostSeries = 100
  /// The most bytes of components of a batch, unless a single series has more.
  package static let mostOctets = 131_072

  package init(_ series: [EventSeries] = [], octets: Int = SeriesParts.mostOctets) {
    (self.series, self.octets) = (series, octets)
  }

  package var isAtEnd: Bool { place == series.count }

  /// Returns the next batch; nil at the end.
  package mutating func next(atMost count: Int = SeriesParts.mostSeries) -> ArraySlice<EventSeries>?
  {
    let begin = place
    var room = octets
    while place < series.count, place - begin < count, room > 0 {
      let length = series[place].componentOctets
      // A series that does not fit begins the next batch.
      if place > begin, length > room { break }
      room -= length
      place += 1
    }
    return place > begin ? series[begin..<place] : nil
  }
}

extension EventSeries {
  /// The size of its components in bytes.
  package var componentOctets: Int {
    overrides.reduce(master?.component.utf8.count ?? 0) { $0 + $1.component.utf8.count }
  }
}
