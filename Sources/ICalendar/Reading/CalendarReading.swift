package import CalendarModel
package import CivilTime

/// What a calendar's text came to.
package struct CalendarReading: Sendable {
  /// The events and what else there is by UID, in the order in which each first
  /// appears.
  package var series: [EventSeries]
  /// The zones that events of the text are in and that nobody has installed.
  package var customZones: [CustomZone]
  /// What was mended and what was left out, in the order of the text.
  package var problems: [ParseDiagnostic]
  /// X-WR-CALNAME or NAME (RFC 7986); nil if neither is there.
  package var name: String?
  /// How many components could not be read; ``problems`` says why.
  package var skipped: Int
  /// What the VCALENDARs say of themselves that have ``CalendarHead/properties``, one for each
  /// calendar, in the order of the text.
  package var heads: [PlacedHead]
  /// What has brought each event.
  package var messages: SchedulingMessages
  /// The UIDs of the series that came in several versions: an exception may be of one that does not count.
  package var renewed: Set<EventUID>
  /// The UIDs of the series of which a part could not be read, or may stand where the text breaks off.
  package var incomplete: Set<EventUID>
  /// What VCALENDARs with METHOD:CANCEL say is not to be, series by series in the order of the text. None of
  /// it is among the ``series``.
  package var cancellations: [SeriesCancellations]
  /// What VCALENDARs with METHOD:REPLY and the like are about, each series once, in the order of the text. None of it
  /// is among the ``series``.
  package var answers: [AnsweredSeries]
  /// The last line of a text that ends in the middle of its last calendar, or of a component; nil for
  /// one that is whole.
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

/// What a text says is not to be of one series.
package struct SeriesCancellations: Sendable {
  /// Into which the VCALENDARs went that say so.
  package let calendar: CalendarID
  package let uid: EventUID
  /// The calendars for which the text has the event itself, too.
  package var calendarsOfText: [CalendarID] = []
  /// In the order of the text; never empty.
  package var all: [PlacedCancellation]
}

/// A series of which guests and its organizer have said something to each other.
package struct AnsweredSeries: Sendable {
  /// Into which the first of the VCALENDARs went that say so.
  package let calendar: CalendarID
  package let uid: EventUID
  /// The SUMMARY of the first; "" without one.
  package let summary: String
  /// Where the first begins, as of ``ParseDiagnostic``.
  package var line: Int
  package var column = 1
  /// The calendars for which the text has the event itself, too.
  package var calendarsOfText: [CalendarID] = []
}

/// A cancellation with its place in the text, as of ``ParseDiagnostic``.
package struct PlacedCancellation: Sendable {
  package var cancellation: Cancellation
  package var line: Int
  package var column = 1
}

/// What VCALENDARs say of themselves behind components that it holds for, too, or what is known behind those: they were
/// read without it, and the text is to be read anew with this.
package struct LateProperties: Hashable, Sendable {
  /// X-WR-TIMEZONE.
  package var zone: String?
  /// METHOD.
  package var method: String?
  /// The RECURRENCE-IDs of exceptions, by their UID, that are older than the series as another VCALENDAR has it, which
  /// has no such exception.
  package var outdated: [EventUID: Set<EventTime>] = [:]
  /// The series of which something that cannot be read stands far behind the rest.
  package var unread: Set<EventUID> = []
  /// Whether any of its series may be such a one: it breaks off, or what cannot be read has no UID.
  package var isCutOff = false

  /// Returns what is known with what has become known since, which counts.
  func joined(by later: LateProperties) -> LateProperties {
    LateProperties(
      zone: later.zone ?? zone, method: later.method ?? method,
      outdated: outdated.merging(later.outdated) { $0.union($1) },
      unread: unread.union(later.unread), isCutOff: isCutOff || later.isCutOff)
  }
}

/// What the cancellations of a text come to, as long as it is read.
struct KeptCancellations {
  private(set) var all: [SeriesCancellations] = []
  /// The place of each series, calendar by calendar.
  private var places: [CalendarID: [EventUID: Int]] = [:]

  mutating func add(_ cancellation: Cancellation, of calendar: CalendarID, line: Int) {
    let placed = PlacedCancellation(cancellation: cancellation, line: line)
    if let place = places[calendar]?[cancellation.uid] { return all[place].all.append(placed) }
    places[calendar, default: [:]][cancellation.uid] = all.count
    all.append(
      SeriesCancellations(calendar: calendar, uid: cancellation.uid, all: [placed]))
  }
}

/// What the answers of a text are about, as long as it is read.
struct KeptAnswers {
  private(set) var all: [AnsweredSeries] = []
  private var known: [CalendarID: Set<EventUID>] = [:]

  mutating func add(_ answer: @autoclosure () -> AnsweredSeries, uid: EventUID, of: CalendarID) {
    if known[of, default: []].insert(uid).inserted { all.append(answer()) }
  }
}

/// A zone that comes with its own rules: its TZID is neither an IANA name nor
/// one of Windows.
package struct CustomZone: Sendable {
  /// The name that ``EventTime/zoned(_:zone:)`` carries: the TZID of the file, or one made of it
  /// where another VCALENDAR has other rules under that; see ``ZoneNaming``.
  package let id: String
  /// The VTIMEZONE in canonical text, with the TZID of the file; ``readZone(_:)`` reads it again.
  package let component: String
  package let rules: ZoneRules
  /// The same text without its TZID.
  let definition: String

  init(id: String, component: String, rules: ZoneRules) {
    (self.id, self.component, self.rules) = (id, component, rules)
    definition = zoneDefinition(component)
  }

  /// The same by another name.
  init(_ zone: CustomZone, named name: String) {
    (id, component, rules, definition) = (name, zone.component, zone.rules, zone.definition)
  }
}
