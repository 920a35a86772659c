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
  /// The events that came in a VCALENDAR which is not the whole of them.
  package var messages: [EventUID: SchedulingMessage]
  /// What VCALENDARs with METHOD:CANCEL say is not to be, in the order of the text. None of it is among the
  /// ``series``.
  package var cancellations: [PlacedCancellation]

  package init(
    series: [EventSeries] = [], customZones: [CustomZone] = [], problems: [ParseDiagnostic] = [],
    name: String? = nil, skipped: Int = 0, heads: [PlacedHead] = [],
    messages: [EventUID: SchedulingMessage] = [:], cancellations: [PlacedCancellation] = []
  ) {
    (self.heads, self.messages, self.cancellations) = (heads, messages, cancellations)
    self.series = series
    self.customZones = customZones
    self.problems = problems
    self.name = name
    self.skipped = skipped
  }
}

/// A cancellation with the calendar that its VCALENDAR went into.
package struct PlacedCancellation: Hashable, Sendable {
  package let calendar: CalendarID
  package var cancellation: Cancellation
  /// Where it stands; as of ``ParseDiagnostic``.
  package var line: Int
  package var column = 1
  /// Whether the text has the event itself, too, for the same calendar.
  package var isOfText = false
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
