import CalendarModel
import CivilTime

/// Puts the events of a file together by their UID, and settles which version of
/// each counts.
struct SeriesCollector {
  /// The first event of each UID, in the order of the file: nearly always the
  /// only one.
  private var firsts: [EventReader.Reading] = []
  /// The place of each UID in ``firsts``.
  private var places: [EventUID: Int] = [:]
  /// The other events of a UID, by its place.
  private var others: [Int: [EventReader.Reading]] = [:]

  /// Takes a component; or returns the kind of the one that has its UID, if that is
  /// another.
  mutating func add(_ reading: consuming EventReader.Reading) -> Event.Kind? {
    let place = firsts.count
    if let known = places.updateValue(place, forKey: reading.event.uid) {
      places[reading.event.uid] = known
      let kind = firsts[known].event.kind
      guard kind.isSame(as: reading.event.kind) else { return kind }
      others[known, default: []].append(reading)
    } else {
      firsts.append(reading)
    }
    return nil
  }

  func series(calendar: CalendarID) -> [EventSeries] {
    var series: [EventSeries] = []
    series.reserveCapacity(firsts.count)
    for place in firsts.indices {
      if let others = others[place] {
        let events = SeriesCollector.newest([firsts[place]] + others)
        series.append(
          EventSeries(
            calendar: calendar, master: events.first { $0.recurrenceID == nil },
            overrides: events.filter { $0.recurrenceID != nil }))
      } else if firsts[place].event.recurrenceID == nil {
        series.append(EventSeries(calendar: calendar, master: firsts[place].event))
      } else {
        series.append(
          EventSeries(calendar: calendar, master: nil, overrides: [firsts[place].event]))
      }
    }
    return series
  }

  /// The version that counts of the master and of each override.
  private static func newest(_ versions: [EventReader.Reading]) -> [Event] {
    var kept: [EventReader.Reading] = []
    var places: [EventTime?: Int] = [:]
    for version in versions {
      let id = version.event.recurrenceID
      guard let place = places[id] else {
        places[id] = kept.count
        kept.append(version)
        continue
      }
      // Equal ranks: the one that stands later in the file.
      if !precedes(version, kept[place]) { kept[place] = version }
    }
    return kept.map(\.event)
  }

  /// Whether a version is older than another.
  ///
  /// Source: RFC 5546 section 2.1.5.
  private static func precedes(
    _ first: EventReader.Reading, _ second: EventReader.Reading
  ) -> Bool {
    func rank(_ reading: EventReader.Reading) -> (Int, Timestamp, Timestamp) {
      (
        reading.event.sequence, reading.stamp ?? .earliest, reading.event.lastModified ?? .earliest
      )
    }
    return rank(first) < rank(second)
  }
}
