package import CivilTime
package import Recurrence

/// The meaning of one component: a single event, the master of a series, or an override.
///
/// To-dos, journal entries and free/busy times are stored in the same form; see ``Kind``. Text
/// fields are "" if the property is not given.
///
/// Source: RFC 5545 sections 3.6.1 to 3.6.4.
package struct Event: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable, CaseIterable {
    case confirmed, tentative, cancelled
  }

  /// CLASS; `open` is PUBLIC, since "public" is a keyword.
  package enum Classification: String, Hashable, Sendable, CaseIterable {
    case open = "public"
    case `private`
    case confidential
  }

  package var kind: Kind
  package var uid: EventUID
  /// The occurrence that an override replaces; nil for a master.
  package var recurrenceID: EventTime?
  /// Whether an override also applies to all later occurrences (RANGE=THISANDFUTURE).
  package var appliesToFuture: Bool
  package var start: EventTime
  package var anchor: Anchor
  /// For a to-do with a DTSTART, DUE; for a to-do without one, `.none`.
  package var end: EventEnd
  package var recurrence: RecurrencePattern

  package var summary: String
  package var location: String
  package var description: String
  package var url: String
  /// The address for joining its meeting: the first https one of a CONFERENCE for meetings.
  ///
  /// Without one it comes from other programs' own properties. It is only read; the properties
  /// stay in ``component``.
  ///
  /// Source: RFC 7986 section 5.11.
  package var conference: String
  package var status: Status
  /// Whether it takes up time (TRANSP:OPAQUE).
  package var isBusy: Bool
  package var classification: Classification
  /// The event's own colour; nil means the calendar's.
  package var color: EventColor?
  package var categories: [String]
  package var organizer: Attendee? {
    get { organizers.first }
    set { organizers = newValue.map { [$0] } ?? [] }
  }
  /// At most one. Most events have none, and an empty array takes a sixth of the space.
  private var organizers: [Attendee]
  package var attendees: [Attendee]
  package var alarms: [Alarm]

  package var sequence: Int
  package var created: Timestamp?
  package var lastModified: Timestamp?

  /// The whole component in canonical iCalendar text, from BEGIN to END.
  ///
  /// It includes the properties without a field here. "" until a writer has made it.
  package var component: String

  package init(uid: EventUID, start: EventTime, end: EventEnd = .none, summary: String = "") {
    kind = .event
    anchor = .start
    self.uid = uid
    self.start = start
    self.end = end
    self.summary = summary
    recurrenceID = nil
    appliesToFuture = false
    recurrence = RecurrencePattern()
    location = ""
    description = ""
    url = ""
    conference = ""
    status = .confirmed
    isBusy = true
    classification = .open
    color = nil
    categories = []
    organizers = []
    attendees = []
    alarms = []
    sequence = 0
    created = nil
    lastModified = nil
    component = ""
  }
}

/// RRULE, EXRULE, RDATE and EXDATE of a master, as they are written.
package struct RecurrencePattern: Hashable, Sendable {
  package var rules: [RecurrenceRule]
  package var exclusionRules: [RecurrenceRule]
  package var added: [AddedDate]
  package var excluded: [EventTime]

  package init(
    rules: [RecurrenceRule] = [], exclusionRules: [RecurrenceRule] = [], added: [AddedDate] = [],
    excluded: [EventTime] = []
  ) {
    self.rules = rules
    self.exclusionRules = exclusionRules
    self.added = added
    self.excluded = excluded
  }

  /// Whether the event can happen more than once.
  package var isRecurring: Bool { !rules.isEmpty || !added.isEmpty }

  /// The most instances a day of an event whose alarms fire: one a minute.
  package static let mostInstancesToRing = 1440

  /// Whether the rules can give more than ``mostInstancesToRing`` on one day.
  ///
  /// The alarms of such an event do not fire. The agent refuses to add one with a reminder.
  package var isTooDenseToRing: Bool {
    rules.reduce(0) { $0 + $1.mostInstancesADay } > RecurrencePattern.mostInstancesToRing
  }
}

/// One value of RDATE; a PERIOD has its own duration.
package struct AddedDate: Hashable, Sendable {
  package var start: EventTime
  /// The end of a PERIOD; `.none` for a DATE or DATE-TIME, which lasts as long as other instances.
  package var end: EventEnd

  package init(start: EventTime, end: EventEnd = .none) {
    self.start = start
    self.end = end
  }
}

/// An ATTENDEE or the ORGANIZER.
package struct Attendee: Hashable, Sendable {
  /// The calendar address, usually "mailto:ana@example.org".
  package var address: String
  /// CN, or "".
  package var name: String
  /// PARTSTAT in lower case: "accepted", "declined", "needs-action", …
  package var participation: String

  package init(address: String, name: String = "", participation: String = "needs-action") {
    self.address = address
    self.name = name
    self.participation = participation
  }
}
