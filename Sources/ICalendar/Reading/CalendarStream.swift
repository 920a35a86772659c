package import CalendarModel
package import CivilTime

/// Reads a calendar in batches, so that a long one blocks nobody and stays out of memory.
///
/// The result is that of ``readCalendar(_:calendar:zones:limits:decode:placement:local:)``, but
/// some is only known at the end; see ``rest()`` and ``late``.
package struct CalendarStream {
  private var reader: CalendarReader
  /// Whether all of the text is read and all series are returned.
  package private(set) var isAtEnd = false

  /// The size of the text as UTF-8.
  private let octets: Int
  /// The number of series held back, since overrides usually follow their event.
  private let heldBack: Int
  /// The most properties and components to read for each requested series.
  private static let itemsOfSeries = 4
  /// The most octets to read at once, and about the most to hold back: a series may have megabytes.
  private static let octetsAtOnce = 262_144

  /// - Parameters:
  ///   - known: ``late`` of an earlier pass.
  ///   - heldBack: The number of series that wait for later parts. Parts that come after that are
  ///     in ``rest()``.
  ///   - isOneCalendar: See ``SeriesCollector``.
  ///   - unnaming: See ``CalendarReader/unnaming``; in capitals.
  ///   - now: See ``CalendarReader/now``.
  ///   - local: See ``readCalendar(_:calendar:zones:limits:decode:placement:local:)``.
  /// - Throws: ``CalendarTextError`` if the text is longer than the limit ("too-large").
  package init(
    _ text: [UInt8], calendar: CalendarID, zones: any Zones, limits: ReadLimits = ReadLimits(),
    decode: CharacterDecoder? = nil, placement: CalendarPlacement? = nil,
    known: [Int: LateProperties] = [:], heldBack: Int = 64, isOneCalendar: Bool = false,
    unnaming: Set<String> = [], now: Timestamp? = nil, local: ZoneRules? = nil
  ) throws(CalendarTextError) {
    try limits.check(text)
    self.heldBack = heldBack
    let converted = utf8(fromUTF16: text)
    octets = (converted ?? text).count
    reader = CalendarReader(
      converted ?? text, calendar: calendar, zones: zones, limits: limits, decode: decode,
      placement: placement, local: local)
    reader.known = known
    reader.collector.isOneCalendar = isOneCalendar
    reader.events.keepsUnreadRules = !isOneCalendar
    reader.unnaming = unnaming
    reader.now = now
    if converted != nil { reader.tellOfUTF16() }
  }

  /// Returns about `count` further series, in the order in which each first appears.
  ///
  /// There may be fewer, or none, if they are long or other components are between them.
  package mutating func next(_ count: Int) -> [EventSeries] {
    if isAtEnd { return [] }
    let (items, isTooMany) = (count + heldBack).multipliedReportingOverflow(
      by: CalendarStream.itemsOfSeries)
    isAtEnd = !reader.readSome(
      collecting: count + heldBack, items: isTooMany ? .max : items,
      octets: CalendarStream.octetsAtOnce)
    if isAtEnd { return reader.collector.take(keeping: 0) }
    return reader.collector.take(
      keeping: heldBack, octets: CalendarStream.octetsAtOnce)
  }

  /// The octets of the text that were read, as UTF-8.
  package var offset: Int { reader.offset }

  /// The percentage that was read, 0 to 100.
  package var percentRead: Int { min(100, offset * 100 / max(1, octets)) }

  /// The zones of the file that events have used so far.
  package var customZones: [CustomZone] { reader.customZones }

  /// The METHOD of each event so far.
  package var messages: SchedulingMessages { reader.messages }

  /// The UIDs so far that came in several versions; see ``CalendarReading/renewed``.
  package var renewed: Set<EventUID> { reader.collector.renewed }

  /// Whether a series is known to be incomplete; see ``CalendarReading/incomplete``.
  package func isIncomplete(_ uid: EventUID) -> Bool { reader.incomplete.contains(uid) }

  /// At the end: properties after the components that they affect, by number of the VCALENDAR.
  package var late: [Int: LateProperties] { reader.late }

  /// At the end: everything but the series that were returned.
  ///
  /// Its ``CalendarReading/series`` are later parts of returned ones; see
  /// ``EventSeries/joined(by:)``.
  ///
  /// - Throws: ``CalendarTextError`` if the text is not iCalendar ("not-icalendar").
  package func rest() throws(CalendarTextError) -> CalendarReading {
    try reader.reading(of: reader.collector.lateSeries())
  }
}

extension EventSeries {
  /// Returns this series with later versions of its events from the same text.
  ///
  /// The collector has compared them with what it had returned, so they are the newer ones.
  package func joined(by later: EventSeries) -> EventSeries {
    SeriesCollector.series(
      of: SeriesCollector.newest(Array(components) + later.components), calendar)
  }
}
