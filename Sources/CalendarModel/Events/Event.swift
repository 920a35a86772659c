package import CivilTime
package import Recurrence

/// What one VEVENT means: a single event, the master of a series, or an override
/// of one occurrence. To-dos, journal entries and free and busy times are kept in
/// the same form; see ``Kind``.
///
/// Text fields are "" where the property is not given.
///
/// Source: RFC 5545 sections 3.6.1 to 3.6.4.
package struct Event: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable, CaseIterable {
    case confirmed, tentative, cancelled
  }

  /// CLASS; the word "public" is taken.
  package enum Classification: String, Hashable, Sendable, CaseIterable {
    case open = "public"
    case `private`
    case confidential
  }

  package var kind: Kind
  package var uid: EventUID
  /// Of an override: the occurrence that it replaces. nil for a master.
  package var recurrenceID: EventTime?
  /// Whether an override is for its occurrence and all that follow
  /// (RANGE=THISANDFUTURE).
  package var appliesToFuture: Bool
  package var start: EventTime
  package var anchor: Anchor
  /// Of a to-do with a DTSTART it is DUE, of one without `.none`.
  package var end: EventEnd
  package var recurrence: RecurrencePattern

  package var summary: String
  package var location: String
  package var description: String
  package var url: String
  /// The first https address among those of its CONFERENCE properties that lead to a meeting (RFC 7986
  /// section 5.11), else of what other programs mark as that; it is read alone, and kept in
  /// ``component``.
  package var conference: String
  package var status: Status
  /// Whether it takes up time (TRANSP:OPAQUE).
  package var isBusy: Bool
  package var classification: Classification
  /// Its own colour; nil is the calendar's.
  package var color: EventColor?
  package var categories: [String]
  package var organizer: Attendee? {
    get { organizers.first }
    set { organizers = newValue.map { [$0] } ?? [] }
  }
  /// One at most: most events have none, and an array of none is a sixth as long.
  private var organizers: [Attendee]
  package var attendees: [Attendee]
  package var alarms: [Alarm]

  package var sequence: Int
  package var created: Timestamp?
  package var lastModified: Timestamp?

  /// The whole component in canonical iCalendar text, from "BEGIN:VEVENT" (or its
  /// kind's) to its END, with every property that the fields above do not know. ""
  /// until a writer has made it.
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

  /// The most instances a day of an event that rings: one a minute.
  package static let mostInstancesToRing = 1440

  /// Whether the rules can give more than ``mostInstancesToRing`` on one day, in
  /// whatever way they say so. Such an event would ring without end: it does not
  /// ring at all, and whoever writes one with a reminder over the bus is told.
  package var isTooDenseToRing: Bool {
    rules.reduce(0) { $0 + $1.mostInstancesADay } > RecurrencePattern.mostInstancesToRing
  }
}

/// One value of RDATE; a PERIOD brings its own length.
package struct AddedDate: Hashable, Sendable {
  package var start: EventTime
  /// `.none` for a DATE or DATE-TIME: as long as the other instances.
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
