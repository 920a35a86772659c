import CalendarModel
import CivilTime

/// Puts the events of a file together by their UID, and settles which version of
/// each counts.
struct SeriesCollector {
  /// The calendars that events have gone into.
  private var calendars: [CalendarID] = []
  /// The one of them that the next goes into.
  private var current = 0
  /// The first event of each UID, in the order of the file: nearly always the
  /// only one.
  private var firsts: [EventReader.Reading] = []
  /// The calendar of each of ``firsts``.
  private var owners: [Int] = []
  /// The place of each UID in ``firsts``, calendar by calendar: two may have the same.
  private var places: [[EventUID: Int]] = []
  /// The other events of a UID, by its place.
  private var others: [Int: [EventReader.Reading]] = [:]
  /// What the series were that have been taken out: those of the first places.
  private var taken: [(kind: Event.Kind, owner: Int)] = []
  /// Events of those, which stood far behind the others, by their place.
  private var late: [Int: [EventReader.Reading]] = [:]

  /// How many series are collected and not taken out.
  var count: Int { firsts.count }

  /// Says which calendar the next components are of.
  mutating func enter(_ calendar: CalendarID) {
    if let known = calendars.firstIndex(of: calendar) { return current = known }
    current = calendars.count
    calendars.append(calendar)
    places.append([:])
  }

  /// Takes a component; or returns the kind of the one that has its UID, if that is
  /// another.
  ///
  /// - Precondition: ``enter(_:)`` was called.
  mutating func add(_ reading: consuming EventReader.Reading) -> Event.Kind? {
    let place = taken.count + firsts.count
    if let known = places[current].updateValue(place, forKey: reading.event.uid) {
      places[current][reading.event.uid] = known
      let isTaken = known < taken.count
      let kind = isTaken ? taken[known].kind : firsts[known - taken.count].event.kind
      guard kind.isSame(as: reading.event.kind) else { return kind }
      if isTaken {
        late[known, default: []].append(reading)
      } else {
        others[known, default: []].append(reading)
      }
    } else {
      firsts.append(reading)
      owners.append(current)
    }
    return nil
  }

  func series() -> [EventSeries] { series(firsts.count) }

  /// Takes out all but the latest, with which the next events may go together.
  ///
  /// - Parameter kept: how many stay.
  mutating func take(keeping kept: Int) -> [EventSeries] {
    let count = firsts.count - kept
    guard count > 0 else { return [] }
    let series = series(count)
    for place in taken.count..<taken.count + count { others[place] = nil }
    for place in 0..<count { taken.append((firsts[place].event.kind, owners[place])) }
    firsts.removeFirst(count)
    owners.removeFirst(count)
    return series
  }

  /// The events that came after the rest of their series was taken out, series by
  /// series in the order of the file.
  func lateSeries() -> [EventSeries] {
    late.keys.sorted().map { place in
      SeriesCollector.series(
        of: SeriesCollector.newest(late[place] ?? []), calendars[taken[place].owner])
    }
  }

  static func series(of events: [Event], _ calendar: CalendarID) -> EventSeries {
    EventSeries(
      calendar: calendar, master: events.first { $0.recurrenceID == nil },
      overrides: events.filter { $0.recurrenceID != nil })
  }

  private func series(_ count: Int) -> [EventSeries] {
    var series: [EventSeries] = []
    series.reserveCapacity(count)
    for place in 0..<count {
      let calendar = calendars[owners[place]]
      if let others = others[taken.count + place] {
        let events = SeriesCollector.newest([firsts[place]] + others)
        series.append(SeriesCollector.series(of: events, calendar))
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
  static func newest(_ versions: [EventReader.Reading]) -> [Event] {
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
