import CalendarImport
import CalendarModel
import ICalendar

extension ImportRun {
  /// What one reading of a text has come to.
  struct Reading {
    /// What takes the place of something that is there, which is done at the end.
    var updates: [EventSeries] = []
    /// How long the components of those are that have come in.
    var octetsOfUpdates = 0
    /// How many of them wait in the store, before these.
    var waitingCount = 0
    /// Where each of those goes.
    var waitingPlaces: Set<Place> = []
    /// What was read last, and how many of that were dealt with.
    var part: (series: [IncomingSeries], count: Int) = ([], 0)
    /// What there is besides the series, once all of them were read.
    var rest: CalendarReading?
    /// What comes after the last event of the text; nil until that was dealt with.
    var ending: Ending?
    var cancelling = Cancelling()
    /// Of how many series answers were told.
    var answeredCount = 0
    /// What was told to be older than what is there, and stays out, with the place of that among the notes.
    var keptOut: [Place: (series: EventSeries, note: Int)] = [:]
    /// The exceptions that updates let go, which others of the text, far behind, may name.
    var givenUp: [Place: [Event]] = [:]
    /// The same with replace, which are told once all that is far behind is there.
    var replaced: [Place: ReplacedExceptions] = [:]
    /// What was told of those that go with a newer version.
    var toldGone: [Place: ToldGone] = [:]
    /// What was told to stay.
    var kept: [Place: KeptExceptions] = [:]
    /// How many instances are still looked at to find out which reminders have passed: nobody waits longer for that.
    var stepsLeft = 5_000_000
    /// The places among the notes of what was told of exceptions that stay without a day.
    var toldDetached: [Place: Int] = [:]
    /// The RECURRENCE-IDs of exceptions that came without their series, which may stand far behind them.
    var broughtAlone: [Place: Set<EventTime>] = [:]
    /// The events of which it is told that reminders go.
    var toldReminders: Set<Place> = []
    /// The events of which a reminder waits for an answer; nil where nobody has asked.
    var waiting: Set<Place>?
    /// The calendars of an event that is changed where it is, and not where it would go.
    var elsewhere: [Place: CalendarID] = [:]
    /// The events that replace puts back into the calendar that a backup has them in, by where they are.
    var movingBack: [Place: CalendarID] = [:]
    /// Where the series of a backup are that were found in their own calendars.
    var foundPlaces: Set<Place> = []
    /// Where the series of a backup are that were found in other calendars.
    var takenPlaces: Set<Place> = []
    /// Whether one was found in another calendar for which the text has its own, which came later.
    var isContested = false
    /// What was left out of those already.
    var leftOut: Set<Place> = []
    /// How many of the calendars that are made were stored.
    var madeCount = 0
    var knownZones = 0
    var counts = ImportCounts()
    var notes = ImportNotes()
  }
}
