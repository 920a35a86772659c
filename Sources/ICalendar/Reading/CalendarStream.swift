package import CalendarModel
package import CivilTime

/// Reads a calendar part by part, so that a long one keeps nobody waiting and only a
/// part of it is in memory.
///
/// It gives what ``readCalendar(_:calendar:zones:limits:decode:)`` does, but for two
/// things that are known at the end alone; see ``rest()`` and ``late``.
package struct CalendarStream {
  private var reader: CalendarReader
  /// Whether all of the text is read, and all series are returned.
  package private(set) var isAtEnd = false

  /// How long the text is, as UTF-8.
  private let octets: Int
  /// So many series are held back: changed occurrences mostly stand behind their event.
  private let heldBack: Int
  /// So many properties and components are read at once for each series that is asked for: what
  /// gives no series, or joins another, takes its time, too.
  private static let itemsOfSeries = 4
  /// So many octets are read at once, however few series that are, and about as many of those that
  /// are held back: a series may have many megabytes.
  private static let octetsAtOnce = 262_144

  /// - Parameters:
  ///   - known: ``late`` of an earlier reading.
  ///   - heldBack: how many series wait for what stands behind them. What comes later is in ``rest()``.
  ///   - isOneCalendar: as of ``SeriesCollector``.
  ///   - unnaming: what does not count for the UID of an event that has none: names of its properties and of the
  ///     components in it, in capitals.
  ///   - now: as of ``CalendarReader/now``.
  ///   - local: as of ``readCalendar(_:calendar:zones:limits:decode:placement:local:)``.
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

  /// Returns the next series of the text, in the order in which each first appears: about
  /// `count` of them, but fewer, or none, where they are long or other things stand in between.
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

  /// How many octets of the text are read, as UTF-8.
  package var offset: Int { reader.offset }

  /// How much of it is read, 0 to 100.
  package var percentRead: Int { min(100, offset * 100 / max(1, octets)) }

  /// The zones that the events so far are in and that nobody has installed.
  package var customZones: [CustomZone] { reader.customZones }

  /// What has brought each event so far.
  package var messages: SchedulingMessages { reader.messages }

  /// So far, as of ``CalendarReading/renewed``.
  package var renewed: Set<EventUID> { reader.collector.renewed }

  /// Whether a series is of those so far, as of ``CalendarReading/incomplete``.
  package func isIncomplete(_ uid: EventUID) -> Bool { reader.incomplete.contains(uid) }

  /// At the end: what VCALENDARs say behind components that it holds for, by the number of the VCALENDAR.
  package var late: [Int: LateProperties] { reader.late }

  /// At the end: what there is besides the series, and as ``CalendarReading/series`` what
  /// belongs to series that were returned long before; see
  /// ``EventSeries/joined(by:)``.
  ///
  /// - Throws: ``CalendarTextError`` if the text is no iCalendar at all ("not-icalendar").
  package func rest() throws(CalendarTextError) -> CalendarReading {
    try reader.reading(of: reader.collector.lateSeries())
  }
}

extension EventSeries {
  /// Returns this series with versions of its events that stood later in the same text. Those count, since the
  /// collector held them against what it had returned.
  package func joined(by later: EventSeries) -> EventSeries {
    SeriesCollector.series(
      of: SeriesCollector.newest(Array(components) + later.components), calendar)
  }
}
