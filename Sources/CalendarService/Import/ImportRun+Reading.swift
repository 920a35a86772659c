import CalendarImport
import CalendarModel
import ICalendar

extension ImportRun {
  /// The state of one reading of the text.
  struct Reading {
    /// New versions of stored series, which are written at the end.
    var updates: [EventSeries] = []
    /// The size of the components of ``updates``.
    var octetsOfUpdates = 0
    /// How many updates wait in the file, before ``updates``.
    var waitingCount = 0
    /// The places of those.
    var waitingPlaces: Set<Place> = []
    /// The series that were read last, and how many of them were handled.
    var part: (series: [IncomingSeries], count: Int) = ([], 0)
    /// Everything besides the series, once all of them were read.
    var rest: CalendarReading?
    /// The work after the last event of the text; nil before that.
    var ending: Ending?
    var cancelling = Cancelling()
    /// How many series with answers to invitations were reported.
    var answeredCount = 0
    /// Series that were reported as older than the stored version, with the number of that note.
    var keptOut: [Place: (series: EventSeries, note: Int)] = [:]
    /// The overrides that updates remove, and that late parts of the text may have.
    var givenUp: [Place: [Event]] = [:]
    /// The same with replace; they are reported once the late parts were read.
    var replaced: [Place: ReplacedExceptions] = [:]
    /// The overrides that were reported as removed with a newer version.
    var reportedRemovals: [Place: ReportedRemoval] = [:]
    /// The overrides that were reported to stay.
    var kept: [Place: KeptExceptions] = [:]
    /// How many more instances may be gone through to find passed reminders, so that nobody waits
    /// for it.
    var stepsLeft = 5_000_000
    /// The numbers of the notes about overrides without an occurrence.
    var reportedDetached: [Place: Int] = [:]
    /// The RECURRENCE-IDs of overrides that came without their series, which may come much later.
    var broughtAlone: [Place: Set<EventTime>] = [:]
    /// The events that were reported to lose reminders.
    var reportedReminders: Set<Place> = []
    /// The events with a reminder that waits for an answer; nil before that was needed.
    var waiting: Set<Place>?
    /// The calendars of events that are changed where they are, instead of being added where they
    /// would go.
    var elsewhere: [Place: CalendarID] = [:]
    /// The events that replace moves back into the calendar of a backup, by their present places.
    var movingBack: [Place: CalendarID] = [:]
    /// The places of a backup's series that were found in their own calendars.
    var foundPlaces: Set<Place> = []
    /// The places of a backup's series that were found in other calendars.
    var takenPlaces: Set<Place> = []
    /// Whether a series was found in another calendar, for which the text has its own that came
    /// later.
    var isContested = false
    /// The places of series that were left out of read-only calendars.
    var leftOut: Set<Place> = []
    /// How many of the new calendars were stored.
    var madeCount = 0
    var knownZones = 0
    var counts = ImportCounts()
    var notes = ImportNotes()
  }
}
