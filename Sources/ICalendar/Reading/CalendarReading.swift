package import CalendarModel
package import CivilTime

/// The result of reading a calendar's text.
package struct CalendarReading: Sendable {
  /// The events and other components by UID, in the order in which each first appears.
  package var series: [EventSeries]
  /// The zones of the file that events use and that are not installed.
  package var customZones: [CustomZone]
  /// What was repaired and what was left out, in the order of the text.
  package var problems: [ParseDiagnostic]
  /// NAME (RFC 7986) or X-WR-CALNAME; nil without either.
  package var name: String?
  /// How many components could not be read; ``problems`` has the reasons.
  package var skipped: Int
  /// The heads with ``CalendarHead/properties``, one for each calendar, in the order of the text.
  package var heads: [PlacedHead]
  /// The METHOD that each event came with.
  package var messages: SchedulingMessages
  /// The UIDs that came in several versions; an override may belong to one that is not used.
  package var renewed: Set<EventUID>
  /// The UIDs of series of which a part could not be read, or may be missing at the end.
  package var incomplete: Set<EventUID>
  /// The cancellations of METHOD:CANCEL by series, in the order of the text.
  ///
  /// They are not among the ``series``.
  package var cancellations: [SeriesCancellations]
  /// The series that replies and the like are about, once each, in the order of the text.
  ///
  /// They are not among the ``series``.
  package var answers: [AnsweredSeries]
  /// The last line of a text that ends inside a calendar or a component; nil if it is complete.
  package var cutOffLine: Int?

  package init(
    series: [EventSeries] = [], customZones: [CustomZone] = [], problems: [ParseDiagnostic] = [],
    name: String? = nil, skipped: Int = 0, heads: [PlacedHead] = [],
    messages: SchedulingMessages = SchedulingMessages(), renewed: Set<EventUID> = [],
    incomplete: Set<EventUID> = [], cancellations: [SeriesCancellations] = [],
    answers: [AnsweredSeries] = [], cutOffLine: Int? = nil
  ) {
    self.cutOffLine = cutOffLine
    (self.heads, self.messages, self.cancellations) = (heads, messages, cancellations)
    (self.renewed, self.incomplete, self.answers) = (renewed, incomplete, answers)
    self.series = series
    self.customZones = customZones
    self.problems = problems
    self.name = name
    self.skipped = skipped
  }
}

/// The cancellations of one series in a text.
package struct SeriesCancellations: Sendable {
  /// The calendar that their VCALENDARs are read into.
  package let calendar: CalendarID
  package let uid: EventUID
  /// The calendars for which the text has the event itself as well.
  package var calendarsOfText: [CalendarID] = []
  /// The cancellations in the order of the text; never empty.
  package var all: [PlacedCancellation]
}

/// A series that replies and the like are about.
package struct AnsweredSeries: Sendable {
  /// The calendar of the first VCALENDAR with one.
  package let calendar: CalendarID
  package let uid: EventUID
  /// The SUMMARY of the first reply; "" without one.
  package let summary: String
  /// The position of the first reply; see ``ParseDiagnostic``.
  package var line: Int
  package var column = 1
  /// The calendars for which the text has the event itself as well.
  package var calendarsOfText: [CalendarID] = []
}

/// A cancellation with its position in the text; see ``ParseDiagnostic``.
package struct PlacedCancellation: Sendable {
  package var cancellation: Cancellation
  package var line: Int
  package var column = 1
}

/// What is only known after components that it affects; the text must be read again with it.
package struct LateProperties: Hashable, Sendable {
  /// X-WR-TIMEZONE.
  package var zone: String?
  /// METHOD.
  package var method: String?
  /// Overrides that are older than a newer version of their series that no longer has them.
  ///
  /// They are RECURRENCE-IDs by UID.
  package var outdated: [EventUID: Set<EventTime>] = [:]
  /// The series with a part, far after the rest, that cannot be read.
  package var unread: Set<EventUID> = []
  /// Whether any series may be incomplete: the VCALENDAR breaks off, or the part has no UID.
  package var isCutOff = false

  /// Returns this with later findings, which override it.
  func joined(by later: LateProperties) -> LateProperties {
    LateProperties(
      zone: later.zone ?? zone, method: later.method ?? method,
      outdated: outdated.merging(later.outdated) { $0.union($1) },
      unread: unread.union(later.unread), isCutOff: isCutOff || later.isCutOff)
  }
}

/// Collects cancellations while a text is read.
struct KeptCancellations {
  private(set) var all: [SeriesCancellations] = []
  /// The index of each series, by calendar.
  private var places: [CalendarID: [EventUID: Int]] = [:]

  mutating func add(_ cancellation: Cancellation, of calendar: CalendarID, line: Int) {
    let placed = PlacedCancellation(cancellation: cancellation, line: line)
    if let place = places[calendar]?[cancellation.uid] { return all[place].all.append(placed) }
    places[calendar, default: [:]][cancellation.uid] = all.count
    all.append(
      SeriesCancellations(calendar: calendar, uid: cancellation.uid, all: [placed]))
  }
}

/// Collects replies while a text is read.
struct KeptAnswers {
  private(set) var all: [AnsweredSeries] = []
  private var known: [CalendarID: Set<EventUID>] = [:]

  mutating func add(_ answer: @autoclosure () -> AnsweredSeries, uid: EventUID, of: CalendarID) {
    if known[of, default: []].insert(uid).inserted { all.append(answer()) }
  }
}

/// A zone that comes with its own rules: its TZID is neither an IANA nor a Windows name.
package struct CustomZone: Sendable {
  /// The name in ``EventTime/zoned(_:zone:)``: the TZID, or one made of it; see ``ZoneNaming``.
  package let id: String
  /// The VTIMEZONE in canonical text, with the file's TZID; for ``readZone(_:)``.
  package let component: String
  package let rules: ZoneRules
  /// The same text without its TZID.
  let definition: String

  init(id: String, component: String, rules: ZoneRules) {
    (self.id, self.component, self.rules) = (id, component, rules)
    definition = zoneDefinition(component)
  }

  /// Returns the zone with another name.
  init(_ zone: CustomZone, named name: String) {
    (id, component, rules, definition) = (name, zone.component, zone.rules, zone.definition)
  }
}
