import CalendarModel
import CivilTime

/// Puts the events of a file together by their UID, and settles which version of
/// each counts.
struct SeriesCollector {
  /// All that was read, in its order; nil once another version took its place.
  private var readings: [[EventReader.Reading]] = []
  private var places: [String: Int] = [:]

  mutating func add(_ reading: EventReader.Reading) {
    let uid = reading.event.uid.text
    if let place = places[uid] {
      readings[place].append(reading)
    } else {
      places[uid] = readings.count
      readings.append([reading])
    }
  }

  func series(calendar: CalendarID) -> [EventSeries] {
    readings.map { versions in
      // Nearly all: one event, one version.
      if versions.count == 1 { return SeriesCollector.series(calendar, [versions[0].event]) }
      return SeriesCollector.series(calendar, SeriesCollector.newest(versions))
    }
  }

  private static func series(_ calendar: CalendarID, _ events: [Event]) -> EventSeries {
    EventSeries(
      calendar: calendar, master: events.first { $0.recurrenceID == nil },
      overrides: events.filter { $0.recurrenceID != nil })
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
